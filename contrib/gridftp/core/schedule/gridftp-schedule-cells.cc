/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-cells.h"

#include "gridftp-calendar-time.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr size_t DOWNLOAD_BYTES = 4; // columns of a log of downloads
constexpr size_t DOWNLOAD_MS = 5;

/** @return the number in a cell, rounded; nothing where it is none in the range */
std::optional<int64_t>
ReadWhole(const std::string& cell, int64_t least, int64_t most)
{
    const auto number = ReadCellNumber(cell, '.');
    const auto whole = number ? ToWhole(*number, 1) : std::nullopt;
    return whole && *whole >= least && *whole <= most ? whole : std::nullopt;
}

} // namespace

std::vector<std::string>
SplitCells(std::string_view line, char separator)
{
    std::vector<std::string> cells(1);
    bool isQuoted = false;
    bool wasSpace = true;
    for (const char c : line)
    {
        const bool isSpace = c == ' ' || c == '\t';
        const bool isEnd = !isQuoted && (separator == ' ' ? isSpace : c == separator);
        if (c == '"')
        {
            isQuoted = !isQuoted;
        }
        else if (!isEnd)
        {
            cells.back() += c;
        }
        else if (separator != ' ' || !wasSpace)
        {
            cells.emplace_back();
        }
        wasSpace = isEnd;
    }
    if (separator == ' ' && cells.size() > 1 && cells.back().empty())
    {
        cells.pop_back();
    }
    for (auto& cell : cells)
    {
        cell = Trim(cell);
    }
    return cells;
}

bool
IsMissingCell(std::string_view cell)
{
    constexpr std::array WORDS{std::string_view(""),
                               std::string_view("-"),
                               std::string_view("nan"),
                               std::string_view("NaN"),
                               std::string_view("NAN"),
                               std::string_view("NA"),
                               std::string_view("N/A"),
                               std::string_view("null"),
                               std::string_view("NULL"),
                               std::string_view("None")};
    return std::ranges::find(WORDS, cell) != WORDS.end();
}

std::optional<Decimal>
ReadCellNumber(std::string_view cell, char point)
{
    const bool hasStop = cell.find('.') != cell.npos;
    return ParseDecimal(cell, hasStop ? '.' : point);
}

std::optional<RateCell>
ReadRateCell(std::string_view cell, char point)
{
    if (const auto number = ReadCellNumber(cell, point))
    {
        return RateCell{*number, std::nullopt};
    }
    const size_t last = cell.find_last_of("0123456789");
    const size_t end = last == cell.npos ? 0 : last + 1;
    const auto number = ReadCellNumber(Trim(cell.substr(0, end)), point);
    const auto unit = ParseRateUnit(Trim(cell.substr(end)));
    return number && unit ? std::optional(RateCell{*number, unit}) : std::nullopt;
}

bool
AreValues(const std::vector<std::string>& cells, char point)
{
    return std::ranges::all_of(cells, [point](const auto& cell) {
        return IsMissingCell(cell) || ReadRateCell(cell, point) || ParseCalendarTime(cell) ||
               ParseClockTime(cell);
    });
}

CellLayout
FindLayout(std::string_view line)
{
    for (const char separator : {';', '\t'})
    {
        if (line.find(separator) != line.npos)
        {
            return {separator, ','};
        }
    }
    const bool hasComma = line.find(',') != line.npos;
    const auto spaced = SplitCells(line, ' ');
    const bool isSpaced = spaced.size() > 1 && AreValues(spaced, ',');
    const bool isDecimalComma = isSpaced && !AreValues(SplitCells(line, ','), '.');
    return !hasComma || isDecimalComma ? CellLayout{' ', ','} : CellLayout{',', '.'};
}

void
JoinUnits(std::vector<std::string>& names)
{
    for (size_t i = 1; i < names.size();)
    {
        if (names[i].starts_with('(') || names[i].starts_with('['))
        {
            names[i - 1] += " " + names[i];
            names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
        }
        else
        {
            ++i;
        }
    }
}

bool
IsDownload(const std::vector<std::string>& cells)
{
    constexpr int64_t BILLION = 1'000'000'000; // s: in the year 2001
    return cells.size() == DOWNLOAD_MS + 1 && ReadWhole(cells[0], BILLION, BILLION * 10'000) &&
           ReadWhole(cells[1], 0, BILLION) && ReadWhole(cells[2], -90, 90) &&
           ReadWhole(cells[3], -180, 180) && ReadWhole(cells[DOWNLOAD_BYTES], 0, BILLION) &&
           ReadWhole(cells[DOWNLOAD_MS], 1, BILLION);
}

Expected<Download>
ReadDownload(const std::vector<std::string>& cells)
{
    constexpr int64_t MOST = 1'000'000'000;
    constexpr int64_t MILLISECOND_NS = 1'000'000;
    constexpr int64_t BITS = 8'000; // per byte, and ms per second
    const auto bytes = ReadWhole(cells[DOWNLOAD_BYTES], 0, MOST / 10);
    const auto milliseconds = ReadWhole(cells[DOWNLOAD_MS], 1, MOST);
    if (!bytes || !milliseconds)
    {
        return Error{"'" + Printable(cells[DOWNLOAD_BYTES]) + "' bytes in '" +
                     Printable(cells[DOWNLOAD_MS]) +
                     "' ms are not a rate; allowed: 0 to 100000000 bytes, 1 to 1000000000 ms"};
    }
    return Download{(*bytes * BITS + *milliseconds / 2) / *milliseconds,
                    *milliseconds * MILLISECOND_NS};
}

} // namespace ns3::gridftp
