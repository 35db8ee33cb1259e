/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-result.h"

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
            .valid = sample.IsValid()};
}

uint64_t
SessionResult::GetBytes() const
{
    uint64_t bytes = 0;
    for (const auto& chunk : chunks)
    {
        bytes += chunk.bytes;
    }
    return bytes;
}

int64_t
SessionResult::GetDurationNs() const
{
    return chunks.empty() ? 0 : chunks.back().endNs - chunks.front().startNs;
}

double
SessionResult::GetGoodputBps() const
{
    const int64_t duration = GetDurationNs();
    return duration > 0
               ? static_cast<double>(GetBytes()) * 8 / (static_cast<double>(duration) / 1e9)
               : 0;
}

std::optional<int64_t>
SessionResult::GetSettledAtNs() const
{
    if (chunks.empty() || chunks.back().nextParallelism != chunks.back().parallelism)
    {
        return std::nullopt;
    }
    size_t first = chunks.size() - 1;
    while (first > 0 && chunks[first - 1].parallelism == chunks[first].parallelism)
    {
        --first;
    }
    return chunks[first].startNs;
}

double
BackgroundResult::GetGoodputBps() const
{
    const int64_t duration = endNs - startNs;
    return duration > 0 ? static_cast<double>(bytes) * 8 / (static_cast<double>(duration) / 1e9)
                        : 0;
}

namespace
{

/** What is wrong with a session's record; empty when it is exact. */
std::string
FindFault(const SessionSpec& spec, const SessionResult& session)
{
    uint64_t next = 0;
    int64_t time = 0;
    for (const auto& chunk : session.chunks)
    {
        if (chunk.offset != next || chunk.startNs < time || chunk.endNs < chunk.startNs)
        {
            return "chunk " + std::to_string(chunk.index) + " does not follow the one before it";
        }
        next += chunk.bytes;
        time = chunk.endNs;
    }
    if (next != static_cast<uint64_t>(spec.fileSize))
    {
        return std::to_string(next) + " of " + std::to_string(spec.fileSize) + " bytes arrived";
    }
    return "";
}

} // namespace

void
ValidateResult(const Scenario& scenario, TransferResult& result)
{
    for (size_t i = 0; result.done && i < scenario.sessions.size(); ++i)
    {
        std::string fault = FindFault(scenario.sessions[i], result.sessions[i]);
        if (!fault.empty())
        {
            result.done = false;
            result.reason = "session " + std::to_string(i) + ": " + fault;
        }
    }
}

} // namespace ns3::gridftp
