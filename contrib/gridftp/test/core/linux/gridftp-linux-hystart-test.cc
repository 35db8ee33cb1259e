/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-congestion-test.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A sender in its first slow start, whose rounds the test sets.
struct SlowStarter : LinuxControlled
{
    /// @param parameters of cubic @param cwnd segments
    explicit SlowStarter(const LinuxCongestionParameters& parameters = {}, uint32_t cwnd = 100)
        : LinuxControlled("cubic", parameters)
    {
        window.cwnd = cwnd;
        control->Init(window);
    }

    /// A round begins with the next sample.
    void BeginRound()
    {
        window.sndUna = window.sndNxt + 1;
        window.sndNxt += 1000;
    }

    /// @param count samples, 5 ms after each other: no train @param rttUs their RTT, us
    void SampleSlowly(int count, int64_t rttUs)
    {
        for (; count > 0; --count)
        {
            Wait(5000);
            Sample(rttUs);
        }
    }

    /// @return whether slow start has ended
    bool HasEnded() const
    {
        return window.ssthresh == window.cwnd;
    }

    /// @param segments acknowledged by one ACK @return growth of cwnd, segments
    uint32_t Grow(uint32_t segments)
    {
        const uint32_t before = window.cwnd;
        control->Increase(window, segments);
        return window.cwnd - before;
    }
};

/// HyStart of the kernel: thresholds, samples, trains.
class LinuxHystartTest : public TestCase
{
  public:
    LinuxHystartTest()
        : TestCase("Linux cubic: HyStart ends slow start")
    {
    }

  private:
    void DoRun() override
    {
        // An eighth, from 4 ms to 16 ms
        EndByDelay(10'000, 4000);
        EndByDelay(31'999, 4000);
        EndByDelay(40'000, 5000);
        EndByDelay(100'007, 12'500);
        EndByDelay(200'000, 16'000);
        UseMinimumOfRound();
        EndByTrain(false, 0, 20'000);
        EndByTrain(true, 0, 40'000);
        EndByTrain(false, 1'000'000'000, 20'130); // 4 * 65215 bytes at 1 GB/s: 260 us
        EndByTrain(true, 1'000'000'000, 40'260);
        EndByTrain(true, 1000, 41'000); // 1 ms at most
        BreakTrain();
        WaitForLowWindow();
        BeSwitchedOff();
        EndOnce();
    }

    /// @param minUs minimum RTT @param thresholdUs growth that does not end slow start yet
    void EndByDelay(int64_t minUs, int64_t thresholdUs)
    {
        for (const int64_t more : {0, 1})
        {
            SlowStarter sender;
            sender.SampleSlowly(1, minUs);
            sender.BeginRound();
            sender.SampleSlowly(8, minUs + thresholdUs + more);
            NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "8 samples, " << minUs);
            sender.SampleSlowly(1, minUs + thresholdUs + more);
            NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), (more == 1), "9 samples, " << minUs);
        }
    }

    /// The least RTT of the round counts; the next round begins anew.
    void UseMinimumOfRound()
    {
        SlowStarter sender;
        sender.SampleSlowly(1, 40'000);
        sender.BeginRound();
        sender.SampleSlowly(1, 45'000);
        sender.SampleSlowly(20, 60'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "one small RTT");
        sender.BeginRound();
        sender.SampleSlowly(8, 60'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "8 samples of the new round");
        sender.SampleSlowly(1, 60'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), true, "9 samples of the new round");
    }

    /// @param isPaced pacing @param rate bytes/s @param thresholdUs longest train
    void EndByTrain(bool isPaced, uint64_t rate, Nanoseconds thresholdUs)
    {
        SlowStarter sender;
        sender.window.needsPacing = isPaced;
        sender.window.pacingRate = rate;
        sender.BeginRound();
        sender.Sample(40'000);
        const Nanoseconds start = sender.window.now;
        while (!sender.HasEnded() && sender.window.now - start < 100'000'000)
        {
            sender.Wait(10);
            sender.Sample(40'000);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.window.now - start, (thresholdUs + 10) * 1000, "train");
    }

    /// A gap of 2 ms belongs to a train, a longer one ends it for this round.
    void BreakTrain()
    {
        for (const Nanoseconds gap : {2000, 2001})
        {
            SlowStarter sender;
            sender.BeginRound();
            sender.Sample(40'000);
            sender.Wait(gap);
            sender.Sample(40'000);
            for (int ack = 0; ack < 30; ++ack)
            {
                sender.Wait(1000);
                sender.Sample(40'000);
            }
            NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), (gap == 2000), "gap of " << gap << " us");
        }
    }

    /// Below 16 segments nothing ends slow start, but rounds begin (Linux 6.14).
    void WaitForLowWindow()
    {
        SlowStarter sender({}, 15);
        sender.SampleSlowly(1, 40'000);
        sender.BeginRound();
        sender.SampleSlowly(20, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "15 segments");
        sender.BeginRound();
        sender.Wait(5000);
        sender.Sample(40'000); // the round begins here
        const Nanoseconds start = sender.window.now;
        sender.window.cwnd = 16;
        while (!sender.HasEnded() && sender.window.now - start < 100'000'000)
        {
            sender.Wait(1000);
            sender.Sample(40'000);
        }
        NS_TEST_EXPECT_MSG_EQ(sender.window.now - start, 21'000'000, "train since the round began");
    }

    /// Without HyStart slow start goes on.
    void BeSwitchedOff()
    {
        SlowStarter sender({.hystart = false});
        sender.SampleSlowly(1, 40'000);
        sender.BeginRound();
        sender.SampleSlowly(20, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "no HyStart");
    }

    /// Once per slow start; a timeout rearms it.
    void EndOnce()
    {
        SlowStarter sender;
        sender.SampleSlowly(1, 40'000);
        sender.BeginRound();
        sender.SampleSlowly(9, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), true, "delay");
        sender.window.ssthresh = 1000; // as an undo may set it
        sender.BeginRound();
        sender.SampleSlowly(9, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "only once");
        sender.control->HandleState(sender.window, LinuxCaState::LOSS);
        sender.SampleSlowly(1, 40'000);
        sender.BeginRound();
        sender.SampleSlowly(9, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), true, "anew after a timeout");
    }
};

/// HyStart++ (RFC 9406).
class LinuxHystartPlusTest : public TestCase
{
  public:
    LinuxHystartPlusTest()
        : TestCase("Linux cubic: HyStart++, conservative slow start")
    {
    }

  private:
    static constexpr LinuxCongestionParameters PLUS{.hystartPlus = true};

    void DoRun() override
    {
        SlowDown(40'000, 5000);
        SlowDown(20'000, 4000);
        SlowDown(400'000, 16'000);
        LimitBursts();
        EndAfterFiveRounds();
        Resume();
        EndWithLoss();
    }

    /// One RTT of a round that is as the last one's.
    static void Round(SlowStarter& sender, int64_t rttUs)
    {
        sender.BeginRound();
        sender.SampleSlowly(8, rttUs);
    }

    /// @param minUs RTT of the last round @param thresholdUs growth that slows down
    void SlowDown(int64_t minUs, int64_t thresholdUs)
    {
        for (const int64_t less : {0, 1})
        {
            SlowStarter sender(PLUS);
            Round(sender, minUs);
            sender.BeginRound();
            sender.SampleSlowly(7, minUs + thresholdUs - less);
            NS_TEST_EXPECT_MSG_EQ(sender.Grow(8), 8, "7 samples, " << minUs);
            sender.SampleSlowly(1, minUs + thresholdUs - less);
            NS_TEST_EXPECT_MSG_EQ(sender.Grow(8), (less == 0 ? 2 : 8), "8 samples, " << minUs);
        }
        // The last round is the reference, not the minimum of all
        SlowStarter sender(PLUS);
        Round(sender, minUs);
        Round(sender, minUs + thresholdUs - 1);
        Round(sender, minUs + 2 * thresholdUs - 2);
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(8), 8, "slow growth, " << minUs);
    }

    /// L = 8 segments per ACK, unless the sender paces.
    void LimitBursts()
    {
        SlowStarter sender(PLUS);
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(20), 8, "not paced");
        sender.window.needsPacing = true;
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(20), 20, "paced");
    }

    /// The round in which it begins is the first of five; a quarter of the growth, no ACK lost.
    void EndAfterFiveRounds()
    {
        SlowStarter sender(PLUS);
        Round(sender, 40'000);
        Round(sender, 50'000);
        uint32_t growth = 0;
        for (int ack = 0; ack < 42; ++ack)
        {
            growth += sender.Grow(1);
        }
        NS_TEST_EXPECT_MSG_EQ(growth, 10, "42 / 4");
        for (int round = 2; round <= 5; ++round)
        {
            Round(sender, 50'000);
            NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "round " << round);
        }
        Round(sender, 50'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), true, "five rounds have ended");
    }

    /// A smaller RTT shows that the growth was spurious.
    void Resume()
    {
        SlowStarter sender(PLUS);
        Round(sender, 40'000);
        Round(sender, 50'000);
        Round(sender, 50'000);
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(8), 2, "an equal RTT");
        Round(sender, 49'999);
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(8), 8, "a smaller RTT");
        // The rounds count anew
        Round(sender, 60'000);
        for (int round = 2; round <= 5; ++round)
        {
            Round(sender, 60'000);
            NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), false, "round " << round);
        }
        Round(sender, 60'000);
        NS_TEST_EXPECT_MSG_EQ(sender.HasEnded(), true, "five rounds have ended");
    }

    /// Later slow starts end at ssthresh only.
    void EndWithLoss()
    {
        SlowStarter sender(PLUS);
        Round(sender, 40'000);
        sender.window.ssthresh = 1000;
        Round(sender, 80'000);
        NS_TEST_EXPECT_MSG_EQ(sender.Grow(20), 20, "no HyStart++");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new LinuxHystartTest, new LinuxHystartPlusTest};
});

} // namespace
