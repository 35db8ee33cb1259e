/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-streams.h"

#include "gridftp-segment-stream-pair.h"

#include <algorithm>

namespace ns3::gridftp
{

SegmentStreamHosts::SegmentStreamHosts(FlowTable& flows,
                                       const FlowPath& path,
                                       const Scenario& scenario,
                                       const TcpSpec& tcp)
    : m_settings{.flows = &flows, .scenario = &scenario, .tcp = &tcp},
      m_path(path)
{
}

SegmentStreamHosts::~SegmentStreamHosts() = default;

const SegmentListener*
SegmentStreamHosts::Host::FindListener(uint16_t port) const
{
    const auto it = std::ranges::find(m_listeners, port, &SegmentListener::port);
    return it == m_listeners.end() ? nullptr : &*it;
}

HostClock&
SegmentStreamHosts::Host::GetClock() const
{
    return *m_owner->m_path.clocks[m_index];
}

ByteStream&
SegmentStreamHosts::Host::Connect(Nanoseconds now,
                                  uint16_t port,
                                  const StreamTerms& terms,
                                  StreamUser& user)
{
    const SegmentListener* const listener = m_owner->m_hosts[1 - m_index].FindListener(port);
    const FlowPath path = m_index == 0 ? m_owner->m_path : m_owner->m_path.GetReverse();
    auto& made =
        m_owner->m_streams.emplace_back(std::make_unique<SegmentStreamPair>(m_owner->m_settings,
                                                                            path,
                                                                            port,
                                                                            listener,
                                                                            terms,
                                                                            user));
    return made->Connect(now);
}

uint16_t
SegmentStreamHosts::Host::Listen(Nanoseconds /* now */,
                                 uint16_t port,
                                 const StreamTerms& terms,
                                 ListenUser& user)
{
    uint16_t taken =
        port > 0 ? port : m_owner->m_settings.flows->TakePort(m_owner->m_path, m_index);
    if (taken == 0)
    {
        taken = m_nextPort++; // no router of this simulation looks at ports
    }
    m_listeners.push_back({taken, terms, &user});
    return taken;
}

void
SegmentStreamHosts::Host::StopListening()
{
    m_listeners.clear();
}

void
SegmentStreamHosts::Host::Schedule(Nanoseconds /* now */,
                                   Nanoseconds at,
                                   EventTarget& target,
                                   uint32_t id)
{
    GetClock().Schedule(at, target, id);
}

void
SegmentStreamHosts::Host::ScheduleWork(Nanoseconds /* now */,
                                       Nanoseconds at,
                                       EventTarget& target,
                                       uint32_t id)
{
    GetClock().ScheduleWork(at, target, id);
}

} // namespace ns3::gridftp
