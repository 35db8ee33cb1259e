/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-result.h"

#include "gridftp-block-stages.h"
#include "gridftp-processing-kind.h"
#include "gridftp-scenario-applications.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

ChunkRecord
MakeChunkRecord(const ChunkSpan& span, const ChunkSample& sample, uint32_t nextParallelism)
{
    return {.index = static_cast<uint32_t>(span.index),
            .startNs = span.startNs,
            .endNs = span.endNs,
            .offset = span.offset,
            .bytes = sample.bytes,
            .parallelism = sample.parallelism,
            .nextParallelism = nextParallelism,
            .goodputBps = sample.GetGoodputBps(),
            .rttS = sample.rttS,
            .windowBytes = sample.windowBytes,
            .valid = sample.IsValid(),
            .segments = sample.segments};
}

bool
ChunkRecord::StaysSo() const
{
    return nextParallelism == parallelism && std::ranges::all_of(pairs, [](const PairRecord& pair) {
               return pair.nextParallelism == pair.parallelism;
           });
}

bool
ChunkRecord::HasConnectionsOf(const ChunkRecord& other) const
{
    return parallelism == other.parallelism && std::ranges::equal(pairs,
                                                                  other.pairs,
                                                                  {},
                                                                  &PairRecord::parallelism,
                                                                  &PairRecord::parallelism);
}

std::optional<uint32_t>
GridftpResult::GetFinalParallelism() const
{
    return chunks.empty() ? std::nullopt : std::optional(chunks.back().parallelism);
}

std::optional<int64_t>
GridftpResult::GetSettledAtNs() const
{
    if (chunks.empty() || !chunks.back().StaysSo())
    {
        return std::nullopt;
    }
    size_t first = chunks.size() - 1;
    while (first > 0 && chunks[first - 1].HasConnectionsOf(chunks[first]))
    {
        --first;
    }
    return chunks[first].startNs;
}

namespace
{

/** Bytes over a time, bit/s; 0 where there is none. */
double
MakeGoodputBps(uint64_t bytes, int64_t durationNs)
{
    return durationNs > 0 ? static_cast<double>(bytes) * 8 / (static_cast<double>(durationNs) / 1e9)
                          : 0;
}

} // namespace

double
ConnectionResult::GetGoodputBps() const
{
    return MakeGoodputBps(bytes, openNs);
}

double
SessionResult::GetGoodputBps() const
{
    return MakeGoodputBps(bytes, durationNs);
}

double
DirectionResult::GetGoodputBps() const
{
    return MakeGoodputBps(bytes, durationNs);
}

std::vector<DirectionResult>
SessionResult::GetDirections() const
{
    std::vector<DirectionResult> all;
    const auto find = [&all](Direction direction) -> DirectionResult& {
        const auto it = std::ranges::find(all, direction, &DirectionResult::direction);
        return it != all.end() ? *it : all.emplace_back(DirectionResult{.direction = direction});
    };
    const ChunkRecord* before = nullptr;
    if (!gridftp || gridftp->chunks.empty() || !gridftp->chunks.front().direction)
    {
        return all;
    }
    for (const auto& chunk : gridftp->chunks)
    {
        DirectionResult& one = find(*chunk.direction);
        const bool isRun = before && before->direction == chunk.direction;
        one.bytes += chunk.bytes;
        one.durationNs += chunk.endNs - (isRun ? before->endNs : chunk.startNs);
        before = &chunk;
    }
    for (const auto& file : files)
    {
        find(file.direction.value_or(Direction())).files += 1;
    }
    return all;
}

double
SessionResult::GetMeanResponseS() const
{
    double sum = 0;
    for (const auto& file : files)
    {
        sum += static_cast<double>(file.endNs - file.startNs) / 1e9;
    }
    return files.empty() ? 0 : sum / static_cast<double>(files.size());
}

double
BackgroundResult::GetGoodputBps() const
{
    return MakeGoodputBps(bytes, endNs - startNs);
}

BufferResult
MakeBufferResult(const BufferTally& tally, uint64_t window)
{
    const std::optional<double> rttS = tally.GetMeasured().GetMeanS();
    if (!tally.HasAny())
    {
        return {window, static_cast<double>(window), rttS};
    }
    return {tally.GetMostBytes(), tally.GetMeanBytes(), rttS};
}

std::optional<StorageResult>
MakeStorageResult(const Storage* source, const Storage* sink)
{
    if (!source && !sink)
    {
        return std::nullopt;
    }
    const auto use = [](const Storage* storage) {
        return storage ? std::optional(storage->GetUse()) : std::nullopt;
    };
    const auto seconds = [](const Storage* storage) {
        return storage ? storage->GetSeconds() : StorageSeconds();
    };
    return StorageResult{use(source), use(sink), seconds(source), seconds(sink)};
}

std::optional<double>
SessionResult::GetMbpsPerMib() const
{
    constexpr double MEGA = 1e6;
    constexpr double MEBI = 1 << 20;
    const auto parallelism =
        gridftp ? gridftp->GetFinalParallelism() : std::optional(this->parallelism.value_or(1));
    if (!parallelism || !buffers)
    {
        return std::nullopt;
    }
    const double bytes = static_cast<double>(buffers->mostBytes) * *parallelism;
    return GetGoodputBps() / MEGA / (bytes / MEBI);
}

DatagramResult
MakeDatagramResult(const ToolCounts& sender, const ToolCounts& receiver)
{
    return {.packets = sender.packets,
            .retransmissions = sender.retransmissions,
            .duplicates = receiver.duplicates,
            .reports = sender.reports + receiver.reports,
            .blasts = sender.blasts,
            .receiverDrops = receiver.overflows};
}

SessionResult
MakeGridftpSession(std::vector<ChunkRecord> chunks)
{
    SessionResult session;
    session.tool = GRIDFTP_APPLICATION;
    for (const auto& chunk : chunks)
    {
        session.bytes += chunk.bytes;
    }
    if (!chunks.empty())
    {
        session.startNs = chunks.front().startNs;
        session.durationNs = chunks.back().endNs - chunks.front().startNs;
    }
    session.gridftp = GridftpResult{std::move(chunks)};
    return session;
}

namespace
{

/**
 * What is wrong with the order of chunks; empty when nothing is.
 * @param files where there are several: each begins at offset 0
 * @param begin where the first one does
 * @param hasGaps there may be some between chunks
 */
std::string
FindDisorder(const std::vector<ChunkRecord>& chunks,
             const std::vector<FileRecord>& files,
             uint64_t begin,
             bool hasGaps)
{
    uint64_t next = begin;
    size_t file = 0;
    int64_t time = 0;
    for (const auto& chunk : chunks)
    {
        if (file < files.size() && next == files[file].bytes)
        {
            next = 0;
            ++file;
        }
        const bool follows = hasGaps ? chunk.offset >= next : chunk.offset == next;
        if (!follows || chunk.startNs < time || chunk.endNs < chunk.startNs)
        {
            return "chunk " + std::to_string(chunk.index) + " does not follow the one before it";
        }
        next = chunk.offset + chunk.bytes;
        time = chunk.endNs;
    }
    return "";
}

/** What is wrong with the record of a session that is done; empty when it is exact. */
std::string
FindFault(const SessionSpec& spec, const SessionResult& session)
{
    const bool hasGaps = !spec.restart.empty();
    const MarkerRange part =
        FindRegion(spec.buffers.processing, static_cast<uint64_t>(spec.fileSize));
    std::string fault =
        session.gridftp ? FindDisorder(session.gridftp->chunks, session.files, part.begin, hasGaps)
                        : "";
    uint64_t expected = part.end - part.begin - CountBytes(spec.restart);
    if (IsDataSet(spec))
    {
        expected = 0;
        for (const auto& file : session.files)
        {
            expected += file.bytes;
        }
    }
    if (fault.empty() && session.bytes != expected)
    {
        fault =
            std::to_string(session.bytes) + " of " + std::to_string(expected) + " bytes arrived";
    }
    return fault;
}

/** What a module has made of what was moved; none where there is none. @param bytes carried */
std::optional<ProcessingResult>
MakeProcessingResult(const SessionSpec& spec, uint64_t bytes)
{
    const ProcessingSpec& processing = spec.buffers.processing;
    if (processing.HasModule(false))
    {
        return ProcessingResult{MakeFileMap(processing, false).ToInput(bytes), bytes};
    }
    if (processing.HasModule(true))
    {
        return ProcessingResult{bytes, MakeFileMap(processing, true).ToOutput(bytes)};
    }
    return std::nullopt;
}

/** What is wrong with how many files of each data set have arrived, told of the session whose it
 * is.
 */
void
JudgeFiles(const Scenario& scenario, std::vector<SessionResult>& results)
{
    std::vector<size_t> arrived(results.size());
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        arrived[FindFilesOwner(scenario, i)] += results[i].files.size();
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const SessionSpec& spec = scenario.sessions[i];
        if (FindFilesOwner(scenario, i) == i && IsDataSet(spec) && results[i].reason.empty() &&
            arrived[i] < static_cast<size_t>(spec.files))
        {
            results[i].reason =
                std::to_string(arrived[i]) + " of " + std::to_string(spec.files) + " files arrived";
        }
    }
}

/** The first reason in a list of records, with their name and its index; empty when there is none.
 */
template <typename Record>
std::string
FindReason(const std::string& name, const std::vector<Record>& records)
{
    for (size_t i = 0; i < records.size(); ++i)
    {
        if (!records[i].reason.empty())
        {
            return name + " " + std::to_string(i) + ": " + records[i].reason;
        }
    }
    return "";
}

} // namespace

void
ConcludeResult(const Scenario& scenario, TransferResult& result)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        SessionResult& session = result.sessions[i];
        session.processing = MakeProcessingResult(scenario.sessions[i], session.bytes);
        if (session.reason.empty())
        {
            session.reason = FindFault(scenario.sessions[i], session);
        }
    }
    JudgeFiles(scenario, result.sessions);
    std::vector<std::vector<ServerSpan>> spans;
    for (const auto& session : result.sessions)
    {
        spans.push_back(session.served);
    }
    result.memory = MeasureServers(scenario, spans);
    result.reason = FindReason("session", result.sessions);
    if (result.reason.empty())
    {
        result.reason = FindReason("background", result.background);
    }
    result.done = result.reason.empty();
}

} // namespace ns3::gridftp
