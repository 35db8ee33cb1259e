/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-test.h"
#include "gridftp-linux-windowed-filter.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// tcp_slow_start(), tcp_cong_avoid_ai() and the defaults, worked out by hand.
class LinuxRenoTest : public TestCase
{
  public:
    LinuxRenoTest()
        : TestCase("Linux reno: slow start, additive increase, reduction, undo")
    {
    }

  private:
    void DoRun() override
    {
        LinuxControlled slow("reno", 10, LinuxWindow::NO_SSTHRESH);
        slow.control->Increase(slow.window, 10);
        NS_TEST_EXPECT_MSG_EQ(slow.window.cwnd, 20, "a stretched ACK counts in full");

        LinuxControlled crossing("reno", 14, 16);
        crossing.control->Increase(crossing.window, 5);
        NS_TEST_EXPECT_MSG_EQ(crossing.window.cwnd, 16, "slow start ends at ssthresh");
        NS_TEST_EXPECT_MSG_EQ(crossing.window.cwndCount, 3, "3 of 5 are left");
        crossing.Acknowledge(12);
        NS_TEST_EXPECT_MSG_EQ(crossing.window.cwnd, 16, "15 of 16");
        crossing.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(crossing.window.cwnd, 17, "16 of 16");
        NS_TEST_EXPECT_MSG_EQ(crossing.window.cwndCount, 0, "none is left");

        AvoidCongestion();
        BeLimited();

        LinuxControlled odd("reno", 11, 5);
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetSsthresh(odd.window), 5, "half, rounded down");
        odd.window.cwnd = 3;
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetSsthresh(odd.window), 2, "never below 2");
        odd.window.priorCwnd = 11;
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetUndoCwnd(odd.window), 11, "cwnd before");
        odd.window.cwnd = 12;
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetUndoCwnd(odd.window), 12, "undo reduces nothing");
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetMinTsoSegments(odd.window), 0, "tcp_min_tso_segs");
        NS_TEST_EXPECT_MSG_EQ(odd.control->GetSendBufferFactor(), 2, "tcp_sndbuf_expand()");
        NS_TEST_EXPECT_MSG_EQ(odd.control->HasControl(), false, "proportional rate reduction");
    }

    /// Stretched ACKs, and credit from a larger window.
    void AvoidCongestion()
    {
        LinuxControlled sender("reno", 10, 4);
        sender.control->Increase(sender.window, 25);
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 12, "25 / 10");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwndCount, 5, "25 % 10");
        sender.window.cwnd = 4;
        sender.Acknowledge();
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwnd, 5, "credit for 4 is one segment");
        NS_TEST_EXPECT_MSG_EQ(sender.window.cwndCount, 1, "the credit is spent");
    }

    /// cwnd grows only as far as it is used, and up to the clamp.
    void BeLimited()
    {
        LinuxControlled idle("reno", 10, 4);
        idle.window.isCwndLimited = false;
        idle.window.maxPacketsOut = 10;
        idle.control->Increase(idle.window, 100);
        NS_TEST_EXPECT_MSG_EQ(idle.window.cwnd, 10, "avoidance: not limited by cwnd");
        idle.window.ssthresh = 100;
        idle.control->Increase(idle.window, 9);
        NS_TEST_EXPECT_MSG_EQ(idle.window.cwnd, 19, "slow start: below twice 10 in flight");
        idle.Acknowledge(5);
        NS_TEST_EXPECT_MSG_EQ(idle.window.cwnd, 20, "slow start: twice 10 in flight");
        LinuxControlled clamped("reno", 10, 100);
        clamped.window.cwndClamp = 12;
        clamped.control->Increase(clamped.window, 10);
        NS_TEST_EXPECT_MSG_EQ(clamped.window.cwnd, 12, "slow start: clamp");
        clamped.window.ssthresh = 4;
        clamped.control->Increase(clamped.window, 100);
        NS_TEST_EXPECT_MSG_EQ(clamped.window.cwnd, 12, "avoidance: clamp");
    }
};

/// Names, and the default.
class LinuxCongestionKindsTest : public TestCase
{
  public:
    LinuxCongestionKindsTest()
        : TestCase("Linux congestion controls by name")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetLinuxCongestionKinds().front().name, "cubic", "the default");
        NS_TEST_EXPECT_MSG_EQ((FindLinuxCongestionKind("vegas") == nullptr), true, "unknown");
        for (const auto& kind : GetLinuxCongestionKinds())
        {
            NS_TEST_EXPECT_MSG_EQ(FindLinuxCongestionKind(kind.name), &kind, kind.name);
            NS_TEST_EXPECT_MSG_EQ((kind.make({}) != nullptr), true, kind.name);
        }
    }
};

/// The windowed maximum with three samples, worked out by hand.
class LinuxWindowedFilterTest : public TestCase
{
  public:
    LinuxWindowedFilterTest()
        : TestCase("Linux windowed maximum and minimum")
    {
    }

  private:
    void DoRun() override
    {
        // One large value lasts exactly a window
        LinuxWindowedMax peak;
        peak.Reset(0, 100);
        for (uint32_t time = 1; time <= 10; ++time)
        {
            peak.Update(10, time, 50);
            NS_TEST_EXPECT_MSG_EQ(peak.Get(), 100, "within the window, at " << time);
        }
        peak.Update(10, 11, 50);
        NS_TEST_EXPECT_MSG_EQ(peak.Get(), 50, "behind the window");

        // Falling values 100, 90, ...: the second choice is of time 3, which is after a quarter of
        // the window, the third of time 6, after a half
        LinuxWindowedMax fall;
        fall.Reset(0, 1000);
        for (uint32_t time = 1; time <= 10; ++time)
        {
            fall.Update(10, time, 1000 - 10 * time);
        }
        NS_TEST_EXPECT_MSG_EQ(fall.Get(), 1000, "the first value");
        fall.Update(10, 11, 890);
        NS_TEST_EXPECT_MSG_EQ(fall.Get(), 970, "the second choice");
        fall.Update(10, 14, 860);
        NS_TEST_EXPECT_MSG_EQ(fall.Get(), 940, "the third choice");
        fall.Update(10, 100, 1);
        NS_TEST_EXPECT_MSG_EQ(fall.Get(), 1, "nothing is left in the window");

        LinuxWindowedMax wrapped;
        wrapped.Reset(0xfffffffe, 7);
        wrapped.Update(10, 3, 5); // time wraps
        NS_TEST_EXPECT_MSG_EQ(wrapped.Get(), 7, "5 later");

        LinuxWindowedMin least;
        least.Update(10, 3, 7);
        NS_TEST_EXPECT_MSG_EQ(least.Get(), 7, "the first sample");
        least.Update(10, 4, 7);
        least.Update(10, 14, 8);
        NS_TEST_EXPECT_MSG_EQ(least.Get(), 7, "an equal value renews the minimum");
        least.Update(10, 15, 8);
        NS_TEST_EXPECT_MSG_EQ(least.Get(), 8, "11 later");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new LinuxRenoTest, new LinuxCongestionKindsTest, new LinuxWindowedFilterTest};
});

} // namespace
