/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-middlebox.h"
#include "gridftp-rate-floor.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/// What middleboxes discard, and when a client is too slow.
class MiddleboxTest : public TestCase
{
  public:
    MiddleboxTest()
        : TestCase("middleboxes: idle connections, large packets; the least rate of a client")
    {
    }

  private:
    void DoRun() override
    {
        CheckEntries();
        CheckHoles();
        CheckFloor();
    }

    /// A packet every 10 s keeps an entry of 10 s and 1 ns; one that comes later finds none.
    void CheckEntries()
    {
        const IdleRule rule{{20 * SECOND, 100 * SECOND}, 10 * SECOND + 1};
        MiddleboxEntry busy({rule});
        for (int64_t s = 0; s < 200; s += 10)
        {
            NS_TEST_EXPECT_MSG_EQ(busy.Discards(s * SECOND), false, s << " s");
        }
        MiddleboxEntry idle({rule});
        NS_TEST_EXPECT_MSG_EQ(idle.Discards(0), false, "the first packet makes the entry");
        NS_TEST_EXPECT_MSG_EQ(idle.Discards(19 * SECOND), false, "nothing is forgotten yet");
        NS_TEST_EXPECT_MSG_EQ(idle.Discards(30 * SECOND), true, "11 s later");
        NS_TEST_EXPECT_MSG_EQ(idle.Discards(31 * SECOND), true, "for ever");
        MiddleboxEntry early({rule});
        NS_TEST_EXPECT_MSG_EQ(early.Discards(0), false, "");
        NS_TEST_EXPECT_MSG_EQ(early.Discards(20 * SECOND), true, "idle when the time begins");
        MiddleboxEntry late({rule});
        NS_TEST_EXPECT_MSG_EQ(late.Discards(95 * SECOND), false, "");
        NS_TEST_EXPECT_MSG_EQ(late.Discards(150 * SECOND), false, "forgotten behind the end");
        MiddleboxEntry none({});
        NS_TEST_EXPECT_MSG_EQ((none.Discards(0) || none.Discards(INT64_MAX / 2)), false, "no rule");
    }

    /// Above 1400 bytes, from 1 s to 2 s.
    void CheckHoles()
    {
        const std::vector<SizeHole> holes{{{SECOND, 2 * SECOND}, 1400}};
        NS_TEST_EXPECT_MSG_EQ(IsTooLarge(holes, SECOND, 1401), true, "");
        NS_TEST_EXPECT_MSG_EQ(IsTooLarge(holes, SECOND, 1400), false, "");
        NS_TEST_EXPECT_MSG_EQ(IsTooLarge(holes, SECOND - 1, 1500), false, "before");
        NS_TEST_EXPECT_MSG_EQ(IsTooLarge(holes, 2 * SECOND, 1500), false, "behind");
    }

    /// 1 Mbit/s over 10 s are 1,250,000 bytes.
    void CheckFloor()
    {
        RateFloor none;
        NS_TEST_EXPECT_MSG_EQ(none.IsWaiting(), false, "no limit");
        RateFloor floor(1'000'000, 10 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(floor.IsWaiting(), true, "");
        NS_TEST_EXPECT_MSG_EQ(floor.Begin(500), 10 * SECOND, "");
        NS_TEST_EXPECT_MSG_EQ(floor.IsWaiting(), false, "it has begun");
        NS_TEST_EXPECT_MSG_EQ(floor.IsTooSlow(1'250'500), false, "just enough");
        NS_TEST_EXPECT_MSG_EQ(floor.IsTooSlow(2'500'499), true, "a byte less");
        NS_TEST_EXPECT_MSG_EQ(floor.IsTooSlow(0), true, "never below zero");
        floor.HandleMarker(1, 30);
        floor.HandleMarker(0, 20);
        floor.HandleMarker(1, 50);
        NS_TEST_EXPECT_MSG_EQ(floor.GetMarked(), 70, "the last marker of each stripe");
        floor.HandleComplete(100);
        NS_TEST_EXPECT_MSG_EQ(floor.GetMarked(), 100, "of complete transfers");
    }
};

const OwnTestCases g_cases([] { return std::vector<TestCase*>{new MiddleboxTest}; });

} // namespace
