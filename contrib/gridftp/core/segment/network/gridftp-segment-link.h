/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_LINK_H
#define GRIDFTP_SEGMENT_LINK_H

#include "gridftp-active-queue.h"
#include "gridftp-delay-variation.h"
#include "gridftp-link-schedule.h"
#include "gridftp-middlebox.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-outage.h"
#include "gridftp-queue-delay.h"
#include "gridftp-random-loss.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-red.h"
#include "gridftp-ring.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-transmission.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Sees what happens at a DropTail queue, in the order of time. */
class QueueObserver
{
  public:
    virtual ~QueueObserver() = default;

    /** @param now of the simulation @param packets waiting from now on */
    virtual void HandleLength(Nanoseconds now, uint64_t packets) = 0;

    /** An ActiveQueue has marked a packet that leaves it (CE, RFC 3168). @param now current
     * simulation time */
    virtual void HandleMark(Nanoseconds /* now */)
    {
    }
};

/**
 * @ingroup gridftp
 * A link with a queue counted in packets, without the one in service, DropTail but for RED in front
 * of it, and the link behind it.
 *
 * Since nothing overtakes in the queue, the moment at which a packet's transmission starts is known
 * when it arrives; of those waiting, only these moments are kept.
 *
 * Where a packet arrives in the very nanosecond in which the link is done with another one, a full
 * queue has room for it or not, depending on which comes first. As in ns-3, that is the one whose
 * transmission, on the link before or here, has started first.
 *
 * With an ActiveQueue in place of the DropTail queue, whether and when a packet leaves depends on
 * later ones. Then Enqueue() and Dequeue() take the place of Cross(), each called when it is time.
 */
class DropTailLink
{
  public:
    /** What Cross() gives for a packet that does not get through. */
    static constexpr int64_t DROPPED = -1;
    /** What Cross() gives for a packet that is lost behind the queue. */
    static constexpr int64_t LOST = -2;

    /**
     * @param time of transmission
     * @param delayNs of propagation, ns
     * @param queuePackets most packets waiting
     */
    DropTailLink(const TransmissionTime& time, int64_t delayNs, int64_t queuePackets)
        : m_time(time),
          m_delayNs(delayNs),
          m_queuePackets(static_cast<uint64_t>(queuePackets))
    {
    }

    /** @param bytes the size that most packets have, link header included */
    void SetUsualBytes(int64_t bytes)
    {
        m_time.SetUsualBytes(bytes);
    }

    /** @return the size that most packets have, link header included */
    int64_t GetUsualBytes() const
    {
        return m_time.GetUsualBytes();
    }

    /** @param loss of packets behind the queue */
    void SetLoss(const RandomLoss& loss)
    {
        m_loss = loss;
        SetSpecial(m_loss.IsPossible());
    }

    /** @param outages in which packets are lost behind the queue */
    void SetOutages(const Outages& outages)
    {
        m_outages = outages;
        SetSpecial(!m_outages.empty());
    }

    /** @param holes in which packets above a size are lost behind the queue @param headerBytes of
     * the link */
    void SetHoles(std::vector<SizeHole> holes, int64_t headerBytes)
    {
        m_holes = std::move(holes);
        for (SizeHole& hole : m_holes)
        {
            hole.mostBytes += headerBytes;
        }
        SetSpecial(!m_holes.empty());
    }

    /** @param schedule of rate and delay, whose largest and least it was made with */
    void SetSchedule(const LinkSchedule& schedule)
    {
        m_scheduled = std::make_unique<ScheduledLink>(schedule);
        SetSpecial(true);
    }

    /** @param limit of what comes to it, in front of the queue @param headerBytes of its packets
     * that do not count there */
    void SetLimit(const RateLimit& limit, int64_t headerBytes)
    {
        m_limiter = std::make_unique<RateLimiter>(limit);
        m_headerBytes = headerBytes;
        SetSpecial(true);
    }

    /** @param red drops packets in front of the queue */
    void SetRed(const RandomEarlyDetection& red)
    {
        m_red = std::make_unique<RandomEarlyDetection>(red);
        SetSpecial(true);
    }

    /** @param queue that packets wait in, in place of the DropTail queue */
    void SetActiveQueue(std::unique_ptr<ActiveQueue> queue)
    {
        m_active = std::move(queue);
        SetSpecial(true);
    }

    /** @return the queue of SetActiveQueue(), or null */
    const ActiveQueue* GetActiveQueue() const
    {
        return m_active.get();
    }

    /**
     * A packet comes to the ActiveQueue; GetActiveQueue()->GetDropped() has what is dropped for it.
     * @param now current simulation time
     * @param packet see ActiveQueue::Enqueue()
     * @return whether it has entered
     */
    bool Enqueue(Nanoseconds now, const QueuedPacket& packet);

    /** What Dequeue() returns. */
    struct Departure
    {
        QueuedPacket packet; //!< that is transmitted from now on
        int64_t arrivalNs;   //!< when it has arrived at the far end, ns, or LOST
    };

    /**
     * The link is idle: it transmits a packet of the ActiveQueue, GetActiveQueue()->GetDropped()
     * has those that are dropped before it.
     * @param now current simulation time
     * @param headerBytes link header of the packet
     * @return the packet, or none
     */
    std::optional<Departure> Dequeue(Nanoseconds now, int64_t headerBytes);

    /** @param variation of the delay behind the queue, where packets may overtake each other */
    void SetVariation(const DelayVariation& variation)
    {
        m_variation = std::make_unique<DelayVariation>(variation);
        SetSpecial(true);
    }

    /** @return whether the delay varies, so that packets may arrive in another order than that of
     * the calls of Cross() */
    bool IsVaried() const
    {
        return m_variation != nullptr;
    }

    /** @return what limits it, or null */
    const RateLimiter* GetLimiter() const
    {
        return m_limiter.get();
    }

    /** @return rate and delay over time, or null where they do not change */
    const LinkSchedule* GetSchedule() const
    {
        return m_scheduled ? &m_scheduled->GetSchedule() : nullptr;
    }

    /** Has it note when each packet enters, those of the usual size included, so that what is asked
     * at a moment is so even if some have entered later. */
    void NoteAll()
    {
        SetSpecial(true);
    }

    /** @param observer sees the queue, or null */
    void SetObserver(QueueObserver* observer)
    {
        m_observer = observer;
        SetSpecial(true);
    }

    /** @param delays gets how long each packet waits, from now on; outlives the link
     * @param bareBytes what is no larger does not count: packets without payload */
    void SetDelayMeter(QueueDelayMeter& delays, int64_t bareBytes)
    {
        m_delays = &delays;
        m_bareBytes = bareBytes;
        m_special = true;
    }

    /** @return packets that it may know of before their transmission starts: those that wait, and
     * those that enter ahead of the simulation */
    size_t GetMostAhead() const
    {
        return static_cast<size_t>(m_queuePackets) + MOST_AHEAD + 1;
    }

    /**
     * @param now when the packet arrives at the queue, ns; never before an earlier call's
     * @param bytes its size, link header included
     * @param leadNs since the start of its transmission on the link before, ns
     * @return when it has arrived at the other end, ns; or DROPPED; or LOST
     */
    [[gnu::always_inline]] int64_t Cross(Nanoseconds now, int64_t bytes, int64_t leadNs)
    {
        if (m_special) [[unlikely]]
        {
            return CrossSeen(now, bytes, leadNs);
        }
        const int64_t start = Enter<true>(now, m_time.Of(bytes), leadNs);
        return start == DROPPED ? DROPPED : m_freeNs + m_delayNs;
    }

    /**
     * Cross() for a packet of the usual size. Senders run ahead by an access link, but what is
     * measured is so when all of these have arrived, so that their times are not noted.
     * @param now of the simulation
     * @param leadNs ns
     * @return as there
     */
    [[gnu::always_inline]] int64_t CrossUsual(Nanoseconds now, int64_t leadNs)
    {
        const int64_t bytes = m_time.GetUsualBytes();
        if (m_special) [[unlikely]]
        {
            return CrossSeen(now, bytes, leadNs);
        }
        const int64_t start = Enter<false>(now, m_time.OfUsual(), leadNs);
        return start == DROPPED ? DROPPED : m_freeNs + m_delayNs;
    }

    /** Lets go of those whose transmission has started. @param now of the simulation */
    [[gnu::always_inline]] void Release(Nanoseconds now)
    {
        while (!m_starts.IsEmpty() && m_starts.Front() <= now)
        {
            const int64_t start = m_starts.Front();
            m_starts.Pop();
            m_serviceNs = start;
            if (m_observer) [[unlikely]]
            {
                m_observer->HandleLength(start, m_starts.GetSize());
            }
        }
    }

    /** @param now of the simulation, not before the last call of Cross() @return packets waiting */
    uint64_t GetLength(Nanoseconds now) const
    {
        if (m_active) [[unlikely]]
        {
            return m_active->GetLength();
        }
        uint64_t length = m_starts.GetSize();
        for (size_t i = 0; i < m_starts.GetSize() && m_starts.At(i) <= now; ++i)
        {
            --length;
        }
        return length;
    }

    /** @return when it is done with all it has, ns */
    int64_t GetFreeNs() const
    {
        return m_freeNs;
    }

    /** @param bytes of a packet @return from the start of its transmission to its arrival, ns; with
     * a schedule the least that it may be */
    int64_t GetLead(int64_t bytes) const
    {
        return m_time.Of(bytes) + m_delayNs;
    }

    /** @param bytes of the packet that has entered last @return when its transmission starts, ns */
    int64_t GetLastStart(int64_t bytes) const
    {
        return m_scheduled ? m_startNs : m_freeNs - m_time.Of(bytes);
    }

    /** @return packets that the ActiveQueue has marked; 0 without one */
    uint64_t GetMarks() const
    {
        return m_active ? m_active->GetMarks() : 0;
    }

    /** @return packets that the queue refused, those included that were sent within this moment
     * and come later */
    uint64_t GetDrops() const
    {
        return m_drops;
    }

    /** @param now of the simulation; no more than RECENT have come later: FINs of connections that
     * are closed at once do @return packets that the queue refused until now */
    uint64_t GetDrops(Nanoseconds now) const
    {
        uint64_t drops = m_drops;
        while (drops > 0 && m_drops - drops < RECENT && m_dropTimes[(drops - 1) % RECENT] > now)
        {
            --drops;
        }
        return drops;
    }

    /**
     * @param now of the simulation; no packet of the usual size has entered later, and of others no
     * more than MOST_AHEAD
     * @return how long it has transmitted until now, ns
     */
    int64_t GetBusyNs(Nanoseconds now) const
    {
        int64_t left = std::max<int64_t>(0, m_freeNs - now);
        for (const Gap& gap : m_gaps)
        {
            left -= std::max<int64_t>(0, gap.endNs - std::max(gap.startNs, now));
        }
        return m_busyNs - left;
    }

    /**
     * @param now of the simulation, see GetBusyNs()
     * @return what it has carried until now; there has to be a schedule
     */
    LinkCapacity GetCarried(Nanoseconds now) const
    {
        const LinkSchedule& schedule = m_scheduled->GetSchedule();
        LinkCapacity carried = m_carried;
        if (m_freeNs > now)
        {
            carried = carried - schedule.GetCapacity(now, m_freeNs);
        }
        for (const Gap& gap : m_gaps)
        {
            if (gap.endNs > now)
            {
                carried =
                    carried + schedule.GetCapacity(std::max<int64_t>(gap.startNs, now), gap.endNs);
            }
        }
        return carried;
    }

    /**
     * @param now of the simulation; packets may have entered later: what was sent within it
     * @return most packets that waited at once since ResetMost()
     */
    uint64_t GetMost(Nanoseconds now) const
    {
        if (m_active) [[unlikely]]
        {
            return std::max(m_most, now > m_changeNs ? m_active->GetLength() : 0);
        }
        const auto raise = std::find_if(m_raises.rbegin(),
                                        m_raises.rend(),
                                        [now](const Raise& any) { return any.timeNs <= now; });
        return raise == m_raises.rend() ? 0 : raise->most;
    }

    /** Starts the maximum anew. */
    void ResetMost()
    {
        m_most = 0;
        m_raises.clear();
    }

    /** @param state gets what it has to do: gridftp-segment-network-state.cc */
    void AddState(SegmentState& state) const;

    /**
     * @param now of the simulation, see GetBusyNs()
     * @return the integral of the queue's length until now, packets times ns
     */
    int64_t GetWaitedNs(Nanoseconds now) const
    {
        int64_t waited = m_waitedNs;
        if (m_active) [[unlikely]]
        {
            return waited + static_cast<int64_t>(m_active->GetLength()) * (now - m_changeNs);
        }
        for (size_t i = m_starts.GetSize(); i > 0 && m_starts.At(i - 1) > now; --i)
        {
            const size_t later = m_starts.GetSize() - i;
            const size_t index = (m_starts.GetPushCount() - later - 1) % m_entered.size();
            const int64_t entered = later < m_entered.size() ? m_entered[index] : now;
            waited -= m_starts.At(i - 1) - std::max(entered, now);
        }
        return waited;
    }

  private:
    /**
     * Puts a packet into the queue.
     * @tparam IS_NOTED whether it may enter later than what is asked for at the same time
     * @param now of the simulation
     * @param timeNs of its transmission
     * @param leadNs see Cross()
     * @return when that starts, ns, or DROPPED
     */
    template <bool IS_NOTED>
    [[gnu::always_inline]] int64_t Enter(Nanoseconds now, int64_t timeNs, int64_t leadNs)
    {
        int64_t busy = m_freeNs - now;
        Settle(now, leadNs);
        if (busy == 0 && IsAhead(now, leadNs)) [[unlikely]]
        {
            busy = 1;
        }
        int64_t start = now;
        if (busy > 0)
        {
            if (m_starts.GetSize() >= m_queuePackets) [[unlikely]]
            {
                return Drop(now);
            }
            start = m_freeNs;
            if constexpr (IS_NOTED)
            {
                m_entered[m_starts.GetPushCount() % m_entered.size()] = now;
            }
            m_starts.Push(start);
            m_waitedNs += start - now;
            if (m_starts.GetSize() > m_most) [[unlikely]]
            {
                CountMost(now);
            }
        }
        else
        {
            m_serviceNs = now;
            if constexpr (IS_NOTED)
            {
                m_gaps[m_gapCount++ % m_gaps.size()] = {m_freeNs, now};
            }
        }
        m_freeNs = start + timeNs;
        m_busyNs += timeNs;
        return start;
    }

    /** @param isSpecial it has something whose state AddState() lacks */
    void SetSpecial(bool isSpecial)
    {
        m_barred = m_barred || isSpecial;
        m_special = m_special || isSpecial;
    }

    /** Lets go of those whose transmission has started before a packet comes. @param now of the
     * simulation @param leadNs see Cross() */
    [[gnu::always_inline]] void Settle(Nanoseconds now, int64_t leadNs)
    {
        // Returning early would cost a transfer one instruction in a hundred
        if (!m_starts.IsEmpty())
        {
            Release(now - 1);
            if (!m_starts.IsEmpty() && m_starts.Front() == now && !IsAhead(now, leadNs))
                [[unlikely]]
            {
                Release(now);
            }
        }
    }

    /** @param now of the simulation @return DROPPED, which is counted */
    int64_t Drop(Nanoseconds now)
    {
        m_dropTimes[m_drops++ % RECENT] = now;
        return DROPPED;
    }

    /**
     * @param now of the simulation, when the link is done with a packet
     * @param leadNs see Cross()
     * @return whether a packet that arrives now does so before that
     */
    bool IsAhead(Nanoseconds now, int64_t leadNs) const
    {
        return now - leadNs < m_serviceNs;
    }

    /** Counts those that wait, unless for no time. @param now of the simulation */
    void CountMost(Nanoseconds now)
    {
        const uint64_t waiting = m_starts.GetSize() - (m_starts.Front() == now ? 1 : 0);
        if (waiting > m_most)
        {
            m_most = waiting;
            m_raises.push_back({now, waiting});
        }
    }

    /** Cross() with a limit, RED, an observer, losses, a schedule, a delay that varies or a meter
     * of delays: gridftp-segment-link.cc */
    int64_t CrossSeen(Nanoseconds now, int64_t bytes, int64_t leadNs);

    /** @param now of the simulation @param leadNs see Cross() @return whether RED drops a packet */
    bool IsDroppedEarly(Nanoseconds now, int64_t leadNs);

    /** The length of the ActiveQueue is about to change. @param now current simulation time */
    void Integrate(Nanoseconds now);

    /** The length of the ActiveQueue has changed. @param now current simulation time */
    void CountActive(Nanoseconds now);

    /** @param start of a transmission, ns @param arrival of the packet, ns @param bytes of it
     * @return arrival, or LOST */
    int64_t LoseBehind(int64_t start, int64_t arrival, int64_t bytes);

    /** @param start of the transmission of the next packet, ns @return whether it is lost behind
     * the queue */
    bool IsLostNext(int64_t start);

    /** Has a packet transmitted by the schedule. @param start ns @param bytes of it @return when it
     * has arrived, ns */
    int64_t Transmit(int64_t start, int64_t bytes);

    /** Shows a packet that has come to the observer. @param now of the simulation */
    void Show(Nanoseconds now);

    static constexpr size_t RECENT = 1024; //!< drops that are remembered

    /** The maximum becomes larger. */
    struct Raise
    {
        int64_t timeNs; //!< when
        uint64_t most;  //!< packets that wait from then on
    };

    static constexpr size_t MOST_AHEAD = 256; //!< packets known before their time: all ends of a
                                              //!< session's connections, mostly

    /** A time in which it transmits nothing. */
    struct Gap
    {
        int64_t startNs; //!< when it had sent all it had
        int64_t endNs;   //!< when a packet came
    };

    TransmissionTime m_time; //!< of transmission
    int64_t m_delayNs;       //!< of propagation
    uint64_t m_queuePackets; //!< most packets waiting
    int64_t m_freeNs{0};     //!< when it is done with all it has
    int64_t m_serviceNs{0};  //!< start of the last transmission before those that wait
    Ring<int64_t> m_starts;  //!< when the transmission of each one waiting starts
    std::array<int64_t, MOST_AHEAD> m_entered{}; //!< when the latest of those that had to wait came
    RandomLoss m_loss;                           //!< of packets behind the queue
    Outages m_outages;                           //!< in which they are lost, too
    std::vector<SizeHole> m_holes;               //!< likewise, link header included
    QueueObserver* m_observer{nullptr};          //!< sees the queue
    QueueDelayMeter* m_delays{nullptr};          //!< gets the waiting times, or null
    int64_t m_bareBytes{0};                      //!< see SetDelayMeter()
    bool m_special{false};                       //!< there is any of a limit, losses, outages, ...
    bool m_barred{false};                        //!< and it is one whose state AddState() lacks
    uint64_t m_drops{0};                         //!< packets refused
    std::array<Gap, MOST_AHEAD> m_gaps{};        //!< the latest of them
    size_t m_gapCount{0};                        //!< how many there were
    int64_t m_busyNs{0};                         //!< how long the transmissions of those taken take
    int64_t m_waitedNs{0};                       //!< sum of the waiting times of those taken
    uint64_t m_most{0};                          //!< most that waited
    std::vector<Raise> m_raises;                 //!< since ResetMost()
    std::array<int64_t, RECENT> m_dropTimes{};   //!< of the latest drops
    std::unique_ptr<ScheduledLink> m_scheduled;  //!< rate and delay over time, or null
    LinkCapacity m_carried; //!< with a schedule: by the transmissions of those taken
    int64_t m_startNs{0};   //!< with a schedule: start of the last one's transmission
    std::unique_ptr<RandomEarlyDetection> m_red; //!< in front of the queue, or null
    std::unique_ptr<ActiveQueue> m_active;       //!< in place of the queue, or null
    int64_t m_changeNs{0};                       //!< last change of the length of m_active, ns
    std::unique_ptr<RateLimiter> m_limiter;      //!< in front of that, or null
    std::unique_ptr<DelayVariation> m_variation; //!< behind the queue, or null
    int64_t m_headerBytes{0};                    //!< that do not count there
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_LINK_H
