/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLAST_SENDER_H
#define GRIDFTP_BLAST_SENDER_H

#include "gridftp-loss-bitmap.h"
#include "gridftp-mapped-file.h"
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

    /** @param packet of it, from 0 @return its first byte */
    uint64_t GetOffset(uint32_t packet) const
    {
        return uint64_t{packet} * m_payload;
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
     * @param mapped where the packets are read from
     */
    BlastSender(const PacketFile& file,
                Nanoseconds gapNs,
                SendGate& gate,
                int64_t extraBytes,
                MappedFile& mapped)
        : m_file(&file),
          m_gapNs(gapNs),
          m_gate(&gate),
          m_extraBytes(extraBytes),
          m_mapped(&mapped)
    {
    }

    /** A blast begins. @param now of the simulation @param arrived packets that are not to be sent,
     * which are not all @return when its first packet leaves, ns */
    Nanoseconds Begin(Nanoseconds now, const LossBitmap& arrived)
    {
        m_beginNs = now;
        m_sent = 0;
        m_packets = arrived.GetMissing();
        m_next = arrived.FindMissing(0);
        return m_gate->GetRoom(now);
    }

    /**
     * Sends a packet, whose time has come, and those behind it up to a time, but not the last one,
     * as its user has something to say at the moment when that leaves.
     * @param until a time, not after what ToolPort::GetSilence() tells
     * @param now of the simulation
     * @param arrived what Begin() was told
     * @param port of the end
     * @return when the next one leaves, ns; of no use where IsOver()
     */
    Nanoseconds SendUntil(Nanoseconds until,
                          Nanoseconds now,
                          const LossBitmap& arrived,
                          ToolPort& port)
    {
        Nanoseconds next = SendNext(now, arrived, port);
        // What is read is read in order with all else, and not ahead of the time
        while (next < until && m_sent + 1 < m_packets && !m_mapped->IsTimed())
        {
            next = SendNext(next, arrived, port);
        }
        return next;
    }

    /** @return packets of this blast that are sent */
    uint64_t GetSent() const
    {
        return m_sent;
    }

    /** @return whether all of this blast are sent */
    bool IsOver() const
    {
        return m_sent == m_packets;
    }

  private:
    /** Sends a packet, unless it is still to be read. @param now when it leaves, ns @param arrived
     * see SendUntil() @param port of the end @return when the next one leaves, ns */
    Nanoseconds SendNext(Nanoseconds now, const LossBitmap& arrived, ToolPort& port)
    {
        const uint32_t payload = m_file->GetPayload(m_next);
        if (m_mapped->IsTimed()) [[unlikely]]
        {
            const Nanoseconds there = m_mapped->Touch(now, m_file->GetOffset(m_next), payload);
            if (there > now)
            {
                return there;
            }
        }
        port.SendData(now, {.number = m_next, .payload = payload});
        m_gate->Take(now, payload + m_extraBytes);
        m_next = arrived.FindMissing(m_next + 1);
        ++m_sent;
        const auto paced = m_beginNs + static_cast<Nanoseconds>(m_sent) * m_gapNs;
        return m_gate->GetRoom(paced > now ? paced : now);
    }

    const PacketFile* m_file; //!< what is sent
    Nanoseconds m_gapNs;      //!< between packets
    SendGate* m_gate;         //!< of the host
    int64_t m_extraBytes;     //!< around a payload on the link
    MappedFile* m_mapped;     //!< where the packets are read from
    Nanoseconds m_beginNs{0}; //!< of the blast
    uint64_t m_packets{0};    //!< packets of the blast
    uint64_t m_sent{0};       //!< of them, those that are sent
    uint32_t m_next{0};       //!< the next one
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLAST_SENDER_H
