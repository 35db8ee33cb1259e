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

/** Takes a unit from the end of a name: "time_ms", "rate_Mbps", "goodput_bits_per_second". */
void
TakeLastWords(std::string_view& text, Name& name)
{
    constexpr std::string_view GAPS = "_ -";
    for (size_t gap = text.find_first_of(GAPS); gap != text.npos && !name.rateUnit;
         gap = text.find_first_of(GAPS, gap + 1))
    {
        name.rateUnit = ParseRateUnit(text.substr(gap + 1));
        text = name.rateUnit ? text.substr(0, gap) : text;
    }
    const size_t gap = text.find_last_of(GAPS);
    if (name.rateUnit || gap == text.npos)
    {
        return;
    }
    const size_t word = text.find_last_of(GAPS, gap - 1);
    const bool isTime = Has(TIME_WORDS, LowerCase(text.substr(word + 1, gap - word - 1)));
    const auto last = text.substr(gap + 1);
    name.timeUnit = ParseTimeUnit(last, isTime);
    text = name.timeUnit ? text.substr(0, gap) : text;
}

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
        name.timeUnit = ParseTimeUnit(name.unitText, true);
        name.rateUnit = ParseRateUnit(name.unitText);
    }
    else if (const auto whole = ParseRateUnit(text))
    {
        name.rateUnit = whole; // such as "Mbps" or "bytes_sec" alone
        text = "";
    }
    else
    {
        TakeLastWords(text, name);
    }
    name.whole = LowerCase(text);
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

bool
IsDuration(const Name& name)
{
    return name.HasWordOf(std::array{std::string_view("duration"), std::string_view("durations")});
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
                            ParseTimeUnit(names[i].whole, false);
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
    for (size_t i = 0; candidates.empty() && i < names.size(); ++i)
    {
        if (IsDuration(names[i]) && !names[i].IsRate())
        {
            candidates.push_back(i);
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

} // namespace

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
    columns.time = {*time, show(*time), ParseTimeUnit(reading.timeUnit, false), ""};
    columns.rate = {*rate, show(*rate), ParseRateUnit(reading.rateUnit), ""};
    const Name& timeName = read[*time];
    const Name& rateName = read[*rate];
    if (!columns.time.unit)
    {
        columns.time.unit = timeName.words.empty() || timeName.timeUnit
                                ? timeName.timeUnit
                                : ParseTimeUnit(timeName.whole, false);
        columns.time.unknownUnit = columns.time.unit ? "" : timeName.unitText;
    }
    if (!columns.rate.unit)
    {
        const bool isOfRaca = rateName.whole == "dl_bitrate" || rateName.whole == "ul_bitrate";
        columns.rate.unit =
            isOfRaca && rateName.unitText.empty() ? ParseRateUnit("kbps") : rateName.rateUnit;
        if (!columns.rate.unit && !rateName.unitText.empty())
        {
            return Error{"the unit of " + show(*rate) +
                         " is unknown; allowed: rate-unit=" + Join(GetRateUnits(), "|")};
        }
    }
    columns.isDuration = IsDuration(timeName);
    columns.isOwnTime = timeName.whole == "time" && timeName.timeUnit && timeName.unitText.empty();
    for (size_t i = 0; i < read.size(); ++i)
    {
        if (read[i].whole == "delay" && read[i].timeUnit && !columns.delay)
        {
            columns.delay = TableColumn{i, show(i), read[i].timeUnit, ""};
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
    columns.time = {*time, "column " + names[*time], ParseTimeUnit(reading.timeUnit, false), ""};
    columns.rate = {*rate, "column " + names[*rate], ParseRateUnit(reading.rateUnit), ""};
    return columns;
}

} // namespace ns3::gridftp
