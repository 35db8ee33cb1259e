/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stripes.h"

#include <algorithm>
#include <charconv>

namespace ns3::gridftp
{

namespace
{

/** Takes a count off a text; 0 where there is none. */
int64_t
TakeCount(std::string_view& text)
{
    int64_t count = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (problem != std::errc() || count < 1 || count > StripeCounts::MOST)
    {
        return 0;
    }
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    return count;
}

} // namespace

std::optional<StripeCounts>
ParseStripes(std::string_view text)
{
    StripeCounts stripes;
    stripes.senders = TakeCount(text);
    if (stripes.senders == 0 || !text.starts_with('x'))
    {
        return std::nullopt;
    }
    text.remove_prefix(1);
    stripes.receivers = TakeCount(text);
    if (stripes.receivers == 0 || !text.empty())
    {
        return std::nullopt;
    }
    return stripes;
}

std::string
FormatStripes(const StripeCounts& stripes)
{
    return std::to_string(stripes.senders) + "x" + std::to_string(stripes.receivers);
}

int64_t
GetPairsOfHost(const StripeCounts& stripes)
{
    return stripes.senders == stripes.receivers ? 1 : std::max(stripes.senders, stripes.receivers);
}

int64_t
GetPairs(const StripeCounts& stripes)
{
    return stripes.senders == stripes.receivers ? stripes.senders
                                                : stripes.senders * stripes.receivers;
}

} // namespace ns3::gridftp
