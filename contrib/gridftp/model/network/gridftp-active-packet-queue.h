/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ACTIVE_PACKET_QUEUE_H
#define GRIDFTP_ACTIVE_PACKET_QUEUE_H

#include "gridftp-active-queue.h"

#include "ns3/packet.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The queue of a device whose discipline is an ActiveQueue of core. The device takes a packet when
 * its link is free, so all packets that wait are in this queue. ns-3's queue discs are above a
 * device with a queue of its own; apart from that CoDel, FQ-CoDel and PIE are the same, as tests
 * show.
 *
 * Contract: a device with IPv4 packets behind a PPP header calls Enqueue() and Dequeue() as the
 * contract of ActiveQueue says. A packet that is dropped after it has entered fires the trace
 * sources Dequeue and DropAfterDequeue, one that leaves fires Dequeue and Departure.
 */
class ActivePacketQueue : public Queue<Packet>
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    ActivePacketQueue();
    ~ActivePacketQueue() override;

    /** Call it before the first packet, and SetMaxSize() with more than the limit of the
     * discipline. @param queue the discipline */
    void SetActiveQueue(std::unique_ptr<ActiveQueue> queue);

    /** @param stream number of a stream of random numbers @return how many streams are used */
    int64_t AssignStreams(int64_t stream);

    /** @return packets that left with a mark of the discipline */
    uint64_t GetMarks() const
    {
        return m_active->GetMarks();
    }

    bool Enqueue(Ptr<Packet> packet) override;
    Ptr<Packet> Dequeue() override;
    Ptr<Packet> Remove() override;
    Ptr<const Packet> Peek() const override;

    /**
     * A packet leaves to be transmitted.
     * @param packet the packet
     * @param waitNs how long it has waited, ns
     */
    typedef void (*DepartureCallback)(Ptr<const Packet> packet, int64_t waitNs);

  private:
    /** Drops the packets that the discipline has dropped after they entered. */
    void DropMore();

    /** @param handle of a packet that waits @return where it is; the handle is free again */
    Iterator Free(uint32_t handle);

    std::unique_ptr<ActiveQueue> m_active; //!< the discipline
    std::vector<Iterator> m_packets;       //!< where packets are, by QueuedPacket::handle
    std::vector<uint32_t> m_free;          //!< handles that no packet has
    TracedCallback<Ptr<const Packet>, int64_t> m_departure; //!< a packet leaves, see
                                                            //!< DepartureCallback
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ACTIVE_PACKET_QUEUE_H
