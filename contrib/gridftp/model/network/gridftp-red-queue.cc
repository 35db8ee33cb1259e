/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-red-queue.h"

#include "gridftp-frame-ecn.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(RedQueue);

TypeId
RedQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::RedQueue")
                            .SetParent<DropTailQueue<Packet>>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<RedQueue>();
    return tid;
}

RedQueue::RedQueue() = default;

RedQueue::~RedQueue() = default;

void
RedQueue::SetRed(const RandomEarlyDetection& red, const LinkClock& clock)
{
    m_red = std::make_unique<RandomEarlyDetection>(red);
    m_clock = std::make_unique<LinkClock>(clock);
}

int64_t
RedQueue::AssignStreams(int64_t stream)
{
    *m_red = m_red->InStream(static_cast<uint64_t>(stream));
    return 1;
}

bool
RedQueue::Enqueue(Ptr<Packet> packet)
{
    NS_ASSERT_MSG(m_red, "SetRed() comes first");
    const int64_t idleNs = Simulator::Now().GetNanoSeconds() - m_freeNs;
    bool isMarked = false;
    if (m_red->IsNextDropped(GetNPackets(), std::max<int64_t>(0, idleNs)))
    {
        if (!m_red->IsMarking() || !IsEctFrame(packet))
        {
            DropBeforeEnqueue(packet);
            return false;
        }
        isMarked = true;
        packet = MarkFrame(packet);
    }
    const bool isTaken = DropTailQueue<Packet>::Enqueue(packet);
    if (isTaken)
    {
        m_areMarked.push_back(isMarked);
    }
    return isTaken;
}

Ptr<Packet>
RedQueue::Dequeue()
{
    const auto packet = DropTailQueue<Packet>::Dequeue();
    if (packet)
    {
        m_marks += m_areMarked.front() ? 1 : 0;
        m_areMarked.pop_front();
        m_freeNs = m_clock->GetEnd(Simulator::Now().GetNanoSeconds(), packet->GetSize());
    }
    return packet;
}

} // namespace ns3::gridftp
