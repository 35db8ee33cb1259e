/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-marker-ranges.h"

#include <algorithm>
#include <charconv>

namespace ns3::gridftp
{

namespace
{

/** A number that is all of a text. */
std::optional<uint64_t>
ReadNumber(std::string_view text)
{
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isRead = !text.empty() && error == std::errc() && end == text.data() + text.size();
    return isRead ? std::optional(number) : std::nullopt;
}

} // namespace

std::string
FormatRanges(const MarkerRanges& ranges)
{
    std::string text;
    for (const MarkerRange& range : ranges)
    {
        text += (text.empty() ? "" : ",") + std::to_string(range.begin) + '-' +
                std::to_string(range.end);
    }
    return text;
}

std::optional<MarkerRanges>
ReadRanges(std::string_view text)
{
    MarkerRanges ranges;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view word = text.substr(at, comma - at);
        const size_t dash = std::min(word.find('-'), word.size());
        const auto begin = ReadNumber(word.substr(0, dash));
        const auto end = ReadNumber(word.substr(std::min(dash + 1, word.size())));
        if (!begin || !end || *begin > *end)
        {
            return std::nullopt;
        }
        ranges.push_back({*begin, *end});
        at = comma + 1;
    }
    return ranges;
}

MarkerRanges
MergeRanges(MarkerRanges ranges)
{
    std::ranges::sort(ranges, {}, &MarkerRange::begin);
    MarkerRanges merged;
    for (const MarkerRange& range : ranges)
    {
        if (range.begin == range.end)
        {
            continue;
        }
        if (!merged.empty() && range.begin <= merged.back().end)
        {
            merged.back().end = std::max(merged.back().end, range.end);
        }
        else
        {
            merged.push_back(range);
        }
    }
    return merged;
}

MarkerRanges
ClipRanges(const MarkerRanges& ranges, const MarkerRange& within)
{
    MarkerRanges clipped;
    for (const MarkerRange& range : ranges)
    {
        const uint64_t begin = std::max(range.begin, within.begin);
        const uint64_t end = std::min(range.end, within.end);
        if (begin < end)
        {
            clipped.push_back({begin, end});
        }
    }
    return clipped;
}

MarkerRanges
FindGaps(const MarkerRanges& ranges, const MarkerRange& within)
{
    MarkerRanges gaps;
    uint64_t next = within.begin;
    for (const MarkerRange& range : ClipRanges(ranges, within))
    {
        if (next < range.begin)
        {
            gaps.push_back({next, range.begin});
        }
        next = range.end;
    }
    if (next < within.end)
    {
        gaps.push_back({next, within.end});
    }
    return gaps;
}

MarkerRanges
MoveRanges(MarkerRanges ranges, uint64_t from, uint64_t to)
{
    for (auto& range : ranges)
    {
        range.begin = range.begin - from + to;
        range.end = range.end - from + to;
    }
    return ranges;
}

uint64_t
CountBytes(const MarkerRanges& ranges)
{
    uint64_t bytes = 0;
    for (const MarkerRange& range : ranges)
    {
        bytes += range.end - range.begin;
    }
    return bytes;
}

} // namespace ns3::gridftp
