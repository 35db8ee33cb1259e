/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_RED_QUEUE_H
#define GRIDFTP_SEGMENT_RED_QUEUE_H

#include "gridftp-active-queue.h"
#include "gridftp-red.h"
#include "gridftp-ring.h"
#include "gridftp-segment-link.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The queue of a link with RED that marks packets: the counterpart of RedQueue in engine ns3.
 *
 * Contract: SegmentNetwork makes it for links with RED where packets may be ECT. Where none is, RED
 * only drops, so that the DropTail queue with RED in front of it (DropTailLink::SetRed()) does the
 * same faster: it needs no packet to be there until its transmission begins.
 */
class SegmentRedQueue final : public ActiveQueue
{
  public:
    /** @param red the rule @param link with the queue; outlives it @param mostPackets most packets
     * that wait */
    SegmentRedQueue(const RandomEarlyDetection& red, const DropTailLink& link, uint64_t mostPackets)
        : m_red(red),
          m_link(&link),
          m_mostPackets(mostPackets)
    {
    }

    uint64_t GetLength() const override
    {
        return m_packets.GetSize();
    }

  private:
    bool DoEnqueue(int64_t nowNs, QueuedPacket packet) override
    {
        const int64_t idleNs = std::max<int64_t>(0, nowNs - m_link->GetFreeNs());
        if (m_red.IsNextDropped(m_packets.GetSize(), idleNs))
        {
            if (!m_red.IsMarking() || !packet.isEct)
            {
                return false;
            }
            packet.isMarked = true;
        }
        if (m_packets.GetSize() >= m_mostPackets)
        {
            return false;
        }
        m_packets.Push(packet);
        return true;
    }

    std::optional<QueuedPacket> DoDequeue(int64_t /* nowNs */) override
    {
        if (m_packets.IsEmpty())
        {
            return std::nullopt;
        }
        const QueuedPacket packet = m_packets.Front();
        m_packets.Pop();
        return packet;
    }

    RandomEarlyDetection m_red;   //!< the rule
    const DropTailLink* m_link;   //!< see the constructor
    uint64_t m_mostPackets;       //!< most packets that wait
    Ring<QueuedPacket> m_packets; //!< that wait
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_RED_QUEUE_H
