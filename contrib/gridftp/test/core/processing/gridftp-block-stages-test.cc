/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-feed.h"
#include "gridftp-block-stages.h"
#include "gridftp-block-writes.h"
#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What bytes cost.
class BlockCostTest : public TestCase
{
  public:
    BlockCostTest()
        : TestCase("processing: a block costs CPU time for its bytes and their protection")
    {
    }

  private:
    /// @return what blocks cost at the end that sends
    static BlockCost MakeCost(const ProcessingSpec& processing)
    {
        BufferSpec spec;
        spec.processing = processing;
        return MakeBlockCost(spec, false);
    }

    void DoRun() override
    {
        ProcessingSpec spec;
        spec.cpuRate = 1'000'000'000;
        spec.integrityRate = 2'000'000'000;
        spec.confidentialityRate = 500'000'000;
        NS_TEST_EXPECT_MSG_EQ(MakeCost(spec).Of(10, 10).GetSum(), 80, "8 ns a byte");
        spec.protection = Protection::INTEGRITY;
        NS_TEST_EXPECT_MSG_EQ(MakeCost(spec).Of(10, 10).Get(CpuUse::PROTECTION), 40, "and 4");
        spec.protection = Protection::CONFIDENTIALITY;
        const CpuWork work = MakeCost(spec).Of(10, 10);
        NS_TEST_EXPECT_MSG_EQ(work.Get(CpuUse::DATA), 80, "as before");
        NS_TEST_EXPECT_MSG_EQ(work.Get(CpuUse::PROTECTION), 160, "and 16");
        spec.cpuRate = 0;
        NS_TEST_EXPECT_MSG_EQ(MakeCost(spec).Of(10, 10).GetSum(), 160, "the protection alone");
        NS_TEST_EXPECT_MSG_EQ(spec.IsTimed(true), true, "which takes time");
        spec.protection = Protection::CLEAR;
        NS_TEST_EXPECT_MSG_EQ(MakeCost(spec).Of(10, 10).GetSum(), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(spec.IsTimed(true), false, "which takes none");
    }
};

/// Storage and CPU, one behind the other.
class BlockStagesTest : public TestCase
{
  public:
    BlockStagesTest()
        : TestCase("processing: blocks pass storage and CPU, both ways, a few at a time")
    {
    }

  private:
    /// A disk that takes 83 ns for 10 bytes, and a CPU that takes 160.
    static BlockStages Make(Storage* disk, HostCpu& cpu)
    {
        return {.storage = {.storage = disk, .node = 0, .offset = 0, .depth = 2},
                .cpu = &cpu,
                .cost = {.dataRate = 500'000'000}};
    }

    void DoRun() override
    {
        const StorageSpec spec{.kind = "disk",
                               .values = {{"rate", 1e9}, {"latency", 3}, {"seek", 100}},
                               .depth = 2};
        Send(MakeStorage(spec).get());
        Receive(MakeStorage(spec).get());
        HostCpu cpu;
        const BlockStages memory = Make(nullptr, cpu);
        NS_TEST_EXPECT_MSG_EQ(memory.IsTimed(), true, "the CPU is enough");
        NS_TEST_EXPECT_MSG_EQ(memory.Read(7, 0, 10), 167, "the CPU alone");
        NS_TEST_EXPECT_MSG_EQ(memory.Write(8, 0, 10), 327, "and the same one");
    }

    /// Read, worked on, and then on the connection.
    void Send(Storage* disk)
    {
        HostCpu cpu;
        BlockScheduler scheduler(Layout::DYNAMIC, 0, 25, 1, 10);
        BlockFeed feed(scheduler, 0, Make(disk, cpu));
        feed.Fetch(0); // read at 83 and 166
        NS_TEST_EXPECT_MSG_EQ(feed.GetNextNs(), 243, "83 and 160");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(10, {CpuUse::REQUESTS, 50}), 60, "while the disk reads");
        feed.Take();
        NS_TEST_EXPECT_MSG_EQ(feed.GetNextNs(), 403, "read long before, but behind the first");
        feed.Fetch(500); // the last 5 bytes, read at 543
        feed.Take();
        NS_TEST_EXPECT_MSG_EQ(feed.GetNextNs(), 623, "43 and 80 later");
        feed.Fetch(600);
        NS_TEST_EXPECT_MSG_EQ(feed.Take().length, 5, "the last block");
        NS_TEST_EXPECT_MSG_EQ(feed.GetNextNs(), 600, "the end of data costs nothing");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().Get(CpuUse::DATA), 400, "25 bytes");
    }

    /// Read from the connection, worked on, and then written.
    void Receive(Storage* disk)
    {
        HostCpu cpu;
        BlockWrites writes(Make(disk, cpu));
        writes.Begin(0);
        writes.Write(0, 0, 10);
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 243, "160 and 83");
        writes.Write(1, 10, 10);
        NS_TEST_EXPECT_MSG_EQ(writes.GetLastNs(), 403, "320 and 83");
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(242), true, "two of two");
        NS_TEST_EXPECT_MSG_EQ(writes.IsFull(243), false, "one of two");
        NS_TEST_EXPECT_MSG_EQ(writes.GetStored(402), 10, "stored, not only worked on");
        NS_TEST_EXPECT_MSG_EQ(disk->GetUse().seeks, 0, "one after the other");
    }
};

std::vector<TestCase*>
MakeProcessingTestCases()
{
    return {new BlockCostTest, new BlockStagesTest};
}

const OwnTestCases g_cases(&MakeProcessingTestCases);

} // namespace
