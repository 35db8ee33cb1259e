/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-random-loss-model.h"

#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(RandomLossModel);

TypeId
RandomLossModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::RandomLossModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<RandomLossModel>();
    return tid;
}

void
RandomLossModel::SetLoss(const RandomLoss& loss)
{
    m_loss = loss;
}

void
RandomLossModel::AddOutage(Time begin, Time end)
{
    m_outages.emplace_back(begin, end);
}

void
RandomLossModel::SetNextBegin(Time begin)
{
    m_nextBegin = begin;
}

void
RandomLossModel::AddHole(const SizeHole& hole)
{
    m_holes.push_back(hole);
}

int64_t
RandomLossModel::AssignStreams(int64_t stream)
{
    m_loss = m_loss.InStream(static_cast<uint64_t>(stream));
    return 1;
}

bool
RandomLossModel::DoCorrupt(Ptr<Packet> packet)
{
    constexpr int64_t PPP_BYTES = 2;
    const Time now = Simulator::Now();
    const bool isOut = std::ranges::any_of(m_outages, [&now](const auto& outage) {
        return outage.first <= now && now < outage.second;
    });
    const auto begin = std::exchange(m_nextBegin, std::nullopt);
    return isOut ||
           IsTooLarge(m_holes, now.GetNanoSeconds(), int64_t{packet->GetSize()} - PPP_BYTES) ||
           (begin ? m_loss.IsLost(begin->GetNanoSeconds()) : m_loss.IsNextLost());
}

void
RandomLossModel::DoReset()
{
}

} // namespace ns3::gridftp
