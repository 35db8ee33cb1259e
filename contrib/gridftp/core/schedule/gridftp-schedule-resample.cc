/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-resample.h"

#include <algorithm>

namespace ns3::gridftp
{

int64_t
ChooseInterval(int64_t span, size_t most)
{
    const auto parts = static_cast<int64_t>(most);
    int64_t power = 1;
    while (true)
    {
        for (const int64_t times : {1, 2, 5})
        {
            if ((span + times * power - 1) / (times * power) <= parts)
            {
                return times * power;
            }
        }
        power *= 10;
    }
}

std::vector<LinkRow>
ResampleRows(const std::vector<LinkRow>& rows, int64_t endNs, int64_t intervalNs)
{
    constexpr double SECOND_NS = 1e9;
    constexpr int64_t LEAST_RATE = 1'000;
    std::vector<LinkRow> made;
    LinkCapacity carried; // by the rows
    LinkCapacity offered; // by those made of them
    const auto differ = [](const LinkCapacity& one, const LinkCapacity& other) {
        constexpr uint64_t NEGATIVE = uint64_t{1} << 63;
        const LinkCapacity more = one - other;
        return more.bits < NEGATIVE ? more.GetBits() : -(other - one).GetBits();
    };
    size_t next = 0;
    for (int64_t beginNs = 0; beginNs < endNs; beginNs += intervalNs)
    {
        const int64_t closeNs = std::min(beginNs + intervalNs, endNs);
        LinkCapacity delays; // the same sum of delays
        for (int64_t now = beginNs; now < closeNs;)
        {
            const bool isLast = next + 1 >= rows.size();
            const int64_t untilNs = isLast ? closeNs : std::min(rows[next + 1].startNs, closeNs);
            carried = carried + LinkCapacity::Of(rows[next].rateBps, untilNs - now);
            delays = delays + LinkCapacity::Of(rows[next].delayNs, untilNs - now);
            now = untilNs;
            next += !isLast && rows[next + 1].startNs <= now ? 1 : 0;
        }
        const auto length = static_cast<double>(closeNs - beginNs);
        const double due = differ(carried, offered) * SECOND_NS / length;
        const auto mean = static_cast<int64_t>(std::max(0.0, due) + 0.5);
        const double delay = delays.GetBits() * SECOND_NS / length;
        const int64_t rate = mean < LEAST_RATE ? 0 : mean;
        offered = offered + LinkCapacity::Of(rate, closeNs - beginNs);
        made.push_back({beginNs, rate, static_cast<int64_t>(delay + 0.5)});
    }
    if (!rows.empty() && rows.back().startNs >= endNs)
    {
        made.push_back(rows.back());
    }
    return made;
}

} // namespace ns3::gridftp
