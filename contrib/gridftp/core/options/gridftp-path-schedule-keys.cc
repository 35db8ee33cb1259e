/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-row.h"
#include "gridftp-path-schedule.h"
#include "gridftp-random-path.h"

#include <limits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The keys behind the rows, the file or the word of --path-schedule.
 */

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MILLISECOND = 1'000'000;
constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t LONGEST = 1'000'000 * SECOND; // as --start

/** A row of GetScheduleKeyRows() for tables. */
Option
TableRow(std::string_view name,
         std::vector<std::string_view> choices,
         OptionBinding binding,
         std::string_view help)
{
    const std::string_view placeholder = choices.empty() ? "COLUMN" : "UNIT";
    return WordRow(OptionKind::NAME,
                   name,
                   name,
                   OptionScope::PATH,
                   "",
                   placeholder,
                   std::move(choices),
                   binding,
                   help);
}

} // namespace

std::span<const Option>
GetRandomPathRows()
{
    static const auto& rows = KeepRows([] {
        using enum Dimension;
        constexpr WholeRange RATES{1'000, 1'000'000'000'000};
        constexpr WholeRange RTTS{0, 20 * SECOND};
        const auto row = [](std::string_view name,
                            Dimension dimension,
                            std::string_view usual,
                            WholeRange range,
                            OptionBinding binding,
                            std::string_view help) {
            return WholeRow(name, name, OptionScope::PATH, dimension, usual, range, binding, help);
        };
        return std::vector<Option>{
            row("mean",
                RATE,
                "17.2Mbps",
                RATES,
                BindMember<&RandomPath::mean>(),
                "mean of the rate"),
            row("deviation",
                RATE,
                "26.3Mbps",
                RATES,
                BindMember<&RandomPath::deviation>(),
                "standard deviation of the rate"),
            row("least", RATE, "26kbps", RATES, BindMember<&RandomPath::least>(), "lowest rate"),
            row("most", RATE, "285Mbps", RATES, BindMember<&RandomPath::most>(), "highest rate"),
            row("mean-rtt",
                TIME,
                "157ms",
                RTTS,
                BindMember<&RandomPath::meanRtt>(),
                "mean round-trip time of the path, without its queue"),
            row("least-rtt",
                TIME,
                "119ms",
                RTTS,
                BindMember<&RandomPath::leastRtt>(),
                "lowest round-trip time"),
            row("most-rtt",
                TIME,
                "475ms",
                RTTS,
                BindMember<&RandomPath::mostRtt>(),
                "highest round-trip time"),
            row("interval",
                TIME,
                "20s",
                {MILLISECOND, LONGEST},
                BindMember<&RandomPath::interval>(),
                "duration of each rate and round-trip time"),
            row("duration",
                TIME,
                "16400s",
                {MILLISECOND, LONGEST},
                BindMember<&RandomPath::duration>(),
                "when the rates and round-trip times repeat"),
            row("run",
                COUNT,
                "that of the scenario",
                {0, std::numeric_limits<int64_t>::max()},
                BindMember<&RandomPath::run>(),
                "number of the replication for the random path")};
    }());
    return rows;
}

std::span<const Option>
GetScheduleKeyRows()
{
    static const std::vector<Option> rows{
        WholeRow("repeat",
                 "repeat",
                 OptionScope::PATH,
                 Dimension::TIME,
                 "0s",
                 {0, LONGEST},
                 BindMember<&ScheduleKeys::repeat>(),
                 "when the rows repeat; 0s: never (trace of deliveries: after its last one)"),
        WholeRow("interval",
                 "interval",
                 OptionScope::PATH,
                 Dimension::TIME,
                 "100ms",
                 {MILLISECOND, 10 * SECOND},
                 BindMember<&ScheduleKeys::interval>(),
                 "interval over which rates are computed from a trace of deliveries"),
        TableRow("time-column",
                 {},
                 BindMember<&ScheduleKeys::table, &TableReading::timeColumn>(),
                 "column of a table with the time: its name or number"),
        TableRow("rate-column",
                 {},
                 BindMember<&ScheduleKeys::table, &TableReading::rateColumn>(),
                 "column of a table with the rate: its name or number"),
        TableRow("time-unit",
                 GetTimeUnits(),
                 BindMember<&ScheduleKeys::table, &TableReading::timeUnit>(),
                 "unit of the times of a table"),
        TableRow("rate-unit",
                 GetRateUnits(),
                 BindMember<&ScheduleKeys::table, &TableReading::rateUnit>(),
                 "unit of the rates of a table")};
    return rows;
}

} // namespace ns3::gridftp
