/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-protection-text.h"

namespace ns3::gridftp
{

namespace
{

/** The levels that there are, in the order of Protection; E is none of them. */
constexpr std::string_view LEVELS = "CSP";

} // namespace

std::string
FormatProtection(Protection protection)
{
    return std::string(1, LEVELS[static_cast<size_t>(protection)]);
}

TextResult<Protection>
ParseProtection(std::string_view argument)
{
    if (EqualNoCase(argument, "E"))
    {
        return MakeTextError(536, "Protection", argument, "not supported, only C, S and P.");
    }
    const auto level = ParseLetter(argument, LEVELS);
    if (!level)
    {
        return level.GetError();
    }
    return static_cast<Protection>(LEVELS.find(*level));
}

TextResult<uint32_t>
ParseProtectionBuffer(std::string_view argument)
{
    const auto bytes = ParseNumber(argument, UINT32_MAX);
    return bytes ? TextResult<uint32_t>(static_cast<uint32_t>(*bytes)) : bytes.GetError();
}

} // namespace ns3::gridftp
