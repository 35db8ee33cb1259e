/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-channel-sizing.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr uint64_t WINDOW = 64'000;
constexpr uint64_t MOST = 16'000'000;

/// @param policy of the buffers @return a connection that looks at its rate each second
BufferSettings
MakeSettings(const char* policy)
{
    return {.policy = FindBufferPolicy(policy),
            .window = WINDOW,
            .most = MOST,
            .intervalNs = 1000 * MS};
}

/// Right-sizing by SBUFs on a data connection, on a timeline made by hand.
class DataChannelSizingTest : public TestCase
{
  public:
    DataChannelSizingTest()
        : TestCase("data channel sizing: acknowledgements in order, chunk by chunk")
    {
    }

  private:
    void DoRun() override
    {
        TakeInOrder();
        ForgetChunks();
        Limit();
        Ask();
    }

    /// Two SBUFs are under way: the first acknowledgement is of the first one.
    void TakeInOrder()
    {
        DataChannelSizing sizing(MakeSettings("drs-gridftp"));
        NS_TEST_EXPECT_MSG_EQ(sizing.IsOn(), true, "on the data channel");
        NS_TEST_EXPECT_MSG_EQ(sizing.GetAlarm().has_value(), false, "nothing has been read");
        const auto first = sizing.Begin(0, WINDOW);
        NS_TEST_ASSERT_MSG_EQ(first.has_value(), true, "a probe with the first bytes");
        NS_TEST_EXPECT_MSG_EQ(first->id, 1, "its ID");
        NS_TEST_EXPECT_MSG_EQ(first->bytes, WINDOW, "the receive buffer");
        sizing.HandleAcknowledgement(100 * MS);
        // 500,000 bytes in a second, 100 ms
        auto decision = sizing.HandleAlarm(1000 * MS, 500'000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 100'000, "twice rate times round-trip time");
        sizing.HandleAlarm(2000 * MS, 1'000'000, 100'000);
        sizing.HandleAcknowledgement(2200 * MS); // of that of 1 s: 1200 ms
        decision = sizing.HandleAlarm(3000 * MS, 1'100'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 240'000, "100,000 bytes in a second, 1200 ms");
        sizing.HandleAcknowledgement(3300 * MS); // of that of 2 s: 1300 ms
        sizing.HandleAcknowledgement(3400 * MS); // of that of 3 s: 400 ms
        sizing.HandleAcknowledgement(3500 * MS); // of none
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().count, 4, "each was acknowledged");
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().sumNs, 3000 * MS, "100, 1200, 1300, 400 ms");
        sizing.End();
        NS_TEST_EXPECT_MSG_EQ(sizing.GetAlarm().has_value(), false, "the end of data");
    }

    /// What is acknowledged in the next chunk is counted, but was idle meanwhile.
    void ForgetChunks()
    {
        DataChannelSizing sizing(MakeSettings("drs-gridftp"));
        sizing.Begin(0, WINDOW);
        sizing.HandleAcknowledgement(100 * MS);
        sizing.HandleAlarm(1000 * MS, 500'000, WINDOW);
        sizing.End();
        const auto again = sizing.Begin(5000 * MS, 100'000);
        NS_TEST_ASSERT_MSG_EQ(again.has_value(), true, "a probe with the next chunk");
        NS_TEST_EXPECT_MSG_EQ(again->bytes, 100'000, "its receive buffer");
        NS_TEST_EXPECT_MSG_EQ(*sizing.GetAlarm(), 6000 * MS, "its alarm");
        sizing.HandleAcknowledgement(5050 * MS); // of the chunk before
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().count, 1, "no round-trip time");
        auto decision = sizing.HandleAlarm(6000 * MS, 900'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 100'000, "none of this chunk yet");
        NS_TEST_EXPECT_MSG_EQ(decision.message.has_value(), false, "nobody is asked twice");
        sizing.HandleAcknowledgement(6200 * MS); // 1200 ms
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().sumNs, 1300 * MS, "of both chunks");
        decision = sizing.HandleAlarm(7000 * MS, 1'000'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 240'000, "100,000 bytes in a second");
    }

    /// No more are sent than the buffers have room for.
    void Limit()
    {
        DataChannelSizing sizing(MakeSettings("drs-gridftp"));
        sizing.Begin(0, WINDOW);
        sizing.HandleAcknowledgement(1 * MS);
        int64_t second = 1;
        for (size_t sent = 0; sent < MOST_DATA_SIZINGS; ++sent, ++second)
        {
            const auto decision = sizing.HandleAlarm(1000 * MS * second, 0, WINDOW);
            NS_TEST_EXPECT_MSG_EQ(decision.message.has_value(), true, "there is room");
        }
        const auto full = sizing.HandleAlarm(1000 * MS * second++, 0, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(full.message.has_value(), false, "eight are under way");
        sizing.HandleAcknowledgement(1000 * MS * second);
        const auto next = sizing.HandleAlarm(1000 * MS * second, 0, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(next.message.has_value(), true, "one fewer");
    }

    /// What the sender makes of it.
    void Ask()
    {
        BufferSettings settings = MakeSettings("drs-gridftp");
        NS_TEST_EXPECT_MSG_EQ(GetSendBufferAskedFor(settings, {1, 70'000}), 70'000, "the same");
        NS_TEST_EXPECT_MSG_EQ(GetSendBufferAskedFor(settings, {1, 1'000'000'000}), MOST, "at most");
        NS_TEST_EXPECT_MSG_EQ(GetSendBufferAskedFor(settings, {1, 0}), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(settings.GetFirstSendBuffer(), WINDOW, "once the window");
        settings.sendBuffer = 30'000;
        NS_TEST_EXPECT_MSG_EQ(GetSendBufferAskedFor(settings, {1, 70'000}), 0, "it is given");
        NS_TEST_EXPECT_MSG_EQ(DataChannelSizing(MakeSettings("drs-ftp")).IsOn(), false, "not here");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new DataChannelSizingTest}; });

} // namespace ns3::gridftp
