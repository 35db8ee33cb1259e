/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-columns.h"

#include "gridftp-quantity.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <utility>

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

/** Other ways to write them. B is a byte and b a bit; else case does not count. */
constexpr std::array MORE_RATE_UNITS{
    HeaderUnit{"bit/s", BPS},         HeaderUnit{"bits/s", BPS},
    HeaderUnit{"bits/sec", BPS},      HeaderUnit{"b/s", BPS},
    HeaderUnit{"kbit/s", KBPS},       HeaderUnit{"kbits/s", KBPS},
    HeaderUnit{"kbits/sec", KBPS},    HeaderUnit{"kb/s", KBPS},
    HeaderUnit{"mbit/s", MBPS},       HeaderUnit{"mbits/s", MBPS},
    HeaderUnit{"mbits/sec", MBPS},    HeaderUnit{"mb/s", MBPS},
    HeaderUnit{"gbit/s", GBPS},       HeaderUnit{"gbits/s", GBPS},
    HeaderUnit{"gbits/sec", GBPS},    HeaderUnit{"gb/s", GBPS},
    HeaderUnit{"mbit", MBPS},         HeaderUnit{"kbit", KBPS},
    HeaderUnit{"Bps", BYTES},         HeaderUnit{"kBps", KILOBYTES},
    HeaderUnit{"mBps", MEGABYTES},    HeaderUnit{"bytes/s", BYTES},
    HeaderUnit{"bytes/sec", BYTES},   HeaderUnit{"byte/s", BYTES},
    HeaderUnit{"bytes_sec", BYTES},   HeaderUnit{"kbytes/s", KILOBYTES},
    HeaderUnit{"mbytes/s", MEGABYTES}};

constexpr std::array TIME_WORDS{std::string_view("time"),
                                std::string_view("timestamp"),
                                std::string_view("timestamps"),
                                std::string_view("t"),
                                std::string_view("ts"),
                                std::string_view("datetime"),
                                std::string_view("epoch"),
                                std::string_view("elapsed"),
                                std::string_view("date")};
constexpr std::array RATE_WORDS{std::string_view("rate"),
                                std::string_view("throughput"),
                                std::string_view("bandwidth"),
                                std::string_view("bw"),
                                std::string_view("bitrate"),
                                std::string_view("datarate"),
                                std::string_view("goodput"),
                                std::string_view("capacity"),
                                std::string_view("tput"),
                                std::string_view("thrpt")};
constexpr std::array DOWN_WORDS{std::string_view("dl"),
                                std::string_view("down"),
                                std::string_view("downlink"),
                                std::string_view("download"),
                                std::string_view("rx")};
constexpr std::array UP_WORDS{std::string_view("ul"),
                              std::string_view("up"),
                              std::string_view("uplink"),
                              std::string_view("upload"),
                              std::string_view("tx")};

/** @return whether a list has a word */
template <typename Words>
bool
Has(const Words& words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

char
Lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string
Lower(std::string_view text)
{
    std::string lower(text.size(), ' ');
    std::ranges::transform(text, lower.begin(), [](char c) { return Lower(c); });
    return lower;
}

/** Whether two units are the same but for the case of letters other than b. */
bool
IsSameUnit(std::string_view one, std::string_view other)
{
    const auto isSame = [](char a, char b) {
        return a == b || (Lower(a) == Lower(b) && Lower(a) != 'b');
    };
    return std::ranges::equal(one, other, isSame);
}

/** @param units to look in @param text of a unit @return it, if there is one */
template <typename Units>
std::optional<ColumnUnit>
FindUnit(const Units& units, std::string_view text)
{
    const auto found = std::ranges::find_if(units, [text](const HeaderUnit& each) {
        return IsSameUnit(each.name, text);
    });
    return found == units.end() ? std::nullopt : std::optional(found->unit);
}

std::optional<ColumnUnit>
FindRateUnit(std::string_view text)
{
    const auto unit = FindUnit(RATE_UNITS, text);
    return unit ? unit : FindUnit(MORE_RATE_UNITS, text);
}

/** What the name of a column says. */
struct Name
{
    std::string whole;                  //!< without a unit, in small letters
    std::vector<std::string> words;     //!< of that
    std::string unitText;               //!< as it is written, in brackets; empty: none
    std::optional<ColumnUnit> timeUnit; //!< where it is one
    std::optional<ColumnUnit> rateUnit; //!< where it is one

    /** @return whether one of the words is in a list */
    template <typename Words>
    bool HasWordOf(const Words& list) const
    {
        return std::ranges::any_of(words, [&list](const auto& word) { return Has(list, word); });
    }

    bool IsRate() const
    {
        return rateUnit || HasWordOf(RATE_WORDS);
    }
};

/** Reads "Throughput (Mbps)", "time_ms", "DL_bitrate". */
Name
ReadName(std::string_view text)
{
    Name name;
    text = Trim(text);
    const size_t open = text.find_first_of("([");
    if (open != text.npos)
    {
        const size_t close = std::min(text.find_first_of(")]", open), text.size());
        name.unitText = Trim(text.substr(open + 1, close - open - 1));
        text = Trim(text.substr(0, open));
        name.timeUnit = FindUnit(TIME_UNITS, name.unitText);
        name.rateUnit = FindRateUnit(name.unitText);
    }
    else if (const auto whole = FindRateUnit(text))
    {
        name.rateUnit = whole; // such as "Mbps" or "bytes_sec" alone
        text = "";
    }
    else
    {
        const size_t gap = text.find_last_of("_ -");
        const auto last = text.substr(gap == text.npos ? text.size() : gap + 1);
        name.timeUnit = FindUnit(TIME_UNITS, last);
        name.rateUnit = FindRateUnit(last);
        text = name.timeUnit || name.rateUnit ? text.substr(0, gap) : text;
    }
    name.whole = Lower(text);
    std::string word;
    for (const char c : name.whole + " ")
    {
        const bool isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (isLetter)
        {
            word += c;
        }
        else if (!word.empty())
        {
            name.words.push_back(std::move(word));
            word.clear();
        }
    }
    return name;
}

/** @param given name or number of a column @param names of all @return its index, if it is there */
std::optional<size_t>
FindColumn(const std::string& given, std::span<const std::string> names)
{
    const auto found = std::ranges::find_if(names, [&given](const std::string& name) {
        return Trim(name) == Trim(given);
    });
    if (found != names.end())
    {
        return static_cast<size_t>(found - names.begin());
    }
    const auto number = ParseWhole(given, Dimension::COUNT);
    const bool isIn = number && *number >= 1 && *number <= static_cast<int64_t>(names.size());
    return isIn ? std::optional(static_cast<size_t>(*number) - 1) : std::nullopt;
}

/** @param names of columns @param of which @return them in quotes, with commas between */
std::string
List(std::span<const std::string> names, const std::vector<size_t>& of)
{
    constexpr size_t MOST = 8;
    std::string text;
    for (size_t i = 0; i < std::min(of.size(), MOST); ++i)
    {
        text += (text.empty() ? "'" : ", '") + Printable(names[of[i]]) + "'";
    }
    return text + (of.size() > MOST ? ", ..." : "");
}

/** Keeps of several candidates those with a property, where some have it. */
template <typename Property>
void
Prefer(std::vector<size_t>& candidates, Property property)
{
    std::vector<size_t> preferred;
    std::ranges::copy_if(candidates, std::back_inserter(preferred), property);
    if (!preferred.empty())
    {
        candidates = std::move(preferred);
    }
}

/** @return the candidates for the time */
std::vector<size_t>
FindTimes(const std::vector<Name>& names)
{
    std::vector<size_t> candidates;
    for (size_t i = 0; i < names.size(); ++i)
    {
        const bool isTime = names[i].HasWordOf(TIME_WORDS) ||
                            (names[i].words.empty() && names[i].timeUnit) ||
                            FindUnit(TIME_UNITS, names[i].whole);
        if (isTime && !names[i].IsRate())
        {
            candidates.push_back(i);
        }
    }
    Prefer(candidates, [&names](size_t i) { return Has(TIME_WORDS, names[i].whole); });
    for (const auto word : TIME_WORDS)
    {
        if (candidates.size() > 1 && names[candidates[0]].whole != names[candidates[1]].whole)
        {
            Prefer(candidates, [&names, word](size_t i) { return names[i].whole == word; });
        }
    }
    if (candidates.empty() && !names.empty() && names[0].words.empty() && !names[0].IsRate())
    {
        candidates.push_back(0); // an index that was written without a name
    }
    return candidates;
}

/** @return the candidates for the rate */
std::vector<size_t>
FindRates(const std::vector<Name>& names)
{
    std::vector<size_t> candidates;
    for (size_t i = 0; i < names.size(); ++i)
    {
        if (names[i].IsRate())
        {
            candidates.push_back(i);
        }
    }
    if (candidates.size() > 1)
    {
        Prefer(candidates, [&names](size_t i) { return names[i].HasWordOf(DOWN_WORDS); });
        Prefer(candidates, [&names](size_t i) { return !names[i].HasWordOf(UP_WORDS); });
        Prefer(candidates, [&names](size_t i) { return names[i].HasWordOf(RATE_WORDS); });
    }
    return candidates;
}

/** Chooses one column. */
Expected<size_t>
ChooseOne(std::span<const std::string> names,
          const std::vector<size_t>& candidates,
          const std::string& given,
          const std::string& what)
{
    const std::string allowed = "; allowed: " + what + "-column=NAME, or its number";
    if (!given.empty())
    {
        const auto found = FindColumn(given, names);
        return found ? Expected<size_t>(*found)
                     : Expected<size_t>(Error{what + "-column=" + Printable(given) +
                                              " is not in the header" + allowed});
    }
    if (candidates.size() == 1)
    {
        return candidates.front();
    }
    std::vector<size_t> all(names.size());
    for (size_t i = 0; i < all.size(); ++i)
    {
        all[i] = i;
    }
    return Error{(candidates.empty()
                      ? "no column of " + List(names, all) + " is known as a " + what
                      : "each of " + List(names, candidates) + " may be the " + what) +
                 allowed};
}

/** @param given by the user @param units there are @return the unit; nothing where none is given */
template <typename Units>
std::optional<ColumnUnit>
GivenUnit(const std::string& given, const Units& units)
{
    return given.empty() ? std::nullopt : FindUnit(units, given);
}

} // namespace

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

Expected<TableColumns>
ChooseColumns(std::span<const std::string> names, const TableReading& reading)
{
    std::vector<Name> read(names.size());
    std::ranges::transform(names, read.begin(), ReadName);
    const auto time = ChooseOne(names, FindTimes(read), reading.timeColumn, "time");
    if (!time)
    {
        return time.GetError();
    }
    const auto rate = ChooseOne(names, FindRates(read), reading.rateColumn, "rate");
    if (!rate)
    {
        return rate.GetError();
    }
    if (*time == *rate)
    {
        return Error{List(names, {*time}) + " cannot be both time and rate; allowed: two columns"};
    }
    const auto show = [&](size_t i) {
        return names[i].empty() ? "column " + std::to_string(i + 1)
                                : "'" + Printable(names[i]) + "'";
    };
    TableColumns columns;
    columns.time = {*time, show(*time), GivenUnit(reading.timeUnit, TIME_UNITS)};
    columns.rate = {*rate, show(*rate), GivenUnit(reading.rateUnit, RATE_UNITS)};
    const Name& timeName = read[*time];
    const Name& rateName = read[*rate];
    if (!columns.time.unit)
    {
        columns.time.unit = timeName.words.empty() || timeName.timeUnit
                                ? timeName.timeUnit
                                : FindUnit(TIME_UNITS, timeName.whole);
    }
    if (!columns.rate.unit)
    {
        const bool isOfRaca = rateName.whole == "dl_bitrate" || rateName.whole == "ul_bitrate";
        columns.rate.unit = isOfRaca && rateName.unitText.empty() ? KBPS : rateName.rateUnit;
        if (!columns.rate.unit && !rateName.unitText.empty())
        {
            return Error{"the unit of " + show(*rate) +
                         " is unknown; allowed: rate-unit=" + Join(GetRateUnits(), "|")};
        }
    }
    columns.isOwnTime = timeName.whole == "time" && timeName.timeUnit && timeName.unitText.empty();
    for (size_t i = 0; i < read.size(); ++i)
    {
        if (read[i].whole == "delay" && read[i].timeUnit && !columns.delay)
        {
            columns.delay = TableColumn{i, show(i), read[i].timeUnit};
        }
    }
    return columns;
}

Expected<TableColumns>
ChooseColumns(size_t count, const TableReading& reading)
{
    std::vector<std::string> names(count);
    for (size_t i = 0; i < count; ++i)
    {
        names[i] = std::to_string(i + 1);
    }
    const bool isNamed = !reading.timeColumn.empty() && !reading.rateColumn.empty();
    if (count != 2 && !isNamed)
    {
        return Error{"has " + std::to_string(count) +
                     " columns and no header; allowed: time and rate, or time-column=N and "
                     "rate-column=N"};
    }
    const auto time = ChooseOne(names, {0}, reading.timeColumn, "time");
    const auto rate = ChooseOne(names, {1}, reading.rateColumn, "rate");
    if (!time || !rate)
    {
        return time ? rate.GetError() : time.GetError();
    }
    if (*time == *rate)
    {
        return Error{"column " + names[*time] +
                     " cannot be both time and rate; allowed: two columns"};
    }
    TableColumns columns;
    columns.time = {*time, "column " + names[*time], GivenUnit(reading.timeUnit, TIME_UNITS)};
    columns.rate = {*rate, "column " + names[*rate], GivenUnit(reading.rateUnit, RATE_UNITS)};
    return columns;
}

} // namespace ns3::gridftp
