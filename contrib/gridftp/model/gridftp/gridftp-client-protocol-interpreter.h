/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CLIENT_PROTOCOL_INTERPRETER_H
#define GRIDFTP_CLIENT_PROTOCOL_INTERPRETER_H

#include "gridftp-buffer-sizer.h"
#include "gridftp-chunk-pipeline.h"
#include "gridftp-command-queue.h"
#include "gridftp-control-channel.h"
#include "gridftp-control-script.h"
#include "gridftp-control-sizing.h"
#include "gridftp-data-transfer-group.h"
#include "gridftp-rate-floor.h"
#include "gridftp-response-times.h"

#include "ns3/address.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/type-id.h"

#include <array>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a client gives its protocol interpreter. */
struct ClientSettings
{
    DataTransferSettings data;   //!< of data connections
    Address server;              //!< control port of the server; third party: of the receiving one
    Address sender;              //!< third party: control port of the sending server
    TypeId controlTcp;           //!< TCP of the control connection
    Direction direction{};       //!< which way the file goes
    DataChannels channels{};     //!< fresh or cached
    Layout layout{};             //!< who carries which block (upload)
    uint64_t blockBytes{1};      //!< payload of a block (upload)
    DataTransfersApart apart;    //!< its data transfer processes, where it has them on other nodes
    bool isStriped{false};       //!< one end has several stripes: it says SPAS and SPOR
    StripeLayout stripeLayout{}; //!< which stripe has which part
    uint64_t stripeBlock{1};     //!< of a blocked layout, bytes
    size_t rttSamples{1};        //!< M
    size_t pipelining{1};        //!< chunks asked for at a time
    SecuritySpec security;       //!< how channels are authenticated
    Time keepalive;              //!< after which it sends NOOP; 0: never
    int64_t minRateBps{0};       //!< below which it gives up, bit/s; 0: at none
    Time minRatePeriod;          //!< over which that is the mean
    bool resets{false};          //!< whatever fails, all connections are reset at once: another try
                                 //!< may follow
};

/** @ingroup gridftp @brief What the interpreter measured of one chunk. */
struct ChunkTimes
{
    Time start;                     //!< ESTO or ERET sent
    Time end;                       //!< its final reply received
    double rttS{0};                 //!< R, s
    std::vector<int64_t> elapsedNs; //!< of each pair of stripes, where they have numbers of
                                    //!< connections of their own: from the order to send to the
                                    //!< last acknowledgement, as the end that sends has told, ns
};

/**
 * @ingroup gridftp
 * The client's side of the control connections: speaks commands in the order of the core's script,
 * one at a time or, with pipelining, those of several chunks ahead of replies, measures their
 * response times, and tells its own data transfer processes what to do. In a third-party transfer
 * there are two connections, and they are not its own.
 *
 * The owner calls Start() once; each step ends with one call back: Ready after the login, after
 * each Transfer() and after Quit(), or Failed, once, after which nothing comes any more.
 */
class ClientProtocolInterpreter : public Object, private DataTransferUser
{
  public:
    /** The step is complete. */
    using ReadyCallback = Callback<void>;

    /** ESTO or ERET is about to be sent. */
    using StartedCallback = Callback<void>;

    /** It cannot go on; the reason for a person. */
    using FailedCallback = Callback<void, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    ClientProtocolInterpreter();

    /**
     * Connects and logs in.
     * @param settings of the client
     * @param ready called when a step is complete
     * @param started called when the transfer of a chunk starts
     * @param failed called when it cannot go on
     */
    void Start(const ClientSettings& settings,
               ReadyCallback ready,
               StartedCallback started,
               FailedCallback failed);

    /**
     * The next chunks go in this direction, over the same control connection. No chunk is asked for
     * now, and it has one server.
     * @param direction upload or download
     */
    void SetDirection(Direction direction);

    /**
     * Moves one chunk, or, with pipelining, one more.
     * @param chunk its index
     * @param offset of its first byte in the file
     * @param bytes its size
     * @param parallelism N
     * @param held of the file, within the chunk: what the receiver has of it already
     * @param pairs N of each pair of stripes, where they differ
     */
    void Transfer(uint64_t chunk,
                  uint64_t offset,
                  uint64_t bytes,
                  uint32_t parallelism,
                  const MarkerRanges& held = {},
                  const std::vector<uint32_t>& pairs = {});

    /** @return of the file: what the receiver has of the chunk that was under way when it failed,
     * as far as it is known here */
    const MarkerRanges& GetHeld() const
    {
        return m_held;
    }

    /** @return chunks of Transfer() that are not complete */
    size_t GetChunks() const
    {
        return m_pipeline.GetSize();
    }

    /** Says goodbye. */
    void Quit();

    /** Gives up: closes all connections, cancels what is scheduled, calls nothing back. */
    void Abort();

    /** @return what was measured of the chunk that was complete last */
    const ChunkTimes& GetChunkTimes() const;

    /** @return the data transfer process on its own node, for its counts and traces */
    Ptr<LocalDataTransfer> GetDataTransfer() const;

    /** @return receive buffers of its data connections so far, where windows move */
    BufferTally GetBufferTally() const;

  protected:
    void DoDispose() override;

  private:
    /** A control connection, and what the client knows of the server behind it. */
    struct Dialogue
    {
        Ptr<ControlChannel> control; //!< the connection
        ReplyReader replies;         //!< puts lines together
        ResponseTimes responses{1};  //!< response times of commands
        CommandQueue said;           //!< commands without final replies
        bool connected{false};       //!< the client has begun to connect, and not closed
        bool waiting{false};         //!< a reply is awaited
        bool greeted{false};         //!< the first one has come
        size_t owed{0};              //!< when it gives up: final replies to come before it closes
        uint32_t sizingsOwed{0};     //!< replies to SBUFs of while data flow to come
        uint32_t alivesOwed{0};      //!< replies to NOOPs of KeepAlive() to come
        Time lastSaid;               //!< when the client said anything
        EventId alive;               //!< the next KeepAlive()
    };

    /** @return whether it has two servers; else it has one, in whichever direction the file goes */
    bool IsThirdParty() const
    {
        return m_settings.direction == Direction::THIRD_PARTY;
    }

    /** @param peer a server @return the connection to it */
    Dialogue& Of(Peer peer)
    {
        return m_dialogues[IsThirdParty() ? static_cast<size_t>(peer) : 0];
    }

    /** @param peer what a server does with the data @return the connection to it */
    const Dialogue& Of(Peer peer) const
    {
        return m_dialogues[IsThirdParty() ? static_cast<size_t>(peer) : 0];
    }

    /** @param peer what a server did when the client connected to it @return what it does now */
    Peer GetPeerNow(Peer peer) const
    {
        const bool isUpload = m_settings.direction == Direction::UPLOAD;
        return IsThirdParty() ? peer : isUpload ? Peer::RECEIVER : Peer::SENDER;
    }

    /** Opens a control connection. @param peer to which server */
    void Connect(Peer peer);

    /** Sends the next command of the script, with pipelining all that may be said, or ends the
     * step. */
    void Advance();

    /** @return whether nothing is left to say or to come */
    bool IsStepOver() const;

    /** @return whether commands of transfers are said ahead of replies */
    bool IsPipelining() const
    {
        return m_settings.pipelining > 1;
    }

    /** Sends the next command, if it may be said and nothing is to be computed for it. @return
     * whether it was */
    bool SayNext();

    /** Sends the next command of the script, for which all is computed. */
    void SayComputed();

    /** @return what of the dialogues decides that, with pipelining */
    AheadState GetAheadState() const;

    /** The chunk under way begins, if it has not and its first transfer command is said. */
    void BeginChunk();

    /** Receives the next chunk of a download, if it is to. */
    void ExpectNext();

    /** @param chunk any @return the same, as its sender knows it */
    SendOrder MakeSendOrder(const PipelinedChunk& chunk) const;

    /** Sends a command. @param line of the script */
    void Say(const ScriptLine& line);

    /** A control connection is refused. @param peer whose @param socket the socket */
    void HandleRefused(Peer peer, Ptr<Socket> socket);

    /** A line has come. @param peer from which server @param line the line, or why it is none */
    void HandleLine(Peer peer, const TextResult<std::string>& line);

    /** A control connection is gone. @param peer whose @param reason for a person */
    void HandleClosed(Peer peer, const std::string& reason);

    /** A reply has come. @param peer from which server @param reply the reply */
    void HandleReply(Peer peer, const Reply& reply);

    /**
     * A reply has come that may speak of buffers, while data flow.
     * @param peer from which server
     * @param reply the reply
     * @return whether it does, and all is done
     */
    bool HandleSizing(Peer peer, const Reply& reply);

    /** A server tells of its receive buffer. @param message by which */
    void HandleSizingNotice(const SizingMessage& message);

    /** An SBUF has been answered. @param peer by which server @param message the answer */
    void HandleSizingAnswer(Peer peer, const SizingMessage& message);

    /** Says SBUF. @param peer to which server @param message what */
    void SaySizing(Peer peer, const SizingMessage& message);

    /** A preliminary reply to ESTO or ERET. @param peer from which server @param reply code 1xx */
    void HandlePreliminary(Peer peer, const Reply& reply);

    /** A final reply to a command. @param peer from which server @param said the command @param
     * reply code 2xx or 3xx */
    void HandleFinal(Peer peer, const SaidCommand& said, const Reply& reply);

    /** The server listens. @param verb PASV or SPAS @param reply to it @return whether it says
     * where */
    bool HandlePassive(Verb verb, const Reply& reply);

    /** A server tells which ranges it has. @param reply 111 */
    void HandleRangeMarker(const Reply& reply);

    /** Says NOOP, if that keeps a connection alive. @param peer to which server */
    void KeepAlive(Peer peer);

    /** @param dialogue with a server @param reply from it @return whether it answers a NOOP of
     * KeepAlive() */
    static bool IsAlive(const Dialogue& dialogue, const Reply& reply);

    /** @return bytes that it knows of */
    uint64_t GetMoved() const;

    /** Looks whether it is too slow. */
    void CheckRate();

    /** Looks, some time later, whether a reply has been awaited for too long. @param later when */
    void ScheduleLook(Time later);

    /** Looks. */
    void Look();

    /** @return whether a final reply to what is under way at its servers is awaited, and not its
     * own data transfer processes */
    bool IsWaiting() const;

    /** @return why it fails that a reply is awaited for too long */
    std::string MakeStallReason() const;

    /** @return whether final replies to a transfer or to an ABOR have yet to come */
    bool IsOwed() const;

    /** It cannot go on: ends what is under way at both servers of a third-party transfer, then
     * fails. @param reason for a person */
    void GiveUp(const std::string& reason);

    /** Ends what is under way at a server, RFC 959, Section 4.1.3, or closes the connection. @param
     * dialogue with it */
    void AbortTransfer(Dialogue& dialogue);

    /** A reply has come while it gives up. @param peer from which server @param reply the reply */
    void HandleReplyWhileGivingUp(Peer peer, const Reply& reply);

    /** Finishes chunks of which the final replies and, where it is awaited, its own end of the data
     * are there. */
    void FinishChunks();

    /** The chunk under way is complete. */
    void FinishChunk();

    /** The server that sends is done. @param reply 226 @return whether it tells the times of pairs
     * of stripes, where it is to */
    bool TakePairTimes(const Reply& reply);

    // DataTransferUser
    void HandleListening(const std::vector<HostPort>& listeners) override;
    void HandleDone() override;
    void HandleTransferFailed(int code, std::string reason) override;

    /** It cannot go on. @param reason for a person */
    void Fail(const std::string& reason);

    ClientSettings m_settings;               //!< of the client
    ReadyCallback m_ready;                   //!< owner's callback
    StartedCallback m_started;               //!< owner's callback
    FailedCallback m_failed;                 //!< owner's callback
    std::array<Dialogue, PEERS> m_dialogues; //!< by Peer; the first one alone with one server
    DataTransferGroup m_data;                //!< sends uploads, receives downloads
    ControlScript m_script;                  //!< commands still to say
    ChunkPipeline m_pipeline{Direction()};   //!< chunks of Transfer()
    bool m_hasAddress{false};                //!< PASV or PORT in force
    bool m_transferring{false};              //!< between ESTO or ERET and the end of the chunk
    bool m_givesUp{false};                   //!< see GiveUp()
    std::string m_reason;                    //!< why
    Time m_ownDue;                           //!< until when it waits for the server's word on that
    std::string m_ownFailure;                //!< why its own end of the data has failed
    MarkerRanges m_held;                     //!< see GetHeld()
    Time m_lastWord;                         //!< when a line came or was said last
    EventId m_look;                          //!< the next Look()
    RateFloor m_floor;                       //!< the least rate that it accepts
    EventId m_rateLook;                      //!< the next CheckRate()
    EventId m_computed;                      //!< SayComputed(), when that is computed
    ChunkOrder m_chunk;                      //!< the last of them, as the script knows it
    ChunkTimes m_times;                      //!< measured of the one under way
    BufferSizer m_sizer;                     //!< sizes the buffer of downloads
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CLIENT_PROTOCOL_INTERPRETER_H
