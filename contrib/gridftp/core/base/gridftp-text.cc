/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-text.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** The longest value that an error message repeats. */
constexpr size_t SHOWN_VALUE = 80;

/** @return the letter, a capital of ASCII as its small letter */
char
ToSmall(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/** @return the largest distance at which a word may have been meant: in short words one slip */
size_t
GetMostDistance(size_t letters)
{
    constexpr size_t SHORT = 4;
    return letters <= SHORT ? 1 : std::max<size_t>(2, letters / 3);
}

/** @return the next word in front of a dash, which is removed from the text with it */
std::string_view
TakeWord(std::string_view& text)
{
    const auto word = text.substr(0, text.find('-'));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    return word;
}

/**
 * Whether one word is likely to be a slip for another: two differences or more keep the first
 * letter, and three or more are slips in each of their words, so that no word is another one.
 */
bool
IsLikelySlip(std::string_view word, std::string_view meant, size_t distance)
{
    constexpr size_t FEW = 2;
    if (distance < FEW)
    {
        return true;
    }
    if (word.empty() || meant.empty() || ToSmall(word.front()) != ToSmall(meant.front()))
    {
        return false;
    }
    if (distance == FEW || word.find('-') == word.npos)
    {
        return true;
    }
    while (!word.empty() && !meant.empty())
    {
        const auto part = TakeWord(word);
        if (CountEdits(part, TakeWord(meant)) > GetMostDistance(part.size()))
        {
            return false;
        }
    }
    return word.empty() && meant.empty();
}

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
    std::iota(row.begin(), row.end(), size_t{0});
    std::vector<size_t> above; // the row before
    std::vector<size_t> twoAbove;
    for (size_t i = 1; i <= a.size(); ++i)
    {
        twoAbove = std::exchange(above, row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j)
        {
            const auto equals = [&](size_t m, size_t n) {
                return ToSmall(a[m - 1]) == ToSmall(b[n - 1]);
            };
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + !equals(i, j)});
            if (i > 1 && j > 1 && equals(i, j - 1) && equals(i - 1, j))
            {
                row[j] = std::min(row[j], twoAbove[j - 2] + 1);
            }
        }
    }
    return row.back();
}

std::string_view
NearestWord(std::string_view word, std::span<const std::string_view> known)
{
    constexpr size_t LONGEST = 64; // beyond it nothing is near, and the distance costs its square
    std::string_view nearest;
    size_t least = GetMostDistance(word.size()) + 1;
    if (word.size() > LONGEST)
    {
        return nearest;
    }
    for (const auto candidate : known)
    {
        const size_t distance = CountEdits(word, candidate);
        if (distance < least && IsLikelySlip(word, candidate, distance))
        {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace ns3::gridftp
