/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-progress.h"

#include "gridftp-processing-kind.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

Ns3Progress::Ns3Progress(const Scenario& scenario,
                         std::function<Work()> look,
                         std::function<void(const ProgressReport&)> tell)
    : m_scenario(scenario),
      m_look(std::move(look)),
      m_tell(std::move(tell))
{
}

void
Ns3Progress::Start()
{
    if (m_tell)
    {
        Simulator::ScheduleNow(&Ns3Progress::Report, this);
    }
}

void
Ns3Progress::Report()
{
    const Work work = m_look();
    m_tell(MakeReport(work));
    // A report about every four thousand segments: a tenth of a second or less of wall time.
    constexpr int64_t SEGMENTS = 4000;
    const double packetS = static_cast<double>(m_scenario.path.packetSize) * 8 /
                           static_cast<double>(m_scenario.path.bandwidth);
    if (!work.isOver)
    {
        Simulator::Schedule(Seconds(SEGMENTS * packetS), &Ns3Progress::Report, this);
    }
}

ProgressReport
Ns3Progress::MakeReport(const Work& work) const
{
    ProgressReport report;
    double bytes = 0;
    for (const auto& session : m_scenario.sessions)
    {
        const MarkerRange part =
            FindRegion(session.buffers.processing, static_cast<uint64_t>(session.fileSize));
        const uint64_t own = part.end - part.begin;
        report.chunks += (own - 1) / static_cast<uint64_t>(session.chunkSize) + 1;
        bytes += static_cast<double>(own);
    }
    const double payload = static_cast<double>(GetSegmentBytes(m_scenario)) /
                           static_cast<double>(m_scenario.path.packetSize);
    // What the background sends cannot be told from what the sessions do.
    const bool alone = m_scenario.background.empty();
    const double moved = alone ? payload * static_cast<double>(work.forwardedBytes) : 0;
    report.simS = Simulator::Now().GetSeconds();
    report.chunk = work.parts;
    report.parallelism = work.parallelism;
    report.fraction = std::min(1.0, std::max(moved, static_cast<double>(work.partBytes)) / bytes);
    return report;
}

} // namespace ns3::gridftp
