/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CLIENT_SESSION_H
#define GRIDFTP_CLIENT_SESSION_H

#include "gridftp-buffer-sizer.h"
#include "gridftp-checksum-task.h"
#include "gridftp-chunk-pipeline.h"
#include "gridftp-command-queue.h"
#include "gridftp-control-channel.h"
#include "gridftp-control-script.h"
#include "gridftp-control-sizing.h"
#include "gridftp-data-transfer-group.h"
#include "gridftp-rate-floor.h"
#include "gridftp-response-times.h"
#include "gridftp-result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Settings of a ClientSession. */
struct ClientSettings
{
    DataTransferSettings data{};  //!< of data connections
    HostPort server{};            //!< control port of the server; third party: of the receiving one
    HostPort sender{};            //!< third party: control port of the sending server
    std::string controlTcp{};     //!< congestion control of control connections
    Direction direction{};        //!< of the data
    DataChannels channels{};      //!< new data connections for each chunk, or persistent ones
    Layout layout{};              //!< which connection carries which block (upload)
    uint64_t blockBytes{1};       //!< payload of a block (upload)
    RemoteTransfers remote{};     //!< its data transfer processes, if they are on other hosts
    bool isStriped{false};        //!< client or server has several stripes: SPAS and SPOR
    StripeLayout stripeLayout{};  //!< which stripe has which part
    uint64_t stripeBlock{1};      //!< of a blocked layout, bytes
    size_t rttSamples{1};         //!< M
    size_t pipelining{1};         //!< most chunks requested at a time
    SecuritySpec security{};      //!< how channels are authenticated
    Nanoseconds keepalive{0};     //!< idle time after which it sends NOOP; 0: never
    int64_t minRateBps{0};        //!< rate below which it gives up, bit/s; 0: none
    Nanoseconds minRatePeriod{0}; //!< over which that rate is the mean
    bool resets{false};     //!< after any failure all connections are reset at once, since another
                            //!< attempt may follow
    bool checksSize{false}; //!< after an upload it asks the server for the size of the file
    bool opensEarly{false}; //!< the sender opens data connections when ESTO is sent, and does not
                            //!< await reply 150, which the server of GCT 6.2 sends when a data
                            //!< connection is there; the simulated client awaits 150
    bool endsStored{false}; //!< a download ends when its bytes are stored, which may be long after
                            //!< reply 226 where receive buffers are large; else with that reply,
                            //!< as in the papers
    std::string path{FILE_PATH};       //!< of the file at the server; third party: at the one that
                                       //!< receives
    std::string senderPath{FILE_PATH}; //!< third party: of the file at the server that sends
    ChecksumMaker makeChecksum{};      //!< of the client's own file, for CompareChecksums(); empty:
                                       //!< the file is simulated
};

/** @ingroup gridftp @brief What a ClientSession measured of one chunk. */
struct ChunkTimes
{
    Nanoseconds start{0};             //!< ESTO or ERET was sent
    Nanoseconds end{0};               //!< its final reply arrived
    double rttS{0};                   //!< R, s
    std::vector<int64_t> elapsedNs{}; //!< of each pair of stripes, where they have numbers of
                                      //!< connections of their own: from the order to send to the
                                      //!< last acknowledgement, as the sender reports it, ns
};

/**
 * @ingroup gridftp
 * The client's side of the control connections (user-PI of RFC 959): sends the commands of a
 * ControlScript, one at a time or, with pipelining, those of several chunks ahead of replies,
 * measures their response times, and gives orders to its data transfer processes. A third-party
 * transfer has two control connections, and its data connections are between both servers.
 *
 * Contract: the owner calls Start() once, then Transfer() for each chunk, then Quit(). Each of
 * these steps ends with HandleReady(). HandleFailed() comes at most once, and then nothing else.
 * The owner may call any function inside these calls, but may not destroy the session there.
 */
class ClientSession final : private DataTransferUser
{
  public:
    /** The owner of a session. */
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /** A step is complete. @param now current time */
        virtual void HandleReady(Nanoseconds now) = 0;

        /** ESTO or ERET of a chunk is about to be sent. @param now current time */
        virtual void HandleStarted(Nanoseconds now) = 0;

        /** It cannot go on. @param now current time @param reason for people */
        virtual void HandleFailed(Nanoseconds now, const std::string& reason) = 0;
    };

    /** @param hosts of the session; outlive it @param owner called; outlives it */
    ClientSession(const ChannelHosts& hosts, Owner& owner);
    ~ClientSession() override;

    ClientSession(const ClientSession&) = delete;
    ClientSession& operator=(const ClientSession&) = delete;

    /** Connects and logs in. @param now current time @param settings of the client */
    void Start(Nanoseconds now, const ClientSettings& settings);

    /** Sets the direction of the next chunks, over the same control connection. No chunk is under
     * way, and there is one server. @param direction upload or download */
    void SetDirection(Direction direction);

    /** Moves one chunk; with pipelining, one more. @param now current time @param chunk its index
     * @param offset of its first byte in the file @param bytes its size @param parallelism N @param
     * held of the file, within the chunk: what the receiver has already @param pairs N of each pair
     * of stripes, where they differ */
    void Transfer(Nanoseconds now,
                  uint64_t chunk,
                  uint64_t offset,
                  uint64_t bytes,
                  uint32_t parallelism,
                  const MarkerRanges& held = {},
                  const std::vector<uint32_t>& pairs = {});

    /** @param offset of a chunk in the file @param bytes its size @param parallelism N @param held
     * as in Transfer() @param pairs likewise @return what Transfer() would request */
    ChunkOrder MakeOrder(uint64_t offset,
                         uint64_t bytes,
                         uint32_t parallelism,
                         const MarkerRanges& held = {},
                         const std::vector<uint32_t>& pairs = {}) const;

    /** Counts the response times of the last chunk again, and measures R anew: a simulation has
     * found that the next chunk goes as the last one. No chunk is under way, and there is one
     * server. */
    void RepeatResponses();

    /** @return of the file: what the receiver has of the chunk that was under way at the failure,
     * as far as the client knows */
    const MarkerRanges& GetHeld() const
    {
        return m_held;
    }

    /** @param now current time @return bytes moved, as far as the client knows */
    uint64_t GetMoved(Nanoseconds now) const;

    /** @return chunks of Transfer() that are not complete */
    size_t GetChunks() const
    {
        return m_pipeline.GetSize();
    }

    /** Compares the checksums of both hosts, and fails if they differ. No chunk is under way.
     * @param now current time @param part of the file that was moved */
    void CompareChecksums(Nanoseconds now, const FileChunk& part);

    /** @return the checksum that both hosts have; none: CompareChecksums() is not complete */
    std::optional<ChecksumResult> GetChecksum() const;

    /** Logs out. @param now current time */
    void Quit(Nanoseconds now);

    /** Closes all connections and cancels all timers; the owner is not called any more. @param now
     * current time */
    void Abort(Nanoseconds now);

    /** Abort(), and releases the data transfer processes. @param now current time */
    void Dispose(Nanoseconds now);

    /** @return size of the file that a server reported last, bytes: the one that sends at the
     * login; with ClientSettings::checksSize, the one that stores at Quit(); none: none has
     * reported one */
    const std::optional<uint64_t>& GetFileBytes() const
    {
        return m_fileBytes;
    }

    /** @return measured of the chunk that was completed last */
    const ChunkTimes& GetChunkTimes() const
    {
        return m_times;
    }

    /** @return the data transfer process on the host of the client */
    LocalDataTransfer& GetDataTransfer()
    {
        return m_data.GetLocal();
    }

    /** @return the data transfer process on the host of the client */
    const LocalDataTransfer& GetDataTransfer() const
    {
        return m_data.GetLocal();
    }

    /** @return receive buffers of its data connections so far, where buffers are dynamic */
    BufferTally GetBufferTally() const;

  private:
    /** A control connection, and what the client knows of its server. */
    struct Dialogue
    {
        std::shared_ptr<ControlChannel> control; //!< the connection
        ReplyReader replies;                     //!< joins lines to replies
        ResponseTimes responses{1};              //!< response times of commands
        std::vector<int64_t> chunkResponses;     //!< of them, since the last Transfer(), ns
        CommandQueue sent;                       //!< commands without final replies
        bool isConnected{false};   //!< the client has begun to connect, and not closed
        bool isWaiting{false};     //!< a reply is due
        bool isGreeted{false};     //!< the first reply has arrived
        size_t repliesDue{0};      //!< after a failure: final replies to await before it closes
        uint32_t sizingsDue{0};    //!< replies to SBUFs sent while data flow
        uint32_t keepalivesDue{0}; //!< replies to NOOPs of KeepAlive()
        Nanoseconds lastSent{0};   //!< time of the last command
        HostAlarm keepalive;       //!< the next KeepAlive()
    };

    /** @return whether there are two servers */
    bool IsThirdParty() const
    {
        return m_settings.direction == Direction::THIRD_PARTY;
    }

    /** @param peer a server @return the connection to it */
    Dialogue& Of(Peer peer)
    {
        return m_dialogues[IsThirdParty() ? static_cast<size_t>(peer) : 0];
    }

    /** @param peer a server @return the connection to it */
    const Dialogue& Of(Peer peer) const
    {
        return m_dialogues[IsThirdParty() ? static_cast<size_t>(peer) : 0];
    }

    /** @param peer role of a server when the client connected to it @return its present role */
    Peer GetPresentRole(Peer peer) const
    {
        const bool isUpload = m_settings.direction == Direction::UPLOAD;
        return IsThirdParty() ? peer : isUpload ? Peer::RECEIVER : Peer::SENDER;
    }

    /** Opens a control connection. @param now current time @param peer to which server */
    void Connect(Nanoseconds now, Peer peer);

    /** Sends the next command of the script, with pipelining all that may be sent, or ends the
     * step. @param now current time */
    void Advance(Nanoseconds now);

    /** @return whether nothing is left to send, and no reply is due */
    bool IsStepOver() const;

    /** @return whether commands of transfers are sent ahead of replies */
    bool IsPipelining() const
    {
        return m_settings.pipelining > 1;
    }

    /** @return whether the next command may be sent before the last one is answered */
    bool MaySendMore() const;

    /** Sends the next command, if it may be sent and needs no computation. @param now current time
     * @return whether it was sent */
    bool SendNext(Nanoseconds now);

    /** Sends the next command, which is computed. @param now current time */
    void SendComputed(Nanoseconds now);

    /** @return the state that decides, with pipelining, whether a command may be sent */
    AheadState GetAheadState() const;

    /** Begins the next chunk, if its first transfer command is sent. @param now current time */
    void BeginChunk(Nanoseconds now);

    /** @return R, s */
    double GetRttS() const;

    /** Sends the data of the chunk under way, or has the other server do so. @param now current
     * time
     */
    void OpenChunk(Nanoseconds now);

    /** Receives the next chunk of a download, if it is due. @param now current time */
    void ExpectNext(Nanoseconds now);

    /** @param chunk any @return the order to send it */
    SendOrder MakeSendOrder(const PipelinedChunk& chunk) const;

    /** Sends a command. @param now current time @param line of the script */
    void Send(Nanoseconds now, const ScriptLine& line);

    /** A line has arrived. @param now current time @param peer from which server @param line or why
     * it is none */
    void HandleLine(Nanoseconds now, Peer peer, const TextResult<std::string>& line);

    /** A control connection is lost. @param now current time @param peer whose @param reason for
     * people */
    void HandleClosed(Nanoseconds now, Peer peer, const std::string& reason);

    /** A reply has arrived. @param now current time @param peer from which server @param reply the
     * reply */
    void HandleReply(Nanoseconds now, Peer peer, const Reply& reply);

    /** A reply has arrived that may be about buffers, while data flow. @param now current time
     * @param peer from which server @param reply the reply @return whether it is */
    bool HandleSizing(Nanoseconds now, Peer peer, const Reply& reply);

    /** A server reports the size of its receive buffer. @param now current time @param message of
     * it */
    void HandleSizingNotice(Nanoseconds now, const SizingMessage& message);

    /** An SBUF is answered. @param now current time @param peer by which server @param message of
     * the answer */
    void HandleSizingAnswer(Nanoseconds now, Peer peer, const SizingMessage& message);

    /** Sends SBUF. @param now current time @param peer to which server @param message of it */
    void SendSizing(Nanoseconds now, Peer peer, const SizingMessage& message);

    /** A preliminary reply to ESTO or ERET. @param now current time @param peer from which server
     * @param reply code 1xx */
    void HandlePreliminary(Nanoseconds now, Peer peer, const Reply& reply);

    /** A final reply to a command. @param now current time @param peer from which server @param
     * sent the command @param reply code 2xx or 3xx */
    void HandleFinal(Nanoseconds now, Peer peer, const SaidCommand& sent, const Reply& reply);

    /** The server listens. @param now current time @param verb PASV or SPAS @param reply to it
     * @return whether it contains addresses */
    bool HandlePassive(Nanoseconds now, Verb verb, const Reply& reply);

    /** A server reports which ranges it has. @param reply 111 */
    void HandleRangeMarker(const Reply& reply);

    /** Sends NOOP, if the connection is idle. @param now current time @param peer to which server
     */
    void KeepAlive(Nanoseconds now, Peer peer);

    /** @param dialogue with a server @param reply from it @return whether it answers a NOOP of
     * KeepAlive() */
    static bool IsKeepaliveReply(const Dialogue& dialogue, const Reply& reply);

    /** Gives up if the transfer is too slow. @param now current time */
    void CheckRate(Nanoseconds now);

    /** Schedules CheckReplies(). @param now current time @param later after which time, ns */
    void ScheduleCheck(Nanoseconds now, Nanoseconds later);

    /** Gives up if a reply has been due for too long. @param now current time */
    void CheckReplies(Nanoseconds now);

    /** @return whether a final reply is due, and not the end of its own data transfer processes */
    bool IsWaiting() const;

    /** @return why it fails that a reply has been due for too long */
    std::string MakeStallReason() const;

    /** @return whether final replies to a transfer or to ABOR are due */
    bool IsReplyDue() const;

    /** It cannot go on: ends what is under way at both servers of a third-party transfer, then
     * fails. @param now current time @param reason for people */
    void GiveUp(Nanoseconds now, const std::string& reason);

    /** Ends what is under way at a server (RFC 959, Section 4.1.3), or closes the connection.
     * @param now current time @param dialogue with it */
    void AbortTransfer(Nanoseconds now, Dialogue& dialogue);

    /** A reply has arrived after GiveUp(). @param now current time @param peer from which server */
    void HandleReplyAfterFailure(Nanoseconds now, Peer peer);

    /** Finishes chunks that have all final replies and, where it is due, the end of its own data
     * transfer processes. @param now current time */
    void FinishChunks(Nanoseconds now);

    /** The chunk under way is complete. @param now current time */
    void FinishChunk(Nanoseconds now);

    /** The client has the checksum of its own file. @param now current time @param value of it, or
     * an error */
    void HandleOwnChecksum(Nanoseconds now, const TextResult<uint32_t>& value);

    /** A server has answered CKSM. @param now current time @param peer which server @param reply
     * 213 @return whether the session goes on */
    bool HandleChecksumReply(Nanoseconds now, Peer peer, const Reply& reply);

    /** Compares a checksum with that of the other host, if that is known. @param now current time
     * @param end the host with the file @param value of the checksum @return whether the session
     * goes on */
    bool TakeChecksum(Nanoseconds now, Peer end, uint32_t value);

    /** @return how long a reply may be due, ns */
    Nanoseconds GetReplyLimit() const;

    /** The server that sends has finished. @param now current time @param reply 226 @return whether
     * it contains the times of pairs of stripes, where they are due */
    bool TakePairTimes(Nanoseconds now, const Reply& reply);

    // DataTransferUser
    void HandleListening(Nanoseconds now, const std::vector<HostPort>& listeners) override;
    void HandleDone(Nanoseconds now) override;
    void HandleTransferFailed(Nanoseconds now, const TransferFailure& failure) override;

    /** It cannot go on. @param now current time @param reason for people */
    void Fail(Nanoseconds now, const std::string& reason);

    ClientSettings m_settings;               //!< of the client
    ChannelHosts m_hosts;                    //!< of the session
    Owner* m_owner;                          //!< called; null after a failure
    std::array<Dialogue, PEERS> m_dialogues; //!< by Peer; with one server, the first one alone
    DataTransferGroup m_data;                //!< sends uploads, receives downloads
    ControlScript m_script;                  //!< commands to send
    ChunkPipeline m_pipeline{Direction()};   //!< chunks of Transfer()
    bool m_hasAddress{false};                //!< PASV or PORT is in force
    bool m_isTransferring{false};            //!< between ESTO or ERET and the end of the chunk
    bool m_hasGivenUp{false};                //!< see GiveUp()
    std::string m_reason;                    //!< why
    Nanoseconds m_ownDue{0};                 //!< how long it waits for the server's reason
    std::string m_ownFailure;                //!< why its own data transfer process has failed
    MarkerRanges m_held;                     //!< see GetHeld()
    std::optional<uint64_t> m_fileBytes;     //!< see GetFileBytes()
    Nanoseconds m_lastLine{0};               //!< time of the last line, in either direction
    HostAlarm m_replyCheck;                  //!< the next CheckReplies()
    RateFloor m_floor;                       //!< least rate that it accepts
    HostAlarm m_rateCheck;                   //!< the next CheckRate()
    HostAlarm m_computed;                    //!< SendComputed()
    ChunkOrder m_chunk;                      //!< the last chunk, for the script
    ChunkTimes m_times;                      //!< measured of the chunk under way
    BufferSizer m_sizer;                     //!< sizes the buffer of downloads
    ChecksumTask m_ownChecksum;              //!< of the client's own file
    std::array<std::optional<uint32_t>, PEERS> m_checksums; //!< of the file at each end, by Peer
    Nanoseconds m_checksumBegin{0};                         //!< CompareChecksums() was called
    Nanoseconds m_checksumEnd{0};                           //!< the last checksum was known
    Nanoseconds m_checksumPatience{0}; //!< how much longer than other replies those to CKSM may
                                       //!< take
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CLIENT_SESSION_H
