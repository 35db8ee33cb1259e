/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-tally.h"
#include "gridftp-receive-buffer.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr uint64_t MSS = 1000;

/// @param policy name @param window at first, bytes @param most bytes @return a buffer
ReceiveBuffer
MakeBuffer(const char* policy, uint64_t window, uint64_t most)
{
    const BufferSettings settings{.policy = FindBufferPolicy(policy),
                                  .window = window,
                                  .most = most,
                                  .segmentBytes = MSS};
    return {settings, settings.GetShift()};
}

/// The window field and the edge behind it.
class ReceiveWindowTest : public TestCase
{
  public:
    ReceiveWindowTest()
        : TestCase("receive buffer: window, its edge, silly windows")
    {
    }

  private:
    void DoRun() override
    {
        ReadAtOnce();
        ReadLate();
        Shrink();
        Scale();
    }

    /// All is read as it comes: the whole window, always.
    void ReadAtOnce()
    {
        ReceiveBuffer buffer = MakeBuffer("fixed", 10'000, 0);
        buffer.Open(0, 0);
        NS_TEST_EXPECT_MSG_EQ(buffer.GetFirstField(), 10'000, "of the SYN");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 10'000, "what the SYN lets through");
        buffer.HandleArrival(1, 300);
        buffer.HandleRead(1, 300);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(1), 10'000, "less than a segment has come");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 10'300, "edge");
    }

    /// The window closes as data come, and opens with an update of its own.
    void ReadLate()
    {
        ReceiveBuffer buffer = MakeBuffer("fixed", 10'000, 0);
        buffer.Open(0, 0);
        buffer.HandleArrival(1, 8500);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(1), 1500, "what is left");
        buffer.HandleArrival(2, 10'000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(2), 0, "closed");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetUnread(), 10'000, "unread");
        buffer.HandleRead(3, 900);
        NS_TEST_EXPECT_MSG_EQ(buffer.IsUpdateDue(), false, "less than two segments");
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(3), 0, "less than a segment is none");
        buffer.HandleRead(4, 100);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(4), 1000, "a segment");
        buffer.HandleRead(5, 1999);
        NS_TEST_EXPECT_MSG_EQ(buffer.IsUpdateDue(), false, "not quite two segments");
        buffer.HandleRead(6, 1);
        NS_TEST_EXPECT_MSG_EQ(buffer.IsUpdateDue(), true, "two segments");
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(6), 3000, "and what was offered before");
        NS_TEST_EXPECT_MSG_EQ(buffer.IsUpdateDue(), false, "told");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 13'000, "edge");
    }

    /// A smaller buffer takes back nothing that was offered.
    void Shrink()
    {
        ReceiveBuffer buffer = MakeBuffer("fixed", 10'000, 0);
        buffer.Open(0, 0);
        buffer.Resize(1, 4000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(1), 10'000, "as offered");
        Deliver(buffer, 2, 5000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(2), 5000, "data take it back");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 10'000, "where it was");
        Deliver(buffer, 3, 7000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(3), 4000, "the new size");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 11'000, "moves again");
        buffer.Resize(4, 20'000);
        NS_TEST_EXPECT_MSG_EQ(buffer.GetSize(),
                              10'000,
                              "no more than the handshake has scaled for");
    }

    /// With a shift of 9, in units of 512 bytes; what was offered is rounded up, what is new down.
    void Scale()
    {
        ReceiveBuffer buffer = MakeBuffer("drs-kernel", 65'536, 16 << 20);
        buffer.Open(0, 0);
        NS_TEST_EXPECT_MSG_EQ(buffer.GetShift(), 9, "16 MiB is 32768 units of 512");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetFirstField(), 65'535, "not scaled");
        Deliver(buffer, 1, 1000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(1), 128, "64 KiB");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 66'536, "edge");
        buffer.HandleArrival(2, 2000);
        NS_TEST_EXPECT_MSG_EQ(buffer.Advertise(2), 127, "64536 bytes are 126.05 units");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetEdge(), 67'024, "not less than before");
        ReceiveBuffer small = MakeBuffer("drs-kernel", 1000, 16 << 20);
        small.Open(0, 0);
        NS_TEST_EXPECT_MSG_EQ(small.Advertise(1), 2, "a segment is not scaled away");
        NS_TEST_EXPECT_MSG_EQ(GetWindowShift(65'535), 0, "fits");
        NS_TEST_EXPECT_MSG_EQ(GetWindowShift(65'536), 1, "does not");
        NS_TEST_EXPECT_MSG_EQ(GetWindowShift(uint64_t{1} << 40), 14, "RFC 7323, Section 2.3");
    }

    /// Data come and are read at once. @param buffer theirs @param now ns @param next byte missing
    static void Deliver(ReceiveBuffer& buffer, int64_t now, uint64_t next)
    {
        buffer.HandleArrival(now, next);
        buffer.HandleRead(now, buffer.GetUnread());
    }
};

/// The bounds of Gardner, Thulasidasan and Feng, Section 3, on a timeline made by hand.
class ReceiverBoundsTest : public TestCase
{
  public:
    ReceiverBoundsTest()
        : TestCase("receive buffer: RTT from above, the sender's window from below")
    {
    }

  private:
    void DoRun() override
    {
        BoundRtt();
        BoundWindow();
        Pause();
    }

    /// From an ACK to the last byte that it lets through.
    void BoundRtt()
    {
        ReceiverRtt rtt;
        rtt.HandleArrival(10 * MS, 1000);
        NS_TEST_EXPECT_MSG_EQ(rtt.Get(), 0, "nothing was sent that lets data through");
        rtt.HandleAck(20 * MS, 10'000);
        rtt.HandleAck(30 * MS, 11'000);
        rtt.HandleArrival(110 * MS, 9999);
        NS_TEST_EXPECT_MSG_EQ(rtt.Get(), 0, "a byte is missing");
        rtt.HandleArrival(120 * MS, 10'000);
        NS_TEST_EXPECT_MSG_EQ(rtt.Get(), 100 * MS, "since the first ACK");
        rtt.HandleAck(120 * MS, 20'000);
        rtt.HandleArrival(200 * MS, 20'000);
        NS_TEST_EXPECT_MSG_EQ(rtt.Get(), 80 * MS, "less is nearer");
        rtt.HandleAck(200 * MS, 30'000);
        rtt.HandleArrival(5000 * MS, 30'000);
        NS_TEST_EXPECT_MSG_EQ(rtt.Get(), 80 * MS, "a sender that paused tells nothing");
        ReceiverRtt known;
        known.Begin(70 * MS);
        known.HandleAck(0, 10);
        known.HandleArrival(90 * MS, 10);
        NS_TEST_EXPECT_MSG_EQ(known.Get(), 70 * MS, "of the handshake");
    }

    /// RTT 100 ms; 2 segments a round trip, 4, 8, then 8 again: the buffer is twice that.
    void BoundWindow()
    {
        ReceiveBuffer buffer = MakeBuffer("drs-kernel", 3000, 100'000);
        buffer.Open(0, 100 * MS);
        uint64_t next = 0;
        const auto round = [&](int64_t startMs, int segments) {
            for (int i = 0; i < segments; ++i)
            {
                next += MSS;
                buffer.HandleArrival((startMs + i) * MS, next);
                buffer.HandleRead((startMs + i) * MS, MSS);
                buffer.Advertise((startMs + i) * MS);
            }
            return buffer.GetSize();
        };
        NS_TEST_EXPECT_MSG_EQ(round(100, 2), 3000, "no round trip is over");
        NS_TEST_EXPECT_MSG_EQ(round(200, 4), 4000, "twice the 2 of the first");
        NS_TEST_EXPECT_MSG_EQ(round(300, 8), 8000, "twice the 4 of the second");
        NS_TEST_EXPECT_MSG_EQ(round(400, 8), 16'000, "twice the 8 of the third");
        NS_TEST_EXPECT_MSG_EQ(round(500, 8), 16'000, "steady");
        NS_TEST_EXPECT_MSG_EQ(round(599, 1), 16'000, "a nanosecond before the round trip is over");
        NS_TEST_EXPECT_MSG_EQ(round(600, 1), 18'000, "9 came in less than 100 ms");
        NS_TEST_EXPECT_MSG_EQ(round(700, 1), 18'000, "2 came: it never shrinks");
    }

    /// A sender that pauses and goes on as before changes neither bound.
    void Pause()
    {
        ReceiveBuffer buffer = MakeBuffer("drs-kernel", 4000, 100'000);
        buffer.Open(0, 100 * MS);
        uint64_t next = 0;
        for (const int64_t ms : {100, 101, 200, 201, 9000, 9001, 9100, 9101})
        {
            next += MSS;
            buffer.HandleArrival(ms * MS, next);
            buffer.HandleRead(ms * MS, MSS);
            buffer.Advertise(ms * MS);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer.GetRttNs(), 100 * MS, "RTT");
        NS_TEST_EXPECT_MSG_EQ(buffer.GetSize(), 4000, "2 segments a round trip, twice");
        const BufferUse use = buffer.GetUse();
        NS_TEST_EXPECT_MSG_EQ(use.mostBytes, 4000, "largest");
        NS_TEST_EXPECT_MSG_EQ(use.openSeconds, 9.101, "until the last byte");
        NS_TEST_EXPECT_MSG_EQ(use.meanBytes, 4000, "4000 bytes all the time");
    }
};

/// Receiver auto-tuning as in Linux: made by hand from tcp_rcv_space_adjust().
class LinuxReceiverTest : public TestCase
{
  public:
    LinuxReceiverTest()
        : TestCase("receive buffer: Linux's auto-tuning")
    {
    }

  private:
    void DoRun() override
    {
        ReceiveBuffer buffer = MakeBuffer("linux-receiver", 65'536, 6 << 20);
        buffer.Open(0, 100 * MS);
        const auto deliver = [&](int64_t ms, uint64_t bytes) {
            m_next += bytes;
            buffer.HandleArrival(ms * MS, m_next);
            buffer.HandleRead(ms * MS, bytes);
            return buffer.GetSize();
        };
        NS_TEST_EXPECT_MSG_EQ(deliver(0, 10'000), 65'536, "begins to measure");
        NS_TEST_EXPECT_MSG_EQ(deliver(99, 10'000), 65'536, "no round trip is over");
        // 40,000 taken, 10 segments expected: w = 80,000 + 16,000, and 2 w (40,000 - 10,000) /
        // 10,000
        NS_TEST_EXPECT_MSG_EQ(deliver(100, 20'000), 96'000 + 2 * 288'000, "grows ahead");
        NS_TEST_EXPECT_MSG_EQ(deliver(200, 40'000), 672'000, "no more than before");
        // 50,000: w = 116,000, and 2 w / 4
        NS_TEST_EXPECT_MSG_EQ(deliver(300, 50'000), 672'000, "less than there is");
        NS_TEST_EXPECT_MSG_EQ(deliver(400, 5'000'000), 6 << 20, "as far as it may");
    }

    uint64_t m_next{0}; //!< bytes that have arrived
};

/// Several connections: the same mean whatever their order.
class BufferTallyTest : public TestCase
{
  public:
    BufferTallyTest()
        : TestCase("receive buffer: the largest and the mean of several connections")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<BufferUse> uses{{1000, 1, 0.1}, {3000, 2, 0.1}, {2000, 3, 0.1}};
        BufferTally forth;
        BufferTally back;
        NS_TEST_EXPECT_MSG_EQ(forth.HasAny(), false, "none");
        NS_TEST_EXPECT_MSG_EQ(forth.GetMeanBytes(), 0, "of none");
        for (size_t i = 0; i < uses.size(); ++i)
        {
            forth.Add(uses[i]);
            back.Add(uses[uses.size() - 1 - i]);
        }
        forth.Add(BufferUse{9000, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(forth.GetMostBytes(), 3000, "one that carried nothing is none");
        NS_TEST_EXPECT_MSG_EQ(forth.GetMeanBytes(), back.GetMeanBytes(), "to the last digit");
        NS_TEST_EXPECT_MSG_EQ_TOL(forth.GetMeanBytes(), 2, 1e-12, "of three, as long each");
        BufferTally both = forth;
        both.Add(back);
        NS_TEST_EXPECT_MSG_EQ_TOL(both.GetMeanBytes(), 2, 1e-12, "joined");
        BufferTally constant;
        for (const double seconds : {3.39e-5, 0.41, 1.0 / 3, 7e3})
        {
            constant.Add(BufferUse{1460, 1460, seconds});
        }
        NS_TEST_EXPECT_MSG_EQ(constant.GetMeanBytes(), 1460, "what none of them changed, exactly");
    }
};

const OwnTestCases CASES([]() -> std::vector<TestCase*> {
    return {new ReceiveWindowTest,
            new ReceiverBoundsTest,
            new LinuxReceiverTest,
            new BufferTallyTest};
});

} // namespace
