/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
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
    json.EndObject();
}

void
WriteTotals(JsonWriter& json, const ConnectionTotals& totals)
{
    json.Key("segments").Integer(static_cast<int64_t>(totals.segments));
    json.Key("retransmissions").Integer(static_cast<int64_t>(totals.retransmissions));
    json.Key("timeouts").Integer(static_cast<int64_t>(totals.timeouts));
}

void
WriteSummary(JsonWriter& json, const SessionResult& session)
{
    json.BeginObject();
    json.Key("goodput_bps").Number(session.GetGoodputBps());
    json.Key("duration_s").Number(Seconds(session.GetDurationNs()));
    json.Key("final_parallelism");
    if (session.chunks.empty())
    {
        json.Null();
    }
    else
    {
        json.Integer(session.chunks.back().parallelism);
    }
    json.Key("settled_at_s");
    if (const auto settled = session.GetSettledAtNs())
    {
        json.Number(Seconds(*settled));
    }
    else
    {
        json.Null();
    }
    WriteTotals(json, session.totals);
    json.EndObject();
}

void
WriteSession(JsonWriter& json, const SessionResult& session)
{
    json.BeginObject().Key("chunks").BeginArray();
    for (const auto& chunk : session.chunks)
    {
        WriteChunk(json, chunk);
    }
    json.EndArray().Key("summary");
    WriteSummary(json, session);
    json.EndObject();
}

void
WriteBackground(JsonWriter& json, const BackgroundResult& background)
{
    json.BeginObject();
    json.Key("goodput_bps").Number(background.GetGoodputBps());
    json.Key("bytes").Integer(static_cast<int64_t>(background.bytes));
    json.Key("start_s").Number(Seconds(background.startNs));
    json.Key("end_s").Number(Seconds(background.endNs));
    WriteTotals(json, background.totals);
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
WriteBottleneck(JsonWriter& json, const BottleneckResult& bottleneck)
{
    json.Key("bottleneck").BeginObject();
    json.Key("utilisation").Number(bottleneck.utilisation);
    json.Key("drops").Integer(static_cast<int64_t>(bottleneck.drops));
    json.Key("mean_queue_packets").Number(bottleneck.meanQueuePackets);
    json.Key("max_queue_packets").Integer(static_cast<int64_t>(bottleneck.maxQueuePackets));
    json.EndObject();
}

} // namespace

std::string
ResultToJson(const Scenario& scenario, const TransferResult& result, const Provenance& provenance)
{
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(1);
    json.Key("status").String(result.done ? "done" : "failed");
    json.Key("reason");
    if (result.done)
    {
        json.Null();
    }
    else
    {
        json.String(result.reason);
    }
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
    json.EndArray();
    WriteBottleneck(json, result.bottleneck);
    json.Key("cost").BeginObject();
    json.Key("wall_s").Number(result.cost.wallS);
    json.Key("events").Integer(static_cast<int64_t>(result.cost.events));
    json.Key("peak_rss_bytes").Integer(static_cast<int64_t>(result.cost.peakRssBytes));
    json.EndObject().EndObject();
    return json.GetText();
}

} // namespace ns3::gridftp
