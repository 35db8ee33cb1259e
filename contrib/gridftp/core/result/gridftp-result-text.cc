/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-detail-output.h"
#include "gridftp-option-table.h"
#include "gridftp-phase-effects.h"
#include "gridftp-quantity.h"
#include "gridftp-result.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** Chunks in a row with the same parallelism and direction: one line of the table. */
struct Stretch
{
    size_t first; //!< index of the first chunk
    size_t last;  //!< index of the last chunk
};

std::vector<Stretch>
FindStretches(const std::vector<ChunkRecord>& chunks)
{
    std::vector<Stretch> stretches;
    for (size_t i = 0; i < chunks.size(); ++i)
    {
        if (i > 0 && chunks[i].parallelism == chunks[i - 1].parallelism &&
            chunks[i].direction == chunks[i - 1].direction)
        {
            stretches.back().last = i;
        }
        else
        {
            stretches.push_back({i, i});
        }
    }
    return stretches;
}

/** The mean RTT under load of the chunks of a stretch that have one, ms. */
std::string
LoadedText(const std::vector<ChunkRecord>& chunks, const Stretch& stretch)
{
    double sumS = 0;
    size_t count = 0;
    for (size_t i = stretch.first; i <= stretch.last; ++i)
    {
        sumS += chunks[i].loadedRttS.value_or(0);
        count += chunks[i].loadedRttS ? 1 : 0;
    }
    return count == 0 ? "-" : FormatFixed(sumS / static_cast<double>(count) * 1e3, 3);
}

std::string
DirectionText(Direction direction)
{
    return GetOption("direction").Format(static_cast<int64_t>(direction));
}

std::string
StretchLine(const std::vector<ChunkRecord>& chunks, const Stretch& stretch, bool hasLoaded)
{
    const auto& first = chunks[stretch.first];
    const auto& last = chunks[stretch.last];
    uint64_t bytes = 0;
    int64_t busyNs = 0;
    double least = first.goodputBps;
    double most = first.goodputBps;
    for (size_t i = stretch.first; i <= stretch.last; ++i)
    {
        bytes += chunks[i].bytes;
        busyNs += chunks[i].endNs - chunks[i].startNs;
        least = std::min(least, chunks[i].goodputBps);
        most = std::max(most, chunks[i].goodputBps);
    }
    const double mean =
        busyNs > 0 ? static_cast<double>(bytes) * 8e9 / static_cast<double>(busyNs) : 0;
    const std::string name = stretch.first == stretch.last
                                 ? std::to_string(first.index)
                                 : std::to_string(first.index) + "-" + std::to_string(last.index);
    return AlignRight(name, 9) +
           AlignRight(FormatFixed(static_cast<double>(first.startNs) / 1e9, 3), 12) +
           AlignRight(std::to_string(first.parallelism), 8) +
           AlignRight(FormatFixed(mean / 1e6, 2), 12) +
           AlignRight(FormatFixed(least / 1e6, 2), 10) +
           AlignRight(FormatFixed(most / 1e6, 2), 10) +
           AlignRight(FormatFixed(last.rttS * 1e3, 3), 14) +
           (hasLoaded ? AlignRight(LoadedText(chunks, stretch), 16) : "") +
           (first.direction ? AlignRight(DirectionText(*first.direction), 11) : "") + "\n";
}

/** The table of the chunks, and an empty line below it. */
std::string
ChunksText(const std::vector<ChunkRecord>& chunks)
{
    const bool hasLoaded =
        std::ranges::any_of(chunks, [](const auto& chunk) { return chunk.loadedRttS.has_value(); });
    std::string text =
        "  chunks     start, s       N    G, Mbit/s     least      most  idle RTT, ms";
    text += hasLoaded ? "  loaded RTT, ms" : "";
    text += !chunks.empty() && chunks.front().direction ? "  direction\n" : "\n";
    for (const auto& stretch : FindStretches(chunks))
    {
        text += StretchLine(chunks, stretch, hasLoaded);
    }
    return text + "\n";
}

std::string
SettledText(const GridftpResult& gridftp)
{
    const auto settled = gridftp.GetSettledAtNs();
    return "parallelism " +
           (settled ? "settled at t = " + FormatFixed(static_cast<double>(*settled) / 1e9, 3) + " s"
                    : std::string("still changing"));
}

/** What one end asked its storage for, a part of a line. */
std::string
UseText(const std::string& verb, const std::optional<StorageUse>& use)
{
    if (!use)
    {
        return "";
    }
    return verb + " " + std::to_string(use->requests) + " blocks with " +
           std::to_string(use->seeks) + " seeks in " +
           FormatFixed(static_cast<double>(use->busyNs) / 1e9, 3) + " s";
}

/** A line about the storages of a session. */
std::string
StorageText(const StorageResult& storage)
{
    const bool isBoth = storage.read && storage.write;
    return "  storage: " + UseText("read", storage.read) + (isBoth ? ", " : "") +
           UseText("wrote", storage.write) + "\n";
}

/** A line about what a module has made of the file. */
std::string
ProcessingText(const SessionSpec& spec, const ProcessingResult& processing)
{
    const auto tell = [](uint64_t bytes) {
        return FormatWhole(static_cast<int64_t>(bytes), Dimension::BYTES);
    };
    return "  module " + spec.buffers.processing.module + ": " + tell(processing.outputBytes) +
           " from " + tell(processing.inputBytes) + "\n";
}

/** A line about the checksum of the file. */
std::string
ChecksumText(const ChecksumResult& checksum)
{
    return "  checksum adler32 " + checksum.value + " at both hosts, after " +
           FormatFixed(static_cast<double>(checksum.durationNs) / 1e9, 3) + " s\n";
}

/** What the hosts of an end did, in a few words. */
std::string
EndHostText(const EndHostResult& end)
{
    constexpr double PERCENT = 100;
    std::string text = FormatFixed(static_cast<double>(end.cpu.GetSum()) / 1e9, 3) + " s";
    if (end.isModelled)
    {
        text += " (peak load " + FormatFixed(end.peakLoad * PERCENT, 1) + " %, " +
                std::to_string(end.counts.backlogDrops) + " packets dropped)";
    }
    return text;
}

/** A line about the CPUs of a session's hosts. */
std::string
HostText(const HostResult& host)
{
    return "  CPU: busy " + EndHostText(host.sender) + " at the sender, " +
           EndHostText(host.receiver) + " at the receiver\n";
}

/** How evenly the stripes have shared the file. */
std::string
StripesText(const SessionSpec& spec, const std::vector<StripeResult>& stripes)
{
    const auto [least, most] = std::ranges::minmax(stripes, {}, &StripeResult::bytes);
    const auto tell = [](uint64_t bytes) {
        return FormatWhole(static_cast<int64_t>(bytes), Dimension::BYTES);
    };
    return "  stripes " + FormatStripes(spec.stripes) + ": " + std::to_string(stripes.size()) +
           " pairs, each " + tell(least.bytes) + " to " + tell(most.bytes);
}

/** How many connections the pairs of stripes have in the end, where each has a tuner. */
std::string
PairsText(const GridftpResult& gridftp)
{
    if (gridftp.chunks.empty() || gridftp.chunks.back().pairs.empty())
    {
        return "\n";
    }
    const auto& pairs = gridftp.chunks.back().pairs;
    const auto [least, most] = std::ranges::minmax(pairs, {}, &PairRecord::parallelism);
    return ", N " + std::to_string(least.parallelism) + " to " + std::to_string(most.parallelism) +
           " finally\n";
}

/** How many files, and how long each has taken. */
std::string
FilesText(const SessionResult& session)
{
    return "  " + std::to_string(session.files.size()) + " files, each in " +
           FormatFixed(session.GetMeanResponseS(), 3) + " s on average\n";
}

/** The goodput of a session; it is measured until the last chunk that is complete. */
std::string
GoodputText(const SessionSpec& spec, const SessionResult& session)
{
    const std::string mode = session.gridftp ? " (mode " + spec.mode + ")" : "";
    if (session.gridftp && session.durationNs == 0)
    {
        return "  no chunk was completed, so neither goodput nor the links are measured" + mode +
               "\n";
    }
    return "  goodput " + FormatFixed(session.GetGoodputBps() / 1e6, 2) + " Mbit/s over " +
           FormatFixed(static_cast<double>(session.durationNs) / 1e9, 3) + " s for " +
           FormatWhole(static_cast<int64_t>(session.bytes), Dimension::BYTES) + mode + "\n";
}

/** A line for each direction of a session that has both. */
std::string
DirectionsText(const std::vector<DirectionResult>& directions)
{
    std::string text;
    for (const auto& one : directions)
    {
        text += "  " + DirectionText(one.direction) + ": " + std::to_string(one.files) +
                (one.files == 1 ? " file, " : " files, ") +
                FormatWhole(static_cast<int64_t>(one.bytes), Dimension::BYTES) + " in " +
                FormatFixed(static_cast<double>(one.durationNs) / 1e9, 3) + " s, " +
                FormatFixed(one.GetGoodputBps() / 1e6, 2) + " Mbit/s\n";
    }
    return text;
}

std::string
SessionText(const SessionSpec& spec, const SessionResult& session, bool listsAll)
{
    std::string text = session.gridftp ? ChunksText(session.gridftp->chunks) : "";
    text += GoodputText(spec, session);
    text += DirectionsText(session.GetDirections());
    std::string parts = session.gridftp ? SettledText(*session.gridftp) : "";
    if (session.tcp)
    {
        const auto& totals = session.tcp->totals;
        parts += (parts.empty() ? "" : "; ") + std::to_string(totals.segments) + " segments, " +
                 std::to_string(totals.retransmissions) + " retransmissions, " +
                 std::to_string(totals.timeouts) + " timeouts";
    }
    text += parts.empty() ? "" : "  " + parts + "\n";
    text += session.tcp && session.tcp->detail ? DetailText(*session.tcp->detail, listsAll) : "";
    text += session.files.empty() ? "" : FilesText(session);
    text += session.storage ? StorageText(*session.storage) : "";
    text += session.processing ? ProcessingText(spec, *session.processing) : "";
    text += session.checksum ? ChecksumText(*session.checksum) : "";
    text += session.host ? HostText(*session.host) : "";
    return session.stripes.empty()
               ? text
               : text + StripesText(spec, session.stripes) + PairsText(*session.gridftp);
}

std::string
BackgroundText(const Scenario& scenario, const std::vector<BackgroundResult>& background)
{
    constexpr size_t NAME = 22;
    std::string text = background.empty()
                           ? ""
                           : "  background             tcp    start, s      end, s   "
                             "Mbit/s  retransmissions  timeouts\n";
    for (size_t i = 0; i < background.size(); ++i)
    {
        const auto& each = background[i];
        const BackgroundSpec& spec = scenario.background[i];
        text += AlignRight(std::to_string(i), 4) +
                AlignRight(spec.load > 0 ? "load " + FormatFixed(spec.load, 2) : spec.tcp, NAME) +
                AlignRight(FormatFixed(static_cast<double>(each.startNs) / 1e9, 3), 12) +
                AlignRight(FormatFixed(static_cast<double>(each.endNs) / 1e9, 3), 12) +
                AlignRight(FormatFixed(each.GetGoodputBps() / 1e6, 2), 9) +
                AlignRight(std::to_string(each.tcp.totals.retransmissions), 17) +
                AlignRight(std::to_string(each.tcp.totals.timeouts), 10) + "\n";
    }
    return text;
}

/** A line about the memory of a host of servers. */
std::string
MemoryText(const ServerMemory& memory)
{
    constexpr double MEGA = 1e6;
    return "  memory of servers: " + FormatFixed(static_cast<double>(memory.mostBytes) / MEGA, 2) +
           " MB maximum, " + FormatFixed(memory.meanBytes / MEGA, 2) + " MB on average" +
           (memory.beyondNs ? ", above the host's memory for " +
                                  FormatFixed(static_cast<double>(*memory.beyondNs) / 1e9, 3) + " s"
                            : "") +
           "\n";
}

} // namespace

std::string
ResultToText(const Scenario& scenario, const TransferResult& result)
{
    const bool listsAll = scenario.measure.detail == Detail::ON;
    std::string text;
    for (size_t i = 0; i < result.sessions.size(); ++i)
    {
        text += result.sessions.size() > 1 ? "  session " + std::to_string(i) + "\n" : "";
        text += SessionText(scenario.sessions[i], result.sessions[i], listsAll);
    }
    text += BackgroundText(scenario, result.background);
    const bool isMeasured = std::ranges::any_of(result.sessions, [](const auto& session) {
        return !session.gridftp || session.durationNs > 0;
    });
    for (const auto& link : isMeasured ? result.links : std::vector<LinkResult>{})
    {
        text += "  " + link.name + ": utilisation " + FormatFixed(link.utilisation * 100, 2) +
                " %, " + std::to_string(link.drops) + " drops, " +
                (link.marks ? std::to_string(*link.marks) + " marks, " : "") + "queue " +
                FormatFixed(link.meanQueuePackets, 1) + " packets on average, " +
                std::to_string(link.maxQueuePackets) + " maximum\n";
        text += link.queueDelay
                    ? "  queueing delay of " + link.name + ": " + DelayText(*link.queueDelay) + "\n"
                    : "";
    }
    for (const auto& limit : result.limits)
    {
        text += "  limit of " + limit.name + ": " + std::to_string(limit.drops) + " drops\n";
    }
    text += result.memory ? MemoryText(*result.memory) : "";
    const std::string note = GetPhaseEffectsNote(scenario, result);
    text += note.empty() ? "" : "  note: " + note + "\n";
    if (!result.done)
    {
        text += "  FAILED: " + result.reason + "\n";
    }
    return text;
}

} // namespace ns3::gridftp
