/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-pipe-test.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;
/// Pacing gain of the phase in which the queue drains.
constexpr double DOWN = 232 / 256.0;

/// Modes on an ideal path.
class LinuxBbr3PipeTest : public TestCase
{
  public:
    LinuxBbr3PipeTest()
        : TestCase("Linux bbr3: states on an ideal path")
    {
    }

  private:
    void DoRun() override
    {
        Start();
        // DOWN and CRUISE take 42 rounds of 41 ms, as many as Reno takes to lose, then come a round
        // of REFILL and 3 to 6 of UP, which are longer
        ProbeEvery(1000, 40'000, (42 + 1 + 3) * 0.041, (42 + 1 + 6) * 0.0435);
        // 63 rounds of 20 ms at most
        ProbeEvery(100, 20'000, (62 + 1 + 3) * 0.0201, (63 + 1 + 6) * 0.0213);
        // 2 to 3 s
        ProbeEvery(1000, 200'000, 2 + 4 * 0.201, 3 + 9 * 0.201);
        ProbeRtt();
        FollowBandwidth();
        UseShallowQueue();
    }

    /// The maximum is that of this probing cycle and the last one: half the bandwidth, and back.
    void FollowBandwidth()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        pipe.Run(4 * SECOND);
        pipe.SetSegmentTime(2000);
        pipe.Run(16 * SECOND); // three cycles of 2 to 3 s, twice PROBE_RTT
        NS_TEST_EXPECT_MSG_LT(static_cast<double>(pipe.window.pacingRate), 1.3 * 730 * 990, "half");
        pipe.SetSegmentTime(1000);
        pipe.Run(26 * SECOND);
        const uint64_t before = pipe.window.delivered;
        pipe.Run(30 * SECOND);
        NS_TEST_EXPECT_MSG_GT(pipe.window.delivered - before, 3700, "the whole bandwidth");
    }

    /// A queue of a quarter of the BDP: version 3 loses little, version 1 a lot.
    void UseShallowQueue()
    {
        std::vector<double> losses;
        for (const std::string_view tcp : {"bbr", "bbr3"})
        {
            LinuxPipe pipe(tcp, {}, 1000, 40'000);
            pipe.queueLimit = 10;
            pipe.Run(2 * SECOND);
            const uint64_t delivered = pipe.window.delivered;
            const uint64_t lost = pipe.window.lost;
            pipe.Run(30 * SECOND);
            const auto arrived = static_cast<double>(pipe.window.delivered - delivered);
            losses.push_back(static_cast<double>(pipe.window.lost - lost) / arrived);
            NS_TEST_EXPECT_MSG_GT(arrived / 28, 850, tcp << " uses the path");
        }
        NS_TEST_EXPECT_MSG_LT(losses[1], 0.02, "less than 2 %");
        NS_TEST_EXPECT_MSG_LT(losses[1], losses[0] / 2, "less than version 1");
    }

    /// Gains of STARTUP and DRAIN.
    void Start()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(pipe.window.pacingRate),
                                  710 / 256.0 * 10 / 0.041 * 1460 * 0.99,
                                  500,
                                  "initial pacing rate");
        double drain = 0;
        pipe.onAck = [&] {
            if (drain == 0 && pipe.window.ssthresh != LinuxWindow::NO_SSTHRESH)
            {
                drain = static_cast<double>(pipe.window.pacingRate);
            }
        };
        pipe.Run(SECOND);
        NS_TEST_EXPECT_MSG_EQ(pipe.window.ssthresh, 42, "the BDP, as bandwidth is rounded up");
        NS_TEST_EXPECT_MSG_EQ_TOL(drain, 88 / 256.0 * 1460 * 990, 500, "DRAIN");
    }

    /// @param segmentUs of the bottleneck @param delayUs of the path @param least s between the
    /// starts of UP @param most s between them
    void ProbeEvery(Nanoseconds segmentUs, Nanoseconds delayUs, double least, double most)
    {
        LinuxPipe pipe("bbr3", {}, segmentUs, delayUs);
        const double base = 1460 * 0.99 * 1e6 / static_cast<double>(segmentUs);
        std::vector<double> starts;
        std::vector<double> lengths;
        bool isUp = false;
        pipe.onAck = [&] {
            const double gain = static_cast<double>(pipe.window.pacingRate) / base;
            const double now = static_cast<double>(pipe.window.now) / 1e9;
            if (!isUp && gain > 1.2 && now > 1.5)
            {
                starts.push_back(now);
            }
            if (isUp && gain < 1.2 && !starts.empty())
            {
                lengths.push_back(now - starts.back());
                NS_TEST_EXPECT_MSG_EQ_TOL(gain, DOWN, 0.02, "after UP");
            }
            isUp = gain > 1.2;
        };
        pipe.Run(5 * SECOND); // before PROBE_RTT
        NS_TEST_EXPECT_MSG_GT(starts.size(), 0, "probes");
        for (std::size_t i = 1; i < starts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(starts[i] - starts[i - 1], least, "between probings");
            NS_TEST_EXPECT_MSG_LT(starts[i] - starts[i - 1], most, "between probings");
        }
        const double rtt = static_cast<double>(segmentUs + delayUs) / 1e6;
        for (const double length : lengths)
        {
            NS_TEST_EXPECT_MSG_GT(length, 3 * rtt, "three rounds without growth");
            NS_TEST_EXPECT_MSG_LT(length, 7 * rtt, "three longer rounds without growth");
        }
    }

    /// Every 5 s: half the BDP in flight for 200 ms and a round.
    void ProbeRtt()
    {
        LinuxPipe pipe("bbr3", {}, 1000, 40'000);
        std::vector<double> starts;
        bool isLow = false;
        pipe.onAck = [&] {
            const double now = static_cast<double>(pipe.window.now) / 1e9;
            const bool low = pipe.window.cwnd <= 21;
            if (low && !isLow && now > 1)
            {
                NS_TEST_EXPECT_MSG_EQ(pipe.window.cwnd, 21, "ceil(41 / 2)");
                starts.push_back(now);
            }
            if (!low && isLow && now > 1)
            {
                NS_TEST_EXPECT_MSG_GT(now - starts.back(), 0.2, "200 ms");
                NS_TEST_EXPECT_MSG_LT(now - starts.back(), 0.36, "200 ms, and rounds");
            }
            isLow = low;
        };
        pipe.Run(16 * SECOND);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 3, "in 16 s");
        NS_TEST_EXPECT_MSG_EQ_TOL(starts[0], 5, 0.1, "5 s after the start");
        NS_TEST_EXPECT_MSG_EQ_TOL(starts[1] - starts[0], 5.3, 0.1, "5 s after the end");
        NS_TEST_EXPECT_MSG_GT(static_cast<double>(pipe.window.delivered) / 16, 950, "it is busy");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxBbr3PipeTest}; });

} // namespace
