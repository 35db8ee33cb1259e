/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-arrivals.h"

#include "gridftp-nanoseconds.h"
#include "gridftp-random.h"

namespace ns3::gridftp
{

namespace
{

/** Tells these draws from others with a key of as many parts. */
constexpr uint64_t STREAM = 0x6172726976616c73ULL;

/**
 * An exponential variate by comparisons alone (J. von Neumann, Various techniques used in
 * connection with random digits, National Bureau of Standards, Applied Mathematics Series 12, 1951,
 * pp. 36-38): no logarithm, so that it is the same with every compiler. A run of falling uniform
 * numbers is odd in length with probability 1 - 1/e given nothing else; its first number is the
 * fraction, and the even runs before it are the whole part.
 *
 * @param meanNs ns
 * @param key what the draw belongs to
 * @param arrival index of it
 * @return ns
 */
int64_t
DrawExponential(int64_t meanNs, const ArrivalsKey& key, uint64_t arrival)
{
    uint64_t drawn = 0;
    const auto draw = [&] {
        return KeyedRandom({STREAM, key.seed, key.run, key.index, arrival, drawn++});
    };
    for (int64_t whole = 0;; whole += meanNs)
    {
        const uint64_t first = draw();
        uint64_t last = first;
        uint64_t length = 1;
        for (uint64_t next = draw(); next < last; next = draw())
        {
            last = next;
            ++length;
        }
        if (length % 2 == 1)
        {
            return whole + static_cast<int64_t>(UniformBelow(first, static_cast<uint64_t>(meanNs)));
        }
    }
}

} // namespace

std::vector<int64_t>
DrawArrivalTimes(const Arrivals& arrivals, int64_t startNs, const ArrivalsKey& key)
{
    std::vector<int64_t> times;
    Nanoseconds now = startNs;
    for (int64_t arrival = 0; arrival < arrivals.count; ++arrival)
    {
        now += arrivals.process == ArrivalProcess::FIXED
                   ? arrivals.interval
                   : DrawExponential(arrivals.interval, key, static_cast<uint64_t>(arrival));
        times.push_back(now);
    }
    return times;
}

} // namespace ns3::gridftp
