/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-segment-sender.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t MSS = 1000;
constexpr int64_t MS = 1'000'000;
constexpr int64_t RTT = 100 * MS;
/// What RFC 6298 makes of the first sample: SRTT + 4 * RTTVAR = RTT + 4 * RTT / 2.
constexpr int64_t RTO = 3 * RTT;

/// What a sender does, and a receiver that says what a test wants.
class Sending : public SegmentSender::Port
{
  public:
    /// @param control name of its congestion control
    /// @param initial cwnd, segments
    /// @param window the receiver's, bytes
    Sending(const std::string& control, uint32_t initial, uint64_t window = 1'000'000)
        : m_tcp(MakeTcp(control, initial, window)),
          sender(m_tcp, *this, 0)
    {
        sender.HandleOpen(0);
        sender.HandleConnected(0, RTT);
    }

    void SendSegment(SegmentSender&, uint64_t start, uint32_t size) override
    {
        sent += (sent.empty() ? "" : " ") + std::to_string(start) + "+" + std::to_string(size);
    }

    void ArmTimer(SegmentSender&) override
    {
    }

    void HandleDrained(SegmentSender&) override
    {
    }

    void HandleRest(SegmentSender&) override
    {
    }

    void HandleGaveUp(SegmentSender&) override
    {
        gaveUp = true;
    }

    void HandleWindow(const SegmentSender&) override
    {
    }

    /// @param now of the simulation, ns @param bytes that the application writes
    void Write(int64_t now, uint64_t bytes)
    {
        sender.GetBuffer().Append(bytes);
        sender.Send(now);
    }

    /// @param now of the simulation, ns @param ack of the segment before it, and duplicates @param
    /// times in all
    void Ack(int64_t now, uint64_t ack, int times = 1)
    {
        for (int i = 0; i < times; ++i)
        {
            sender.HandleAck(now, ack);
        }
    }

    /// @return what was sent since this was asked last: first byte and size of each segment
    std::string Take()
    {
        return std::exchange(sent, "");
    }

  private:
    /// @param control as above @param initial as above @param window as above @return settings
    static SegmentTcp MakeTcp(const std::string& control, uint32_t initial, uint64_t window)
    {
        SegmentTcp tcp;
        tcp.control = FindCongestionControl(control);
        tcp.segmentBytes = MSS;
        tcp.initialSegments = initial;
        tcp.delayedAck = 1;
        tcp.minRtoNs = 200 * MS;
        tcp.firstWindow = tcp.window = window;
        tcp.buffer = {2 * window, window / 2};
        return tcp;
    }

    SegmentTcp m_tcp; //!< settings

  public:
    SegmentSender sender; //!< what is tried
    std::string sent;     //!< see Take()
    bool gaveUp{false};   //!< it has sent a segment too often in vain
};

/// RFC 6298, Sections 2.4, 5.5 and 5.7; ns-3's TcpDefaults::DataRetries.
class SenderTimeoutTest : public TestCase
{
  public:
    SenderTimeoutTest()
        : TestCase("sender: the timeout is backed off up to 60 s, and there are 15 of them")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* control : {"reno", "newreno", "cubic"})
        {
            Sending end(control, 4);
            end.Write(0, 10 * MSS);
            NS_TEST_EXPECT_MSG_EQ(end.Take(), "0+1000 1000+1000 2000+1000 3000+1000", control);
            ExpectTimeouts(end, 0, 0, control);
            // New data are acknowledged: it may try as often again, and begins with the least RTO
            const int64_t now = end.sender.GetDeadline();
            Sending other(control, 4);
            other.Write(0, 10 * MSS);
            other.Take();
            other.sender.HandleTimeout(RTO);
            NS_TEST_EXPECT_MSG_EQ(other.sender.GetBackedOffRtoNs(), 2 * RTO, control);
            other.Take();
            other.Ack(RTO + RTT, MSS);
            NS_TEST_EXPECT_MSG_EQ(other.sender.GetSmoothedRttNs(), RTT, "Karn's rule");
            NS_TEST_EXPECT_MSG_EQ(other.Take(), "1000+1000 2000+1000", "as after go-back-N");
            ExpectTimeouts(other, RTO + RTT, 1, control);
            NS_TEST_EXPECT_MSG_EQ(now, NEVER, "no timer once it has given up");
        }
    }

    /// @param end that hears nothing more @param now of the simulation, ns @param before timeouts
    /// before
    /// @param control its name
    void ExpectTimeouts(Sending& end, int64_t now, uint64_t before, const std::string& control)
    {
        int64_t rto = RTO;
        const std::string first = std::to_string(end.sender.GetAcknowledged()) + "+1000";
        for (uint32_t i = 1; i <= 15; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(end.sender.GetDeadline(), now + rto, control << ", " << i);
            now += rto;
            end.sender.HandleTimeout(now);
            NS_TEST_EXPECT_MSG_EQ(end.Take(), first, control << ", " << i);
            NS_TEST_EXPECT_MSG_EQ(end.gaveUp, false, control << ", " << i);
            rto = std::min(2 * rto, 60'000 * MS);
        }
        NS_TEST_EXPECT_MSG_EQ(rto, 60'000 * MS, "the bound is reached");
        end.sender.HandleTimeout(now + rto);
        NS_TEST_EXPECT_MSG_EQ(end.gaveUp, true, control);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "", control);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetTotals().timeouts, before + 15, control);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetCwnd(), MSS, control);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetSsthresh(), 2 * MSS, "RFC 5681, equation 4");
    }
};

/// What a window leaves room for.
class SenderWindowTest : public TestCase
{
  public:
    SenderWindowTest()
        : TestCase("sender: a short segment is the last one that is written")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* control : {"reno", "newreno"})
        {
            Sending more(control, 10, 2500);
            more.Write(0, 4000);
            NS_TEST_EXPECT_MSG_EQ(more.Take(), "0+1000 1000+1000", "silly window syndrome");
            more.Ack(RTT, 1000);
            NS_TEST_EXPECT_MSG_EQ(more.Take(), "2000+1000", control);

            Sending exact(control, 10, 2500);
            exact.Write(0, 2500);
            NS_TEST_EXPECT_MSG_EQ(exact.Take(), "0+1000 1000+1000 2000+500", control);

            Sending odd(control, 10, 2501);
            odd.Write(0, 2500);
            NS_TEST_EXPECT_MSG_EQ(odd.Take(), "0+1000 1000+1000 2000+500", control);
        }
    }
};

/// Nagle's algorithm with Minshall's modification: draft-minshall-nagle-01.
class SenderNagleTest : public TestCase
{
  public:
    SenderNagleTest()
        : TestCase("sender: with Nagle's algorithm a short segment waits for another short one")
    {
    }

  private:
    void DoRun() override
    {
        Sending other("reno", 10);
        other.Write(0, 8);
        other.Write(0, 152);
        NS_TEST_EXPECT_MSG_EQ(other.Take(), "0+8 8+152", "without it none waits");

        Sending end("reno", 10);
        end.sender.HoldSmall();
        end.Write(0, 8);
        end.Write(1, 152);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "0+8", "the second one is held");
        end.Write(2, 1900);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "8+1000 1008+1000", "full ones are not");
        end.Ack(RTT, 8);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "2008+52", "released");
        end.Ack(2 * RTT, 2060);

        end.Write(3 * RTT, 1500);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "2060+1000 3060+500", "full ones hold none");
        end.Write(3 * RTT, 7);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "", "the last one does");
        end.sender.HandleTimeout(end.sender.GetDeadline());
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "2060+1000", "what is lost is sent again");
        end.Ack(5 * RTT, 3060);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "3060+500", "the short one, too");
        end.Ack(6 * RTT, 3560);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "3560+7", "released");
    }
};

/// RFC 2581, Section 4.1.
class SenderIdleTest : public TestCase
{
  public:
    SenderIdleTest()
        : TestCase("sender: cwnd begins again after more than an RTO without sending, with Reno")
    {
    }

  private:
    void DoRun() override
    {
        Expect("reno", 0, false, 4 * MSS);
        Expect("reno", 1, false, 2 * MSS);
        Expect("reno", 1, true, 4 * MSS);
        Expect("newreno", 1, false, 4 * MSS); // ns-3's TcpSocketBase does not
    }

    /// @param control its name @param more than an RTO, ns @param inFlight a segment is
    /// @param expected cwnd afterwards, bytes
    void Expect(const std::string& control, int64_t more, bool inFlight, uint64_t expected)
    {
        Sending end(control, 2);
        end.Write(0, 2 * MSS + (inFlight ? MSS / 2 : 0));
        end.Ack(RTT, MSS);
        end.Ack(RTT, 2 * MSS);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetCwnd(), 4 * MSS, control);
        const int64_t last = inFlight ? RTT : 0;
        end.Write(last + end.sender.GetBackedOffRtoNs() + more, 10 * MSS);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetCwnd(), expected, control << ", RTO + " << more);
    }
};

/// Fast retransmit and fast recovery.
class SenderRecoveryTest : public TestCase
{
  public:
    SenderRecoveryTest()
        : TestCase("sender: three duplicate ACKs, and what recovery sends")
    {
    }

  private:
    void DoRun() override
    {
        DoReno();
        DoNewReno();
    }

    /// RFC 2581, Section 3.2.
    void DoReno()
    {
        Sending end("reno", 8);
        end.Write(0, 40 * MSS);
        end.Take();
        end.Ack(RTT, MSS);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "8000+1000 9000+1000", "slow start");
        end.Ack(RTT, MSS, 2);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "", "two are no loss");
        end.Ack(RTT, MSS);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "1000+1000", "the third one");
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetSsthresh(), 4500, "half of 9 in flight");
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetCwnd(), 4500, "");
        // 7500 and 1000 more for each, 9000 in flight
        end.Ack(RTT, MSS);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "", "8500 are inflated, 9000 in flight");
        end.Ack(RTT, MSS, 2);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "10000+1000", "10500 are inflated");
        end.Ack(2 * RTT, 10 * MSS);
        NS_TEST_EXPECT_MSG_EQ(end.sender.GetCwnd(), 4500, "deflated");
        NS_TEST_EXPECT_MSG_EQ((end.sender.GetState() == CongestionState::OPEN), true, "");
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "11000+1000 12000+1000 13000+1000", "");
    }

    /// RFC 6582, as ns-3 has it.
    void DoNewReno()
    {
        Sending end("newreno", 8);
        end.Write(0, 40 * MSS);
        end.Take();
        end.Ack(RTT, MSS, 4);
        NS_TEST_EXPECT_MSG_EQ(end.Take(), "8000+1000 9000+1000 1000+1000", "the third duplicate");
        NS_TEST_EXPECT_MSG_EQ((end.sender.GetState() == CongestionState::RECOVERY), true, "");
        // Partial: what is missing next is sent again at once, and recovery goes on
        end.Ack(2 * RTT, 3 * MSS);
        NS_TEST_EXPECT_MSG_EQ(end.Take().substr(0, 9), "3000+1000", "");
        NS_TEST_EXPECT_MSG_EQ((end.sender.GetState() == CongestionState::RECOVERY), true, "");
        end.Ack(2 * RTT, 10 * MSS - 1);
        NS_TEST_EXPECT_MSG_EQ((end.sender.GetState() == CongestionState::RECOVERY), true, "");
        end.Ack(2 * RTT, 10 * MSS);
        NS_TEST_EXPECT_MSG_EQ((end.sender.GetState() == CongestionState::OPEN), true, "");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SenderTimeoutTest,
            new SenderWindowTest,
            new SenderNagleTest,
            new SenderIdleTest,
            new SenderRecoveryTest};
});

} // namespace
