/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_SCRIPT_H
#define GRIDFTP_CONTROL_SCRIPT_H

#include "gridftp-checksum-text.h"
#include "gridftp-control-text.h"
#include "gridftp-handshake.h"
#include "gridftp-module-text.h"
#include "gridftp-scenario.h"
#include "gridftp-stripe-text.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a client says, to whom, in which order: as the Grid Community Toolkit 6.2 client does,
 * observed. Both engines follow it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The file that every transfer moves. */
inline constexpr std::string_view FILE_PATH = "/data/file";

/**
 * @ingroup gridftp
 * TCP window of control connections, bytes: like a real client's, it does not follow the buffers
 * asked for the data connections, however small.
 */
inline constexpr uint32_t CONTROL_WINDOW = 65536;

/**
 * @ingroup gridftp
 * @param verb a command
 * @return whether its response time is a sample of R: the server answers it at once (Ito et al.,
 *         Sec. 3.3)
 */
bool IsTimedVerb(Verb verb);

/** @ingroup gridftp @param verb a command @return whether a transfer begins with it */
bool IsTransferVerb(Verb verb);

/**
 * @ingroup gridftp
 * Pipelining is of the commands of transfers, as with globus-url-copy -pp and with
 * globus_ftp_client_handleattr_set_pipeline() of the Grid Community Toolkit (Bresnahan et al.,
 * "GridFTP Pipelining", TeraGrid 2007): many transfers are asked for before any one completes. What
 * logs in, agrees on an address or says goodbye waits for all replies, as everything waits for it.
 *
 * @param verb a command
 * @return whether a client with pipelining says it before the command before it has its final reply
 */
bool IsSaidAhead(Verb verb);

/** @ingroup gridftp @brief A server, by what it does with the data. */
enum class Peer : uint8_t
{
    RECEIVER, //!< stores it: the server of an upload
    SENDER    //!< retrieves it: the server of a download
};

/** @ingroup gridftp @brief How many there can be. */
inline constexpr size_t PEERS = 2;

/** @ingroup gridftp @param direction of the data @return the servers, in the order of the login */
std::vector<Peer> ListPeers(Direction direction);

/**
 * @ingroup gridftp
 * @param direction of the data of a session
 * @param server one of its servers, as a fault names it
 * @return which it is
 */
Peer FindPeer(Direction direction, FaultServer server);

/**
 * @ingroup gridftp
 * @param direction of the data
 * @param peer one of its servers
 * @return what messages call it: "receiver" or "sender" where there are both, else "server"
 */
std::string_view GetPeerName(Direction direction, Peer peer);

/**
 * @ingroup gridftp
 * @param direction of the data
 * @param peer one of its servers
 * @param reason what is wrong with the control connection to it
 * @return the reason, which names the server where there are two
 */
std::string NameControlFailure(Direction direction, Peer peer, std::string_view reason);

/** @ingroup gridftp @brief What the commands of a login depend on. */
struct LoginOrder
{
    uint64_t windowBytes{0}; //!< W, asked of the server; 0: not asked
    Protection protection{}; //!< of data channels: said with PBSZ and PROT where it is not clear
    SecuritySpec security{}; //!< how channels are authenticated
    std::string path{FILE_PATH}; //!< of the file whose size the client asks a server that sends
};

/** @ingroup gridftp @param buffers of a session @param security of it @return what its login
 * depends on */
LoginOrder MakeLoginOrder(const BufferSpec& buffers, const SecuritySpec& security);

/**
 * @ingroup gridftp
 * @param peer a server
 * @param order what they depend on
 * @return the commands from USER to the setting of the server's socket buffer
 */
std::vector<Command> LoginCommands(Peer peer, const LoginOrder& order);

/** @ingroup gridftp @brief What the commands of one chunk depend on. */
struct ChunkOrder
{
    Direction direction{};   //!< which way the file goes
    uint64_t offset{0};      //!< of the first byte in the file
    uint64_t bytes{0};       //!< of the chunk
    uint32_t parallelism{1}; //!< N
    bool newAddress{true};   //!< data connections need an address agreed first
    bool isStriped{false};   //!< it is said with SPAS and SPOR; N is of each pair of stripes
    StripeOption stripe{};   //!< which stripe has which part, then
    std::vector<HostPort> listeners{}; //!< where the client listens (download with a new address)
    MarkerRanges held{};   //!< of the file, within the chunk, that the receiver has, for REST
    ModuleCall retrieve{}; //!< what ERET has make something else of the file
    ModuleCall store{};    //!< likewise ESTO
    std::vector<uint32_t> pairs{};     //!< N of each pair of stripes, where they differ
    std::string path{FILE_PATH};       //!< of the file; third party: at the server that receives
    std::string senderPath{FILE_PATH}; //!< third party: of the file at the server that sends
};

/** @ingroup gridftp @param session a session with stripes @return what OPTS RETR says of them */
StripeOption GetStripeOption(const SessionSpec& session);

/** @ingroup gridftp @brief A command, and which server it is for. */
struct ScriptLine
{
    Peer peer{};          //!< which server
    Command command;      //!< what to say
    HandshakeWork work{}; //!< what the client computes before
};

/** @ingroup gridftp @brief What decides whether a client with pipelining may say a command. */
struct AheadState
{
    bool isQuiet{true};   //!< every command that was said has its final reply
    bool isBarred{false}; //!< one that has none is not of those that others follow, IsSaidAhead()
    bool maySend{true};   //!< ERET may be said, ChunkPipeline::MaySend()
};

/**
 * @ingroup gridftp
 * The commands that a client has yet to say. It says one at a time, when the one before has had its
 * final reply; ESTO of a third-party transfer is the one that is followed at its reply 150, by
 * ERET. With pipelining it says those of transfers as soon as they are here, TakeAhead().
 */
class ControlScript
{
  public:
    /** @param direction of the data @param order what it depends on */
    void AddLogin(Direction direction, const LoginOrder& order);

    /**
     * The commands of a chunk. An upload with a new address begins with PASV or SPAS, whose reply
     * names where the server listens; a third-party transfer passes that on with PORT or SPOR.
     * @param order the chunk
     */
    void AddChunk(const ChunkOrder& order);

    /** Asks a server for the size of a file. @param peer which server @param path of the file */
    void AddSize(Peer peer, const std::string& path);

    /** Asks a server for the checksum of a file. @param peer which server @param order of which
     * bytes */
    void AddChecksum(Peer peer, const ChecksumOrder& order);

    /** The goodbyes. @param direction of the data */
    void AddQuit(Direction direction);

    /** PASV or SPAS has been answered. @param listeners where the receiver listens, by stripe */
    void SetListeners(const std::vector<HostPort>& listeners);

    /** @return whether nothing is left to say */
    bool IsEmpty() const
    {
        return m_lines.empty();
    }

    /** @return the next line; there must be one */
    const ScriptLine& GetNext() const
    {
        return m_lines.front();
    }

    /** @return the next line, which is taken off; there must be one */
    ScriptLine Take();

    /**
     * With pipelining: each server is told its commands in order. ERET of a third-party transfer
     * waits for reply 150 to its ESTO, so that no data come where none are expected, and what is
     * for the other server goes past it.
     *
     * @param state of the dialogues
     * @return the next line, which is taken off; none where all have to wait
     */
    std::optional<ScriptLine> TakeAhead(const AheadState& state);

    /** Says no more. */
    void Clear()
    {
        m_lines.clear();
    }

  private:
    std::deque<ScriptLine> m_lines; //!< in order
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_SCRIPT_H
