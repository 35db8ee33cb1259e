/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-shell-line.h"

#include <string_view>

namespace ns3::gridftp
{

namespace
{

/** What no shell reads as anything but itself, wherever it stands in a word. */
constexpr std::string_view PLAIN = "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789%+,-./:=@_";

/** @param word of a command line @return it as a shell reads it */
std::string
Quoted(std::string_view word)
{
    if (!word.empty() && word.find_first_not_of(PLAIN) == std::string_view::npos)
    {
        return std::string{word};
    }
    std::string quoted = "'";
    for (const char c : word)
    {
        // Within single quotes nothing stands for a single quote.
        quoted += c == '\'' ? std::string{R"('"'"')"} : std::string{c};
    }
    return quoted + "'";
}

} // namespace

std::string
ShellLine(std::span<const char* const> words)
{
    std::string line;
    for (const char* word : words)
    {
        line += (line.empty() ? "" : " ") + Quoted(word);
    }
    return line;
}

} // namespace ns3::gridftp
