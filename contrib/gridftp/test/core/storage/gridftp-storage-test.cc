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
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param kind of storage @param values of its parameters @return it
std::shared_ptr<Storage>
MakeKind(const std::string& kind, const NamedValues& values)
{
    return MakeStorage({.kind = kind, .values = values, .depth = 1});
}

/// A disk that takes 3 ns for a request, 100 more for a seek, and 8 for a byte.
std::shared_ptr<Storage>
MakeDisk()
{
    return MakeKind("disk", {{"rate", 1e9}, {"latency", 3}, {"seek", 100}});
}

/// A disk that stands still for a while.
class StorageStallTest : public TestCase
{
  public:
    StorageStallTest()
        : TestCase("storage: what stands still is done later by what remains of that")
    {
    }

  private:
    void DoRun() override
    {
        const auto disk = MakeDisk(); // 10 bytes take 83 ns
        disk->Stall(0, 1100, 1200);
        disk->Stall(0, 1190, 1250);
        disk->Stall(0, 5000, INT64_MAX);
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1000, 0, 10), 1083, "before");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 1050, 10, 10), 1316, "served from 1083, 150 later");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(1, 1110, 0, 10), 1193, "another node");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 4917, 20, 10), 5000, "just done");
        NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, 5000, 30, 10), LONGEST_STORAGE_NS, "never");
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().busyNs, 5 * 83, "as long as without");
        CheckFaults();
    }

    /// The faults of a scenario say which end stalls, and when.
    void CheckFaults()
    {
        Scenario scenario;
        SessionSpec& session = scenario.sessions.emplace_back();
        session.direction = Direction::DOWNLOAD;
        session.buffers.source = {"disk", {{"rate", 1e9}, {"latency", 3}, {"seek", 100}}, 1};
        session.buffers.sink = session.buffers.source;
        FaultSpec& fault = scenario.faults.emplace_back();
        fault.kind = FaultKind::DISK_STALL;
        fault.server = FaultServer::CLIENT; // of a download: the end that receives
        fault.stripe = 1;
        fault.at = 10;
        fault.duration = 40;
        const auto sink = MakeStorage(scenario, 0, true);
        const auto source = MakeStorage(scenario, 0, false);
        NS_TEST_EXPECT_MSG_EQ(sink->Ask(0, 0, 0, 10), 83, "another stripe");
        NS_TEST_EXPECT_MSG_EQ(sink->Ask(1, 20, 0, 10), 133, "from 50 on");
        NS_TEST_EXPECT_MSG_EQ(source->Ask(1, 20, 0, 10), 103, "the other end");
    }
};

/// Requests of one device, one after the other.
class StorageDiskTest : public TestCase
{
  public:
    StorageDiskTest()
        : TestCase("storage: a disk serves one request after the other, and seeks")
    {
    }

  private:
    void DoRun() override
    {
        struct Step
        {
            int64_t now;     // when it is asked
            uint64_t offset; // for what
            uint64_t bytes;  // and how much
            int64_t done;    // when it has it
            uint64_t seeks;  // so far
        };

        const auto disk = MakeDisk();
        const std::vector<Step> steps{
            {1000, 0, 10, 1083, 0},   // the file's beginning is no seek: 3 + 80
            {1001, 10, 10, 1166, 0},  // waits for the first, and goes on there
            {1166, 20, 1, 1177, 0},   // as soon as it is free
            {2000, 20, 1, 2111, 1},   // the same again: back, 3 + 100 + 8
            {2000, 5000, 2, 2230, 2}, // forward: 3 + 100 + 16
            {2300, 5002, 2, 2319, 2}, // idle in between: 3 + 16
        };
        for (const auto& step : steps)
        {
            NS_TEST_EXPECT_MSG_EQ(disk->Ask(0, step.now, step.offset, step.bytes),
                                  step.done,
                                  "offset " << step.offset << " at " << step.now);
            NS_TEST_EXPECT_MSG_EQ(disk->GetUse().seeks, step.seeks, "offset " << step.offset);
        }
        const StorageUse all{.requests = 6, .seeks = 2, .bytes = 26, .busyNs = 426};
        NS_TEST_EXPECT_MSG_EQ((disk->GetUse() == all), true, disk->GetUse().busyNs);
    }
};

/// Devices of several nodes, and what they share.
class StorageNodesTest : public TestCase
{
  public:
    StorageNodesTest()
        : TestCase("storage: nodes have disks of their own, and share the total")
    {
    }

  private:
    void DoRun() override
    {
        const auto disks = MakeDisk();
        NS_TEST_EXPECT_MSG_EQ(disks->Ask(0, 0, 0, 10), 83, "one node");
        NS_TEST_EXPECT_MSG_EQ(disks->Ask(1, 0, 0, 10), 83, "waits for no other");
        NS_TEST_EXPECT_MSG_EQ(disks->Ask(1, 0, 10, 10), 166, "but for itself");
        NS_TEST_EXPECT_MSG_EQ(disks->GetUse().seeks, 0, "each node has a place in the file");
        NS_TEST_EXPECT_MSG_EQ(disks->GetUse().busyNs, 249, "each counts");
        CheckShared();
        CheckTurns();
        CheckSingle();
    }

    /// Two nodes of 1 bit/ns and a total of 1.6: 8 ns a byte alone, 5 of the total.
    void CheckShared()
    {
        const auto shared = MakeKind("parallel", {{"rate", 1e9}, {"total-rate", 1.6e9}});
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 0, 0, 100), 800, "alone: its own rate");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(1, 0, 0, 100), 1000, "both: the total");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 800, 100, 100), 1600, "1500 of the total");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(1, 1000, 100, 100), 2000, "2000 of the total");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 5000, 0, 100), 5800, "nobody else: its own rate");
    }

    /// What all lose where nodes read different parts by turns: 8 ns a byte of the total, 50 a
    /// seek.
    void CheckTurns()
    {
        const auto shared =
            MakeKind("parallel", {{"rate", 1e12}, {"total-rate", 1e9}, {"total-seek", 50}});
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 0, 0, 100), 800, "from the beginning");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(1, 800, 100, 100), 1600, "goes on, from another node");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 1600, 500, 100), 2450, "elsewhere");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(1, 1600, 200, 100), 3300, "back: where its node was");
        NS_TEST_EXPECT_MSG_EQ(shared->Ask(0, 2450, 600, 100), 4150, "and there again");
        NS_TEST_EXPECT_MSG_EQ(shared->GetUse().seeks, 2, "nodes seek where they did not go on");
    }

    /// One node with all of the total is a disk, whatever it is asked.
    void CheckSingle()
    {
        const auto disk = MakeDisk();
        const auto single =
            MakeKind("parallel",
                     {{"rate", 1e9}, {"latency", 3}, {"seek", 100}, {"total-rate", 1e9}});
        uint64_t offset = 0;
        for (int64_t now = 0; now < 20'000; now += 37 * (now % 11))
        {
            offset += now % 3 == 0 ? 7 : 10;
            NS_TEST_EXPECT_MSG_EQ(single->Ask(0, now, offset, 10),
                                  disk->Ask(0, now, offset, 10),
                                  now);
            ++now;
        }
        NS_TEST_EXPECT_MSG_EQ((single->GetUse() == disk->GetUse()), true, "counts");
    }
};

/// What is not to overflow, and what costs nothing.
class StorageLimitsTest : public TestCase
{
  public:
    StorageLimitsTest()
        : TestCase("storage: rates and sizes at their limits; memory is none")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetStorageNs(1, 3), 2'666'666'667, "rounded");
        NS_TEST_EXPECT_MSG_EQ(GetStorageNs(10'000'000'000, 8'000'000'000), 10'000'000'000, "10 GB");
        NS_TEST_EXPECT_MSG_EQ(GetStorageNs(1'000'000'000'000'000, 1), LONGEST_STORAGE_NS, "1 PB");
        const auto slow = MakeKind("disk", {{"rate", 1}, {"latency", 1e12}, {"seek", 1e12}});
        NS_TEST_EXPECT_MSG_EQ(slow->Ask(0, 5, 0, 1'000'000'000'000'000), LONGEST_STORAGE_NS, "");
        NS_TEST_EXPECT_MSG_EQ(slow->Ask(0, 6, 0, 1'000'000'000'000'000), LONGEST_STORAGE_NS, "");
        NS_TEST_EXPECT_MSG_EQ((MakeKind("memory", {}) == nullptr), true, "memory");
        NS_TEST_EXPECT_MSG_EQ((MakeKind("", {}) == nullptr), true, "none");
        NS_TEST_EXPECT_MSG_EQ((FindStorageKind("tape") == nullptr), true, "unknown");
        NS_TEST_EXPECT_MSG_EQ(GetStorageKinds().front().name, MEMORY_STORAGE, "the default");
        for (const auto& kind : GetStorageKinds())
        {
            const bool isTimed = StorageSpec{.kind = std::string(kind.name)}.IsTimed();
            NS_TEST_EXPECT_MSG_EQ(isTimed, (kind.make != nullptr), kind.name);
        }
    }
};

/// Blocks of a connection that are written.
class StorageWritesTest : public TestCase
{
  public:
    StorageWritesTest()
        : TestCase("storage: a connection writes a few blocks at a time")
    {
    }

  private:
    void DoRun() override
    {
        const auto disk = MakeDisk();
        BlockWrites writes(
            {.storage = {.storage = disk.get(), .node = 0, .offset = 0, .depth = 2}});
        writes.Begin(1000);
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(0), false, "nothing yet");
        writes.Write(0, 0, 10); // at 1000 in the file: seeks, done at 183
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().seeks, 1, "the chunk's offset counts");
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(1), false, "one of two");
        writes.Write(1, 10, 10); // done at 266
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(182), true, "two of two");
        NS_TEST_EXPECT_MSG_EQ(writes.GetNextNs(), 183, "the first");
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 266, "the second");
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(182), 0, "none is done");
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(183), 10, "the first one");
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(183), false, "one of two");
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(266), 20, "both");
        writes.Begin(1020);
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(300), 0, "of the new chunk");
        writes.Write(300, 0, 10);
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().seeks, 1, "it goes on where the last one ended");
        // Nobody asked, since, what is stored of the last chunk
        writes.Begin(1030);
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(1'000'000), 0, "of the new chunk alone");
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 0, "nothing is under way");
    }
};

/// Blocks of two connections that are read ahead.
class BlockFeedTest : public TestCase
{
  public:
    BlockFeedTest()
        : TestCase("storage: connections read blocks ahead, and the end of data from nowhere")
    {
    }

  private:
    void DoRun() override
    {
        const auto disk = MakeDisk();
        const BlockStages place{
            .storage = {.storage = disk.get(), .node = 0, .offset = 500, .depth = 2}};
        BlockScheduler scheduler(Layout::DYNAMIC, 0, 45, 2, 10);
        BlockFeed first(scheduler, 0, place);
        BlockFeed second(scheduler, 1, place);
        first.Fetch(0); // 0 and 10, at 500 in the file: 183, 266
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().requests, 2, "depth");
        NS_TEST_EXPECT_MSG_EQ(first.GetNextNs(), 183, "a seek");
        first.Fetch(1);
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().requests, 2, "no more than that");
        second.Fetch(2); // 20 and 30: 349, 432
        NS_TEST_EXPECT_MSG_EQ(second.GetNextNs(), 349, "behind the others");
        NS_TEST_EXPECT_MSG_EQ(first.Take().offset, 0, "in order");
        NS_TEST_EXPECT_MSG_EQ(first.GetNextNs(), 266, "the next one");
        first.Fetch(200); // the last 5 bytes: 475
        NS_TEST_EXPECT_MSG_EQ(first.Take().offset, 10, "in order");
        NS_TEST_EXPECT_MSG_EQ(first.GetNextNs(), 475, "3 and 40");
        first.Fetch(480); // nothing left
        NS_TEST_EXPECT_MSG_EQ(first.Take().length, 5, "the last block");
        NS_TEST_EXPECT_MSG_EQ(first.GetNextNs(), 480, "the end of data is there at once");
        NS_TEST_EXPECT_MSG_EQ(first.Take().length, 0, "the end of data");
        first.Fetch(500);
        const StorageUse all{.requests = 5, .seeks = 1, .bytes = 45, .busyNs = 475};
        NS_TEST_EXPECT_MSG_EQ((disk->GetUse() == all), true, disk->GetUse().requests);
    }
};

std::vector<TestCase*>
MakeStorageTestCases()
{
    return {new StorageStallTest,
            new StorageDiskTest,
            new StorageNodesTest,
            new StorageLimitsTest,
            new StorageWritesTest,
            new BlockFeedTest};
}

const OwnTestCases g_cases(&MakeStorageTestCases);

} // namespace
