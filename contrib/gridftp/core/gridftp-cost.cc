/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-cost.h"

#include <sys/resource.h>

namespace ns3::gridftp
{

uint64_t
GetPeakRssBytes()
{
    constexpr uint64_t KIBI = 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<uint64_t>(usage.ru_maxrss) * KIBI;
}

} // namespace ns3::gridftp
