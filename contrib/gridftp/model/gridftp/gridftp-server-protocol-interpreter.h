/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
#define GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H

#include "gridftp-buffer-sizer.h"
#include "gridftp-control-channel.h"
#include "gridftp-control-sizing.h"
#include "gridftp-data-transfer-group.h"
#include "gridftp-server-memory.h"
#include "gridftp-stripe-text.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-value.h"
#include "ns3/type-id.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What one control connection of a server is doing. */
enum class ServerState
{
    AWAITING_USER,     //!< nobody is logged in
    AWAITING_PASSWORD, //!< USER has come
    READY,             //!< logged in, no transfer under way
    TRANSFERRING,      //!< between reply 150 and 226, 425 or 426
    CLOSED             //!< QUIT, or the connection is gone
};

/** @ingroup gridftp @brief What a server gives each of its control connections. */
struct ServerSettings
{
    DataTransferSettings data; //!< of data connections; window until SBUF or SITE ...BUFSIZE, and
                               //!< between two 112 markers of an upload, 0: only the last
    DataTransfersApart apart;  //!< its data transfer processes, where it has them on other nodes
    uint64_t fileBytes{0};     //!< size of the file it serves
    Layout layout{};           //!< who carries which block (download)
    uint64_t blockBytes{1};    //!< payload of a block (download)
    uint64_t stripeBlock{1};   //!< of a blocked layout of stripes, unless OPTS says it, bytes
    SecuritySpec security;     //!< how channels are authenticated
    Time requestCpu;           //!< CPU time that it needs for each transfer command
};

/**
 * @ingroup gridftp
 * The server's side of one control connection: reads commands, answers, and tells its data transfer
 * processes what to do.
 *
 * Replies as the Grid Community Toolkit 6.2 server does, observed; any user and password are
 * welcome. A line that is no command gets 500 and nothing else happens. What comes while a transfer
 * is under way waits for its end, so that a client may say commands ahead (pipelining), but for
 * ABOR and QUIT, which end it, SBUF, and NOOP where nothing else waits.
 */
class ServerProtocolInterpreter : public Object, private DataTransferUser
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    ServerProtocolInterpreter();

    /**
     * Takes over an accepted control connection and greets.
     * @param settings of the server
     * @param socket the connection
     */
    void Start(const ServerSettings& settings, Ptr<Socket> socket);

    /** The server fails: resets the control connection and all data connections. */
    void Reset();

    /**
     * From now on it throws away what the client says, unanswered.
     * @param until when it listens again
     */
    void FallSilent(Time until);

    /** Final replies to transfers do not reach the client. @param until when */
    void LoseReplies(Time until)
    {
        m_repliesUntil = until;
    }

    /**
     * From now on it refuses whoever authenticates.
     * @param until when it does so no more
     */
    void RefuseClients(Time until);

    /** @return what it is doing */
    ServerState GetState() const;

    /** @return from its start to the end of the control connection, or until now */
    ServerSpan GetSpan() const;

    /** @return the data transfer process on its own node, for its counts and traces */
    Ptr<LocalDataTransfer> GetDataTransfer() const;

    /** @return receive buffers of its data connections so far, where windows move */
    BufferTally GetBufferTally() const;

    /**
     * The state has changed.
     * @param before the old one
     * @param now the new one
     */
    typedef void (*StateTracedCallback)(ServerState before, ServerState now);

  protected:
    void DoDispose() override;

  private:
    /** Changes the state. @param state the new one */
    void SetState(ServerState state);

    /** Answers. @param reply what to say */
    void Say(const Reply& reply);

    /** A line has come, which waits for its turn. @param line the line, or why it is none */
    void HandleLine(const TextResult<std::string>& line);

    /** Handles lines whose turn it is. */
    void HandleLines();

    /**
     * It does one thing at a time: lines wait while it computes, while the CPU has yet to get to a
     * transfer command, while data transfer processes are awaited, and in a transfer but for what
     * is about that: ABOR, QUIT and SBUF, and NOOP where nothing else waits.
     * @return the line whose turn it is; the end where all wait
     */
    std::deque<TextResult<std::string>>::const_iterator FindTurn() const;

    /** It is a line's turn. @param line the line, or why it is none */
    void Answer(const TextResult<std::string>& line);

    /** The control connection is gone. @param reason for a person */
    void HandleClosed(std::string reason);

    /** Executes a command whose turn it is. @param command the command */
    void Execute(const Command& command);

    /** @param command any, of a client that is not logged in @return whether it may say that */
    bool IsWelcome(const Command& command) const;

    /** AUTH, ADAT. @param command the command */
    void ExecuteSecurity(const Command& command);

    /** It has computed what it answers to that. @param reply the answer */
    void AnswerSecurity(const Reply& reply);

    /** DCAU. @param command the command */
    void ExecuteDataSecurity(const Command& command);

    /** USER, PASS. @param command the command */
    void ExecuteLogin(const Command& command);

    /** SITE. @param command the command */
    void ExecuteSite(const Command& command);

    /** SBUF. @param command the command */
    void ExecuteSetBuffer(const Command& command);

    /** SBUF as drsFTP has it, also while data flow. @param command the command */
    void ExecuteSizing(const Command& command);

    /** @param command any @return whether it is an SBUF as drsFTP has it, which this server knows
     */
    bool IsSizing(const Command& command) const;

    /** TYPE, MODE. @param command the command @param implemented letters */
    void ExecuteLetter(const Command& command, std::string_view implemented);

    /** ALLO. @param command the command */
    void ExecuteAllocate(const Command& command);

    /** OPTS. @param command the command */
    void ExecuteOptions(const Command& command);

    /** REST. @param command the command */
    void ExecuteRestart(const Command& command);

    /**
     * What REST has said is for the transfer that begins, and no other.
     * @param offset of the transfer in the file
     * @param bytes of it, as far as they are known
     * @return the ranges, or 501 where they are not of it
     */
    TextResult<MarkerRanges> TakeRestart(uint64_t offset, std::optional<uint64_t> bytes);

    /** PASV, SPAS. @param command the command */
    void ExecutePassive(const Command& command);

    /** PORT, SPOR. @param command the command */
    void ExecutePort(const Command& command);

    /** PBSZ. @param command the command */
    void ExecuteProtectionBuffer(const Command& command);

    /** PROT. @param command the command */
    void ExecuteProtection(const Command& command);

    /** STOR, ESTO, RETR, ERET, when the CPU is done with it. @param command the command */
    void ExecuteTransfer(const Command& command);

    /** STOR, ESTO. @param command the command */
    void ExecuteStore(const Command& command);

    /** RETR, ERET. @param command the command */
    void ExecuteRetrieve(const Command& command);

    /** ABOR. @param command the command */
    void ExecuteAbort(const Command& command);

    /** QUIT. @param command the command */
    void ExecuteQuit(const Command& command);

    // DataTransferUser
    void HandleListening(const std::vector<HostPort>& listeners) override;
    void HandleReady() override;
    void HandleBytes(uint32_t stripe, uint64_t bytes, bool endsRound) override;
    void HandleDone() override;
    void HandleTransferFailed(int code, std::string reason) override;

    /** The client has said nothing for too long. */
    void HandleIdle();

    /** All stripes of an upload have come: says how much. */
    void SayStored();

    /** @param stripe which one @param bytes that it has received @return the 112 */
    Reply MakeMarker(uint32_t stripe, uint64_t bytes) const;

    /** The control connection is no more. */
    void End();

    /** Lets go of the transfer under way and of all data connections. */
    void DropTransfer();

    ServerSettings m_settings;                                    //!< of the server
    Ptr<ControlChannel> m_control;                                //!< the control connection
    DataTransferGroup m_data;                                     //!< moves the data
    TracedValue<ServerState> m_state{ServerState::AWAITING_USER}; //!< what it is doing
    std::string m_user;                                           //!< name given with USER
    std::deque<TextResult<std::string>> m_lines;                  //!< whose turn has not come
    Verb m_passive{};                                             //!< PASV or SPAS, the last one
    bool m_listening{false};                                      //!< it is in force
    bool m_asksToListen{false};                                   //!< it is not answered yet
    std::vector<HostPort> m_peers;                                //!< PORT or SPOR in force
    std::optional<uint64_t> m_allocated;                          //!< bytes announced by ALLO
    MarkerRanges m_restart;                                       //!< said by REST, merged
    Command m_transfer;                                           //!< which began last
    uint64_t m_storeOffset{0}; //!< of the upload under way, in the file
    RetrieveOptions m_options; //!< set by OPTS RETR
    uint64_t m_transfers{0};   //!< those begun, for the random start jitter
    bool m_receives{false};    //!< the transfer that began last is an upload
    BufferSizer m_sizer;       //!< sizes the buffer of uploads
    SizingServer m_sizing;     //!< makes of SBUFs what a sender does
    EventId m_delayEvent;      //!< until the CPU is done with a transfer command
    bool m_hasPbsz{false};     //!< PBSZ has come
    StallTimer m_idle;         //!< the limit of its wait for a command
    uint64_t m_heard{0};       //!< lines that have come
    Time m_silentUntil;        //!< see FallSilent()
    Time m_begin;              //!< it was started
    Time m_end;                //!< the control connection was closed
    SecurityServer m_security; //!< its side of an authentication
    EventId m_computed;        //!< when it has computed what it answers to that
    Time m_refusesUntil;       //!< see RefuseClients()
    Time m_repliesUntil;       //!< see LoseReplies()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
