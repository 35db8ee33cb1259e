/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-result.h"
#include "gridftp-segment-engine.h"
#include "gridftp-test-cases.h"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Paths whose two directions differ, and data that go both ways, by the physics of it.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A command line as words.
using Words = std::vector<std::string_view>;

/// Tests of transfers that are given as command lines.
class TransferLineTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @param words of a command line @return its scenario; of a wrong one an empty one
    Scenario Parse(const Words& words)
    {
        const auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "");
        return request ? request->scenario : Scenario();
    }

    /// @param words of a command line @param more behind them @return the result
    TransferResult Run(Words words, const Words& more = {})
    {
        words.insert(words.end(), more.begin(), more.end());
        const auto result = RunOnSegments(Parse(words));
        NS_TEST_EXPECT_MSG_EQ((result && result->done), true, "it is done");
        return result ? *result : TransferResult();
    }

    /// @param result of a run @param session index @return its goodput, Mbit/s
    static double GetMbps(const TransferResult& result, size_t session = 0)
    {
        return result.sessions.at(session).GetGoodputBps() / 1e6;
    }
};

/// RFC 3449, Section 2: ACKs that the reverse link cannot carry limit the data.
class AckLimitTest : public TransferLineTest
{
  public:
    AckLimitTest()
        : TransferLineTest("directions: goodput limited by ACKs on the reverse link")
    {
    }

  private:
    void DoRun() override
    {
        const Words wide{"--mode=fixed",
                         "--parallelism=1",
                         "--file-size=400MB", // so that the slow start does not count
                         "--chunk-size=400MB",
                         "--bandwidth=100Mbps",
                         "--delay=10ms",
                         "--queue=1000p",
                         "--window=512KiB"};
        NS_TEST_EXPECT_MSG_GT(GetMbps(Run(wide)), 90, "the same in both directions");
        // 1 Mbit/s carries 1e6 / (42 * 8) ACKs/s of 40 bytes and PPP's 2, each for 1460 bytes
        const double each = 1e6 / (42 * 8) * 1460 * 8 / 1e6;
        const Words slow{"--reverse-bandwidth=1Mbps", "--reverse-queue=1000p"};
        const TransferResult result = Run(wide, slow);
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMbps(result), each, 0.02 * each, "an ACK for each segment");
        NS_TEST_EXPECT_MSG_GT(result.links.at(1).utilisation, 0.98, "the reverse link is busy");
        NS_TEST_EXPECT_MSG_LT(result.links.at(0).utilisation, 0.4, "the forward one is not");
        NS_TEST_EXPECT_MSG_EQ(result.links.at(1).name, REVERSE_BOTTLENECK_LINK, "");
        Words delayed = slow;
        delayed.emplace_back("--delayed-ack=2");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetMbps(Run(wide, delayed)),
                                  2 * each,
                                  0.03 * each,
                                  "an ACK for two segments");
        // A short queue drops ACKs, and those that remain are for more segments
        const TransferResult dropping =
            Run(wide, {"--reverse-bandwidth=1Mbps", "--reverse-queue=5p"});
        NS_TEST_EXPECT_MSG_GT(GetMbps(dropping), 1.3 * each, "ACKs are cumulative");
        NS_TEST_EXPECT_MSG_GT(dropping.links.at(1).drops, 1000, "it drops ACKs");
    }
};

/// The idle round-trip time is the sum of both delays, wherever it is needed.
class TwoDelaysTest : public TransferLineTest
{
  public:
    TwoDelaysTest()
        : TransferLineTest("directions: round-trip time and bandwidth-delay product")
    {
    }

  private:
    void DoRun() override
    {
        const Words path{"--mode=fixed",
                         "--parallelism=1",
                         "--file-size=20MB",
                         "--delay=30ms",
                         "--reverse-delay=70ms",
                         "--window=64KiB",
                         "--access-delay=0ms"};
        const Scenario scenario = Parse(path);
        NS_TEST_EXPECT_MSG_EQ(GetRoundTripNs(scenario.path, scenario.sessions.front().delay),
                              100'000'000,
                              "30 + 70 ms");
        // What a session's delay is more than the path's is there in both directions
        NS_TEST_EXPECT_MSG_EQ(GetRoundTripNs(scenario.path, 35'000'000), 110'000'000, "2 x 5 more");
        const TransferResult result = Run(path);
        const double windowBps = 65536 * 8 / 0.1;
        NS_TEST_EXPECT_MSG_EQ_TOL(result.sessions.front().GetGoodputBps(),
                                  windowBps,
                                  0.1 * windowBps,
                                  "W / R");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.sessions.front().gridftp->chunks.front().rttS,
                                  0.1,
                                  0.001,
                                  "R as the client measures it");
        // The same round trip in the two other divisions
        for (const auto* other : {"--delay=50ms", "--delay=100ms"})
        {
            const auto back = std::string_view(other) == "--delay=50ms" ? "--reverse-delay=50ms"
                                                                        : "--reverse-delay=0ms";
            NS_TEST_EXPECT_MSG_EQ_TOL(GetMbps(Run(path, {other, back})),
                                      GetMbps(result),
                                      0.01 * GetMbps(result),
                                      other);
        }
        CheckProduct();
    }

    /// --tool-window=product takes the rate of the data's direction and both delays.
    void CheckProduct()
    {
        const Words path{"--tool=bbftp",
                         "--tool-window=product",
                         "--window=16MiB",
                         "--bandwidth=80Mbps",
                         "--reverse-bandwidth=8Mbps",
                         "--delay=30ms",
                         "--reverse-delay=70ms",
                         "--access-delay=0ms",
                         "--session=direction=download"};
        const Scenario scenario = Parse(path);
        NS_TEST_ASSERT_MSG_EQ(scenario.sessions.size(), 2, "");
        NS_TEST_EXPECT_MSG_EQ(GetBbftpBuffers(scenario, scenario.sessions[0]).window,
                              1'000'000,
                              "80 Mbit/s x 100 ms");
        NS_TEST_EXPECT_MSG_EQ(GetBbftpBuffers(scenario, scenario.sessions[1]).window,
                              100'000,
                              "8 Mbit/s x 100 ms");
        NS_TEST_EXPECT_MSG_EQ(Parse({"--reverse-bandwidth=5Gbps"}).path.accessBandwidth,
                              50'000'000'000,
                              "access links are faster than either direction");
    }
};

/// What is given of the reverse direction as it is anyway changes nothing.
class SameDirectionsTest : public TransferLineTest
{
  public:
    SameDirectionsTest()
        : TransferLineTest("directions: defaults of the reverse direction")
    {
    }

  private:
    void DoRun() override
    {
        const Words path{"--file-size=30MB", "--queue=20p", "--delay=7ms"};
        const Words same{"--reverse-bandwidth=100Mbps",
                         "--reverse-delay=7ms",
                         "--reverse-queue=20p",
                         "--reverse-queue-discipline=drop-tail"};
        const TransferResult expected = Run(path);
        const TransferResult result = Run(path, same);
        NS_TEST_EXPECT_MSG_EQ(result.sessions.front().durationNs,
                              expected.sessions.front().durationNs,
                              "");
        NS_TEST_EXPECT_MSG_EQ(result.links.size(), 1, "the forward direction alone");
        NS_TEST_EXPECT_MSG_EQ(result.cost.events, expected.cost.events, "simulated alike");
        NS_TEST_EXPECT_MSG_EQ(Run(path, {"--reverse-delay=8ms"}).links.size(), 2, "both");
    }
};

/// Loss of ACKs alone, RED in one direction.
class ReverseLossTest : public TransferLineTest
{
  public:
    ReverseLossTest()
        : TransferLineTest("directions: loss and RED on the way back")
    {
    }

  private:
    void DoRun() override
    {
        const Words path{"--mode=fixed", "--parallelism=4", "--file-size=20MB", "--queue=1000p"};
        const auto count = [](const TransferResult& result) {
            return result.sessions.front().tcp->totals.retransmissions;
        };
        // A cumulative ACK replaces one that is lost
        const TransferResult acks = Run(path, {"--reverse-random-loss=0.05"});
        const TransferResult data = Run(path, {"--random-loss=0.05"});
        NS_TEST_EXPECT_MSG_LT(20 * count(acks), count(data), "segments are not lost");
        NS_TEST_EXPECT_MSG_GT(GetMbps(acks), 5 * GetMbps(data), "nor does cwnd fall");
        const TransferResult red =
            Run(path,
                {"--reverse-bandwidth=1Mbps", "--reverse-queue-discipline=red", "--delayed-ack=1"});
        const TransferResult tail = Run(path, {"--reverse-bandwidth=1Mbps", "--delayed-ack=1"});
        NS_TEST_EXPECT_MSG_LT(2 * red.links.at(1).meanQueuePackets,
                              tail.links.at(1).meanQueuePackets,
                              "RED keeps the queue of ACKs short");
        NS_TEST_EXPECT_MSG_EQ(red.links.at(0).drops, 0, "and drops no data");
    }
};

/// Uploads and downloads at once.
class BothWaysTest : public TransferLineTest
{
  public:
    BothWaysTest()
        : TransferLineTest("directions: data that go both ways")
    {
    }

  private:
    void DoRun() override
    {
        // As a subscriber line: 20 Mbit/s down, 1 Mbit/s up
        const Words line{"--direction=download",
                         "--mode=fixed",
                         "--parallelism=1",
                         "--file-size=50MB",
                         "--window=256KiB",
                         "--bandwidth=20Mbps",
                         "--reverse-bandwidth=1Mbps",
                         "--delay=15ms"};
        const TransferResult alone = Run(line);
        NS_TEST_EXPECT_MSG_GT(GetMbps(alone), 18, "the ACKs fit");
        const Words uploading{"--background=direction=upload,window=256KiB"};
        const TransferResult both = Run(line, uploading);
        NS_TEST_EXPECT_MSG_LT(GetMbps(both), 0.7 * GetMbps(alone), "an upload slows it down");
        NS_TEST_EXPECT_MSG_GT(both.links.at(1).meanQueuePackets, 20, "its ACKs wait");
        const TransferResult down = Run(line, {"--background=direction=download,window=256KiB"});
        NS_TEST_EXPECT_MSG_EQ(down.links.size(), 2, "the path has two directions");
        NS_TEST_EXPECT_MSG_LT(down.links.at(1).utilisation, 0.7, "no data go up");
        CheckLoad();
        CheckSessions();
    }

    /// A load takes its share of the direction that it is in.
    void CheckLoad()
    {
        const TransferResult result = Run({"--mode=fixed",
                                           "--parallelism=1",
                                           "--file-size=20MB",
                                           "--window=16KiB",
                                           "--delay=50ms",
                                           "--reverse-bandwidth=10Mbps",
                                           "--background=direction=download,load=0.5"});
        NS_TEST_EXPECT_MSG_EQ_TOL(result.links.at(1).utilisation, 0.51, 0.02, "and some ACKs");
        NS_TEST_EXPECT_MSG_LT(result.links.at(0).utilisation, 0.02, "the data alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.background.at(0).GetGoodputBps(), 4.9e6, 0.15e6, "");
    }

    /// Two sessions in opposite directions each have their own direction's bandwidth.
    void CheckSessions()
    {
        const Words path{"--mode=fixed",
                         "--parallelism=4",
                         "--file-size=50MB",
                         "--window=256KiB",
                         "--delayed-ack=2",
                         "--queue=300p"};
        const TransferResult opposite = Run(path, {"--session=direction=download"});
        const TransferResult same = Run(path, {"--session=direction=upload"});
        for (size_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(opposite.sessions.at(i).bytes, 50'000'000, "");
            NS_TEST_EXPECT_MSG_GT(GetMbps(opposite, i), 60, "nearly a direction of its own");
        }
        NS_TEST_EXPECT_MSG_LT(GetMbps(same, 0) + GetMbps(same, 1), 110, "they share one");
        NS_TEST_EXPECT_MSG_GT(GetMbps(opposite, 0) + GetMbps(opposite, 1), 130, "they do not");
    }
};

/// What is refused.
class DirectionFaultTest : public TestCase
{
  public:
    DirectionFaultTest()
        : TestCase("directions: faults of options")
    {
    }

  private:
    void DoRun() override
    {
        const std::string kept = "; allowed with it: --reverse-queue, --reverse-queue-discipline, "
                                 "--reverse-random-loss";
        const std::string both =
            " is not for --path-schedule, which sets the rate and delay of both directions" + kept;
        Expect({"--path-schedule=0s:10Mbps", "--reverse-bandwidth=1Mbps"},
               "--reverse-bandwidth=1Mbps" + both);
        Expect({"--path-schedule=0s::5ms", "--reverse-delay=1ms"}, "--reverse-delay=1ms" + both);
        Expect({"--path-schedule=0s:10Mbps,1s:20Mbps", "--reverse-bandwidth=20Mbps"}, "no error");
        Expect({"--path-schedule=0s:10Mbps", "--reverse-queue=7p", "--reverse-random-loss=0.1"},
               "no error");
        Expect({"--reverse-bandwidth=1"},
               "--reverse-bandwidth=1 lacks a unit; allowed: a rate such as 100Mbps, 1kbps to "
               "1Tbps");
        Expect({"--reverse-random-loss=1"},
               "--reverse-random-loss=1 is out of range; allowed: a number such as 0.8, 0 to "
               "below 1");
        Expect({"--reverse-queue-discipline=red", "--red-max-threshold=5p"},
               "--red-max-threshold=5p is too little; allowed: more than red-min-threshold=5p");
    }

    /// @param arguments of a command line @param reason what is wrong with them
    void Expect(const Words& arguments, const std::string& reason)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(arguments)), reason, arguments.back());
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new AckLimitTest,
            new TwoDelaysTest,
            new SameDirectionsTest,
            new ReverseLossTest,
            new BothWaysTest,
            new DirectionFaultTest};
});

} // namespace
