/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-host.h"

#include "gridftp-segment-linux-packets.h"
#include "gridftp-tool-kind.h"

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t NO_LINK = UINT32_MAX; // where no link refuses a packet

/** @param packet of a connection @return whether it asks for the connection */
bool
IsSyn(SegmentPacket packet)
{
    if (packet.GetKind() != PacketKind::SEGMENT)
    {
        return packet.GetContent() == PacketKind::SYN;
    }
    const LinuxSegment& segment = LinuxPacketPool::Get(packet).segment;
    return segment.Has(LinuxSegment::SYN) && !segment.Has(LinuxSegment::ACK);
}
} // namespace

SegmentHost::SegmentHost(const HostPtr& host, const Surroundings& around)
    : m_around(around),
      m_stack(host, *this),
      m_alarms(m_stack.GetTimers())
{
    for (uint32_t i = 0; i < m_alarms.size(); ++i)
    {
        m_alarms[i].SetTarget(*this, i);
    }
}

void
SegmentHost::Leave(const Transit& transit)
{
    m_stack.Send(transit.timeNs, transit, FindFlow(transit.packet), GetPayload(transit));
}

void
SegmentHost::Arrive(const Transit& transit)
{
    m_stack.Receive(transit.timeNs, transit, FindFlow(transit.packet), GetPayload(transit));
}

int64_t
SegmentHost::GetPayload(const Transit& transit) const
{
    const PacketKind kind = transit.packet.GetContent();
    if (kind == PacketKind::SEGMENT)
    {
        return transit.packet.GetPayload(); // its options differ from packet to packet
    }
    if (kind == PacketKind::SYN || kind == PacketKind::SYN_ACK)
    {
        return 0; // what is behind 40 bytes is an option
    }
    const int64_t headers = kind >= PacketKind::DATAGRAM ? DATAGRAM_HEADER_BYTES : HEADER_BYTES;
    const int64_t options = transit.packet.GetOptionBytes();
    return static_cast<int64_t>(transit.bytes) - m_around.headerBytes - headers - options;
}

uint64_t
SegmentHost::FindFlow(SegmentPacket packet)
{
    const uint32_t index = packet.GetFlow();
    if (packet.GetKind() >= PacketKind::DATAGRAM)
    {
        return uint64_t{index} << 1 | 1;
    }
    if (index >= m_flows.size())
    {
        m_flows.resize(index + 1);
    }
    Flow& flow = m_flows[index];
    const bool isSyn = IsSyn(packet);
    if (isSyn && !flow.isOpening)
    {
        ++flow.number;
    }
    flow.isOpening = isSyn;
    return uint64_t{flow.number} << 33 | uint64_t{index} << 1;
}

void
SegmentHost::HandleEvent(Nanoseconds now, uint32_t id)
{
    m_stack.HandleTimer(now, id);
}

void
SegmentHost::SetTimer(Nanoseconds /* now */, uint32_t timer, Nanoseconds at)
{
    m_around.events->SetAlarm(m_alarms[timer], at < 0 ? NEVER : at);
}

void
SegmentHost::PassUp(Nanoseconds now, Transit transit)
{
    m_around.flows->HandleArrival(now, transit.packet);
}

void
SegmentHost::PassDown(Nanoseconds now, Transit transit)
{
    transit.timeNs = now;
    transit.sentNs = now;
    m_around.network->Resume(transit);
}

void
SegmentHost::Refuse(Nanoseconds now, Transit transit)
{
    m_around.flows->HandleDrop(NO_LINK, now, transit.packet, true);
}

} // namespace ns3::gridftp
