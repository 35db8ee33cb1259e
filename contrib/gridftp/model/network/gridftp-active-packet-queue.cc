/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-active-packet-queue.h"

#include "gridftp-fq-codel.h"
#include "gridftp-frame-ecn.h"

#include "ns3/assert.h"
#include "ns3/fatal-error.h"
#include "ns3/simulator.h"

#include <array>
#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(ActivePacketQueue);

namespace
{

constexpr uint32_t PPP_BYTES = 2; // in front of the IPv4 header

/** @param bytes of a header @param at an index @return two bytes there, in network byte order */
uint16_t
Read16(const uint8_t* bytes, size_t at)
{
    return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

/** @param bytes of a header @param at an index @return four bytes there, in network byte order */
uint32_t
Read32(const uint8_t* bytes, size_t at)
{
    return uint32_t{Read16(bytes, at)} << 16 | Read16(bytes, at + 2);
}

/** @param frame an IPv4 packet behind a PPP header @return the header fields that classify it */
FlowTuple
ReadFlow(const Ptr<const Packet>& frame)
{
    constexpr size_t LEAST = PPP_BYTES + 20; // IPv4 header without options
    constexpr uint8_t WORDS = 0x0f;          // length of the IPv4 header, 32-bit words
    constexpr size_t MOST = LEAST + 40 + 4;  // with all options, and ports
    std::array<uint8_t, MOST> bytes{};
    frame->CopyData(bytes.data(), MOST);
    const uint8_t* const ip = bytes.data() + PPP_BYTES;
    const size_t ports = size_t{4} * (ip[0] & WORDS);
    return {.source = Read32(ip, 12),
            .destination = Read32(ip, 16),
            .protocol = ip[9],
            .sourcePort = Read16(ip, ports),
            .destinationPort = Read16(ip, ports + 2)};
}

} // namespace

TypeId
ActivePacketQueue::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::ActivePacketQueue")
            .SetParent<Queue<Packet>>()
            .SetGroupName("GridFtp")
            .AddConstructor<ActivePacketQueue>()
            .AddTraceSource("Departure",
                            "A packet leaves to be transmitted.",
                            MakeTraceSourceAccessor(&ActivePacketQueue::m_departure),
                            "ns3::gridftp::ActivePacketQueue::DepartureCallback");
    return tid;
}

ActivePacketQueue::ActivePacketQueue() = default;

ActivePacketQueue::~ActivePacketQueue() = default;

void
ActivePacketQueue::SetActiveQueue(std::unique_ptr<ActiveQueue> queue)
{
    m_active = std::move(queue);
}

int64_t
ActivePacketQueue::AssignStreams(int64_t stream)
{
    return m_active->UseStream(static_cast<uint64_t>(stream));
}

bool
ActivePacketQueue::Enqueue(Ptr<Packet> packet)
{
    NS_ASSERT_MSG(m_active, "SetActiveQueue() comes first");
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_packets.size()));
        m_packets.emplace_back();
    }
    const uint32_t handle = m_free.back();
    const QueuedPacket queued{.handle = handle,
                              .bytes = packet->GetSize() - PPP_BYTES,
                              .flowHash = HashFlow(ReadFlow(packet)),
                              .isEct = IsEctFrame(packet)};
    if (!m_active->Enqueue(Simulator::Now().GetNanoSeconds(), queued))
    {
        DropMore();
        DropBeforeEnqueue(packet);
        return false;
    }
    m_free.pop_back();
    const bool isTaken = DoEnqueue(GetContainer().end(), packet, m_packets[handle]);
    NS_ASSERT_MSG(isTaken, "MaxSize is too small");
    DropMore();
    return isTaken;
}

Ptr<Packet>
ActivePacketQueue::Dequeue()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const auto queued = m_active->Dequeue(now);
    DropMore();
    if (!queued)
    {
        return nullptr;
    }
    auto packet = DoDequeue(Free(queued->handle));
    if (queued->isMarked)
    {
        packet = MarkFrame(packet);
    }
    m_departure(packet, now - queued->enteredNs);
    return packet;
}

Ptr<Packet>
ActivePacketQueue::Remove()
{
    NS_FATAL_ERROR("the discipline decides which packets are dropped");
}

Ptr<const Packet>
ActivePacketQueue::Peek() const
{
    NS_FATAL_ERROR("which packet is next is known when it leaves");
}

void
ActivePacketQueue::DropMore()
{
    for (const QueuedPacket& dropped : m_active->GetDropped())
    {
        DoRemove(Free(dropped.handle));
    }
}

ActivePacketQueue::Iterator
ActivePacketQueue::Free(uint32_t handle)
{
    m_free.push_back(handle);
    return m_packets[handle];
}

} // namespace ns3::gridftp
