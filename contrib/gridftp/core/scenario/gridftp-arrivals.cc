/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-arrivals.h"

#include "gridftp-exponential.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-random.h"

namespace ns3::gridftp
{

namespace
{

/** Tells these draws from others with a key of as many parts. */
constexpr uint64_t STREAM = 0x6172726976616c73ULL;

/** @param meanNs ns @param key what the draw belongs to @param arrival index of it @return ns */
int64_t
DrawInterval(int64_t meanNs, const ArrivalsKey& key, uint64_t arrival)
{
    uint64_t drawn = 0;
    return DrawExponential(meanNs, [&] {
        return KeyedRandom({STREAM, key.seed, key.run, key.index, arrival, drawn++});
    });
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
                   : DrawInterval(arrivals.interval, key, static_cast<uint64_t>(arrival));
        times.push_back(now);
    }
    return times;
}

} // namespace ns3::gridftp
