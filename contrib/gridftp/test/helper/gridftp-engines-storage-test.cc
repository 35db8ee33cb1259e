/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-storage-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-buffer-policy.h"
#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random draws @return what all of them have
Members
DrawTransfer(Draw& draw)
{
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "1500", "9000"}));
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "33Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "10ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", draw.Of({"30p", "60p", "100p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("mode", "fixed");
    DrawStorage(draw, made, "source");
    DrawStorage(draw, made, "sink");
    return made;
}

/**
 * @param draw random draws
 * @param made the members, to which are added a file and how it is cut
 * @param chunks whether there may be several
 */
void
DrawFile(Draw& draw, Members& made, bool chunks)
{
    const int64_t size = draw.Between(1, 1'000'000);
    const int64_t block = draw.Between(size / 100 + 1, size / 2 + 2);
    const int64_t chunk = chunks ? draw.Between(std::max<int64_t>(1, size / 4), size) : size;
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(chunk) + "B");
    made.Add("block-size", draw.Below(2) == 0 ? "64KiB" : std::to_string(block) + "B");
    // ns-3 repeats FINs behind a long queue, which make its mean longer
    made.Add("data-channels", chunk < size ? "cached" : draw.Of({"fresh", "cached"}));
}

/// @param draw random draws @return chunks over several connections, with buffers of every kind
std::string
DrawStorages(Draw& draw)
{
    Members made = DrawTransfer(draw);
    DrawFile(draw, made, true);
    auto names = NamesOf(GetBufferPolicies());
    std::erase(names, "drs-ftp"); // of one connection
    made.Add("buffers", std::string(draw.Of(names)));
    made.Add("max-buffer", draw.Of({"1MiB", "16MiB", "600000B"}));
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    return made.GetObject();
}

/// @param draw random draws @return a chunk of which any packet may be lost
std::string
DrawLossyStorages(Draw& draw)
{
    Members made = DrawTransfer(draw);
    DrawFile(draw, made, false);
    made.Add("random-loss", draw.Of({"0.001", "0.01", "0.1"}));
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    return made.GetObject();
}

/// @param draw random draws @return a connection that is also read or written at a rate
std::string
DrawSlowStorages(Draw& draw)
{
    Members made = DrawTransfer(draw);
    DrawFile(draw, made, true);
    const int64_t most = int64_t{1} << draw.Between(18, 27);
    made.Add(draw.Of({"read-rate", "write-rate"}),
             std::to_string(draw.Between(most / 2, most)) + "bps");
    made.Add("buffers", draw.Of({"fixed", "drs-kernel", "linux-receiver", "drs-ftp"}));
    made.Add("parallelism", "1");
    return made.GetObject();
}

/// What both engines make of storages whose limits are known.
class StorageTransferTest : public TestCase
{
  public:
    StorageTransferTest()
        : TestCase("storage: a slow one is the rate, a fast one changes nothing")
    {
    }

  private:
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    /// @param engine of the run @param more what is not as here @return the session
    static SessionResult Run(Engine engine, const Pairs& more)
    {
        Pairs all{{"bandwidth", "1Gbps"},
                  {"delay", "1ms"},
                  {"queue", "1000p"},
                  {"window", "1MiB"},
                  {"mode", "fixed"},
                  {"file-size", "16MiB"}};
        for (const auto& pair : more)
        {
            std::erase_if(all, [&pair](const auto& each) { return each.first == pair.first; });
        }
        all.insert(all.end(), more.begin(), more.end());
        Members made;
        for (const auto& [name, value] : all)
        {
            made.Add(name, value);
        }
        const auto scenario = ParseScenarioJson(made.GetObject());
        const auto result = engine == Engine::NS3 ? RunOnNs3(*scenario, {})
                                                  : RunOnSegments(WithNs3Rules(*scenario));
        Config::Reset();
        return result->sessions.front();
    }

    void DoRun() override
    {
        for (const Engine engine : {Engine::SEGMENT, Engine::NS3})
        {
            for (const std::string end : {"source", "sink"})
            {
                CheckSlow(engine, end);
            }
            CheckSeeks(engine);
            CheckOpens(engine);
            CheckCache(engine);
            CheckRpcs(engine);
            CheckFast(engine, "upload");
            CheckFast(engine, "download");
        }
        CheckLostPart();
    }

    /// Between two blocks the window is often less than the one segment that the buffer holds. What
    /// it lets through is sent, and again where it is lost, and so the transfer ends.
    void CheckLostPart()
    {
        const Pairs pairs{{"window", "1460B"},
                          {"file-size", "200KB"},
                          {"block-size", "5000B"},
                          {"random-loss", "0.1"},
                          {"sink", "disk"},
                          {"sink-rate", "2Mbps"},
                          {"sink-depth", "1"}};
        const auto own = Run(Engine::SEGMENT, pairs);
        const auto reference = Run(Engine::NS3, pairs);
        NS_TEST_EXPECT_MSG_EQ(own.reason, "", "segment");
        NS_TEST_EXPECT_MSG_EQ(reference.reason, "", "ns3");
        NS_TEST_EXPECT_MSG_EQ(own.storage->write->bytes, 200'000, "all of it");
        NS_TEST_EXPECT_MSG_EQ(own.durationNs, reference.durationNs, "the same segments");
    }

    /// Blocks of b bytes take l + 8 b / r each, one after the other, and the network, ten times as
    /// fast, adds what one block takes it and some round trips.
    /// @param engine of the run @param end with a disk
    void CheckSlow(Engine engine, const std::string& end)
    {
        constexpr int64_t BLOCK_NS = 3'000'000 + 83'886'080; // 1 MiB at 100 Mbit/s
        constexpr int64_t BLOCKS = 16;
        constexpr int64_t MORE_NS = 50'000'000;
        const auto session = Run(engine,
                                 {{end, "disk"},
                                  {end + "-rate", "100Mbps"},
                                  {end + "-latency", "3ms"},
                                  {end + "-seek", "1s"}});
        const auto& use = end == "source" ? session.storage->read : session.storage->write;
        NS_TEST_EXPECT_MSG_GT(session.durationNs, BLOCKS * BLOCK_NS, end);
        NS_TEST_EXPECT_MSG_LT(session.durationNs, BLOCKS * BLOCK_NS + MORE_NS, end);
        const StorageUse all{.requests = BLOCKS,
                             .seeks = 0,
                             .bytes = 16 << 20,
                             .busyNs = BLOCKS * BLOCK_NS};
        NS_TEST_EXPECT_MSG_EQ((*use == all), true, end << " " << use->busyNs);
        const auto& other = end == "source" ? session.storage->write : session.storage->read;
        NS_TEST_EXPECT_MSG_EQ(other.has_value(), false, "memory counts nothing");
    }

    /// One connection seeks nowhere, and of four with a part each hardly any block follows the
    /// last.
    /// @param engine of the run
    void CheckSeeks(Engine engine)
    {
        constexpr int64_t BLOCK_NS = 83'886'080; // 1 MiB at 100 Mbit/s
        constexpr int64_t SEEK_NS = 7'000'000;
        constexpr uint64_t BLOCKS = 16;
        const auto session = Run(engine,
                                 {{"sink", "disk"},
                                  {"sink-rate", "100Mbps"},
                                  {"sink-seek", "7ms"},
                                  {"parallelism", "4"},
                                  {"layout", "static"}});
        const StorageUse& use = *session.storage->write;
        NS_TEST_EXPECT_MSG_GT(use.seeks, BLOCKS * 3 / 4, "parts");
        NS_TEST_EXPECT_MSG_EQ(use.requests, BLOCKS, "blocks");
        NS_TEST_EXPECT_MSG_EQ(use.busyNs,
                              static_cast<int64_t>(BLOCKS) * BLOCK_NS +
                                  static_cast<int64_t>(use.seeks) * SEEK_NS,
                              "what they cost");
    }

    /// Each chunk opens the file once at either end, whatever the number of connections.
    /// @param engine of the run
    void CheckOpens(Engine engine)
    {
        constexpr int64_t BLOCK_NS = 83'886'080; // 1 MiB at 100 Mbit/s
        constexpr int64_t OPEN_NS = 5'000'000;
        const auto session = Run(engine,
                                 {{"source", "disk"},
                                  {"source-rate", "100Mbps"},
                                  {"source-open", "5ms"},
                                  {"sink", "disk"},
                                  {"sink-rate", "100Mbps"},
                                  {"sink-open", "5ms"},
                                  {"parallelism", "3"},
                                  {"chunk-size", "4MiB"}});
        for (const auto& use : {session.storage->read, session.storage->write})
        {
            NS_TEST_EXPECT_MSG_EQ(use->busyNs, 16 * BLOCK_NS + 4 * OPEN_NS, "four chunks");
        }
    }

    /// A file that fits into memory is written at the rate of the network, and one that does not at
    /// that of the disk from then on.
    /// @param engine of the run
    void CheckCache(Engine engine)
    {
        const auto run = [engine](const std::string& dirty) {
            return Run(engine,
                       {{"sink", "page-cache"},
                        {"sink-rate", "100Mbps"},
                        {"sink-memory-rate", "20Gbps"},
                        {"sink-dirty", dirty}});
        };
        constexpr int64_t BLOCK_NS = 83'886'080; // 1 MiB at 100 Mbit/s
        const int64_t fits = run("16MiB").durationNs;
        const int64_t waits = run("4MiB").durationNs;
        NS_TEST_EXPECT_MSG_LT(fits, 4 * BLOCK_NS, "1 Gbit/s and some round trips");
        NS_TEST_EXPECT_MSG_GT(waits, 12 * BLOCK_NS, "12 of 16 have to be on the disk");
        NS_TEST_EXPECT_MSG_LT(waits, 13 * BLOCK_NS, "which has begun with the first one");
    }

    /// Blocks of 1 MiB are 32 RPCs, two rounds of 16.
    /// @param engine of the run
    void CheckRpcs(Engine engine)
    {
        constexpr int64_t ROUND_NS = 26'214 + 10'000'000; // 32 KiB at 10 Gbit/s, and the latency
        constexpr int64_t BYTES_NS = 16 * 26'214;
        const auto session =
            Run(engine, {{"source", "nfs"}, {"source-rate", "10Gbps"}, {"source-latency", "10ms"}});
        const int64_t busyNs = session.storage->read->busyNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(busyNs / 16, ROUND_NS + BYTES_NS + 10'000'000, 16, "each block");
    }

    /// Blocks of 16 KiB take 0.13 ns at 1 Pbit/s.
    /// @param engine of the run @param direction of the data
    void CheckFast(Engine engine, const std::string& direction)
    {
        const Pairs usual{{"direction", direction},
                          {"block-size", "16KiB"},
                          {"file-size", "3MB"},
                          {"window", "64KiB"},
                          {"chunk-size", "1MB"},
                          {"random-loss", "0.003"},
                          {"layout", "static"}, // so that who asks first does not count
                          {"parallelism", "3"}};
        Pairs fast = usual;
        for (const std::string end : {"source", "sink"})
        {
            fast.emplace_back(end, "parallel");
            fast.emplace_back(end + "-rate", "1000Tbps");
            fast.emplace_back(end + "-total-rate", "1000Tbps");
        }
        const auto memory = Run(engine, usual);
        const auto timed = Run(engine, fast);
        NS_TEST_EXPECT_MSG_EQ(timed.durationNs, memory.durationNs, direction);
        NS_TEST_EXPECT_MSG_EQ(timed.tcp->totals.segments, memory.tcp->totals.segments, direction);
        NS_TEST_EXPECT_MSG_EQ(timed.tcp->totals.retransmissions,
                              memory.tcp->totals.retransmissions,
                              direction);
        NS_TEST_EXPECT_MSG_EQ(timed.tcp->totals.timeouts, memory.tcp->totals.timeouts, direction);
        NS_TEST_EXPECT_MSG_EQ(timed.storage->write->bytes, 3'000'000, direction);
        NS_TEST_EXPECT_MSG_EQ(timed.storage->write->busyNs, 0, direction);
        NS_TEST_EXPECT_MSG_EQ(timed.storage->read->bytes, 3'000'000, direction);
        NS_TEST_EXPECT_MSG_EQ(memory.storage.has_value(), false, direction);
    }
};

std::vector<TestCase*>
MakeStorageEnginesTestCases()
{
    return {new EnginesTest("storages", &DrawStorages, 0, 40),
            new EnginesTest("storages and losses", &DrawLossyStorages, 0, 30),
            new EnginesTest("storages and slow applications", &DrawSlowStorages, 0, 20)};
}

std::vector<TestCase*>
MakeMoreStorageEnginesTestCases()
{
    return {new EnginesTest("storages", &DrawStorages, 40, 440),
            new EnginesTest("storages and losses", &DrawLossyStorages, 30, 430),
            new EnginesTest("storages and slow applications", &DrawSlowStorages, 20, 220)};
}

const OwnTestCases g_cases(&MakeStorageEnginesTestCases);
const OwnTestCases g_longCases([]() -> std::vector<TestCase*> { return {new StorageTransferTest}; },
                               OwnTestCases::Suite::LONG);

const OwnTestCases g_moreCases(&MakeMoreStorageEnginesTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
