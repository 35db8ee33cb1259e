/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CORE_DRAW_H
#define GRIDFTP_CORE_DRAW_H

#include "gridftp-random.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Random draws in a row, for generated cases: the same on every machine.
 */
class Draw
{
  public:
    /// @param seed of all draws
    explicit Draw(uint64_t seed)
        : m_seed(seed)
    {
    }

    /// @return the seed
    uint64_t GetSeed() const
    {
        return m_seed;
    }

    /// @param bound exclusive @return a whole number from 0
    uint64_t Below(uint64_t bound)
    {
        return UniformBelow(KeyedRandom({m_seed, ++m_count}), bound);
    }

    /// @param low least @param high most @return a whole number between them
    int64_t Between(int64_t low, int64_t high)
    {
        return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low) + 1));
    }

    /// @param items to choose from @return one of them
    template <typename T>
    const auto& Of(const T& items)
    {
        return items[Below(items.size())];
    }

    /// @param items to choose from @return one of them
    std::string Of(std::initializer_list<const char*> items)
    {
        return items.begin()[Below(items.size())];
    }

  private:
    uint64_t m_seed;     //!< of all draws
    uint64_t m_count{0}; //!< draws so far
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CORE_DRAW_H
