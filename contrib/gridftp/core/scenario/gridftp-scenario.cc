/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario.h"

#include "gridftp-scenario-applications.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t IP_TCP_HEADER = 40;    // IPv4 without options, TCP without options
constexpr int64_t TIMESTAMP_OPTION = 12; // ten bytes and two of padding, RFC 7323

/** @return whether a session or a background connection has data in the reverse direction */
bool
HasReverseData(const Scenario& scenario)
{
    const auto isReverse = [&scenario](const auto& spec) {
        return !IsForward(scenario, spec.direction);
    };
    return std::ranges::any_of(scenario.sessions, isReverse) ||
           std::ranges::any_of(scenario.sessions, &HasBothDirections) ||
           std::ranges::any_of(scenario.background, isReverse);
}

} // namespace

int64_t
SegmentBytesFor(int64_t packetBytes, bool timestamps)
{
    return packetBytes - IP_TCP_HEADER - (timestamps ? TIMESTAMP_OPTION : 0);
}

bool
UsesEcn(const Scenario& scenario)
{
    const auto usesEcn = [](const auto& spec) { return spec.hostTcp.ecn; };
    return std::ranges::any_of(scenario.sessions, usesEcn) ||
           std::ranges::any_of(scenario.background, usesEcn);
}

int64_t
GetSegmentBytes(const Scenario& scenario)
{
    return SegmentBytesFor(scenario.path.packetSize, scenario.tcp.timestamps);
}

void
ResolveReverse(PathSpec& path)
{
    path.reverseBandwidth = path.reverseBandwidth == 0 ? path.bandwidth : path.reverseBandwidth;
    path.reverseDelay = path.reverseDelay < 0 ? path.delay : path.reverseDelay;
    path.reverseQueue = path.reverseQueue == 0 ? path.queue : path.reverseQueue;
}

int64_t
GetRoundTripNs(const PathSpec& path, int64_t delayNs)
{
    constexpr int64_t ACCESS_LINKS = 4; // two in each direction
    const int64_t more = delayNs - path.delay;
    return path.delay + path.reverseDelay + 2 * more + ACCESS_LINKS * path.accessDelay;
}

bool
IsForward(const Scenario& scenario, Direction direction)
{
    return IsToServer(direction) == IsToServer(scenario.sessions.front().direction);
}

int64_t
GetBandwidth(const Scenario& scenario, Direction direction)
{
    return IsForward(scenario, direction) ? scenario.path.bandwidth
                                          : scenario.path.reverseBandwidth;
}

bool
HasTwoDirections(const Scenario& scenario)
{
    const PathSpec& path = scenario.path;
    const QueueDiscipline reverse = GetReverseDiscipline(path.discipline, path.reverseDiscipline);
    const bool isAlike = (path.reverseBandwidth == 0 || path.reverseBandwidth == path.bandwidth) &&
                         (path.reverseDelay < 0 || path.reverseDelay == path.delay) &&
                         (path.reverseQueue == 0 || path.reverseQueue == path.queue) &&
                         reverse == path.discipline && path.reverseRandomLoss == 0;
    return !isAlike || HasReverseData(scenario);
}

bool
HasSharedServer(const Scenario& scenario, size_t index)
{
    return index == 0 || scenario.sessions[index].server == ServerHost::SHARED;
}

bool
HasLimits(const Scenario& scenario, const SessionSpec& session)
{
    const auto standsStill = [](const auto& row) { return row.rateBps == 0; };
    // A sender gives up, and its RST may be lost, when a segment is lost seven times in a row:
    // below this loss once in 10^14
    constexpr double LARGE_LOSS = 0.01;
    // Replies that wait behind data in a long and slow queue let the control connection give up
    return session.retries > 0 || session.keepalive > 0 || session.minRate > 0 ||
           !scenario.faults.empty() || HasReverseData(scenario) ||
           std::max(scenario.path.randomLoss, scenario.path.reverseRandomLoss) >= LARGE_LOSS ||
           std::ranges::any_of(scenario.path.schedule.GetRows(), standsStill);
}

namespace
{

/** @return whether a fault of a session is at a place */
bool
IsAt(const Scenario& scenario, const FaultSpec& fault, const FaultPlace& place)
{
    return static_cast<size_t>(fault.session) == place.session &&
           IsAtReceiver(scenario.sessions[place.session].direction, fault.server) ==
               place.receives &&
           (place.stripe < 0 || fault.stripe == place.stripe);
}

} // namespace

Outages
ListOutages(const Scenario& scenario, FaultKind kind, const FaultPlace& place)
{
    Outages outages;
    for (const FaultSpec& fault : scenario.faults)
    {
        if (fault.kind == kind && (IsOfBottleneck(kind) || IsAt(scenario, fault, place)))
        {
            // Other tools have one control connection
            const bool isAlone =
                fault.IsOnce() && scenario.sessions[place.session].tool != GRIDFTP_APPLICATION;
            outages.push_back({fault.at, isAlone ? INT64_MAX : fault.GetEndNs()});
        }
    }
    return outages;
}

std::vector<IdleRule>
ListIdleRules(const Scenario& scenario, const FaultPlace& place)
{
    std::vector<IdleRule> rules;
    for (const FaultSpec& fault : scenario.faults)
    {
        if (fault.kind == FaultKind::CONTROL_CUT && IsAt(scenario, fault, place))
        {
            rules.push_back({{fault.at, fault.GetEndNs()}, fault.idle});
        }
    }
    return rules;
}

std::vector<SizeHole>
ListSizeHoles(const Scenario& scenario)
{
    std::vector<SizeHole> holes;
    for (const FaultSpec& fault : scenario.faults)
    {
        if (fault.kind == FaultKind::MTU_HOLE)
        {
            holes.push_back({{fault.at, fault.GetEndNs()}, fault.mtu});
        }
    }
    return holes;
}

} // namespace ns3::gridftp
