/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-presence.h"
#include "lab-rows.h"
#include "lab-simulation.h"

#include <limits>

/**
 * @file
 * What the charts draw of a LabSimulation: rows by bin and by interval.
 */

namespace ns3::gridftp
{

std::vector<double>
LabSimulation::MakeAxis() const
{
    const auto& axis = m_recorder.GetAxis();
    const auto now = m_simulator.GetNow();
    return {Seconds(axis.GetBeginNs(axis.GetFirst(now))),
            Seconds(axis.GetWidthNs()),
            Real(axis.GetCount(now))};
}

std::vector<double>
LabSimulation::MakeQueue() const
{
    const auto& axis = m_recorder.GetAxis();
    const auto now = m_simulator.GetNow();
    const auto first = axis.GetFirst(now);
    std::vector<double> rows;
    for (size_t i = 0; i < axis.GetCount(now); ++i)
    {
        const auto index = first + static_cast<int64_t>(i);
        const auto bin = m_recorder.GetQueue().At(index);
        AddRow(rows,
               {bin.least,
                bin.most,
                bin.last,
                Real(m_recorder.GetDrops().At(index)),
                Real(m_recorder.GetMarks().At(index))});
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeIdleRtts() const
{
    std::vector<double> row;
    for (const auto& session : m_scenario.sessions)
    {
        row.push_back(Seconds(GetRoundTripNs(m_scenario.path, session.delay)));
    }
    for (const auto& background : m_scenario.background)
    {
        row.push_back(Seconds(GetRoundTripNs(m_scenario.path, background.delay)));
    }
    return row;
}

std::vector<double>
LabSimulation::MakeRtts() const
{
    const auto& axis = m_recorder.GetAxis();
    const auto now = m_simulator.GetNow();
    const auto first = axis.GetFirst(now);
    const auto& rtts = m_recorder.GetRtts();
    const size_t flows = m_scenario.sessions.size() + m_scenario.background.size();
    std::vector<double> rows;
    for (size_t flow = 0; flow < flows; ++flow)
    {
        const ValueSeries* series = flow < rtts.size() ? rtts[flow].get() : nullptr;
        for (size_t i = 0; i < axis.GetCount(now); ++i)
        {
            const ValueBin bin = series ? series->At(first + static_cast<int64_t>(i)) : ValueBin{};
            AddRow(rows, {bin.least / 1e9, bin.most / 1e9, bin.last / 1e9});
        }
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeFlows() const
{
    const auto now = m_simulator.GetNow();
    std::vector<double> rows;
    for (const auto& interval :
         m_flows.GetIntervals(now, m_hasEnded ? m_simulator.GetFlows() : std::vector<FlowView>{}))
    {
        AddRow(rows, {Seconds(interval.beginNs), Seconds(interval.endNs), interval.jain});
        rows.insert(rows.end(), interval.goodputBps.begin(), interval.goodputBps.end());
    }
    return rows;
}

std::vector<double>
LabSimulation::MakeWindowList() const
{
    std::vector<double> rows;
    const auto& windows = m_recorder.GetWindows();
    for (size_t session = 0; session < windows.size(); ++session)
    {
        for (size_t connection = 0; connection < windows[session].size(); ++connection)
        {
            if (windows[session][connection])
            {
                AddRow(rows, {Real(session), Real(connection)});
            }
        }
    }
    return rows;
}

std::vector<float>
LabSimulation::MakeWindows(uint32_t session, uint32_t connection)
{
    const auto& axis = m_recorder.GetAxis();
    const auto now = m_simulator.GetNow();
    const auto first = axis.GetFirst(now);
    const auto& series = *m_recorder.GetWindows()[session][connection];
    const bool isSession = session < m_scenario.sessions.size();
    const auto view = isSession ? m_simulator.GetSession(session) : SessionView{};
    const bool mayRetry = isSession && m_scenario.sessions[session].retries > 0;
    const RetryResult tries = mayRetry ? GetTries(session) : RetryResult{};
    const uint32_t pairs =
        isSession ? static_cast<uint32_t>(GetPairs(m_scenario.sessions[session].stripes)) : 1;
    Presence presence(view, connection, pairs, tries.restarts);
    std::vector<float> rows;
    constexpr auto NONE = std::numeric_limits<float>::quiet_NaN();
    for (size_t i = 0; i < axis.GetCount(now); ++i)
    {
        const auto index = first + static_cast<int64_t>(i);
        if (isSession && !presence.IsThere(axis.GetBeginNs(index), axis.GetBeginNs(index + 1)))
        {
            rows.insert(rows.end(), {NONE, NONE, NONE, NONE, NONE});
            continue;
        }
        const auto cwnd = series.cwnd.At(index);
        rows.insert(rows.end(),
                    {cwnd.least,
                     cwnd.most,
                     cwnd.last,
                     series.ssthresh.At(index).last,
                     series.flight.At(index).last});
    }
    return rows;
}

} // namespace ns3::gridftp
