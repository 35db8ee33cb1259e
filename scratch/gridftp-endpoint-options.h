/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENDPOINT_OPTIONS_H
#define GRIDFTP_ENDPOINT_OPTIONS_H

#include "gridftp-expected.h"
#include "gridftp-option-table.h"
#include "gridftp-option.h"
#include "gridftp-text-file.h"
#include "gridftp-text.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Command lines of gridftp-client and gridftp-server: words, options of their own, and some options
 * of gridftp-transfer, which mean the same on real sockets.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A command line in parts. */
struct EndpointArguments
{
    std::vector<std::string_view> words;    //!< that are no options
    std::vector<std::string_view> own;      //!< options of the program
    std::vector<std::string_view> transfer; //!< options of gridftp-transfer
};

/** @param argument "--name=VALUE" or "--name" @return name */
inline std::string_view
GetOptionName(std::string_view argument)
{
    return argument.substr(2, argument.find('=') - 2);
}

/** @ingroup gridftp @param arguments of the program @param borrowed names of options of
 * gridftp-transfer that it accepts @return the parts; unknown options count as the program's own */
inline EndpointArguments
SplitArguments(std::span<const std::string_view> arguments,
               std::span<const std::string_view> borrowed)
{
    EndpointArguments parts;
    for (const std::string_view argument : arguments)
    {
        if (!argument.starts_with("--"))
        {
            parts.words.push_back(argument);
        }
        else if (std::ranges::find(borrowed, GetOptionName(argument)) != borrowed.end())
        {
            parts.transfer.push_back(argument);
        }
        else
        {
            parts.own.push_back(argument);
        }
    }
    return parts;
}

/** @ingroup gridftp @param arguments of a program @param name of an option @return whether it is
 * given */
inline bool
IsOptionGiven(std::span<const std::string_view> arguments, std::string_view name)
{
    return std::ranges::any_of(arguments, [name](std::string_view argument) {
        return GetOptionName(argument) == name;
    });
}

/** @ingroup gridftp Reads the borrowed options. Hosts are those of Linux: buffers are auto-tuned
 * unless --window is given. @param arguments options of gridftp-transfer @return a scenario with
 * one session, or what is wrong */
inline Expected<Scenario>
ParseBorrowed(std::span<const std::string_view> arguments)
{
    std::vector<std::string_view> all{"--stack=linux"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    auto request = ParseTransfer(all, &ReadTextFile);
    if (!request)
    {
        return request.GetError();
    }
    return std::move(request->scenario);
}

/** @ingroup gridftp @param own rows of the program @param borrowed names of options of
 * gridftp-transfer @return rows of both, for --help */
inline std::vector<Option>
JoinEndpointRows(const std::vector<Option>& own, std::span<const std::string_view> borrowed)
{
    std::vector<Option> all = own;
    for (const std::string_view name : borrowed)
    {
        all.push_back(GetOption(name));
        all.back().engines = "";
        if (name == "tcp" || name == "window")
        {
            all.back().defaultText = "as the kernel has it";
        }
        if (name == "tcp")
        {
            all.back().placeholder = "NAME";
            all.back().help = "congestion control that the kernel has loaded: cubic, reno, bbr";
        }
    }
    return all;
}

/** @ingroup gridftp @param rows of a program @return the lines of its --help about options */
inline std::string
DescribeOptions(const std::vector<Option>& rows)
{
    constexpr std::string_view HEADING = "Output:";
    std::string text = OptionsHelp(rows);
    const size_t place = text.find(HEADING);
    return place == std::string::npos ? text : text.replace(place, HEADING.size(), "This program:");
}

/** @ingroup gridftp @param name of the option @param kind of its value @param placeholder of its
 * value in --help @param help one line @param binding of it @return a row of a program */
inline Option
MakeEndpointRow(std::string_view name,
                OptionKind kind,
                std::string_view placeholder,
                std::string_view help,
                OptionBinding binding)
{
    Option row;
    row.name = name;
    row.key = name;
    row.kind = kind;
    row.scope = OptionScope::OUTPUT;
    row.placeholder = placeholder;
    row.help = help;
    row.binding = std::move(binding);
    return row;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_ENDPOINT_OPTIONS_H
