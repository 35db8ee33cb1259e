/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-connection-monitor.h"
#include "gridftp-core-test.h"
#include "gridftp-result.h"
#include "gridftp-rtt-rows.h"
#include "gridftp-segment-engine.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Time that it was open, mean of cwnd, bytes and fairness, worked out by hand.
class ConnectionMonitorTest : public TestCase
{
  public:
    ConnectionMonitorTest()
        : TestCase("connections: what is measured of each")
    {
    }

  private:
    void DoRun() override
    {
        SessionMonitor session;
        ConnectionMonitor first;
        ConnectionMonitor none;
        none.Open(1, 2);
        none.AddSample(3);
        none.CountTimeout();
        first.Begin(&session, 2);
        first.AddSample(50); // of the handshake
        first.SetCwnd(70, 9000);
        first.Open(100, 1000);
        first.CountSegment(false);
        first.SetCwnd(200, 3000);
        first.Acknowledge(300, 500);
        NS_TEST_EXPECT_MSG_EQ(session.GetRow(2).openNs, 200, "from 100 to 300");
        NS_TEST_EXPECT_MSG_EQ((session.GetRow(2).cwndNs == 100 * 1000 + 100 * 3000),
                              true,
                              "1000, 3000");
        first.SetCwnd(350, 5000);
        first.Acknowledge(380, 500);
        NS_TEST_EXPECT_MSG_EQ(session.GetRow(2).openNs, 200, "nothing new");
        first.CountSegment(true);
        first.CountTimeout();
        first.AddSample(150);
        first.Acknowledge(500, 1300);
        first.SetCwnd(600, 1);
        first.End();
        first.Acknowledge(900, 9999);
        first.AddSample(1);
        const TcpDetail alone = session.MakeDetail();
        NS_TEST_ASSERT_MSG_EQ(alone.connections.size(), 1, "numbers 0 and 1 never opened");
        const ConnectionResult& one = alone.connections.front();
        NS_TEST_EXPECT_MSG_EQ(one.index, 2, "its number");
        NS_TEST_EXPECT_MSG_EQ(one.opened, 1, "once");
        NS_TEST_EXPECT_MSG_EQ(one.bytes, 1300, "acknowledged");
        NS_TEST_EXPECT_MSG_EQ(one.openNs, 400, "from 100 to 500");
        // 100 ns of 1000, 150 of 3000, 150 of 5000
        NS_TEST_EXPECT_MSG_EQ(one.meanCwndBytes, 1'300'000.0 / 400, "over the time");
        NS_TEST_EXPECT_MSG_EQ(one.totals.segments, 1, "");
        NS_TEST_EXPECT_MSG_EQ(one.totals.retransmissions, 1, "");
        NS_TEST_EXPECT_MSG_EQ(one.totals.timeouts, 1, "");
        NS_TEST_EXPECT_MSG_EQ(one.rtt.count, 2, "samples");
        NS_TEST_EXPECT_MSG_EQ(one.rtt.sumNs, 200, "50 and 150");
        NS_TEST_EXPECT_MSG_EQ(alone.rtt->mostS, 150e-9, "the longest");
        NS_TEST_EXPECT_MSG_EQ(alone.jain.value(), 1, "alone");

        // A second one with a third of the goodput: (3 + 1)^2 / (2 (9 + 1))
        const SessionMonitor before = session;
        NS_TEST_EXPECT_MSG_EQ(session.TakeChunk().jain.value(), 1, "one in the first chunk");
        ConnectionMonitor second;
        second.Begin(&session, 0);
        second.Open(1000, 1);
        second.AddSample(10);
        second.Acknowledge(1300, 325);
        first.Begin(&session, 2);
        first.Open(1000, 1);
        first.Acknowledge(1400, 1300);
        const auto chunk = session.TakeChunk();
        NS_TEST_EXPECT_MSG_EQ(chunk.meanRttS.value(), 10e-9, "of that chunk alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(chunk.jain.value(), 16.0 / 20, 1e-15, "of that chunk alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(session.MakeDetail().jain.value(),
                                  (1300 * 1 + 1625 * 0.8) / 2925,
                                  1e-15,
                                  "weighted by bytes");
        NS_TEST_EXPECT_MSG_EQ(session.TakeChunk().jain.has_value(), false, "nothing since");
        SessionMonitor twice = session;
        twice.Add(session - before);
        NS_TEST_EXPECT_MSG_EQ(twice.GetRow(0).bytes, 650, "once more");
        NS_TEST_EXPECT_MSG_EQ(twice.GetRow(2).bytes, 3900, "once more");
        NS_TEST_EXPECT_MSG_EQ(twice.GetRow(2).opened, 3, "once more");
        NS_TEST_EXPECT_MSG_EQ(twice.GetRtt().GetSum().sumNs, 220, "once more");
    }
};

/// Keeps the rows of rtt.csv.
class Rows : public TraceRows
{
  public:
    std::string text; //!< all rows

  private:
    bool IsWanted(Nanoseconds /* now */) override
    {
        return true;
    }

    void Write(Trace trace, const std::string& row) override
    {
        text += (trace == Trace::RTT ? "" : "another trace: ") + row;
    }
};

/// One row a nanosecond, and only where there is a sample or another RTO.
class RttRowsTest : public TestCase
{
  public:
    RttRowsTest()
        : TestCase("rtt.csv: which rows there are")
    {
    }

  private:
    void DoRun() override
    {
        Rows rows;
        RttRows rtt(rows);
        const ConnectionLabel first{0, 3, 0};
        const ConnectionLabel second{0, 3, 1};
        rtt.AddRto(1'000, second, 3'000'000'000); // before the first sample
        rtt.AddSample(1'000, first, 20'000'000, 20'000'000);
        rtt.AddRto(1'000, first, 1);
        rtt.AddRto(1'000, first, 200'000'000);
        rtt.AddRto(2'000, first, 200'000'000); // as it was
        rtt.AddRto(3'000, first, 400'000'000);
        rtt.AddSample(4'000, second, 30'000'000, 30'000'000);
        rtt.AddSample(4'000, first, 20'000'000, 20'000'000);
        rtt.End();
        NS_TEST_EXPECT_MSG_EQ(rows.text,
                              "1e-06,0,3,0,0.02,0.02,0.2\n"
                              "3e-06,0,3,0,,0.02,0.4\n"
                              "4e-06,0,3,0,0.02,0.02,0.4\n"
                              "4e-06,0,3,1,0.03,0.03,3\n",
                              "");
    }
};

/// A window of ten packets, on a path that needs less than two: the others wait.
class LoadedPathTest : public TestCase
{
  public:
    LoadedPathTest()
        : TestCase("RTT under load and queueing delay of a full window")
    {
    }

  private:
    void DoRun() override
    {
        const auto scenario = ParseScenarioJson(
            R"({"bandwidth": "1Mbps", "delay": "1ms", "access-bandwidth": "1Gbps", )"
            R"("access-delay": "0ms", "window": "14600B", "mode": "fixed", "parallelism": "1", )"
            R"("file-size": "1MB", "chunk-size": "1MB", "detail": "on"})");
        NS_TEST_ASSERT_MSG_EQ(bool(scenario), true, "no scenario");
        const auto result = RunOnSegments(*scenario);
        NS_TEST_ASSERT_MSG_EQ((result && result->done), true, "no result");
        const TcpDetail& tcp = result->sessions.front().tcp->detail.value();
        // A packet of 1502 bytes takes 12.016 ms: ten of them go round in ten times that, and once
        // with an ACK of the control connection between them, 42 bytes in 0.336 ms
        constexpr double FULL_S = 0.12016;
        constexpr double BARE_S = 0.000336;
        NS_TEST_EXPECT_MSG_EQ_TOL(tcp.rtt->mostS, FULL_S + BARE_S, 1e-12, "of a full window");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(tcp.rtt->p95S, FULL_S, "nearly all are");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(tcp.rtt->p95S, FULL_S * 129 / 128, "nearly all are");
        // 12.016 ms at the bottleneck, 2 ms of propagation, the ACK there, and both twice on access
        // links of 1 Gbit/s; what is more is spent in the queue
        const double idleS = 0.012016 + 0.002 + BARE_S + 2 * (0.000012016 + 0.000000336);
        NS_TEST_EXPECT_MSG_EQ_TOL(result->links.front().queueDelay->mostS,
                                  FULL_S + BARE_S - idleS,
                                  1e-12,
                                  "the rest of it waits");
        NS_TEST_EXPECT_MSG_EQ(tcp.connections.size(), 1, "N");
        NS_TEST_EXPECT_MSG_EQ(tcp.connections.front().rtt.mostNs, 120'496'000, "the same");
        NS_TEST_EXPECT_MSG_GT(result->sessions.front().gridftp->chunks.front().loadedRttS.value(),
                              0.11,
                              "in the mean");
        auto plain = *scenario;
        plain.measure.detail = Detail::OFF;
        const auto without = RunOnSegments(plain);
        NS_TEST_EXPECT_MSG_EQ(without->sessions.front().tcp->detail.has_value(),
                              false,
                              "not asked");
        NS_TEST_EXPECT_MSG_EQ(without->links.front().queueDelay.has_value(), false, "not asked");
        NS_TEST_EXPECT_MSG_EQ(without->sessions.front().durationNs,
                              result->sessions.front().durationNs,
                              "and nothing else changes");
        NS_TEST_EXPECT_MSG_EQ(without->cost.events, result->cost.events, "not even the events");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ConnectionMonitorTest, new RttRowsTest, new LoadedPathTest};
});

} // namespace
