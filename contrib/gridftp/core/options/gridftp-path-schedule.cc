/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-path-schedule.h"

#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-random-path.h"
#include "gridftp-schedule-resample.h"
#include "gridftp-schedule-rows.h"
#include "gridftp-schedule-table.h"
#include "gridftp-text.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view RANDOM = "random";
constexpr std::string_view NAME = "path-schedule";

/** @param message what is wrong @param source what it is wrong with, where that is a file */
Error
Wrong(const std::string& message, std::string_view source = {})
{
    const std::string given = source.empty() ? "" : "=" + Printable(source);
    return Error{"--" + std::string(NAME) + given + " " + message};
}

/** Sets what is given as "KEY=V,...", and the defaults of what is not. */
Done
AssignKeys(std::span<const Option> (*findRows)(), std::string_view text, void* spec)
{
    for (const auto& row : findRows())
    {
        if (const auto usual = row.Parse(row.defaultText))
        {
            row.binding.set(spec, *usual);
        }
    }
    if (text.empty())
    {
        return std::monostate{};
    }
    Option keys = GetOption(NAME);
    keys.kind = OptionKind::LIST;
    keys.findMembers = findRows;
    const auto values = ParseAssignments(keys, text);
    if (!values)
    {
        return values.GetError();
    }
    for (const auto& assignment : *values)
    {
        assignment.option->binding.set(spec, assignment.value);
    }
    return std::monostate{};
}

/** @param text "FIRST,KEY=V,..." @return the first part, which may have commas before the keys */
std::string_view
CutKeys(std::string_view& text)
{
    const size_t equals = std::min(text.find('='), text.size());
    const size_t comma =
        equals == text.size() ? text.size() : std::min(text.rfind(',', equals), text.size());
    const auto first = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    return first;
}

/** @param row of a quantity @param value of it @param name of it @return nothing, or that it is
 * out of range */
Done
CheckRange(const Option& row, int64_t value, std::string_view name, bool mayBeZero)
{
    if (row.IsInRange(value) || (mayBeZero && value == 0))
    {
        return std::monostate{};
    }
    return Error{std::string(name) + " " + row.Format(value) + " is out of range; allowed: " +
                 (mayBeZero ? row.Format(int64_t{0}) + ", or " : "") + row.DescribeAllowed()};
}

/** @param row given @param before the last row @param isFirst whether there is none before @return
 * nothing, or what is wrong with it */
Done
CheckRow(const GivenRow& row, int64_t beforeNs, bool isFirst)
{
    const Option& start = *FindOption(GetSessionRows(), "start");
    if (auto done = CheckRange(start, row.startNs, "time", false); !done)
    {
        return done;
    }
    if (!isFirst && row.startNs <= beforeNs)
    {
        return Error{"time " + start.Format(row.startNs) +
                     " is not after the one before; allowed: later than " + start.Format(beforeNs)};
    }
    if (row.rateBps)
    {
        if (auto done = CheckRange(GetOption("bandwidth"), *row.rateBps, "rate", true); !done)
        {
            return done;
        }
    }
    return row.delayNs ? CheckRange(GetOption("delay"), *row.delayNs, "delay", false)
                       : Done(std::monostate{});
}

/** What of a path holds where the schedule says nothing, and whether that is anywhere. */
struct PathBase
{
    LinkRow row;          //!< bandwidth and delay as given
    bool hasRate{false};  //!< the bandwidth holds somewhere
    bool hasDelay{false}; //!< the delay does
};

/** Makes whole rows of those given, from time 0 on. */
Expected<std::vector<LinkRow>>
CompleteRows(const GivenRows& given, PathBase& base)
{
    std::vector<LinkRow> rows;
    LinkRow now = base.row;
    base.hasRate = base.hasDelay = true;
    for (const auto& row : given.rows)
    {
        if (auto done = CheckRow(row, now.startNs, row.place == given.rows.front().place); !done)
        {
            return Error{std::string(given.unit) + " " + std::to_string(row.place) + ": " +
                         done.GetError().message};
        }
        if (rows.empty() && row.startNs > 0)
        {
            rows.push_back(now);
        }
        base.hasRate = base.hasRate && !(rows.empty() && row.rateBps);
        base.hasDelay = base.hasDelay && !(rows.empty() && row.delayNs);
        now = {row.startNs, row.rateBps.value_or(now.rateBps), row.delayNs.value_or(now.delayNs)};
        rows.push_back(now);
    }
    return rows;
}

/** Makes fewer rows of more than there may be. @param rows of a file @param periodNs see
 * LinkSchedule
 * @return what was done, for a note; empty: nothing */
std::string
LimitRows(std::vector<LinkRow>& rows, int64_t periodNs)
{
    const int64_t endNs = periodNs > 0 ? periodNs : rows.empty() ? 0 : rows.back().startNs;
    const size_t before = rows.size();
    if (before <= MOST_SCHEDULE_ROWS || (periodNs > 0 && periodNs <= rows.back().startNs))
    {
        return "";
    }
    const int64_t interval = ChooseInterval(endNs, MOST_SCHEDULE_ROWS - 1);
    rows = ResampleRows(rows, endNs, interval);
    return std::to_string(before) + " rows are resampled to " + std::to_string(rows.size()) +
           ", of " + FormatWhole(interval, Dimension::TIME) +
           " each, with the mean rate, so that they carry the same bytes";
}

/** What all rows together have to be like. */
Done
CheckRows(const std::vector<LinkRow>& rows, int64_t periodNs)
{
    const Option& start = *FindOption(GetSessionRows(), "start");
    if (!rows.empty() && periodNs > 0 && periodNs <= rows.back().startNs)
    {
        return Error{"repeats at " + start.Format(periodNs) +
                     ", repeat=TIME; allowed: later than its last row, at " +
                     start.Format(rows.back().startNs)};
    }
    if (rows.empty() || rows.size() > MOST_SCHEDULE_ROWS)
    {
        return Error{"has " + std::to_string(rows.size()) + " rows; allowed: 1 to " +
                     std::to_string(MOST_SCHEDULE_ROWS)};
    }
    if (periodNs == 0 ? rows.back().rateBps == 0
                      : std::ranges::all_of(rows, [](auto& row) { return row.rateBps == 0; }))
    {
        return Error{"stops forever; allowed: a rate above 0 in its last row, or in any row that "
                     "repeats, repeat=TIME"};
    }
    return std::monostate{};
}

/** What is given beside a schedule in which it holds nowhere is a mistake worth telling. */
Done
CheckUnused(std::string_view name, int64_t given, int64_t resolved)
{
    if (given == resolved || given == GetDefaultWhole(name))
    {
        return std::monostate{};
    }
    const Option& option = GetOption(name);
    return Error{"--" + std::string(name) + "=" + option.Format(given) + " has no effect with --" +
                 std::string(NAME) + ", which sets values from 0s on; allowed: without it"};
}

/** Makes the schedule. @param scenario whose @param given rows @param periodNs see LinkSchedule
 * @param source see Wrong() @param notes of a file, which may have any number of rows; else null */
Done
TakeRows(Scenario& scenario,
         const GivenRows& given,
         int64_t periodNs,
         std::string_view source,
         Notes* notes = nullptr)
{
    auto& path = scenario.path;
    PathBase base{.row = {0, path.bandwidth, path.delay}};
    auto rows = CompleteRows(given, base);
    if (!rows)
    {
        return Wrong(rows.GetError().message, source);
    }
    if (notes)
    {
        const std::string fewer = LimitRows(*rows, periodNs);
        for (const auto& note : {given.note, fewer})
        {
            if (!note.empty())
            {
                notes->push_back(Wrong(note, source).message);
            }
        }
    }
    if (auto done = CheckRows(*rows, periodNs); !done)
    {
        return Wrong(done.GetError().message, source);
    }
    path.schedule = LinkSchedule(std::move(*rows), periodNs);
    path.bandwidth = path.schedule.GetMostRate();
    path.delay = path.schedule.GetLeastDelay();
    path.scheduleText = FormatSchedule(path.schedule);
    if (auto done = CheckUnused("bandwidth",
                                base.hasRate ? path.bandwidth : base.row.rateBps,
                                path.bandwidth);
        !done)
    {
        return done;
    }
    return CheckUnused("delay", base.hasDelay ? path.delay : base.row.delayNs, path.delay);
}

/** @param scenario whose text is "TIME:RATE:DELAY,...,KEY=V" */
Done
ResolveListed(Scenario& scenario)
{
    std::string_view keys = scenario.path.scheduleText;
    std::string_view listed = CutKeys(keys);
    ScheduleKeys said;
    if (auto done = AssignKeys(&GetScheduleKeyRows, keys, &said); !done)
    {
        return done;
    }
    GivenRows given{.unit = "row"};
    for (size_t at = 0; at <= listed.size();)
    {
        const size_t comma = std::min(listed.find(',', at), listed.size());
        const auto row = ParseScheduleRow(listed.substr(at, comma - at), given.rows.size() + 1);
        if (!row)
        {
            return Wrong(row.GetError().message);
        }
        given.rows.push_back(*row);
        at = comma + 1;
    }
    return TakeRows(scenario, given, said.repeat, {});
}

/** Reads a trace of packet deliveries. @param interval of its rates, unless that makes too many */
Expected<GivenRows>
ReadDeliveries(const std::string& content, int64_t interval)
{
    const int64_t lastNs = FindLastDelivery(content);
    const int64_t longer = std::max(interval, ChooseInterval(lastNs, MOST_SCHEDULE_ROWS));
    const bool isTooFine = lastNs / interval > static_cast<int64_t>(MOST_SCHEDULE_ROWS);
    auto given = ParseDeliveryTrace(content, isTooFine ? longer : interval);
    if (given && isTooFine)
    {
        given->note = "has deliveries over " + FormatWhole(lastNs, Dimension::TIME) +
                      "; rates are computed over " + FormatWhole(longer, Dimension::TIME) +
                      ", not " + FormatWhole(interval, Dimension::TIME) +
                      ", so that there are no more rows than " + std::to_string(MOST_SCHEDULE_ROWS);
    }
    return given;
}

/** Reads a file of any kind. */
Expected<GivenRows>
ReadRows(const std::string& content, const ScheduleKeys& keys)
{
    if (!keys.table.IsGiven() && IsDeliveryTrace(content))
    {
        return ReadDeliveries(content, keys.interval);
    }
    if (!keys.table.IsGiven() && IsScheduleCsv(content))
    {
        return ParseScheduleCsv(content);
    }
    return ParseScheduleTable(content, keys.table);
}

/** @param scenario whose text is "FILE,KEY=V,..." @param read reads it @param notes to add to */
Done
ResolveFile(Scenario& scenario, const FileReader& read, Notes& notes)
{
    std::string_view keys = scenario.path.scheduleText;
    const std::string name(CutKeys(keys));
    ScheduleKeys said;
    if (auto done = AssignKeys(&GetScheduleKeyRows, keys, &said); !done)
    {
        return done;
    }
    if (!read)
    {
        return Wrong("is not a row, and files cannot be read here; allowed: " +
                         GetOption(NAME).DescribeAllowed(),
                     name);
    }
    const auto content = read(name);
    if (!content)
    {
        return Wrong(content.GetError().message + "; allowed: " + GetOption(NAME).DescribeAllowed(),
                     name);
    }
    const auto given = ReadRows(*content, said);
    if (!given)
    {
        return Wrong(given.GetError().message, name);
    }
    return TakeRows(scenario,
                    *given,
                    said.repeat > 0 ? said.repeat : given->periodNs,
                    name,
                    &notes);
}

/** @param scenario whose text is "random,KEY=V,..." */
Done
ResolveRandom(Scenario& scenario)
{
    std::string_view keys = scenario.path.scheduleText;
    keys.remove_prefix(std::min(RANDOM.size() + 1, keys.size()));
    RandomPath random;
    if (auto done = AssignKeys(&GetRandomPathRows, keys, &random); !done)
    {
        return done;
    }
    if ((random.duration - 1) / random.interval >= static_cast<int64_t>(MOST_SCHEDULE_ROWS))
    {
        return Wrong("has more than " + std::to_string(MOST_SCHEDULE_ROWS) +
                         " rows; allowed: a duration of at most that many intervals",
                     RANDOM);
    }
    const auto& measure = scenario.measure;
    const auto drawn =
        DrawPath(random, {static_cast<uint64_t>(measure.seed), static_cast<uint64_t>(measure.run)});
    if (!drawn)
    {
        return Wrong(drawn.GetError().message, RANDOM);
    }
    const int64_t access = 2 * scenario.path.accessDelay;
    if (random.leastRtt / 2 < access)
    {
        const Option& delay = GetOption("delay");
        return Wrong("least-rtt=" + delay.Format(random.leastRtt) +
                         " is less than the delay of the access links; allowed: at least " +
                         delay.Format(2 * access),
                     RANDOM);
    }
    GivenRows given{.unit = "row"};
    for (const auto& row : *drawn)
    {
        given.rows.push_back(
            {row.startNs, row.rateBps, row.rttNs / 2 - access, given.rows.size() + 1});
    }
    return TakeRows(scenario, given, random.duration, RANDOM);
}

} // namespace

std::string
FormatSchedule(const LinkSchedule& schedule)
{
    std::string text;
    const auto time = [](int64_t ns) { return ns == 0 ? "0s" : FormatWhole(ns, Dimension::TIME); };
    for (const auto& row : schedule.GetRows())
    {
        text += (text.empty() ? "" : ",") + time(row.startNs) + ":" +
                FormatWhole(row.rateBps, Dimension::RATE) + ":" + time(row.delayNs);
    }
    return text + (schedule.GetPeriodNs() > 0 ? ",repeat=" + time(schedule.GetPeriodNs()) : "");
}

Done
ResolvePathSchedule(Scenario& scenario, const FileReader& read, Notes& notes)
{
    const std::string_view text = scenario.path.scheduleText;
    if (text.empty() || text == NO_SCHEDULE)
    {
        return std::monostate{};
    }
    const auto first = text.substr(0, text.find(','));
    if (first == RANDOM)
    {
        return ResolveRandom(scenario);
    }
    return first.find(':') == first.npos ? ResolveFile(scenario, read, notes)
                                         : ResolveListed(scenario);
}

} // namespace ns3::gridftp
