/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"

#include "gridftp-test-cases.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * @ingroup gridftp
 * MI mode, Sec. 3.4, steps 1 to 4.
 */
class MiPolicyTest : public PolicyTest
{
  public:
    MiPolicyTest()
        : PolicyTest("MI: multiplies, then stays for ever")
    {
    }

  private:
    void DoRun() override
    {
        Use("mi", PAPER);
        // The goodputs of ns-2 over the paper's path: 25.4, 50.5, 95.5, 91.3 Mbit/s.
        Expect(Chunk(1, 25.4), 2, "25.4 > 20.9");
        Expect(Chunk(2, 50.5), 4, "50.5 > 41.8");
        Expect(Chunk(4, 95.5), 8, "95.5 > 83.6");
        Expect(Chunk(8, 91.3), 8, "91.3 <= 167.3: the end");
        Expect(Fast(8), 8, "never again");
        Expect(Slow(8), 8, "never again");

        NamedValues parameters = PAPER;
        parameters.Set("gamma", 1.5);
        Use("mi", parameters);
        Expect(Fast(1), 2, "1.5 up");
        Expect(Fast(2), 3, "3");
        Expect(Fast(3), 5, "4.5 up");
        Expect(Fast(5), 8, "7.5 up");

        parameters.Set("gamma", 1.000001);
        Use("mi", parameters);
        Expect(Fast(7), 8, "any excess goes up, so N always grows");

        parameters = PAPER;
        parameters.Set("max-parallelism", 6);
        parameters.Set("initial-parallelism", 2);
        Use("mi", parameters);
        Expect(Fast(2), 4, "below the cap");
        Expect(Fast(4), 6, "8 is above the cap");
        Expect(Fast(6), 6, "at the cap");
        Expect(Slow(6), 6, "the end");

        parameters.Set("gamma", 1024);
        Use("mi", parameters);
        Expect(Fast(2), 6, "no overflow");

        Use("mi", PAPER);
        Expect(Slow(1), 1, "the network limits a single connection: the end at once");
        Expect(Fast(1), 1, "never again");
    }
};

/**
 * @ingroup gridftp
 * MI+ mode, Sec. 3.4, steps 1 to 5.
 */
class MiPlusPolicyTest : public PolicyTest
{
  public:
    MiPlusPolicyTest()
        : PolicyTest("MI+: multiplies, takes the optimum once, then stays for ever")
    {
    }

  private:
    void DoRun() override
    {
        Use("mi-plus", PAPER);
        Expect(Fast(1), 2, "as MI");
        Expect(Fast(2), 4, "as MI");
        Expect(Fast(4), 8, "as MI");
        // B = 88 Mbit/s: Eq. (1) gives 78.41, 87.91, 87.87 for N = 3, 4, 5; see the fluid model's
        // test for the numbers.
        Expect(Chunk(8, 88), 4, "the optimum");
        Expect(Fast(4), 4, "never again");
        Expect(Slow(4), 4, "never again");
        Expect(Chunk(4, 50), 4, "never again");

        // B = 60 Mbit/s: N W / R = 52.27 for N = 2 and 78.41 for N = 3, where x = 103.048 / 3 =
        // 34.349, 1/p = -2 + 68.70 + 786.58, B (1 - p) = 59.93. The optimum is 3.
        Use("mi-plus", PAPER);
        Expect(Fast(1), 2, "as MI");
        Expect(Fast(2), 4, "as MI");
        Expect(Chunk(4, 60), 3, "the optimum");

        // The same with at most 2 connections.
        NamedValues parameters = PAPER;
        parameters.Set("max-parallelism", 2);
        Use("mi-plus", parameters);
        Expect(Chunk(2, 41), 2, "41 <= 41.8; 41 * (1 - p) is above 26.1, so 2 of at most 2");

        // B = 0.5 Mbit/s, 0.86 packets: the model says nothing.
        Use("mi-plus", PAPER);
        Expect(Chunk(1, 0.5), 1, "outside the model");
    }
};

/**
 * @ingroup gridftp
 * AIMD mode, Sec. 3.4.
 */
class AimdPolicyTest : public PolicyTest
{
  public:
    AimdPolicyTest()
        : PolicyTest("AIMD: adds, multiplies, and never ends")
    {
    }

  private:
    void DoRun() override
    {
        Use("aimd", PAPER);
        for (uint32_t n = 1; n < 7; ++n)
        {
            Expect(Fast(n), n + 1, "adds one");
        }
        Expect(Slow(7), 3, "3.5 down");
        Expect(Slow(3), 1, "1.5 down");
        Expect(Slow(1), 1, "never under 1");
        for (int i = 0; i < 50; ++i)
        {
            Expect(Fast(4), 5, "goes on for ever");
            Expect(Slow(5), 2, "2.5 down");
        }

        NamedValues parameters = PAPER;
        parameters.Set("alpha", 2.5);
        parameters.Set("beta", 0.1);
        parameters.Set("max-parallelism", 10);
        Use("aimd", parameters);
        Expect(Fast(1), 3, "3.5 down");
        Expect(Fast(3), 5, "5.5 down");
        Expect(Fast(9), 10, "11.5 is above the cap");
        Expect(Fast(10), 10, "at the cap");
        Expect(Slow(3), 2, "2.7 down");
        Expect(Slow(2), 1, "1.8 down");

        parameters.Set("beta", 0.999);
        Use("aimd", parameters);
        Expect(Slow(10), 1, "0.01, never under 1");

        parameters = PAPER;
        parameters.Set("alpha", 2.5);
        parameters.Set("max-parallelism", 10);
        parameters.Set("aimd-rounding", 1);
        Use("aimd", parameters);
        Expect(Slow(7), 4, "3.5 up");
        Expect(Slow(1), 1, "0.5 up");
        Expect(Slow(4), 2, "2 as it is");
        Expect(Fast(1), 4, "3.5 up");
        Expect(Fast(8), 10, "10.5 is above the cap");

        parameters.Set("beta", 0.7);
        Use("aimd", parameters);
        Expect(Slow(10), 3, "3, though 10 (1 - 0.7) is a little above it in binary");
        parameters.Set("beta", 0.9);
        parameters.Set("max-parallelism", 100);
        parameters.Set("aimd-rounding", 0);
        Use("aimd", parameters);
        Expect(Slow(20), 2, "2, though 20 (1 - 0.9) is a little below it in binary");
    }
};

/**
 * @ingroup gridftp
 * What GridFTP does without a tuner.
 */
class FixedPolicyTest : public PolicyTest
{
  public:
    FixedPolicyTest()
        : PolicyTest("fixed: the same number throughout")
    {
    }

  private:
    void DoRun() override
    {
        NamedValues parameters = PAPER;
        parameters.Set("parallelism", 5);
        Use("fixed", parameters);
        Expect(Fast(5), 5, "window-limited");
        Expect(Slow(5), 5, "network-limited");
    }
};

/**
 * @ingroup gridftp
 * Eq. (4), (7), (10) say G > eta N W / R; equal is not greater.
 */
class ThresholdTest : public PolicyTest
{
  public:
    ThresholdTest()
        : PolicyTest("MI, MI+, AIMD: G equal to the threshold is no increase")
    {
    }

  private:
    void DoRun() override
    {
        // All exact in binary: eta N W / R = 0.5 * 4 * 65536 * 8 / 0.5 = 2^21 bit/s;
        // G = 2^18 * 8 / 1 = 2^21 bit/s.
        NamedValues parameters = PAPER;
        parameters.Set("eta", 0.5);
        ChunkSample equal{.bytes = 1 << 18,
                          .fullBytes = 1 << 18,
                          .durationS = 1,
                          .rttS = 0.5,
                          .windowBytes = 65536,
                          .segmentBytes = 1460,
                          .parallelism = 4};
        NS_TEST_EXPECT_MSG_EQ(equal.GetGoodputBps(), 2097152, "G");
        NS_TEST_EXPECT_MSG_EQ(equal.GetWindowLimitBps(), 4194304, "N W / R");
        ChunkSample faster = equal;
        faster.durationS = std::nextafter(1.0, 0.0);

        Use("mi", parameters);
        Expect(faster, 8, "greater");
        Expect(equal, 4, "equal: the end");
        Expect(faster, 4, "never again");
        Use("mi-plus", parameters);
        Expect(faster, 8, "greater");
        // B R = 2^21 * 0.5 / 11680 = 89.78 packets; N W / R = 1.05e6 and 2.10e6 for N = 1, 2;
        // B (1 - p) is just under 2^21 for both. N = 2 is the first that is not window-limited.
        Expect(equal, 2, "equal: the optimum");
        Use("aimd", parameters);
        Expect(faster, 5, "greater");
        Expect(equal, 2, "equal: the decrease");
    }
};

/**
 * @ingroup gridftp
 * With stripes N is of a pair, and so is the goodput that is held against N W / R.
 */
class PairsTest : public PolicyTest
{
  public:
    PairsTest()
        : PolicyTest("MI, MI+, AIMD: of several pairs of stripes each has its part of the goodput")
    {
    }

  private:
    void DoRun() override
    {
        // The threshold is N * 20.90879 Mbit/s a pair.
        for (const std::string mode : {"mi", "aimd"})
        {
            Use(mode, PAPER);
            Expect(Striped(2, 4, 4 * 41.9), mode == "mi" ? 4 : 3, "above it in each of four");
        }
        Use("mi", PAPER);
        Expect(Striped(2, 4, 4 * 41.7), 2, "below it, though above in sum");
        Use("aimd", PAPER);
        Expect(Striped(4, 4, 4 * 41.7), 2, "below it, though above in sum");
        // Four pairs that share 4 G are, each, as one alone with G.
        for (const double goodput : {10.0, 20.0, 90.0})
        {
            auto alone = MakeTuningPolicy("mi-plus", PAPER);
            NS_TEST_ASSERT_MSG_EQ(Reason(alone), "no error", "");
            Use("mi-plus", PAPER);
            Expect(Striped(8, 4, 4 * goodput),
                   (*alone)->Decide(Chunk(8, goodput)),
                   "optimum of its part");
        }
    }

    /// @param parallelism N @param pairs P @param goodputMbps of all @return the sample
    static ChunkSample Striped(uint32_t parallelism, uint32_t pairs, double goodputMbps)
    {
        ChunkSample sample = Chunk(parallelism, goodputMbps);
        sample.pairs = pairs;
        return sample;
    }
};

/**
 * @ingroup gridftp
 * A sample that is not valid changes nothing, in no mode.
 */
class InvalidSampleTest : public PolicyTest
{
  public:
    InvalidSampleTest()
        : PolicyTest("all policies: an invalid sample changes nothing")
    {
    }

  private:
    void DoRun() override
    {
        const double infinity = std::numeric_limits<double>::infinity();
        std::vector<ChunkSample> bad(10, Slow(3));
        bad[0].bytes = 99'999'999; // the last chunk, a byte short
        bad[1].bytes = bad[1].fullBytes = 0;
        bad[2].durationS = 0;
        bad[3].durationS = -1;
        bad[4].durationS = infinity;
        bad[5].durationS = std::nan("");
        bad[6].rttS = 0; // no response time yet
        bad[7].rttS = std::nan("");
        bad[8].windowBytes = 0;
        bad[9].segmentBytes = 0;
        for (const auto& mode : GetTuningModes())
        {
            if (mode.need != TuningNeed::NUMBERS)
            {
                continue; // what decides hears of these, too
            }
            NamedValues parameters = GetTuningDefaults();
            parameters.Set("parallelism", 3);
            Use(mode.name, parameters);
            for (const auto& sample : bad)
            {
                NS_TEST_EXPECT_MSG_EQ(sample.IsValid(), false, "");
                Expect(sample, 3, mode.name);
            }
            ChunkSample none = Slow(0);
            NS_TEST_EXPECT_MSG_EQ(none.IsValid(), false, "no connection");
            Expect(none, 1, "never under 1");
            // Nothing has begun or ended: were these samples counted, MI and MI+ would stay.
            const auto fresh = MakeTuningPolicy(mode.name, parameters);
            Expect(Fast(3), (*fresh)->Decide(Fast(3)), mode.name);
        }
        NS_TEST_EXPECT_MSG_EQ(Slow(3).IsValid(), true, "unspoilt");
        NS_TEST_EXPECT_MSG_EQ(bad[2].GetGoodputBps(), 0, "no duration");
        NS_TEST_EXPECT_MSG_EQ(bad[6].GetWindowLimitBps(), 0, "no R");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new MiPolicyTest,
            new MiPlusPolicyTest,
            new AimdPolicyTest,
            new ThresholdTest,
            new PairsTest,
            new InvalidSampleTest,
            new FixedPolicyTest};
});

} // namespace ns3::gridftp
