/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PAIR_CONNECTIONS_H
#define GRIDFTP_PAIR_CONNECTIONS_H

#include "gridftp-stripe-plan.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * How many data connections each pair of stripes has. They are numbered pair by pair.
 */
class PairConnections
{
  public:
    /**
     * @param all of each pair
     * @param pairs of each one by its index, in place of that; empty: all are alike
     */
    PairConnections(uint32_t all, const std::vector<uint32_t>& pairs)
        : m_all(all),
          m_pairs(&pairs)
    {
    }

    /** @param pair its index @return its connections */
    uint32_t Of(uint32_t pair) const
    {
        return m_pairs->empty() ? m_all : (*m_pairs)[pair];
    }

    /** @param pair its index @return number of its first connection */
    uint32_t GetFirst(uint32_t pair) const;

    /** @param plan who sends to whom @param receiver a stripe @return its connections with all
     * that send to it, as EOF counts them */
    uint32_t GetEnds(const StripePlan& plan, uint32_t receiver) const;

  private:
    uint32_t m_all;                       //!< of each pair
    const std::vector<uint32_t>* m_pairs; //!< of each one, where they differ
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PAIR_CONNECTIONS_H
