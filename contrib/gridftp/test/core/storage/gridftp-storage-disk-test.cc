/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-feed.h"
#include "gridftp-block-writes.h"
#include "gridftp-core-test.h"
#include "gridftp-storage.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param kind of storage @return 3 ns for a request, 8 for a byte, 1000 for opening the file, and
/// 20 for each other request
std::shared_ptr<Storage>
MakeOpened(const std::string& kind)
{
    return MakeStorage({.kind = kind,
                        .values = {{"rate", 1e9},
                                   {"total-rate", 1e9},
                                   {"latency", 3},
                                   {"open", 1000},
                                   {"contention", 20}},
                        .depth = 1});
}

/// What the first request of an opening pays, and what those pay that are not alone.
class StorageDiskOpenTest : public TestCase
{
  public:
    StorageDiskOpenTest()
        : TestCase("storage: the first request pays for the opening, others for each other")
    {
    }

  private:
    void DoRun() override
    {
        const auto disk = MakeOpened("disk"); // 10 bytes take 83 ns
        const uint32_t first = disk->Open();
        const uint32_t second = disk->Open();
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 0, 0, 10, first), 1083, "opens");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 0, 10, 10, first), 1186, "one other");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1083, 20, 10, first), 1289, "the first one is done");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(1, 0, 0, 10), 83, "open before, and another node");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1289, 30, 10, second), 2372, "opens anew, alone");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1300, 40, 10, first), 2475, "opened long ago");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1301, 50, 10, second), 2598, "two others");
        const StorageUse all{.requests = 7,
                             .seeks = 0,
                             .bytes = 70,
                             .busyNs = 7 * 83 + 2 * 1000 + 5 * 20};
        NS_TEST_EXPECT_MSG_EQ((disk->GetUse() == all), true, disk->GetUse().busyNs);
        const auto shared = MakeOpened("parallel");
        const uint32_t opening = shared->Open();
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 0, 0, 10, opening), 83, "it has no such cost");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 0, 10, 10, opening), 166, "nor this one");
        CheckConnections();
        CheckLimits();
    }

    /// Connections of a chunk have one opening, and those of the next one another.
    void CheckConnections()
    {
        const auto disk = MakeOpened("disk");
        StoragePlace place{.storage = disk.get(), .node = 0, .offset = 0, .depth = 1};
        place.opening = place.Open();
        BlockScheduler scheduler(Layout::DYNAMIC, 0, 30, 2, 10);
        BlockFeed feeds[]{{scheduler, 0, {.storage = place}}, {scheduler, 1, {.storage = place}}};
        feeds[0].Fetch(0);
        feeds[1].Fetch(0);
        NS_TEST_EXPECT_MSG_EQ(feeds[0].GetNextNs(), 1083, "it comes first");
        NS_TEST_EXPECT_MSG_EQ(feeds[1].GetNextNs(), 1186, "behind it");
        BlockWrites writes({.storage = {.storage = disk.get(), .node = 1, .depth = 9}});
        writes.Begin(0, place.Open());
        writes.Write(0, 0, 10);
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 1083, "the chunk's first block");
        writes.Write(2000, 10, 10);
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 2083, "its second one");
        writes.Begin(20, place.Open());
        writes.Write(3000, 0, 10);
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 4083, "the next chunk's first one");
        NS_TEST_EXPECT_MSG_EQ(StoragePlace().Open(), Storage::OPEN, "nothing to open");
    }

    /// Nothing overflows.
    void CheckLimits()
    {
        const auto disk = MakeStorage(
            {.kind = "disk",
             .values = {{"rate", 1}, {"latency", 1e12}, {"open", 1e12}, {"contention", 1e12}},
             .depth = 1});
        const uint32_t opening = disk->Open();
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 7, 0, 1'000'000'000'000'000, opening),
                              LONGEST_STORAGE_NS,
                              "as long as anything takes");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 8, 0, 1, opening), LONGEST_STORAGE_NS, "behind it");
        NS_TEST_EXPECT_MSG_EQ(AddStorageNs(5, 6), 11, "a sum");
        NS_TEST_EXPECT_MSG_EQ(AddStorageNs(LONGEST_STORAGE_NS, LONGEST_STORAGE_NS),
                              LONGEST_STORAGE_NS,
                              "the longest one");
        NS_TEST_EXPECT_MSG_EQ(MultiplyStorageNs(0, LONGEST_STORAGE_NS), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(MultiplyStorageNs(3, 7), 21, "a product");
        NS_TEST_EXPECT_MSG_EQ(MultiplyStorageNs(UINT64_MAX, 1), LONGEST_STORAGE_NS, "too many");
        NS_TEST_EXPECT_MSG_EQ(MultiplyStorageNs(3, LONGEST_STORAGE_NS / 2),
                              LONGEST_STORAGE_NS,
                              "too long");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new StorageDiskOpenTest}; });

} // namespace
