/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_STACK_H
#define GRIDFTP_HOST_STACK_H

#include "gridftp-host.h"
#include "gridftp-nanoseconds.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Packets between the network interface of a host and its TCP, or UDP, where they wait for a core
 * and take its time. Both engines have one for each host where they do.
 *
 * - A packet from the network waits at most HostSpec::interruptDelay for others, until there are
 *   HostSpec::interruptAfter of them, and then interrupts; none does so while the core is at work
 *   on packets from the network, which it then finds by itself (Salim, Olsson and Kuznetsov,
 * "Beyond Softnet", 2001: NAPI).
 * - Then it waits for its turn at the core, with what goes out, first come, first served. Of those
 *   from the network at most HostSpec::backlog wait, the one at work not counted; what comes beyond
 *   is refused (net.core.netdev_max_backlog).
 * - One packet of a queue is at work at a time. A process on the same core has its turn behind it.
 *   One that costs nothing does not wait for it.
 * - A packet that goes out then takes the random time of HostOverhead, one packet after the other,
 *   which is no time of a core.
 *
 * @tparam T a packet, as the engine knows it
 */
template <typename T>
class HostStack
{
  public:
    /** The engine around it. */
    class User
    {
      public:
        virtual ~User() = default;

        /**
         * Calls HandleTimer() once, in place of what was set before.
         * @param now of the simulation
         * @param timer which, below GetTimers()
         * @param at when, or below 0: never
         */
        virtual void SetTimer(Nanoseconds now, uint32_t timer, Nanoseconds at) = 0;

        /** A packet from the network comes to TCP. @param now of the simulation @param packet it */
        virtual void PassUp(Nanoseconds now, T packet) = 0;

        /** A packet goes out. @param now of the simulation @param packet it */
        virtual void PassDown(Nanoseconds now, T packet) = 0;

        /** The backlog is full. @param now of the simulation @param packet from the network */
        virtual void Refuse(Nanoseconds now, T packet) = 0;
    };

    /** @param host whose cores it needs @param user outlives it */
    HostStack(const HostPtr& host, User& user)
        : m_host(host),
          m_user(&user),
          m_queues(host->GetQueues())
    {
    }

    /** @return how many timers it has */
    uint32_t GetTimers() const
    {
        return GetLeaveTimer() + 1;
    }

    /**
     * A packet has come from the network.
     * @param now of the simulation
     * @param packet it
     * @param flow that it belongs to, the same both ways
     * @param payload bytes of data that it carries
     */
    void Receive(Nanoseconds now, T packet, uint64_t flow, int64_t payload)
    {
        m_host->Count(now, &HostCounts::packetsIn);
        const size_t index = FindQueue(flow);
        Queue& queue = m_queues[index];
        Waiting waiting{std::move(packet), flow, payload, true, false};
        if (queue.incoming > 0 || queue.isUpAtWork)
        {
            return Admit(now, index, std::move(waiting));
        }
        queue.held.push_back(std::move(waiting));
        const HostSpec& spec = m_host->GetSpec();
        const auto held = static_cast<int64_t>(queue.held.size());
        if (spec.interruptDelay == 0 || held == spec.interruptAfter)
        {
            return Interrupt(now, index);
        }
        if (held == 1)
        {
            m_user->SetTimer(now, TimerOf(index, INTERRUPT), now + spec.interruptDelay);
        }
    }

    /** TCP sends a packet. @param now of the simulation @param packet it @param flow that it
     * belongs to @param payload bytes of data that it carries */
    void Send(Nanoseconds now, T packet, uint64_t flow, int64_t payload)
    {
        m_host->Count(now, &HostCounts::packetsOut);
        const size_t index = FindQueue(flow);
        m_queues[index].waiting.push_back({std::move(packet), flow, payload, false, false});
        Work(now, index);
    }

    /** A timer has expired. @param now of the simulation @param timer which */
    void HandleTimer(Nanoseconds now, uint32_t timer)
    {
        if (timer == GetLeaveTimer())
        {
            return PassNextDown(now);
        }
        const size_t index = timer / TIMERS;
        if (timer % TIMERS == INTERRUPT)
        {
            return Interrupt(now, index);
        }
        Queue& queue = m_queues[index];
        Waiting done = std::move(queue.waiting.front());
        queue.waiting.pop_front();
        queue.isAtWork = false;
        queue.isUpAtWork = false;
        Work(now, index); // before what the packet brings about
        if (done.isUp)
        {
            return m_user->PassUp(now, std::move(done.packet));
        }
        if (!m_host->GetOverhead().IsSet())
        {
            return m_user->PassDown(now, std::move(done.packet));
        }
        m_leaving.push_back(std::move(done.packet));
        if (m_leaving.size() == 1)
        {
            SetLeaveTimer(now);
        }
    }

  private:
    static constexpr uint64_t NO_FLOW = UINT64_MAX; //!< before the first packet

    /** Timers of a queue. */
    enum Timer : uint32_t
    {
        WORK,      //!< the core is done with the packet at work
        INTERRUPT, //!< those held interrupt
        TIMERS
    };

    /** A packet that waits. */
    struct Waiting
    {
        T packet;        //!< it
        uint64_t flow;   //!< that it belongs to
        int64_t payload; //!< bytes of data
        bool isUp;       //!< from the network, else to it
        bool interrupts; //!< it comes with an interrupt
    };

    /** A queue of the network interface, and the packets at its core. */
    struct Queue
    {
        std::vector<Waiting> held{};   //!< that have not interrupted yet
        std::deque<Waiting> waiting{}; //!< for the core; the first one may be at work
        int64_t incoming{0};           //!< of these, from the network and not at work
        bool isAtWork{false};          //!< the first one is at work
        bool isUpAtWork{false};        //!< and is from the network
        uint64_t lastFlow{NO_FLOW};    //!< of the last one at work
    };

    /** @param queue of the interface @param timer of it @return its number */
    static uint32_t TimerOf(size_t queue, Timer timer)
    {
        return static_cast<uint32_t>(queue * TIMERS) + timer;
    }

    /** @return the timer of the packet that takes the time of HostOverhead */
    uint32_t GetLeaveTimer() const
    {
        return static_cast<uint32_t>(TIMERS * m_queues.size());
    }

    /** The first packet of m_leaving begins to take its time. @param now of the simulation */
    void SetLeaveTimer(Nanoseconds now)
    {
        m_user->SetTimer(now, GetLeaveTimer(), now + m_host->GetOverhead().GetTime(now));
    }

    /** The first packet of m_leaving has taken its time. @param now of the simulation */
    void PassNextDown(Nanoseconds now)
    {
        T packet = std::move(m_leaving.front());
        m_leaving.pop_front();
        if (!m_leaving.empty())
        {
            SetLeaveTimer(now);
        }
        m_user->PassDown(now, std::move(packet));
    }

    /** @param flow of a packet @return the queue that it takes; flows take them in turn */
    size_t FindQueue(uint64_t flow)
    {
        if (m_queues.size() == 1)
        {
            return 0;
        }
        return m_queueOfFlow.try_emplace(flow, m_queueOfFlow.size() % m_queues.size())
            .first->second;
    }

    /** Those held interrupt. @param now of the simulation @param index of the queue */
    void Interrupt(Nanoseconds now, size_t index)
    {
        std::vector<Waiting> held = std::exchange(m_queues[index].held, {});
        if (held.empty())
        {
            return;
        }
        if (m_host->GetSpec().interruptDelay > 0)
        {
            m_user->SetTimer(now, TimerOf(index, INTERRUPT), NO_TIME);
        }
        m_host->Count(now, &HostCounts::interrupts);
        held.front().interrupts = true;
        for (Waiting& packet : held)
        {
            Admit(now, index, std::move(packet));
        }
    }

    /** A packet from the network waits for the core, if it may. @param now of the simulation @param
     * index of the queue @param packet it */
    void Admit(Nanoseconds now, size_t index, Waiting packet)
    {
        Queue& queue = m_queues[index];
        const int64_t backlog = m_host->GetSpec().backlog;
        if (backlog > 0 && queue.incoming >= backlog)
        {
            m_host->Count(now, &HostCounts::backlogDrops);
            return m_user->Refuse(now, std::move(packet.packet));
        }
        ++queue.incoming;
        queue.waiting.push_back(std::move(packet));
        Work(now, index);
    }

    /** The core begins with the next packet, unless it is at work on one. @param now of the
     * simulation @param index of the queue */
    void Work(Nanoseconds now, size_t index)
    {
        Queue& queue = m_queues[index];
        if (queue.isAtWork || queue.waiting.empty())
        {
            return;
        }
        const Waiting& next = queue.waiting.front();
        queue.isAtWork = true;
        queue.isUpAtWork = next.isUp;
        queue.incoming -= next.isUp ? 1 : 0;
        const bool isOther = queue.lastFlow != NO_FLOW && queue.lastFlow != next.flow;
        queue.lastFlow = next.flow;
        // Where setting up costs nothing, nobody needs to know the connections
        const bool isFirst =
            m_host->GetSpec().connectionCpu > 0 && m_setUp.insert(next.flow).second;
        const CpuWork work =
            GetPacketWork(m_host->GetSpec(), {next.payload, next.interrupts, isOther, isFirst});
        m_user->SetTimer(now,
                         TimerOf(index, WORK),
                         AskFor(&m_host->GetQueueCore(index), now, work));
    }

    static constexpr Nanoseconds NO_TIME = -1; //!< see User::SetTimer()

    HostPtr m_host;              //!< whose cores it needs
    User* m_user;                //!< the engine
    std::vector<Queue> m_queues; //!< of the network interface
    std::deque<T> m_leaving;     //!< packets that take the time of HostOverhead; the first one now
    std::unordered_map<uint64_t, size_t> m_queueOfFlow; //!< where there are several
    std::unordered_set<uint64_t> m_setUp;               //!< connections, where that costs anything
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_STACK_H
