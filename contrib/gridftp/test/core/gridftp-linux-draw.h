/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_DRAW_H
#define GRIDFTP_LINUX_DRAW_H

#include "gridftp-core-draw.h"
#include "gridftp-fault-draw.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * Random transfers between Linux hosts (--stack=linux), as command lines.
 */

namespace ns3::gridftp
{

/// A plain upload over one bottleneck that may lose packets at random.
struct LossyTransfer
{
    static constexpr double PACKET = 1500; //!< IP packet of a full segment, bytes

    Words words;           //!< all of it
    double rateBps{0};     //!< of the bottleneck
    double rttS{0};        //!< round-trip time without queues
    double loss{0};        //!< random loss
    double window{0};      //!< fixed receive buffer, bytes; 0: the kernel's own
    double connections{1}; //!< N
    double bytes{0};       //!< of the file
    double queue{0};       //!< packets

    /// @return whether path and queue have room for four packets of each connection: with less,
    /// most SYNs are lost, and a transfer waits for its last connection
    bool HasRoom() const
    {
        return rateBps * rttS / 8 / PACKET + queue >= 4 * connections;
    }

    /// @param lossRate share of packets lost @return bit/s that the least of bottleneck, window and
    /// Mathis' formula (MSS/RTT sqrt(3/2)/sqrt(p), Mathis et al. 1997) allows N connections
    double GetBoundBps(double lossRate) const
    {
        constexpr double BITS = 8;
        constexpr double MSS = 1448; // with timestamps
        double bound = rateBps * MSS / PACKET;
        if (window > 0)
        {
            bound = std::min(bound, connections * window * BITS / rttS);
        }
        if (lossRate > 0)
        {
            bound = std::min(bound, connections * MSS * BITS / rttS * std::sqrt(1.5 / lossRate));
        }
        return bound;
    }
};

/// @param words of a command line @param name of an option @param value of it
inline void
AddWord(Words& words, const std::string& name, const std::string& value)
{
    words.push_back("--" + name + "=" + value);
}

/// Adds options of the Linux stack. @param draw random numbers @param words of a command line
inline void
DrawLinuxStack(Draw& draw, Words& words)
{
    AddWord(words, "stack", "linux");
    AddWord(words, "tcp", draw.Of({"reno", "cubic", "cubic", "bbr", "bbr3"}));
    AddWord(words, "hystart", draw.Of({"on", "on", "plus", "off"}));
    AddWord(words, "pacing", draw.Of({"auto", "auto", "fq"}));
    AddWord(words, "delayed-ack", draw.Of({"1", "2", "2"}));
    AddWord(words, "run", std::to_string(draw.Between(1, 1000)));
    if (draw.Below(3) == 0)
    {
        AddWord(words, "initial-window", draw.Of({"1", "2", "10", "32"}));
    }
}

/**
 * @param draw random numbers
 * @return a plain upload whose file takes some 30 round trips at GetBoundBps()
 */
inline LossyTransfer
DrawLossyTransfer(Draw& draw)
{
    constexpr double ACCESS_DELAYS_S = 40e-6; // four, of 10 us each
    constexpr double LEAST_BYTES = 2e5;       // of a connection
    constexpr double MOST_BYTES = 30e6;
    LossyTransfer made;
    DrawLinuxStack(draw, made.words);
    const std::string mbps = draw.Of({"1", "5", "20", "100", "300", "1000"});
    const std::string delayMs = draw.Of({"0.05", "1", "5", "20", "50", "100", "300"});
    const std::string loss = draw.Of({"0", "0.0001", "0.001", "0.01", "0.03", "0.05"});
    const std::string connections = draw.Of({"1", "1", "2", "4", "8", "16", "32"});
    const std::string window = draw.Of({"0", "0", "16", "64", "256", "1024", "16384"});
    made.rateBps = std::stod(mbps) * 1e6;
    made.rttS =
        2e-3 * std::stod(delayMs) + ACCESS_DELAYS_S + 8 * LossyTransfer::PACKET / made.rateBps;
    made.loss = std::stod(loss);
    made.connections = std::stod(connections);
    made.window = std::stod(window) * 1024;
    AddWord(made.words, "bandwidth", mbps + "Mbps");
    AddWord(made.words, "delay", delayMs + "ms");
    AddWord(made.words, "random-loss", loss);
    AddWord(made.words, "queue", draw.Of({"3p", "10p", "50p", "200p", "1000p"}));
    AddWord(made.words,
            "queue-discipline",
            draw.Of({"drop-tail", "drop-tail", "drop-tail", "red"}));
    AddWord(made.words, "mode", "fixed");
    AddWord(made.words, "parallelism", connections);
    // Each carries its part: a large send buffer of one would take the whole file otherwise
    AddWord(made.words, "layout", "static");
    if (made.window > 0)
    {
        AddWord(made.words, "window", window + "KiB");
    }
    if (draw.Below(8) == 0)
    {
        const double rate = std::stod(draw.Of({"2", "10", "50"}));
        AddWord(made.words, "pacing-rate", std::to_string(static_cast<int64_t>(rate)) + "Mbps");
        made.rateBps = std::min(made.rateBps, made.connections * rate * 1e6);
    }
    const double seconds = std::max(30 * made.rttS, 1.0);
    made.bytes = std::clamp(made.GetBoundBps(made.loss) / 8 * seconds,
                            made.connections * LEAST_BYTES,
                            MOST_BYTES);
    const auto kilobytes = static_cast<int64_t>(made.bytes / 1000);
    AddWord(made.words, "file-size", std::to_string(kilobytes) + "KB");
    AddWord(made.words, "chunk-size", std::to_string(kilobytes) + "KB");
    return made;
}

/// @param draw random numbers @return a further session, or what competes, "--session=..."
inline std::string
DrawCompany(Draw& draw)
{
    switch (draw.Below(4))
    {
    case 0:
        return "--session=parallelism=2,mode=fixed,file-size=3MB,chunk-size=1MB,start=" +
               draw.Of({"0s", "0.3s", "2s"}) + ",tcp=" + draw.Of({"reno", "cubic", "bbr"}) +
               ",direction=" + draw.Of({"upload", "download", "third-party"});
    case 1:
        return "--background=tcp=" + draw.Of({"reno", "cubic", "bbr", "bbr3"}) +
               ",direction=" + draw.Of({"upload", "download"}) + ",start=" + draw.Of({"0s", "1s"}) +
               ",stop=" + draw.Of({"3s", "60s"});
    case 2:
        return "--session=tool=bbftp,buffers=fixed,file-sizes=fixed,start-jitter=0ms,tool-"
               "streams=" +
               draw.Of({"1", "4"}) +
               ",file-size=2MB,mode=fixed,stripes=1x1,retries=0,keepalive=0s,stall-timeout=600s,"
               "data-channels=fresh,files=1,pipelining=1,direction=" +
               draw.Of({"upload", "download"});
    default:
        return "--arrivals=count=3,interval=" + draw.Of({"0.1s", "1s"}) +
               ",file-size=1MB,chunk-size=1MB,mode=fixed,parallelism=" + draw.Of({"1", "3"});
    }
}

/// Adds what a path may do to packets. @param draw random numbers @param words of a command line
inline void
DrawLinuxPath(Draw& draw, Words& words)
{
    AddWord(words, "bandwidth", draw.Of({"1Mbps", "10Mbps", "50Mbps", "200Mbps", "1Gbps"}));
    AddWord(words, "delay", draw.Of({"0.05ms", "1ms", "10ms", "40ms", "150ms", "300ms"}));
    AddWord(words, "queue", draw.Of({"3p", "10p", "50p", "100p", "1000p"}));
    AddWord(words, "queue-discipline", draw.Of({"drop-tail", "drop-tail", "red"}));
    AddWord(words, "random-loss", draw.Of({"0", "0", "0.001", "0.01", "0.05"}));
    AddWord(words, "reverse-random-loss", draw.Of({"0", "0", "0", "0.01", "0.05"}));
    switch (draw.Below(6))
    {
    case 0:
        AddWord(words, "delay-jitter", draw.Of({"0.5ms", "5ms", "30ms"}));
        AddWord(words, "delay-jitter-order", draw.Of({"free", "fifo"}));
        break;
    case 1:
        AddWord(words, "reorder", draw.Of({"0.001", "0.05", "0.3"}));
        break;
    case 2:
        AddWord(words, "reverse-bandwidth", draw.Of({"128kbps", "1Mbps"}));
        AddWord(words, "reverse-queue", draw.Of({"3p", "50p"}));
        break;
    case 3:
        AddWord(words, "host-overhead", draw.Of({"0.05ms", "1ms"}));
        break;
    default:
        break;
    }
}

/// Adds applications that take their time. @param draw random numbers @param words of a command
/// line
inline void
DrawLinuxApplications(Draw& draw, Words& words)
{
    for (const std::string end : {"source", "sink"})
    {
        AddWord(words, end, draw.Of({"memory", "disk", "page-cache", "nfs", "parallel"}));
        AddWord(words, end + "-rate", draw.Of({"5Mbps", "50Mbps", "1Gbps"}));
        AddWord(words, end + "-total-rate", "60Mbps");
        AddWord(words, end + "-memory-rate", "1Gbps");
        AddWord(words, end + "-dirty", draw.Of({"0B", "500KB"}));
        AddWord(words, end + "-latency", draw.Of({"0ms", "1ms"}));
        AddWord(words, end + "-depth", draw.Of({"1", "2", "4"}));
    }
    switch (draw.Below(6))
    {
    case 0:
        AddWord(words, draw.Of({"read-rate", "write-rate"}), draw.Of({"2Mbps", "30Mbps"}));
        break;
    case 1:
        AddWord(words, "cpu-rate", draw.Of({"10Mbps", "100Mbps"}));
        break;
    case 2:
        AddWord(words, "send-pool", draw.Of({"4KiB", "64KiB", "1MiB"}));
        break;
    case 3:
        AddWord(words, draw.Of({"sender-call-cpu", "receiver-call-cpu"}), "0.3ms");
        break;
    case 4:
        AddWord(words, "control-security", "gsi");
        AddWord(words, "data-security", "gsi");
        break;
    default:
        break;
    }
}

/// Adds hosts whose CPUs take time. @param draw random numbers @param words of a command line
inline void
DrawLinuxHosts(Draw& draw, Words& words)
{
    for (const std::string host : {"sender", "receiver"})
    {
        AddWord(words, host + "-cores", draw.Of({"1", "2"}));
        AddWord(words, host + "-packet-cpu", draw.Of({"0.001ms", "0.01ms"}));
        AddWord(words, host + "-segment-cpu", draw.Of({"0ms", "0.005ms"}));
        AddWord(words, host + "-ack-cpu", draw.Of({"0ms", "0.005ms"}));
        AddWord(words, host + "-backlog", draw.Of({"0p", "20p", "300p"}));
        AddWord(words, host + "-interrupt-delay", draw.Of({"0ms", "0.1ms"}));
    }
}

/// Adds a session. @param draw random numbers @param made gets it
inline void
DrawLinuxSession(Draw& draw, FaultyTransfer& made)
{
    Words& words = made.words;
    const std::string direction = draw.Of({"upload", "upload", "download", "third-party"});
    made.thirdParty = direction == "third-party";
    made.upload = direction == "upload";
    const std::string stripes = draw.Of({"1x1", "1x1", "1x1", "1x1", "1x2", "2x1", "2x2"});
    made.stripes[0] = static_cast<uint64_t>(stripes[0] - '0');
    made.stripes[1] = static_cast<uint64_t>(stripes[2] - '0');
    const bool isWhole = stripes == "1x1";
    AddWord(words, "direction", direction);
    AddWord(words, "stripes", stripes);
    const std::string channels = draw.Of({"fresh", "cached"});
    AddWord(words, "data-channels", channels);
    AddWord(words, "layout", draw.Of({"dynamic", "static"}));
    const std::string mode = isWhole ? draw.Of({"fixed", "mi", "mi-plus", "aimd"}) : "fixed";
    AddWord(words, "mode", mode);
    if (mode == "fixed")
    {
        AddWord(words, "parallelism", draw.Of({"1", "2", "5", "16", "32"}));
    }
    else
    {
        AddWord(words, "max-parallelism", "32");
    }
    AddWord(words, "block-size", draw.Of({"64KiB", "256KiB", "1MiB"}));
    AddWord(words, "file-size", draw.Of({"300KB", "2MB", "6MB"}));
    AddWord(words, "chunk-size", draw.Of({"200KB", "1MB", "3MB"}));
    AddWord(words, "start-jitter", draw.Of({"0ms", "0ms", "20ms"}));
    AddWord(words, "stall-timeout", draw.Of({"10s", "60s", "600s"}));
    if (draw.Below(2) == 0)
    {
        AddWord(words, "window", draw.Of({"8KiB", "64KiB", "1MiB", "16MiB"}));
    }
    if (isWhole && draw.Below(4) == 0)
    {
        AddWord(words, "files", draw.Of({"2", "5"}));
        AddWord(words, "file-sizes", draw.Of({"fixed", "lognormal"}));
        if (mode == "fixed" && channels == "cached")
        {
            AddWord(words, "pipelining", draw.Of({"1", "3"}));
        }
        return;
    }
    AddWord(words, "keepalive", draw.Of({"0s", "0s", "2s"}));
    if (draw.Below(2) == 0)
    {
        AddWord(words, "retries", draw.Of({"3", "20"}));
        AddWord(words, "retry-wait", draw.Of({"100ms", "1s"}));
    }
}

/// @param draw random numbers @return a transfer between Linux hosts, whatever there is, with
/// faults or without
inline FaultyTransfer
DrawLinuxTransfer(Draw& draw)
{
    FaultyTransfer made;
    DrawLinuxStack(draw, made.words);
    AddWord(made.words, "pacing-rate", draw.Of({"0Mbps", "0Mbps", "0Mbps", "3Mbps", "100Mbps"}));
    DrawLinuxPath(draw, made.words);
    DrawLinuxSession(draw, made);
    const bool hasCpus = draw.Below(4) == 0;
    if (hasCpus)
    {
        DrawLinuxHosts(draw, made.words);
    }
    if (draw.Below(3) == 0)
    {
        DrawLinuxApplications(draw, made.words);
    }
    for (uint64_t left = draw.Below(3) == 0 ? draw.Between(1, 2) : 0; left > 0; --left)
    {
        made.words.push_back(DrawCompany(draw));
    }
    for (uint64_t left = draw.Below(3) == 0 ? draw.Between(1, 3) : 0; left > 0; --left)
    {
        const bool isOfPath = !hasCpus && draw.Below(3) == 0;
        std::string fault = isOfPath ? DrawMiddleboxFault(draw, made) : DrawFault(draw, made);
        if (draw.Below(3) > 0)
        {
            // Those times suit longer transfers
            const size_t begin = fault.find(",at=") + 4;
            fault.replace(begin,
                          fault.find(',', begin) - begin,
                          std::to_string(draw.Between(1, 1500)) + "ms");
        }
        made.faults.push_back(fault);
    }
    return made;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_DRAW_H
