/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-topology-file.h"

#include "gridftp-option-table.h"
#include "gridftp-text.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** @return the names of the options that may stand in the file */
std::vector<std::string_view>
ListPathOptions()
{
    std::vector<std::string_view> names;
    for (const auto& option : GetOptionTable())
    {
        if (option.scope == OptionScope::PATH)
        {
            names.push_back(option.name);
        }
    }
    return names;
}

/** What is wrong with a word that is no option of the network. */
Error
MakeUnknown(std::string_view word)
{
    const auto names = ListPathOptions();
    const auto nearest = NearestWord(word, names);
    return Error{"'" + Printable(word) + "' is unknown; " +
                 (nearest.empty() ? "allowed: " + Join(names, ", ")
                                  : "did you mean '" + std::string(nearest) + "'?")};
}

/** Takes one "OPTION = VALUE". */
Done
TakeLine(PathSpec& path, std::string_view line, std::set<std::string_view>& seen)
{
    const size_t equals = line.find('=');
    const auto name = Trim(line.substr(0, equals));
    const auto names = ListPathOptions();
    if (std::ranges::find(names, name) == names.end())
    {
        return MakeUnknown(name);
    }
    const Option& option = GetOption(name);
    if (equals == line.npos)
    {
        return Error{"'" + Printable(name) + "' lacks a value; allowed: " + std::string(name) +
                     " = " + option.placeholder};
    }
    const auto text = Trim(line.substr(equals + 1));
    const auto shown = "'" + std::string(name) + " = " + Printable(text) + "' ";
    if (!seen.insert(option.name).second)
    {
        return Error{shown + "appears twice; allowed: once"};
    }
    const auto value = option.Parse(text);
    if (!value)
    {
        return Error{shown + Printable(value.GetError().message) +
                     "; allowed: " + option.DescribeAllowed()};
    }
    if (&option == &GetOption("topology") && IsFileName(text))
    {
        return Error{shown + "is another file; allowed: " + Join(option.choices, ", ")};
    }
    option.binding.set(&path, *value);
    return std::monostate{};
}

} // namespace

Done
ReadTopology(PathSpec& path, std::string_view name, const FileReader& read)
{
    if (!IsFileName(name))
    {
        return std::monostate{};
    }
    const Option& option = GetOption("topology");
    const std::string shown = "--topology=" + Printable(name);
    const auto content =
        read ? read(std::string(name))
             : Expected<std::string>(Error{"cannot be read here, without access to files"});
    if (!content)
    {
        return Error{shown + " " + content.GetError().message +
                     "; allowed: " + option.DescribeAllowed()};
    }
    std::string_view rest = *content;
    std::set<std::string_view> seen;
    for (size_t number = 1; !rest.empty(); ++number)
    {
        const size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        line = Trim(line.substr(0, line.find('#')));
        if (line.empty())
        {
            continue;
        }
        if (auto done = TakeLine(path, line, seen); !done)
        {
            return Error{shown + " line " + std::to_string(number) + ": " +
                         done.GetError().message};
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
