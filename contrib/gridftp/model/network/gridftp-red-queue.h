/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RED_QUEUE_H
#define GRIDFTP_RED_QUEUE_H

#include "gridftp-link-clock.h"
#include "gridftp-red.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/packet.h"

#include <cstdint>
#include <deque>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The queue of a device with RED in front of it, as routers have it whose devices have no queue of
 * their own. ns-3's RedQueueDisc stands above the queue of a device; what waits there it does not
 * count, and it takes a link to be idle that still sends the last packets. Apart from that it is
 * the same rule, as a test shows.
 */
class RedQueue : public DropTailQueue<Packet>
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    RedQueue();
    ~RedQueue() override;

    /** To be called before the first packet. @param red the rule @param clock of the link */
    void SetRed(const RandomEarlyDetection& red, const LinkClock& clock);

    /**
     * @param stream number of independent draws
     * @return how many it uses: one
     */
    int64_t AssignStreams(int64_t stream);

    /** @return packets that have left with its mark */
    uint64_t GetMarks() const
    {
        return m_marks;
    }

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;

  private:
    std::unique_ptr<RandomEarlyDetection> m_red; //!< the rule
    std::unique_ptr<LinkClock> m_clock;          //!< of the link
    std::deque<bool> m_areMarked;                //!< of each packet that waits: RED has marked it
    uint64_t m_marks{0};                         //!< see GetMarks()
    int64_t m_freeNs{0};                         //!< when the link is done with what has left
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RED_QUEUE_H
