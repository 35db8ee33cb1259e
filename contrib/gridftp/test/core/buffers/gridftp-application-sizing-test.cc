/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-application-sizing.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr uint64_t WINDOW = 64'000;
constexpr uint64_t MOST = 16'000'000;

/// @return a receiver with drsFTP that looks at its rate each second
ApplicationSizing
MakeSizing()
{
    return ApplicationSizing({.policy = FindBufferPolicy("drs-ftp"),
                              .window = WINDOW,
                              .most = MOST,
                              .intervalNs = 1000 * MS});
}

/// Right-sizing in user space, on a timeline made by hand.
class ApplicationSizingTest : public TestCase
{
  public:
    ApplicationSizingTest()
        : TestCase("application sizing: rate, round-trip time and what is told")
    {
    }

  private:
    void DoRun() override
    {
        Grow();
        Ask();
        Refuse();
        TakeLeast();
    }

    /// @param said what was told @param id of it @param bytes of it @param what it is
    void Expect(const std::optional<SizingMessage>& said,
                uint64_t id,
                uint64_t bytes,
                const char* what)
    {
        NS_TEST_ASSERT_MSG_EQ(said.has_value(), true, what);
        NS_TEST_EXPECT_MSG_EQ(said->id, id, what);
        NS_TEST_EXPECT_MSG_EQ(said->bytes, bytes, what);
    }

    /// Twice what comes in a round-trip time, never less than there is, never above the limit.
    void Grow()
    {
        ApplicationSizing sizing = MakeSizing();
        NS_TEST_EXPECT_MSG_EQ(sizing.GetAlarm().has_value(), false, "no transfer");
        Expect(sizing.Begin(0, WINDOW), 1, WINDOW, "a probe with the transfer");
        NS_TEST_EXPECT_MSG_EQ(*sizing.GetAlarm(), 1000 * MS, "the first alarm");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(100 * MS, 1), true, "100 ms");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(200 * MS, 1), false, "answered already");
        // 500,000 bytes a second for 100 ms are 50,000
        auto decision = sizing.HandleAlarm(1000 * MS, 500'000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 100'000, "twice");
        Expect(decision.message, 2, 100'000, "is told");
        NS_TEST_EXPECT_MSG_EQ(*sizing.GetAlarm(), 2000 * MS, "the next alarm");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(1300 * MS, 2), true, "300 ms");
        // The last interval and the last round-trip time count: 400,000 bytes a second, 300 ms
        decision = sizing.HandleAlarm(2000 * MS, 900'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 240'000, "another round-trip time");
        decision = sizing.HandleAlarm(3000 * MS, 910'000, 240'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 240'000, "it never shrinks");
        Expect(decision.message, 4, 240'000, "an SBUF with the same size is a probe");
        decision = sizing.HandleAlarm(4000 * MS, 100'000'000, 240'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, MOST, "no further");
        sizing.End();
        NS_TEST_EXPECT_MSG_EQ(sizing.GetAlarm().has_value(), false, "has ended");
        // The first byte of the next transfer counts from 0 again
        Expect(sizing.Begin(9000 * MS, MOST), 6, MOST, "another transfer");
        decision = sizing.HandleAlarm(10'000 * MS, 1000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, WINDOW, "1000 bytes in a second");
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().count, 2, "round-trip times");
        NS_TEST_EXPECT_MSG_EQ(*sizing.GetMeasured().GetMeanS(), 0.2, "their mean");
    }

    /// Nobody is asked again before there was an answer; one answers for all before it.
    void Ask()
    {
        ApplicationSizing sizing = MakeSizing();
        Expect(sizing.Begin(0, WINDOW), 1, WINDOW, "a probe");
        auto decision = sizing.HandleAlarm(1000 * MS, 500'000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(decision.message.has_value(), false, "no answer yet");
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, WINDOW, "no round-trip time yet");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(1500 * MS, 7), false, "nobody asked that");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(1500 * MS, 1), true, "late");
        sizing.HandleAlarm(2000 * MS, 500'000, WINDOW);
        sizing.HandleAlarm(3000 * MS, 500'000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(3100 * MS, 3), true, "the second of two");
        NS_TEST_EXPECT_MSG_EQ(sizing.IsProbing(), false, "the first one is not awaited any more");
        NS_TEST_EXPECT_MSG_EQ(sizing.HandleAnswer(3200 * MS, 2), false, "nor taken");
    }

    /// The least round-trip time, where that is asked for: what waits makes the buffer no larger.
    void TakeLeast()
    {
        ApplicationSizing sizing({.policy = FindBufferPolicy("drs-ftp"),
                                  .window = WINDOW,
                                  .most = MOST,
                                  .intervalNs = 1000 * MS,
                                  .rtt = SizingRtt::LEAST});
        sizing.Begin(0, WINDOW);
        sizing.HandleAnswer(100 * MS, 1);
        sizing.HandleAlarm(1000 * MS, 500'000, WINDOW);
        sizing.HandleAnswer(1300 * MS, 2);
        auto decision = sizing.HandleAlarm(2000 * MS, 1'000'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 100'000, "300 ms do not count");
        sizing.HandleAnswer(2080 * MS, 3);
        decision = sizing.HandleAlarm(3000 * MS, 2'000'000, 100'000);
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, 160'000, "80 ms do");
        const int64_t sumNs = sizing.GetMeasured().sumNs;
        NS_TEST_EXPECT_MSG_EQ(sumNs, (100 + 100 + 80) * MS, "what was taken");
    }

    /// A peer that does not know SBUF while data flow is left alone.
    void Refuse()
    {
        ApplicationSizing sizing = MakeSizing();
        sizing.Begin(0, WINDOW);
        sizing.HandleRefusal();
        const auto decision = sizing.HandleAlarm(1000 * MS, 10'000'000, WINDOW);
        NS_TEST_EXPECT_MSG_EQ(decision.message.has_value(), false, "not asked");
        NS_TEST_EXPECT_MSG_EQ(decision.bufferBytes, WINDOW, "as plain FTP");
        NS_TEST_EXPECT_MSG_EQ(sizing.GetMeasured().GetMeanS().has_value(), false, "no sample");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ApplicationSizingTest}; });

} // namespace ns3::gridftp
