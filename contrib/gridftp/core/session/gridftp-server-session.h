/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_SESSION_H
#define GRIDFTP_SERVER_SESSION_H

#include "gridftp-buffer-sizer.h"
#include "gridftp-checksum-task.h"
#include "gridftp-control-channel.h"
#include "gridftp-control-sizing.h"
#include "gridftp-data-transfer-group.h"
#include "gridftp-served-files.h"
#include "gridftp-stripe-text.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief State of a control connection at the server. */
enum class ServerState
{
    AWAITING_USER,     //!< nobody is logged in
    AWAITING_PASSWORD, //!< USER has arrived
    READY,             //!< logged in, no transfer under way
    TRANSFERRING,      //!< between reply 150 and 226, 425 or 426
    CLOSED             //!< after QUIT, or the connection is lost
};

/** @ingroup gridftp @brief Settings of a ServerSession. */
struct ServerSettings
{
    DataTransferSettings data{}; //!< of data connections; W until SBUF or SITE ...BUFSIZE; marker
                                 //!< interval of uploads, 0: only the last marker
    RemoteTransfers remote{};    //!< its data transfer processes, if they are on other hosts
    ServedFiles* files{nullptr}; //!< that clients read and write; not null, outlive the session
    bool hasModules{true};       //!< ERET and ESTO may name modules, which simulations have
    Layout layout{};             //!< which connection carries which block (download)
    uint64_t blockBytes{1};      //!< payload of a block (download)
    uint64_t stripeBlock{1};     //!< of a blocked layout of stripes, without OPTS, bytes
    SecuritySpec security{};     //!< how channels are authenticated
    Nanoseconds requestCpu{0};   //!< CPU time of each transfer command
    std::optional<uint32_t> onlyPeer{}; //!< IPv4 to which data connections may go, host byte order;
                                        //!< none: any host, as third-party transfers need
    uint16_t leastPort{0};              //!< of them
    uint32_t mostParallelism{UINT32_MAX}; //!< largest N of a download
    Nanoseconds epoch{0}; //!< Unix time at time 0 of the host, ns, for markers; simulations: 0
};

/**
 * @ingroup gridftp
 * The server's side of one control connection (server-PI of RFC 959): reads commands, replies, and
 * gives orders to its data transfer processes.
 *
 * Replies are those of the server of the Grid Community Toolkit 6.2, as observed. Any user and any
 * password are accepted. A line that is no command gets 500 and has no other effect. Lines that
 * arrive during a transfer wait for its end, since clients may send commands ahead (pipelining);
 * ABOR and QUIT, which end the transfer, and SBUF do not wait, nor does NOOP if nothing else does.
 *
 * Contract: the owner makes one for each accepted control connection and calls Start() once. The
 * hosts outlive it. It may be destroyed when the hosts call it no more, after Dispose().
 */
class ServerSession final : private DataTransferUser
{
  public:
    /** Called at each change of state. @param state the new one */
    using StateHandler = std::function<void(ServerState state)>;

    /** @param hosts of the session @param handler called at each change of state */
    ServerSession(const ChannelHosts& hosts, StateHandler handler);
    ~ServerSession() override;

    ServerSession(const ServerSession&) = delete;
    ServerSession& operator=(const ServerSession&) = delete;

    /** Begins, and greets the client. @param now current time @param settings of the server @param
     * stream the accepted control connection, with StreamTerms::OfLines() @return who uses the
     * stream */
    StreamUser& Start(Nanoseconds now, const ServerSettings& settings, ByteStream& stream);

    /** The server fails: resets the control connection and all data connections. @param now current
     * time */
    void Reset(Nanoseconds now);

    /** The server stops: sends a last reply, and closes all connections. @param now current time
     * @param reply the last one */
    void Close(Nanoseconds now, const Reply& reply);

    /** Releases all connections and timers. @param now current time */
    void Dispose(Nanoseconds now);

    /** Discards lines of the client from now on, without a reply. @param until end of that */
    void FallSilent(Nanoseconds until)
    {
        m_silentUntil = until;
    }

    /** Final replies to transfers do not reach the client from now on. @param until end of that */
    void LoseReplies(Nanoseconds until)
    {
        m_repliesLostUntil = until;
    }

    /** Refuses clients that authenticate from now on. @param until end of that */
    void RefuseClients(Nanoseconds until)
    {
        m_refusesUntil = until;
    }

    /** @return its state */
    ServerState GetState() const
    {
        return m_state;
    }

    /** @return whether a client is logged in, and nothing is under way or waits */
    bool IsIdle() const
    {
        return m_state == ServerState::READY && m_waiting.empty() && !m_requestDone.IsSet() &&
               !m_computed.IsSet() && !m_checksum.IsRunning() && m_data.GetLocal().IsIdle();
    }

    /** @param epoch ServerSettings::epoch from now on */
    void SetEpoch(Nanoseconds epoch)
    {
        m_settings.epoch = epoch;
    }

    /** @return time of Start() */
    Nanoseconds GetBegin() const
    {
        return m_begin;
    }

    /** @param now current time @return end of the control connection, or now */
    Nanoseconds GetEnd(Nanoseconds now) const
    {
        return m_state == ServerState::CLOSED ? m_end : now;
    }

    /** @return the data transfer process on the host of the server */
    LocalDataTransfer& GetDataTransfer()
    {
        return m_data.GetLocal();
    }

    /** @return the data transfer process on the host of the server */
    const LocalDataTransfer& GetDataTransfer() const
    {
        return m_data.GetLocal();
    }

    /** @return receive buffers of its data connections so far, where buffers are dynamic */
    BufferTally GetBufferTally() const;

  private:
    using Line = TextResult<std::string>; //!< a line of the client, or why it is none

    static constexpr uint64_t LARGEST_BUFFER = 1ULL << 30; //!< bytes: window scaling reaches no
                                                           //!< further (RFC 7323)

    /** Changes the state. @param now current time @param state the new one */
    void SetState(Nanoseconds now, ServerState state);

    /** Replies. @param now current time @param reply the reply */
    void Say(Nanoseconds now, const Reply& reply);

    /** A line has arrived; its command waits. @param now current time @param line the line */
    void HandleLine(Nanoseconds now, const Line& line);

    /** Handles commands that need not wait. @param now current time */
    void HandleWaiting(Nanoseconds now);

    /** Commands are executed one at a time. They wait while the session computes an authentication
     * or a checksum, while the CPU has not begun a transfer command, while data transfer processes
     * have to answer, and during a transfer, except ABOR, QUIT and SBUF, and NOOP if nothing else
     * waits. @return the next command that need not wait; the end: all wait */
    std::deque<TextResult<Command>>::const_iterator FindNext() const;

    /** Replies to a command. @param now current time @param command the command, or why there is
     * none */
    void Answer(Nanoseconds now, const TextResult<Command>& command);

    /** Executes a command. @param now current time @param command the command */
    void Execute(Nanoseconds now, const Command& command);

    /** @param command of a client that is not logged in @return whether it is allowed */
    bool IsAllowed(const Command& command) const;

    /** @param peers of PORT or SPOR @return whether data connections may go there */
    bool IsAllowed(const std::vector<HostPort>& peers) const;

    /**
     * @name Commands
     * @param now current time @param command the command
     * @{
     */
    void ExecuteSecurity(Nanoseconds now, const Command& command);         //!< AUTH, ADAT
    void ExecuteDataSecurity(Nanoseconds now, const Command& command);     //!< DCAU
    void ExecuteLogin(Nanoseconds now, const Command& command);            //!< USER, PASS
    void ExecuteSite(Nanoseconds now, const Command& command);             //!< SITE
    void ExecuteSize(Nanoseconds now, const Command& command);             //!< SIZE
    void ExecuteChecksum(Nanoseconds now, const Command& command);         //!< CKSM
    void ExecuteSetBuffer(Nanoseconds now, const Command& command);        //!< SBUF
    void ExecuteSizing(Nanoseconds now, const Command& command);           //!< SBUF while data flow
    void ExecuteAllocate(Nanoseconds now, const Command& command);         //!< ALLO
    void ExecuteOptions(Nanoseconds now, const Command& command);          //!< OPTS
    void ExecuteRestart(Nanoseconds now, const Command& command);          //!< REST
    void ExecutePassive(Nanoseconds now, const Command& command);          //!< PASV, SPAS
    void ExecutePort(Nanoseconds now, const Command& command);             //!< PORT, SPOR
    void ExecuteProtectionBuffer(Nanoseconds now, const Command& command); //!< PBSZ
    void ExecuteProtection(Nanoseconds now, const Command& command);       //!< PROT
    void ExecuteTransfer(Nanoseconds now, const Command& command); //!< STOR, ESTO, RETR, ERET
    void ExecuteStore(Nanoseconds now, const Command& command);    //!< STOR, ESTO
    void ExecuteRetrieve(Nanoseconds now, const Command& command); //!< RETR, ERET
    void ExecuteAbort(Nanoseconds now, const Command& command);    //!< ABOR
    void ExecuteQuit(Nanoseconds now, const Command& command);     //!< QUIT
    /** @} */

    /** TYPE, MODE. @param now current time @param command the command @param implemented letters */
    void ExecuteLetter(Nanoseconds now, const Command& command, std::string_view implemented);

    /** The CPU has begun with the transfer command. @param now current time */
    void BeginTransfer(Nanoseconds now);

    /** Sends the reply to AUTH or ADAT, which is computed. @param now current time */
    void AnswerSecurity(Nanoseconds now);

    /** @param command any @return whether it is SBUF as drsFTP has it, which this server knows */
    bool IsSizing(const Command& command) const;

    /** Ranges of REST apply to the next transfer only. Before ERET they are counted from the
     * beginning of its part, before ESTO from that of the file. @param offset where the transfer
     * begins, counted in the same way @param bytes of it; none: not known @return the ranges, or
     * 501 if they are not of it */
    TextResult<MarkerRanges> TakeRestart(uint64_t offset, std::optional<uint64_t> bytes);

    // DataTransferUser
    void HandleListening(Nanoseconds now, const std::vector<HostPort>& listeners) override;
    void HandleReady(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, uint32_t stripe, uint64_t bytes, bool endsRound) override;
    void HandleDone(Nanoseconds now) override;
    void HandleTransferFailed(Nanoseconds now, const TransferFailure& failure) override;

    /** The client has sent nothing for too long. @param now current time */
    void HandleIdle(Nanoseconds now);

    /** A transfer is complete: sends the last markers, and the final reply. @param now current time
     */
    void SayComplete(Nanoseconds now);

    /** All stripes of an upload have all data. @param now current time @return the last markers, as
     * replies */
    std::string FormatLastMarkers(Nanoseconds now);

    /** @return position behind the last byte of the upload that is complete, in the file */
    uint64_t GetStoredEnd() const;

    /** @param now current time @param stripe which @param bytes that it has received @return 112 */
    Reply MakeMarker(Nanoseconds now, uint32_t stripe, uint64_t bytes) const;

    /** The control connection is lost. @param now current time */
    void End(Nanoseconds now);

    /** Ends the transfer under way, and resets all data connections. @param now current time */
    void DropTransfer(Nanoseconds now);

    ServerSettings m_settings;                       //!< of the server
    DataHost& m_host;                                //!< of the control connection
    StateHandler m_stateHandler;                     //!< called at each change of state
    std::shared_ptr<ControlChannel> m_control;       //!< the control connection
    DataTransferGroup m_data;                        //!< sends and receives the data
    ServerState m_state{ServerState::AWAITING_USER}; //!< see GetState()
    std::string m_user;                              //!< argument of USER
    std::deque<TextResult<Command>> m_waiting;       //!< commands that wait
    uint64_t m_waitingBytes{0};                      //!< their memory, about
    bool m_isHandling{false};                        //!< HandleWaiting() is under way
    Verb m_passive{};                                //!< the last one of PASV and SPAS
    bool m_isListening{false};                       //!< PASV or SPAS is in force
    bool m_asksToListen{false};                      //!< it is not answered yet
    std::vector<HostPort> m_peers;                   //!< of PORT or SPOR in force
    std::optional<uint64_t> m_allocated;             //!< bytes announced by ALLO
    MarkerRanges m_restart;                          //!< of REST, merged
    Command m_transfer;                              //!< that began last
    uint64_t m_storeOffset{0};                       //!< of the upload under way, in the file
    RetrieveOptions m_options;                       //!< of OPTS RETR
    uint64_t m_transfers{0};                         //!< begun so far, for the random start jitter
    bool m_receives{false};                          //!< the transfer that began last is an upload
    BufferSizer m_sizer;                             //!< sizes the buffer of uploads
    SizingServer m_sizing;                           //!< answers SBUFs as the sender
    HostAlarm m_requestDone;                         //!< the CPU has begun with m_request
    Command m_request;                               //!< transfer command that waits for the CPU
    bool m_hasPbsz{false};                           //!< PBSZ has arrived
    StallTimer m_idle;                               //!< limit of its wait for a command
    uint64_t m_heard{0};                             //!< lines that have arrived
    Nanoseconds m_silentUntil{0};                    //!< see FallSilent()
    Nanoseconds m_begin{0};                          //!< time of Start()
    Nanoseconds m_end{0};                            //!< the control connection was closed
    SecurityServer m_security;                       //!< its side of an authentication
    Reply m_securityReply;                           //!< to AUTH or ADAT, being computed
    HostAlarm m_computed;                            //!< m_securityReply is computed
    ChecksumTask m_checksum;                         //!< of the CKSM under way
    Nanoseconds m_refusesUntil{0};                   //!< see RefuseClients()
    Nanoseconds m_repliesLostUntil{0};               //!< see LoseReplies()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_SESSION_H
