/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-decimal.h"

#include <algorithm>
#include <limits>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST = std::numeric_limits<int64_t>::max();
constexpr int LARGEST_EXPONENT = 400; // beyond it a double has no number, either

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** Adds a digit; the first one that has no place rounds. */
void
AddDigit(Decimal& number, char c, bool isFraction, bool& isFull)
{
    constexpr uint64_t LIMIT = 1'000'000'000'000'000'000; // so that one more digit fits
    if (number.digits < LIMIT)
    {
        number.digits = number.digits * 10 + static_cast<uint64_t>(c - '0');
        number.exponent -= isFraction ? 1 : 0;
        return;
    }
    number.digits += !isFull && c >= '5' ? 1 : 0;
    number.exponent += isFraction ? 0 : 1;
    isFull = true;
}

/** Reads "e+00" at the end of a number. @return its value; nothing where it is none */
std::optional<int>
ReadExponent(std::string_view text)
{
    if (text.empty())
    {
        return 0;
    }
    if (text.front() != 'e' && text.front() != 'E')
    {
        return std::nullopt;
    }
    text.remove_prefix(1);
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative || text.starts_with('+') ? 1 : 0);
    if (text.empty() || !std::ranges::all_of(text, IsDigit))
    {
        return std::nullopt;
    }
    int value = 0;
    for (const char c : text)
    {
        value = std::min(value * 10 + (c - '0'), LARGEST_EXPONENT);
    }
    return isNegative ? -value : value;
}

} // namespace

std::optional<Decimal>
ParseDecimal(std::string_view text, char point)
{
    Decimal number;
    number.isNegative = text.starts_with('-');
    text.remove_prefix(number.isNegative || text.starts_with('+') ? 1 : 0);
    bool hasDigit = false;
    bool hasPoint = false;
    bool isFull = false;
    size_t at = 0;
    for (; at < text.size() && (IsDigit(text[at]) || (text[at] == point && !hasPoint)); ++at)
    {
        if (text[at] == point)
        {
            hasPoint = true;
            continue;
        }
        hasDigit = true;
        AddDigit(number, text[at], hasPoint, isFull);
    }
    const auto exponent = ReadExponent(text.substr(at));
    if (!hasDigit || !exponent)
    {
        return std::nullopt;
    }
    number.exponent += *exponent;
    return number;
}

std::optional<int64_t>
ToWhole(const Decimal& number, int64_t unit)
{
    uint64_t digits = number.digits;
    auto factor = static_cast<uint64_t>(unit);
    int exponent = number.exponent;
    if (digits == 0)
    {
        return 0;
    }
    for (; exponent < 0 && factor % 10 == 0; ++exponent)
    {
        factor /= 10;
    }
    for (; digits > MOST / factor && exponent < 0; ++exponent)
    {
        digits = digits / 10 + (digits % 10 >= 5 ? 1 : 0);
    }
    if (digits > MOST / factor)
    {
        return std::nullopt;
    }
    uint64_t value = digits * factor;
    for (; exponent > 0; --exponent)
    {
        if (value > MOST / 10)
        {
            return std::nullopt;
        }
        value *= 10;
    }
    uint64_t divisor = 1;
    for (; exponent < 0 && divisor <= MOST / 10; ++exponent)
    {
        divisor *= 10;
    }
    if (exponent < 0) // a power of ten more than fits: above a half where ten halves of it are
    {
        return exponent == -1 && value >= 5 * divisor ? 1 - 2 * int64_t{number.isNegative} : 0;
    }
    value = value / divisor + (value % divisor >= divisor - divisor / 2 ? 1 : 0);
    const auto whole = static_cast<int64_t>(std::min(value, MOST));
    return number.isNegative ? -whole : whole;
}

} // namespace ns3::gridftp
