/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-calendar-time.h"

#include "gridftp-decimal.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND_NS = 1'000'000'000;

/**
 * Takes a number of so many digits from the beginning.
 * @param text from which they are removed
 * @param digits how many
 * @return the number; nothing where they are not there
 */
std::optional<int64_t>
TakeDigits(std::string_view& text, size_t digits)
{
    int64_t number = 0;
    for (size_t i = 0; i < digits; ++i)
    {
        if (i >= text.size() || text[i] < '0' || text[i] > '9')
        {
            return std::nullopt;
        }
        number = number * 10 + (text[i] - '0');
    }
    text.remove_prefix(digits);
    return number;
}

/** Takes one of some characters from the beginning. */
bool
TakeOneOf(std::string_view& text, std::string_view characters)
{
    if (text.empty() || characters.find(text.front()) == characters.npos)
    {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

bool
IsLeapYear(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/** @return days since 1970-01-01; nothing where there is no such day */
std::optional<int64_t>
CountDays(int64_t year, int64_t month, int64_t day)
{
    static constexpr std::array<int64_t, 12>
        LENGTHS{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1970 || year > 2199 || month < 1 || month > 12 || day < 1)
    {
        return std::nullopt;
    }
    int64_t days = 0;
    for (int64_t before = 1970; before < year; ++before)
    {
        days += IsLeapYear(before) ? 366 : 365;
    }
    const auto lengthOf = [year](int64_t of) {
        return LENGTHS[static_cast<size_t>(of - 1)] + (of == 2 && IsLeapYear(year) ? 1 : 0);
    };
    for (int64_t before = 1; before < month; ++before)
    {
        days += lengthOf(before);
    }
    return day <= lengthOf(month) ? std::optional(days + day - 1) : std::nullopt;
}

/** Reads "Z", "+02:00" or nothing. @return the offset from UTC, s; nothing where it is none */
std::optional<int64_t>
ReadOffset(std::string_view text)
{
    if (text.empty() || text == "Z" || text == " UTC")
    {
        return 0;
    }
    const int64_t sign = text.front() == '-' ? -1 : 1;
    if (!TakeOneOf(text, "+-"))
    {
        return std::nullopt;
    }
    const auto hours = TakeDigits(text, 2);
    TakeOneOf(text, ":");
    const auto minutes = text.empty() ? std::optional<int64_t>(0) : TakeDigits(text, 2);
    return hours && minutes && text.empty() ? std::optional(sign * (*hours * 3600 + *minutes * 60))
                                            : std::nullopt;
}

} // namespace

std::optional<int64_t>
ParseCalendarTime(std::string_view text)
{
    const auto year = TakeDigits(text, 4);
    const bool hasMonth = TakeOneOf(text, "-./");
    const auto month = TakeDigits(text, 2);
    const bool hasDay = TakeOneOf(text, "-./");
    const auto day = TakeDigits(text, 2);
    const bool hasTime = TakeOneOf(text, "T _");
    const auto hour = TakeDigits(text, 2);
    const bool hasMinute = TakeOneOf(text, ":.");
    const auto minute = TakeDigits(text, 2);
    const bool hasSecond = TakeOneOf(text, ":.");
    const auto second = TakeDigits(text, 2);
    if (!hasMonth || !hasDay || !hasTime || !hasMinute || !hasSecond || !second || !minute ||
        !hour || !day || !month || !year || *hour > 23 || *minute > 59 || *second > 60)
    {
        return std::nullopt;
    }
    int64_t fractionNs = 0;
    if (text.starts_with('.'))
    {
        size_t size = 1;
        while (size < text.size() && text[size] >= '0' && text[size] <= '9')
        {
            ++size;
        }
        const auto fraction = ParseDecimal(text.substr(0, size));
        fractionNs = fraction ? ToWhole(*fraction, SECOND_NS).value_or(0) : 0;
        text.remove_prefix(size);
    }
    const auto days = CountDays(*year, *month, *day);
    const auto offset = ReadOffset(text);
    if (!days || !offset)
    {
        return std::nullopt;
    }
    const int64_t seconds = *days * 86'400 + *hour * 3'600 + *minute * 60 + *second - *offset;
    return seconds * SECOND_NS + fractionNs;
}

} // namespace ns3::gridftp
