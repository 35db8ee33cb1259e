/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-table.h"

#include "gridftp-calendar-time.h"
#include "gridftp-decimal.h"
#include "gridftp-quantity.h"
#include "gridftp-schedule-cells.h"
#include "gridftp-schedule-json.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND_NS = 1'000'000'000;
constexpr int64_t LATEST_NS = 1'000'000 * SECOND_NS; // as --start
constexpr int64_t LEAST_RATE = 1'000;                // as --bandwidth
constexpr int64_t MOST_RATE = 1'000'000'000'000;
constexpr size_t MOST_ROWS = 2'000'000;

/** Lines with one time: the sum of their rates fits into 64 bits. */
constexpr int64_t MOST_MERGED = 1'000'000;

/** Reads one table. */
class TableReader
{
  public:
    TableReader(std::string_view content, const TableReading& reading)
        : m_rest(content),
          m_reading(reading)
    {
    }

    /** Reads a table that was made of JSON, whose lines are its items. */
    Expected<GivenRows> ReadItems(bool hasNames)
    {
        m_made.unit = "item";
        m_number -= hasNames ? 1 : 0; // the first item is 1
        return Read();
    }

    Expected<GivenRows> Read()
    {
        if (!Next() || (m_line.starts_with("sep=") && !Next())) // Excel's line on separators
        {
            return Error{"is empty; allowed: a table, or a trace of packet deliveries"};
        }
        if (auto done = ReadHeader(); !done)
        {
            return done.GetError();
        }
        do
        {
            if (auto done = ReadRow(); !done)
            {
                return Error{std::string(m_made.unit) + " " + std::to_string(m_number) + ": " +
                             done.GetError().message};
            }
            if (m_made.rows.size() > MOST_ROWS)
            {
                return Error{"has more than " + std::to_string(MOST_ROWS) +
                             " rows; allowed: fewer"};
            }
        } while (Next());
        CloseRow();
        m_made.note = Describe();
        return std::move(m_made);
    }

  private:
    /** @return whether there is a further line that is no comment */
    bool Next()
    {
        while (!m_rest.empty())
        {
            const size_t end = std::min(m_rest.find('\n'), m_rest.size());
            m_line = m_rest.substr(0, end);
            m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
            ++m_number;
            const auto text = Trim(m_line);
            if (!text.empty() && text.front() != '#' && text.front() != '%' &&
                !text.starts_with("//"))
            {
                return true;
            }
        }
        return false;
    }

    /** Finds the columns in the first line, and goes to the first row. */
    Done ReadHeader()
    {
        const size_t number = m_number;
        m_layout = FindLayout(Trim(m_line));
        auto names =
            SplitCells(m_layout.separator == ' ' ? Trim(m_line) : m_line, m_layout.separator);
        if (!m_reading.IsGiven() && IsDownload(names))
        {
            m_isDownloadLog = true;
            m_columns.time = {1, "column 2", ParseTimeUnit("ms", false), ""};
            m_columns.rate.shown = "the bytes of column 5 over the ms of column 6";
            m_count = names.size();
            return std::monostate{};
        }
        if (AreValues(names, m_layout.point))
        {
            auto columns = ChooseColumns(names.size(), m_reading);
            if (!columns)
            {
                return Error{"line " + std::to_string(number) + ": " + columns.GetError().message};
            }
            m_columns = std::move(*columns);
            m_count = names.size();
            return std::monostate{};
        }
        if (m_layout.separator == ' ')
        {
            JoinUnits(names);
        }
        auto columns = ChooseColumns(names, m_reading);
        if (!columns)
        {
            return Error{"line " + std::to_string(number) + ": " + columns.GetError().message};
        }
        m_columns = std::move(*columns);
        m_count = names.size();
        return Next() ? Done(std::monostate{})
                      : Done(Error{"has a header and no rows; allowed: at least one"});
    }

    /** Reads a row. */
    Done ReadRow()
    {
        const auto cells =
            SplitCells(m_layout.separator == ' ' ? Trim(m_line) : m_line, m_layout.separator);
        if (cells.size() < m_count)
        {
            return Error{"'" + Printable(m_line) + "' has " + std::to_string(cells.size()) +
                         " cells; allowed: " + std::to_string(m_count)};
        }
        const auto& timeCell = cells[m_columns.time.index];
        const auto time = m_columns.isDuration ? ReadBegin(timeCell) : ReadTime(timeCell);
        if (!time)
        {
            return time.GetError();
        }
        if (m_isDownloadLog)
        {
            const auto download = ReadDownload(cells);
            if (!download)
            {
                return download.GetError();
            }
            m_firstSpanNs = m_firstSpanNs.value_or(download->spanNs);
            return AddRate(*time - download->spanNs + *m_firstSpanNs, download->rateBps, timeCell);
        }
        const std::string& cell = cells[m_columns.rate.index];
        if (IsMissingCell(cell))
        {
            ++m_missing;
            return std::monostate{};
        }
        const auto rate = ReadRate(cell);
        if (!rate)
        {
            return rate.GetError();
        }
        if (auto done = AddRate(*time, *rate, timeCell); !done)
        {
            return done;
        }
        return ReadDelay(cells);
    }

    /** Adds a rate to the row of its time. @param timeNs from time 0 @param cell for messages */
    Done AddRate(int64_t timeNs, int64_t rateBps, const std::string& cell)
    {
        if (m_sumCount == 0 || timeNs > m_timeNs)
        {
            CloseRow();
            m_timeNs = timeNs;
            m_place = m_number;
            m_delayNs.reset();
        }
        else if (timeNs < m_timeNs)
        {
            return Error{"time '" + Printable(cell) +
                         "' is before that of an earlier row; allowed: not before it, one "
                         "measurement in a file"};
        }
        else
        {
            ++m_merged;
        }
        if (m_sumCount == MOST_MERGED)
        {
            return Error{"more than " + std::to_string(MOST_MERGED) + " rows have the time '" +
                         Printable(cell) + "'; allowed: a later time"};
        }
        m_sum += rateBps;
        ++m_sumCount;
        return std::monostate{};
    }

    /** @return when a row begins that has its duration: behind all before, ns from time 0 */
    Expected<int64_t> ReadBegin(const std::string& cell)
    {
        const auto number = ReadCellNumber(cell, m_layout.point);
        if (!m_columns.time.unit)
        {
            m_columns.time.unit = ParseTimeUnit("s", false);
            m_assumesTime = true;
        }
        const auto span = number && !number->isNegative && !number->IsZero()
                              ? ToWhole(*number, m_columns.time.unit->factor)
                              : std::nullopt;
        if (!span || *span < 1 || *span > LATEST_NS - m_endNs)
        {
            return Error{"duration '" + Printable(cell) +
                         "' is not a duration; allowed: a number above 0, at most 1000000 s with "
                         "all before"};
        }
        const int64_t beginNs = m_endNs;
        m_endNs += *span;
        return beginNs;
    }

    /** @return the time of a row, ns from time 0 */
    Expected<int64_t> ReadTime(const std::string& cell)
    {
        std::optional<int64_t> time = ParseCalendarTime(cell);
        if (const auto clock = time ? std::nullopt : ParseClockTime(cell))
        {
            time = OnItsDay(*clock);
        }
        if (const auto number = time ? std::nullopt : ReadCellNumber(cell, m_layout.point))
        {
            if (!m_columns.time.unit)
            {
                m_columns.time.unit = GuessTimeUnit(*number);
                if (m_assumesTime && !m_columns.time.unknownUnit.empty())
                {
                    return Error{"the unit of " + m_columns.time.shown +
                                 " is unknown; allowed: time-unit=" + Join(GetTimeUnits(), "|")};
                }
            }
            time = number->isNegative && !number->IsZero()
                       ? std::nullopt
                       : ToWhole(*number, m_columns.time.unit->factor);
        }
        if (!time)
        {
            return Error{"time '" + Printable(cell) +
                         "' is not a time; allowed: a number such as 12.5, or a date such as "
                         "2021-10-17T12:00:00.5"};
        }
        if (!m_beginNs)
        {
            const bool isAbsolute = m_columns.isOwnTime && *time <= LATEST_NS;
            m_beginNs = isAbsolute ? 0 : *time;
            m_beginCell = isAbsolute ? "" : cell;
        }
        return *time - *m_beginNs;
    }

    /** @param clockNs a time of day @return it, on a later day where it would be long before the
     * last one */
    int64_t OnItsDay(int64_t clockNs)
    {
        constexpr int64_t DAY_NS = 86'400 * SECOND_NS;
        while (m_lastClockNs - (clockNs + m_dayNs) > DAY_NS / 2 && m_dayNs < LATEST_NS)
        {
            m_dayNs += DAY_NS;
        }
        m_lastClockNs = clockNs + m_dayNs;
        return m_lastClockNs;
    }

    /** @return the unit of times that count from 1970, by their size; else seconds, assumed */
    ColumnUnit GuessTimeUnit(const Decimal& first)
    {
        constexpr int64_t YEAR_2001 = 1'000'000'000; // s
        constexpr std::array<std::pair<std::string_view, int64_t>, 3> FINER{
            {{"ms", 1'000}, {"us", 1'000'000}, {"ns", 1'000'000'000}}};
        const auto whole = ToWhole(first, 1).value_or(0);
        ColumnUnit unit{"s", SECOND_NS};
        for (const auto& [name, parts] : FINER)
        {
            if (whole / parts >= YEAR_2001)
            {
                unit = {name, SECOND_NS / parts};
            }
        }
        m_assumesTime = whole < YEAR_2001;
        return unit;
    }

    /** @return the rate of a row, bit/s */
    Expected<int64_t> ReadRate(const std::string& cell)
    {
        const auto given = ReadRateCell(cell, m_layout.point);
        if (!given || (given->number.isNegative && !given->number.IsZero()))
        {
            return Error{"rate '" + Printable(cell) +
                         "' is not a rate; allowed: a number such as 12.5, "
                         "or nothing"};
        }
        if (!given->unit && !m_columns.rate.unit)
        {
            m_columns.rate.unit = ColumnUnit{"Mbps", 1'000'000};
            m_assumesRate = true;
        }
        const ColumnUnit unit = given->unit ? *given->unit : *m_columns.rate.unit;
        const auto rate = ToWhole(given->number, unit.factor);
        if (!rate || *rate > MOST_RATE)
        {
            return Error{"rate '" + Printable(cell) + "' in " + std::string(unit.name) +
                         " is above " + FormatWhole(MOST_RATE, Dimension::RATE) +
                         "; allowed: another unit, rate-unit=" + Join(GetRateUnits(), "|")};
        }
        return *rate;
    }

    /** Reads the delay of a row, if there is a column of it. */
    Done ReadDelay(const std::vector<std::string>& cells)
    {
        if (!m_columns.delay || IsMissingCell(cells[m_columns.delay->index]))
        {
            return std::monostate{};
        }
        const auto& cell = cells[m_columns.delay->index];
        const auto number = ReadCellNumber(cell, m_layout.point);
        const auto delay = number && !number->isNegative
                               ? ToWhole(*number, m_columns.delay->unit->factor)
                               : std::nullopt;
        if (!delay)
        {
            return Error{"delay '" + Printable(cell) +
                         "' is not a delay; allowed: a number such as 12.5"};
        }
        m_delayNs = *delay;
        return std::monostate{};
    }

    /** The row is complete: no further line has its time. */
    void CloseRow()
    {
        if (m_sumCount == 0)
        {
            return;
        }
        int64_t rate = (m_sum + m_sumCount / 2) / m_sumCount;
        if (rate > 0 && rate < LEAST_RATE)
        {
            rate = 0;
            ++m_slow;
        }
        m_made.rows.push_back({m_timeNs, rate, m_delayNs, m_place});
        m_sum = m_sumCount = 0;
    }

    /** @return how the file was read */
    std::string Describe() const
    {
        const auto unitOf = [](const TableColumn& column, bool isAssumed, const char* key) {
            return column.unit ? " in " + std::string(column.unit->name) +
                                     (isAssumed ? std::string(", assumed (") + key + ")" : "")
                               : std::string();
        };
        std::string text =
            "read as time (" + m_columns.time.shown +
            unitOf(m_columns.time, m_assumesTime, "time-unit=UNIT") + ") and rate (" +
            m_columns.rate.shown + unitOf(m_columns.rate, m_assumesRate, "rate-unit=UNIT") + "), " +
            std::to_string(m_made.rows.size()) + " rows, each rate until the next row";
        text += m_beginCell.empty() ? "" : "; time 0 is " + Printable(m_beginCell);
        const auto count = [&text](size_t number, const std::string& what) {
            text += number > 0 ? "; " + std::to_string(number) + " " + what : "";
        };
        count(m_missing, "without a rate left out");
        count(m_merged, "averaged with others of the same time");
        count(m_slow, "below " + FormatWhole(LEAST_RATE, Dimension::RATE) + " are 0");
        return text;
    }

    std::string_view m_rest;              //!< lines to come
    const TableReading& m_reading;        //!< what the user specifies
    std::string_view m_line;              //!< the line that is read
    size_t m_number{0};                   //!< its number, from 1
    CellLayout m_layout;                  //!< of its cells
    TableColumns m_columns;               //!< that count
    size_t m_count{0};                    //!< columns that there are
    std::optional<int64_t> m_beginNs;     //!< time 0 of the schedule, as the file counts
    std::string m_beginCell;              //!< where the first row is time 0: its time as written
    int64_t m_endNs{0};                   //!< of the last row that has a duration
    int64_t m_lastClockNs{0};             //!< the last time of day, with
    int64_t m_dayNs{0};                   //!< when its day begins
    int64_t m_timeNs{0};                  //!< of the row that is read, and
    size_t m_place{0};                    //!< its first line
    std::optional<int64_t> m_delayNs;     //!< its delay
    int64_t m_sum{0};                     //!< sum of its rates, and
    int64_t m_sumCount{0};                //!< how many lines have its time
    bool m_isDownloadLog{false};          //!< it is one, see IsDownload(), and
    std::optional<int64_t> m_firstSpanNs; //!< before its first line, ns
    bool m_assumesTime{false};            //!< no unit of time is known
    bool m_assumesRate{false};            //!< no unit of the rate is known
    size_t m_missing{0};                  //!< lines without a rate
    size_t m_merged{0};                   //!< lines with the time of the one before
    size_t m_slow{0};                     //!< rows whose rate is too low
    GivenRows m_made{.unit = "line"};     //!< rows that are complete
};

} // namespace

Expected<GivenRows>
ParseScheduleTable(std::string_view content, const TableReading& reading)
{
    if (IsJsonTable(content))
    {
        const auto table = MakeJsonTable(content);
        return table ? TableReader(table->text, reading).ReadItems(table->hasNames)
                     : Expected<GivenRows>(table.GetError());
    }
    return TableReader(content, reading).Read();
}

} // namespace ns3::gridftp
