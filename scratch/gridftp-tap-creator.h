/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TAP_CREATOR_H
#define GRIDFTP_TAP_CREATOR_H

#include "ns3/tap-bridge.h"

#include <cstdarg>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Where TapBridge finds the program that makes its taps.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @param built path of a program where ns-3 was built
 * @return the same, or, where an ns-3 was installed and there is no such file any more, its place
 *         beside the libraries
 */
inline std::filesystem::path
FindTapCreator(const std::filesystem::path& built)
{
    std::error_code failure;
    Dl_info library{};
    if (std::filesystem::exists(built, failure) ||
        dladdr(reinterpret_cast<const void*>(&TapBridge::GetTypeId), &library) == 0)
    {
        return built;
    }
    const auto folder = std::filesystem::path(library.dli_fname).parent_path();
    return folder.parent_path() / "libexec/ns3" / built.filename();
}

} // namespace ns3::gridftp

/**
 * Stands in for libc's function of that name, which TapBridge calls with a path of the machine on
 * which ns-3 was built: nothing else can tell it another one, and a wheel has moved.
 * @param file the program
 * @param argument its name, more of them, and a null pointer
 * @return -1: it cannot be started
 */
extern "C" int
execlp(const char* file, const char* argument, ...) noexcept
{
    std::vector<char*> arguments;
    va_list more;
    va_start(more, argument);
    for (const char* next = argument; next; next = va_arg(more, const char*))
    {
        arguments.push_back(const_cast<char*>(next));
    }
    va_end(more);
    arguments.push_back(nullptr);
    const auto found = ns3::gridftp::FindTapCreator(file);
    // The wheel's one does not know where its libraries are.
    const auto libraries = found.parent_path().parent_path().parent_path() / "lib64";
    setenv("LD_LIBRARY_PATH", libraries.c_str(), 0);
    return execv(found.c_str(), arguments.data());
}

#endif // GRIDFTP_TAP_CREATOR_H
