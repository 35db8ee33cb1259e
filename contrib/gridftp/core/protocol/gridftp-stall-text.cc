/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stall-text.h"

#include "gridftp-quantity.h"

namespace ns3::gridftp
{

std::string
FormatLimit(int64_t limitNs)
{
    return FormatReal(static_cast<double>(limitNs) / 1e9) + " s";
}

std::string
MakeNoReplyReason(Verb verb, int64_t limitNs)
{
    return "no reply to " + std::string(VerbName(verb)) + " for " + FormatLimit(limitNs);
}

std::string
MakeNoGreetingReason(int64_t limitNs)
{
    return "no greeting for " + FormatLimit(limitNs);
}

StallFailure
MakeReceiverStall(bool isConnected, int64_t limitNs)
{
    const std::string limit = FormatLimit(limitNs);
    return isConnected ? StallFailure{426, "no data for " + limit}
                       : StallFailure{425, "no data connection for " + limit};
}

StallFailure
MakeSenderStall(int64_t limitNs)
{
    return {426, "nothing acknowledged for " + FormatLimit(limitNs)};
}

Reply
MakeIdleReply(int64_t limitNs)
{
    return {421, {"Idle timeout: no command for " + FormatLimit(limitNs) + "."}};
}

} // namespace ns3::gridftp
