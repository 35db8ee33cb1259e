/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STORAGE_DRAW_H
#define GRIDFTP_STORAGE_DRAW_H

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"

#include "ns3/gridftp-storage-kind.h"
#include "ns3/gridftp-text.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * What one end reads from or writes to: slower than the network, or faster. Times to the
 * nanosecond, so that it hardly ever ends in the one in which another connection's packet comes.
 * @param draw random draws
 * @param made the members, to which it is added
 * @param end source or sink
 * @param hasDepth whether blocks may be under way besides each other, as those of GridFTP
 */
inline void
DrawStorage(Draw& draw, Members& made, const std::string& end, bool hasDepth = true)
{
    const auto rate = [&draw] {
        const int64_t most = int64_t{1} << draw.Between(19, 34);
        return std::to_string(draw.Between(most / 2, most)) + "bps";
    };
    const auto time = [&draw] {
        return std::to_string(draw.Between(0, int64_t{1} << draw.Between(0, 25))) + "ns";
    };
    made.Add(end, std::string(draw.Of(NamesOf(GetStorageKinds()))));
    made.Add(end + "-rate", rate());
    made.Add(end + "-total-rate", rate());
    made.Add(end + "-total-seek", "70us");
    made.Add(end + "-latency", time());
    made.Add(end + "-seek", time());
    if (hasDepth)
    {
        made.Add(end + "-depth", std::to_string(draw.Between(1, 4)));
    }
    const auto bytes = [&draw] {
        return std::to_string(draw.Between(0, int64_t{1} << draw.Between(0, 20))) + "B";
    };
    made.Add(end + "-open", time());
    made.Add(end + "-contention", time());
    made.Add(end + "-memory-rate", rate());
    made.Add(end + "-dirty", bytes());
    made.Add(end + "-cached", bytes());
    made.Add(end + "-read-ahead", bytes());
    made.Add(end + "-rpc", std::to_string(draw.Between(500, 40'000)) + "B");
    made.Add(end + "-slots", std::to_string(draw.Between(1, 20)));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_STORAGE_DRAW_H
