/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-host-limits.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What hosts grant of the buffers that are asked for.
class HostLimitsTest : public TestCase
{
  public:
    HostLimitsTest()
        : TestCase("host: buffers are those that the operating systems grant")
    {
    }

  private:
    /// @param asked buffers @return what there is
    static BufferSpec Grant(const BufferSpec& asked)
    {
        Scenario scenario = MakeDefaultRequest().scenario;
        scenario.sessions.front().buffers = asked;
        return WithHostLimits(scenario).sessions.front().buffers;
    }

    void DoRun() override
    {
        HostSpec spec;
        NS_TEST_EXPECT_MSG_EQ(GetWindowOf(spec, 1000), 500, "half of it is overhead");
        spec.advWinScale = 2;
        NS_TEST_EXPECT_MSG_EQ(GetWindowOf(spec, 1000), 750, "a quarter");
        spec.advWinScale = 0;
        NS_TEST_EXPECT_MSG_EQ(GetWindowOf(spec, 1000), 1000, "all of it is window");
        spec.advWinScale = -2;
        NS_TEST_EXPECT_MSG_EQ(GetWindowOf(spec, 1000), 250, "a quarter is window");
        spec.advWinScale = 31;
        NS_TEST_EXPECT_MSG_EQ(GetWindowOf(spec, 1000), 1000, "hardly any overhead");
        CheckFixed();
        CheckMoving();
    }

    /// SO_RCVBUF and SO_SNDBUF.
    void CheckFixed()
    {
        BufferSpec asked = MakeDefaultRequest().scenario.sessions.front().buffers;
        asked.window = 1'000'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 1'000'000, "what is asked for");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 0, "twice the window, as ever");
        asked.receiver.rmemMax = 131'072;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 131'072, "half of twice the limit");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 0, "the other end has another limit");
        asked.receiver.advWinScale = 2;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 196'608, "three quarters of twice the limit");
        asked.receiver.rmemMax = 10;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 1460, "a segment at least");
        asked.receiver = {};
        asked.receiver.rmemMax = 4'000'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 1'000'000, "below the limit");
        asked.sender.wmemMax = 100'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 200'000, "twice the limit");
        asked.sendBuffer = 50'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 50'000, "below it");
        asked.receiver.tcpRmemMax = 5'000;
        asked.sender.tcpWmemMax = 5'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 1'000'000, "that is of buffers that move");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 50'000, "this, too");
    }

    /// tcp_rmem and tcp_wmem.
    void CheckMoving()
    {
        BufferSpec asked = MakeDefaultRequest().scenario.sessions.front().buffers;
        asked.policy = "linux-receiver";
        asked.window = 65'536;
        asked.most = 1'000'000;
        asked.receiver.rmemMax = 1'000;
        asked.sender.wmemMax = 1'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 65'536, "nobody asks for SO_RCVBUF");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).most, 1'000'000, "as asked");
        asked.receiver.tcpRmemDefault = 87'380;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 43'690, "where it begins");
        asked.receiver.tcpRmemMax = 4'194'304;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).most, 2'097'152, "where it ends");
        asked.receiver.tcpRmemMax = 60'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).window, 30'000, "no more than that");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).most, 30'000, "nor later");
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 0, "as ever");
        asked.sender.tcpWmemMax = 262'144;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 262'144, "no more than that");
        asked.sendBuffer = 100'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 100'000, "below it");
        asked.sendBuffer = 0;
        asked.sendPool = 1'000'000;
        NS_TEST_EXPECT_MSG_EQ(Grant(asked).sendBuffer, 0, "a pool sizes them");
    }
};

std::vector<TestCase*>
MakeHostLimitsTestCases()
{
    return {new HostLimitsTest};
}

const OwnTestCases g_cases(&MakeHostLimitsTestCases);

} // namespace
