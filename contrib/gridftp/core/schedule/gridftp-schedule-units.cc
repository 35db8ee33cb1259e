/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-units.h"

#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ns3::gridftp
{

namespace
{

/** A unit as headers have it, and what it is. */
struct HeaderUnit
{
    std::string_view name; //!< in a header; without case unless case is the only difference
    ColumnUnit unit;       //!< it
};

constexpr ColumnUnit SECONDS{"s", 1'000'000'000};
constexpr ColumnUnit MILLISECONDS{"ms", 1'000'000};
constexpr ColumnUnit MICROSECONDS{"us", 1'000};
constexpr ColumnUnit NANOSECONDS{"ns", 1};
constexpr ColumnUnit BPS{"bps", 1};
constexpr ColumnUnit KBPS{"kbps", 1'000};
constexpr ColumnUnit MBPS{"Mbps", 1'000'000};
constexpr ColumnUnit GBPS{"Gbps", 1'000'000'000};
constexpr ColumnUnit BYTES{"B/s", 8};
constexpr ColumnUnit KILOBYTES{"kB/s", 8'000};
constexpr ColumnUnit MEGABYTES{"MB/s", 8'000'000};
constexpr ColumnUnit GIGABYTES{"GB/s", 8'000'000'000};

constexpr std::array TIME_UNITS{HeaderUnit{"s", SECONDS},
                                HeaderUnit{"ms", MILLISECONDS},
                                HeaderUnit{"us", MICROSECONDS},
                                HeaderUnit{"ns", NANOSECONDS},
                                HeaderUnit{"sec", SECONDS},
                                HeaderUnit{"secs", SECONDS},
                                HeaderUnit{"second", SECONDS},
                                HeaderUnit{"seconds", SECONDS},
                                HeaderUnit{"msec", MILLISECONDS},
                                HeaderUnit{"millis", MILLISECONDS},
                                HeaderUnit{"milliseconds", MILLISECONDS},
                                HeaderUnit{"usec", MICROSECONDS},
                                HeaderUnit{"micros", MICROSECONDS},
                                HeaderUnit{"microseconds", MICROSECONDS},
                                HeaderUnit{"nsec", NANOSECONDS},
                                HeaderUnit{"nanos", NANOSECONDS},
                                HeaderUnit{"nanoseconds", NANOSECONDS}};

constexpr std::array RATE_UNITS{HeaderUnit{"bps", BPS},
                                HeaderUnit{"kbps", KBPS},
                                HeaderUnit{"Mbps", MBPS},
                                HeaderUnit{"Gbps", GBPS},
                                HeaderUnit{"B/s", BYTES},
                                HeaderUnit{"kB/s", KILOBYTES},
                                HeaderUnit{"MB/s", MEGABYTES},
                                HeaderUnit{"GB/s", GIGABYTES}};

/** With powers of 1024; only headers and cells have them. */
constexpr std::array BINARY_RATE_UNITS{HeaderUnit{"Kibit/s", {"Kibit/s", 1LL << 10}},
                                       HeaderUnit{"Mibit/s", {"Mibit/s", 1LL << 20}},
                                       HeaderUnit{"Gibit/s", {"Gibit/s", 1LL << 30}},
                                       HeaderUnit{"KiB/s", {"KiB/s", 8LL << 10}},
                                       HeaderUnit{"MiB/s", {"MiB/s", 8LL << 20}},
                                       HeaderUnit{"GiB/s", {"GiB/s", 8LL << 30}}};

/** Units that are also words of statistics; they count behind a word of time alone. */
constexpr ColumnUnit MINUTES{"min", 60'000'000'000};
constexpr ColumnUnit HOURS{"h", 3'600'000'000'000};
constexpr std::array LONG_TIME_UNITS{HeaderUnit{"min", MINUTES},
                                     HeaderUnit{"mins", MINUTES},
                                     HeaderUnit{"minute", MINUTES},
                                     HeaderUnit{"minutes", MINUTES},
                                     HeaderUnit{"h", HOURS},
                                     HeaderUnit{"hour", HOURS},
                                     HeaderUnit{"hours", HOURS}};

/**
 * Removes one of some words from the beginning of a text, whatever its case.
 * @param text of a unit
 * @param words the longer ones first
 * @return which one it was; nothing: none
 */
template <typename Words>
std::optional<size_t>
TakeWord(std::string_view& text, const Words& words)
{
    for (size_t i = 0; i < words.size(); ++i)
    {
        if (LowerCase(text.substr(0, words[i].size())) == words[i])
        {
            text.remove_prefix(words[i].size());
            return i;
        }
    }
    return std::nullopt;
}

/** @param text behind bits or bytes @return whether it is "per second" */
bool
IsPerSecond(std::string_view text)
{
    constexpr std::array FORMS{std::string_view("ps"),
                               std::string_view("/s"),
                               std::string_view("/sec"),
                               std::string_view("/second"),
                               std::string_view("persec"),
                               std::string_view("persecond"),
                               std::string_view("pers"),
                               std::string_view("sec")};
    std::string letters = LowerCase(text);
    std::erase_if(letters, [](char c) { return c == ' ' || c == '_' || c == '.'; });
    return std::ranges::find(FORMS, letters) != FORMS.end();
}

} // namespace

std::string
LowerCase(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
    {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

std::optional<ColumnUnit>
ParseRateUnit(std::string_view text)
{
    constexpr std::array PREFIXES{std::string_view("kilo"),
                                  std::string_view("mega"),
                                  std::string_view("giga"),
                                  std::string_view("k"),
                                  std::string_view("m"),
                                  std::string_view("g")};
    constexpr std::array WORDS{std::string_view("bits"),
                               std::string_view("bit"),
                               std::string_view("bytes"),
                               std::string_view("byte"),
                               std::string_view("b")};
    const auto prefix = TakeWord(text, PREFIXES);
    const bool isBinary = prefix && TakeWord(text, std::array{std::string_view("i")});
    const bool isCapital = text.starts_with('B');
    const auto word = TakeWord(text, WORDS);
    if (!word)
    {
        return std::nullopt;
    }
    const bool isLetter = *word + 1 == WORDS.size(); // only here B and b differ
    const bool isByte = isLetter ? isCapital : *word >= 2;
    const bool isOfTc = text.empty() && prefix && *word < 2; // "mbit" is a rate there
    if (!isOfTc && !IsPerSecond(text))
    {
        return std::nullopt;
    }
    int64_t factor = isByte ? 8 : 1;
    for (size_t i = 0; prefix && i <= *prefix % 3; ++i)
    {
        factor *= isBinary ? 1'024 : 1'000;
    }
    const auto isIt = [factor](const HeaderUnit& each) { return each.unit.factor == factor; };
    const auto found = std::ranges::find_if(RATE_UNITS, isIt);
    return found != RATE_UNITS.end() ? found->unit
                                     : std::ranges::find_if(BINARY_RATE_UNITS, isIt)->unit;
}

std::optional<ColumnUnit>
ParseTimeUnit(std::string_view text, bool isOfTime)
{
    const auto find = [name = LowerCase(text)](const auto& units) {
        const auto found = std::ranges::find(units, name, &HeaderUnit::name);
        return found == units.end() ? std::nullopt : std::optional(found->unit);
    };
    const auto unit = find(TIME_UNITS);
    return unit || !isOfTime ? unit : find(LONG_TIME_UNITS);
}

std::vector<std::string_view>
GetTimeUnits()
{
    return {SECONDS.name, MILLISECONDS.name, MICROSECONDS.name, NANOSECONDS.name};
}

std::vector<std::string_view>
GetRateUnits()
{
    return NamesOf(RATE_UNITS);
}

} // namespace ns3::gridftp
