/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FAULT_DRAW_H
#define GRIDFTP_FAULT_DRAW_H

#include "gridftp-core-draw.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Random transfers with random faults, as command lines: what fails is replayed with one command.
 */

namespace ns3::gridftp
{

/// Words of a command line.
using Words = std::vector<std::string>;

/// What a drawn transfer is like.
struct FaultyTransfer
{
    Words words;                   //!< all of it but for the faults
    Words faults;                  //!< "--fault=..." each
    int64_t bandwidthBps{0};       //!< of the bottleneck
    bool thirdParty{false};        //!< both ends are servers
    bool upload{false};            //!< the client sends
    uint64_t stripes[2]{1, 1};     //!< that send, that receive
    bool hasDisk[2]{false, false}; //!< the end that sends, that receives, has one
    bool loses{false};             //!< packets are lost

    /// @return what the bottleneck carries between two restart markers, bytes; one of which a line
    /// is lost comes an RTO or two later
    uint64_t GetMostPastMarker() const
    {
        const int64_t seconds = loses ? 6 : 5;
        return static_cast<uint64_t>(bandwidthBps / 8 * seconds);
    }

    /// @return as one would type it
    std::string GetCommand() const
    {
        std::string text = "gridftp-transfer";
        for (const auto* list : {&words, &faults})
        {
            for (const auto& word : *list)
            {
                text += " " + word;
            }
        }
        return text;
    }
};

/**
 * @param draw random draws
 * @param made what it is of
 * @return a fault of it, "--fault=..."
 */
inline std::string
DrawFault(Draw& draw, const FaultyTransfer& made)
{
    std::string kind = draw.Of({"control-reset",
                                "server-dies",
                                "server-silent",
                                "dtp-dies",
                                "data-reset",
                                "link-down",
                                "disk-stall"});
    const bool isOfData = kind == "dtp-dies" || kind == "data-reset" || kind == "disk-stall";
    const bool isFirst = draw.Below(2) == 0 || (!isOfData && !made.thirdParty);
    const bool receives = made.thirdParty ? isFirst : isFirst == (made.upload);
    const char* const third = isFirst ? "receiver" : "sender";
    const char* const other = isFirst ? "server" : "client";
    if (kind == "disk-stall" && !made.hasDisk[receives ? 1 : 0])
    {
        kind = "data-reset";
    }
    std::string text = "--fault=kind=" + kind;
    text += std::string(",server=") + (made.thirdParty ? third : other);
    text += ",at=" + std::to_string(draw.Between(1, draw.Below(2) == 0 ? 3000 : 30000)) + "ms";
    text += ",for=" + draw.Of({"0s", "1s", "3s", "7s", "30s", "100s"});
    if (isOfData)
    {
        text += ",stripe=" + std::to_string(draw.Below(made.stripes[receives ? 1 : 0]));
        text += ",connection=" + std::to_string(draw.Below(3));
    }
    return text;
}

/**
 * @param draw random numbers
 * @param made a transfer without faults
 * @return a fault of a middlebox, "--fault=..."
 */
inline std::string
DrawMiddleboxFault(Draw& draw, const FaultyTransfer& made)
{
    const std::string kind = draw.Of(
        {"control-cut", "control-cut", "reply-lost", "foreign-connection", "mtu-black-hole"});
    const bool isFirst = draw.Below(2) == 0;
    const std::string third = isFirst || kind == "foreign-connection" ? "receiver" : "sender";
    const bool isClient = kind == "foreign-connection" && !made.upload;
    std::string text = "--fault=kind=" + kind;
    text += ",server=" + (made.thirdParty ? third : isClient ? "client" : "server");
    text += ",at=" + std::to_string(draw.Between(1, draw.Below(2) == 0 ? 3000 : 30000)) + "ms";
    text += ",for=" + draw.Of({"0s", "1s", "3s", "7s", "30s", "100s"});
    if (kind == "control-cut")
    {
        text += ",idle=" + draw.Of({"2s", "4s", "10s"});
    }
    if (kind == "mtu-black-hole")
    {
        text += ",mtu=" + draw.Of({"100B", "576B", "1400B", "1499B"});
    }
    if (kind == "foreign-connection")
    {
        text += ",stripe=" + std::to_string(draw.Below(made.stripes[1]));
    }
    return text;
}

/**
 * @param draw random draws
 * @param megabytes the least of three sizes of the file
 * @return a transfer with faults
 */
inline FaultyTransfer
DrawFaultyTransfer(Draw& draw, int64_t megabytes)
{
    FaultyTransfer made;
    const std::string direction = draw.Of({"upload", "download", "third-party"});
    made.thirdParty = direction == "third-party";
    made.upload = direction == "upload";
    const std::string stripes = draw.Of({"1x1", "1x1", "1x1", "1x2", "2x1", "2x2", "2x3"});
    made.stripes[0] = static_cast<uint64_t>(stripes[0] - '0');
    made.stripes[1] = static_cast<uint64_t>(stripes[2] - '0');
    const int64_t mbps = std::stoll(draw.Of({"10", "20", "50"}));
    made.bandwidthBps = mbps * 1'000'000;
    const auto add = [&made](const std::string& name, const std::string& value) {
        made.words.push_back("--" + name + "=" + value);
    };
    add("direction", direction);
    add("stripes", stripes);
    add("bandwidth", std::to_string(mbps) + "Mbps");
    add("delay", draw.Of({"1ms", "10ms", "40ms"}));
    add("file-size", std::to_string(megabytes * draw.Between(1, 3)) + "MB");
    add("chunk-size", std::to_string(megabytes * draw.Between(1, 3)) + "MB");
    add("data-channels", draw.Of({"fresh", "cached"}));
    add("layout", draw.Of({"dynamic", "static"}));
    add("stripe-layout", draw.Of({"blocked", "partitioned"}));
    add("retries", draw.Of({"0", "2", "5", "30"}));
    add("retry-wait", draw.Of({"100ms", "1s", "5s"}));
    add("stall-timeout", draw.Of({"10s", "20s"}));
    const std::string loss = draw.Of({"0", "0", "0.001"});
    add("random-loss", loss);
    made.loses = loss != "0";
    add("run", std::to_string(draw.Between(1, 1000)));
    add("mode", stripes == "1x1" ? draw.Of({"mi", "aimd", "fixed"}) : "fixed");
    for (const bool receives : {false, true})
    {
        made.hasDisk[receives ? 1 : 0] = draw.Below(3) == 0;
        if (made.hasDisk[receives ? 1 : 0])
        {
            const std::string end = receives ? "sink" : "source";
            add(end, "disk");
            add(end + "-rate", draw.Of({"50Mbps", "200Mbps"}));
            add(end + "-latency", "1ms");
            add(end + "-open", "3ms");
            add(end + "-contention", "70us");
        }
    }
    const uint64_t count = 1 + draw.Below(4);
    for (uint64_t i = 0; i < count; ++i)
    {
        made.faults.push_back(DrawFault(draw, made));
    }
    return made;
}

/**
 * @param draw random numbers
 * @return a transfer with faults of middleboxes, and a client that may send NOOP or give up where
 * it is too slow
 */
inline FaultyTransfer
DrawMiddleboxTransfer(Draw& draw)
{
    FaultyTransfer made = DrawFaultyTransfer(draw, 3);
    made.faults.clear();
    // Striped connections close at times that differ by some ns, see doc/gridftp.rst
    std::ranges::replace_if(
        made.words,
        [](const std::string& word) { return word.starts_with("--stripes="); },
        "--stripes=1x1");
    made.stripes[0] = made.stripes[1] = 1;
    made.words.push_back("--keepalive=" + draw.Of({"0s", "0s", "1s", "3s"}));
    made.words.push_back("--min-rate=" + draw.Of({"0bps", "0bps", "1Mbps"}));
    made.words.push_back("--min-rate-period=10s");
    const uint64_t count = 1 + draw.Below(3);
    for (uint64_t i = 0; i < count; ++i)
    {
        made.faults.push_back(DrawMiddleboxFault(draw, made));
    }
    return made;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_FAULT_DRAW_H
