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

/// Memory, windows, and buffers that tune themselves. Where a value is said to be measured, Linux
/// 6.18 showed it for the same segments, sent by hand through a tap device.
class LinuxReceiveBufferTest : public TestCase
{
  public:
    LinuxReceiveBufferTest()
        : TestCase("Linux receiver: memory, window and Dynamic Right-Sizing")
    {
    }

  private:
    void DoRun() override
    {
        CountMemory();
        OfferFirstWindows();
        FixBuffer();
        TuneBuffer();
        EstimateRtt();
        CloseWindow();
        DropWhereFull();
        EchoTimestamps();
    }

    /// Measured: sk_rmem_alloc grows by these for one segment.
    void CountMemory()
    {
        NS_TEST_EXPECT_MSG_EQ(LinuxReceiveBuffer::GetSegmentMemory(300), 1280, "1024 + 256");
        NS_TEST_EXPECT_MSG_EQ(LinuxReceiveBuffer::GetSegmentMemory(500), 1280, "1024 + 256");
        NS_TEST_EXPECT_MSG_EQ(LinuxReceiveBuffer::GetSegmentMemory(700), 2304, "2048 + 256");
        NS_TEST_EXPECT_MSG_EQ(LinuxReceiveBuffer::GetSegmentMemory(1448), 2304, "2048 + 256");
    }

    /// tcp_rmem[1] is 131072: half of it is window at first, in whole segments. Measured: the
    /// windows of the first ACKs, in units of 1024 bytes, up to 160 / 256 of the buffer.
    void OfferFirstWindows()
    {
        LinuxSettings settings;
        settings.acknowledgesAll = true;
        Bench bench(settings);
        LinuxSegment syn;
        syn.flags = LinuxSegment::SYN | LinuxSegment::ACK;
        LinuxReceiver server(settings);
        LinuxSegment peer;
        peer.flags = LinuxSegment::SYN;
        server.Open(0, peer, true, true);
        server.Fill(0, syn);
        NS_TEST_EXPECT_MSG_EQ(syn.window, 65160, "45 segments of 1448 bytes");
        LinuxReceiver client(settings);
        syn = {};
        syn.flags = LinuxSegment::SYN;
        client.Fill(0, syn);
        NS_TEST_EXPECT_MSG_EQ(syn.window, 64240, "44 segments of 1460 bytes");
        Bench connected(settings, true, false);
        connected.Send();
        NS_TEST_EXPECT_MSG_EQ(connected.ack.window, 64512, "65536 - 1448, rounded up; measured");
        for (const uint64_t window : {67584, 70656})
        {
            connected.Stream(1, 2 * LINUX_MS);
            NS_TEST_EXPECT_MSG_EQ(connected.ack.window, window, "measured");
        }
        for (const uint64_t window : {68608, 71680, 74752, 76800, 79872, 80896, 80896})
        {
            bench.Stream(1, 2 * LINUX_MS);
            NS_TEST_EXPECT_MSG_EQ(bench.ack.window, window, "measured");
        }
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBuffer().GetClamp(), 81920, "131072 * 160 / 256");
    }

    /// SO_RCVBUF of 1 MiB: the kernel doubles it, and 160 / 256 of that are window. Measured: the
    /// first windows, in units of 32 bytes.
    void FixBuffer()
    {
        LinuxSettings settings;
        settings.fixedReceiveBuffer = 1 << 20;
        Bench bench(settings);
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBufferSize(), 2 << 20, "doubled");
        for (const uint64_t window : {1051264, 1054144, 1057056})
        {
            bench.Stream(1, LINUX_MS / 2);
            NS_TEST_EXPECT_MSG_EQ(bench.ack.window, window, "measured");
        }
        bench.Stream(2000, LINUX_MS / 2);
        NS_TEST_EXPECT_MSG_EQ(bench.ack.window, 1309280, "(2097152 - 2304) * 160 / 256");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetBufferSize(), 2 << 20, "not tuned");
    }

    /// RTT 100 ms, windows of 10, 20, 40 ... segments every 107 ms. With c bytes in a round and s
    /// in the one before, the window has to be 2c + 2 * 2c (c - s) / s, and the buffer 256 / 160 of
    /// it: 57920 + 2 * 47389 = 152698 for c = 20 and s = 11 segments. Measured: 244316 as well.
    void TuneBuffer()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        std::vector<uint64_t> sizes;
        const Nanoseconds start = bench.now;
        double byteSeconds = 0;
        Nanoseconds last = start;
        int sent = 10;
        for (int round = 0; round < 5; ++round)
        {
            bench.now = start + round * 107 * LINUX_MS;
            for (int i = 0; i < sent; ++i)
            {
                const auto size = static_cast<double>(bench.receiver.GetBufferSize());
                byteSeconds += size * static_cast<double>(bench.now - last) / 1e9;
                last = bench.now;
                bench.segment.tsEcr = static_cast<uint32_t>(bench.now / LINUX_MS) + 1 - 100;
                bench.Stream(1, LINUX_MS / 10);
            }
            sizes.push_back(bench.receiver.GetBufferSize());
            sent *= 2;
        }
        const std::vector<uint64_t> expected{131072, 131072, 244316, 556032, 1112064};
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(sizes[i], expected[i], "in round " << i);
        }
        const BufferUse use = bench.receiver.GetBufferUse();
        const double seconds = static_cast<double>(last - start) / 1e9;
        NS_TEST_EXPECT_MSG_EQ(use.mostBytes, 1112064, "the largest");
        NS_TEST_EXPECT_MSG_EQ_TOL(use.openSeconds, seconds, 1e-12, "until the last segment");
        NS_TEST_EXPECT_MSG_EQ_TOL(use.meanBytes, byteSeconds / seconds, 1e-3, "over time");
        NS_TEST_EXPECT_MSG_EQ((use.meanBytes > 131072 && use.meanBytes < 1112064), true, "between");
        const LinuxReceiver unused(settings);
        NS_TEST_EXPECT_MSG_EQ(unused.GetBufferUse().openSeconds, 0, "not connected");
    }

    /// With timestamps, from the echo of full segments: a smaller sample counts at once, a larger
    /// one by an eighth, and only if all data were read. Without, the time of a window.
    void EstimateRtt()
    {
        LinuxSettings settings;
        Bench bench(settings);
        const auto sample = [&](uint32_t ms) {
            bench.segment.tsEcr = static_cast<uint32_t>(bench.now / LINUX_MS) + 1 - ms;
            bench.Come(bench.receiver.GetNext(), 1448);
            return bench.receiver.GetBuffer().GetRttUs8() / 8;
        };
        NS_TEST_EXPECT_MSG_EQ(sample(100), 100'000, "first");
        bench.ReadAll();
        NS_TEST_EXPECT_MSG_EQ(sample(60), 60'000, "smaller");
        bench.now += 3 * LINUX_MS;
        NS_TEST_EXPECT_MSG_EQ(sample(100), 60'000, "larger, with data that wait");
        bench.ReadAll();
        bench.now += 3 * LINUX_MS;
        NS_TEST_EXPECT_MSG_EQ(sample(100), 65'000, "larger");

        settings.timestamps = false;
        Bench other(settings);
        // The window is 64240 bytes, or 44 segments behind the first one.
        for (int i = 0; i < 46; ++i)
        {
            other.Come(other.receiver.GetNext(), 1460);
            other.ReadAll();
            other.now += LINUX_MS;
        }
        NS_TEST_EXPECT_MSG_EQ(other.receiver.GetBuffer().GetRttUs8() / 8, 44'000, "a window");
    }

    /// The application does not read: the window closes and its right edge never moves back; a
    /// buffer that is full grows up to the data that came; reading half of the data opens the
    /// window.
    void CloseWindow()
    {
        const LinuxSettings settings;
        Bench bench(settings);
        uint64_t edge = 0;
        for (int i = 0; i < 100; ++i)
        {
            if (bench.Come(bench.receiver.GetNext(), 1448))
            {
                NS_TEST_ASSERT_MSG_EQ((bench.ack.ack + bench.ack.window >= edge), true, "shrinks");
                edge = bench.ack.ack + bench.ack.window;
            }
            bench.now += LINUX_MS;
        }
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetNext(), 89777, "62 segments, as measured");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.window, 1024, "what is left of it");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.Read(bench.now, 1448), false, "too little");
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.Read(bench.now, 20'000), true, "at least doubles");
        bench.Send();
        NS_TEST_EXPECT_MSG_EQ((bench.ack.window > 10'000), true, "open again");
    }

    /// A fixed buffer that small segments out of order fill: the highest ones go first, and SACK
    /// blocks are forgotten (tcp_prune_ofo_queue).
    void DropWhereFull()
    {
        LinuxSettings settings;
        settings.fixedReceiveBuffer = 65536;
        Bench bench(settings);
        bench.Stream(40, LINUX_MS);
        bench.Send();
        const uint64_t next = bench.receiver.GetNext();
        const uint64_t count = bench.receiver.GetWindow() / 400;
        for (uint64_t i = count - 1; i > 0; --i)
        {
            bench.Come(next + 400 * i, 200);
        }
        const LinuxReceiveBuffer& buffer = bench.receiver.GetBuffer();
        NS_TEST_EXPECT_MSG_EQ((buffer.GetMemory() <= buffer.GetSize() + 1280),
                              true,
                              "within bounds");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetSize(), 131072, "fixed");
        for (uint64_t i = 0; i < 2 * count; ++i)
        {
            bench.Come(next + 200 * i, 200);
            bench.ReadAll();
        }
        NS_TEST_EXPECT_MSG_EQ(bench.receiver.GetNext(), next + 400 * count, "all data");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetMemory(), 0, "no memory is left");
    }

    /// RFC 7323, Section 4.3: the timestamp of the first segment that an ACK covers.
    void EchoTimestamps()
    {
        LinuxSettings settings;
        settings.moderatesReceiveBuffer = false;
        Bench bench(settings);
        bench.Stream(40, 2 * LINUX_MS);
        bench.Send();
        const uint64_t next = bench.receiver.GetNext();
        bench.now = 1'090 * LINUX_MS;
        bench.Stream(1, 10 * LINUX_MS);
        NS_TEST_EXPECT_MSG_EQ(bench.Stream(1, 0), 1, "ACK of two segments");
        NS_TEST_EXPECT_MSG_EQ(bench.ack.tsEcr, 1'090, "of the first");
        bench.now = 1'110 * LINUX_MS;
        bench.Come(next + 3 * 1448, 1448);
        NS_TEST_EXPECT_MSG_EQ(bench.ack.tsEcr, 1'090, "out of order: of the last in order");
        bench.now = 1'120 * LINUX_MS;
        bench.Come(next + 2 * 1448, 1448);
        NS_TEST_EXPECT_MSG_EQ(bench.ack.tsEcr, 1'120, "of the segment that fills the gap");
    }
};

const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxReceiveBufferTest}; });

} // namespace
