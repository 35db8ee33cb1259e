/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-server-memory.h"
#include "gridftp-test-cases.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What several processes have allocated, worked out by hand.
class ServerMemoryTest : public TestCase
{
  public:
    ServerMemoryTest()
        : TestCase("memory of servers: its most and its mean, and how long there is not enough")
    {
    }

  private:
    void DoRun() override
    {
        // 5 from 10 to 20, 5 + 3 until 30, 3 until 40, nothing until 50, 2 until 60
        const std::vector<MemoryHold> holds{{{50, 60}, 2},
                                            {{20, 40}, 3},
                                            {{10, 30}, 5},
                                            {{30, 30}, 100}}; // never there
        const ServerMemory memory = MeasureMemory(holds, 3);
        NS_TEST_EXPECT_MSG_EQ(memory.mostBytes, 8, "both");
        NS_TEST_EXPECT_MSG_EQ(memory.meanBytes, 180.0 / 50, "over all of the time");
        NS_TEST_EXPECT_MSG_EQ(memory.beyondNs.value(), 20, "three are enough from 30 on");
        NS_TEST_EXPECT_MSG_EQ(MeasureMemory(holds, 0).beyondNs.has_value(), false, "not told");
        const ServerMemory next = MeasureMemory({{{10, 20}, 5}, {{20, 30}, 5}}, 5);
        NS_TEST_EXPECT_MSG_EQ(next.mostBytes, 5, "one ends before the next begins");
        NS_TEST_EXPECT_MSG_EQ(next.beyondNs.value(), 0, "as much as there is");
        NS_TEST_EXPECT_MSG_EQ(MeasureMemory({}, 1).meanBytes, 0, "nobody came");
        CheckSessions();
    }

    /// The first session's server, and those on its host.
    void CheckSessions()
    {
        Scenario scenario;
        scenario.sessions.resize(4);
        const std::vector<std::vector<ServerSpan>> spans{{{0, 10}, {20, 30}},
                                                         {{0, 30}},
                                                         {{5, 25}},
                                                         {{0, 30}}};
        NS_TEST_EXPECT_MSG_EQ(MeasureServers(scenario, spans).has_value(), false, "none counted");
        scenario.sessions[0].serverMemory = 7;
        scenario.sessions[1].serverMemory = 100; // on a host of its own
        scenario.sessions[2].server = ServerHost::SHARED;
        scenario.sessions[2].serverMemory = 1;
        scenario.sessions[3].server = ServerHost::SHARED; // without memory
        const auto memory = MeasureServers(scenario, spans);
        NS_TEST_ASSERT_MSG_EQ(memory.has_value(), true, "counted");
        NS_TEST_EXPECT_MSG_EQ(memory->mostBytes, 8, "that of two");
        NS_TEST_EXPECT_MSG_EQ(memory->meanBytes, 160.0 / 30, "7 twice for 10, 1 for 20");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ServerMemoryTest}; });

} // namespace ns3::gridftp
