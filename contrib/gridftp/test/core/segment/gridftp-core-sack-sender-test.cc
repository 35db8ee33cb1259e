/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sender-bench.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-record-pool.h"
#include "ns3/gridftp-segment-options.h"
#include "ns3/gridftp-segment-sender.h"
#include "ns3/test.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a sender sends with SACK or limited transmit, and which round-trip times timestamps say:
 * worked out by hand from RFC 6675, 3042 and 7323 with ns-3's readings.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t SEGMENT_BYTES = SenderBench::SEGMENT;
constexpr Nanoseconds MS_NS = SenderBench::MILLISECOND;
constexpr Nanoseconds FIRST_RTT_NS = SenderBench::FIRST_RTT;

/// A sender, and ACKs that a test makes.
class OptionSending : public SenderBench
{
  public:
    /// @param tcp what is special
    explicit OptionSending(const SegmentTcp& tcp)
        : SenderBench(tcp)
    {
        Start(20);
    }

    void SendSegment(SegmentSender&, uint64_t start, uint32_t size) override
    {
        Note(std::to_string(start) + (size == SEGMENT_BYTES ? "" : "+" + std::to_string(size)));
    }

    /// An ACK comes. @param ms when @param ack first byte missing @param blocks of its SACK option
    /// @return first bytes of the segments that are sent for it
    std::string Ack(int64_t ms, uint64_t ack, std::initializer_list<SackBlock> blocks = {})
    {
        sender.SetOptions(0, MakeBlocks(blocks));
        sender.HandleAck(ms * MS_NS, ack);
        return Take();
    }
};

/// RFC 6675.
class SackSenderTest : public TestCase
{
  public:
    SackSenderTest()
        : TestCase("SACK: a sender fills each gap once, and again where that is lost")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* control : {"reno", "newreno"})
        {
            CheckOneLoss(control);
            CheckLostAgain(control);
            CheckEnd(control);
        }
    }

    /// @param control name of the congestion control @return its settings
    static SegmentTcp TcpOf(const char* control)
    {
        SegmentTcp tcp;
        tcp.control = FindCongestionControl(control);
        tcp.hasSack = true;
        return tcp;
    }

    /// Of ten segments the first one is lost. @param control name of the congestion control
    void CheckOneLoss(const char* control)
    {
        OptionSending test(TcpOf(control));
        NS_TEST_EXPECT_MSG_EQ(test.Take(), "0 1000 2000 3000 4000 5000 6000 7000 8000 9000", "");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(101, 0, {{1000, 2000}}), "10000", "one has left the path");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(102, 0, {{1000, 3000}}), "11000", "");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(103, 0, {{1000, 4000}}), "0", "fast retransmit");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetSsthresh(), 4000, "half of 12 - 3 - 1 segments");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetCwnd(), 4000, "");
        NS_TEST_EXPECT_MSG_EQ((test.sender.GetState() == CongestionState::RECOVERY), true, "");
        for (int64_t i = 4; i < 9; ++i)
        {
            const auto end = static_cast<uint64_t>(1000 * i + 1000);
            NS_TEST_EXPECT_MSG_EQ(test.Ack(100 + i, 0, {{1000, end}}), "", "9 to 4 are in flight");
        }
        NS_TEST_EXPECT_MSG_EQ(test.Ack(109, 0, {{1000, 10000}}), "12000", "3 are");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(201, 10000),
                              "13000",
                              "a partial ACK: the next segment, whatever cwnd is");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(211, 12000), "14000 15000", "the end of recovery");
        NS_TEST_EXPECT_MSG_EQ((test.sender.GetState() == CongestionState::OPEN), true, "");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetTotals().retransmissions, 1, "");
    }

    /// What fills the gap is lost, too: ns-3's issue 1349. @param control name of the congestion
    /// control
    void CheckLostAgain(const char* control)
    {
        OptionSending test(TcpOf(control));
        test.Ack(101, 0, {{1000, 2000}});
        test.Ack(102, 0, {{1000, 3000}});
        test.Ack(103, 0, {{1000, 4000}});
        test.Ack(109, 0, {{1000, 12000}});
        NS_TEST_EXPECT_MSG_EQ(test.Take(), "", "");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(203, 0, {{1000, 13000}}),
                              "0 15000",
                              "12000 was sent behind the first byte, and has arrived");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetTotals().timeouts, 0, "");
    }

    /// Rule 3: where nothing new is to be sent, what seems in flight is sent again. @param control
    /// name of the congestion control
    void CheckEnd(const char* control)
    {
        OptionSending test(TcpOf(control));
        for (uint64_t ack = 1000; ack <= 10000; ack += 1000)
        {
            test.Ack(100, ack); // 20 segments are sent
        }
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetUnsent(), 0, "");
        test.Ack(201, 10000, {{11000, 14000}}); // 10000 is lost, by the rule of three
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetFlight(), 7000, "10 - 3 - 1 + 1");
        test.Take();
        NS_TEST_EXPECT_MSG_EQ(test.Ack(202, 10000, {{15000, 19000}, {11000, 14000}}),
                              "14000",
                              "three are behind it");
        NS_TEST_EXPECT_MSG_EQ(test.Ack(203, 10000, {{18000, 20000}, {15000, 19000}}),
                              "",
                              "all that is below what is reported was sent again");
    }
};

/// RFC 3042.
class LimitedTransmitTest : public TestCase
{
  public:
    LimitedTransmitTest()
        : TestCase("limited transmit: a new segment for each of the first two duplicate ACKs")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* control : {"reno", "newreno", "highspeed", "cubic"})
        {
            for (const bool isOn : {false, true})
            {
                SegmentTcp tcp;
                tcp.control = FindCongestionControl(control);
                tcp.hasLimitedTransmit = isOn;
                OptionSending test(tcp);
                test.Take();
                NS_TEST_EXPECT_MSG_EQ(test.Ack(101, 0), (isOn ? "10000" : ""), control);
                NS_TEST_EXPECT_MSG_EQ(test.Ack(102, 0), (isOn ? "11000" : ""), control);
                NS_TEST_EXPECT_MSG_EQ(test.Ack(103, 0), "0", control);
                if (tcp.control->name == "reno")
                {
                    NS_TEST_EXPECT_MSG_EQ(test.sender.GetSsthresh(),
                                          5000,
                                          "half of what was in flight before (RFC 5681)");
                }
            }
        }
    }
};

/// RFC 7323.
class TimestampTest : public TestCase
{
  public:
    TimestampTest()
        : TestCase("timestamps: which is echoed, and what it says of the round-trip time")
    {
    }

  private:
    void DoRun() override
    {
        CheckEcho();
        CheckSamples();
        CheckLengths();
    }

    void CheckEcho()
    {
        TimestampEcho echo;
        echo.HandleSyn(7, true);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 7, "");
        echo.HandleSyn(9, false);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 7, "a SYN sent again");
        echo.HandleAckSent(0);
        echo.HandleSegment(20, 0, 0);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 20, "in order");
        echo.HandleSegment(21, 1000, 1000);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(),
                              20,
                              "an ACK is delayed: that of the earlier segment");
        echo.HandleAckSent(2000);
        echo.HandleSegment(30, 3000, 2000);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 20, "behind a gap");
        echo.HandleSegment(29, 2000, 2000);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 20, "older than what has come, as ns-3 has it");
        echo.HandleSegment(40, 2000, 2000);
        NS_TEST_EXPECT_MSG_EQ(echo.GetEchoMs(), 40, "fills the gap");
    }

    void CheckSamples()
    {
        SegmentTcp tcp;
        tcp.control = FindCongestionControl("newreno");
        tcp.hasTimestamps = true;
        OptionSending test(tcp);
        test.sender.SetOptions(10, {});
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetEchoedNs(10'999'999),
                              1000,
                              "less than the clock shows");
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetEchoedNs(11 * MS_NS), MS_NS, "");
        test.sender.HandleTimeout(300 * MS_NS); // sends the first segment again
        test.sender.SetOptions(0, {});
        test.sender.HandleAck(400 * MS_NS, SEGMENT_BYTES);
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetSmoothedRttNs(),
                              FIRST_RTT_NS,
                              "ns-3 forgets at a timeout what it waits for");
        test.Take();
        test.sender.SetOptions(250, {});
        test.sender.HandleAck(500 * MS_NS, 10 * SEGMENT_BYTES);
        NS_TEST_EXPECT_MSG_EQ(test.Take().empty(), false, "new data");
        test.sender.HandleAck(550 * MS_NS, test.sender.GetSent());
        NS_TEST_EXPECT_MSG_EQ(test.sender.GetSmoothedRttNs(),
                              FIRST_RTT_NS + (300 - 100) * MS_NS / 8,
                              "550 - 250 ms, an eighth of it");
    }

    void CheckLengths()
    {
        SegmentTcp tcp;
        NS_TEST_EXPECT_MSG_EQ(GetSynOptionBytes(tcp), 4, "window scale: 3");
        tcp.hasSack = true;
        NS_TEST_EXPECT_MSG_EQ(GetSynOptionBytes(tcp), 8, "3 + 2");
        tcp.hasTimestamps = true;
        NS_TEST_EXPECT_MSG_EQ(GetSynOptionBytes(tcp), 16, "3 + 2 + 10");
        tcp.hasSack = false;
        NS_TEST_EXPECT_MSG_EQ(GetSynOptionBytes(tcp), 16, "3 + 10");
    }
};

/// Where options of packets are stored.
class RecordPoolTest : public TestCase
{
  public:
    RecordPoolTest()
        : TestCase("record pool: numbers of released records are used again")
    {
    }

  private:
    void DoRun() override
    {
        RecordPool<std::string> pool;
        const uint32_t first = pool.Add("a");
        const uint32_t second = pool.Add("b");
        NS_TEST_EXPECT_MSG_EQ(pool.Get(first) + pool.Get(second), "ab", "");
        pool.Release(first);
        NS_TEST_EXPECT_MSG_EQ(pool.GetCount(), 1, "");
        NS_TEST_EXPECT_MSG_EQ(pool.Add("c"), first, "");
        NS_TEST_EXPECT_MSG_EQ(pool.Get(first) + pool.Get(second), "cb", "");
        NS_TEST_EXPECT_MSG_EQ(pool.GetCount(), 2, "");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SackSenderTest, new LimitedTransmitTest, new TimestampTest, new RecordPoolTest};
});

} // namespace
