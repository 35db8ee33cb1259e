/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-engine.h"

#include "gridftp-cost.h"
#include "gridftp-host-rows.h"
#include "gridftp-processing-kind.h"
#include "gridftp-program-process.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-segment-traces.h"
#include "gridftp-trace-files.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace ns3::gridftp
{

namespace
{

ProgressReport
MakeReport(const Scenario& scenario, const SegmentSimulator& simulator)
{
    ProgressReport report;
    double wanted = 0;
    double moved = 0;
    for (uint32_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const auto& spec = scenario.sessions[i];
        const auto session = simulator.GetSession(i);
        report.chunk += session.records->size();
        const MarkerRange part =
            FindRegion(spec.buffers.processing, static_cast<uint64_t>(spec.fileSize));
        const uint64_t bytes = part.end - part.begin;
        report.chunks += (bytes - 1) / static_cast<uint64_t>(spec.chunkSize) + 1;
        wanted += static_cast<double>(bytes);
        moved += session.records->empty()
                     ? 0
                     : static_cast<double>(session.records->back().offset +
                                           session.records->back().bytes - part.begin);
    }
    report.simS = static_cast<double>(simulator.GetNow()) / 1e9;
    report.parallelism = simulator.GetSession(0).parallelism;
    report.fraction = moved / wanted;
    return report;
}

/** Simulates in steps of about a tenth of a second of wall time, with a report after each. */
void
Advance(SegmentSimulator& simulator, const Scenario& scenario, const SegmentRunObservers& observers)
{
    if (!observers.progress)
    {
        simulator.Advance(NEVER);
        return;
    }
    constexpr double PACKETS = 4e6;
    constexpr double LONGEST_S = 1e6;
    const double packetS = static_cast<double>(scenario.path.packetSize) * 8 /
                           static_cast<double>(scenario.path.bandwidth);
    const auto step = static_cast<int64_t>(std::min(LONGEST_S, PACKETS * packetS) * 1e9);
    while (!simulator.Advance(simulator.GetNow() + step))
    {
        observers.progress(MakeReport(scenario, simulator));
    }
}

} // namespace

Expected<TransferResult>
RunOnSegments(const Scenario& scenario, const SegmentRunObservers& observers)
{
    const auto begin = std::chrono::steady_clock::now();
    SegmentSimulator simulator(scenario, &StartExternalProgram);
    TraceFiles files;
    SegmentTraces traces(files);
    if (!observers.traceFolder.empty())
    {
        if (auto opened = files.Open(observers.traceFolder); !opened)
        {
            return opened.GetError();
        }
        simulator.SetObserver(traces);
    }
    else if (observers.skipsChunks)
    {
        simulator.AllowFastForward();
    }
    Advance(simulator, scenario, observers);
    TransferResult result = simulator.GetResult();
    if (!observers.traceFolder.empty())
    {
        traces.End(simulator.GetNow());
        AddHostRows(scenario, result, files);
        if (auto closed = files.Close(); !closed)
        {
            return closed.GetError();
        }
    }
    result.cost.wallS =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.cost.peakRssBytes = GetPeakRssBytes();
    return result;
}

} // namespace ns3::gridftp
