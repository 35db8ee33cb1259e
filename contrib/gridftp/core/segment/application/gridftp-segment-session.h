/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SESSION_H
#define GRIDFTP_SEGMENT_SESSION_H

#include "gridftp-application-sizing.h"
#include "gridftp-chunk-pipeline.h"
#include "gridftp-chunk-segments.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-script.h"
#include "gridftp-file-set.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-pair-tuning.h"
#include "gridftp-rate-floor.h"
#include "gridftp-retry-schedule.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-fast-forward.h"
#include "gridftp-segment-server.h"
#include "gridftp-segment-session-data.h"
#include "gridftp-session-hosts.h"
#include "gridftp-tuning-policy.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Client and servers of one session: the dialogues on the control connections, command by command,
 * the chunks, and the tuning between them, as Client and ServerProtocolInterpreter do it in engine
 * ns3: what the protocol interpreters do. Data are left to DTPs. Lines have their true lengths;
 * what they say is only hinted at: a reply is its code, a command the one under way.
 *
 * The host that receives the data may run ahead (see HostClock), and with it what the session does
 * there: the client of a download, the server of an upload.
 */
class SegmentSession final : public SegmentApplication,
                             private EventTarget,
                             private SegmentServer::User,
                             private SegmentDtpGroup::User
{
  public:
    /** @param context what it is given */
    explicit SegmentSession(const ApplicationContext& context);

    ~SegmentSession() override;

    SegmentSession(const SegmentSession&) = delete;
    SegmentSession& operator=(const SegmentSession&) = delete;

    // SegmentApplication
    void Start(Nanoseconds now) override;
    void Fail(Nanoseconds now, const std::string& reason) override;

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override;
    FlowView GetFlow(Nanoseconds now) const override;
    void AddTo(Nanoseconds now, TransferResult& result) const override;

  private:
    class Skipping; // of chunks: gridftp-segment-session-skipping.cc

    /** @param ns of the simulation @return when that is for others, ns: see FastForward */
    int64_t GetShownNs(int64_t ns) const
    {
        return ns + m_context.fastForward->GetSkippedNs();
    }

    /** @return whether the client sends the data */
    bool IsUpload() const
    {
        return m_direction == Direction::UPLOAD;
    }

    /** @return whether the client receives the data */
    bool IsDownload() const
    {
        return m_direction == Direction::DOWNLOAD;
    }

    /** @return whether the client neither sends nor receives the data */
    bool IsThirdParty() const
    {
        return m_direction == Direction::THIRD_PARTY;
    }

    /** @return whether nothing comes of it any more */
    bool IsOver() const
    {
        return m_state == SessionState::DONE || m_state == SessionState::FAILED;
    }

    /** What the client connects to, and what moves the data. */
    struct Try
    {
        std::array<std::unique_ptr<SegmentServer>, PEERS> servers; //!< by Peer at the login
        std::unique_ptr<SegmentSessionData> data;                  //!< what moves the data
        std::unique_ptr<SegmentSessionData> idle; //!< the same in the other direction, where files
                                                  //!< have gone in that before
        uint32_t reports{0};                      //!< 112 markers since the last 111
        uint64_t held{0};         //!< bytes that earlier tries have left, and the client knows of
        int64_t ownDueNs{NEVER};  //!< when the client does not wait for the server's word any more
        std::string ownFailure{}; //!< why the client's end of the data has failed
        RateFloor floor{};        //!< the least rate that it accepts
        int64_t rateDueNs{NEVER}; //!< when it looks at it
        std::array<int64_t, PEERS> aliveDueNs{NEVER, NEVER}; //!< when to send NOOP, by Peer

        /** @param peer what a server does with the data, in a third-party transfer; else there is
         * one server, in whichever direction the file goes @return the server */
        SegmentServer& GetServer(Peer peer) const
        {
            const auto index = static_cast<size_t>(peer);
            return servers[index] ? *servers[index] : *servers[1 - index];
        }

        /** @param server of any try @return whether it is of this one */
        bool Has(const SegmentServer& server) const
        {
            return servers.front().get() == &server || servers.back().get() == &server;
        }
    };

    /** A session whose files go both ways, as it is in the other direction than at the login. */
    struct Opposite
    {
        Scenario scenario;          //!< all, with that direction
        ApplicationContext context; //!< what it is given
        SessionHosts hosts;         //!< where all is done
    };

    /** @return the try under way */
    Try& GetTry()
    {
        return m_tries.back();
    }

    /** @return the try under way */
    const Try& GetTry() const
    {
        return m_tries.back();
    }

    /** @param server of one of the tries @return the try: what a server does it does to its own,
     * and may still do when the client has begun anew */
    Try& FindTry(const SegmentServer& server);

    /** @param group of one of the tries @return the try */
    Try& FindTry(const SegmentDtpGroup& group);

    /** @param server of any try @return its end of the data */
    SegmentDtpGroup& GetEnd(const SegmentServer& server)
    {
        return FindTry(server).data->GetEnd(server.GetPeer());
    }

    /** @param group a server's end of the data, of any try @return the server */
    SegmentServer& GetServer(const SegmentDtpGroup& group)
    {
        return FindTry(group).GetServer(group.GetPeer());
    }

    /** @param peer a server that there is @return the server */
    SegmentServer& GetServer(Peer peer)
    {
        return GetTry().GetServer(peer);
    }

    /** @param server of any try @return whether it is of the one under way */
    bool IsOfNow(const SegmentServer& server)
    {
        return GetTry().Has(server);
    }

    /** @return what moves the data */
    SegmentSessionData& GetData()
    {
        return *GetTry().data;
    }

    /** @return what moves the data */
    const SegmentSessionData& GetData() const
    {
        return *GetTry().data;
    }

    /** @return the end of the data that the client is */
    SegmentDtpGroup& GetOwnEnd()
    {
        return GetData().GetEnd(IsDownload() ? Peer::RECEIVER : Peer::SENDER);
    }

    /** What happens later; the low bits of an event's id. */
    enum Timer : uint32_t
    {
        FAULT,  //!< something goes wrong; behind the low bits: which of the scenario's faults
        SIZING, //!< the receiver looks at its rate, see ApplicationSizing
        WATCH,  //!< the client looks whether it has waited too long
        RETRY,  //!< the client begins anew
        SAY,    //!< the client has computed what it says next
        HELD,   //!< a server does what has waited for the end of a transfer; behind: which one
        ALIVE,  //!< the client may send NOOP; behind: to which server
        RATE,   //!< the client looks at its rate
        TIMERS  //!< how many there are
    };

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // SegmentServer::User
    void HandleCommand(SegmentServer& server, Nanoseconds now, bool isAbort) override;
    void HandleReply(SegmentServer& server, Nanoseconds now, uint32_t code) override;
    void HandleSizing(SegmentServer& server,
                      Nanoseconds now,
                      const SizingMessage& message) override;
    void HandleSizingReply(SegmentServer& server,
                           Nanoseconds now,
                           int code,
                           const SizingMessage& message) override;
    void HandleLost(SegmentServer& server, Nanoseconds now, const char* reason) override;
    void HandleMarker(SegmentServer& server, Nanoseconds now, const MarkerRanges& ranges) override;
    void HandleProgress(uint32_t stripe, uint64_t bytes) override;
    void HandleClientLost(SegmentServer& server, Nanoseconds now) override;

    // SegmentDtpGroup::User
    void HandleListening(SegmentDtpGroup& group, Nanoseconds now) override;
    void HandleReady(SegmentDtpGroup& group, Nanoseconds now) override;
    void HandleBytes(SegmentDtpGroup& group,
                     Nanoseconds now,
                     uint32_t stripe,
                     uint64_t bytes) override;
    void HandleDone(SegmentDtpGroup& group, Nanoseconds now) override;
    void HandleDtpFailed(SegmentDtpGroup& group,
                         Nanoseconds now,
                         int code,
                         const std::string& reason) override;

    // The client

    /** Puts the login into the script. */
    void ScriptLogin();

    /** The next command of the script, or what comes when there is none; with pipelining all that
     * may be said. @param now of the simulation */
    void Advance(Nanoseconds now);

    /** @return whether commands of transfers are said ahead of replies */
    bool IsPipelining() const
    {
        return m_spec->pipelining > 1;
    }

    /** Puts the commands of as many chunks into the script as may be asked for at a time. @param
     * now of the simulation */
    void ScriptAhead(Nanoseconds now);

    /** The next command, if it may be said and nothing is to be computed for it. @param now of the
     * simulation @return whether it was */
    bool SayNext(Nanoseconds now);

    /** The client computes what it says next, if that takes time. @param now of the simulation
     * @return whether it does */
    bool ComputesNext(Nanoseconds now);

    /** The client says the next command of the script, which it has computed. @param now of the
     * simulation */
    void SayComputed(Nanoseconds now);

    /** @return the next command, which is taken off the script, if it may be said */
    std::optional<ScriptLine> TakeNext();

    /** @return what of the dialogues decides that, with pipelining */
    AheadState GetAheadState() const;

    /** A command is said. @param now of the simulation @param line what, to which server */
    void Say(Nanoseconds now, ScriptLine line);

    /** A final reply to a command has come. @param server whose @param now of the simulation @param
     * said the command */
    void HandleFinal(SegmentServer& server, Nanoseconds now, const SaidCommand& said);

    /** Receives the next chunk of a download, if it is to. @param now of the simulation */
    void ExpectNext(Nanoseconds now);

    /** All data of the chunk that the client receives are there. @param now of the simulation */
    void HandleReceived(Nanoseconds now);

    /** Finishes chunks that are complete. @param now of the simulation */
    void FinishChunks(Nanoseconds now);

    /** The script has run out. @param now of the simulation */
    void HandleSaid(Nanoseconds now);

    /** Goes on with the next chunk, or with QUIT. @param now of the simulation */
    void ScriptNext(Nanoseconds now);

    /** Goes on behind chunks that are all there, as --restart says. */
    void SkipHeldChunks();

    /** All files are there: says goodbye. @param now of the simulation */
    void ScriptQuit(Nanoseconds now);

    /** Puts the commands of the next chunk into the script. @param newAddress data connections need
     * an address agreed first */
    void ScriptChunk(bool newAddress);

    /** @param part a chunk @param newAddress see ScriptChunk() @return what it is asked for by */
    ChunkOrder MakeOrder(const FileChunk& part, bool newAddress) const;

    /** The chunk under way begins, if it has not: its first transfer command is about to be sent,
     * or was, and the one before is complete. @param now of the simulation */
    void BeginChunk(Nanoseconds now);

    /** A preliminary reply has come. @param server whose @param now of the simulation @param code
     * of it */
    void HandlePreliminary(const SegmentServer& server, Nanoseconds now, uint32_t code);

    /** All of the chunk under way has come. @param now of the simulation */
    void FinishChunk(Nanoseconds now);

    /** @return W of the chunk that ends now, bytes */
    double GetWindow() const;

    /** Makes what decides. @return what is wrong; empty: nothing */
    std::string MakeTuners();

    /** @return why what decides cannot; empty: it can */
    std::string GetTunersFailure() const;

    /** It is done or has failed. @param now of the simulation */
    void HandleOver(Nanoseconds now);

    /** @param span of a chunk @param sample of it @param bytes of it @return its record, with what
     * is decided for the next one */
    ChunkRecord Decide(const ChunkSpan& span, const ChunkSample& sample, uint64_t bytes);

    /** Records the chunk, and decides on the next one. @param now of the simulation */
    void RecordChunk(Nanoseconds now);

    /** RecordChunk(), but for what is told of it. @param done the chunk @param windowBytes W */
    void Record(const PipelinedChunk& done, double windowBytes);

    // Files that go both ways: gridftp-segment-session-directions.cc

    /** @return it in the other direction; null where all files go in one */
    std::unique_ptr<Opposite> MakeOpposite() const;

    /** The next file goes in the other direction; nothing is under way. @param now of the
     * simulation
     */
    void ChangeDirection(Nanoseconds now);

    /** The client or the server closes the data connections of the direction before. @param one the
     * try @param peer what it did in that direction @param now of the simulation */
    static void CloseIdle(const Try& one, Peer peer, Nanoseconds now);

    /** Its host resets them instead. @param one the try @param isServer the server's end, else the
     * client's @param now of the simulation */
    static void ResetIdle(const Try& one, bool isServer, Nanoseconds now);

    // Buffers that the applications size: gridftp-segment-session-sizing.cc

    /** The receiver begins with a chunk. @param now of the simulation */
    void BeginSizing(Nanoseconds now);

    /** The receiver has ended with a chunk. */
    void EndSizing();

    /** The receiver looks at its rate. @param now of the simulation */
    void HandleAlarm(Nanoseconds now);

    /** The receiver tells the sender, and sets its alarm. @param now of the simulation @param
     * message what, if anything */
    void Tell(Nanoseconds now, const std::optional<SizingMessage>& message);

    /** The sender sets its buffers. @param now of the simulation @param bytes of each */
    void GrowSendBuffers(Nanoseconds now, uint64_t bytes);

    /** @return bytes of the next chunk that is asked for */
    uint64_t GetNextBytes() const;

    /** @return R, s */
    double GetRoundTripS() const;

    /** It cannot go on: ends what is under way at both servers of a third-party transfer, then
     * fails. @param now of the simulation @param reason for a person */
    void GiveUp(Nanoseconds now, const std::string& reason);

    /** Fails where no server has anything left to say. @param now of the simulation */
    void FinishGivingUp(Nanoseconds now);

    // The servers

    /** A server does what the command under way asks for, and answers it. @param server which
     * @param now of the simulation */
    void Execute(SegmentServer& server, Nanoseconds now);

    /** A server answers AUTH or ADAT. @param server which @param now of the simulation */
    void Authenticate(SegmentServer& server, Nanoseconds now);

    /** A host computes. @param cpu its own @param now of the simulation @param work what @return
     * when that is done */
    Nanoseconds Compute(HostCpu* cpu, Nanoseconds now, HandshakeWork work) const;

    /** The client or a server has its DTPs send. @param now of the simulation @param chunk what */
    void StartSending(Nanoseconds now, const Block& chunk);

    /** A server ends what is under way, RFC 959, Section 4.1.3. @param server which @param now of
     * the simulation */
    void ExecuteAbort(SegmentServer& server, Nanoseconds now);

    /** @param server a server @return what it answers to the command under way */
    Reply MakeAnswer(const SegmentServer& server) const;

    /** The receiver has all of the chunk. @param group of it @param now of the simulation */
    void HandleStored(SegmentDtpGroup& group, Nanoseconds now);

    /** A server's transfer cannot go on. @param server which @param now of the simulation @param
     * code of the reply @param reason for a person */
    void FailTransfer(SegmentServer& server, Nanoseconds now, int code, const std::string& reason);

    /** A server lets go of its transfer and of its data connections. @param server which @param now
     * of the simulation */
    void DropTransfer(SegmentServer& server, Nanoseconds now);

    // What goes wrong, and how it goes on: gridftp-segment-session-tries.cc

    /** @return counts of the data connections of all tries */
    ConnectionTotals GetTotals() const;

    /** @return the same of each pair of stripes */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** Adds what has come of all tries. @param now of the simulation @param result of the session
     */
    void AddTriesTo(Nanoseconds now, SessionResult& result) const;

    /** Has things go wrong when they are to. @param now of the simulation */
    void ScheduleFaults(Nanoseconds now);

    /** Something goes wrong. @param fault what @param now of the simulation */
    void HandleFault(const FaultSpec& fault, Nanoseconds now);

    /** A server resets its control connection. @param fault which says so @param peer the server
     * @param now of the simulation */
    void ResetControl(const FaultSpec& fault, Peer peer, Nanoseconds now);

    /** Gets connections and DTPs for another try. */
    void AddTry();

    /** The client lets go of all, and begins anew later, or fails. @param now ns @param reason why
     */
    void EndTry(Nanoseconds now, const std::string& reason);

    /** The client begins anew. @param now of the simulation */
    void BeginTry(Nanoseconds now);

    /** The client cannot go on with its own end of the data. Where that sends, the server may have
     * reset its connections, and has a final reply to send: the client waits for it. @param now ns
     * @param code of the reply @param reason why */
    void FailOwnEnd(Nanoseconds now, int code, const std::string& reason);

    /** The client knows that ranges of the file are there. @param ranges which */
    void Hold(const MarkerRanges& ranges);

    /** @return of the file of the chunk under way, the chunks that are complete */
    MarkerRanges FindComplete() const;

    /** @return the next chunk that is asked for */
    MarkerRange GetChunk() const
    {
        return {m_offset, m_offset + GetNextBytes()};
    }

    /** @return whether a chunk is stored, each byte once; where the client may begin anew @param
     * now of the simulation @param chunk which */
    bool IsStoredOnce(Nanoseconds now, const MarkerRange& chunk) const;

    /** The client looks whether it has waited too long. @param now of the simulation */
    void HandleWatch(Nanoseconds now);

    /** The client looks again. @param at when */
    void ScheduleWatch(Nanoseconds at);

    /** The client may have to send NOOP. @param at when @param peer to which server */
    void ScheduleAlive(Nanoseconds at, Peer peer);

    /** The client sends NOOP where that is due. @param now ns @param peer to which server */
    void KeepAlive(Nanoseconds now, Peer peer);

    /** @param now ns @return bytes that the client knows of in this try */
    uint64_t GetMoved(Nanoseconds now) const;

    /** The client looks at its rate. @param at when */
    void ScheduleRate(Nanoseconds at);

    /** The client looks whether it is too slow. @param now of the simulation */
    void CheckRate(Nanoseconds now);

    /** @param server that owes the client a reply @return why the client waits no longer */
    std::string NameStall(const SegmentServer& server) const;

    /** A receiving server tells what it has. @param group of it @param now ns @param text of 112 */
    void SayRanges(SegmentDtpGroup& group, Nanoseconds now, std::string text);

    ApplicationContext m_context;                   //!< what it is given
    const SessionSpec* m_spec;                      //!< its part of the scenario
    uint32_t m_index;                               //!< in the scenario
    Direction m_direction;                          //!< of the file under way
    SessionHosts m_hosts;                           //!< where all is done
    SegmentTcp m_controlTcp;                        //!< of the control connections
    SegmentTcp m_dataTcp;                           //!< of the data connections
    std::unique_ptr<TuningPolicy> m_policy;         //!< decides the parallelism
    PairTuning m_pairTuning;                        //!< in its place, where each pair of stripes
                                                    //!< has a tuner
    ChunkSegments m_segments;                       //!< that were sent in the last chunk
    std::array<ServerFaults, PEERS> m_serverFaults; //!< by Peer
    std::deque<Try> m_tries;                        //!< the last one is under way
    RetrySchedule m_retries;                        //!< how often it begins anew
    RetryResult m_restarts;                         //!< how often it has
    MarkerRanges m_held;                            //!< of the file, that the client knows of
    MarkerRanges m_left;                            //!< of these, what REST has said of the chunk
    bool m_isPaused{false};                         //!< between two tries
    bool m_hasBegun{false};                         //!< the chunk under way has, in some try
    int64_t m_heardNs{0};                           //!< when the client last said or heard anything
    int64_t m_watchDueNs{0};                     //!< when the client looks next, see HandleWatch()
    SessionState m_state{SessionState::WAITING}; //!< what it is doing
    std::string m_reason;                        //!< why it has failed, or will
    ControlScript m_script;                      //!< commands to come
    int64_t m_sayDueNs{NEVER};                   //!< when the next one is, if it is computed
    ChunkPipeline m_pipeline;                    //!< chunks asked for
    bool m_transferring{false};                  //!< see IsTransferring()
    bool m_hasAddress{false};                    //!< data connections have an address
    bool m_isScripting{false};                   //!< ScriptNext() is under way
    bool m_givesUp{false};                       //!< see GiveUp()
    bool m_closesExactly{false}; //!< packets that close data connections hold up others: a client
                                 //!< that receives closes its own when the server does
    int64_t m_startNs{0};        //!< first transfer command sent
    double m_rttS{0};            //!< R then
    double m_windowBytes{0};     //!< W when data were there last, bytes
    uint32_t m_parallelism{1};   //!< N
    FileSequence m_files;        //!< which file began last
    uint64_t m_offset{0};        //!< of the next chunk in it
    std::vector<ChunkRecord> m_records;        //!< complete chunks
    std::optional<ApplicationSizing> m_sizing; //!< of the receiver, where it sizes buffers
    SizingServer m_sizingServer;               //!< of the server that sends
    std::unique_ptr<Skipping> m_skipping;      //!< of chunks, where they may come again
    std::unique_ptr<Opposite> m_opposite;      //!< see MakeOpposite()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SESSION_H
