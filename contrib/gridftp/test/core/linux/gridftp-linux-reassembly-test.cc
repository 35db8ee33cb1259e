/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-receiver-test.h"
#include "gridftp-test-cases.h"

#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Bench = LinuxReceiverBench;

/// SACK and DSACK blocks, and what becomes of data out of order.
class LinuxReassemblyTest : public TestCase
{
  public:
    LinuxReassemblyTest()
        : TestCase("Linux receiver: order of SACK blocks, DSACK, reassembly")
    {
    }

  private:
    void DoRun() override
    {
        OrderBlocks();
        ReportDuplicates();
        JoinOverlaps();
        FillRandomly();
        AnswerOutside();
    }

    /// RFC 2018: the block of the segment that triggers the ACK is the first; at most 3 fit next to
    /// timestamps, 4 without; 4 are remembered.
    void OrderBlocks()
    {
        LinuxSettings settings;
        settings.acknowledgesAll = true;
        Bench bench(settings);
        const auto expect = [&](uint64_t index, const std::string& blocks) {
            NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(index), 1448), true, "ACK of " << index);
            NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), blocks, "after " << index);
        };
        bench.Stream(10, LINUX_MS);
        expect(11, "11-12");
        expect(13, "13-14 11-12");
        expect(15, "15-16 13-14 11-12");
        expect(17, "17-18 15-16 13-14");
        expect(19, "19-20 17-18 15-16");
        expect(14, "13-16 19-20 17-18");
        expect(12, "12-16 19-20 17-18");
        expect(16, "12-18 19-20");
        expect(10, "19-20");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(18), "the gap is filled");
        expect(18, "");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(20), "all gaps are filled");

        settings.timestamps = false;
        Bench other(settings);
        for (uint64_t index : {1, 3, 5, 7, 9})
        {
            other.Come(1 + 1448 * index, 1448);
        }
        NS_TEST_EXPECT_MSG_EQ(other.GetBlocks(), "9-10 7-8 5-6 3-4", "four blocks");
    }

    /// RFC 2883: data that came twice are the first block, once.
    void ReportDuplicates()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        bench.Stream(40, LINUX_MS);
        NS_TEST_EXPECT_MSG_EQ(bench.Come(Bench::At(20), 1448), true, "below, at once");
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "20-21", "below");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, Bench::At(40), "below");
        bench.Come(Bench::At(42), 1448);
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "42-43", "reported once");
        bench.Come(Bench::At(43), 1448);
        bench.Come(Bench::At(42), 1448);
        NS_TEST_EXPECT_MSG_EQ(bench.GetBlocks(), "42-43 42-44", "above");

        LinuxSettings without;
        without.dsack = false;
        Bench silent(without);
        silent.Stream(40, LINUX_MS);
        NS_TEST_EXPECT_MSG_EQ(silent.Come(Bench::At(20), 1448), true, "still at once");
        NS_TEST_EXPECT_MSG_EQ(int(silent.ack.blocks), 0, "tcp_dsack = 0");
    }

    /// Segments that overlap: the common part is a DSACK, each byte is delivered once.
    void JoinOverlaps()
    {
        LinuxSettings settings;
        settings.acknowledgesAll = true;
        Bench bench(settings);
        bench.Stream(10, LINUX_MS);
        const uint64_t next = bench.receiver.GetNext();
        bench.Come(next + 1000, 1000);
        bench.Come(next + 3000, 1000);
        bench.Come(next + 1500, 2000);
        NS_TEST_EXPECT_MSG_EQ(int(bench.ack.blocks), 2, "DSACK and one block");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.sack[0].start, next + 1500, "DSACK of the first overlap");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.sack[0].end, next + 2000, "DSACK of the first overlap");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.sack[1].start, next + 1000, "block");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.sack[1].end, next + 4000, "block");
        bench.Come(next - 500, 1700);
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, next + 4000, "in order");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetReadable(), 4000, "each byte once");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.sack[0].start, next - 500, "DSACK of the start");
        bench.ReadAll();
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBuffer().GetMemory(), 0, "no memory is left");
    }

    /// Segments in random order, some twice: all data, no memory left, ACKs never decrease.
    void FillRandomly()
    {
        LinuxSettings settings;
        settings.fixedReceiveBuffer = 16 << 20;
        constexpr uint64_t COUNT = 3000;
        Bench bench(settings);
        bench.Stream(400, LINUX_MS);
        std::vector<uint64_t> order;
        for (uint64_t i = 0; i < COUNT; ++i)
        {
            order.push_back(400 + i);
        }
        uint64_t state = 12345;
        for (uint64_t i = COUNT - 1; i > 0; --i)
        {
            state = state * 6364136223846793005 + 1442695040888963407;
            // The first segment comes last.
            std::swap(order[i], order[1 + (state >> 33) % i]);
        }
        std::swap(order.front(), order.back());
        uint64_t most = 0;
        for (uint64_t i = 0; i < COUNT; ++i)
        {
            bench.Come(Bench::At(order[i]), 1448);
            if (i % 7 == 0)
            {
                bench.Come(Bench::At(order[i / 2]), 1448);
            }
            NS_TEST_ASSERT_MSG_EQ((bench.ack.ack >= most), true, "the ACK decreases");
            most = bench.ack.ack;
            bench.now += 10'000;
        }
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetNext(), Bench::At(400 + COUNT), "all data");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetReadable(), COUNT * 1448, "all data");
        bench.ReadAll();
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBuffer().GetMemory(), 0, "no memory is left");
    }

    /// Segments outside of the window are answered and dropped; those without data twice a second
    /// at most.
    void AnswerOutside()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        bench.Stream(40, LINUX_MS);
        bench.Send();
        const uint64_t next = bench.receiver.GetNext();
        const uint64_t behind = next + bench.receiver.GetWindow() + 1;
        NS_TEST_EXPECT_MSG_EQ(bench.Come(behind, 1448), true, "behind the window");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.ack, next, "dropped");
        NS_TEST_EXPECT_MSG_EQ(int(bench.ack.blocks), 0, "dropped");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next - 1, 0), true, "a probe");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next - 1, 0), false, "too soon");
        bench.now += 500 * LINUX_MS;
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next - 1, 0), true, "500 ms later");
        NS_TEST_EXPECT_MSG_EQ(bench.Come(next, 0), false, "an ACK");
    }
};

const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxReassemblyTest}; });

} // namespace
