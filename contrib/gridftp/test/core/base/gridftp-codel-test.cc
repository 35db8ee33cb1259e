/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-codel.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000; ///< ns
constexpr int64_t UNIT = 1024;    ///< CoDel's unit of time, ns

/// A target of 5 units, an interval of 100 units.
constexpr CodelSpec SPEC{.targetNs = 5 * UNIT, .intervalNs = 100 * UNIT, .leastBytes = 1500};

/// A queue with many packets of 1500 bytes that came at time 0; one leaves in every 10 units. The
/// first is at 10 units too late, so drops may begin after 110 units: at 120, that of packet 11.
/// Its inverse root is 65535 / 65536, so the next drop is due 99 units later, at 219: packet 22 at
/// 220 (one was dropped at 120 on top of those that left). The Newton step for a count of 2 gives
/// 65534 / 65536 (3 - 2 (65535 / 65536)^2) / 2 = 0.5 + ..., 32768: from 219 on 50 units to 269, so
/// packet 28 at 270 is dropped; that for 3 gives 0.5 (3 - 3 / 4) / 2 = 0.5625, 36864: 56 units to
/// 325, so packet 35 at 330.
class CodelTest : public TestCase
{
  public:
    /// @param isEct whether packets are ECT, so that they are marked instead
    explicit CodelTest(bool isEct)
        : TestCase(isEct ? "CoDel: marks, by hand" : "CoDel: drops, by hand"),
          m_isEct(isEct)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PACKETS = 200;
        CodelQueue queue(SPEC, PACKETS);
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            queue.Enqueue(0, {.handle = i, .bytes = 1500, .isEct = m_isEct});
        }
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(0, {.handle = PACKETS, .bytes = 1500}),
                              false,
                              "one more than the limit");
        std::vector<int64_t> times;
        std::vector<uint32_t> handles;
        for (int64_t unit = 10; unit <= 330; unit += 10)
        {
            const auto packet = queue.Dequeue(unit * UNIT);
            NS_TEST_ASSERT_MSG_EQ(packet.has_value(), true, "many wait");
            for (const auto& dropped : queue.GetDropped())
            {
                times.push_back(unit);
                handles.push_back(dropped.handle);
            }
            if (packet->isMarked)
            {
                times.push_back(unit);
                handles.push_back(packet->handle);
            }
        }
        // The time from one mark to the next counts from when the packet left, not from when it was
        // due, which makes no difference here
        const std::vector<int64_t> expectedTimes{120, 220, 270, 330};
        const std::vector<uint32_t> expectedHandles =
            m_isEct ? std::vector<uint32_t>{11, 21, 26, 32} : std::vector<uint32_t>{11, 22, 28, 35};
        NS_TEST_EXPECT_MSG_EQ((times == expectedTimes), true, "times");
        NS_TEST_EXPECT_MSG_EQ((handles == expectedHandles), true, "packets");
    }

    bool m_isEct; ///< see the constructor
};

/// Packets that wait less than the target, or whose queue is short, are never dropped.
class CodelIdleTest : public TestCase
{
  public:
    CodelIdleTest()
        : TestCase("CoDel: nothing is dropped below the target or from a short queue")
    {
    }

  private:
    void DoRun() override
    {
        CodelQueue queue(SPEC, 1000);
        for (int64_t i = 0; i < 100; ++i)
        {
            // Just below the target, and one that has waited for long but leaves nothing behind
            queue.Enqueue(i * MS, {.handle = 0, .bytes = 1500});
            queue.Enqueue(i * MS, {.handle = 1, .bytes = 1500});
            queue.Dequeue(i * MS + 5 * UNIT - 1);
            NS_TEST_EXPECT_MSG_EQ(queue.GetDropped().size(), 0, "below the target");
            const auto last = queue.Dequeue(i * MS + 500 * UNIT);
            NS_TEST_EXPECT_MSG_EQ(last->handle, 1, "the last one");
            NS_TEST_EXPECT_MSG_EQ(queue.GetDropped().size(), 0, "a short queue");
        }
        NS_TEST_EXPECT_MSG_EQ(queue.Dequeue(200 * MS).has_value(), false, "empty");
    }
};

/// After 2^32 units, where ns-3's times overflow, drops begin as ever.
class CodelLateTest : public TestCase
{
  public:
    CodelLateTest()
        : TestCase("CoDel: 73 minutes after the start it drops as in the beginning")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t LATE = (int64_t{1} << 32) * UNIT - 50 * UNIT;
        CodelQueue queue(SPEC, 1000);
        for (uint32_t i = 0; i < 100; ++i)
        {
            queue.Enqueue(LATE, {.handle = i, .bytes = 1500});
        }
        size_t drops = 0;
        for (int64_t unit = 10; unit <= 330; unit += 10)
        {
            queue.Dequeue(LATE + unit * UNIT);
            drops += queue.GetDropped().size();
        }
        NS_TEST_EXPECT_MSG_EQ(drops, 4, "as from time 0 on");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new CodelTest(false), new CodelTest(true), new CodelIdleTest, new CodelLateTest};
});

} // namespace ns3::gridftp
