/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-detail-output.h"
#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
#include "gridftp-phase-effects.h"
#include "gridftp-result.h"
#include "gridftp-scenario-json.h"

namespace ns3::gridftp
{

namespace
{

double
Seconds(int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

/** Writes which way something went, where a session has both. */
void
WriteDirection(JsonWriter& json, const std::optional<Direction>& direction)
{
    if (direction)
    {
        json.Key("direction")
            .String(GetOption("direction").Format(static_cast<int64_t>(*direction)));
    }
}

} // namespace

void
WriteChunk(JsonWriter& json, const ChunkRecord& chunk)
{
    json.BeginObject();
    json.Key("index").Integer(chunk.index);
    json.Key("start_s").Number(Seconds(chunk.startNs));
    json.Key("end_s").Number(Seconds(chunk.endNs));
    json.Key("bytes").Integer(static_cast<int64_t>(chunk.bytes));
    json.Key("parallelism").Integer(chunk.parallelism);
    json.Key("next_parallelism").Integer(chunk.nextParallelism);
    json.Key("goodput_bps").Number(chunk.goodputBps);
    json.Key("rtt_s").Number(chunk.rttS);
    json.Key("window_bytes").Number(chunk.windowBytes);
    json.Key("valid").Bool(chunk.valid);
    WriteDirection(json, chunk.direction);
    if (chunk.loadedRttS)
    {
        json.Key("loaded_rtt_s").Number(*chunk.loadedRttS);
    }
    if (chunk.jain)
    {
        json.Key("jain_index").Number(*chunk.jain);
    }
    json.EndObject();
}

namespace
{

/** Writes a status and the reason beside it. @param reason why it failed; empty: it is done */
void
WriteStatus(JsonWriter& json, bool done, const std::string& reason)
{
    json.Key("status").String(done ? "done" : "failed");
    json.Key("reason");
    if (done)
    {
        json.Null();
    }
    else
    {
        json.String(reason);
    }
}

/** Writes a time in seconds, null where there is none. */
void
WriteMaybeSeconds(JsonWriter& json, const std::optional<int64_t>& nanoseconds)
{
    if (nanoseconds)
    {
        json.Number(Seconds(*nanoseconds));
    }
    else
    {
        json.Null();
    }
}

void
WriteGridftp(JsonWriter& json, const GridftpResult& gridftp)
{
    json.Key("gridftp").BeginObject().Key("chunks").BeginArray();
    for (const auto& chunk : gridftp.chunks)
    {
        WriteChunk(json, chunk);
    }
    json.EndArray().Key("final_parallelism");
    if (const auto parallelism = gridftp.GetFinalParallelism())
    {
        json.Integer(*parallelism);
    }
    else
    {
        json.Null();
    }
    json.Key("settled_at_s");
    WriteMaybeSeconds(json, gridftp.GetSettledAtNs());
    json.EndObject();
}

void
WriteTcp(JsonWriter& json, const TcpResult& tcp)
{
    json.Key("tcp").BeginObject();
    WriteTotals(json, tcp.totals);
    json.Key("window_bytes").Integer(static_cast<int64_t>(tcp.windowBytes));
    if (tcp.detail)
    {
        WriteDetail(json, *tcp.detail);
    }
    json.EndObject();
}

void
WriteBuffers(JsonWriter& json, const BufferResult& buffers, const std::optional<double>& perMib)
{
    json.Key("buffers").BeginObject();
    json.Key("receive_peak_bytes").Integer(static_cast<int64_t>(buffers.mostBytes));
    json.Key("receive_mean_bytes").Number(buffers.meanBytes);
    json.Key("mbps_per_mib");
    if (perMib)
    {
        json.Number(*perMib);
    }
    else
    {
        json.Null();
    }
    if (buffers.rttS)
    {
        json.Key("measured_rtt_s").Number(*buffers.rttS);
    }
    json.EndObject();
}

void
WriteDatagrams(JsonWriter& json, const DatagramResult& udp)
{
    json.Key("udp").BeginObject();
    json.Key("packets").Integer(static_cast<int64_t>(udp.packets));
    json.Key("retransmissions").Integer(static_cast<int64_t>(udp.retransmissions));
    json.Key("duplicates").Integer(static_cast<int64_t>(udp.duplicates));
    json.Key("reports").Integer(static_cast<int64_t>(udp.reports));
    json.Key("blasts").BeginArray();
    for (const uint64_t packets : udp.blasts)
    {
        json.Integer(static_cast<int64_t>(packets));
    }
    json.EndArray();
    if (udp.receiverDrops)
    {
        json.Key("receiver_drops").Integer(static_cast<int64_t>(*udp.receiverDrops));
    }
    json.EndObject();
}

/** Writes what one end asked its storage for, where there is such. */
void
WriteUse(JsonWriter& json, const char* key, const std::optional<StorageUse>& use)
{
    if (!use)
    {
        return;
    }
    json.Key(key).BeginObject();
    json.Key("requests").Integer(static_cast<int64_t>(use->requests));
    json.Key("seeks").Integer(static_cast<int64_t>(use->seeks));
    json.Key("busy_s").Number(Seconds(use->busyNs));
    json.Key("bytes").Integer(static_cast<int64_t>(use->bytes));
    json.EndObject();
}

void
WriteStorage(JsonWriter& json, const StorageResult& storage)
{
    json.Key("storage").BeginObject();
    WriteUse(json, "read", storage.read);
    WriteUse(json, "write", storage.write);
    json.EndObject();
}

/** Writes what the hosts of one end did. */
void
WriteEndHost(JsonWriter& json, const char* key, const EndHostResult& end)
{
    json.Key(key).BeginObject();
    json.Key("cpu_busy_s").Number(Seconds(end.cpu.GetSum()));
    for (const auto& use : GetCpuUses())
    {
        using enum CpuUseName::Presence;
        if (use.presence == ALWAYS || (use.presence == MODELLED && end.isModelled) ||
            (use.presence == USED && end.cpu.Get(use.use) > 0))
        {
            json.Key(use.key).Number(Seconds(end.cpu.Get(use.use)));
        }
    }
    if (end.isModelled)
    {
        json.Key("cpu_cores_s").BeginArray();
        for (const int64_t ns : end.coreBusyNs)
        {
            json.Number(Seconds(ns));
        }
        json.EndArray();
        json.Key("cpu_peak_load").Number(end.peakLoad);
        json.Key("packets_in").Integer(static_cast<int64_t>(end.counts.packetsIn));
        json.Key("packets_out").Integer(static_cast<int64_t>(end.counts.packetsOut));
        json.Key("interrupts").Integer(static_cast<int64_t>(end.counts.interrupts));
        json.Key("backlog_drops").Integer(static_cast<int64_t>(end.counts.backlogDrops));
    }
    json.EndObject();
}

void
WriteProcessing(JsonWriter& json, const ProcessingResult& processing)
{
    json.Key("processing").BeginObject();
    json.Key("input_bytes").Integer(static_cast<int64_t>(processing.inputBytes));
    json.Key("output_bytes").Integer(static_cast<int64_t>(processing.outputBytes));
    json.EndObject();
}

void
WriteChecksum(JsonWriter& json, const ChecksumResult& checksum)
{
    json.Key("checksum").BeginObject();
    json.Key("value").String(checksum.value);
    json.Key("duration_s").Number(Seconds(checksum.durationNs));
    json.EndObject();
}

void
WriteHost(JsonWriter& json, const HostResult& host)
{
    json.Key("host").BeginObject();
    WriteEndHost(json, "sender", host.sender);
    WriteEndHost(json, "receiver", host.receiver);
    json.EndObject();
}

/** Writes what a pair of stripes with a tuner of its own did, chunk by chunk. */
void
WritePair(JsonWriter& json, const std::vector<ChunkRecord>& chunks, size_t pair)
{
    if (chunks.empty() || chunks.front().pairs.empty())
    {
        return;
    }
    json.Key("parallelism").BeginArray();
    for (const auto& chunk : chunks)
    {
        json.Integer(chunk.pairs[pair].parallelism);
    }
    json.EndArray().Key("goodput_bps").BeginArray();
    for (const auto& chunk : chunks)
    {
        json.Number(chunk.pairs[pair].goodputBps);
    }
    json.EndArray();
    json.Key("final_parallelism").Integer(chunks.back().pairs[pair].parallelism);
}

void
WriteStripes(JsonWriter& json,
             const std::vector<StripeResult>& stripes,
             const std::vector<ChunkRecord>& chunks)
{
    json.Key("stripes").BeginArray();
    for (size_t i = 0; i < stripes.size(); ++i)
    {
        const StripeResult& stripe = stripes[i];
        json.BeginObject();
        json.Key("sender").Integer(stripe.sender);
        json.Key("receiver").Integer(stripe.receiver);
        json.Key("bytes").Integer(static_cast<int64_t>(stripe.bytes));
        WriteTotals(json, stripe.totals);
        WritePair(json, chunks, i);
        json.EndObject();
    }
    json.EndArray();
}

void
WriteFiles(JsonWriter& json, const std::vector<FileRecord>& files)
{
    json.Key("files").BeginArray();
    for (const auto& file : files)
    {
        json.BeginObject();
        json.Key("size_bytes").Integer(static_cast<int64_t>(file.bytes));
        json.Key("start_s").Number(Seconds(file.startNs));
        json.Key("end_s").Number(Seconds(file.endNs));
        WriteDirection(json, file.direction);
        json.EndObject();
    }
    json.EndArray();
}

void
WriteDirections(JsonWriter& json, const std::vector<DirectionResult>& directions)
{
    json.Key("directions").BeginArray();
    for (const auto& one : directions)
    {
        json.BeginObject();
        WriteDirection(json, one.direction);
        json.Key("files").Integer(static_cast<int64_t>(one.files));
        json.Key("bytes").Integer(static_cast<int64_t>(one.bytes));
        json.Key("duration_s").Number(Seconds(one.durationNs));
        json.Key("goodput_bps").Number(one.GetGoodputBps());
        json.EndObject();
    }
    json.EndArray();
}

void
WriteTries(JsonWriter& json, const RetryResult& tries)
{
    json.Key("restarts").BeginArray();
    for (const auto& restart : tries.restarts)
    {
        json.BeginObject();
        json.Key("time_s").Number(Seconds(restart.timeNs));
        json.Key("reason").String(restart.reason);
        json.Key("held_bytes").Integer(static_cast<int64_t>(restart.heldBytes));
        json.Key("wait_s").Number(Seconds(restart.waitNs));
        json.EndObject();
    }
    json.EndArray();
    json.Key("bytes_resent").Integer(static_cast<int64_t>(tries.bytesResent));
}

void
WriteSession(JsonWriter& json, const SessionResult& session)
{
    json.BeginObject().Key("tool").String(session.tool);
    json.Key("bytes").Integer(static_cast<int64_t>(session.bytes));
    json.Key("start_s");
    WriteMaybeSeconds(json, session.startNs);
    json.Key("duration_s").Number(Seconds(session.durationNs));
    json.Key("goodput_bps").Number(session.GetGoodputBps());
    WriteStatus(json, session.reason.empty(), session.reason);
    if (session.gridftp)
    {
        WriteGridftp(json, *session.gridftp);
    }
    if (session.tcp)
    {
        WriteTcp(json, *session.tcp);
    }
    if (session.buffers)
    {
        WriteBuffers(json, *session.buffers, session.GetMbpsPerMib());
    }
    if (session.udp)
    {
        WriteDatagrams(json, *session.udp);
    }
    if (session.storage)
    {
        WriteStorage(json, *session.storage);
    }
    if (session.processing)
    {
        WriteProcessing(json, *session.processing);
    }
    if (session.checksum)
    {
        WriteChecksum(json, *session.checksum);
    }
    if (session.host)
    {
        WriteHost(json, *session.host);
    }
    if (!session.stripes.empty())
    {
        WriteStripes(json, session.stripes, session.gridftp->chunks);
    }
    if (const auto directions = session.GetDirections(); !directions.empty())
    {
        WriteDirections(json, directions);
    }
    if (!session.files.empty())
    {
        WriteFiles(json, session.files);
    }
    if (session.retries)
    {
        WriteTries(json, *session.retries);
    }
    if (session.restartMarker && !session.reason.empty())
    {
        json.Key("restart_marker").String(FormatRanges(*session.restartMarker));
    }
    json.EndObject();
}

void
WriteBackground(JsonWriter& json, const BackgroundResult& background)
{
    json.BeginObject();
    json.Key("bytes").Integer(static_cast<int64_t>(background.bytes));
    json.Key("start_s").Number(Seconds(background.startNs));
    json.Key("end_s").Number(Seconds(background.endNs));
    json.Key("goodput_bps").Number(background.GetGoodputBps());
    WriteStatus(json, background.reason.empty(), background.reason);
    if (background.udp)
    {
        WriteDatagrams(json, *background.udp);
    }
    else
    {
        WriteTcp(json, background.tcp);
    }
    json.EndObject();
}

void
WriteProvenance(JsonWriter& json, const Provenance& provenance)
{
    json.Key("provenance").BeginObject();
    json.Key("version").String(provenance.version);
    json.Key("commit").String(provenance.commit);
    json.Key("ns3_version").String(provenance.ns3Version);
    json.Key("build_profile").String(provenance.buildProfile);
    json.Key("compiler").String(provenance.compiler);
    json.Key("command").String(provenance.command);
    json.EndObject();
}

void
WriteLink(JsonWriter& json, const LinkResult& link)
{
    json.BeginObject().Key("name").String(link.name);
    json.Key("utilisation").Number(link.utilisation);
    json.Key("drops").Integer(static_cast<int64_t>(link.drops));
    if (link.marks)
    {
        json.Key("marks").Integer(static_cast<int64_t>(*link.marks));
    }
    json.Key("mean_queue_packets").Number(link.meanQueuePackets);
    json.Key("max_queue_packets").Integer(static_cast<int64_t>(link.maxQueuePackets));
    if (link.queueDelay)
    {
        WriteQueueDelay(json, *link.queueDelay);
    }
    json.EndObject();
}

void
WriteLimits(JsonWriter& json, const std::vector<LimitResult>& limits)
{
    json.Key("limits").BeginArray();
    for (const auto& limit : limits)
    {
        json.BeginObject().Key("name").String(limit.name);
        json.Key("drops").Integer(static_cast<int64_t>(limit.drops)).EndObject();
    }
    json.EndArray();
}

void
WriteMemory(JsonWriter& json, const ServerMemory& memory)
{
    json.Key("server_memory").BeginObject();
    json.Key("peak_bytes").Integer(static_cast<int64_t>(memory.mostBytes));
    json.Key("mean_bytes").Number(memory.meanBytes);
    if (memory.beyondNs)
    {
        json.Key("beyond_host_s").Number(Seconds(*memory.beyondNs));
    }
    json.EndObject();
}

} // namespace

std::string
ResultToJson(const Scenario& scenario, const TransferResult& result, const Provenance& provenance)
{
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(RESULT_SCHEMA);
    WriteStatus(json, result.done, result.reason);
    json.Key("scenario").Raw(ScenarioToJson(scenario));
    json.Key("engine").String(EngineName(scenario.measure.engine));
    WriteProvenance(json, provenance);
    json.Key("sessions").BeginArray();
    for (const auto& session : result.sessions)
    {
        WriteSession(json, session);
    }
    json.EndArray().Key("background").BeginArray();
    for (const auto& background : result.background)
    {
        WriteBackground(json, background);
    }
    json.EndArray().Key("links").BeginArray();
    for (const auto& link : result.links)
    {
        WriteLink(json, link);
    }
    json.EndArray();
    if (!result.limits.empty())
    {
        WriteLimits(json, result.limits);
    }
    if (result.memory)
    {
        WriteMemory(json, *result.memory);
    }
    const std::string note = GetPhaseEffectsNote(scenario, result);
    if (!note.empty())
    {
        json.Key("notes").BeginArray().String(note).EndArray();
    }
    json.Key("cost").BeginObject();
    json.Key("wall_s").Number(result.cost.wallS);
    json.Key("events").Integer(static_cast<int64_t>(result.cost.events));
    if (result.cost.skippedChunks > 0)
    {
        json.Key("skipped_events").Integer(static_cast<int64_t>(result.cost.skippedEvents));
        json.Key("skipped_chunks").Integer(static_cast<int64_t>(result.cost.skippedChunks));
    }
    json.Key("peak_rss_bytes").Integer(static_cast<int64_t>(result.cost.peakRssBytes));
    json.EndObject().EndObject();
    return json.GetText();
}

std::string
BatchErrorToJson(size_t line, const Error& error)
{
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(RESULT_SCHEMA).Key("status").String("error");
    json.Key("line").Integer(static_cast<int64_t>(line));
    json.Key("reason").String(error.message).EndObject();
    return json.GetText();
}

} // namespace ns3::gridftp
