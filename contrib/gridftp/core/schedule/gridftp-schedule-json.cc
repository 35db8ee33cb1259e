/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-schedule-json.h"

#include "gridftp-json-reader.h"
#include "gridftp-text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

bool
IsScalar(const JsonValue& value)
{
    return value.kind != JsonKind::ARRAY && value.kind != JsonKind::OBJECT;
}

/** @return a value as a cell; of lists and objects nothing */
std::string
ShowCell(const JsonValue& value)
{
    std::string cell = value.kind == JsonKind::BOOLEAN ? (value.flag ? "true" : "false")
                                                       : (IsScalar(value) ? value.text : "");
    std::ranges::replace_if(
        cell,
        [](char c) { return c == '\t' || c == '\n' || c == '\r' || c == '"'; },
        ' ');
    return cell;
}

/** Adds a line. @param cells of it */
void
AddLine(std::string& text, const std::vector<std::string>& cells)
{
    for (size_t i = 0; i < cells.size(); ++i)
    {
        text += (i > 0 ? "\t" : "") + cells[i];
    }
    text += "\n";
}

/** @return whether a value is a list of objects, or of lists */
bool
IsListOfRows(const JsonValue& value)
{
    return value.kind == JsonKind::ARRAY && !value.items.empty() &&
           std::ranges::none_of(value.items, IsScalar);
}

/** @return whether an object has nothing but lists of one length that are columns */
bool
HasColumns(const JsonValue& value)
{
    const auto isColumn = [&value](const JsonValue& each) {
        return each.kind == JsonKind::ARRAY && !each.items.empty() &&
               each.items.size() == value.items.front().items.size() &&
               std::ranges::all_of(each.items, IsScalar);
    };
    return value.kind == JsonKind::OBJECT && value.items.size() > 1 &&
           std::ranges::all_of(value.items, isColumn);
}

/** Finds the lists of rows in a value. */
void
FindLists(const JsonValue& value, std::vector<const JsonValue*>& found)
{
    if (IsListOfRows(value) || HasColumns(value))
    {
        found.push_back(&value);
    }
    else if (value.kind == JsonKind::OBJECT)
    {
        for (const auto& each : value.items)
        {
            FindLists(each, found);
        }
    }
}

/** @return the table of a list of rows, or of columns */
JsonTable
MakeTable(const JsonValue& value)
{
    JsonTable made;
    std::vector<std::string> cells;
    if (HasColumns(value))
    {
        made.hasNames = true;
        AddLine(made.text, value.keys);
        for (size_t row = 0; row < value.items.front().items.size(); ++row)
        {
            cells.clear();
            for (const auto& column : value.items)
            {
                cells.push_back(ShowCell(column.items[row]));
            }
            AddLine(made.text, cells);
        }
        return made;
    }
    const JsonValue& first = value.items.front();
    made.hasNames = first.kind == JsonKind::OBJECT;
    if (made.hasNames)
    {
        AddLine(made.text, first.keys);
    }
    for (const auto& row : value.items)
    {
        cells.clear();
        for (size_t i = 0; i < (made.hasNames ? first.keys.size() : row.items.size()); ++i)
        {
            const bool isSame =
                !made.hasNames || (i < row.keys.size() && row.keys[i] == first.keys[i]);
            const size_t at = isSame
                                  ? i
                                  : static_cast<size_t>(std::ranges::find(row.keys, first.keys[i]) -
                                                        row.keys.begin());
            cells.push_back(at < row.items.size() ? ShowCell(row.items[at]) : "");
        }
        AddLine(made.text, cells);
    }
    return made;
}

/** @return the objects of a text that has one in each line, as a list; or what is wrong */
Expected<JsonValue>
ParseLines(std::string_view content)
{
    JsonValue list;
    list.kind = JsonKind::ARRAY;
    for (size_t number = 1; !content.empty(); ++number)
    {
        const size_t end = std::min(content.find('\n'), content.size());
        const auto line = Trim(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
        if (line.empty())
        {
            continue;
        }
        auto value = ParseJson(line);
        if (!value)
        {
            return Error{"line " + std::to_string(number) + ": is not JSON, " +
                         value.GetError().message};
        }
        list.items.push_back(std::move(*value));
    }
    return list;
}

} // namespace

bool
IsJsonTable(std::string_view content)
{
    const size_t begin = content.find_first_not_of(" \t\r\n");
    if (begin == content.npos)
    {
        return false;
    }
    content.remove_prefix(begin);
    const size_t next = content.find_first_not_of(" \t\r\n", 1);
    const auto follows = [&](std::string_view characters) {
        return next == content.npos || characters.find(content[next]) != characters.npos;
    };
    return content.front() == '{' ? follows("\"}")
                                  : content.front() == '[' && follows("[{]\"0123456789-");
}

Expected<JsonTable>
MakeJsonTable(std::string_view content)
{
    const std::string allowed =
        "; allowed: a list with a time and a rate in each item, [{\"time\": 0, \"rate\": 5}, ...]";
    auto value = ParseJson(content);
    const auto first = Trim(content.substr(0, std::min(content.find('\n'), content.size())));
    if (!value && ParseJson(first))
    {
        value = ParseLines(content);
        if (!value)
        {
            return value.GetError();
        }
    }
    if (!value)
    {
        return Error{"is not JSON, " + value.GetError().message};
    }
    std::vector<const JsonValue*> found;
    FindLists(*value, found);
    if (found.size() != 1)
    {
        return Error{"is JSON with " + std::to_string(found.size()) + " lists of objects or lists" +
                     allowed};
    }
    return MakeTable(*found.front());
}

} // namespace ns3::gridftp
