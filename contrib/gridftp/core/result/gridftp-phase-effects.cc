/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-phase-effects.h"

#include "gridftp-quantity.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** A time in which TCP sends. */
struct Interval
{
    int64_t beginNs; //!< from when on
    int64_t endNs;   //!< until when
};

/** @return whether anything is random for each packet, or between packets */
bool
HasChance(const Scenario& scenario)
{
    const PathSpec& path = scenario.path;
    const bool hasLoad =
        std::ranges::any_of(scenario.background, [](const auto& each) { return each.load > 0; });
    const bool hasRandomDrops =
        HasDiscipline(path, QueueDiscipline::RED) || HasDiscipline(path, QueueDiscipline::PIE);
    return hasLoad || hasRandomDrops || path.randomLoss > 0 || path.reverseRandomLoss > 0 ||
           path.variation.IsSet() || path.hostOverhead > 0;
}

/** @return when the sessions and background connections of TCP sent */
std::vector<Interval>
ListIntervals(const TransferResult& result, const Scenario& scenario)
{
    std::vector<Interval> all;
    for (const auto& session : result.sessions)
    {
        if (session.tcp && session.startNs)
        {
            all.push_back({*session.startNs, *session.startNs + session.durationNs});
        }
    }
    for (size_t i = 0; i < result.background.size(); ++i)
    {
        if (scenario.background[i].load == 0)
        {
            all.push_back({result.background[i].startNs, result.background[i].endNs});
        }
    }
    std::ranges::sort(all, {}, &Interval::beginNs);
    return all;
}

} // namespace

std::string
GetPhaseEffectsNote(const Scenario& scenario, const TransferResult& result)
{
    const bool hasDrops = std::ranges::any_of(result.links, &LinkResult::drops);
    if (!hasDrops || HasChance(scenario))
    {
        return "";
    }
    const auto all = ListIntervals(result, scenario);
    int64_t endNs = 0;
    bool isOverlapping = false;
    for (const Interval& each : all)
    {
        isOverlapping = isOverlapping || each.beginNs < endNs;
        endNs = std::max(endNs, each.endNs);
    }
    if (!isOverlapping)
    {
        return "";
    }
    // In whole microseconds, the next one, so that there is something to read
    constexpr int64_t BIT_US = 8'000'000;
    const int64_t bytes = scenario.path.packetSize + scenario.path.linkHeader;
    const bool dropsInReverse = result.links.size() > 1 && result.links.back().drops > 0;
    const int64_t slowestBps =
        dropsInReverse && scenario.path.reverseBandwidth > 0
            ? std::min(scenario.path.bandwidth, scenario.path.reverseBandwidth)
            : scenario.path.bandwidth;
    const int64_t packetUs = 1 + (bytes * BIT_US - 1) / slowestBps;
    return "nothing here is random, so phase effects may decide the shares of competing "
           "connections; --host-overhead=" +
           FormatWhole(packetUs * 1000, Dimension::TIME) + " removes them";
}

} // namespace ns3::gridftp
