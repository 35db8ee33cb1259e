/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CORE_TUNING_TEST_H
#define GRIDFTP_CORE_TUNING_TEST_H

#include "gridftp-chunk-sample.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"
#include "gridftp-tuning-mode.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of tuners share: made-up samples, and a policy that decides on them.
 */

namespace ns3::gridftp
{

/// The paper's parameters (Ito et al., Sec. 4).
inline const NamedValues PAPER{{"parallelism", 1},
                               {"initial-parallelism", 1},
                               {"max-parallelism", 1024},
                               {"eta", 0.8},
                               {"gamma", 2},
                               {"alpha", 1},
                               {"beta", 0.5},
                               {"aimd-rounding", 0}};

/// @return the defaults of the parameters of all tuners
inline NamedValues
GetTuningDefaults()
{
    return MakeDefaultRequest().scenario.sessions.front().tuning;
}

/**
 * A chunk of 100 MB over the paper's path: W / R = 65536 * 8 / 0.02006 = 26.13599 Mbit/s for each
 * connection, so that N counts as window-limited above 0.8 of it: N * 20.90879 Mbit/s.
 * @param parallelism N
 * @param goodputMbps G
 * @return the sample
 */
inline ChunkSample
Chunk(uint32_t parallelism, double goodputMbps)
{
    return {.bytes = 100'000'000,
            .fullBytes = 100'000'000,
            .durationS = 800 / goodputMbps,
            .rttS = 0.02006,
            .windowBytes = 65536,
            .segmentBytes = 1460,
            .parallelism = parallelism};
}

/// A sample of N connections that the windows limit, far above any threshold.
inline ChunkSample
Fast(uint32_t parallelism)
{
    return Chunk(parallelism, 25.0 * parallelism);
}

/// A sample of N connections that the network limits, far below any threshold.
inline ChunkSample
Slow(uint32_t parallelism)
{
    return Chunk(parallelism, 1.0 * parallelism);
}

/// What test cases do with a policy, without a network.
class PolicyTest : public TestCase
{
  public:
    /// @param name of the case
    explicit PolicyTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * Makes a policy that the following Expect() are about.
     * @param mode as in --mode
     * @param parameters its numbers
     */
    void Use(std::string_view mode, const NamedValues& parameters)
    {
        auto made = MakeTuningPolicy(mode, parameters);
        NS_TEST_ASSERT_MSG_EQ(Reason(made), "no error", mode);
        m_policy = std::move(*made);
        for (const auto* first : {&PARALLELISM, &INITIAL_PARALLELISM})
        {
            if (FindTuningMode(mode)->Takes(*first))
            {
                NS_TEST_EXPECT_MSG_EQ(m_policy->GetInitialParallelism(),
                                      first->Of(parameters),
                                      mode);
            }
        }
    }

    /**
     * One step.
     * @param sample of the chunk
     * @param next the expected parallelism of the next one
     * @param why the rule
     */
    void Expect(const ChunkSample& sample, uint32_t next, std::string_view why)
    {
        NS_TEST_EXPECT_MSG_EQ(m_policy->Decide(sample), next, why);
    }

  private:
    std::unique_ptr<TuningPolicy> m_policy; //!< under test
};

/// Lets one tuner decide on made-up goodputs, chunk by chunk.
class TunerTest : public TestCase
{
  public:
    /// @param name of the case @param mode as in --mode
    TunerTest(const std::string& name, std::string_view mode)
        : TestCase(name),
          m_mode(mode)
    {
    }

  protected:
    /// Mbit/s with so many connections.
    using Curve = std::function<double(uint32_t parallelism)>;

    /// Parameters that are not the defaults.
    using Changes = std::map<std::string_view, double>;

    /// @param changed parameters @return the policy
    std::unique_ptr<TuningPolicy> MakePolicy(const Changes& changed)
    {
        NamedValues parameters = GetTuningDefaults();
        for (const auto& [name, value] : changed)
        {
            parameters.Set(name, value);
        }
        auto made = MakeTuningPolicy(m_mode, parameters);
        NS_TEST_EXPECT_MSG_EQ(Reason(made), "no error", "in range");
        return made ? std::move(*made) : nullptr;
    }

    /**
     * @param what the curve is
     * @param expected parallelism of each chunk
     * @param curve goodput
     * @param changed parameters
     */
    void Expect(const std::string& what,
                const std::vector<uint32_t>& expected,
                const Curve& curve,
                const Changes& changed = {})
    {
        const auto policy = MakePolicy(changed);
        uint32_t n = policy->GetInitialParallelism();
        std::string said;
        std::string wanted;
        for (const uint32_t next : expected)
        {
            said += std::to_string(n) + " ";
            wanted += std::to_string(next) + " ";
            n = policy->Decide(Chunk(n, curve(n)));
        }
        NS_TEST_EXPECT_MSG_EQ(said, wanted, what);
    }

  private:
    std::string_view m_mode; //!< as in --mode
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CORE_TUNING_TEST_H
