/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_OPTIONS_H
#define GRIDFTP_SEGMENT_OPTIONS_H

#include "gridftp-segment-packet.h"
#include "gridftp-segment-sack-blocks.h"
#include "gridftp-segment-tcp.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The TCP options of a packet and its ECN flags, and the packet without them. A SegmentPacket of
 * PacketKind::WITH_OPTIONS has the number of such a record in FlowTable.
 */
struct SegmentOptions
{
    SegmentPacket packet;    //!< the packet without options
    uint64_t number{0};      //!< sequence number of a packet without data, as a byte of the stream
    uint32_t timestampMs{0}; //!< when it was sent, ms; counts where SegmentTcp::hasTimestamps
    uint32_t echoMs{0};      //!< timestamp of the other end, ms
    SackBlocks blocks{};     //!< of its SACK option
    bool hasEcnFlag{false};  //!< with data: CWR; without: ECE
    bool isMarked{false};    //!< the ECN field is CE, where it arrives
};

/**
 * @ingroup gridftp
 * The timestamps that an end of a connection has received, and which of them it echoes. The rule is
 * that of ns-3's TcpSocketBase::ProcessOptionTimestamp(): the timestamp of a segment that begins at
 * the first missing byte, unless an ACK of what came before is delayed. ns-3 notes the ACKs of
 * packets without data only.
 */
class TimestampEcho
{
  public:
    /** A SYN or SYN-ACK has come. @param timestampMs its timestamp @param isFirst nothing has come
     * before */
    void HandleSyn(uint32_t timestampMs, bool isFirst)
    {
        if (m_recentMs <= timestampMs)
        {
            m_recentMs = timestampMs;
            m_echoMs = isFirst ? timestampMs : m_echoMs;
        }
    }

    /** A segment has come. @param timestampMs its timestamp @param start its first byte @param next
     * first byte that was missing before */
    void HandleSegment(uint32_t timestampMs, uint64_t start, uint64_t next)
    {
        if (m_recentMs <= timestampMs)
        {
            m_recentMs = timestampMs;
            m_echoMs = start == next && start <= m_acknowledged ? timestampMs : m_echoMs;
        }
    }

    /** A packet without data acknowledges. @param next first byte that is missing */
    void HandleAckSent(uint64_t next)
    {
        m_acknowledged = next > m_acknowledged ? next : m_acknowledged;
    }

    /** @return timestamp that is echoed, ms; 0 before any has come */
    uint32_t GetEchoMs() const
    {
        return m_echoMs;
    }

  private:
    uint32_t m_recentMs{0};     //!< largest timestamp that has come
    uint32_t m_echoMs{0};       //!< see GetEchoMs()
    uint64_t m_acknowledged{0}; //!< of the last ACK without data
};

/** @ingroup gridftp @param tcp of a connection @return bytes of the options of its SYN, padded:
 * window scale, SACK permitted, timestamps */
int64_t GetSynOptionBytes(const SegmentTcp& tcp);

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_OPTIONS_H
