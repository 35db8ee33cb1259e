/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** The longest value that an error message repeats. */
constexpr size_t SHOWN_VALUE = 80;

} // namespace

std::string
Printable(std::string_view text)
{
    std::string shown;
    for (const char c : text.substr(0, SHOWN_VALUE))
    {
        shown += (c >= ' ' && c <= '~') ? c : '?';
    }
    return text.size() > SHOWN_VALUE ? shown + "..." : shown;
}

std::string_view
Trim(std::string_view text)
{
    constexpr std::string_view SPACE = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(SPACE), text.size()));
    return text.substr(0, text.find_last_not_of(SPACE) + 1);
}

std::string
Join(std::span<const std::string_view> words, std::string_view between)
{
    std::string text;
    for (const auto word : words)
    {
        text += text.empty() ? "" : between;
        text += word;
    }
    return text;
}

size_t
CountEdits(std::string_view a, std::string_view b)
{
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j < row.size(); ++j)
    {
        row[j] = j;
    }
    for (size_t i = 1; i <= a.size(); ++i)
    {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j)
        {
            const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

std::string_view
NearestWord(std::string_view word, std::span<const std::string_view> known)
{
    constexpr size_t LONGEST = 64; // beyond it nothing is near, and the distance costs its square
    std::string_view nearest;
    size_t least = std::max<size_t>(2, word.size() / 3) + 1;
    if (word.size() > LONGEST)
    {
        return nearest;
    }
    for (const auto candidate : known)
    {
        const size_t distance = CountEdits(word, candidate);
        if (distance < least)
        {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace ns3::gridftp
