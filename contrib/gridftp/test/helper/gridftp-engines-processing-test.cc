/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random draws @return a rate, slower than the network or faster
std::string
DrawRate(Draw& draw)
{
    const int64_t most = int64_t{1} << draw.Between(20, 33);
    return std::to_string(draw.Between(most / 2, most)) + "bps";
}

/// @param draw random draws @return a time, to the nanosecond
std::string
DrawTime(Draw& draw)
{
    return std::to_string(draw.Between(0, int64_t{1} << draw.Between(0, 27))) + "ns";
}

/// What a file costs, and what is made of it.
void
DrawProcessing(Draw& draw, Members& made, int64_t size)
{
    const std::string module = draw.Of({"identity", "partial", "scale", "scale"});
    made.Add("processing", module);
    const int64_t offset = draw.Between(0, size - 1);
    made.Add("processing-offset", std::to_string(offset) + "B");
    made.Add("processing-length", std::to_string(draw.Between(1, size - offset)) + "B");
    made.Add("processing-ratio", draw.Of({"0.25", "0.333333", "0.9", "1", "1.7", "3"}));
    made.Add("processing-rate", draw.Below(3) == 0 ? "0bps" : DrawRate(draw));
    made.Add("cpu-rate", draw.Below(3) == 0 ? "0bps" : DrawRate(draw));
    made.Add("protection", draw.Of({"clear", "integrity", "confidentiality"}));
    made.Add("integrity-rate", DrawRate(draw));
    made.Add("confidentiality-rate", DrawRate(draw));
    made.Add("request-cpu", draw.Below(2) == 0 ? "0ms" : DrawTime(draw));
    made.Add("checksum", module == "scale" ? "none" : draw.Of({"none", "adler32"}));
    made.Add("checksum-rate", draw.Below(3) == 0 ? "0bps" : DrawRate(draw));
    for (const std::string end : {"source", "sink"})
    {
        made.Add(end, draw.Of({"memory", "memory", "disk"}));
        made.Add(end + "-rate", DrawRate(draw));
        made.Add(end + "-latency", DrawTime(draw));
        made.Add(end + "-open", "1234567ns");
        made.Add(end + "-contention", "7654ns");
        made.Add(end + "-depth", std::to_string(draw.Between(1, 4)));
    }
}

/// @param draw random draws @return a session with hosts that work
Members
DrawWork(Draw& draw)
{
    const int64_t size = draw.Between(2, 600'000);
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", "400p");
    made.Add("window", std::to_string(1460 * draw.Between(1, 60)) + "B");
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("mode", "fixed");
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size",
             std::to_string(draw.Between(std::max<int64_t>(1, size / 3), size)) + "B");
    const int64_t block = draw.Between(size / 100 + 1, size / 2 + 2);
    made.Add("block-size", draw.Below(2) == 0 ? "64KiB" : std::to_string(block) + "B");
    DrawProcessing(draw, made, size);
    return made;
}

/// @param draw random draws @return one between two hosts
std::string
DrawPair(Draw& draw)
{
    Members made = DrawWork(draw);
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("data-channels", "cached");
    made.Add("random-loss", draw.Of({"0", "0.003"}));
    made.Add("parallelism", std::to_string(draw.Between(1, 6)));
    return made.GetObject();
}

/// @param draw random draws @return one with stripes, over fresh connections, too
std::string
DrawStriped(Draw& draw)
{
    Members made = DrawWork(draw);
    // Several that send to a single one are not equal in every digit, see doc/gridftp.rst
    const int64_t senders = draw.Between(1, 3);
    const int64_t receivers = draw.Between(senders > 1 ? 2 : 1, 3);
    made.Add("stripes", std::to_string(senders) + "x" + std::to_string(receivers));
    made.Add("stripe-layout", draw.Of({"blocked", "partitioned"}));
    made.Add("stripe-block", draw.Of({"10000B", "64KiB"}));
    made.Add("direction", draw.Of({"upload", "download", "third-party"}));
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("parallelism", std::to_string(draw.Between(1, 3)));
    return made.GetObject();
}

/// What both engines make of costs that are known.
class ProcessingTransferTest : public TestCase
{
  public:
    ProcessingTransferTest()
        : TestCase("processing: a slow CPU is the rate, each byte once at each end")
    {
    }

  private:
    /// @param engine of the run @param more members @return the session
    static SessionResult Run(Engine engine, const std::string& more)
    {
        const auto scenario = ParseScenarioJson(
            R"({"bandwidth": "1Gbps", "delay": "1ms", "queue": "1000p", "window": "1MiB",)"
            R"( "mode": "fixed", )" +
            more + "}");
        const auto result = engine == Engine::NS3 ? RunOnNs3(*scenario, {})
                                                  : RunOnSegments(WithNs3Rules(*scenario));
        Config::Reset();
        return result->sessions.front();
    }

    void DoRun() override
    {
        for (const Engine engine : {Engine::SEGMENT, Engine::NS3})
        {
            CheckRate(engine);
            CheckRequests(engine);
            CheckScale(engine);
            CheckChecksums(engine);
        }
    }

    /// Both hosts compute the checksum of 1 MB, at the same time, and only after the transfer.
    /// @param engine of the run
    void CheckChecksums(Engine engine)
    {
        constexpr int64_t CHECKSUM_NS = 80'000'000;
        constexpr int64_t ROUND_TRIP_NS = 2'100'000;
        const std::string file = R"("file-size": "1MB", "direction": )";
        const std::string checksum = R"(, "checksum": "adler32", "checksum-rate": "100Mbps")";
        for (const std::string direction : {R"("upload")", R"("download")", R"("third-party")"})
        {
            const auto usual = Run(engine, file + direction);
            const auto checked = Run(engine, file + direction + checksum);
            NS_TEST_EXPECT_MSG_EQ(checked.reason, "", direction);
            NS_TEST_EXPECT_MSG_EQ(checked.durationNs, usual.durationNs, "the transfer itself");
            NS_TEST_EXPECT_MSG_EQ(usual.checksum.has_value(), false, "none was asked");
            // 10^6 modulo 65521 is 17185
            NS_TEST_EXPECT_MSG_EQ(checked.checksum->value, "43210001", "of a million zeros");
            NS_TEST_EXPECT_MSG_GT(checked.checksum->durationNs, CHECKSUM_NS, "the CPU's time");
            NS_TEST_EXPECT_MSG_LT(checked.checksum->durationNs,
                                  CHECKSUM_NS + 2 * ROUND_TRIP_NS,
                                  "of both hosts at once");
            for (const CpuWork& work : {checked.host->sender.cpu, checked.host->receiver.cpu})
            {
                NS_TEST_EXPECT_MSG_EQ(work.Get(CpuUse::CHECKSUMS), CHECKSUM_NS, "each byte once");
                NS_TEST_EXPECT_MSG_EQ(work.GetSum(), CHECKSUM_NS, "nothing else costs");
            }
        }
    }

    /// 1 MiB takes 83.9 ms to move and as long to encrypt, and the network, ten times as fast, adds
    /// what one block takes and some round trips.
    /// @param engine of the run
    void CheckRate(Engine engine)
    {
        constexpr int64_t BLOCK_NS = 83'886'080;
        constexpr int64_t MORE_NS = 250'000'000;
        const auto session =
            Run(engine,
                R"("file-size": "40MiB", "cpu-rate": "100Mbps", "protection": "confidentiality",)"
                R"( "confidentiality-rate": "100Mbps")");
        NS_TEST_EXPECT_MSG_GT(session.durationNs, 80 * BLOCK_NS, "the CPU's rate");
        NS_TEST_EXPECT_MSG_LT(session.durationNs, 80 * BLOCK_NS + MORE_NS, "and little more");
        for (const CpuWork& work : {session.host->sender.cpu, session.host->receiver.cpu})
        {
            NS_TEST_EXPECT_MSG_EQ(work.Get(CpuUse::DATA), 40 * BLOCK_NS, "each byte once");
            NS_TEST_EXPECT_MSG_EQ(work.Get(CpuUse::PROTECTION), 40 * BLOCK_NS, "likewise");
            NS_TEST_EXPECT_MSG_EQ(work.GetSum(), 80 * BLOCK_NS, "and nothing else");
        }
    }

    /// A transfer command waits for the CPU, each chunk's.
    /// @param engine of the run
    void CheckRequests(Engine engine)
    {
        const std::string chunks = R"("file-size": "2MB", "chunk-size": "1MB")";
        const auto usual = Run(engine, chunks);
        const auto slow = Run(engine, chunks + R"(, "request-cpu": "30ms")");
        // A reply that comes later does not wait behind the ACK of its command, 42 bytes at 1
        // Gbit/s
        constexpr int64_t ACKS_NS = 2 * 336;
        const int64_t more = slow.durationNs - usual.durationNs;
        NS_TEST_EXPECT_MSG_EQ_TOL(more, 60'000'000, ACKS_NS, "two commands");
        NS_TEST_EXPECT_MSG_EQ(slow.host->receiver.cpu.Get(CpuUse::REQUESTS), 60'000'000, "server");
        NS_TEST_EXPECT_MSG_EQ(slow.host->sender.cpu.GetSum(), 0, "the client has none");
    }

    /// What a module makes of a file is moved, or is stored.
    /// @param engine of the run
    void CheckScale(Engine engine)
    {
        const std::string scale =
            R"("file-size": "1000001B", "processing": "scale", "processing-ratio": "0.5",)"
            R"( "processing-rate": "1Gbps", "source": "disk", "source-rate": "10Gbps",)"
            R"( "sink": "disk", "sink-rate": "10Gbps", "direction": )";
        const auto down = Run(engine, scale + R"("download")");
        NS_TEST_EXPECT_MSG_EQ(down.reason, "", "download");
        NS_TEST_EXPECT_MSG_EQ(down.bytes, 500'001, "what is moved");
        NS_TEST_EXPECT_MSG_EQ(down.processing->inputBytes, 1'000'001, "of the whole file");
        NS_TEST_EXPECT_MSG_EQ(down.storage->read->bytes, 1'000'001, "is read");
        NS_TEST_EXPECT_MSG_EQ(down.storage->write->bytes, 500'001, "is written");
        NS_TEST_EXPECT_MSG_EQ(down.host->sender.cpu.Get(CpuUse::MODULES), 8'000'008, "its input");
        NS_TEST_EXPECT_MSG_EQ(down.host->receiver.cpu.GetSum(), 0, "the client has no module");
        const auto up = Run(engine, scale + R"("upload")");
        NS_TEST_EXPECT_MSG_EQ(up.bytes, 1'000'001, "all of the file");
        NS_TEST_EXPECT_MSG_EQ(up.processing->outputBytes, 500'001, "what is made of it");
        NS_TEST_EXPECT_MSG_EQ(up.storage->write->bytes, 500'001, "is written");
        NS_TEST_EXPECT_MSG_EQ(up.host->receiver.cpu.Get(CpuUse::MODULES), 8'000'008, "its input");
    }
};

std::vector<TestCase*>
MakeProcessingEnginesTestCases()
{
    return {new EnginesTest("processing", &DrawPair, 0, 20),
            new EnginesTest("processing and stripes", &DrawStriped, 0, 12, 60)};
}

std::vector<TestCase*>
MakeMoreProcessingEnginesTestCases()
{
    return {new EnginesTest("processing", &DrawPair, 20, 220),
            new EnginesTest("processing and stripes", &DrawStriped, 12, 112, 60)};
}

const OwnTestCases g_cases(&MakeProcessingEnginesTestCases);
const OwnTestCases g_longCases(
    []() -> std::vector<TestCase*> { return {new ProcessingTransferTest}; },
    OwnTestCases::Suite::LONG);

const OwnTestCases g_moreCases(&MakeMoreProcessingEnginesTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
