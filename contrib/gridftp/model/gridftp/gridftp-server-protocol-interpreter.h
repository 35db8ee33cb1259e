/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
#define GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H

#include "gridftp-buffer-sizer.h"
#include "gridftp-control-channel.h"
#include "gridftp-control-sizing.h"
#include "gridftp-data-receiver.h"
#include "gridftp-data-sender.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-value.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

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
    Ptr<Node> node;         //!< where it runs
    TypeId dataTcp;         //!< TCP of the data connections
    BufferSpec buffers;     //!< of the data connections; window until SBUF or SITE ...BUFSIZE
    uint64_t fileBytes{0};  //!< size of the file it serves
    Layout layout{};        //!< who carries which block (download)
    uint64_t blockBytes{1}; //!< payload of a block (download)
    StartJitter jitter;     //!< how late its data connections start (download)
    Time markerInterval;    //!< between two 112 markers of an upload; 0: only the last
};

/**
 * @ingroup gridftp
 * The server's side of one control connection: reads commands, answers, and drives its own data
 * transfer process.
 *
 * Replies as the Grid Community Toolkit 6.2 server does, observed; any user and password are
 * welcome. A line that is no command gets 500 and nothing else happens.
 */
class ServerProtocolInterpreter : public Object
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

    /** @return what it is doing */
    ServerState GetState() const;

    /** @return what sends its data, for its counts and traces */
    Ptr<DataSender> GetSender() const;

    /** @return what receives its data, for its traces and buffers */
    Ptr<DataReceiver> GetReceiver() const;

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

    /** A line has come. @param line the line, or why it is none */
    void HandleLine(const TextResult<std::string>& line);

    /** The control connection is gone. @param reason for a person */
    void HandleClosed(std::string reason);

    /** Executes a command whose turn it is. @param command the command */
    void Execute(const Command& command);

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

    /** PASV. */
    void ExecutePassive();

    /** PORT. @param command the command */
    void ExecutePort(const Command& command);

    /** STOR, ESTO. @param command the command */
    void ExecuteStore(const Command& command);

    /** RETR, ERET. @param command the command */
    void ExecuteRetrieve(const Command& command);

    /** ABOR. @param command the command */
    void ExecuteAbort(const Command& command);

    /** QUIT. @param command the command */
    void ExecuteQuit(const Command& command);

    /** The upload is complete. */
    void HandleReceived();

    /** The download is acknowledged. */
    void HandleSent();

    /** The transfer cannot go on. @param code 425 or 426 @param reason for a person */
    void HandleTransferFailed(int code, std::string reason);

    /** Lets go of the transfer under way and of all data connections. */
    void DropTransfer();

    /** Sends a 112 marker and schedules the next one. */
    void SendMarker();

    /** Says how much of an upload has come, reply 112. */
    void SayPerfMarker();

    ServerSettings m_settings;                                    //!< of the server
    Ptr<ControlChannel> m_control;                                //!< the control connection
    Ptr<DataReceiver> m_receiver;                                 //!< receives uploads
    Ptr<DataSender> m_sender;                                     //!< sends downloads
    TracedValue<ServerState> m_state{ServerState::AWAITING_USER}; //!< what it is doing
    std::string m_user;                                           //!< name given with USER
    bool m_listening{false};                                      //!< PASV in force
    bool m_hasPeer{false};                                        //!< PORT in force
    std::optional<uint64_t> m_allocated;                          //!< bytes announced by ALLO
    uint64_t m_storeOffset{0}; //!< of the upload under way, in the file
    uint32_t m_parallelism{1}; //!< set by OPTS RETR
    uint64_t m_retrieved{0};   //!< downloads begun, for the draw of the jitter
    bool m_receives{false};    //!< the transfer that began last is an upload
    EventId m_markerEvent;     //!< the next 112 marker
    BufferSizer m_sizer;       //!< sizes the buffer of uploads
    SizingServer m_sizing;     //!< makes of SBUFs what a sender does
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVER_PROTOCOL_INTERPRETER_H
