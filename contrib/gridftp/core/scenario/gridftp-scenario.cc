/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario.h"

namespace ns3::gridftp
{

namespace
{

constexpr int64_t IP_TCP_HEADER = 40;    // IPv4 without options, TCP without options
constexpr int64_t TIMESTAMP_OPTION = 12; // ten bytes and two of padding, RFC 7323

} // namespace

int64_t
SegmentBytesFor(int64_t packetBytes, bool timestamps)
{
    return packetBytes - IP_TCP_HEADER - (timestamps ? TIMESTAMP_OPTION : 0);
}

int64_t
GetSegmentBytes(const Scenario& scenario)
{
    return SegmentBytesFor(scenario.path.packetSize, scenario.tcp.timestamps);
}

} // namespace ns3::gridftp
