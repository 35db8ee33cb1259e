/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario.h"
#include "gridftp-tcp-pair.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

/*
 * Each test pins one of the settings without which ns-3 simulates another TCP, by what it does to
 * the packets on the link. Limited transmit is in the tables of gridftp-tcp-reno-test.cc.
 */

namespace
{

/// 64 KiB and packets of 1500 bytes: the scenario of Ito et al., Section 4.
TcpDefaults
Defaults(bool timestamps = false)
{
    TcpDefaults defaults;
    defaults.segmentSize = SegmentBytesFor(1500, timestamps);
    defaults.window = 65536;
    defaults.initialWindow = 2;
    defaults.minRto = MilliSeconds(200);
    defaults.delayedAck = 1;
    defaults.timestamps = timestamps;
    return defaults;
}

/// The segment size that fits a packet.
class TcpSegmentSizeTest : public TestCase
{
  public:
    TcpSegmentSizeTest()
        : TestCase("TCP defaults: segment size for a packet size")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SegmentBytesFor(1500, false), 1460, "1500 - 20 - 20");
        NS_TEST_EXPECT_MSG_EQ(SegmentBytesFor(1500, true), 1448, "1500 - 20 - 20 - 12");
        NS_TEST_EXPECT_MSG_EQ(SegmentBytesFor(41, false), 1, "the smallest packet with data");
        NS_TEST_EXPECT_MSG_EQ(SegmentBytesFor(40, false), 0, "no room");
        NS_TEST_EXPECT_MSG_EQ(SegmentBytesFor(52, true), 0, "no room");
        NS_TEST_EXPECT_MSG_LT(SegmentBytesFor(0, true), 1, "no room, and no wrapping around");
    }
};

/// Packets exactly as large as asked for, unfragmented, with and without options.
class TcpPacketSizeTest : public TestCase
{
  public:
    /**
     * @param timestamps with the timestamps option
     * @param sack with the SACK option
     */
    TcpPacketSizeTest(bool timestamps, bool sack)
        : TestCase(std::string("TCP defaults: packets of 1500 bytes") +
                   (timestamps ? ", timestamps" : "") + (sack ? ", SACK" : "")),
          m_timestamps(timestamps),
          m_sack(sack)
    {
    }

  private:
    void DoRun() override
    {
        auto defaults = Defaults(m_timestamps);
        defaults.sack = m_sack;
        TcpPair pair("reno", defaults);
        // A loss, so that there are SACK blocks to carry
        pair.toReceiver->DropData(1 + 20 * defaults.segmentSize);
        const uint32_t segments = 200;
        pair.Start(segments * defaults.segmentSize);
        pair.RunRounds(30);
        NS_TEST_EXPECT_MSG_EQ(pair.received, segments * defaults.segmentSize, "all arrived");
        NS_TEST_EXPECT_MSG_EQ(pair.fragments, 0, "no IP fragments");
        NS_TEST_ASSERT_MSG_EQ(pair.ipSizes.empty(), false, "packets with data");
        const auto [least, most] = std::minmax_element(pair.ipSizes.begin(), pair.ipSizes.end());
        NS_TEST_EXPECT_MSG_EQ(*least, 1500, "smallest packet");
        NS_TEST_EXPECT_MSG_EQ(*most, 1500, "largest packet");
    }

    bool m_timestamps; //!< with the timestamps option
    bool m_sack;       //!< with the SACK option
};

/// 64 KiB hold 44 segments of 1460 bytes, and all of them are in flight, and nothing shorter.
class TcpWindowInUseTest : public TestCase
{
  public:
    TcpWindowInUseTest()
        : TestCase("TCP defaults: the whole window in flight")
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair("reno", Defaults());
        const uint32_t segments = 300;
        pair.Start(segments * 1460);
        pair.RunRounds(12);
        NS_TEST_EXPECT_MSG_EQ(pair.received, segments * 1460, "all arrived");
        NS_TEST_EXPECT_MSG_EQ(pair.maxFlight, 44 * 1460, "65536 / 1460 = 44.9");
        NS_TEST_EXPECT_MSG_EQ(pair.payloads.size(), segments, "segments");
        NS_TEST_EXPECT_MSG_EQ(*std::min_element(pair.payloads.begin(), pair.payloads.end()),
                              1460,
                              "shortest segment");
    }
};

/// A window set on one socket.
class TcpSetWindowTest : public TestCase
{
  public:
    TcpSetWindowTest()
        : TestCase("TCP defaults: the window of one socket")
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair("reno", Defaults());
        SetTcpWindow(pair.sender, 10000);
        UintegerValue size;
        pair.sender->GetAttribute("RcvBufSize", size);
        NS_TEST_EXPECT_MSG_EQ(size.Get(), 10000, "receive buffer");
        pair.sender->GetAttribute("SndBufSize", size);
        NS_TEST_EXPECT_MSG_EQ(size.Get(), 20000, "send buffer: one window in flight, one to come");
    }
};

/// Classic recovery, at both ends.
class TcpRecoveryTypeTest : public TestCase
{
  public:
    TcpRecoveryTypeTest()
        : TestCase("TCP defaults: classic recovery")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno", "ns3::TcpSocketBase"})
        {
            TcpPair pair(tcp, Defaults());
            pair.Start(1460);
            pair.RunRounds(2);
            NS_TEST_ASSERT_MSG_EQ(bool(pair.receiver), true, "accepted");
            for (const auto& socket : {pair.sender, pair.receiver})
            {
                PointerValue recovery;
                socket->GetAttribute("RecoveryOps", recovery);
                NS_TEST_EXPECT_MSG_EQ(recovery.Get<TcpRecoveryOps>()->GetName(),
                                      "TcpClassicRecovery",
                                      tcp);
            }
        }
    }
};

/// Options that are off do not appear in the handshake; one that is on does.
class TcpOptionsTest : public TestCase
{
  public:
    TcpOptionsTest()
        : TestCase("TCP defaults: options negotiated")
    {
    }

  private:
    /**
     * @param sack SACK asked for
     * @param timestamps timestamps asked for
     * @return the options of the sender's SYN, as "wscale sack timestamps"
     */
    std::string OptionsOfSyn(bool sack, bool timestamps)
    {
        auto defaults = Defaults(timestamps);
        defaults.sack = sack;
        TcpPair pair("reno", defaults);
        std::string options;
        pair.sender->TraceConnectWithoutContext(
            "Tx",
            Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
                [&options](Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>) {
                    if (header.GetFlags() & TcpHeader::SYN)
                    {
                        options = header.HasOption(TcpOption::WINSCALE) ? "wscale" : "";
                        options += header.HasOption(TcpOption::SACKPERMITTED) ? " sack" : "";
                        options += header.HasOption(TcpOption::TS) ? " timestamps" : "";
                    }
                }));
        pair.Start(1);
        pair.RunRounds(0);
        return options;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(OptionsOfSyn(false, false), "wscale", "as by default");
        NS_TEST_EXPECT_MSG_EQ(OptionsOfSyn(true, false), "wscale sack", "SACK");
        NS_TEST_EXPECT_MSG_EQ(OptionsOfSyn(false, true), "wscale timestamps", "timestamps");
    }
};

/// What ns-3 has by default as we do, too: pinned against other defaults set before.
class TcpPinnedTest : public TestCase
{
  public:
    TcpPinnedTest()
        : TestCase("TCP defaults: pinned where ns-3 has the same")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(false));
        Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(Seconds(7)));
        Config::SetDefault("ns3::TcpSocket::TcpNoDelay", BooleanValue(false));
        Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(1));
        TcpPair pair("reno", Defaults());
        const std::map<std::string, std::string> expected{{"WindowScaling", "true"},
                                                          {"ClockGranularity", "+1e+06ns"},
                                                          {"TcpNoDelay", "true"},
                                                          {"ConnCount", "15"}};
        for (const auto& [name, value] : expected)
        {
            StringValue text;
            pair.sender->GetAttribute(name, text);
            NS_TEST_EXPECT_MSG_EQ(text.Get(), value, name);
        }
    }
};

/// A segment lost many times in a row.
class TcpRetriesTest : public TestCase
{
  public:
    TcpRetriesTest()
        : TestCase("TCP defaults: eight losses of one segment in a row")
    {
    }

  private:
    /**
     * @param retries dataRetries
     * @return whether the connection was given up, and what arrived
     */
    std::pair<bool, uint64_t> Run(uint32_t retries)
    {
        auto defaults = Defaults();
        defaults.dataRetries = retries;
        TcpPair pair("reno", defaults);
        for (uint32_t nth = 1; nth <= 8; nth++)
        {
            pair.toReceiver->DropData(1, nth);
        }
        pair.Start(14600);
        // The first RTO is 0.3 s or so; 8 of them, doubled each time: under 100 s
        pair.RunRounds(1000);
        return {pair.failed, pair.received};
    }

    void DoRun() override
    {
        const auto [failed, received] = Run(TcpDefaults().dataRetries);
        NS_TEST_EXPECT_MSG_EQ(failed, false, "goes on");
        NS_TEST_EXPECT_MSG_EQ(received, 14600, "all arrived");
        // ns-3's own number: shows that the losses above are as many as intended
        const auto [failedEarly, receivedEarly] = Run(6);
        NS_TEST_EXPECT_MSG_EQ(failedEarly, true, "given up");
        NS_TEST_EXPECT_MSG_EQ(receivedEarly, 0, "nothing arrived");
    }
};

/// An ACK for every segment, or for every second one; the initial window; the minimum RTO.
class TcpTimingTest : public TestCase
{
  public:
    TcpTimingTest()
        : TestCase("TCP defaults: initial window, delayed ACKs, minimum RTO")
    {
    }

  private:
    /**
     * @param change what to change
     * @param rounds how long to run
     * @param lost segment to lose, 0 for none
     * @return what was sent
     */
    template <typename F>
    std::string Sent(F change, uint32_t rounds, uint32_t lost = 0)
    {
        auto defaults = Defaults();
        change(defaults);
        TcpPair pair("reno", defaults);
        if (lost > 0)
        {
            pair.toReceiver->DropData(1 + (lost - 1) * 1460);
        }
        pair.Start(9 * 1460);
        pair.RunRounds(rounds);
        return pair.Sent();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Sent([](auto&) {}, 2),
                              "0: 1 2 | 1: 3 4 5 6 | 2: 7 8 9",
                              "initial window 2, an ACK for every segment");
        NS_TEST_EXPECT_MSG_EQ(Sent([](auto& d) { d.initialWindow = 4; }, 1),
                              "0: 1 2 3 4 | 1: 5 6 7 8 9",
                              "initial window 4");
        // The first segment is acknowledged at once: cwnd 3. 2 waits for 3, and 4 for 5: an ACK at
        // the beginning of round 2, cwnd 4, and of round 3, cwnd 5.
        NS_TEST_EXPECT_MSG_EQ(Sent([](auto& d) { d.delayedAck = 2; }, 3),
                              "0: 1 2 | 1: 3 4 | 2: 5 6 7 | 3: 8 9",
                              "an ACK for every second segment");
        // 9, the last, is lost: no duplicate ACKs. It was sent in round 2, and the last ACK of new
        // data came in round 3. The RTT is 100 ms throughout: RTTVAR decays from 50 ms, and after
        // the 8 samples RTO is 100 + 4 * 50 * (3/4)^8 = 120 ms; so 200 ms, the minimum.
        NS_TEST_EXPECT_MSG_EQ(Sent([](auto&) {}, 7, 9),
                              "0: 1 2 | 1: 3 4 5 6 | 2: 7 8 9 | 5: 9r",
                              "minimum RTO 200 ms");
        NS_TEST_EXPECT_MSG_EQ(Sent([](auto& d) { d.minRto = MilliSeconds(400); }, 7, 9),
                              "0: 1 2 | 1: 3 4 5 6 | 2: 7 8 9 | 7: 9r",
                              "minimum RTO 400 ms");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TcpSegmentSizeTest,
            new TcpPacketSizeTest(false, false),
            new TcpPacketSizeTest(true, false),
            new TcpPacketSizeTest(false, true),
            new TcpPacketSizeTest(true, true),
            new TcpWindowInUseTest,
            new TcpSetWindowTest,
            new TcpRecoveryTypeTest,
            new TcpOptionsTest,
            new TcpPinnedTest,
            new TcpRetriesTest,
            new TcpTimingTest};
});

} // namespace ns3::gridftp
