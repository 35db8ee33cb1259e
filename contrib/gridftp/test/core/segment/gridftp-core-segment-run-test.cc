/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-segment-engine.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A run tells how far it has come.
class ProgressTest : public TestCase
{
  public:
    ProgressTest()
        : TestCase("segment engine: how far a run has come")
    {
    }

  private:
    void DoRun() override
    {
        // One packet in ten seconds, as reports come by what could be sent in the time
        const auto scenario = ParseScenarioJson(
            R"({"delay": "5s", "window": "1460B", "mode": "fixed", "parallelism": "1", )"
            R"("file-size": "300KB", "chunk-size": "100KB"})");
        if (!scenario)
        {
            NS_TEST_ASSERT_MSG_EQ(true, false, "no scenario");
            return;
        }
        std::vector<ProgressReport> reports;
        SegmentRunObservers observers;
        observers.progress = [&reports](const ProgressReport& report) {
            reports.push_back(report);
        };
        const auto result = RunOnSegments(*scenario, observers);
        if (!result || reports.size() < 2)
        {
            NS_TEST_ASSERT_MSG_EQ(true, false, reports.size() << " reports");
            return;
        }
        const auto& session = result->sessions.front();
        const double endS = static_cast<double>(*session.startNs + session.durationNs) / 1e9;
        double simS = 0;
        double fraction = 0;
        for (const auto& report : reports)
        {
            NS_TEST_EXPECT_MSG_GT(report.simS, simS, "time goes on");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(report.fraction, fraction, "more is done");
            NS_TEST_EXPECT_MSG_EQ(report.chunks, 3, "chunks there are");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(report.chunk, report.chunks, "chunks completed");
            NS_TEST_EXPECT_MSG_EQ(report.parallelism, 1, "N");
            simS = report.simS;
            fraction = report.fraction;
        }
        // In the steps of what takes four million packets of 1500 bytes at 100 Mbit/s
        NS_TEST_EXPECT_MSG_EQ_TOL(reports.front().simS, 480, 1e-6, "s");
        // To say goodbye takes some round trips more
        constexpr double LONGEST_GOODBYE_S = 100;
        NS_TEST_EXPECT_MSG_LT(simS, endS + LONGEST_GOODBYE_S, "s");
        NS_TEST_EXPECT_MSG_GT(simS, endS / 4, "s");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(fraction, 1, "all of it");
    }
};

/// What 16 bits and a shift can tell (RFC 7323, Section 2).
class WindowScaleTest : public TestCase
{
  public:
    WindowScaleTest()
        : TestCase("segment engine: windows that can be announced")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        const auto announced = [&scenario](int64_t window) {
            return MakeSegmentTcp(scenario, scenario.tcp, "reno", {.window = window}).window;
        };
        NS_TEST_EXPECT_MSG_EQ(announced(65535), 65535, "no shift");
        NS_TEST_EXPECT_MSG_EQ(announced(65536), 65536, "a shift of 1");
        NS_TEST_EXPECT_MSG_EQ(announced(65537), 65536, "a shift of 1");
        NS_TEST_EXPECT_MSG_EQ(announced(131071), 131070, "a shift of 1");
        NS_TEST_EXPECT_MSG_EQ(announced(131072), 131072, "a shift of 2");
        NS_TEST_EXPECT_MSG_EQ(announced(int64_t{65535} << 14), 65535U << 14, "a shift of 14");
        NS_TEST_EXPECT_MSG_EQ(announced(int64_t{1} << 30), 65535U << 14, "14 is the largest one");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ProgressTest, new WindowScaleTest};
});

} // namespace ns3::gridftp
