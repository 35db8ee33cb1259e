/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-host.h"

#include "gridftp-segment-data-connection.h"
#include "gridftp-segment-stream-pair.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentDataHost::SegmentDataHost(SegmentNodes& nodes, uint32_t node)
    : m_nodes(&nodes),
      m_node(node)
{
}

SegmentNodes::Place&
SegmentDataHost::GetPlace() const
{
    return m_nodes->m_places[m_node];
}

// Connections

ByteStream&
SegmentDataHost::Connect(Nanoseconds now, uint16_t port, const StreamTerms& terms, StreamUser& user)
{
    return ConnectTo(now, {0, port}, terms, user);
}

ByteStream&
SegmentDataHost::ConnectTo(Nanoseconds now,
                           const HostPort& to,
                           const StreamTerms& terms,
                           StreamUser& user)
{
    m_nodes->TakePort(m_node);
    const SegmentListener any{.port = to.port, .terms = terms}; // found when a SYN arrives
    auto& made = m_nodes->m_streams.emplace_back(
        std::make_unique<SegmentStreamPair>(m_nodes->m_streamSettings,
                                            m_nodes->FindPath(m_node, to.address, false),
                                            to.port,
                                            &any,
                                            terms,
                                            user,
                                            m_nodes->FindPlace(to.address).node.idleRules));
    made->SetNodes(*m_nodes, GetPlace().node.address, to.address);
    return made->Connect(now);
}

DataStream*
SegmentDataHost::OpenData(Nanoseconds now,
                          const HostPort& to,
                          const StreamTerms& terms,
                          DataStreamUser& user)
{
    m_nodes->TakePort(m_node);
    const SegmentStreamSettings& common = m_nodes->m_streamSettings;
    const bool isTimed = FindSourceStages(terms.buffers, 0).IsTimed();
    const SegmentTcp& tcp = m_nodes->FindTcp(terms, isTimed);
    SegmentDataConnection::Settings settings{
        .nodes = m_nodes,
        .address = to.address,
        .flows = common.flows,
        .tcp = &tcp,
        .path = m_nodes->FindPath(m_node, to.address, true),
        .port = to.port,
        .label = terms.label.value_or(ConnectionLabel()),
        .sender = &user,
        .pool = m_nodes->FindPool(m_node, tcp),
        .preamble = m_nodes->m_settings.preamble,
        .hasListener = m_nodes->m_settings.keepsListeners,
        .meetsLate = m_nodes->m_settings.scenario->path.variation.IsSet(),
        .isSinkTimed =
            SegmentNodes::MakeSinkStages(m_nodes->FindPlace(to.address).node, terms.buffers)
                .IsTimed()};
    settings.label.session = m_nodes->m_settings.session;
    SegmentDataConnection& made = m_nodes->MakeData(now, settings);
    return &made.Connect(now);
}

// Listeners

uint16_t
SegmentDataHost::Listen(Nanoseconds /* now */,
                        uint16_t port,
                        const StreamTerms& terms,
                        ListenUser& user)
{
    return AddListener(port, terms, &user, nullptr);
}

std::optional<uint16_t>
SegmentDataHost::ListenForData(Nanoseconds /* now */,
                               const StreamTerms& terms,
                               DataListenUser& user)
{
    return AddListener(0, terms, nullptr, &user);
}

uint16_t
SegmentDataHost::AddListener(uint16_t port,
                             const StreamTerms& terms,
                             ListenUser* user,
                             DataListenUser* dataUser)
{
    const uint16_t taken = port > 0 ? port : m_nodes->TakePort(m_node);
    m_nodes->m_listeners.push_back({.host = this,
                                    .address = GetPlace().node.address,
                                    .port = taken,
                                    .terms = terms,
                                    .user = user,
                                    .dataUser = dataUser});
    return taken;
}

void
SegmentDataHost::StopListening()
{
    std::erase_if(m_nodes->m_listeners,
                  [this](const auto& listener) { return listener.host == this; });
}

// Events

void
SegmentDataHost::Schedule(Nanoseconds /* now */, Nanoseconds at, EventTarget& target, uint32_t id)
{
    GetPlace().clock->Schedule(at, target, id);
}

void
SegmentDataHost::ScheduleWork(Nanoseconds /* now */,
                              Nanoseconds at,
                              EventTarget& target,
                              uint32_t id)
{
    GetPlace().clock->ScheduleWork(at, target, id);
}

void
SegmentDataHost::SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target)
{
    const auto unused = std::ranges::find(m_alarms, nullptr, &TargetAlarm::target);
    const auto id = static_cast<uint32_t>(unused - m_alarms.begin());
    if (unused == m_alarms.end())
    {
        m_alarms.emplace_back();
    }
    m_alarms[id] = {&target, at};
    m_set[&target] = id;
    Schedule(now, at, *this, id);
}

void
SegmentDataHost::CancelAlarm(EventTarget& target)
{
    if (const auto set = m_set.find(&target); set != m_set.end())
    {
        m_alarms[set->second] = {};
        m_set.erase(set);
    }
}

void
SegmentDataHost::HandleEvent(Nanoseconds now, uint32_t id)
{
    EventTarget* const target = m_alarms[id].target;
    if (!target || m_alarms[id].at != now)
    {
        return; // cancelled, or of another alarm
    }
    CancelAlarm(*target);
    target->HandleEvent(now, 0);
}

void
SegmentDataHost::AddState(SegmentState& state) const
{
    for (const TargetAlarm& alarm : m_alarms)
    {
        state.Add(alarm.target != nullptr);
        if (alarm.target)
        {
            state.AddTarget(*alarm.target);
            state.AddTime(alarm.at);
        }
    }
}

// What work costs

Nanoseconds
SegmentDataHost::AskCpu(Nanoseconds now, const CpuWork& work)
{
    const HostCpuPtr& cpu = GetPlace().node.cpu;
    return cpu && work.GetSum() > 0 ? cpu->Ask(now, work) : now;
}

BlockStages
SegmentDataHost::FindSourceStages(const BufferSpec& buffers, uint64_t offset)
{
    const SegmentNode& node = GetPlace().node;
    return {.storage = {.storage = node.source.get(),
                        .node = node.stripe,
                        .offset = offset,
                        .depth = node.sourceDepth},
            .cpu = node.cpu.get(),
            .cost = MakeBlockCost(buffers, false),
            .map = MakeFileMap(buffers.processing, false)};
}

BlockStages
SegmentDataHost::FindSinkStages(const BufferSpec& buffers)
{
    return SegmentNodes::MakeSinkStages(GetPlace().node, buffers);
}

} // namespace ns3::gridftp
