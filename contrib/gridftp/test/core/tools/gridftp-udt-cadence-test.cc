/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"
#include "gridftp-udt-sender.h"
#include "gridftp-udt-test.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;
using namespace ns3::gridftp::udt;

namespace
{

/// What the receiver says without the sender, and the sender without the receiver.
class UdtCadenceTest : public UdtTimelineTest
{
  public:
    UdtCadenceTest()
        : UdtTimelineTest("udt: light ACKs, repeated ACKs, windows, and ends that are dead")
    {
    }

  private:
    void DoRun() override
    {
        CheckLightAcks();
        CheckShortPacket();
        CheckRepeats();
        CheckLightAckAtSender();
        CheckWindow();
        CheckRoom();
        CheckLag();
        CheckDeadReceiver();
        CheckDeadSender();
        CheckDelayWarning();
    }

    /// A packet every 10 us, from 45 ms on: a full ACK at 45 and 55 ms, and light ones after each
    /// 64 packets in between.
    void CheckLightAcks()
    {
        MadeUpPath path(Make(1200));
        path.Kill(true, 39 * MILLISECOND);
        for (uint32_t n = 0; n < 1100; ++n)
        {
            path.Forge(false,
                       45 * MILLISECOND + n * 10 * MICROSECOND,
                       DataDatagram{.number = n, .payload = FULL});
        }
        path.Run(56 * MILLISECOND);
        const auto acks = path.ListReports(ACK, false);
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 1 + 15 + 1 + 1, "and one light one after the second");
        ExpectWords(acks[0].second, {1, 100'000, 50'000, 8190, 1, 1000});
        for (uint32_t i = 1; i <= 15; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(acks[i].second.info, 0, "a light one");
            ExpectWords(acks[i].second, {64 * i + 1});
            NS_TEST_EXPECT_MSG_EQ(acks[i].first,
                                  45 * MILLISECOND + 64 * i * 10 * MICROSECOND,
                                  "light " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(acks[16].second.info, 2, "a full one");
        NS_TEST_EXPECT_MSG_EQ(acks[16].first, 55 * MILLISECOND, "10 ms later");
        ExpectWords(acks[17].second, {1001 + 64});
    }

    /// A short packet brings an ACK at once, without rates where the last one is not 10 ms old.
    void CheckShortPacket()
    {
        auto setting = Make(3);
        setting.bytes -= 1;
        MadeUpPath path(setting);
        path.Kill(true, 39 * MILLISECOND);
        path.Forge(false, 45 * MILLISECOND, DataDatagram{.number = 0, .payload = FULL});
        path.Forge(false, 46 * MILLISECOND, DataDatagram{.number = 1, .payload = FULL});
        path.Forge(false, 47 * MILLISECOND, DataDatagram{.number = 2, .payload = FULL - 1});
        path.Run(60 * MILLISECOND);
        ExpectTimes(path, ACK, false, {45 * MILLISECOND, 47 * MILLISECOND});
        ExpectWords(path.ListReports(ACK, false)[1].second, {3, 100'000, 50'000, 8189});
    }

    /// What ACK2 has not confirmed is said again after RTT + 4 RTTVar, when timers are looked at.
    void CheckRepeats()
    {
        MadeUpPath path(Make(9));
        path.Kill(true, 39 * MILLISECOND);
        for (uint32_t n = 0; n < 4; ++n)
        {
            path.Forge(false,
                       45 * MILLISECOND + n * MICROSECOND,
                       DataDatagram{.number = n, .payload = FULL});
        }
        path.Forge(false,
                   800 * MILLISECOND,
                   ReportDatagram{.type = ACK2, .info = 77}); // never sent
        path.Forge(false, 850 * MILLISECOND, ReportDatagram{.type = ACK2, .info = 4});
        path.Run(2000 * MILLISECOND);
        // Looks at 145.003 ms and so on: 300 ms later at the earliest. After the ACK2 no more.
        ExpectTimes(path,
                    ACK,
                    false,
                    {45 * MILLISECOND,
                     145'003 * MICROSECOND,
                     445'003 * MICROSECOND,
                     745'003 * MICROSECOND});
        const auto acks = path.ListReports(ACK, false);
        NS_TEST_EXPECT_MSG_EQ(acks[1].second.words[0], 4, "what came since");
        NS_TEST_EXPECT_MSG_EQ(acks[3].second.words[0], 4, "the same again");
    }

    /// A light ACK moves the window, but wakes nobody up, and is not answered.
    void CheckLightAckAtSender()
    {
        MadeUpPath path(Make(100));
        path.Kill(false, 31 * MILLISECOND);
        path.Forge(true, 50 * MILLISECOND, ReportDatagram{.type = ACK, .words = {10}});
        path.Forge(true,
                   70 * MILLISECOND,
                   ReportDatagram{.type = ACK, .info = 1, .words = {1, 1, 1, 99}});
        path.Run(80 * MILLISECOND);
        // The full ACK, of less, is one of something new for the send buffer: 16 + 3 packets are
        // allowed from 10 on.
        const Data sent = path.ListData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 29, "0 to 28");
        NS_TEST_EXPECT_MSG_EQ(sent[16].first, 70 * MILLISECOND, "not before the full one");
        ExpectTimes(path, ACK2, true, {70 * MILLISECOND});
    }

    /// At most as many packets are unacknowledged as the receiver has room for.
    void CheckWindow()
    {
        auto setting = Make(3000);
        setting.said = {{"udt-flight", "32"}};
        setting.there.delayNs = setting.back.delayNs = 50 * MILLISECOND;
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.GetSender().GetCounts().retransmissions, 0, "no loss");
        uint32_t acked = 0;
        uint32_t room = 16; // of slow start
        uint32_t full = 0;
        const auto acks = path.ListReports(ACK, false);
        size_t next = 0;
        for (const auto& [at, number] : path.ListData())
        {
            while (next < acks.size() && acks[next].first + 50 * MILLISECOND <= at)
            {
                acked = acks[next].second.words[0];
                room = acks[next++].second.words[3];
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(number + 1 - acked, room, "packet " << number);
            full += number + 1 - acked == room ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(full, 100, "the window is what limits it");
    }

    /// An ACK announces the buffer without its own packets, which are unread, and at least 2. The
    /// same ACK again finds all of them read.
    void CheckRoom()
    {
        auto setting = Make(100);
        setting.said = {{"udt-flight", "32"}};
        MadeUpPath path(setting);
        path.Kill(true, 39 * MILLISECOND);
        const auto arrive = [&path](uint32_t first, uint32_t last, Nanoseconds at) {
            for (uint32_t n = first; n <= last; ++n)
            {
                path.Forge(false, at, DataDatagram{.number = n, .payload = FULL});
            }
        };
        arrive(0, 0, 45 * MILLISECOND);
        arrive(1, 30, 46 * MILLISECOND);
        arrive(31, 31, 56 * MILLISECOND);
        arrive(32, 36, 57 * MILLISECOND);
        arrive(37, 37, 67 * MILLISECOND);
        path.Run(700 * MILLISECOND);
        const auto acks = path.ListReports(ACK, false);
        const std::vector<std::pair<uint32_t, uint32_t>> expected{
            {1, 31 - 1}, // packet 0
            {32, 2},     // 31 unread packets fill the buffer
            {38, 31 - 6},
            {38, 31}};
        NS_TEST_ASSERT_MSG_GT_OR_EQ(acks.size(), expected.size(), "ACKs");
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(acks[i].second.words[0], expected[i].first, "number, " << i);
            NS_TEST_EXPECT_MSG_EQ(acks[i].second.words[3], expected[i].second, "room, " << i);
        }
    }

    /// What UDT 4.11 gets over an emulated path whose flow window limits it, no packet lost.
    struct Measured
    {
        std::string_view flight; //!< flight flag of both ends, to which the receive buffer is cut
        int64_t rateBps;         //!< of the path
        Nanoseconds delayNs;     //!< one way
        uint32_t packets;        //!< of the file, all full
        double mbps;             //!< goodput
    };

    /// A sender that the flow window limits waits for the ACK after the one of its packet: RTT and
    /// two SYN intervals, and what the host's clock adds.
    void CheckLag()
    {
        for (const Measured& it : {Measured{"128", 50'000'000, 25 * MILLISECOND, 34'341, 18.56},
                                   Measured{"64", 50'000'000, 5 * MILLISECOND, 13'737, 20.4},
                                   Measured{"32", 50'000'000, 5 * MILLISECOND, 6869, 9.9},
                                   Measured{"128", 100'000'000, 5 * MILLISECOND, 27'473, 44.0},
                                   Measured{"64", 20'000'000, 25 * MILLISECOND, 6869, 9.1},
                                   Measured{"128", 100'000'000, 50 * MILLISECOND, 6869, 10.3}})
        {
            auto setting = Make(it.packets);
            setting.said = {{"udt-flight", it.flight}, {"udt-pacing", "tick"}};
            setting.there = {.rateBps = it.rateBps, .delayNs = it.delayNs};
            setting.back = setting.there;
            setting.linkRateBps = 1'000'000'000;
            MadeUpPath path(setting);
            path.Run();
            NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
            NS_TEST_EXPECT_MSG_EQ(path.GetSender().GetCounts().retransmissions, 0, "no loss");
            const double mbps =
                8e3 * static_cast<double>(setting.bytes) / static_cast<double>(path.GetEnd());
            NS_TEST_EXPECT_MSG_EQ_TOL(mbps, it.mbps, 0.05 * it.mbps, "as measured");
        }
    }

    /// n expiries of n x 300 ms and 10 ms, seen every 100 ms, 16 times, and 5.2 s.
    void CheckDeadReceiver()
    {
        MadeUpPath path(Make(16));
        path.Kill(false, 31 * MILLISECOND);
        path.Run(1000 * MILLISECOND);
        Data expected = ListFirstWindow();
        expected.emplace_back(440 * MILLISECOND, 0); // slow start ends at 16 packets/s
        expected.emplace_back(440 * MILLISECOND + 62'500 * MICROSECOND, 1);
        ExpectData(path, expected);
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, "not for ever");
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(),
                              "udt, sender: nothing has come from the receiver for 16 expiries "
                              "and 5 s",
                              "says so");
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(),
                              (40 + 300 * 136 + 16 * 100 + 5200) * MILLISECOND,
                              "in the end");
    }

    /// A receiver says that it is there, and gives up as well.
    void CheckDeadSender()
    {
        MadeUpPath path(Make(16));
        path.Kill(true, 41 * MILLISECOND);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(),
                              "udt, receiver: nothing has come from the sender for 16 expiries "
                              "and 5 s",
                              "says so");
        NS_TEST_EXPECT_MSG_EQ(path.ListReports(KEEP_ALIVE, false).size(), 16, "one an expiry");
        // The last packet comes at 50.014 ms; the same expiries as above.
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(),
                              50'014 * MICROSECOND + (300 * 136 + 1600 + 5200) * MILLISECOND,
                              "");
    }

    /// A queue that fills makes the round-trip time grow.
    void CheckDelayWarning()
    {
        for (const std::string_view word : {"ignore", "decrease"})
        {
            auto setting = Make(3000);
            setting.said = {{"udt-delay", word}};
            setting.there.rateBps = 10'000'000;
            MadeUpPath path(setting);
            path.Run();
            NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
            const auto warnings = path.ListReports(DELAY_WARNING, false);
            NS_TEST_EXPECT_MSG_EQ(!warnings.empty(), (word == "decrease"), "warnings");
            const auto& sender = dynamic_cast<UdtSender&>(path.GetSender());
            NS_TEST_EXPECT_MSG_EQ(sender.GetRateControl()->IsSlowStart(),
                                  (word == "ignore"),
                                  "which end slow start");
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new UdtCadenceTest}; });

} // namespace
