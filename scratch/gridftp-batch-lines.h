/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BATCH_LINES_H
#define GRIDFTP_BATCH_LINES_H

#include "gridftp-expected.h"
#include "gridftp-option.h"

#include <fstream>
#include <functional>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * With --batch, what is simulated stands in the batch alone.
 * @param arguments of the command line
 * @return nothing, or which argument is too much
 */
inline Done
CheckBatchArguments(std::span<const std::string_view> arguments)
{
    for (const auto argument : arguments)
    {
        if (!argument.starts_with("--batch=") && argument != "--json" && argument != "--resolve" &&
            !argument.starts_with("--progress=") && !argument.starts_with("--fast-forward="))
        {
            return Error{Printable(argument) +
                         " is not allowed with --batch; allowed: in the lines of the batch"};
        }
    }
    return std::monostate{};
}

/**
 * @ingroup gridftp
 * Calls a function with each line of a batch that is not empty.
 * @param arguments of the command line, see CheckBatchArguments()
 * @param batch a file, or "-" for standard input
 * @param answer gets the number of the line, from 1, and the line
 * @return nothing, or that an argument is too much or the file cannot be read
 */
inline Done
ForEachLine(std::span<const std::string_view> arguments,
            const std::string& batch,
            const std::function<void(size_t, const std::string&)>& answer)
{
    if (const auto checked = CheckBatchArguments(arguments); !checked)
    {
        return checked;
    }
    std::ifstream file;
    if (batch != "-")
    {
        file.open(batch);
        if (!file || file.peek() == std::ifstream::traits_type::eof())
        {
            return Error{Printable("--batch=" + batch) +
                         " cannot be read or is empty; allowed: a file of JSON lines, or -"};
        }
    }
    std::istream& lines = batch == "-" ? std::cin : file;
    std::string line;
    for (size_t number = 1; std::getline(lines, line); ++number)
    {
        if (!line.empty() && line != "\r")
        {
            answer(number, line);
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp

#endif // GRIDFTP_BATCH_LINES_H
