/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-connection-monitor.h"

#include <utility>

namespace ns3::gridftp
{

void
ConnectionRow::Add(const ConnectionRow& other)
{
    opened += other.opened;
    bytes += other.bytes;
    totals.Add(other.totals);
    openNs += other.openNs;
    cwndNs += other.cwndNs;
    rtt.Add(other.rtt);
}

ConnectionRow
ConnectionRow::operator-(const ConnectionRow& before) const
{
    return {.opened = opened - before.opened,
            .bytes = bytes - before.bytes,
            .totals = {totals.segments - before.totals.segments,
                       totals.retransmissions - before.totals.retransmissions,
                       totals.timeouts - before.totals.timeouts},
            .openNs = openNs - before.openNs,
            .cwndNs = cwndNs - before.cwndNs,
            .rtt = rtt - before.rtt};
}

ConnectionRow&
SessionMonitor::GetRow(uint32_t number)
{
    if (number >= m_rows.size())
    {
        m_rows.resize(number + 1);
    }
    return m_rows[number];
}

void
SessionMonitor::Shares::Add(const ConnectionRow& row)
{
    if (row.openNs > 0)
    {
        const double goodput = static_cast<double>(row.bytes) / static_cast<double>(row.openNs);
        bytes += row.bytes;
        sum += goodput;
        squares += goodput * goodput;
        ++count;
    }
}

std::optional<double>
SessionMonitor::Shares::GetJain() const
{
    return squares > 0 ? std::optional(sum * sum / (static_cast<double>(count) * squares))
                       : std::nullopt;
}

SessionMonitor::Chunk
SessionMonitor::TakeChunk()
{
    Chunk chunk;
    const DelaySum before = std::exchange(m_rttBefore, m_rtt.GetSum());
    chunk.meanRttS = (m_rttBefore - before).GetMeanS();
    m_before.resize(m_rows.size());
    Shares shares;
    for (size_t i = 0; i < m_rows.size(); ++i)
    {
        shares.Add(m_rows[i] - m_before[i]);
        m_before[i] = m_rows[i];
    }
    chunk.jain = shares.GetJain();
    if (chunk.jain)
    {
        m_jainBytes += *chunk.jain * static_cast<double>(shares.bytes);
        m_chunkBytes += shares.bytes;
    }
    return chunk;
}

void
SessionMonitor::Add(const SessionMonitor& others)
{
    for (uint32_t i = 0; i < others.m_rows.size(); ++i)
    {
        GetRow(i).Add(others.m_rows[i]);
    }
    m_rtt.Add(others.m_rtt);
}

SessionMonitor
SessionMonitor::operator-(const SessionMonitor& before) const
{
    SessionMonitor since = *this;
    for (size_t i = 0; i < before.m_rows.size(); ++i)
    {
        since.m_rows[i] = m_rows[i] - before.m_rows[i];
    }
    since.m_rtt = m_rtt - before.m_rtt;
    return since;
}

TcpDetail
SessionMonitor::MakeDetail() const
{
    TcpDetail detail;
    detail.rtt = m_rtt.GetFigures();
    Shares shares;
    for (uint32_t i = 0; i < m_rows.size(); ++i)
    {
        const ConnectionRow& row = m_rows[i];
        if (row.opened == 0)
        {
            continue;
        }
        ConnectionResult& result = detail.connections.emplace_back();
        result.index = i;
        result.opened = row.opened;
        result.bytes = row.bytes;
        result.totals = row.totals;
        result.openNs = row.openNs;
        if (row.openNs > 0)
        {
            result.meanCwndBytes =
                static_cast<double>(row.cwndNs) / static_cast<double>(row.openNs);
        }
        result.rtt = row.rtt;
        shares.Add(row);
    }
    detail.jain = m_chunkBytes > 0 ? std::optional(m_jainBytes / static_cast<double>(m_chunkBytes))
                                   : shares.GetJain();
    return detail;
}

void
ConnectionMonitor::Begin(SessionMonitor* session, uint32_t number)
{
    *this = {};
    m_session = session;
    m_row = session ? &session->GetRow(number) : nullptr;
}

void
ConnectionMonitor::Open(Nanoseconds now, uint64_t cwnd)
{
    if (m_session && !m_isOpen)
    {
        m_isOpen = true;
        m_cwnd = cwnd;
        m_openedNs = m_sinceNs = now;
        ++m_row->opened;
    }
}

void
ConnectionMonitor::Integrate(Nanoseconds now)
{
    m_integral += static_cast<ByteNanoseconds>(m_cwnd) * static_cast<uint64_t>(now - m_sinceNs);
    m_sinceNs = now;
}

void
ConnectionMonitor::SetCwnd(Nanoseconds now, uint64_t cwnd)
{
    if (m_isOpen)
    {
        Integrate(now);
        m_cwnd = cwnd;
    }
}

void
ConnectionMonitor::Acknowledge(Nanoseconds now, uint64_t bytes)
{
    if (!m_session || !m_isOpen || bytes <= m_acknowledged)
    {
        return;
    }
    Integrate(now);
    ConnectionRow& row = *m_row;
    row.bytes += bytes - std::exchange(m_acknowledged, bytes);
    row.openNs += now - std::exchange(m_openedNs, now);
    row.cwndNs += std::exchange(m_integral, 0);
}

SessionMonitors
MakeSessionMonitors(const Scenario& scenario)
{
    SessionMonitors monitors;
    const size_t count = scenario.measure.detail == Detail::ON
                             ? scenario.sessions.size() + scenario.background.size()
                             : 0;
    for (size_t i = 0; i < count; ++i)
    {
        monitors.push_back(std::make_unique<SessionMonitor>());
    }
    return monitors;
}

} // namespace ns3::gridftp
