/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"
#include "gridftp-tuning-mode.h"

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
const NamedValues PAPER{{"parallelism", 1},
                        {"initial-parallelism", 1},
                        {"max-parallelism", 1024},
                        {"eta", 0.8},
                        {"gamma", 2},
                        {"alpha", 1},
                        {"beta", 0.5},
                        {"aimd-rounding", 0}};

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
                Refuse(mode, "eta", eta, "eta ");
            }
            Refuse(mode, "initial-parallelism", 0, "initial-parallelism 0 ");
            Refuse(mode, "initial-parallelism", 1025, "maximum of 1024");
            Refuse(mode, "max-parallelism", 0, "max-parallelism 0 ");
        }
        for (const std::string_view mode : {"mi", "mi-plus"})
        {
            for (const double gamma : {1.0, 0.5, -2.0, nan, infinity})
            {
                Refuse(mode, "gamma", gamma, "gamma ");
            }
            Accept(mode, "beta", 7.0);
        }
        for (const double alpha : {0.999, 0.0, -1.0, nan, infinity})
        {
            Refuse("aimd", "alpha", alpha, "alpha ");
        }
        for (const double beta : {0.0, 1.0, -0.5, nan, infinity})
        {
            Refuse("aimd", "beta", beta, "beta ");
        }
        Accept("aimd", "gamma", 0.0);
        Accept("mi", "eta", 1.0);
        Refuse("fixed", "parallelism", 0, "parallelism 0 ");
        Accept("fixed", "initial-parallelism", 0);

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
     * @param mode as in --mode
     * @param name of the parameter
     * @param value its bad value
     * @param reason a part of the message
     */
    void Refuse(std::string_view mode, std::string_view name, double value, std::string_view reason)
    {
        NamedValues parameters = PAPER;
        parameters.Set(name, value);
        const auto said = Reason(MakeTuningPolicy(mode, parameters));
        NS_TEST_EXPECT_MSG_EQ(Contains(said, reason), true, mode << ": " << said);
    }

    /**
     * @param mode as in --mode
     * @param name of the parameter
     * @param value its value, which is good or is no concern of this mode
     */
    void Accept(std::string_view mode, std::string_view name, double value)
    {
        NamedValues parameters = PAPER;
        parameters.Set(name, value);
        NS_TEST_EXPECT_MSG_EQ(Reason(MakeTuningPolicy(mode, parameters)), "no error", mode);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PolicyParametersTest}; });

} // namespace ns3::gridftp
