/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RANDOM_H
#define GRIDFTP_RANDOM_H

#include <cstdint>
#include <initializer_list>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014): a bijection of 64 bits that mixes well.
 *
 * @param x any number
 * @return the mixed number
 */
constexpr uint64_t
Mix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/**
 * @ingroup gridftp
 * A random number that depends on nothing but its key: the same draw in both engines, in any
 * order, whatever else was drawn.
 *
 * @param key what the draw belongs to, e.g. {seed, run, session, chunk, connection}
 * @return 64 uniform bits
 */
constexpr uint64_t
KeyedRandom(std::initializer_list<uint64_t> key)
{
    uint64_t state = 0x6772696466747021ULL;
    for (const uint64_t part : key)
    {
        state = Mix64(state ^ part);
    }
    return state;
}

/**
 * @ingroup gridftp
 * @param bits 64 uniform bits
 * @param bound exclusive upper bound, below 2^63
 * @return an integer uniform in [0, bound), 0 when the bound is 0; by multiplication, whose bias is
 *         below bound / 2^64
 */
constexpr uint64_t
UniformBelow(uint64_t bits, uint64_t bound)
{
    // The high 64 bits of the 128-bit product, in portable halves.
    const uint64_t low = (bits & 0xffffffffULL) * (bound & 0xffffffffULL);
    const uint64_t cross1 = (bits >> 32) * (bound & 0xffffffffULL) + (low >> 32);
    const uint64_t cross2 = (bits & 0xffffffffULL) * (bound >> 32) + (cross1 & 0xffffffffULL);
    return (bits >> 32) * (bound >> 32) + (cross1 >> 32) + (cross2 >> 32);
}

/** @ingroup gridftp @param bits 64 uniform bits @return U(0, 1), of 53 of them */
constexpr double
ToUnit(uint64_t bits)
{
    constexpr double TWO_TO_53 = 9007199254740992.0;
    return (static_cast<double>(bits >> 11) + 0.5) / TWO_TO_53;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_RANDOM_H
