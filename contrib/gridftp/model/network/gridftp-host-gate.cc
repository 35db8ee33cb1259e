/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-gate.h"

#include "gridftp-lean-net-device.h"

#include "ns3/simulator.h"

#include <array>
#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(HostGate);

namespace
{

/** What a host looks at in a frame. */
struct FrameFacts
{
    uint64_t flow{0};   //!< a number of its flow, the same both ways
    int64_t payload{0}; //!< bytes behind its TCP or UDP header
};

/** Reads the headers of a frame. @param frame with a PPP header, an IPv4 header without options,
 * and that of TCP (RFC 9293, Section 3.1) or UDP (RFC 768) */
FrameFacts
ReadFrame(const Ptr<const Packet>& frame)
{
    constexpr size_t IP = 2;      // behind the PPP header
    constexpr size_t PORTS = 22;  // behind an IPv4 header of 20 bytes
    constexpr size_t OFFSET = 34; // TCP's data offset, in words of 4 bytes
    constexpr size_t LENGTH = 35; // all that is read
    constexpr uint8_t UDP = 17;
    constexpr int64_t IP_BYTES = 20;
    constexpr int64_t UDP_BYTES = 8;
    std::array<uint8_t, LENGTH> bytes{};
    frame->CopyData(bytes.data(), LENGTH);
    const auto word = [&bytes](size_t at) { return bytes[at] << 8 | bytes[at + 1]; };
    // Both ways have the same ends: whatever is made of each of them, the sum is the same
    const auto end = [&word](size_t address, size_t port) {
        return static_cast<uint64_t>(word(address)) << 32 |
               static_cast<uint64_t>(word(address + 2)) << 16 | static_cast<uint64_t>(word(port));
    };
    constexpr uint64_t MIX = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
    const uint64_t from = end(IP + 12, PORTS) * MIX;
    const uint64_t to = end(IP + 16, PORTS + 2) * MIX;
    const int64_t header = bytes[IP + 9] == UDP ? UDP_BYTES : (bytes[OFFSET] >> 4) * 4;
    return {(from ^ (from >> 29)) + (to ^ (to >> 29)), word(IP + 2) - IP_BYTES - header};
}

} // namespace

TypeId
HostGate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::HostGate")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<HostGate>();
    return tid;
}

HostGate::HostGate() = default;

HostGate::~HostGate() = default;

void
HostGate::Install(Ptr<LeanNetDevice> device, const HostPtr& host)
{
    m_device = device;
    HostStack<Ptr<Packet>>::User& user = *this;
    m_stack = std::make_unique<HostStack<Ptr<Packet>>>(host, user);
    m_timers.resize(m_stack->GetTimers());
    device->SetGate(this);
}

void
HostGate::DoDispose()
{
    for (auto& timer : m_timers)
    {
        timer.Cancel();
    }
    m_stack.reset();
    m_device = nullptr;
    Object::DoDispose();
}

void
HostGate::Leave(Ptr<Packet> frame)
{
    const FrameFacts facts = ReadFrame(frame);
    m_stack->Send(Simulator::Now().GetNanoSeconds(), std::move(frame), facts.flow, facts.payload);
}

void
HostGate::Arrive(Ptr<Packet> frame)
{
    const FrameFacts facts = ReadFrame(frame);
    m_stack->Receive(Simulator::Now().GetNanoSeconds(),
                     std::move(frame),
                     facts.flow,
                     facts.payload);
}

void
HostGate::SetTimer(Nanoseconds now, uint32_t timer, Nanoseconds at)
{
    m_timers[timer].Cancel();
    if (at >= 0)
    {
        m_timers[timer] =
            Simulator::Schedule(NanoSeconds(at - now), &HostGate::HandleTimer, this, timer);
    }
}

void
HostGate::HandleTimer(uint32_t timer)
{
    m_stack->HandleTimer(Simulator::Now().GetNanoSeconds(), timer);
}

void
HostGate::PassUp(Nanoseconds /* now */, Ptr<Packet> frame)
{
    m_device->PassUp(std::move(frame));
}

void
HostGate::PassDown(Nanoseconds /* now */, Ptr<Packet> frame)
{
    m_device->PassDown(std::move(frame));
}

void
HostGate::Refuse(Nanoseconds /* now */, Ptr<Packet> frame)
{
    m_device->ShowRefused(frame);
}

} // namespace ns3::gridftp
