/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_LOSS_H
#define GRIDFTP_RANDOM_LOSS_H

#include "gridftp-random.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Which packets of a link are lost: independent draws with one probability, the n-th draw for the
 * n-th packet. Both engines ask it in the same order, so they lose the same packets.
 */
class RandomLoss
{
  public:
    /** Loses nothing. */
    RandomLoss() = default;

    /**
     * @param probability of a loss, from 0 and below 1
     * @param key of the draws
     */
    RandomLoss(double probability, uint64_t key)
        : m_bound(static_cast<uint64_t>(probability * TWO_TO_63)),
          m_key(key)
    {
    }

    /** @return whether any packet can be lost */
    bool IsPossible() const
    {
        return m_bound != 0;
    }

    /** @return whether the next packet is lost */
    bool IsNextLost()
    {
        return (KeyedRandom({m_key, m_draws++}) >> 1) < m_bound;
    }

    /**
     * IsNextLost() where packets overtake each other, so that the engines see them arrive in
     * another order than they were sent in.
     * @param beginNs when the transmission of a packet begins, ns
     * @return whether it is lost
     */
    bool IsLost(int64_t beginNs) const
    {
        return (KeyedRandom({m_key, static_cast<uint64_t>(beginNs)}) >> 1) < m_bound;
    }

    /** @param stream number of independent draws @return the same loss, drawn in that stream */
    RandomLoss InStream(uint64_t stream) const
    {
        RandomLoss made = *this;
        made.m_key = KeyedRandom({m_key, stream});
        made.m_draws = 0;
        return made;
    }

  private:
    static constexpr double TWO_TO_63 = 9223372036854775808.0; //!< probability 1 as a bound

    uint64_t m_bound{0}; //!< a draw of 63 bits below it is a loss
    uint64_t m_key{0};   //!< of the draws
    uint64_t m_draws{0}; //!< how many were made
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_LOSS_H
