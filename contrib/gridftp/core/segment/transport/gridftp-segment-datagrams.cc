/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-datagrams.h"

#include "gridftp-assigned-ports.h"
#include "gridftp-segment-network.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::gridftp
{

DatagramFlow&
DatagramFlow::Make(FlowTable& flows, const FlowPath& path, const ToolKind& kind, User& user)
{
    std::unique_ptr<DatagramFlow> made(new DatagramFlow(flows, path, kind, user));
    DatagramFlow& flow = *made;
    flow.m_index = flows.Add(std::move(made));
    flows.SetDatagramPorts(flow.m_index, path, TOOL_PORT);
    return flow;
}

DatagramFlow::DatagramFlow(FlowTable& flows, const FlowPath& path, const ToolKind& kind, User& user)
    : m_network(&flows.GetNetwork()),
      m_path(path),
      m_kind(&kind),
      m_user(&user),
      m_extraBytes(kind.dataHeaderBytes + DATAGRAM_HEADER_BYTES)
{
}

void
DatagramFlow::SetUsualPayload(uint32_t payload)
{
    m_usualPayload = payload;
    for (const uint32_t from : {0, 1})
    {
        m_usualLabels[from] = MakePacket(from, 0, payload).GetLabel();
    }
}

Nanoseconds
DatagramFlow::GetSilence(uint32_t from, Nanoseconds now) const
{
    if (!m_network->IsPiped() || m_path.routes[from] != 0)
    {
        return now;
    }
    return std::min(m_network->GetPipe().GetSilence(now), m_path.clocks[from]->GetNextOther());
}

void
DatagramFlow::SendReport(uint32_t from, Nanoseconds now, ReportDatagram report)
{
    const int64_t bytes = DATAGRAM_HEADER_BYTES + m_kind->reportBytes(report);
    uint32_t place = static_cast<uint32_t>(m_reports.size());
    if (m_free.empty())
    {
        m_reports.push_back(std::move(report));
    }
    else
    {
        place = m_free.back();
        m_free.pop_back();
        m_reports[place] = std::move(report);
    }
    const uint32_t to = SegmentPacket::AddressOf(m_index, 1 - from);
    m_network->Send(m_path.routes[from], now, bytes, {PacketKind::REPORT, to, place});
}

ReportDatagram
DatagramFlow::TakeReport(SegmentPacket packet)
{
    const auto place = static_cast<uint32_t>(packet.GetValue());
    m_free.push_back(place);
    return std::move(m_reports[place]);
}

} // namespace ns3::gridftp
