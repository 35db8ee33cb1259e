/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_CLIENT_H
#define GRIDFTP_TRANSFER_CLIENT_H

#include "gridftp-chunk-segments.h"
#include "gridftp-client-session.h"
#include "gridftp-expected.h"
#include "gridftp-file-set.h"
#include "gridftp-host-alarm.h"
#include "gridftp-pair-tuning.h"
#include "gridftp-result.h"
#include "gridftp-retry-schedule.h"
#include "gridftp-stripe-plan.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

class SessionMonitor;

/** @ingroup gridftp @brief State of a client. */
enum class ClientState
{
    IDLE,         //!< not started
    LOGGING_IN,   //!< from the connection to the last command of the login
    TRANSFERRING, //!< chunk after chunk
    QUITTING,     //!< QUIT was sent
    DONE,         //!< all files are complete
    FAILED,       //!< it could not go on, or was stopped
    WAITING       //!< for its next attempt
};

/** @ingroup gridftp @brief Settings of a TransferClient. */
struct TransferClientSettings
{
    /** Makes what decides N. @param pair of stripes; 0: of the whole transfer @return a policy, or
     * why there is none */
    using PolicyMaker = std::function<Expected<std::unique_ptr<TuningPolicy>>(int64_t pair)>;

    ClientSettings session{};     //!< of the session of each attempt
    StripeCounts stripes{};       //!< how many send and receive
    StripeTuning stripeTuning{};  //!< whether each pair of stripes has a policy of its own
    PolicyMaker makePolicy{};     //!< called once, with stripes that tune separately once a pair
    uint64_t chunkBytes{1};       //!< X
    uint32_t segmentBytes{0};     //!< MSS that the policy gets
    TunerWindow tunerWindow{};    //!< W that the policy gets
    int64_t retries{0};           //!< most new attempts after failures
    Nanoseconds retryWait{0};     //!< before the first of them
    Nanoseconds retryWaitMost{0}; //!< longest such wait
    MarkerRanges restart{};       //!< of the file, merged: what the receiver has already
    SessionMonitor* monitor{nullptr}; //!< measures data connections that send; null: nothing does
};

/**
 * @ingroup gridftp
 * A GridFTP client that moves files in chunks and has a policy choose N of each chunk (Ito et al.,
 * Sec. 3). After a failure it attempts to continue, with a new session and from where the receiver
 * has all bytes.
 *
 * The session acts and measures T and R, the policy decides, and the client records. The policy
 * gets nothing that a program on a real host could not measure.
 *
 * Contract: its owner calls Start() once. It may call any function inside the functions of Owner,
 * but may not destroy the client there. The host outlives it.
 */
class TransferClient final : private ClientSession::Owner
{
  public:
    /** The owner of a client. */
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /** An attempt begins. @param now current time @return hosts for its session, which live
         * until the client is destroyed */
        virtual ChannelHosts MakeChannels(Nanoseconds now) = 0;

        /** The session of an attempt is made, and about to start. @param session of it */
        virtual void HandleSession(ClientSession& /* session */)
        {
        }

        /** The client has logged in for the first time, without TransferClient::SetFiles(). @param
         * now current time @param fileBytes size of the file at the server; none: not known @return
         * the files to move, or why the client cannot go on */
        virtual Expected<FileSequence> FindFiles(Nanoseconds now,
                                                 std::optional<uint64_t> fileBytes) = 0;

        /** The state has changed. @param now current time @param state the new one */
        virtual void HandleState(Nanoseconds now, ClientState state) = 0;

        /** N of the next chunk is decided. @param parallelism N */
        virtual void HandleParallelism(uint32_t /* parallelism */)
        {
        }

        /** The first transfer command of a chunk is about to be sent. @param index of the chunk */
        virtual void HandleChunkStarted(uint64_t /* index */)
        {
        }

        /** A chunk is complete. @param now current time @param record of it, with N of the next one
         */
        virtual void HandleChunkCompleted(Nanoseconds /* now */, const ChunkRecord& /* record */)
        {
        }

        /** A chunk is recorded, none is under way, and the next one, if there is one, is about to
         * be requested. The owner may call RepeatChunk(). @param now current time */
        virtual void HandleBetweenChunks(Nanoseconds /* now */)
        {
        }

        /** @return counts over the data connections of each pair of stripes so far, where other
         * hosts than the client send; none: the client sends, or nobody reports them */
        virtual std::optional<std::vector<ConnectionTotals>> CountSenders()
        {
            return std::nullopt;
        }
    };

    /** @param host of its timers; outlives it @param owner called; outlives it */
    TransferClient(DataHost& host, Owner& owner);
    ~TransferClient() override;

    TransferClient(const TransferClient&) = delete;
    TransferClient& operator=(const TransferClient&) = delete;

    /** Sets the files to move; before Start(). @param files to move */
    void SetFiles(FileSequence files)
    {
        m_files = std::move(files);
    }

    /** Connects and logs in. @param now current time @param settings of it */
    void Start(Nanoseconds now, const TransferClientSettings& settings);

    /** Stops. @param now current time @param reason for people */
    void Stop(Nanoseconds now, const std::string& reason);

    /** Closes all connections and cancels all timers; the owner is not called. @param now current
     * time */
    void Dispose(Nanoseconds now);

    /** The data transfer process on its host is killed. @param now current time @param until when
     * it works again */
    void KillDataTransfer(Nanoseconds now, Nanoseconds until);

    /** @return the next chunk of the file; none: it has no more, or the client has stopped */
    std::optional<FileChunk> FindNextChunk() const;

    /** Records the next chunk as if it went as the last one did, and sets N of the one behind it. A
     * simulation calls this in HandleBetweenChunks() if it has found that the chunk would do so.
     * @param now current time @param period from the start of a chunk to that of the next one:
     * times of records are later by that from now on */
    void RepeatChunk(Nanoseconds now, Nanoseconds period);

    /** @return N of the next chunk */
    uint32_t GetParallelism() const
    {
        return m_parallelism;
    }

    /** @return its state */
    ClientState GetState() const
    {
        return m_state;
    }

    /** @return N of each pair of stripes for the next chunk, where each pair has a policy; else
     * none
     */
    const std::vector<uint32_t>& GetPairParallelism() const
    {
        return m_pairTuning.GetParallelism();
    }

    /** @return why it failed; empty: it has not */
    const std::string& GetReason() const
    {
        return m_reason;
    }

    /** @return the session of the present attempt; null: there was none */
    ClientSession* GetSession() const
    {
        return m_sessions.empty() ? nullptr : m_sessions.back().get();
    }

    /** @return sessions of all attempts, in order */
    const std::vector<std::unique_ptr<ClientSession>>& GetSessions() const
    {
        return m_sessions;
    }

    /** @return the chunks that are complete */
    const std::vector<ChunkRecord>& GetChunks() const
    {
        return m_chunks;
    }

    /** @return the files that are complete */
    const std::vector<FileRecord>& GetFiles() const;

    /** @return its new attempts so far */
    const std::vector<RestartResult>& GetRestarts() const
    {
        return m_restarts;
    }

    /** @return of the file: what the receiver has, as far as the client knows */
    MarkerRanges FindHeld() const;

    /** @return the record so far, with a reason unless it is done; counts are those of data
     * connections on which it sends */
    SessionResult GetResult() const;

    /** @return counts over the data connections on which it sends, by receiver, in the order of
     * StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return receive buffers of the data connections on which it receives */
    BufferTally GetBufferTally() const;

    /** @param now current time @return bytes that it has stored on its host, of all chunks */
    uint64_t GetStoredBytes(Nanoseconds now) const;

  private:
    // ClientSession::Owner
    void HandleReady(Nanoseconds now) override;
    void HandleStarted(Nanoseconds now) override;
    void HandleFailed(Nanoseconds now, const std::string& reason) override;

    /** Connects and logs in. @param now current time */
    void StartAttempt(Nanoseconds now);

    /** Changes the state. @param now current time @param state the new one */
    void SetState(Nanoseconds now, ClientState state);

    /** @param parallelism N of the next chunk */
    void SetParallelism(uint32_t parallelism);

    /** Skips chunks that the receiver has as a whole. */
    void SkipHeldChunks();

    /** Requests chunks, as many as pipelining allows, or logs out after the last. @param now
     * current time */
    void TransferNext(Nanoseconds now);

    /** Logs out. @param now current time */
    void Quit(Nanoseconds now);

    /** @param now current time @return whether there is another chunk; its file begins with it */
    bool HasNext(Nanoseconds now);

    /** @return bytes of the chunk that begins at m_offset */
    uint64_t GetNextBytes() const;

    /** Finds the files after the first login. @param now current time @return whether there are any
     */
    bool FindFiles(Nanoseconds now);

    /** Makes the policies, and has them choose the first N. @return nothing, or why it cannot */
    Done BeginTuning();

    /** The policies are not asked any more. */
    void EndTuning();

    /** It fails for good. @param now current time @param reason for people */
    void Fail(Nanoseconds now, const std::string& reason);

    /** @return sizes of its own buffers of the data connections of the last chunk, bytes */
    std::vector<uint64_t> GetBufferSizes() const;

    /** @return measured of the last chunk @param durationNs from the first attempt to its end */
    ChunkSample MakeSample(int64_t durationNs);

    /** @param span of the last chunk @param sample of it @return its record, with N of the next one
     */
    ChunkRecord Decide(const ChunkSpan& span, const ChunkSample& sample);

    /** Records the last chunk, and sets N of the next one. @param now current time */
    void RecordChunk(Nanoseconds now);

    /** @param start of the first chunk requested @param end of it @return its record, after which
     * the chunk is no more requested */
    ChunkRecord TakeRecord(Nanoseconds start, Nanoseconds end);

    /** Fails if a policy has. @param now current time */
    void CheckTuning(Nanoseconds now);

    Owner& m_owner;                                         //!< called
    TransferClientSettings m_settings;                      //!< of it
    ClientState m_state{ClientState::IDLE};                 //!< see GetState()
    std::string m_reason;                                   //!< see GetReason()
    std::optional<FileSequence> m_files;                    //!< the files; none: not known yet
    Direction m_direction{};                                //!< of the present file
    std::deque<FileChunk> m_asked;                          //!< chunks requested, in order
    uint64_t m_offset{0};                                   //!< first byte not requested yet
    uint32_t m_parallelism{0};                              //!< N of the next chunk
    std::unique_ptr<TuningPolicy> m_policy;                 //!< decides N; null: m_pairTuning does
    PairTuning m_pairTuning;                                //!< a policy for each pair of stripes
    ChunkSegments m_segments;                               //!< sent in the last chunk
    std::vector<std::unique_ptr<ClientSession>> m_sessions; //!< see GetSessions()
    RetrySchedule m_schedule;                               //!< when the next attempt begins
    HostAlarm m_nextAttempt;                                //!< of that
    MarkerRanges m_held;                                    //!< of the chunk that an attempt began
    std::vector<RestartResult> m_restarts;                  //!< see GetRestarts()
    std::optional<Nanoseconds> m_chunkStart;                //!< of the first attempt of the chunk
    Nanoseconds m_lastStart{0};                             //!< m_chunkStart of the last chunk
    Nanoseconds m_repeated{0};                              //!< sum of periods, see RepeatChunk()
    Nanoseconds m_deadUntil{0};                             //!< see KillDataTransfer()
    std::vector<ChunkRecord> m_chunks;                      //!< see GetChunks()
    bool m_comparesChecksums{false};                        //!< all chunks are complete, and the
                                                            //!< session compares checksums
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_CLIENT_H
