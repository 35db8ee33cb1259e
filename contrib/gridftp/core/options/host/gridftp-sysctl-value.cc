/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sysctl-value.h"

#include "gridftp-text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace ns3::gridftp
{

namespace
{

/**
 * Compares the first part of a pattern, which is no *, with a character.
 * @param pattern not empty
 * @param c the character
 * @return length of the part where it matches, else 0
 */
size_t
MatchOne(std::string_view pattern, char c)
{
    const size_t close = pattern.front() == '[' ? pattern.find(']', 2) : pattern.npos;
    if (close == pattern.npos)
    {
        return pattern.front() == '?' || pattern.front() == c ? 1 : 0;
    }
    const bool isInverted = pattern[1] == '!' || pattern[1] == '^';
    const size_t begin = isInverted ? 2 : 1;
    bool isIn = false;
    for (size_t i = begin; i < close; ++i)
    {
        const bool isRange = i + 2 < close && pattern[i + 1] == '-';
        isIn = isIn || (isRange ? pattern[i] <= c && c <= pattern[i + 2] : pattern[i] == c);
        i += isRange ? 2 : 0;
    }
    return isIn != isInverted ? close + 1 : 0;
}

} // namespace

std::optional<int64_t>
ReadSysctlNumber(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative ? 1 : 0);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X"))
    {
        base = 16;
        text.remove_prefix(2);
    }
    else if (text.size() > 1 && text.starts_with('0'))
    {
        base = 8;
        text.remove_prefix(1);
    }
    int64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), last, number, base);
    if (error != std::errc() || at != last || number < 0)
    {
        return std::nullopt;
    }
    return isNegative ? -number : number;
}

std::optional<std::vector<int64_t>>
ReadSysctlNumbers(std::string_view text)
{
    std::vector<int64_t> numbers;
    while (!(text = Trim(text)).empty())
    {
        const size_t end = std::min(text.find_first_of(" \t"), text.size());
        const auto number = ReadSysctlNumber(text.substr(0, end));
        if (!number)
        {
            return std::nullopt;
        }
        numbers.push_back(*number);
        text.remove_prefix(end);
    }
    return numbers;
}

std::string
ShowSysctlValue(std::string_view text)
{
    std::string shown(text);
    std::ranges::replace(shown, '\t', ' ');
    return Printable(shown);
}

bool
IsKeyPattern(std::string_view key)
{
    return key.find_first_of("*?[") != key.npos && key.find_first_of(" \t") == key.npos;
}

bool
MatchesKey(std::string_view pattern, std::string_view key)
{
    std::string_view afterStar;
    std::string_view restAfterStar;
    bool hasStar = false;
    while (!key.empty() || !pattern.empty())
    {
        if (pattern.starts_with('*'))
        {
            pattern.remove_prefix(1);
            afterStar = pattern;
            restAfterStar = key;
            hasStar = true;
            continue;
        }
        const size_t size = key.empty() || pattern.empty() ? 0 : MatchOne(pattern, key.front());
        if (size > 0)
        {
            pattern.remove_prefix(size);
            key.remove_prefix(1);
            continue;
        }
        if (!hasStar || restAfterStar.empty())
        {
            return false;
        }
        restAfterStar.remove_prefix(1); // the last * takes one more
        pattern = afterStar;
        key = restAfterStar;
    }
    return true;
}

} // namespace ns3::gridftp
