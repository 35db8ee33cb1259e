/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-tuning-policy.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The paper's parameters (Ito et al., Sec. 4).
constexpr TuningParameters PAPER{.parallelism = 1,
                                 .initialParallelism = 1,
                                 .maxParallelism = 1024,
                                 .eta = 0.8,
                                 .gamma = 2,
                                 .alpha = 1,
                                 .beta = 0.5};

/**
 * @ingroup gridftp
 * Makers check what they need, and nothing else.
 */
class PolicyParametersTest : public TestCase
{
  public:
    PolicyParametersTest()
        : TestCase("all policies: bad parameters are refused with the reason")
    {
    }

  private:
    void DoRun() override
    {
        const double nan = std::nan("");
        const double infinity = std::numeric_limits<double>::infinity();
        for (const std::string_view mode : {"mi", "mi-plus", "aimd"})
        {
            for (const double eta : {0.0, -0.5, 1.000001, nan, infinity})
            {
                Refuse(mode, &TuningParameters::eta, eta, "eta ");
            }
            Refuse(mode, &TuningParameters::initialParallelism, 0U, "initial parallelism 0 ");
            Refuse(mode, &TuningParameters::initialParallelism, 1025U, "maximum of 1024");
            Refuse(mode, &TuningParameters::maxParallelism, 0U, "maximum of 0");
        }
        for (const std::string_view mode : {"mi", "mi-plus"})
        {
            for (const double gamma : {1.0, 0.5, -2.0, nan, infinity})
            {
                Refuse(mode, &TuningParameters::gamma, gamma, "gamma ");
            }
            Accept(mode, &TuningParameters::beta, 7.0);
        }
        for (const double alpha : {0.999, 0.0, -1.0, nan, infinity})
        {
            Refuse("aimd", &TuningParameters::alpha, alpha, "alpha ");
        }
        for (const double beta : {0.0, 1.0, -0.5, nan, infinity})
        {
            Refuse("aimd", &TuningParameters::beta, beta, "beta ");
        }
        Accept("aimd", &TuningParameters::gamma, 0.0);
        Accept("mi", &TuningParameters::eta, 1.0);
        Refuse("fixed", &TuningParameters::parallelism, 0U, "parallelism 0 ");
        Accept("fixed", &TuningParameters::initialParallelism, 0U);

        for (const std::string_view mode : {"", "MI", "mi ", "cubic"})
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(MakeTuningPolicy(mode, PAPER)),
                                  "mode '" + std::string(mode) + "' is unknown",
                                  mode);
        }
        std::vector<std::string_view> names;
        for (const auto& mode : GetTuningModes())
        {
            names.push_back(mode.name);
        }
        NS_TEST_EXPECT_MSG_EQ((names == GetOption("mode").choices), true, "--mode knows them all");
    }

    /**
     * @tparam T type of the member
     * @param mode as in --mode
     * @param member the parameter
     * @param value its bad value
     * @param reason a part of the message
     */
    template <typename T>
    void Refuse(std::string_view mode,
                T TuningParameters::* member,
                T value,
                std::string_view reason)
    {
        TuningParameters parameters = PAPER;
        parameters.*member = value;
        const auto said = Reason(MakeTuningPolicy(mode, parameters));
        NS_TEST_EXPECT_MSG_EQ(Contains(said, reason), true, mode << ": " << said);
    }

    /**
     * @tparam T type of the member
     * @param mode as in --mode
     * @param member the parameter
     * @param value its value, which is good or is no concern of this mode
     */
    template <typename T>
    void Accept(std::string_view mode, T TuningParameters::* member, T value)
    {
        TuningParameters parameters = PAPER;
        parameters.*member = value;
        NS_TEST_EXPECT_MSG_EQ(Reason(MakeTuningPolicy(mode, parameters)), "no error", mode);
    }
};

} // namespace

namespace ns3::gridftp
{

std::vector<TestCase*>
MakeTuningParameterTestCases()
{
    return {new PolicyParametersTest};
}

} // namespace ns3::gridftp
