/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-cost.h"

#include <fstream>
#include <string>
#include <sys/resource.h>

namespace ns3::gridftp
{

namespace
{
constexpr uint64_t KIBI = 1024;
} // namespace

uint64_t
GetPeakRssBytes()
{
    // getrusage() also counts what the process was before exec()
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word)
    {
        if (uint64_t size = 0; word == "VmHWM:" && status >> size)
        {
            return size * KIBI;
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * KIBI;
}

} // namespace ns3::gridftp
