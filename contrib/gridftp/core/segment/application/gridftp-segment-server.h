/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SERVER_H
#define GRIDFTP_SEGMENT_SERVER_H

#include "gridftp-block-scheduler.h"
#include "gridftp-command-queue.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-script.h"
#include "gridftp-control-sizing.h"
#include "gridftp-host-cpu.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-response-times.h"
#include "gridftp-security-text.h"
#include "gridftp-segment-control-channel.h"
#include "gridftp-server-memory.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief When a server does not do what it should, and how it closes. */
struct ServerFaults
{
    bool isWatched{false};             //!< something may go wrong, with it or with others
    Outages deaths{};                  //!< it accepts no connection
    Outages resets{};                  //!< it resets those that it has accepted
    bool resetsNext{false};            //!< it resets the next one that it accepts
    Outages silences{};                //!< it neither executes commands nor answers them
    Outages refusals{};                //!< it refuses clients that authenticate
    Outages losses{};                  //!< its final replies to transfers do not reach the client
    std::vector<IdleRule> idleRules{}; //!< of a middlebox on the way of its control connections
    bool closesApart{false};           //!< its control connections close packet by packet, see
                                       //!< TcpConnection::Use
};

/** @ingroup gridftp @brief What a server's transfer commands cost on its host. */
struct RequestCost
{
    HostCpu* cpu{nullptr}; //!< of its host, outlives it; null: nothing costs CPU time there
    int64_t ns{0};         //!< of each command
};

/**
 * @ingroup gridftp
 * A server of a session of the segment engine, and the control connection to it: what each of the
 * two ends knows of it. What comes of the lines is left to the session.
 */
class SegmentServer final : private EventTarget, private SegmentControlChannel::User
{
  public:
    /** The session, at the end where it happens. */
    class User
    {
      public:
        virtual ~User() = default;

        /** A command has come to the server, see SegmentServer::command. @param server which @param
         * now of the simulation @param isAbort it is an ABOR instead */
        virtual void HandleCommand(SegmentServer& server, Nanoseconds now, bool isAbort) = 0;

        /** A reply has come to the client. @param server whose @param now of the simulation @param
         * code of it */
        virtual void HandleReply(SegmentServer& server, Nanoseconds now, uint32_t code) = 0;

        /** An SBUF has come to the server while data flow. @param server which @param now of the
         * simulation @param message what it says */
        virtual void HandleSizing(SegmentServer& server,
                                  Nanoseconds now,
                                  const SizingMessage& message) = 0;

        /** A reply that says SBUF, or refuses one, has come to the client. @param server whose
         * @param now of the simulation @param code of it @param message what it says, unless it
         * refuses */
        virtual void HandleSizingReply(SegmentServer& server,
                                       Nanoseconds now,
                                       int code,
                                       const SizingMessage& message) = 0;

        /** The client has lost the connection. @param server to which @param now of the simulation
         * @param reason for a person */
        virtual void HandleLost(SegmentServer& server, Nanoseconds now, const char* reason) = 0;

        /** A restart marker has come to the client. @param server whose @param now of the
         * simulation @param ranges of the file */
        virtual void HandleMarker(SegmentServer& server,
                                  Nanoseconds now,
                                  const MarkerRanges& ranges) = 0;

        /** A performance marker has come to the client, where SayProgress() said it. @param stripe
         * that it is of @param bytes that this has stored of the transfer */
        virtual void HandleProgress(uint32_t stripe, uint64_t bytes) = 0;

        /** The server has lost the connection. @param server which @param now of the simulation */
        virtual void HandleClientLost(SegmentServer& server, Nanoseconds now) = 0;
    };

    /**
     * @param peer what it does with the data
     * @param rttSamples M
     * @param flows the table of its connection; outlives it
     * @param tcp TCP of the control connection; outlives it
     * @param path from the client, end 0, to the server
     * @param user the session; outlives it
     * @param faults what goes wrong with it; outlives it
     * @param cost of its transfer commands
     */
    SegmentServer(Peer peer,
                  int64_t rttSamples,
                  FlowTable& flows,
                  const SegmentTcp& tcp,
                  const FlowPath& path,
                  User& user,
                  ServerFaults& faults,
                  const RequestCost& cost);

    SegmentServer(const SegmentServer&) = delete;
    SegmentServer& operator=(const SegmentServer&) = delete;

    /** @return what it does with the data */
    Peer GetPeer() const
    {
        return m_peer;
    }

    /** @param peer what it does with the data of the next file; it does nothing now */
    void SetPeer(Peer peer)
    {
        m_peer = peer;
    }

    // The client's end

    /** @return whether the client has begun to connect */
    bool IsConnected() const
    {
        return m_connected;
    }

    /** The client connects. @param now of the simulation */
    void Connect(Nanoseconds now);

    /** The client says a command. @param now of the simulation @param command what @param chunk of
     * the file that it is about */
    void Order(Nanoseconds now, Command command, const Block& chunk = {});

    /** The oldest command without one has its final reply. @return the command; there must be one
     */
    SaidCommand TakeAnswered()
    {
        return m_said.TakeAnswered();
    }

    /** @return commands without final replies */
    const CommandQueue& GetSaid() const
    {
        return m_said;
    }

    /** The client has a transfer ended. @param now of the simulation */
    void OrderAbort(Nanoseconds now);

    /** The client says SBUF while data flow. @param now of the simulation @param message what */
    void OrderSizing(Nanoseconds now, const SizingMessage& message);

    /**
     * The client sends NOOP, if that keeps the connection alive: it is open, something has been
     * said over it, and no command but a transfer waits for its reply.
     * @param now of the simulation
     * @param afterNs the last command, ns
     * @return when to ask again, ns
     */
    Nanoseconds KeepAlive(Nanoseconds now, int64_t afterNs);

    /** A final reply to a transfer or to an ABOR has come. @return whether it was the last one that
     * was owed */
    bool HandleFinal()
    {
        return --m_owed == 0;
    }

    /** @return whether final replies to a transfer or to an ABOR have yet to come */
    bool IsTransferring() const
    {
        return m_owed > 0;
    }

    /** The server has said goodbye, or all that it had to say: the client closes. */
    void Close();

    /** The client closes. @param now of the simulation */
    void Leave(Nanoseconds now);

    /** Nothing is sent or awaited any more; its process is not waited for. @param now of the
     * simulation */
    void Stop(Nanoseconds now);

    /** The client resets the connection, if there is one. @param now of the simulation */
    void Drop(Nanoseconds now);

    /** @return whether the client waits for a reply, or for the greeting */
    bool IsAwaited() const
    {
        return m_isAwaited || m_owed > 0;
    }

    /** @return whether the server has said anything to the client */
    bool IsGreeted() const
    {
        return m_isGreeted;
    }

    /** @return the oldest command without its final reply, or the last one */
    const Command& GetCommand() const
    {
        return m_said.GetFirst();
    }

    /** @return of the commands so far */
    ResponseTimes& GetResponses()
    {
        return m_responses;
    }

    // The server's end

    /** @return the command that it does */
    const Command& GetAsked() const
    {
        return m_asked.command;
    }

    /** @return the chunk of the file that it is about */
    const Block& GetChunk() const
    {
        return m_asked.chunk;
    }

    /** @return whether lines wait until it is done with what it does */
    bool IsHolding() const
    {
        return !m_waiting.empty();
    }

    /**
     * It does one thing at a time, and this is the next: of the lines that have come and wait,
     * those whose turn it is are executed, up to the next transfer. While it computes, or the CPU
     * has yet to get to a transfer command, none is; in a transfer, ABOR and SBUF are, about it.
     * @param now of the simulation
     */
    void ExecuteWaiting(Nanoseconds now);

    /** It answers. @param now of the simulation @param reply what */
    void Say(Nanoseconds now, const Reply& reply);

    /** It answers. @param now of the simulation @param code of the last reply @param text all */
    void Say(Nanoseconds now, uint32_t code, const std::string& text);

    /** It answers after it has computed. @param now of the simulation @param at when @param reply
     * what */
    void SayAt(Nanoseconds now, Nanoseconds at, const Reply& reply);

    /** @return its side of an authentication */
    SecurityServer& GetSecurity()
    {
        return m_security;
    }

    /** @param now of the simulation @return whether it refuses whoever authenticates */
    bool RefusesClients(Nanoseconds now) const
    {
        return IsOut(m_faults->refusals, now);
    }

    /** @param now ns @return whether its final reply to a transfer does not reach the client */
    bool LosesReplies(Nanoseconds now) const
    {
        return IsOut(m_faults->losses, now);
    }

    /** A final reply does not reach the client: all is as if it were said. */
    void HandleLostReply()
    {
        m_isAsked = false;
    }

    /** A performance marker that Say() or SayMarker() says next. @param stripe that it is of @param
     * bytes that this has stored of the transfer */
    void AddProgress(uint32_t stripe, uint64_t bytes)
    {
        m_saying.push_back({stripe, bytes});
    }

    /** It says a restart marker. @param now of the simulation @param text all @param ranges of the
     * marker */
    void SayMarker(Nanoseconds now, const std::string& text, MarkerRanges ranges);

    /** @return whether a command has come that has no final reply yet */
    bool IsAsked() const
    {
        return m_isAsked;
    }

    /** @return whether its CPU has yet to get to the transfer command that has come */
    bool IsDelayed() const
    {
        return m_isDelayed;
    }

    /** It says SBUF. @param now of the simulation @param code of the reply @param message what */
    void SaySizing(Nanoseconds now, int code, const SizingMessage& message);

    /** @return whether a transfer is under way there */
    bool IsBusy() const
    {
        return m_busy;
    }

    /** @param busy a transfer is under way there */
    void SetBusy(bool busy)
    {
        m_busy = busy;
    }

    /** @return whether it has let go of its data connections since an address was agreed on */
    bool IsDropped() const
    {
        return m_isDropped;
    }

    /** @param isDropped it has let go of its data connections, or an address is agreed on again */
    void SetDropped(bool isDropped)
    {
        m_isDropped = isDropped;
    }

    /** @return the name that USER gave */
    const std::string& GetUserName() const
    {
        return m_userName;
    }

    /** @param name that USER gave */
    void SetUserName(const std::string& name)
    {
        m_userName = name;
    }

    /** @return why it has refused to go on */
    const std::string& GetRefusal() const
    {
        return m_refusal;
    }

    /** @param refusal why it refuses to go on */
    void SetRefusal(const std::string& refusal)
    {
        m_refusal = refusal;
    }

    /** It has said goodbye, and closes. @param now of the simulation */
    void HandleGoodbye(Nanoseconds now)
    {
        End(now);
        m_control.CloseServer(now);
    }

    /** @param now of the simulation @return when its process was there for this connection; none
     * where it has accepted none */
    std::optional<ServerSpan> GetSpan(Nanoseconds now) const
    {
        const int64_t endNs = m_endedNs < 0 ? int64_t{now} : m_endedNs;
        return m_accepted ? std::optional(ServerSpan{m_acceptedNs, endNs}) : std::nullopt;
    }

    /**
     * It resets its control connection.
     * @param now of the simulation
     * @return whether there was one
     */
    bool ResetControl(Nanoseconds now);

    /** @return whether it has a control connection */
    bool IsOpen() const
    {
        return m_accepted && !m_closed;
    }

    /** It is killed. @param now of the simulation */
    void Die(Nanoseconds now);

    // Both ends

    /** @return the control connection */
    TcpConnection& GetConnection() const
    {
        return m_control.GetConnection();
    }

    /** @param state gets what is under way: between two chunks neither end has more than that */
    void AddState(SegmentState& state) const;

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** A command, and what it is about. */
    struct Asked
    {
        Command command; //!< what is said
        Block chunk{};   //!< of the file, of transfer commands
    };

    // SegmentControlChannel::User
    void HandleControlAccepted(Nanoseconds now) override;
    void HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message) override;
    void HandleControlFailed(Nanoseconds now, const char* reason) override;
    void HandleControlLost(Nanoseconds now) override;

    /** Its process ends, if it has not. @param now of the simulation */
    void End(Nanoseconds now)
    {
        m_closed = true;
        m_endedNs = m_endedNs < 0 ? int64_t{now} : m_endedNs;
    }

    /** The client writes a line. @param now of the simulation @param command that it says @param
     * message what that is */
    void Write(Nanoseconds now, const Command& command, uint32_t message);

    /** @param end which writes @param text lines @return their length, in armour where it has that
     */
    uint32_t GetLength(TcpConnection::End end, const std::string& text) const;

    /** What a performance marker says. */
    struct Progress
    {
        uint32_t stripe; //!< that it is of
        uint64_t bytes;  //!< that this has stored of the transfer
    };

    /** A line that has come to the server. */
    struct Line
    {
        uint32_t message;     //!< what it says
        SizingMessage sizing; //!< of an SBUF
        Asked asked;          //!< of a command
    };

    /** A line's turn has come at the server. @param now of the simulation @param line what */
    void Execute(Nanoseconds now, Line line);

    /** Nothing that has come is executed any more. */
    void Forget()
    {
        m_isDelayed = false;
        m_waiting.clear();
    }

    /** Markers have come. */
    void TakeProgress();

    /** A reply has come. @param now of the simulation @param message its code, and whether it says
     * SBUF */
    void HandleReply(Nanoseconds now, uint32_t message);

    /** @param writer of an SBUF that has come @return it */
    SizingMessage TakeSizing(TcpConnection::End writer);

    Peer m_peer;                     //!< see GetPeer()
    User* m_user;                    //!< the session
    ResponseTimes m_responses;       //!< of the commands so far
    SegmentControlChannel m_control; //!< the connection
    CommandQueue m_said;             //!< commands without final replies
    std::deque<Asked> m_onWay;       //!< commands that have not come to the server
    Asked m_asked;                   //!< what it does
    uint32_t m_owed{0};              //!< final replies to a transfer or to an ABOR to come
    bool m_connected{false};         //!< see IsConnected()
    bool m_accepted{false};          //!< the server has
    int64_t m_acceptedNs{0};         //!< when
    int64_t m_endedNs{-1};           //!< when its process for it has ended; below 0: not yet
    bool m_closed{false};            //!< the server has said goodbye, or has reset the connection
    ServerFaults* m_faults;          //!< what goes wrong with it
    HostClock* m_clock;              //!< of its host
    RequestCost m_cost;              //!< of its transfer commands
    bool m_isAwaited{false};         //!< the client waits for a reply to a command or a greeting
    bool m_isGreeted{false};         //!< see IsGreeted()
    bool m_isAsked{false};           //!< see IsAsked()
    bool m_isAlone{false};           //!< the server has no connection any more
    bool m_busy{false};              //!< see IsBusy()
    bool m_isDelayed{false};         //!< see IsDelayed()
    int64_t m_dueNs{NEVER};          //!< when the CPU is done with it
    std::deque<Line> m_waiting;      //!< until it is done with what it does
    bool m_isDropped{false};         //!< see IsDropped()
    std::string m_userName;          //!< see GetUserName()
    std::string m_refusal;           //!< see GetRefusal()
    uint32_t m_sizingsOwed{0};       //!< replies to SBUFs of OrderSizing() to come
    std::deque<SizingMessage> m_sizings[TcpConnection::ENDS]; //!< on their way, by writer
    std::deque<MarkerRanges> m_markers;                       //!< on their way
    std::vector<Progress> m_saying;                           //!< see AddProgress()
    std::deque<std::vector<Progress>> m_progress;             //!< on their way, by line
    int64_t m_saidNs{0};                                      //!< when the client said anything
    SecurityServer m_security;                                //!< see GetSecurity()
    bool m_isProtected[TcpConnection::ENDS]{};                //!< lines of an end have armour
    Reply m_later;                                            //!< said when it has computed
    int64_t m_laterNs{NEVER};                                 //!< when that is
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SERVER_H
