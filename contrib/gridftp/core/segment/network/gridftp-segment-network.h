/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_NETWORK_H
#define GRIDFTP_SEGMENT_NETWORK_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-answers.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-gate.h"
#include "gridftp-segment-link.h"
#include "gridftp-segment-open-link.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-pipe.h"
#include "gridftp-segment-plain-route.h"
#include "gridftp-segment-turns.h"
#include "gridftp-topology.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The links of a topology, and packets on their routes.
 *
 * Where packets come to a link by one other link, none can overtake another, and when each arrives
 * at the far end is known as soon as it is sent. Only where routes merge does a packet wait for its
 * turn, an event: in a first-in-first-out queue for each link that leads there, the first packets
 * of these merged in the order of ns-3 (TurnHeap). The same holds for hosts: one that runs ahead
 * gets its packets at once, others when it is time.
 *
 * The last link of a route is not waited for where packets come to it by one link with a queue and
 * only now and then by others: those of the former cross it at once, and one of the latter, when
 * its turn comes, has those cross it again that come to the link after it.
 *
 * A link with a limit is waited for wherever packets come to it from another one, so that what it
 * refuses is refused, and counted, when it is. So is one with a queue by the packets of a route
 * that is in time, of which many may still be on the link before when somebody counts.
 *
 * On a link whose delay varies, packets overtake each other after they leave its queue. They are
 * then processed in the order of their arrivals, at equal times in the order of their
 * transmissions, and neither hosts nor fast paths have lookahead. Packets that skip the delay can
 * arrive in the same nanosecond and then wait for links without a limit. Where several such links
 * lead to one queue, ns-3 takes their packets in the order in which the links began to transmit
 * them. So each beginning of a transmission is an event there (LinkStarts).
 *
 * At a link with an ActiveQueue each arrival and each end of a transmission is processed when it is
 * time, and nothing has lookahead in front of it: when a packet leaves, and whether it does,
 * depends on packets that come later.
 *
 * The fast paths: where there is but one route and one back, and nobody watches, SendSingle() and
 * AnswerSingle() are the short ways of packets of the usual sizes, and SegmentPipe that of routes
 * in time. They change nothing but the speed.
 */
class SegmentNetwork
{
  public:
    /**
     * @param topology whose links; copied
     * @param events of the simulation, which outlive it
     * @param handler of what becomes of packets; outlives it
     */
    SegmentNetwork(const Topology& topology, EventQueue& events, PacketHandler& handler);

    SegmentNetwork(const SegmentNetwork&) = delete;
    SegmentNetwork& operator=(const SegmentNetwork&) = delete;

    /**
     * Lets links lose packets at random, drop them by RED, and vary their delays, as the topology
     * says. Called before FindMerges().
     * @param seed as ns-3's RngSeed
     * @param run as ns-3's RngRun
     */
    void SeedLosses(uint64_t seed, uint64_t run);

    /** What a route is like, besides its ends. */
    struct RouteUse
    {
        int64_t usualBytes; //!< IP packets that most are
        bool fromAhead;     //!< the host that sends runs ahead
        bool toAhead;       //!< the host that receives runs ahead
        bool yields{false}; //!< of packets that are alike in all else, those of others come first;
                            //!< only with lookahead, where they come to wait in another order than
                            //!< that of events
        bool inTime{false}; //!< its packets come to a queue when it is time, never ahead of it
    };

    /**
     * Adds the route between two nodes, the one of FindRoute().
     * @param from node @param to another one @param use what it is like @return its number
     */
    uint32_t AddRoute(uint32_t from, uint32_t to, const RouteUse& use);

    /** Before AddRoute(). @param node a host that does not run ahead @param gate that its packets
     * pass; outlives this */
    void SetGate(uint32_t node, PacketGate& gate);

    /** Finds out where routes merge. Called once, behind all AddRoute(). */
    void FindMerges();

    /**
     * A packet starts.
     * @param route that it takes
     * @param now of the simulation
     * @param bytes of the IP packet
     * @param packet which
     */
    void Send(uint32_t route, Nanoseconds now, int64_t bytes, SegmentPacket packet)
    {
        if (IsFast()) [[likely]]
        {
            return GoSingle(route, now, bytes + m_topology.headerBytes, packet);
        }
        if (m_isPiped)
        {
            return m_pipe.Send(route, now, bytes + m_topology.headerBytes, packet);
        }
        const Transit transit{.timeNs = now,
                              .sentNs = now,
                              .packet = packet,
                              .bytes = static_cast<uint32_t>(bytes + m_topology.headerBytes),
                              .route = route};
        PacketGate* const gate = m_routes[route].gates[0];
        return gate ? gate->Leave(transit) : Go(transit);
    }

    /** A packet goes on that has passed its PacketGate. @param transit it, before its first link */
    void Resume(const Transit& transit);

    /** @param route one of it @return size of IP packets that SendUsual() sends, bytes */
    int64_t GetUsualBytes(uint32_t route) const
    {
        return m_routes[route].use.usualBytes;
    }

    /** Send() of a packet of the usual size. @param route that it takes @param now of the
     * simulation @param packet which */
    [[gnu::always_inline]] void SendUsual(uint32_t route, Nanoseconds now, SegmentPacket packet)
    {
        const Route& way = m_routes[route];
        if (way.plain.commonBytes == 0 || m_observer) [[unlikely]]
        {
            if (way.isSolo && !m_observer)
            {
                return CrossSolo(way, now, route, packet);
            }
            return Send(route, now, way.use.usualBytes, packet);
        }
        const Nanoseconds at = way.plain.out->CrossUsual(now);
        if (way.isAnswer ? m_answers.IsTurn(at) : IsTurn(at, way))
        {
            ++m_turnsAtOnce;
            return CrossUsual(way, at, route, packet);
        }
        Wait(way,
             *way.plain.queue,
             {.timeNs = at,
              .begunNs = at - way.plain.leadNs,
              .sentNs = now,
              .order = way.order,
              .packet = packet,
              .bytes = way.plain.usualBytes,
              .route = route,
              .hop = 1});
    }

    /** @return when the next packet has its turn or arrives, ns, or NEVER */
    int64_t GetNextTime() const
    {
        if (m_isSingle)
        {
            return m_arrivals.IsEmpty() ? NEVER : m_arrivals.Front().timeNs;
        }
        if (m_isPiped) [[unlikely]]
        {
            return m_pipe.GetNextTime();
        }
        return std::min(m_turns.GetNextTime(), m_answers.GetNextTime());
    }

    /** @return when the transmission of the packet began whose turn or arrival is next, ns; there
     * must be one */
    int64_t GetNextBegun() const
    {
        if (m_isPiped)
        {
            return m_pipe.GetNextBegun();
        }
        // Where the routes are single no event is placed among packets
        return m_isSingle || m_turns.GetNextTime() == NEVER ? 0 : m_turns.GetNext().begunNs;
    }

    /** Does what GetNextTime() tells the time of; there must be something. */
    void Step();

    /** @return packets that had a turn or an arrival, or still wait for it */
    uint64_t GetStepCount() const
    {
        return m_isSingle  ? m_arrivals.GetPopCount()
               : m_isPiped ? m_pipe.GetStepCount()
                           : m_turns.GetCount() + m_turnsAtOnce;
    }

    /** @param observer sees every packet that is sent from now on, or null */
    void SetObserver(NetworkObserver* observer);

    /** @param route number of a route @return the node where it begins */
    uint32_t GetStart(uint32_t route) const
    {
        return m_topology.links[m_routes[route].hops.front().link].from;
    }

    /** @param node of the topology @return its IPv4 address */
    uint32_t GetAddress(uint32_t node) const
    {
        return GetNodeAddress(m_topology, node);
    }

    /** @param link index in the topology, of one with a limited queue @return the link */
    DropTailLink& GetQueued(uint32_t link);

    /** @param link index in the topology, of one with a limited queue @return the link */
    const DropTailLink& GetQueued(uint32_t link) const;

    /** @param state gets links and packets, where IsFast(): gridftp-segment-network-state.cc */
    void AddState(SegmentState& state) const;

    // The fast paths

    /** @return whether GetPipe(), which nobody can watch, is to be used */
    bool IsPiped() const
    {
        return m_isPiped;
    }

    /** @return the short way of datagrams */
    SegmentPipe& GetPipe()
    {
        return m_pipe;
    }

    /** @return whether SendSingle() and AnswerSingle(), which nobody can watch, may be used */
    bool IsFast() const
    {
        return m_isSingle && m_observer == nullptr;
    }

    /**
     * Send() of a packet of the usual size by the only route, as far as its end.
     * @param now of the simulation
     * @param packet which
     * @return when it arrives, ns; negative where it does not
     */
    [[gnu::always_inline]] int64_t SendSingle(Nanoseconds now, SegmentPacket packet)
    {
        const int64_t atQueue = m_there.out->CrossUsual(now);
        const int64_t across = m_there.queued->CrossUsual(atQueue, m_there.leadNs);
        if (across < 0) [[unlikely]]
        {
            m_handler->HandleDrop(m_there.link, atQueue, packet, across == DropTailLink::DROPPED);
            return across;
        }
        return m_there.in->CrossUsual(across);
    }

    /** Send() of a packet of the usual size by the only route back. @param now of the simulation
     * @param packet which
     */
    [[gnu::always_inline]] void AnswerSingle(Nanoseconds now, SegmentPacket packet)
    {
        const int64_t atQueue = m_back.out->CrossUsual(now);
        const int64_t across = m_back.queued->CrossUsual(atQueue, m_back.leadNs);
        if (across < 0) [[unlikely]]
        {
            return m_handler->HandleDrop(m_back.link,
                                         atQueue,
                                         packet,
                                         across == DropTailLink::DROPPED);
        }
        m_arrivals.Push({m_back.in->CrossUsual(across), packet});
    }

    /** @return whether a packet is on its way back */
    bool HasSingle() const
    {
        return !m_arrivals.IsEmpty();
    }

    /** @return when the next of these arrives, ns; there must be one */
    int64_t GetNextSingle() const
    {
        return m_arrivals.Front().timeNs;
    }

    /**
     * @return the next of these; there must be one. To be read before DropSingle(), and word by
     * word: a copy as a whole goes by way of memory
     */
    const SegmentPacket& GetSingle() const
    {
        return m_arrivals.Front().packet;
    }

    /** Takes that one off. */
    void DropSingle()
    {
        m_arrivals.Pop();
    }

    /**
     * @param route number of a route
     * @param bytes of an IP packet
     * @return from the start of its transmission on the last link to its arrival, ns; behind a gate
     * NEVER: what comes first is in the order of events
     */
    int64_t GetLastLead(uint32_t route, int64_t bytes) const;

  private:
    /** Packets that wait for a link without a limit, where each beginning of a transmission is an
     * event. Only the first of them has one scheduled. */
    struct LinkStarts
    {
        TurnHeap::Queue* queue{nullptr}; //!< the packets; Transit::hop of each has IS_START
        int64_t begunNs{0};              //!< when the last transmission began
        uint64_t order{0}; //!< of the event at the end of that transmission, reserved at its start
    };

    static constexpr uint32_t IS_START = uint32_t{1} << 31; //!< see LinkStarts::queue

    /** A packet in an ActiveQueue. */
    struct Waiting
    {
        Transit transit;     //!< it, in front of the link
        bool isShown{false}; //!< the observer has got its stay, whose end was not known
    };

    /** Packets at a link with an ActiveQueue. */
    struct ActiveLink
    {
        TurnHeap::Queue* end{nullptr};  //!< the end of the current transmission; Transit::hop has
                                        //!< IS_START, Transit::route is of the packet
        std::vector<Waiting> packets{}; //!< that wait, by QueuedPacket::handle
        std::vector<uint32_t> free{};   //!< handles that no packet has
    };

    /** A link of a route. */
    struct Hop
    {
        uint32_t link;               //!< index in the topology
        TurnHeap::Queue* queue;      //!< turns that are waited for before it, or null
        OpenLink* open;              //!< the link, or null
        DropTailLink* queued;        //!< the link, or null
        bool isInTime{false};        //!< it is to see packets when they come, see FindMerges()
        bool isLate{false};          //!< others have crossed it that come to it later
        LinkStarts* starts{nullptr}; //!< packets that wait for it; null: starts are no events
        ActiveLink* active{nullptr}; //!< packets that wait for it; null: it has no ActiveQueue
    };

    /** A way through the network. */
    struct Route
    {
        PlainRoute plain{};                 //!< where it is such a route
        uint32_t hopCount{0};               //!< links of it; one more where it ends at a gate
        bool isPlain{false};                //!< it is
        bool isSolo{false};                 //!< no other route has its three links, see CrossSolo()
        bool isAnswer{false};               //!< its turns are in AnswerMerge
        bool waits{false};                  //!< its packets never have their turn at once
        bool isShared{false};               //!< others come late to its last link, see Hop::isLate
        uint64_t order{0};                  //!< Transit::order, the first bit: see RouteUse::yields
        TurnHeap::Queue* arrivals{nullptr}; //!< turns that are waited for at its end, or null
        PacketGate* gates[2]{};             //!< that packets pass at its beginning and end, or null
        RouteUse use;                       //!< what it is like
        std::vector<Hop> hops{};            //!< its links
    };

    /** A link as it is now; one of both. */
    struct Link
    {
        OpenLink* open{nullptr};       //!< without a limit
        DropTailLink* queued{nullptr}; //!< with a DropTail queue
    };

    /** A packet that arrives over the only route back. */
    struct Arrival
    {
        int64_t timeNs;       //!< when
        SegmentPacket packet; //!< what
    };

    /** Moves a packet on until it has to wait. @param transit where it is @param hasBegun its
     * transmission on the next link, see LinkStarts, begins now */
    void Go(Transit transit, bool hasBegun = false);

    /** A packet has to wait until a link is free. @param transit it, in front of the link @param
     * hop the link */
    void Hold(Transit transit, const Hop& hop);

    /** The next turn is the beginning of a transmission of a packet that Hold() was called for. */
    void StepStart();

    /** Finds out for which links there are LinkStarts. */
    void FindStarts();

    /** Finds out which links have an ActiveQueue. */
    void FindActive();

    /** A packet comes to a link with an ActiveQueue. @param transit it, in front of the link @param
     * hop the link */
    void EnterActive(const Transit& transit, const Hop& hop);

    /** The next turn is the end of a transmission of such a link. */
    void StepActiveEnd();

    /** Such a link is idle: transmits the next packet, if there is one. @param hop the link @param
     * now current simulation time */
    void TransmitActive(const Hop& hop, Nanoseconds now);

    /** Reports the end of a stay in an ActiveQueue to the observer. @param hop the link @param
     * queued the packet @param now current simulation time */
    void ShowWaited(const Hop& hop, const QueuedPacket& queued, Nanoseconds now);

    /** Reports packets that the discipline of such a link has dropped after they entered. @param
     * hop the link @param now current simulation time */
    void DropActive(const Hop& hop, Nanoseconds now);

    /** Moves a packet on from behind a link. @param transit it, with the time of its arrival there
     * @param hop that link @return whether it comes to the next link at once; else it waits */
    bool Leave(Transit& transit, const Hop& hop);

    /** A packet is at the end of its route. @param transit it */
    void Arrive(const Transit& transit);

    /** Go() over one of the only two routes, unwatched. @param route which @param now of the
     * simulation @param bytes with the link header @param packet which */
    void GoSingle(uint32_t route, Nanoseconds now, int64_t bytes, SegmentPacket packet);

    /**
     * Where nothing happens before and nothing can come between, there is nothing to wait for,
     * unless the route is in time. What a host that runs ahead sends may still be overtaken by what
     * the one in front of it does; see AnswerMerge.
     * @param at when a packet comes to a link, ns
     * @param route that it takes
     * @return whether its turn has come at once
     */
    [[gnu::always_inline]] bool IsTurn(Nanoseconds at, const Route& route) const
    {
        return !route.waits && at < m_turns.GetNextTime() && at < m_answers.GetNextTime() &&
               at < m_events->GetNextTime();
    }

    /** A packet waits. @param route that it takes @param queue of its turn @param transit it */
    [[gnu::always_inline]] void Wait(const Route& route,
                                     TurnHeap::Queue& queue,
                                     const Transit& transit)
    {
        if (route.isAnswer && transit.hop < route.hopCount) [[unlikely]]
        {
            return WaitAsAnswer(transit);
        }
        m_turns.Push(queue, transit);
    }

    /** A packet waits in AnswerMerge. @param transit it */
    void WaitAsAnswer(Transit transit);

    /**
     * A FIN that does not get through is sent again by an event, whose place among those of the
     * same moment is that of the FIN's turn. An answer that has crossed early comes before that,
     * too.
     * @param transit a packet in front of a link
     * @return whether it is a FIN with such an answer before it
     */
    bool IsLateFin(const Transit& transit) const;

    /** Has those in AnswerMerge cross that need no longer wait. @return whether that was the turn
     */
    bool StepAnswers();

    /** Has the first one in AnswerMerge cross. */
    void CrossAnswer();

    /**
     * Moves a packet on from in front of the queue of a plain route.
     * @param way the route
     * @param at when
     * @param leadNs since its transmission on the link before began, ns
     * @param bytes with the link header
     * @param route number of the route
     * @param packet which
     */
    [[gnu::always_inline]] void CrossPlain(const Route& way,
                                           Nanoseconds at,
                                           int64_t leadNs,
                                           uint32_t bytes,
                                           uint32_t route,
                                           SegmentPacket packet)
    {
        const int64_t across = way.plain.queued->Cross(at, bytes, leadNs);
        if (across < 0) [[unlikely]]
        {
            const bool refused = across == DropTailLink::DROPPED;
            return m_handler->HandleDrop(way.plain.link, at, packet, refused);
        }
        const int64_t arrival = way.plain.in->Cross(across, bytes);
        if (!way.arrivals)
        {
            return m_handler->HandleArrival(arrival, packet);
        }
        m_turns.Push(*way.arrivals,
                     {.timeNs = arrival,
                      .begunNs = arrival - way.plain.in->GetLead(bytes),
                      .sentNs = way.plain.isShared ? across : at,
                      .packet = packet,
                      .bytes = bytes,
                      .route = route,
                      .hop = 3});
    }

    /** CrossPlain() of a packet of the usual size. @param way the route @param at when @param route
     * its number @param packet which */
    [[gnu::always_inline]] void CrossUsual(const Route& way,
                                           Nanoseconds at,
                                           uint32_t route,
                                           SegmentPacket packet)
    {
        const int64_t across = way.plain.queued->CrossUsual(at, way.plain.leadNs);
        if (across < 0) [[unlikely]]
        {
            const bool refused = across == DropTailLink::DROPPED;
            return m_handler->HandleDrop(way.plain.link, at, packet, refused);
        }
        const int64_t arrival = way.plain.in->CrossUsual(across);
        if (!way.arrivals)
        {
            return m_handler->HandleArrival(arrival, packet);
        }
        m_turns.Push(*way.arrivals,
                     {.timeNs = arrival,
                      .begunNs = arrival - way.plain.inLeadNs,
                      .sentNs = way.plain.isShared ? across : at,
                      .packet = packet,
                      .bytes = way.plain.usualBytes,
                      .route = route,
                      .hop = 3});
    }

    /** Send() of a packet of the usual size over three links that no other route shares: what Go()
     * does, without its questions. @param way the route @param now current time @param route its
     * number @param packet which */
    [[gnu::always_inline]] void CrossSolo(const Route& way,
                                          Nanoseconds now,
                                          uint32_t route,
                                          SegmentPacket packet)
    {
        const int64_t at = way.plain.out->CrossUsual(now);
        const int64_t across = way.plain.queued->CrossUsual(at, way.plain.leadNs);
        if (across < 0) [[unlikely]]
        {
            const bool refused = across == DropTailLink::DROPPED;
            return m_handler->HandleDrop(way.plain.link, at, packet, refused);
        }
        const int64_t arrival = way.plain.in->CrossUsual(across);
        m_turns.Push(*way.arrivals,
                     {.timeNs = arrival,
                      .begunNs = arrival - way.plain.inLeadNs,
                      .sentNs = way.plain.isShared ? across : int64_t{now},
                      .packet = packet,
                      .bytes = way.plain.usualBytes,
                      .route = route,
                      .hop = 3});
    }

    /** A packet crosses a link that others have crossed already which come to it later. @param
     * transit it, in front of its last link @param link that one */
    void CrossLate(const Transit& transit, OpenLink& link);

    /**
     * @param before of each link, the links by which packets come to it
     * @return of each link, the only one of those that has a queue, if packets come to it by that
     *         and by others, and if it is the last one of all their routes; else NO_LINK
     */
    std::vector<uint32_t> FindMains(const std::map<uint32_t, std::set<uint32_t>>& before) const;

    /** @param link index in the topology @return whether packets overtake each other on it */
    bool IsVaried(uint32_t link) const;

    /** @return whether packets of several hosts cross links, on one of which they overtake others
     */
    bool IsVariedAmongHosts() const;

    /** Finds out which routes are plain. */
    void FindPlain();

    /** Finds out whether AnswerMerge can be used. */
    void FindAnswers();

    /** @return whether the routes are but one and one back that SendSingle() can take */
    bool FindSingle();

    /** @return whether the routes are but one and one back that SegmentPipe can take */
    bool FindPipe();

    /** Shows a packet at a link. @param hop the link @param at when it came, ns @param arrival what
     * Cross() gave @param transit the packet */
    void Show(const Hop& hop, Nanoseconds at, int64_t arrival, const Transit& transit);

    Topology m_topology;                     //!< what it was made of
    EventQueue* m_events;                    //!< of the simulation
    PacketHandler* m_handler;                //!< of what becomes of packets
    std::vector<OpenLink> m_open;            //!< links without a limit
    std::vector<DropTailLink> m_tails;       //!< links with a DropTail queue
    std::vector<Link> m_links;               //!< by index in the topology
    std::map<uint32_t, LinkStarts> m_starts; //!< by index in the topology, of those that have them
    std::map<uint32_t, ActiveLink> m_active; //!< likewise
    std::vector<Route> m_routes;             //!< by number
    std::map<uint32_t, PacketGate*> m_gates; //!< by node
    TurnHeap m_turns;                        //!< packets that wait
    AnswerMerge m_answers;                   //!< those that wait where hosts that run ahead merge
    bool m_isSingle{false};                  //!< one route, and one back
    PlainRoute m_there;                      //!< the one
    PlainRoute m_back;                       //!< the other one
    Ring<Arrival> m_arrivals;                //!< packets on the other one
    bool m_isPiped{false};                //!< one route, and one back, in time; and nobody watched
    SegmentPipe m_pipe;                   //!< they
    uint64_t m_turnsAtOnce{0};            //!< of packets that did not have to wait
    NetworkObserver* m_observer{nullptr}; //!< sees every packet
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_NETWORK_H
