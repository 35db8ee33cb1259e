/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-pair-connections.h"

#include <numeric>

namespace ns3::gridftp
{

uint32_t
PairConnections::GetFirst(uint32_t pair) const
{
    return m_pairs->empty()
               ? pair * m_all
               : std::accumulate(m_pairs->begin(), m_pairs->begin() + pair, uint32_t{0});
}

uint32_t
PairConnections::GetEnds(const StripePlan& plan, uint32_t receiver) const
{
    uint32_t ends = 0;
    for (uint32_t i = 0; i < plan.GetSendersOfReceiver(); ++i)
    {
        const uint32_t sender = plan.IsOneToOne() ? receiver : i;
        ends += Of(plan.FindPair({sender, receiver}));
    }
    return ends;
}

} // namespace ns3::gridftp
