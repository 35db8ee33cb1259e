/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup gridftp
 * The smallest program with this module: one client sends one file to one server and chooses the
 * number of parallel TCP connections by itself.
 *
 *   client ---- left router ============ right router ---- server
 *      1 Gbit/s, 10 us    50 Mbit/s, 20 ms       1 Gbit/s, 10 us
 *                         DropTail, 100 packets
 *
 * Options: --mode=NAME, the tuner, and any attribute as everywhere in ns-3, for example
 * --ns3::gridftp::Client::FileSize=400000000 --ns3::gridftp::FixedTuner::Parallelism=4
 *
 * Expect: one line per chunk of 20 MB. With 64 KiB in 40 ms a connection carries 13.1 Mbit/s at
 * most, so mode mi takes 1, 2, 4 and 8 of them, where the bottleneck limits it, and stays at 8.
 * Exit status: 0, or 1 when the transfer fails or ns-3's parser refuses an option, or 2 when the
 * mode is unknown.
 */

#include "ns3/core-module.h"
#include "ns3/gridftp-client.h"
#include "ns3/gridftp-dumbbell-helper.h"
#include "ns3/gridftp-helper.h"
#include "ns3/gridftp-tcp-defaults.h"
#include "ns3/network-module.h"

#include <iostream>
#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/** Trace sink: a chunk is complete. @param chunk its record */
void
PrintChunk(const ChunkRecord& chunk)
{
    std::cout << "t = " << chunk.endNs / 1e9 << " s: chunk " << chunk.index << " over "
              << chunk.parallelism << " connections, " << chunk.goodputBps / 1e6 << " Mbit/s; next "
              << chunk.nextParallelism << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string mode = "mi";
    Config::SetDefault("ns3::gridftp::Client::FileSize", UintegerValue(100'000'000));
    Config::SetDefault("ns3::gridftp::Client::ChunkSize", UintegerValue(20'000'000));
    CommandLine cmd(__FILE__);
    std::string modes;
    for (const auto& known : GetTuningModes())
    {
        modes += (modes.empty() ? "" : ", ") + std::string(known.name);
    }
    cmd.AddValue("mode", "How the parallelism is tuned: " + modes, mode);
    cmd.Parse(argc, argv);
    if (!FindTuningMode(mode))
    {
        std::cerr << "--mode=" << mode << " is unknown; allowed: " << modes << "\n";
        return 2;
    }

    // TCP Reno as it was, before any node exists: ns-3's own defaults are those of a modern stack.
    TcpDefaults tcp;
    tcp.segmentSize = SegmentBytesFor(1500, false);
    tcp.window = 65536;
    tcp.initialWindow = 2;
    tcp.minRto = MilliSeconds(200);
    tcp.delayedAck = 1;
    tcp.Apply();

    DumbbellHelper::Links links;
    links.bandwidth = DataRate("50Mbps");
    links.delay = MilliSeconds(20);
    links.queuePackets = 100;
    links.accessBandwidth = DataRate("1Gbps");
    links.accessDelay = MicroSeconds(10);
    DumbbellHelper network(links, 1);

    ServerHelper server;
    server.Install(network.GetServers());
    ClientHelper clientHelper(network.GetServerAddress(0), mode);
    const auto client = DynamicCast<Client>(clientHelper.Install(network.GetClients()).Get(0));
    client->TraceConnectWithoutContext("ChunkCompleted", MakeCallback(&PrintChunk));

    Simulator::Run();
    const bool done = client->GetState() == ClientState::DONE;
    std::cout << client->GetResult().GetGoodputBps() / 1e6 << " Mbit/s in all"
              << (done ? "" : "; failed: ") << client->GetReason() << std::endl;
    Simulator::Destroy();
    return done ? 0 : 1;
}
