/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-pipe-test.h"

#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// 1000 segments/s, RTT 41 ms: a bandwidth-delay product of 41 segments.
constexpr Nanoseconds SEGMENT_US = 1000;
constexpr Nanoseconds DELAY_US = 40'000;
constexpr int64_t RTT_US = SEGMENT_US + DELAY_US;
/// Pacing rate with a gain of 1, bytes/s: 1 % below the bandwidth.
constexpr double BASE_RATE = 1460 * 1000 * 0.99;
constexpr Nanoseconds SECOND = 1'000'000'000;

/// A time during which the pacing gain was the same.
struct Phase
{
    double gain{0};        //!< pacing rate / BASE_RATE
    Nanoseconds start{0};  //!< of the first ACK
    Nanoseconds length{0}; //!< until the first ACK of the next one
    int64_t minRttUs{0};   //!< smallest RTT
    int64_t maxRttUs{0};   //!< largest RTT
    uint32_t minCwnd{~0U}; //!< smallest cwnd
};

/// @param pipe runs @param until ns @return phases since its start, the last one is not complete
std::vector<Phase>
Watch(LinuxPipe& pipe, Nanoseconds until)
{
    std::vector<Phase> phases;
    pipe.onAck = [&] {
        const double gain = static_cast<double>(pipe.window.pacingRate) / BASE_RATE;
        if (phases.empty() || std::abs(gain - phases.back().gain) > 0.01)
        {
            if (!phases.empty())
            {
                phases.back().length = pipe.window.now - phases.back().start;
            }
            phases.push_back({gain, pipe.window.now, 0, pipe.rttUs, pipe.rttUs, ~0U});
        }
        auto& phase = phases.back();
        phase.minRttUs = std::min(phase.minRttUs, pipe.rttUs);
        phase.maxRttUs = std::max(phase.maxRttUs, pipe.rttUs);
        phase.minCwnd = std::min(phase.minCwnd, pipe.window.cwnd);
    };
    pipe.Run(until);
    pipe.onAck = nullptr;
    return phases;
}

/// Modes on an ideal path.
class LinuxBbrPipeTest : public TestCase
{
  public:
    LinuxBbrPipeTest()
        : TestCase("Linux bbr: STARTUP, DRAIN, PROBE_BW and PROBE_RTT on an ideal path")
    {
    }

  private:
    void DoRun() override
    {
        StartAndDrain();
        Cycle();
        ProbeRtt();
        StartAtRandomPhase();
    }

    /// The pipe is full within a few rounds; the queue of STARTUP is drained at 88/256.
    void StartAndDrain()
    {
        LinuxPipe pipe("bbr", {}, SEGMENT_US, DELAY_US);
        // 739/256 * 10 segments / 41 ms
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(pipe.window.pacingRate),
                                  739 / 256.0 * 10 / 0.041 * 1460 * 0.99,
                                  500,
                                  "initial pacing rate");
        NS_TEST_EXPECT_MSG_EQ(pipe.window.needsPacing, true, "it paces");
        std::vector<double> gains;
        Nanoseconds full = 0;
        pipe.onAck = [&] {
            if (pipe.window.ssthresh != LinuxWindow::NO_SSTHRESH)
            {
                full = full == 0 ? pipe.window.now : full;
                gains.push_back(static_cast<double>(pipe.window.pacingRate) / BASE_RATE);
            }
        };
        pipe.Run(SECOND);
        NS_TEST_EXPECT_MSG_EQ(pipe.window.ssthresh, 48, "41 and three bursts of 2, rounded up");
        NS_TEST_EXPECT_MSG_GT(full, 5 * RTT_US * 1000, "3 rounds to fill, 3 without growth");
        NS_TEST_EXPECT_MSG_LT(full, 12 * RTT_US * 1000, "and not many more");
        NS_TEST_EXPECT_MSG_EQ_TOL(gains.at(0), 88 / 256.0, 0.001, "DRAIN");
        const auto drained =
            std::find_if(gains.begin(), gains.end(), [](double gain) { return gain > 0.5; });
        NS_TEST_EXPECT_MSG_EQ((drained != gains.end()), true, "PROBE_BW");
    }

    /// 5/4 for a minimum RTT or until 5/4 of the BDP are in flight, 3/4 until the queue is empty,
    /// then 1 for six minimum RTTs.
    void Cycle()
    {
        LinuxPipe pipe("bbr", {}, SEGMENT_US, DELAY_US);
        pipe.Run(2 * SECOND);
        const auto phases = Watch(pipe, 9 * SECOND);
        NS_TEST_EXPECT_MSG_GT(phases.size(), 45, "15 cycles");
        for (std::size_t i = 2; i + 1 < phases.size(); ++i)
        {
            const auto& phase = phases[i];
            const double ms = static_cast<double>(phase.length) / 1e6;
            const double last = phases[i - 1].gain;
            if (phase.gain > 1.1)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(phase.gain, 1.25, 0.002, "probing");
                NS_TEST_EXPECT_MSG_EQ_TOL(last, 1, 0.002, "after cruising");
                NS_TEST_EXPECT_MSG_GT(ms, 41, "more than the minimum RTT");
                NS_TEST_EXPECT_MSG_LT(ms, 4 * 41, "until the queue has grown");
                NS_TEST_EXPECT_MSG_LT(phase.maxRttUs, 41'000 * 8 / 5, "a quarter, and bursts");
            }
            else if (phase.gain < 0.9)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(phase.gain, 0.75, 0.002, "draining");
                NS_TEST_EXPECT_MSG_EQ_TOL(last, 1.25, 0.002, "after probing");
                NS_TEST_EXPECT_MSG_LT(ms, 44, "a minimum RTT at most");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(phase.gain, 1, 0.002, "cruising");
                NS_TEST_EXPECT_MSG_EQ_TOL(last, 0.75, 0.002, "after draining");
                // Each phase ends with the first ACK after more than 41 ms
                NS_TEST_EXPECT_MSG_EQ_TOL(ms, 6 * 42, 4, "six phases");
                NS_TEST_EXPECT_MSG_LT(phase.minRttUs, 52'000, "the queue has drained");
            }
        }
        const double rate = static_cast<double>(pipe.window.delivered) / 9;
        NS_TEST_EXPECT_MSG_GT(rate, 980, "the bottleneck is busy");
    }

    /// After 10 s: 4 segments in flight for 200 ms and a round, then cwnd as before.
    void ProbeRtt()
    {
        LinuxPipe pipe("bbr", {}, SEGMENT_US, DELAY_US);
        std::vector<Nanoseconds> starts;
        std::vector<Nanoseconds> ends;
        uint32_t before = 0;
        uint32_t last = 0;
        pipe.onAck = [&] {
            const uint32_t cwnd = pipe.window.cwnd;
            if (cwnd == 4 && last > 4)
            {
                before = last;
                starts.push_back(pipe.window.now);
            }
            if (cwnd > 4 && last == 4)
            {
                ends.push_back(pipe.window.now);
                NS_TEST_EXPECT_MSG_EQ_TOL(cwnd, before, 4, "cwnd is restored");
            }
            last = cwnd;
        };
        pipe.Run(25 * SECOND);
        NS_TEST_ASSERT_MSG_EQ(starts.size(), 2, "in 25 s");
        NS_TEST_ASSERT_MSG_EQ(ends.size(), 2, "in 25 s");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(starts[0]) / 1e9,
                                  10,
                                  0.05,
                                  "10 s after the start");
        for (const std::size_t i : {0U, 1U})
        {
            const double ms = static_cast<double>(ends[i] - starts[i]) / 1e6;
            NS_TEST_EXPECT_MSG_GT(ms, 200, "200 ms");
            NS_TEST_EXPECT_MSG_LT(ms, 200 + 3 * 41, "200 ms, the flight before, a round");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(starts[1] - ends[0]) / 1e9,
                                  10,
                                  0.1,
                                  "10 s after the end");
    }

    /// PROBE_BW starts with each phase but the draining one, as the seed wants it.
    void StartAtRandomPhase()
    {
        std::multiset<int> firsts;
        for (uint32_t seed = 1; seed <= 70; ++seed)
        {
            LinuxPipe pipe("bbr", {.seed = seed}, SEGMENT_US, DELAY_US);
            LinuxPipe again("bbr", {.seed = seed}, SEGMENT_US, DELAY_US);
            const auto phases = Watch(pipe, SECOND);
            again.Run(SECOND);
            NS_TEST_EXPECT_MSG_EQ(again.window.pacingRate, pipe.window.pacingRate, "same seed");
            NS_TEST_EXPECT_MSG_EQ(again.window.delivered, pipe.window.delivered, "same seed");
            const auto drain = std::find_if(phases.begin(), phases.end(), [](const Phase& phase) {
                return phase.gain < 0.4;
            });
            NS_TEST_ASSERT_MSG_EQ((drain + 2 < phases.end()), true, "PROBE_BW in 1 s");
            const auto& first = drain[1];
            NS_TEST_EXPECT_MSG_GT(first.gain, 0.9, "no draining phase");
            const bool isProbing = first.gain > 1.1;
            firsts.insert(isProbing ? 0 : static_cast<int>(first.length / (RTT_US * 1000)));
        }
        // 1 to 6 cruising phases, or the probing one: 10 of 70 each on average
        for (int length = 0; length <= 6; ++length)
        {
            NS_TEST_EXPECT_MSG_GT(firsts.count(length), 2, "phases " << length);
            NS_TEST_EXPECT_MSG_LT(firsts.count(length), 22, "phases " << length);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new LinuxBbrPipeTest}; });

} // namespace
