/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLAST_SENDER_H
#define GRIDFTP_BLAST_SENDER_H

#include "gridftp-loss-bitmap.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-send-gate.h"
#include "gridftp-tool-end.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A file in packets of one size, the last one perhaps shorter. */
class PacketFile
{
  public:
    /** @param bytes of the file, at least 1 @param payload of a packet, at least 1 */
    PacketFile(uint64_t bytes, uint32_t payload)
        : m_bytes(bytes),
          m_payload(payload),
          m_packets(static_cast<uint32_t>((bytes + payload - 1) / payload))
    {
    }

    /** @return packets of it */
    uint32_t GetPackets() const
    {
        return m_packets;
    }

    /** @param packet of it, from 0 @return bytes in it */
    uint32_t GetPayload(uint32_t packet) const
    {
        return packet + 1 < m_packets
                   ? m_payload
                   : static_cast<uint32_t>(m_bytes - uint64_t{m_payload} * (m_packets - 1));
    }

  private:
    uint64_t m_bytes;   //!< of the file
    uint32_t m_payload; //!< of all packets but the last
    uint32_t m_packets; //!< of the file
};

/**
 * @ingroup gridftp
 * Sends, in order, those packets of a file that have not come: a blast. The i-th of them leaves i
 * gaps after the begin of the blast, or as soon as the socket has room: what is late is caught up.
 */
class BlastSender
{
  public:
    /**
     * @param file what is sent
     * @param gapNs between packets, 0: as fast as the link takes them
     * @param gate of the host
     * @param extraBytes around a packet's payload on the link
     */
    BlastSender(const PacketFile& file, Nanoseconds gapNs, SendGate& gate, int64_t extraBytes)
        : m_file(&file),
          m_gapNs(gapNs),
          m_gate(&gate),
          m_extraBytes(extraBytes)
    {
    }

    /** A blast begins. @param now of the simulation @return when its first packet leaves, ns */
    Nanoseconds Begin(Nanoseconds now)
    {
        m_beginNs = now;
        m_sent = 0;
        m_next = 0;
        return m_gate->GetRoom(now);
    }

    /**
     * Sends a packet, whose time has come.
     * @param now of the simulation
     * @param arrived packets that are not to be sent
     * @param port of the end
     * @return when the next one leaves, ns; ToolPort::NOT_AT_ALL: that was the
     * last of the blast
     */
    Nanoseconds SendNext(Nanoseconds now, const LossBitmap& arrived, ToolPort& port);

    /** @return packets of this blast that are sent */
    uint64_t GetSent() const
    {
        return m_sent;
    }

  private:
    const PacketFile* m_file; //!< what is sent
    Nanoseconds m_gapNs;      //!< between packets
    SendGate* m_gate;         //!< of the host
    int64_t m_extraBytes;     //!< around a payload on the link
    Nanoseconds m_beginNs{0}; //!< of the blast
    uint64_t m_sent{0};       //!< packets of the blast
    uint32_t m_next{0};       //!< the first that may be the next one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLAST_SENDER_H
