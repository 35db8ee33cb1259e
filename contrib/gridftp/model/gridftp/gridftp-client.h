/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CLIENT_H
#define GRIDFTP_CLIENT_H

#include "gridftp-chunk-segments.h"
#include "gridftp-client-protocol-interpreter.h"
#include "gridftp-file-set.h"
#include "gridftp-pair-tuning.h"
#include "gridftp-result.h"
#include "gridftp-retry-schedule.h"
#include "gridftp-secured-application.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-tuner.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a client is doing. */
enum class ClientState
{
    IDLE,         //!< not started
    LOGGING_IN,   //!< from the connection to the last login command
    TRANSFERRING, //!< chunk after chunk
    QUITTING,     //!< QUIT is under way
    DONE,         //!< the whole file has been moved
    FAILED,       //!< it could not go on, or was stopped
    WAITING       //!< for its next try
};

/**
 * @ingroup gridftp
 * A GridFTP client that moves one file in chunks and lets a tuner choose the parallelism of each
 * (Ito et al., Sec. 3).
 *
 * Here measuring, deciding and acting meet: the protocol interpreter acts and measures T and R, the
 * tuner decides, and the client keeps the record. Nothing that the tuner sees comes from
 * the simulator.
 */
class Client : public SecuredApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    Client();
    ~Client() override;

    /** @param addresses of the DataTransferProcesses that it has in place of one on its node, by
     * stripe; before it starts */
    void SetDataTransferProcesses(const std::vector<Address>& addresses);

    /** @param files that it moves, in place of those of its attributes; before it starts */
    void SetFiles(FileSequence files);

    /** @return the files that are complete */
    const std::vector<FileRecord>& GetFiles() const;

    /** Counts over the data connections of each pair of stripes so far. */
    using SendersCallback = Callback<std::vector<ConnectionTotals>>;

    /** @param count what the hosts that send tell after each chunk, where others than the client
     * do; without it a tuner hears of no losses there (ChunkSample); before it starts */
    void SetSenders(SendersCallback count);

    /** @param ranges of the file, of MergeRanges(), that the receiver has already; before it starts
     */
    void SetRestart(const MarkerRanges& ranges);

    /**
     * The data transfer process on its own node is killed.
     * @param duration after which it is there again; 0: never
     */
    void KillDataTransfer(Time duration);

    /**
     * A foreign host connects to its data port, if that is open, and closes.
     * @param duration after which it closes; 0: never
     */
    void AcceptForeign(Time duration);

    /**
     * A data connection that it has accepted is reset from within its host.
     * @param socket the connection
     */
    void BreakAccepted(Ptr<Socket> socket);

    /**
     * A data connection that it sends on is reset from within its host.
     * @param connection index among the connections of all stripes
     */
    void BreakOpened(uint32_t connection);

    /** @return bytes of chunks, complete or not, that it has stored on its own node */
    uint64_t GetStoredBytes() const;

    /** @return its new tries so far */
    const std::vector<RestartResult>& GetRestarts() const
    {
        return m_restarts;
    }

    /** @return of the file: what the receiver has, as far as it is known here */
    MarkerRanges FindHeld() const;

    /** @return what it is doing */
    ClientState GetState() const;

    /** @return why it failed; empty unless it did */
    const std::string& GetReason() const;

    /**
     * @return the record so far, with the reason while it is not done; the counts cover data
     *         connections on which it sends (upload)
     */
    SessionResult GetResult() const;

    /** @return counts over the data connections that it sent on (upload), by receiver, in the order
     * of StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return receive buffers of data connections on which it receives (download) */
    BufferTally GetBufferTally() const;

    int64_t AssignStreams(int64_t stream) override;

    /**
     * The first transfer command of a chunk, ESTO or ERET, is about to be sent.
     * @param index of the chunk
     */
    typedef void (*StartedTracedCallback)(uint64_t index);

    /**
     * A chunk is complete and the parallelism adjusted.
     * @param record of the chunk
     */
    typedef void (*ChunkTracedCallback)(const ChunkRecord& record);

    /**
     * The state has changed.
     * @param before the old one
     * @param now the new one
     */
    typedef void (*StateTracedCallback)(ClientState before, ClientState now);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** Connects and logs in. */
    void StartTry();

    /** @return what its protocol interpreter is given */
    ClientSettings MakeSettings() const;

    /** @return protocol interpreters of all tries, the last one included */
    std::vector<Ptr<ClientProtocolInterpreter>> ListInterpreters() const;

    /** Goes on to the next chunk that the receiver has not as a whole. */
    void SkipHeldChunks();

    /** Changes the state; an illegal change is fatal. @param state the new one */
    void SetState(ClientState state);

    /** Asks for chunks, as many as may be at a time, or says goodbye after the last. */
    void TransferNext();

    /** @return whether there is another chunk; its file begins with it */
    bool HasNext();

    /** A step of the interpreter is complete. */
    void HandleReady();

    /** The interpreter starts the transfer of a chunk. */
    void HandleStarted();

    /** The interpreter cannot go on. @param reason for a person */
    void HandleFailed(std::string reason);

    /** @return its own buffers of the data connections of the chunk just finished, bytes */
    std::vector<uint64_t> GetBufferSizes() const;

    /** @return how many stripes there are */
    StripeCounts GetStripes() const
    {
        return {m_senders, m_receivers};
    }

    /** @param span of the chunk just finished @param sample of it @return its record, with what is
     * decided for the next one */
    ChunkRecord Decide(const ChunkSpan& span, const ChunkSample& sample);

    /** Makes what decides, and asks it for the first time. @return nothing, or why it cannot */
    Done BeginTuning();

    /** What decides is not asked any more. */
    void EndTuning();

    /** It cannot decide. @param reason for a person */
    void FailTuning(const std::string& reason);

    /** Records the chunk just finished and adjusts the parallelism. */
    void RecordChunk();

    /** @return the files that its attributes ask for */
    FileSequence MakeFiles() const;

    /** @return bytes of the chunk that begins at m_offset */
    uint64_t GetNextBytes() const;

    Address m_remote;                                      //!< control port of the server
    Address m_sender;                                      //!< of the one that sends, third party
    TypeId m_controlTcp;                                   //!< TCP of the control connection
    TypeId m_dataTcp;                                      //!< TCP of the data connections
    Direction m_direction{};                               //!< which way the file goes
    DataChannels m_channels{};                             //!< fresh or cached
    Layout m_layout{};                                     //!< who carries which block
    uint64_t m_fileBytes{0};                               //!< size of a file
    uint32_t m_fileCount{0};                               //!< how many there are
    Time m_repeatFor;                                      //!< how long it begins files again
    uint32_t m_pipelining{1};                              //!< chunks asked for at a time
    std::optional<FileSequence> m_files;                   //!< which file began last
    std::deque<FileChunk> m_asked;                         //!< chunks asked for, in order
    uint64_t m_chunkBytes{0};                              //!< X
    uint64_t m_blockBytes{0};                              //!< payload of a block
    uint32_t m_senders{1};                                 //!< stripes that send
    uint32_t m_receivers{1};                               //!< stripes that receive
    StripeTuning m_stripeTuning{};                         //!< whether each pair has a tuner
    StripeLayout m_stripeLayout{};                         //!< which stripe has which part
    uint64_t m_stripeBlock{0};                             //!< of a blocked layout
    std::vector<Address> m_stripes;                        //!< its DTPs that are apart
    uint32_t m_segmentBytes{0};                            //!< MSS
    uint32_t m_rttSamples{0};                              //!< M
    TunerWindow m_tunerWindow{};                           //!< W that its tuner reads
    Time m_startJitter;                                    //!< how late data connections start
    uint64_t m_session{0};                                 //!< key of the jitter draws
    Ptr<Tuner> m_tuner;                                    //!< decides
    PairTuning m_pairTuning;                               //!< in its place, where each pair of
                                                           //!< stripes has a policy of it
    SendersCallback m_senderTotals;                        //!< see SetSenders()
    ChunkSegments m_segments;                              //!< sent in the last chunk
    Ptr<ClientProtocolInterpreter> m_interpreter;          //!< acts and measures
    std::vector<Ptr<ClientProtocolInterpreter>> m_earlier; //!< of tries that failed
    uint32_t m_retries{0};                                 //!< how many new tries there may be
    Time m_retryWait;                                      //!< before the first one
    Time m_retryWaitMost;                                  //!< the longest such wait
    Time m_stallTimeout;                                   //!< limit of its waits
    Time m_keepalive;                                      //!< after which it sends NOOP
    uint64_t m_minRate{0};                                 //!< below which it gives up, bit/s
    Time m_minRatePeriod;                                  //!< over which that is the mean
    RetrySchedule m_schedule;                              //!< when it tries again
    MarkerRanges m_restart;                                //!< see SetRestart()
    MarkerRanges m_held;                                   //!< of the chunk that a try began
    std::vector<RestartResult> m_restarts;                 //!< new tries so far
    std::optional<Time> m_chunkStart;                      //!< of the first try of the chunk
    EventId m_nextTry;                                     //!< the next one
    Time m_dataDeadUntil;                                  //!< see KillDataTransfer()
    uint64_t m_offset{0};                                  //!< first byte not asked for yet, of it
    std::vector<ChunkRecord> m_chunks;                     //!< the record
    std::string m_reason;                                  //!< why it failed
    TracedValue<uint32_t> m_parallelism{0};                //!< N
    TracedValue<ClientState> m_state{ClientState::IDLE};   //!< what it is doing
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_connection; //!< it opens a data connection
    TracedCallback<Ptr<Socket>> m_dataAccepted;                   //!< it has accepted one
    TracedCallback<uint64_t> m_chunkStarted;                      //!< a chunk's transfer starts
    TracedCallback<const ChunkRecord&> m_chunkCompleted;          //!< a chunk is complete
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CLIENT_H
