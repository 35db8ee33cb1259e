/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENGINES_DIRECTIONS_H
#define GRIDFTP_ENGINES_DIRECTIONS_H

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"

#include "ns3/gridftp-congestion-control.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * Random paths whose two directions differ, and random sessions on them, for tests of both engines.
 */

namespace ns3::gridftp
{

/// @param draw random numbers @return a path, with the options of TCP
inline Members
DrawPath(Draw& draw)
{
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("reverse-bandwidth", draw.Of({"256kbps", "1Mbps", "10Mbps", "99Mbps"}));
    made.Add("delay", draw.Of({"1ms", "7ms", "50ms"}));
    made.Add("reverse-delay", draw.Of({"0ms", "1ms", "7ms", "100ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "100p", "400p"}));
    made.Add("reverse-queue", draw.Of({"3p", "20p", "100p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.01"}));
    made.Add("reverse-random-loss", draw.Of({"0", "0", "0.001", "0.02"}));
    made.Add("queue-discipline", draw.Of({"drop-tail", "drop-tail", "red"}));
    made.Add("reverse-queue-discipline", draw.Of({"same", "drop-tail", "red"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random numbers @param made gets the options of a session
inline void
AddTransfer(Draw& draw, Members& made)
{
    const int64_t size = draw.Between(1, 3'000'000);
    made.Add("direction", draw.Of({"upload", "download"}));
    if (draw.Below(3) == 0)
    {
        made.Add("mode", "fixed");
        made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    }
    else
    {
        made.Add("mode", draw.Of({"mi", "mi-plus", "aimd"}));
        made.Add("eta", draw.Of({"0.3", "0.8"}));
        made.Add("max-parallelism", "16");
    }
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(size / draw.Between(1, 3) + 1) + "B");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("window", draw.Of({"16KiB", "64KiB", "256KiB", "1MiB"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_ENGINES_DIRECTIONS_H
