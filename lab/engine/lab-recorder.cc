/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-recorder.h"

#include <algorithm>
#include <limits>

namespace ns3::gridftp
{

namespace
{
constexpr size_t MOST_DROPS = 4096; // a frame that shows more shows nothing
constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
} // namespace

Recorder::Recorder(const TimeAxis& axis, bool moving)
    : m_axis(axis),
      m_moving(moving),
      m_queue(axis),
      m_drops(axis),
      m_marks(axis)
{
    m_queue.Add(m_axis, 0, 0);
}

void
Recorder::Reach(Nanoseconds now)
{
    if (now < m_endNs)
    {
        return;
    }
    for (auto folds = m_axis.CountFolds(now); folds > 0; --folds)
    {
        m_axis.Fold();
        m_queue.Fold();
        m_drops.Fold();
        m_marks.Fold();
        for (auto& rtt : m_rtts)
        {
            if (rtt)
            {
                rtt->Fold();
            }
        }
        for (auto& owner : m_windows)
        {
            for (auto& series : owner)
            {
                if (series)
                {
                    series->cwnd.Fold();
                    series->ssthresh.Fold();
                    series->flight.Fold();
                }
            }
        }
    }
    m_endNs = m_axis.GetKind() == AxisKind::WHOLE
                  ? m_axis.GetBeginNs(static_cast<int64_t>(m_axis.GetCapacity()))
                  : std::numeric_limits<int64_t>::max();
}

WindowSeries&
Recorder::GetSeries(const ConnectionLabel& label)
{
    if (label.session >= m_windows.size())
    {
        m_windows.resize(label.session + 1);
    }
    auto& owner = m_windows[label.session];
    if (label.connection >= owner.size())
    {
        owner.resize(label.connection + 1);
    }
    auto& series = owner[label.connection];
    if (!series)
    {
        series = std::make_unique<WindowSeries>(ValueSeries(m_axis),
                                                ValueSeries(m_axis),
                                                ValueSeries(m_axis));
    }
    return *series;
}

void
Recorder::HandleLength(Nanoseconds now, uint64_t packets)
{
    Reach(now);
    m_queue.Add(m_axis, now, static_cast<double>(packets));
}

void
Recorder::HandleMark(Nanoseconds now)
{
    Reach(now);
    m_marks.Add(m_axis, now);
    ++m_markCount;
}

void
Recorder::Sample(Nanoseconds now, const std::vector<ConnectionView>& connections)
{
    Reach(now);

    struct Mean
    {
        double sum{0};
        double count{0};
    };

    std::vector<Mean> means(m_rtts.size());
    for (const auto& connection : connections)
    {
        const uint32_t owner = connection.label.session;
        if (owner < m_windows.size() && connection.label.connection < m_windows[owner].size() &&
            m_windows[owner][connection.label.connection])
        {
            m_windows[owner][connection.label.connection]->flight.Add(
                m_axis,
                now,
                static_cast<double>(connection.flightBytes));
        }
        if (connection.rttNs == 0)
        {
            continue; // there was no sample yet
        }
        if (owner >= m_rtts.size())
        {
            m_rtts.resize(owner + 1);
            means.resize(owner + 1);
        }
        if (!m_rtts[owner])
        {
            m_rtts[owner] = std::make_unique<ValueSeries>(m_axis);
        }
        const auto rtt = static_cast<double>(connection.rttNs);
        m_rtts[owner]->Add(m_axis, now, rtt);
        means[owner].sum += rtt;
        means[owner].count += 1;
    }
    for (size_t owner = 0; owner < m_rtts.size(); ++owner)
    {
        if (m_rtts[owner])
        {
            const auto& [sum, count] = means[owner];
            m_rtts[owner]->Add(m_axis, now, count > 0 ? sum / count : UNKNOWN);
        }
    }
    m_nextSampleNs = GetBeginOfNextBin(now);
}

int64_t
Recorder::GetBeginOfNextBin(Nanoseconds now) const
{
    const int64_t index = m_axis.IndexOf(now);
    const bool isBehind =
        m_axis.GetKind() == AxisKind::SPAN && index >= static_cast<int64_t>(m_axis.GetCapacity());
    // Before a span one sample is enough: what is there when the span begins
    return isBehind ? std::numeric_limits<int64_t>::max()
                    : m_axis.GetBeginNs(std::max<int64_t>(index + 1, -1));
}

void
Recorder::HandleWindow(Nanoseconds now, const ConnectionLabel& label, const WindowView& window)
{
    Reach(now);
    WindowSeries& series = GetSeries(label);
    const uint64_t cwnd = window.cwndBytes;
    const uint64_t shown = m_moving ? std::min(cwnd, window.receiverBytes) : cwnd;
    series.cwnd.Add(m_axis, now, static_cast<double>(shown));
    if (const auto ssthresh = window.ssthreshBytes; ssthresh != series.lastSsthresh)
    {
        series.lastSsthresh = ssthresh;
        series.ssthresh.Add(m_axis, now, ssthresh ? static_cast<double>(*ssthresh) : UNKNOWN);
    }
}

void
Recorder::HandleDrop(Nanoseconds now,
                     const std::optional<ConnectionLabel>& label,
                     const std::optional<uint64_t>& /* sequence */)
{
    Reach(now);
    m_drops.Add(m_axis, now);
    if (m_latestDrops.size() < MOST_DROPS)
    {
        m_latestDrops.push_back({now, label});
    }
}

} // namespace ns3::gridftp
