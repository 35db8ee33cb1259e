/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-nodes.h"

#include "gridftp-segment-data-connection.h"
#include "gridftp-segment-data-host.h"
#include "gridftp-segment-stream-pair.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentNodes::SegmentNodes(const Settings& settings)
    : m_settings(settings),
      m_streamSettings{.flows = settings.flows,
                       .scenario = settings.scenario,
                       .tcp = &settings.scenario->sessions[settings.session].hostTcp}
{
}

SegmentNodes::~SegmentNodes() = default;

uint32_t
SegmentNodes::AddNode(const SegmentNode& node)
{
    m_places.push_back({.node = node});
    return static_cast<uint32_t>(m_places.size() - 1);
}

void
SegmentNodes::AddPath(uint32_t from, uint32_t to, const FlowPath& path)
{
    m_paths[{from, to}] = path;
    m_paths[{to, from}] = path.GetReverse();
    for (const uint32_t end : {0, 1})
    {
        Place& place = m_places[end == 0 ? from : to];
        place.clock = path.clocks[end];
        place.path = end == 0 ? path : path.GetReverse();
    }
}

void
SegmentNodes::AddDataPath(uint32_t from, uint32_t to, const FlowPath& path)
{
    m_dataPaths[{from, to}] = path;
    for (const uint32_t end : {0, 1})
    {
        Place& place = m_places[end == 0 ? from : to];
        if (!place.clock)
        {
            place.clock = path.clocks[end];
            place.path = end == 0 ? path : path.GetReverse();
        }
    }
}

DataHost&
SegmentNodes::MakeHost(uint32_t node)
{
    return *m_hosts.emplace_back(std::make_unique<SegmentDataHost>(*this, node));
}

const SegmentTcp&
SegmentNodes::FindTcp(const StreamTerms& terms, bool isTimed)
{
    const auto found = std::ranges::find_if(m_tcps, [&](const Tcp& tcp) {
        return tcp.name == terms.tcp && tcp.window == terms.buffers.window &&
               tcp.isTimed == isTimed;
    });
    if (found != m_tcps.end())
    {
        return found->tcp;
    }
    Tcp made{
        .name = terms.tcp,
        .window = terms.buffers.window,
        .isTimed = isTimed,
        .tcp =
            MakeSegmentTcp(*m_settings.scenario, *m_streamSettings.tcp, terms.tcp, terms.buffers)};
    // The application decides when it writes and reads; TCP need not
    const bool waits = isTimed || made.tcp.buffers.writeRate > 0;
    made.tcp.buffer.most = waits ? SegmentSendBuffer::AS_IT_COMES : SegmentSendBuffer::AT_ONCE;
    made.tcp.buffers.writeRate = 0;
    return m_tcps.emplace_back(std::move(made)).tcp;
}

const SegmentNodes::Listener*
SegmentNodes::FindListener(uint32_t address, uint16_t port) const
{
    const auto found = std::ranges::find_if(m_listeners, [&](const Listener& listener) {
        return listener.address == address && listener.port == port;
    });
    return found == m_listeners.end() ? nullptr : &*found;
}

const FlowPath&
SegmentNodes::FindPath(uint32_t from, uint32_t address, bool sends) const
{
    const auto to = std::ranges::find_if(m_places, [address](const Place& place) {
        return place.node.address == address;
    });
    const std::pair ends{from, static_cast<uint32_t>(to - m_places.begin())};
    const auto data = m_dataPaths.find(ends);
    return sends && data != m_dataPaths.end() ? data->second : m_paths.at(ends);
}

const DataStream*
SegmentNodes::FindAccepted(uint32_t connection) const
{
    for (const auto& data : m_data)
    {
        if (const DataStream* const stream = data->FindAccepted(connection))
        {
            return stream;
        }
    }
    return nullptr;
}

const SegmentNodes::Place&
SegmentNodes::FindPlace(uint32_t address) const
{
    return *std::ranges::find_if(m_places, [address](const Place& place) {
        return place.node.address == address;
    });
}

SendPool*
SegmentNodes::FindPool(uint32_t node, const SegmentTcp& tcp)
{
    if (tcp.buffers.sendPool == 0)
    {
        return nullptr;
    }
    auto& pool = m_places[node].pool;
    if (!pool)
    {
        pool = std::make_unique<SendPool>(tcp.buffers.sendPool, tcp.buffers.segmentBytes);
    }
    return pool.get();
}

SegmentDataConnection&
SegmentNodes::MakeData(Nanoseconds now, const SegmentDataConnectionSettings& settings)
{
    // One is tried, which goes to the end: connections wait for minutes until they are over
    if (!m_data.empty())
    {
        m_data.push_back(std::move(m_data.front()));
        m_data.pop_front();
        if (m_data.back()->MayRenew(now))
        {
            m_pastPayload += m_data.back()->CountPayload(now);
            m_data.back()->Renew(settings);
            return *m_data.back();
        }
    }
    return *m_data.emplace_back(std::make_unique<SegmentDataConnection>(settings));
}

BlockStages
SegmentNodes::MakeSinkStages(const SegmentNode& node, const BufferSpec& buffers)
{
    return {.storage = {.storage = node.sink.get(),
                        .node = node.stripe,
                        .offset = 0,
                        .depth = node.sinkDepth},
            .cpu = node.cpu.get(),
            .cost = MakeBlockCost(buffers, true),
            .map = MakeFileMap(buffers.processing, true)};
}

uint16_t
SegmentNodes::TakePort(uint32_t node)
{
    uint16_t& last = m_places[node].port;
    last = GetNextPort(last);
    return last;
}

uint64_t
SegmentNodes::CountPayload(Nanoseconds now) const
{
    uint64_t bytes = m_pastPayload;
    for (const auto& data : m_data)
    {
        bytes += data->CountPayload(now);
    }
    return bytes;
}

// What recurs

void
SegmentNodes::AddState(SegmentState& state) const
{
    for (const auto& stream : m_streams)
    {
        stream->AddState(state);
    }
    std::vector<const SegmentDataConnection*> used;
    for (const auto& data : m_data)
    {
        if (data->IsUsed())
        {
            used.push_back(data.get());
        }
    }
    std::ranges::sort(used, {}, &SegmentDataConnection::GetSerial);
    state.Add(used.size());
    for (const SegmentDataConnection* const data : used)
    {
        data->AddState(state);
    }
    for (const auto& host : m_hosts)
    {
        host->AddState(state);
    }
}

std::vector<uint16_t>
SegmentNodes::GetPorts() const
{
    std::vector<uint16_t> ports;
    for (const Place& place : m_places)
    {
        ports.push_back(place.port);
    }
    return ports;
}

std::vector<uint16_t>
SegmentNodes::ForecastPorts(const std::vector<uint16_t>& before,
                            const std::vector<uint16_t>& after) const
{
    std::vector<uint16_t> ports = GetPorts();
    for (size_t i = 0; i < ports.size(); ++i)
    {
        for (uint16_t port = before[i]; port != after[i]; port = GetNextPort(port))
        {
            ports[i] = GetNextPort(ports[i]);
        }
    }
    return ports;
}

void
SegmentNodes::SetPorts(const std::vector<uint16_t>& ports)
{
    for (size_t i = 0; i < ports.size(); ++i)
    {
        m_places[i].port = ports[i];
    }
}

TcpConnection&
SegmentNodes::GetControl(size_t index) const
{
    return m_streams[index]->GetConnection();
}

} // namespace ns3::gridftp
