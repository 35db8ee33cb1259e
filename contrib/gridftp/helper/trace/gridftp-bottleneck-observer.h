/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BOTTLENECK_OBSERVER_H
#define GRIDFTP_BOTTLENECK_OBSERVER_H

#include "gridftp-link-clock.h"
#include "gridftp-link-schedule.h"
#include "gridftp-queue-delay.h"
#include "gridftp-result.h"
#include "gridftp-topology.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"

#include <cstdint>
#include <optional>
#include <queue>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Watches the queue of a link, such as a direction of the bottleneck.
 *
 * Bits and drops come from the queue's own counters, so only its length costs a call per packet.
 */
class BottleneckObserver
{
  public:
    /** @param queue where packets enter the link @param topology whose link that is @param link
     * index of it there @param measuresDelay whether it measures how long each packet waits */
    BottleneckObserver(Ptr<Queue<Packet>> queue,
                       const Topology& topology,
                       uint32_t link,
                       bool measuresDelay = false);

    ~BottleneckObserver();

    BottleneckObserver(const BottleneckObserver&) = delete;
    BottleneckObserver& operator=(const BottleneckObserver&) = delete;

    /** Has GetResult() count the packets that the queue marks, too. Call it before Begin(). */
    void MeasureMarks();

    /** The first session starts: what was before does not count. */
    void Begin();

    /** Sums up to now; the last call counts. */
    void Mark();

    /** @return bytes that have begun to leave since Begin(), link headers included */
    uint64_t GetForwardedBytes() const;

    /** @return what happened from Begin() until the last Mark() */
    LinkResult GetResult() const;

  private:
    /** A packet begins to leave. @param packet which */
    void HandleLeaving(Ptr<const Packet> packet);

    /** A packet leaves a queue with a discipline of its own. @param packet it @param waitNs how
     * long it has waited, ns */
    void HandleDeparture(Ptr<const Packet> packet, int64_t waitNs);

    /** A packet is transmitted from now on. @param packet it */
    void HandleTransmission(Ptr<const Packet> packet);

    /** @return packets that the queue has marked since ever */
    uint64_t CountMarks() const;

    /** @return whether the queue is an ActivePacketQueue, from which packets leave in any order */
    bool IsActive() const;

    /** @return how long the link has transmitted since ever, ns */
    int64_t GetBusyNs() const;

    /** @return what a link with a schedule has carried since ever */
    LinkCapacity GetCarried() const;

    /** A packet enters the queue. @param packet which */
    void HandleEntering(Ptr<const Packet> packet);

    /** The length changes. @param before packets waiting @param now packets waiting */
    void HandleLength(uint32_t before, uint32_t now);

    /** Adds the time since the last change. */
    void Integrate();

    Ptr<Queue<Packet>> m_queue;              //!< the queue
    LinkClock m_clock;                       //!< of the link
    int64_t m_bareBytes;                     //!< what is no larger does not count for the delay
    LinkCapacity m_carried;                  //!< with a schedule: by all transmissions begun
    LinkCapacity m_beginCarried;             //!< GetCarried() at Begin()
    uint64_t m_forwarded{0};                 //!< bytes that have begun to leave since Begin()
    int64_t m_busyNs{0};                     //!< how long all transmissions begun take
    int64_t m_freeNs{0};                     //!< when the last of them ends
    int64_t m_beginNs{0};                    //!< time of Begin()
    int64_t m_beginBusyNs{0};                //!< GetBusyNs() then
    uint64_t m_beginDrops{0};                //!< dropped before Begin()
    uint64_t m_beginMarks{0};                //!< marked before Begin()
    int64_t m_changeNs{0};                   //!< time of the last change of the length
    uint32_t m_length{0};                    //!< packets waiting since then
    uint32_t m_most{0};                      //!< most packets waiting, for any time at all
    double m_packetNs{0};                    //!< integral of the length over time
    std::optional<QueueDelayMeter> m_delays; //!< how long packets wait, where that is measured
    std::queue<int64_t> m_entered;           //!< when each packet in the queue came, likewise, ns
    LinkResult m_marked;                     //!< at the last Mark(), with times instead of shares
    int64_t m_markNs{0};                     //!< time of the last Mark()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BOTTLENECK_OBSERVER_H
