/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-served-path.h"

#include "gridftp-control-text.h"
#include "gridftp-stored-file.h"

#include <cstddef>

namespace ns3::gridftp
{

namespace
{

constexpr size_t LONGEST_PATH = 4096;     // bytes; PATH_MAX of Linux
constexpr size_t LONGEST_COMPONENT = 255; // bytes; NAME_MAX of Linux

/// @param component of a path @return what is wrong with it; empty: nothing
std::string_view
FindFault(std::string_view component)
{
    if (component == "..")
    {
        return "'..' is not allowed.";
    }
    if (component.size() > LONGEST_COMPONENT)
    {
        return "A name has at most 255 bytes.";
    }
    if (StoredFile::IsTemporaryName(component))
    {
        return "The name is reserved for uploads in progress.";
    }
    return {};
}

/// @param component of a path @return whether it names the folder before it
bool
IsSelf(std::string_view component)
{
    return component.empty() || component == ".";
}

} // namespace

Expected<ServedPath>
ParseServedPath(std::string_view path)
{
    if (path.size() > LONGEST_PATH)
    {
        return Error{"A path has at most 4096 bytes."};
    }
    if (!IsLineText(path))
    {
        return Error{"A path has no control characters."};
    }
    ServedPath parsed;
    for (std::string_view rest = path; !rest.empty();)
    {
        const std::string_view component = TakeUntil(rest, '/');
        if (const auto fault = FindFault(component); !fault.empty())
        {
            return Error{std::string(fault)};
        }
        if (IsSelf(component))
        {
            continue;
        }
        if (!parsed.name.empty())
        {
            parsed.folder = parsed.folder == "." ? parsed.name : parsed.folder + "/" + parsed.name;
        }
        parsed.name = component;
    }
    if (IsSelf(path.substr(path.rfind('/') + 1))) // npos + 1 is 0
    {
        return Error{"The name of a file is missing."};
    }
    return parsed;
}

} // namespace ns3::gridftp
