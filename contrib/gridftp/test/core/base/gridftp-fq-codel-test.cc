/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fq-codel.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <span>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr CodelSpec CODEL{.targetNs = 5'000'000, .intervalNs = 100'000'000, .leastBytes = 1500};

/// @param packets dropped or not @return their handles
std::vector<uint32_t>
GetHandles(std::span<const QueuedPacket> packets)
{
    std::vector<uint32_t> handles;
    for (const auto& packet : packets)
    {
        handles.push_back(packet.handle);
    }
    return handles;
}

/// Flow A has packets 0 to 4, flow B packet 10, both 1500 bytes. A's quantum of 1514 bytes lasts
/// for two packets, then B has its turn. B leaves the queues that have just become active, so A
/// goes on; packet 11 of B comes then, and B has priority once more only when it was inactive
/// before.
class FqCodelOrderTest : public TestCase
{
  public:
    FqCodelOrderTest()
        : TestCase("FQ-CoDel: which flow's turn it is, by hand")
    {
    }

  private:
    void DoRun() override
    {
        FqCodelQueue queue({.flows = 2, .quantum = 1514}, CODEL, 100);
        for (uint32_t i = 0; i < 5; ++i)
        {
            queue.Enqueue(0, {.handle = i, .bytes = 1500, .flowHash = 0});
        }
        queue.Enqueue(0, {.handle = 10, .bytes = 1500, .flowHash = 1});
        std::vector<uint32_t> order;
        const auto dequeue = [&](int count) {
            for (int i = 0; i < count; ++i)
            {
                order.push_back(queue.Dequeue(0)->handle);
            }
        };
        dequeue(4); // A, A, B, A: B is an old queue now
        queue.Enqueue(0, {.handle = 11, .bytes = 1500, .flowHash = 3}); // 3 modulo 2 is B
        dequeue(1); // B has 14 bytes left of its quantum
        dequeue(1); // A
        queue.Enqueue(0, {.handle = 12, .bytes = 1500, .flowHash = 1});
        dequeue(2); // B has 28 bytes left, then A
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint32_t>{0, 1, 10, 2, 11, 3, 12, 4}),
                              true,
                              "order");
        NS_TEST_EXPECT_MSG_EQ(queue.Dequeue(0).has_value(), false, "all have left");
        NS_TEST_EXPECT_MSG_EQ(queue.GetLength(), 0, "all have left");
    }
};

/// A full buffer: the longest queue loses packets from its head, up to half of its bytes.
class FqCodelOverloadTest : public TestCase
{
  public:
    FqCodelOverloadTest()
        : TestCase("FQ-CoDel: a full buffer drops from the longest queue")
    {
    }

  private:
    void DoRun() override
    {
        FqCodelQueue queue({.flows = 16, .quantum = 1514}, CODEL, 9);
        for (uint32_t i = 0; i < 8; ++i)
        {
            queue.Enqueue(0, {.handle = i, .bytes = 1000, .flowHash = 7});
        }
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(0, {.handle = 20, .bytes = 1000, .flowHash = 8}),
                              true,
                              "as many as the limit");
        NS_TEST_EXPECT_MSG_EQ(queue.GetDropped().size(), 0, "as many as the limit");
        NS_TEST_EXPECT_MSG_EQ(queue.Enqueue(0, {.handle = 21, .bytes = 1000, .flowHash = 8}),
                              true,
                              "one more of a short queue");
        NS_TEST_EXPECT_MSG_EQ((GetHandles(queue.GetDropped()) == std::vector<uint32_t>{0, 1, 2, 3}),
                              true,
                              "half of the longest one");
        NS_TEST_EXPECT_MSG_EQ(queue.GetLength(), 6, "the others wait");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new FqCodelOrderTest, new FqCodelOverloadTest};
});

} // namespace ns3::gridftp
