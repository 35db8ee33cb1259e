/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-calendar-time.h"

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

/** A day of a calendar. */
struct Day
{
    int64_t year{0};  //!< with four digits
    int64_t month{0}; //!< from 1
    int64_t day{0};   //!< from 1
};

/** Takes a date from the beginning: "2021-10-17", "2021.10.17", "2021/10/17", "17.10.2021". */
std::optional<Day>
TakeDay(std::string_view& text)
{
    const bool isDayFirst = text.size() > 2 && text[2] == '.';
    const auto first = TakeDigits(text, isDayFirst ? 2 : 4);
    const bool hasMonth = TakeOneOf(text, isDayFirst ? "." : "-./");
    const auto month = TakeDigits(text, 2);
    const bool hasLast = TakeOneOf(text, isDayFirst ? "." : "-./");
    const auto last = TakeDigits(text, isDayFirst ? 4 : 2);
    if (!first || !hasMonth || !month || !hasLast || !last)
    {
        return std::nullopt;
    }
    return isDayFirst ? Day{*last, *month, *first} : Day{*first, *month, *last};
}

/** Takes ".5" or ",5" from the beginning. @return ns; 0 where there is none */
int64_t
TakeFraction(std::string_view& text)
{
    if (!text.starts_with('.') && !text.starts_with(','))
    {
        return 0;
    }
    int64_t fraction = 0;
    int64_t digit = SECOND_NS / 10;
    text.remove_prefix(1);
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; digit /= 10)
    {
        fraction += (text.front() - '0') * digit;
        text.remove_prefix(1);
    }
    return fraction;
}

/**
 * Takes a time of day from the beginning: "12:00:00.5", "12.00.00" and, with a colon, "12:00".
 * @param text from which it is removed
 * @param hourDigits of the hour
 * @return ns since midnight
 */
std::optional<int64_t>
TakeClock(std::string_view& text, size_t hourDigits)
{
    const auto hour = TakeDigits(text, hourDigits);
    const bool hasColon = text.starts_with(':');
    const bool hasMinute = TakeOneOf(text, ":.");
    const auto minute = TakeDigits(text, 2);
    if (!hour || !hasMinute || !minute || *hour > 23 || *minute > 59)
    {
        return std::nullopt;
    }
    const int64_t minutes = *hour * 60 + *minute;
    if (hasColon && !text.starts_with(':'))
    {
        return minutes * 60 * SECOND_NS;
    }
    const bool hasSecond = TakeOneOf(text, ":.");
    const auto second = TakeDigits(text, 2);
    if (!hasSecond || !second || *second > 60)
    {
        return std::nullopt;
    }
    return (minutes * 60 + *second) * SECOND_NS + TakeFraction(text);
}

} // namespace

std::optional<int64_t>
ParseCalendarTime(std::string_view text)
{
    const auto day = TakeDay(text);
    const bool hasTime = TakeOneOf(text, "T _");
    const auto clock = TakeClock(text, 2);
    const auto days = day ? CountDays(day->year, day->month, day->day) : std::nullopt;
    const auto offset = ReadOffset(text);
    if (!hasTime || !clock || !days || !offset)
    {
        return std::nullopt;
    }
    return (*days * 86'400 - *offset) * SECOND_NS + *clock;
}

std::optional<int64_t>
ParseClockTime(std::string_view text)
{
    const bool isShort = text.size() > 1 && text[1] == ':';
    const bool hasSeconds = text.find(':') != text.rfind(':');
    const auto clock = hasSeconds ? TakeClock(text, isShort ? 1 : 2) : std::nullopt;
    return text.empty() ? clock : std::nullopt;
}

} // namespace ns3::gridftp
