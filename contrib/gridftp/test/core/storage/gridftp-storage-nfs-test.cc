/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-storage.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param rpc bytes @param slots how many @param latency ns @return RPCs of 1 ns a byte
std::shared_ptr<Storage>
MakeNfs(uint64_t rpc, uint64_t slots, int64_t latency)
{
    return MakeStorage({.kind = "nfs",
                        .values = {{"rate", 8e9},
                                   {"latency", static_cast<double>(latency)},
                                   {"rpc", static_cast<double>(rpc)},
                                   {"slots", static_cast<double>(slots)},
                                   {"open", 1000},
                                   {"contention", 7}},
                        .depth = 1});
}

/// RPCs of a block, one by one.
/// @param rpc bytes @param slots how many @param latency ns @param bytes of the block
/// @return when the last one is done, at 1 ns a byte
int64_t
MoveOneByOne(uint64_t rpc, uint64_t slots, int64_t latency, uint64_t bytes)
{
    std::vector<int64_t> slotFree(slots, 0);
    int64_t wireFree = 0;
    for (uint64_t i = 0; bytes > 0; ++i)
    {
        const uint64_t size = std::min(rpc, bytes);
        wireFree = std::max(wireFree, slotFree[i % slots]) + static_cast<int64_t>(size);
        slotFree[i % slots] = wireFree + latency;
        bytes -= size;
    }
    return *std::ranges::max_element(slotFree);
}

/// Blocks that are moved by RPCs.
class StorageNfsTest : public TestCase
{
  public:
    StorageNfsTest()
        : TestCase("storage: nfs moves a block by RPCs, as many at a time as it has slots")
    {
    }

  private:
    void DoRun() override
    {
        // Four RPCs of 10 bytes are sent within 40 ns; the first one's slot is free at 110
        const auto waits = MakeNfs(10, 4, 100);
        NS_TEST_EXPECT_MSG_EQ(waits->Ask(0, 0, 0, 40), 140, "all at once");
        NS_TEST_EXPECT_MSG_EQ(waits->Ask(0, 0, 40, 41), 140 + 7 + 211, "one byte more: a round");
        NS_TEST_EXPECT_MSG_EQ(waits->Ask(0, 1000, 81, 95), 1000 + 335, "2 x 110, 15, 100");
        NS_TEST_EXPECT_MSG_EQ(waits->Ask(1, 1000, 9000, 3), 1103, "another node, anywhere");
        // The first one's slot is free at 40, when the fourth one's bytes have been sent
        NS_TEST_EXPECT_MSG_EQ(MakeNfs(10, 4, 30)->Ask(0, 0, 0, 95), 125, "as fast as the rate");
        NS_TEST_EXPECT_MSG_EQ(MakeNfs(10, 4, 31)->Ask(0, 0, 0, 95), 128, "twice 1 ns of a wait");
        NS_TEST_EXPECT_MSG_EQ(MakeNfs(10, 1, 100)->Ask(0, 0, 0, 95), 1095, "one after the other");
        NS_TEST_EXPECT_MSG_EQ(MakeNfs(10, 1, 0)->Ask(0, 0, 0, 95), 95, "no latency");
        CheckBesides();
        CheckOneByOne();
    }

    /// The opening, and others under way.
    void CheckBesides()
    {
        const auto nfs = MakeNfs(10, 4, 100);
        const uint32_t opening = nfs->Open();
        NS_TEST_EXPECT_MSG_EQ(nfs->Ask(0, 0, 0, 40, opening), 1140, "opens");
        NS_TEST_EXPECT_MSG_EQ(nfs->Ask(0, 1, 40, 40, opening), 1287, "one other");
        NS_TEST_EXPECT_MSG_EQ(nfs->Ask(0, 2, 80, 40, opening), 1441, "two");
        const auto slow = MakeStorage({.kind = "nfs",
                                       .values = {{"rate", 1},
                                                  {"latency", 1e12},
                                                  {"rpc", 1},
                                                  {"slots", 1},
                                                  {"open", 1e12},
                                                  {"contention", 1e12}},
                                       .depth = 1});
        NS_TEST_EXPECT_MSG_EQ(slow->Ask(0, 5, 0, 1'000'000'000'000'000), LONGEST_STORAGE_NS, "");
    }

    /// The same as RPC by RPC.
    void CheckOneByOne()
    {
        for (const uint64_t rpc : {1, 7, 64})
        {
            for (const uint64_t slots : {1, 2, 3, 16})
            {
                for (const int64_t latency : {0, 1, 5, 20, 21, 64, 128, 960, 2000})
                {
                    for (const uint64_t bytes : {1, 6, 7, 8, 63, 64, 65, 1024, 5000})
                    {
                        NS_TEST_EXPECT_MSG_EQ(MakeNfs(rpc, slots, latency)->Ask(0, 0, 0, bytes),
                                              MoveOneByOne(rpc, slots, latency, bytes),
                                              rpc << " " << slots << " " << latency << " "
                                                  << bytes);
                    }
                }
            }
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new StorageNfsTest}; });

} // namespace
