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
    constexpr int64_t SECOND = 1'000'000'000;
    return limitNs % SECOND == 0 ? std::to_string(limitNs / SECOND) + " s"
                                 : FormatWhole(limitNs, Dimension::TIME);
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

std::string
MakeNoDataReason(int64_t limitNs)
{
    return "no data for " + FormatLimit(limitNs);
}

std::string
MakeResetReason()
{
    return "data connection was reset";
}

std::string
MakeForeignReason()
{
    return "a foreign data connection was closed without an end of data";
}

std::string
MakeStandstillReason(int64_t limitNs)
{
    return "the storage has stored nothing for " + FormatLimit(limitNs);
}

std::string
MakeSlowReason(int64_t rateBps, int64_t periodNs)
{
    return "slower than " + FormatWhole(rateBps, Dimension::RATE) + " over " +
           FormatLimit(periodNs);
}

Reply
MakeIdleReply(int64_t limitNs)
{
    return {421, {"Idle timeout: no command for " + FormatLimit(limitNs) + "."}};
}

} // namespace ns3::gridftp
