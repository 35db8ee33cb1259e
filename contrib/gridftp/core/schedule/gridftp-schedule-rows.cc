/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-rows.h"

#include "gridftp-decimal.h"
#include "gridftp-quantity.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** A part of a row, and in which units it may be. */
struct Column
{
    std::string_view name; //!< as in a CSV's first line, before the unit
    Dimension dimension;   //!< of its values
};

constexpr std::array COLUMNS{Column{"time", Dimension::TIME},
                             Column{"rate", Dimension::RATE},
                             Column{"delay", Dimension::TIME}};
constexpr size_t TIME = 0;
constexpr size_t RATE = 1;

/** Lines of a file, without their ends. */
class Lines
{
  public:
    /** @param content of the file */
    explicit Lines(std::string_view content)
        : m_rest(content)
    {
    }

    /** @return whether there is a further line, which GetText() then is */
    bool Next()
    {
        while (!m_rest.empty())
        {
            const size_t end = std::min(m_rest.find('\n'), m_rest.size());
            m_text = Trim(m_rest.substr(0, end));
            m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
            ++m_number;
            if (!m_text.empty() && m_text.front() != '#')
            {
                return true;
            }
        }
        return false;
    }

    /** @return the line, without white space around it */
    std::string_view GetText() const
    {
        return m_text;
    }

    /** @return its number, from 1 */
    size_t GetNumber() const
    {
        return m_number;
    }

  private:
    std::string_view m_rest; //!< lines to come
    std::string_view m_text; //!< see GetText()
    size_t m_number{0};      //!< see GetNumber()
};

/** @param text of several parts @param separator between them @return the parts */
std::vector<std::string_view>
Split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

/** @param line which line @param message what is wrong with it */
Error
AtLine(const Lines& line, const std::string& message)
{
    return Error{"line " + std::to_string(line.GetNumber()) + ": " + message};
}

/** Sets a part of a row. @param row it @param column which @param value of it */
void
SetPart(GivenRow& row, size_t column, int64_t value)
{
    switch (column)
    {
    case TIME:
        row.startNs = value;
        return;
    case RATE:
        row.rateBps = value;
        return;
    default:
        row.delayNs = value;
    }
}

/** A column of a CSV. */
struct Cell
{
    size_t column; //!< index in COLUMNS
    int64_t unit;  //!< its unit, in smallest ones
};

/** Reads the first line. */
Expected<std::vector<Cell>>
ParseHeader(const Lines& line)
{
    const std::string allowed = "; allowed: time, rate and delay, each with its unit, as in "
                                "time_s,rate_Mbps,delay_ms";
    std::vector<Cell> cells;
    for (const auto part : Split(line.GetText(), ','))
    {
        const auto name = Trim(part);
        const size_t bar = std::min(name.find('_'), name.size());
        const auto found = std::ranges::find(COLUMNS, name.substr(0, bar), &Column::name);
        const auto unit =
            found == COLUMNS.end()
                ? Expected<int64_t>(Error{})
                : ParseWhole("1" + std::string(name.substr(std::min(bar + 1, name.size()))),
                             found->dimension);
        if (!unit)
        {
            return AtLine(line, "'" + Printable(name) + "' is not a column" + allowed);
        }
        const auto column = static_cast<size_t>(found - COLUMNS.begin());
        if (std::ranges::find(cells, column, &Cell::column) != cells.end())
        {
            return AtLine(line, "'" + Printable(name) + "' comes twice" + allowed);
        }
        cells.push_back({column, *unit});
    }
    if (cells.size() < 2 || std::ranges::find(cells, TIME, &Cell::column) == cells.end())
    {
        return AtLine(line, "'" + Printable(line.GetText()) + "' lacks a column" + allowed);
    }
    return cells;
}

/** Reads a number of a CSV. @param text it @param unit that it counts @return in smallest units */
Expected<int64_t>
ParseCell(std::string_view text, int64_t unit)
{
    const auto number = ParseDecimal(text);
    if (!number || number->isNegative)
    {
        return Error{"is not a number"};
    }
    const auto value = ToWhole(*number, unit);
    return value ? Expected<int64_t>(*value) : Expected<int64_t>(Error{"is too large"});
}

/** Reads a line of a packet-delivery trace. @return the time, ms; nothing where it is none */
std::optional<int64_t>
ParseDelivery(std::string_view line)
{
    constexpr int64_t MILLION = 1'000'000;     // a time between two ms is none
    constexpr int64_t MOST_MS = 1'000'000'000; // as --start
    const auto number = ParseDecimal(line);
    const auto at = number && !number->isNegative ? ToWhole(*number, MILLION) : std::nullopt;
    return at && *at % MILLION == 0 && *at / MILLION <= MOST_MS ? std::optional(*at / MILLION)
                                                                : std::nullopt;
}

/** Reads a line of a CSV. */
Expected<GivenRow>
ParseCsvRow(const Lines& line, const std::vector<Cell>& cells)
{
    const auto parts = Split(line.GetText(), ',');
    if (parts.size() != cells.size())
    {
        return AtLine(line,
                      "'" + Printable(line.GetText()) + "' has " + std::to_string(parts.size()) +
                          " cells; allowed: " + std::to_string(cells.size()) +
                          ", as the first line has");
    }
    GivenRow row;
    row.place = line.GetNumber();
    for (size_t i = 0; i < parts.size(); ++i)
    {
        const auto text = Trim(parts[i]);
        if (text.empty() && cells[i].column != TIME)
        {
            continue;
        }
        const auto value = ParseCell(text, cells[i].unit);
        if (!value)
        {
            return AtLine(line,
                          std::string(COLUMNS[cells[i].column].name) + " '" + Printable(text) +
                              "' " + value.GetError().message +
                              "; allowed: a number such as 12.5, in the unit of the first line");
        }
        SetPart(row, cells[i].column, *value);
    }
    return row;
}

/** Makes opportunities of deliveries into rates. */
class DeliveryBins
{
  public:
    /** @param intervalNs how long each is */
    explicit DeliveryBins(int64_t intervalNs)
        : m_intervalNs(intervalNs)
    {
    }

    /** @param atNs of an opportunity, not before an earlier one's @param line of it */
    void Add(int64_t atNs, size_t line)
    {
        while (atNs > m_beginNs + m_intervalNs)
        {
            Close(m_beginNs + m_intervalNs);
        }
        m_line = line;
        ++m_count;
        m_lastNs = atNs;
    }

    /** @return all, behind the last one */
    GivenRows Take()
    {
        if (m_lastNs > m_beginNs)
        {
            Close(m_lastNs);
        }
        m_made.periodNs = m_lastNs;
        m_made.unit = "line";
        return std::move(m_made);
    }

  private:
    /** An interval is over. @param endNs when */
    void Close(int64_t endNs)
    {
        constexpr double PACKET_BIT_NS = 1500 * 8 * 1e9;
        const double bits = static_cast<double>(m_count) * PACKET_BIT_NS;
        constexpr int64_t LEAST_RATE = 1'000; // as --bandwidth
        const auto rate = static_cast<int64_t>(bits / static_cast<double>(endNs - m_beginNs) + 0.5);
        const bool isTooLow = rate < LEAST_RATE;
        m_made.rows.push_back(
            {.startNs = m_beginNs, .rateBps = isTooLow ? 0 : rate, .place = m_line});
        m_beginNs = endNs;
        m_count = isTooLow ? m_count : 0;
    }

    int64_t m_intervalNs; //!< how long each is
    int64_t m_beginNs{0}; //!< of the one that is filled
    int64_t m_lastNs{0};  //!< the last opportunity
    uint64_t m_count{0};  //!< opportunities in it
    size_t m_line{0};     //!< of the last one
    GivenRows m_made;     //!< those that are over
};

} // namespace

Expected<GivenRow>
ParseScheduleRow(std::string_view text, size_t place)
{
    const auto parts = Split(text, ':');
    const auto wrong = [&](const std::string& why) {
        return Error{"row " + std::to_string(place) + ": '" + Printable(text) + "' " + why +
                     "; allowed: TIME:RATE:DELAY such as 20s:5Mbps:120ms, without a RATE or a "
                     "DELAY as before"};
    };
    if (parts.size() < 2 || parts.size() > COLUMNS.size())
    {
        return wrong("is not a row");
    }
    GivenRow row;
    row.place = place;
    for (size_t i = 0; i < parts.size(); ++i)
    {
        if (parts[i].empty() && i != TIME)
        {
            continue;
        }
        const auto value = ParseWhole(parts[i], COLUMNS[i].dimension);
        if (!value)
        {
            return wrong("has a " + std::string(COLUMNS[i].name) + " that " +
                         Printable(value.GetError().message));
        }
        SetPart(row, i, *value);
    }
    return row;
}

Expected<GivenRows>
ParseScheduleCsv(std::string_view content)
{
    Lines line(content);
    if (!line.Next())
    {
        return Error{"is empty; allowed: a CSV, or a trace of packet deliveries"};
    }
    const auto cells = ParseHeader(line);
    if (!cells)
    {
        return cells.GetError();
    }
    GivenRows made{.unit = "line"};
    while (line.Next())
    {
        const auto row = ParseCsvRow(line, *cells);
        if (!row)
        {
            return row.GetError();
        }
        made.rows.push_back(*row);
    }
    return made;
}

bool
IsScheduleCsv(std::string_view content)
{
    Lines line(content);
    return !line.Next() || ParseHeader(line);
}

bool
IsDeliveryTrace(std::string_view content)
{
    Lines line(content);
    return line.Next() && ParseDecimal(line.GetText());
}

int64_t
FindLastDelivery(std::string_view content)
{
    constexpr int64_t MILLISECOND = 1'000'000;
    int64_t last = 0;
    Lines line(content);
    while (line.Next())
    {
        last = std::max(last, ParseDelivery(line.GetText()).value_or(0));
    }
    return last * MILLISECOND;
}

Expected<GivenRows>
ParseDeliveryTrace(std::string_view content, int64_t intervalNs)
{
    constexpr int64_t MILLISECOND = 1'000'000;
    DeliveryBins bins(intervalNs);
    int64_t last = 0;
    Lines line(content);
    while (line.Next())
    {
        const auto at = ParseDelivery(line.GetText());
        if (!at || *at < last)
        {
            return AtLine(line,
                          "'" + Printable(line.GetText()) +
                              "' is not the time of a delivery; allowed: a whole number of ms, "
                              "from that of the line before to 1000000000");
        }
        last = *at;
        bins.Add(last * MILLISECOND, line.GetNumber());
    }
    if (last == 0)
    {
        return AtLine(line, "all deliveries are at 0 ms; allowed: a later last one");
    }
    return bins.Take();
}

} // namespace ns3::gridftp
