/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RESULT_H
#define GRIDFTP_RESULT_H

#include "gridftp-buffer-tally.h"
#include "gridftp-chunk-sample.h"
#include "gridftp-connection-totals.h"
#include "gridftp-delay-tally.h"
#include "gridftp-expected.h"
#include "gridftp-file-set.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-pair-tuning.h"
#include "gridftp-scenario.h"
#include "gridftp-server-memory.h"
#include "gridftp-session-hosts.h"
#include "gridftp-storage.h"
#include "gridftp-tool-end.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

class JsonWriter;

/**
 * @ingroup gridftp
 * @brief Version of the JSON of results, which doc/result-2.schema.json defines.
 */
inline constexpr int64_t RESULT_SCHEMA = 2;

/**
 * @ingroup gridftp
 * The record of one chunk, written when its final reply has come.
 */
struct ChunkRecord
{
    uint32_t index{0};           //!< from 0
    int64_t startNs{0};          //!< ESTO or ERET sent
    int64_t endNs{0};            //!< its final reply received
    uint64_t offset{0};          //!< of its first byte in the file
    uint64_t bytes{0};           //!< file bytes
    uint32_t parallelism{0};     //!< connections that carried it, of the pair of stripes with most
    uint32_t nextParallelism{0}; //!< as adjusted when it completed, likewise
    double goodputBps{0};        //!< G = X / T
    double rttS{0};              //!< R
    double windowBytes{0};       //!< W
    bool valid{false};           //!< whether the tuner could use it
    SentSegments segments{};     //!< of the hosts that send, since the chunk before
    std::vector<PairRecord> pairs{};      //!< of stripes, where each has a tuner
    std::optional<double> loadedRttS{};   //!< mean RTT that its data connections measured, s; none
                                          //!< without --detail or without a sample
    std::optional<double> jain{};         //!< Jain's index of their goodput, likewise
    std::optional<Direction> direction{}; //!< where the files of its session go both ways

    /** @return whether the next chunk has the same connections */
    bool StaysSo() const;

    /** @param other a chunk of the session @return whether it had the same connections */
    bool HasConnectionsOf(const ChunkRecord& other) const;
};

/** @ingroup gridftp @brief Which chunk, and when it was transferred. */
struct ChunkSpan
{
    size_t index{0};    //!< from 0
    int64_t startNs{0}; //!< ESTO or ERET sent
    int64_t endNs{0};   //!< its final reply received
    uint64_t offset{0}; //!< of its first byte in the file
};

/**
 * @ingroup gridftp
 * @param span which chunk
 * @param sample what was measured of it
 * @param nextParallelism what the tuner made of that
 * @return its record
 */
ChunkRecord MakeChunkRecord(const ChunkSpan& span,
                            const ChunkSample& sample,
                            uint32_t nextParallelism);

/**
 * @ingroup gridftp
 * What the data connections of one number did; where each chunk opens new ones, those of all chunks
 * together.
 */
struct ConnectionResult
{
    uint32_t index{0};       //!< number among the session's connections, from 0
    uint64_t opened{0};      //!< connections that had this number
    uint64_t bytes{0};       //!< payload acknowledged, headers of MODE E blocks included
    ConnectionTotals totals; //!< segments, retransmissions and timeouts
    int64_t openNs{0};       //!< from handshake to last acknowledgement, ns
    double meanCwndBytes{0}; //!< mean of cwnd over that time
    DelaySum rtt;            //!< samples of its RTT estimator

    /** @return bytes over the time that it was open, bit/s; 0 without a time */
    double GetGoodputBps() const;
};

/** @ingroup gridftp @brief What --detail=on adds to a TcpResult. */
struct TcpDetail
{
    std::optional<DelayFigures> rtt; //!< samples of all RTT estimators; none without one
    std::optional<double> jain;      //!< Jain's fairness index of the connections' goodput: mean of
                                     //!< the chunks, weighted by their bytes
    std::vector<ConnectionResult> connections; //!< by number
};

/** @ingroup gridftp @brief What TCP tells of a session or a background connection. */
struct TcpResult
{
    ConnectionTotals totals;           //!< of its data connections
    uint64_t windowBytes{0};           //!< W, socket buffer of each of them
    std::optional<TcpDetail> detail{}; //!< where --detail asks for it
};

/** @ingroup gridftp @brief What the ends of a session did that moved its file by datagrams. */
struct DatagramResult
{
    uint64_t packets{0};            //!< datagrams with file data sent, those sent again included
    uint64_t retransmissions{0};    //!< those of them that were sent before
    uint64_t duplicates{0};         //!< those that came and were there already
    uint64_t reports{0};            //!< datagrams without file data, of both ends
    std::vector<uint64_t> blasts{}; //!< of a tool that sends in rounds: packets of each

    std::optional<uint64_t> receiverDrops{}; //!< ToolCounts::overflows
};

/** @ingroup gridftp @brief Receive buffers of the data connections of a session. */
struct BufferResult
{
    uint64_t mostBytes{0}; //!< largest of any
    double meanBytes{0};   //!< mean over the time that connections were open
    std::optional<double>
        rttS{}; //!< mean of what applications measured, s; none where they did not
};

/** @ingroup gridftp @brief What the ends of a session asked their storages for. */
struct StorageResult
{
    std::optional<StorageUse> read;  //!< of the end that sends; none where it costs nothing
    std::optional<StorageUse> write; //!< of the end that receives; none where it costs nothing
    StorageSeconds readSeconds{};    //!< of the former, by node and second
    StorageSeconds writeSeconds{};   //!< of the latter
};

/** @ingroup gridftp @brief What a module has made of the file (Allcock et al., Section 5.2). */
struct ProcessingResult
{
    uint64_t inputBytes{0};  //!< that it was given
    uint64_t outputBytes{0}; //!< that it made of them
};

/** @ingroup gridftp @brief A file that both hosts have with the same checksum. */
struct ChecksumResult
{
    std::string value{};   //!< Adler-32, hexadecimal
    int64_t durationNs{0}; //!< from CKSM until the client knows both checksums, ns
};

/** @ingroup gridftp @brief What the hosts of one end of a session did, all of them together. */
struct EndHostResult
{
    CpuWork cpu;                       //!< what their CPUs were asked for
    bool isModelled{false};            //!< they are not the hosts that cost nothing
    bool countsPackets{false};         //!< packets wait there, see HostSpec::HoldsPackets()
    HostCounts counts{};               //!< packets and interrupts, where they are modelled
    std::vector<int64_t> coreBusyNs{}; //!< of each core of each host, how long it was busy
    double peakLoad{0};                //!< largest share of all cores that was busy in a second
    std::vector<std::vector<HostSecond>> seconds{}; //!< by host and second, where they are modelled

    bool operator==(const EndHostResult&) const = default;
};

/** @ingroup gridftp @brief What the hosts of a session did. */
struct HostResult
{
    EndHostResult sender;   //!< of all hosts of the end that sends
    EndHostResult receiver; //!< of all hosts of the end that receives
};

/** @ingroup gridftp @brief What GridFTP tells of a session. */
struct GridftpResult
{
    std::vector<ChunkRecord> chunks; //!< in order

    /** @return N of the last chunk; none without chunks */
    std::optional<uint32_t> GetFinalParallelism() const;

    /**
     * @return start of the first chunk from which the parallelism never changes again, ns; none
     *         while it still changes at the last chunk's decision
     */
    std::optional<int64_t> GetSettledAtNs() const;
};

/** @ingroup gridftp @brief What went from one stripe to another. */
struct StripeResult
{
    uint32_t sender{0};      //!< index of the stripe that sends
    uint32_t receiver{0};    //!< index of the stripe that receives
    uint64_t bytes{0};       //!< file bytes of the chunks that are complete
    ConnectionTotals totals; //!< of its data connections
};

/** @ingroup gridftp @brief The transfers in one direction of a session that has both. */
struct DirectionResult
{
    Direction direction{}; //!< upload or download
    uint64_t files{0};     //!< those complete
    uint64_t bytes{0};     //!< file bytes of complete chunks
    int64_t durationNs{0}; //!< from the first transfer command to the last final reply, summed over
                           //!< the runs of transfers in this direction

    /** @return bytes over duration, bit/s; 0 without a duration */
    double GetGoodputBps() const;
};

/** @ingroup gridftp @brief A client that could not go on, and tries again. */
struct RestartResult
{
    int64_t timeNs{0};     //!< when it could not
    std::string reason;    //!< why
    uint64_t heldBytes{0}; //!< of the chunk under way, that the receiver has as far as the client
                           //!< knows
    int64_t waitNs{0};     //!< from then to the next try
};

/** @ingroup gridftp @brief The tries of a session that may have several. */
struct RetryResult
{
    std::vector<RestartResult> restarts; //!< in order
    uint64_t bytesResent{0};             //!< stored twice: what was past the marker of a try
};

/**
 * @ingroup gridftp
 * What came of one session, whatever tool moved its file. A part that does not apply to the tool is
 * absent, and so is it from the JSON.
 */
struct SessionResult
{
    std::string tool;               //!< that moved the file
    uint64_t bytes{0};              //!< file bytes carried
    std::optional<int64_t> startNs; //!< first transfer command; none where nothing was carried
    int64_t durationNs{0};          //!< from then to the last final reply
    std::string reason;             //!< why it failed; empty: it is done
    std::optional<GridftpResult> gridftp; //!< where the tool is GridFTP
    std::optional<uint32_t> parallelism;  //!< connections, of another tool that has as many all the
                                          //!< time; not told
    std::optional<TcpResult> tcp;         //!< where TCP carried the data
    std::optional<BufferResult> buffers;  //!< where TCP carried the data
    std::optional<DatagramResult> udp;    //!< where datagrams carried the data
    std::optional<StorageResult> storage; //!< where the storage of an end takes time
    std::optional<HostResult> host;       //!< where anything costs CPU time
    std::optional<ProcessingResult> processing; //!< where a module makes something else of the file
    std::optional<ChecksumResult> checksum;     //!< where the client has compared checksums
    std::vector<StripeResult> stripes;          //!< of each pair of stripes; empty: there are none
    std::vector<FileRecord> files;      //!< those complete, in order; empty where there is one
    std::optional<RetryResult> retries; //!< where there may be new tries
    std::optional<MarkerRanges> restartMarker; //!< where it failed: of the file, what is there as
                                               //!< far as the client knows
    std::vector<ServerSpan> served;            //!< processes of its server, by try; not told

    /**
     * @return goodput over what the largest receive buffers of all its connections take (Gardner,
     *         Thulasidasan and Feng, Section 6.1), Mbit/s per MiB; none without connections
     */
    std::optional<double> GetMbpsPerMib() const;

    /** @return file bytes over duration, bit/s; 0 without a duration */
    double GetGoodputBps() const;

    /** @return its transfers by direction, in the order in which the directions began; empty where
     * all files go in one */
    std::vector<DirectionResult> GetDirections() const;

    /** @return mean time from a file's first transfer command to its last final reply, s; 0
     * without files */
    double GetMeanResponseS() const;
};

/**
 * @ingroup gridftp
 * @param tally of the connections whose buffers move
 * @param window of those that have one of one size, bytes
 * @return buffers of a session
 */
BufferResult MakeBufferResult(const BufferTally& tally, uint64_t window);

/** @ingroup gridftp @param sender what the end that sends has counted @param receiver what the
 * other one has @return both together */
DatagramResult MakeDatagramResult(const ToolCounts& sender, const ToolCounts& receiver);

/**
 * @ingroup gridftp
 * @param source of the end that sends; null: it costs nothing
 * @param sink of the end that receives, likewise
 * @return what they were asked for; none where both cost nothing
 */
std::optional<StorageResult> MakeStorageResult(const Storage* source, const Storage* sink);

/**
 * @ingroup gridftp
 * @param chunks records of a GridFTP session, in order
 * @return the session's: from the first ESTO or ERET to the last final reply; done, and without
 *         what TCP tells
 */
SessionResult MakeGridftpSession(std::vector<ChunkRecord> chunks);

/** @ingroup gridftp @brief What came of one background connection. */
struct BackgroundResult
{
    int64_t startNs{0}; //!< when it connected
    int64_t endNs{0};   //!< when it or the last session ended
    uint64_t bytes{0};  //!< that arrived, in order, until then
    std::string reason; //!< why it failed; empty: it is done
    TcpResult tcp;      //!< its connection, unless it has a load

    std::optional<DatagramResult> udp{}; //!< its datagrams, where it has a load

    /** @return bytes over the time, bit/s; 0 without a duration */
    double GetGoodputBps() const;
};

/** @ingroup gridftp @brief One direction of a link, over the sessions. */
struct LinkResult
{
    std::string name;                         //!< of the link
    double utilisation{0};                    //!< share of the time in which it transmitted
    uint64_t drops{0};                        //!< packets its queue dropped
    std::optional<uint64_t> marks{};          //!< packets its queue marked; none without ECN
    double meanQueuePackets{0};               //!< time average of the packets waiting
    uint64_t maxQueuePackets{0};              //!< most packets waiting
    std::optional<DelayFigures> queueDelay{}; //!< how long packets waited; none without --detail or
                                              //!< without a packet
};

/** @ingroup gridftp @brief One direction of a host's limit, over the run. */
struct LimitResult
{
    std::string name;  //!< of the link that it is in front of
    uint64_t drops{0}; //!< packets that it refused
};

/** @ingroup gridftp @brief What the run cost; differs from run to run. */
struct CostResult
{
    double wallS{0};           //!< of the simulation, without set-up, s
    uint64_t events{0};        //!< simulator events, those included that were skipped
    uint64_t skippedEvents{0}; //!< that engine segment knew the outcome of, from an earlier chunk
    uint64_t skippedChunks{0}; //!< likewise
    uint64_t peakRssBytes{0};  //!< of the process
};

/** @ingroup gridftp @brief Where a result came from. */
struct Provenance
{
    std::string version;      //!< of this project
    std::string commit;       //!< of its source tree
    std::string ns3Version;   //!< of ns-3
    std::string buildProfile; //!< of ns-3 and of this project
    std::string compiler;     //!< name and version
    std::string command;      //!< the command line, as a shell reads it
};

/** @ingroup gridftp @brief Everything that a run gives back. */
struct TransferResult
{
    bool done{false};                         //!< complete and exact
    std::string reason;                       //!< why not, when it is not
    std::vector<SessionResult> sessions;      //!< as in the scenario
    std::vector<BackgroundResult> background; //!< as in the scenario
    std::vector<LinkResult> links;            //!< those that are watched
    std::vector<LimitResult> limits;          //!< in the order of the links
    std::optional<ServerMemory> memory; //!< of the first session's server's host, where it counts
    CostResult cost;                    //!< what it took
};

/**
 * @ingroup gridftp
 * Judges a run by its sessions and background connections, and sums up its servers' memory. A
 * session whose record is not exact has failed: its bytes are those of its file, and the chunks of
 * GridFTP follow one another. The run is done when all of them are; otherwise its reason is that of
 * the first one that is not.
 *
 * @param scenario what was asked for
 * @param result what came of it; status and reason are set
 */
void ConcludeResult(const Scenario& scenario, TransferResult& result);

/** @ingroup gridftp Writes a chunk as an object. @param json where to @param chunk that is complete
 */
void WriteChunk(JsonWriter& json, const ChunkRecord& chunk);

/**
 * @ingroup gridftp
 * @param scenario a resolved scenario
 * @param result its result
 * @param provenance where it came from
 * @return the result as one JSON object on one line
 */
std::string ResultToJson(const Scenario& scenario,
                         const TransferResult& result,
                         const Provenance& provenance);

/**
 * @ingroup gridftp
 * What a batch prints in place of a result where a line is no scenario.
 *
 * @param line its number, from 1
 * @param error what is wrong with it
 * @return one JSON object on one line, of status "error"
 */
std::string BatchErrorToJson(size_t line, const Error& error);

/**
 * @ingroup gridftp
 * @param scenario a resolved scenario
 * @param result its result
 * @return the result as a table for people, several lines
 */
std::string ResultToText(const Scenario& scenario, const TransferResult& result);

} // namespace ns3::gridftp

#endif // GRIDFTP_RESULT_H
