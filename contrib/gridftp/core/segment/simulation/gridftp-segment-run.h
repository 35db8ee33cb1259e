/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_RUN_H
#define GRIDFTP_SEGMENT_RUN_H

#include "gridftp-segment-network.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-session.h"
#include "gridftp-segment-simulator.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The inside of SegmentSimulator.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One simulation: the hosts' connections and sessions over a SegmentNetwork, and what happens
 * otherwise than by a packet's arrival: timers, starts, lines of the control connections.
 *
 * Some of that happens at receiving hosts, whose part of a single pair runs ahead (see
 * SegmentNetwork): delayed ACKs and markers have a queue of their own, which is worked off before
 * anything later arrives there.
 */
class SegmentRun final : public SegmentSender::Port,
                         public SegmentSession::Port,
                         private PacketWatcher
{
  public:
    /** @param scenario resolved; copied */
    explicit SegmentRun(const Scenario& scenario);

    /** @param observer sees what happens from now on */
    void SetObserver(SegmentObserver& observer);

    /** @param observer sees every packet that is sent from now on, or null */
    void SetPacketObserver(PacketObserver* observer);

    /** @param untilNs ns @return whether all sessions have ended */
    bool Advance(int64_t untilNs);

    /** @return ns */
    int64_t GetNow() const
    {
        return m_now;
    }

    /** @return events so far */
    uint64_t GetEventCount() const
    {
        return m_eventCount + m_network.GetArrivalCount();
    }

    /** @return data connections that are open */
    std::vector<ConnectionView> GetConnections() const;

    /** @param index of a session @return the session as it is now */
    SessionView GetSessionView(uint32_t index) const;

    /** @return the bottleneck as it is now */
    BottleneckView GetBottleneck() const;

    /** @return what has come of the background connections */
    std::vector<BackgroundResult> GetBackground() const;

    /** @return what has come of it */
    TransferResult GetResult() const;

    // Called by SegmentNetwork

    /** A packet arrives. @param pair of hosts @param at ns @param packet what */
    void HandleAtReceiver(uint32_t pair, int64_t at, SegmentPacket packet);

    /** A packet arrives. @param pair of hosts @param at ns @param packet what */
    void HandleAtSender(uint32_t pair, int64_t at, SegmentPacket packet);

    /** A packet does not get through. @param at ns @param packet what @param refused by the queue,
     * in the direction of the data */
    void HandleDrop(int64_t at, SegmentPacket packet, bool refused);

    // SegmentSender::Port
    void SendSegment(SegmentSender& sender, uint64_t start, uint32_t size) override;
    void ArmTimer(SegmentSender& sender) override;
    void HandleDrained(SegmentSender& sender) override;
    void HandleGaveUp(SegmentSender& sender) override;
    void HandleWindow(const SegmentSender& sender) override;

    // SegmentSession::Port
    void SendControl(const SegmentSession& session,
                     SegmentControl::Side from,
                     int64_t now,
                     int64_t bytes,
                     const SegmentPacket& packet) override;
    void ScheduleControl(const SegmentSession& session,
                         SegmentControl::Side side,
                         int64_t at,
                         SegmentControl::Timer timer) override;
    void BeginData(SegmentSession& session,
                   uint32_t connection,
                   int64_t now,
                   int64_t openAt) override;
    void EndData(SegmentSession& session) override;
    void CloseData(SegmentSession& session, uint32_t from, int64_t now) override;
    void CloseReceivers(SegmentSession& session, int64_t now) override;
    void ScheduleMarker(SegmentSession& session, int64_t at) override;
    void HandleTransferring(SegmentSession& session, int64_t now) override;
    void HandleChunk(SegmentSession& session, int64_t now) override;
    void HandleEnded(SegmentSession& session, int64_t now) override;

  private:
    /** What happens otherwise than by a packet's arrival. */
    enum class EventKind : uint8_t
    {
        SESSION_START,    //!< owner: session
        BACKGROUND_START, //!< owner: background
        BACKGROUND_STOP,  //!< owner: background
        OPEN,             //!< owner: connection
        SYN_AGAIN,        //!< owner: connection
        SEND,             //!< owner: connection; what its application has just written
        TIMER,            //!< owner: connection
        CONTROL,          //!< owner: session; a timer of its control connection; message: see
                          //!< ScheduleControl()
        TRANSFERRING,     //!< owner: session
        CHUNK,            //!< owner: session
        ENDED,            //!< owner: session
        FIN_AGAIN,        //!< owner: pair of hosts; message: timeout, us
        MARKER,           //!< owner: session
        DELAYED_ACK       //!< owner: connection
    };

    /** An event. */
    struct Event
    {
        int64_t timeNs;   //!< when
        uint64_t order;   //!< at equal times the first one made comes first
        EventKind kind;   //!< what
        uint32_t owner;   //!< whose
        uint32_t message; //!< see EventKind

        /** @param other another @return whether it comes later */
        bool operator>(const Event& other) const
        {
            return timeNs != other.timeNs ? timeNs > other.timeNs : order > other.order;
        }
    };

    /** A data connection, or a background connection. */
    struct Connection
    {
        SegmentSender sender;       //!< sending end
        SegmentReceiver receiver;   //!< receiving end
        ConnectionLabel label;      //!< which
        uint32_t owner;             //!< session, or number of sessions and background
        uint32_t pair;              //!< of hosts
        uint64_t chunkBegin{0};     //!< acknowledged bytes when the chunk under way began
        bool open{true};            //!< not closed yet
        bool connected{false};      //!< the handshake is done
        bool ended{false};          //!< the receiver has the end of data
        bool aborted{false};        //!< a background connection that was stopped
        bool reset{false};          //!< its receiver answers what comes with a reset
        uint32_t synSent{0};        //!< SYNs sent
        int64_t synSentNs{0};       //!< when the last one was sent
        int64_t synDueNs{NEVER};    //!< when the next one is
        int64_t timerDueNs{NEVER};  //!< when its TIMER event is
        int64_t ackDueNs{NEVER};    //!< when a delayed ACK is sent
        int64_t ackQueuedNs{NEVER}; //!< when its DELAYED_ACK event is

        /** @return whether segments and ACKs are exchanged */
        bool IsUp() const
        {
            return open && connected;
        }
    };

    /** What there is of a session or a background connection beside the connections. */
    struct Owner
    {
        SegmentTcp tcp;                    //!< of its data connections
        std::vector<uint32_t> connections; //!< their ids, by index
        ConnectionTotals closed;           //!< counts of those closed already
        int64_t startNs{0};                //!< background: when it started
        int64_t endNs{NEVER};              //!< background: when it stopped
        std::string reason;                //!< background: why it has failed
        uint64_t bytes{0};                 //!< background: that had arrived then
    };

    // PacketWatcher
    void HandleStay(const PacketStay& stay) override;

    /** Adds an event. @param at ns @param kind what @param owner whose @param message see
     * EventKind */
    void Schedule(int64_t at, EventKind kind, uint32_t owner, uint32_t message = 0);

    /** Adds an event at a receiving host. @param at ns @param kind what @param owner whose @param
     * message see EventKind */
    void ScheduleAtReceiver(int64_t at, EventKind kind, uint32_t owner, uint32_t message = 0);

    /** Works off what is due at receiving hosts. @param at ns */
    void FlushReceiver(int64_t at);

    /** Finds out when the next event is. */
    void UpdateNextEvent();

    /** Takes ACKs between a single pair of hosts, as long as nothing else happens before. @param
     * untilNs not beyond this */
    void TakeAcks(int64_t untilNs);

    /** Takes one of them. @param packet the ACK */
    void TakeAck(const SegmentPacket& packet);

    /** Does the next event. */
    void StepEvent();

    /** @param event to be done */
    void Do(const Event& event);

    /** Makes a connection anew. @param owner whose @param index among the owner's @param chunk
     * that it is opened for @return its id */
    uint32_t MakeConnection(uint32_t owner, uint32_t index, uint32_t chunk);

    /** Sends a SYN. @param id of the connection @param now ns */
    void SendSyn(uint32_t id, int64_t now);

    /** The answer to a SYN has come. @param id of the connection @param now ns */
    void Connect(uint32_t id, int64_t now);

    /** A SYN has had no answer. @param id of the connection @param now ns */
    void RetrySyn(uint32_t id, int64_t now);

    /** Looks at a timer. @param id of the connection @param now ns */
    void CheckTimer(uint32_t id, int64_t now);

    /** A connection cannot go on. @param connection which @param now ns @param code 425 or 426
     * @param reason of a data connection, for a person */
    void FailConnection(Connection& connection, int64_t now, int code, const std::string& reason);

    /** Closes a connection. @param connection which */
    void Close(Connection& connection);

    /** Both ends of a background connection stop. @param owner its index @param now ns */
    void Abort(uint32_t owner, int64_t now);

    /** A sending host sends a FIN. @param pair of hosts @param now ns @param rtoUs when to send it
     * again, should it be dropped, us */
    void SendFin(uint32_t pair, int64_t now, uint32_t rtoUs);

    /** A segment arrives. @param at ns @param packet the segment */
    void ReceiveData(int64_t at, SegmentPacket packet);

    /** Sends an ACK. @param id of the connection @param at ns */
    void SendAck(uint32_t id, int64_t at);

    /** @param side of a control connection @return whether it is at the sending host */
    bool IsSender(SegmentControl::Side side) const
    {
        return (side == SegmentControl::CLIENT) == m_upload;
    }

    /** Fails all sessions that have not ended. @param reason for a person */
    void FailAll(const std::string& reason);

    /** @return bytes that have left the bottleneck's queue */
    int64_t GetForwardedBytes() const;

    /** @param owner whose @return counts of all its connections */
    ConnectionTotals GetTotals(const Owner& owner) const;

    Scenario m_scenario;                                     //!< what is simulated
    uint32_t m_segmentBytes;                                 //!< MSS
    bool m_upload;                                           //!< clients send the data
    SegmentTcp m_controlTcp;                                 //!< of control connections
    SegmentNetwork m_network;                                //!< hosts and links
    SegmentObserver* m_observer{nullptr};                    //!< sees what happens
    PacketObserver* m_packetObserver{nullptr};               //!< sees every packet
    std::vector<std::unique_ptr<SegmentSession>> m_sessions; //!< as in the scenario
    std::vector<Owner> m_owners;                             //!< sessions, then backgrounds
    std::vector<std::unique_ptr<Connection>> m_connections;  //!< by id
    std::vector<Event> m_events;                             //!< a heap
    std::vector<Event> m_receiverEvents;                     //!< a heap
    uint64_t m_order{0};                                     //!< of the next event
    int64_t m_nextEventNs{NEVER};                            //!< when the next event is
    int64_t m_nextReceiverNs{NEVER};                         //!< when the next one at a receiver is
    int64_t m_now{0};                                        //!< the time
    uint64_t m_eventCount{0};   //!< events so far, without arrivals at a single sender
    uint32_t m_started{0};      //!< sessions that transfer
    uint32_t m_ended{0};        //!< sessions that are done or failed
    int64_t m_beginNs{0};       //!< when the first one began
    int64_t m_markNs{0};        //!< when the last chunk was complete
    int64_t m_beginBytes{0};    //!< left the queue before m_beginNs
    int64_t m_markBytes{0};     //!< left the queue before m_markNs
    int64_t m_beginWaitedNs{0}; //!< packets times ns, before m_beginNs
    int64_t m_markWaitedNs{0};  //!< packets times ns, before m_markNs
    uint64_t m_beginDrops{0};   //!< before m_beginNs
    uint64_t m_markDrops{0};    //!< before m_markNs
    uint64_t m_markMost{0};     //!< most waiting, before m_markNs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_RUN_H
