/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/gridftp-scenario.h"
#include "ns3/test.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Which waits have a limit.
class ScenarioLimitsTest : public TestCase
{
  public:
    ScenarioLimitsTest()
        : TestCase("scenario: waits have limits where a reply may be lost or held up")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.sessions.assign(2, {});
        Expect(scenario, false, "nothing goes wrong");
        scenario.sessions[1].direction = Direction::DOWNLOAD;
        Expect(scenario, true, "a session of the other direction");
        scenario.sessions[0].direction = Direction::DOWNLOAD;
        Expect(scenario, false, "both of the same");
        scenario.background.assign(1, {});
        scenario.background[0].direction = Direction::UPLOAD;
        Expect(scenario, true, "background of the other direction");
        scenario.background[0].direction = Direction::DOWNLOAD;
        Expect(scenario, false, "of the same");
        for (double* const loss : {&scenario.path.randomLoss, &scenario.path.reverseRandomLoss})
        {
            *loss = 0.0099;
            Expect(scenario, false, "loss that TCP survives");
            *loss = 0.01;
            Expect(scenario, true, "loss that lets TCP give up");
            *loss = 0;
        }
    }

    /// @param scenario a scenario @param hasLimits of both sessions @param why for people
    void Expect(const Scenario& scenario, bool hasLimits, const char* why)
    {
        for (const SessionSpec& session : scenario.sessions)
        {
            NS_TEST_EXPECT_MSG_EQ(HasLimits(scenario, session), hasLimits, why);
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ScenarioLimitsTest}; });

} // namespace ns3::gridftp
