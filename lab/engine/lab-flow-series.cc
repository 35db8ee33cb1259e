/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-flow-series.h"

#include <algorithm>
#include <limits>

namespace ns3::gridftp
{

namespace
{

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

/** @param begin what the flows had moved @param end what they have later @param interval gets its
 * times, and what comes of these */
FlowInterval
MakeInterval(int64_t beginNs,
             const std::vector<FlowView>& begin,
             int64_t endNs,
             const std::vector<FlowView>& end)
{
    FlowInterval interval{.beginNs = beginNs, .endNs = endNs, .jain = UNKNOWN, .goodputBps = {}};
    const double seconds = static_cast<double>(endNs - beginNs) / 1e9;
    std::vector<double> shares;
    for (size_t i = 0; i < end.size(); ++i)
    {
        const uint64_t bytes = end[i].receivedBytes - begin[i].receivedBytes;
        const bool isOn = begin[i].active || end[i].active || bytes > 0;
        const double goodput = static_cast<double>(bytes) * 8 / seconds;
        interval.goodputBps.push_back(isOn ? goodput : UNKNOWN);
        if (begin[i].active && end[i].active)
        {
            shares.push_back(goodput);
        }
    }
    interval.jain = shares.size() > 1 ? JainIndex(shares) : UNKNOWN;
    return interval;
}

/** Bytes that are there stay so, where a client begins anew and has less of the file. @param flows
 * gets no less than before @param before what they had */
void
KeepMost(std::vector<FlowView>& flows, const std::vector<FlowView>& before)
{
    for (size_t i = 0; i < flows.size() && i < before.size(); ++i)
    {
        flows[i].receivedBytes = std::max(flows[i].receivedBytes, before[i].receivedBytes);
    }
}

} // namespace

double
JainIndex(std::span<const double> shares)
{
    double sum = 0;
    double squares = 0;
    for (const double share : shares)
    {
        sum += share;
        squares += share * share;
    }
    return squares > 0 ? sum * sum / (static_cast<double>(shares.size()) * squares) : UNKNOWN;
}

int64_t
FlowSeries::GetNextNs() const
{
    const auto last = static_cast<int64_t>(m_axis.GetCapacity());
    return m_axis.GetKind() == AxisKind::SPAN && m_next > last ? NEVER : m_axis.GetBeginNs(m_next);
}

int64_t
FlowSeries::GetFirst() const
{
    return std::max<int64_t>(0, m_next - static_cast<int64_t>(m_edges.size()));
}

void
FlowSeries::Add(const std::vector<FlowView>& flows)
{
    Edge edge = flows;
    if (m_next > 0)
    {
        KeepMost(edge, At(m_next - 1));
    }
    m_edges[static_cast<size_t>(m_next) % m_edges.size()] = std::move(edge);
    ++m_next;
    const auto capacity = static_cast<int64_t>(m_axis.GetCapacity());
    if (m_axis.GetKind() == AxisKind::WHOLE && m_next > capacity)
    {
        for (size_t i = 1; 2 * i < m_edges.size(); ++i)
        {
            m_edges[i] = std::move(m_edges[2 * i]);
        }
        m_axis.Fold();
        m_next = capacity / 2 + 1;
    }
}

std::vector<FlowInterval>
FlowSeries::GetIntervals(Nanoseconds now, const std::vector<FlowView>& flows) const
{
    std::vector<FlowInterval> intervals;
    for (auto i = GetFirst(); i + 1 < m_next; ++i)
    {
        intervals.push_back(
            MakeInterval(m_axis.GetBeginNs(i), At(i), m_axis.GetBeginNs(i + 1), At(i + 1)));
    }
    const bool isIn = m_next > 0 && GetNextNs() != NEVER;
    if (const int64_t begin = m_axis.GetBeginNs(m_next - 1); isIn && !flows.empty() && now > begin)
    {
        Edge end = flows;
        KeepMost(end, At(m_next - 1));
        intervals.push_back(MakeInterval(begin, At(m_next - 1), now, end));
    }
    return intervals;
}

} // namespace ns3::gridftp
