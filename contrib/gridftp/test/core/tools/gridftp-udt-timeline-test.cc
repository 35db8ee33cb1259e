/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"
#include "gridftp-udt-sender.h"
#include "gridftp-udt-test.h"
#include "gridftp-udt-wire.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;
using namespace ns3::gridftp::udt;

namespace
{

/// Two round trips, and then slow start.
class UdtStartTest : public UdtTimelineTest
{
  public:
    UdtStartTest()
        : UdtTimelineTest("udt: handshake, slow start, pairs, ACK and ACK2, and the end")
    {
    }

  private:
    void DoRun() override
    {
        MadeUpPath path(Make(51));
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path, HANDSHAKE, true, {0, 20 * MILLISECOND});
        ExpectTimes(path, HANDSHAKE, false, {10 * MILLISECOND, 30 * MILLISECOND});
        // The ACKs of 1 and of 16 packets make windows of 19 and 35: up to 19 and to 50.
        Data expected = ListFirstWindow();
        expected.insert(expected.end(),
                        {{60 * MILLISECOND, 16},
                         {60 * MILLISECOND, 17},
                         {60'001 * MICROSECOND, 18},
                         {60'002 * MICROSECOND, 19}});
        for (uint32_t n = 20; n < 51; ++n)
        {
            const uint32_t pairs = (n > 32 ? 1 : 0) + (n > 48 ? 1 : 0);
            expected.emplace_back(80 * MILLISECOND + (n - 20 - pairs) * MICROSECOND, n);
        }
        ExpectData(path, expected);
        CheckAcks(path);
        CheckStamps(path);
        const auto& counts = path.GetSender().GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.packets, 51, "each once");
        NS_TEST_EXPECT_MSG_EQ(counts.retransmissions, 0, "each once");
        NS_TEST_EXPECT_MSG_EQ(counts.reports, 2 + 4 + 1, "requests, ACK2, the end");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().reports, 2 + 4, "answers and ACKs");
    }

    /// On an arrival, of an ACK2, too, once 10 ms have gone by.
    void CheckAcks(const MadeUpPath& path)
    {
        // The receiver is connected at 30 ms: packet 0 comes later than 10 ms after that. ACK2
        // come at 70, 90 and 110 ms; packets 20 to 50 from 90 ms on.
        ExpectTimes(path,
                    ACK,
                    false,
                    {50 * MILLISECOND, 70 * MILLISECOND, 90 * MILLISECOND, 110 * MILLISECOND});
        const auto acks = path.ListReports(ACK, false);
        // Gaps: 20 ms and 15 times 1 s at first. The packets of an ACK are still unread: 1,
        // then 15.
        ExpectWords(acks[0].second, {1, 100'000, 50'000, 8190, 1, 1000});
        // 14 gaps of 1 us; the pair without a gap is none of those near 1 ms: 64 in 64 ms.
        ExpectWords(acks[1].second, {16, 90'000, 57'500, 8176, 1'000'000, 1000});
        NS_TEST_EXPECT_MSG_EQ(acks[0].second.info, 1, "ACKs are counted");
        NS_TEST_EXPECT_MSG_EQ(acks[1].second.info, 2, "ACKs are counted");
        NS_TEST_EXPECT_MSG_EQ(acks[2].second.words[0], 20, "16 to 19");
        NS_TEST_EXPECT_MSG_EQ(acks[3].second.words[0], 51, "all");
        ExpectTimes(path,
                    ACK2,
                    true,
                    {60 * MILLISECOND, 80 * MILLISECOND, 100 * MILLISECOND, 120 * MILLISECOND});
    }

    /// Microseconds since the first request, and which packet ends a block.
    void CheckStamps(const MadeUpPath& path)
    {
        std::vector<uint32_t> stamps;
        for (const auto& sent : path.GetSent())
        {
            if (const auto* data = std::get_if<DataDatagram>(&sent.datagram))
            {
                stamps.push_back(data->stamp);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(stamps[15], 40'014, "sent at 40.014 ms");
        NS_TEST_EXPECT_MSG_EQ(stamps[50], (80'028 | UdtWire::END_OF_BLOCK), "the last one");
    }
};

/// The handshake on paths that lose parts of it.
class UdtHandshakeTest : public UdtTimelineTest
{
  public:
    UdtHandshakeTest()
        : UdtTimelineTest("udt: a handshake of which parts are lost, refused, or never answered")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = Make(1);
        setting.fatesBack = {{.type = HANDSHAKE, .skip = 0, .times = 1},
                             {.type = HANDSHAKE, .skip = 2, .times = 1}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path,
                    HANDSHAKE,
                    true,
                    {0, 250 * MILLISECOND, 270 * MILLISECOND, 520 * MILLISECOND});
        ExpectData(path, {{540 * MILLISECOND, 0}});

        MadeUpPath deaf(Make(1));
        deaf.Kill(false, 0);
        NS_TEST_EXPECT_MSG_EQ(deaf.Run(), true, "not for ever");
        NS_TEST_EXPECT_MSG_EQ(deaf.GetEnd(), 3000 * MILLISECOND, "3 s");
        NS_TEST_EXPECT_MSG_EQ(deaf.ListReports(HANDSHAKE, true).size(), 12, "every 250 ms");
        NS_TEST_EXPECT_MSG_EQ(deaf.GetReason(),
                              "udt, sender: no connection within 3 s of the first request",
                              "says so");
        CheckAnswers();
        CheckRequests();
        CheckLateAnswer();
    }

    /// Who is connected asks no more, and what comes back before that is no answer.
    void CheckLateAnswer()
    {
        MadeUpPath path(Make(60));
        const UdtHandshake again{.mss = 1500,
                                 .flight = 8192,
                                 .type = UdtHandshake::REQUEST,
                                 .cookie = 5};
        const UdtHandshake refused{.mss = 1500, .flight = 8192, .type = UdtHandshake::REFUSED};
        path.Forge(true, 45 * MILLISECOND, again.ToReport());
        path.Forge(true, 46 * MILLISECOND, refused.ToReport());
        ReportDatagram other = refused.ToReport();
        other.type = SHUTDOWN;
        path.Forge(true, 5 * MILLISECOND, other);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path, HANDSHAKE, true, {0, 20 * MILLISECOND});
        ExpectData(path, ListFirstWindow());
    }

    /// @param said by the receiver's answer @return why the sender gives up
    std::string Answer(const UdtHandshake& said)
    {
        MadeUpPath path(Make(1));
        path.Kill(false, 0);
        path.Forge(true, 5 * MILLISECOND, said.ToReport());
        path.Run(100 * MILLISECOND);
        return path.GetReason();
    }

    /// What an answer may say.
    void CheckAnswers()
    {
        const UdtHandshake good{.mss = 1500, .flight = 8192, .type = UdtHandshake::CONNECT};
        NS_TEST_EXPECT_MSG_EQ(Answer(good), "it is not over", "connected");
        UdtHandshake bad = good;
        bad.first = 7;
        NS_TEST_EXPECT_MSG_EQ(Answer(bad),
                              "udt, sender: the receiver connects from packet 7 on",
                              "");
        bad = good;
        bad.mss = 576;
        NS_TEST_EXPECT_MSG_EQ(Answer(bad),
                              "udt, sender: the receiver takes packets of 576 bytes, not 1500",
                              "");
        bad.type = UdtHandshake::REFUSED;
        NS_TEST_EXPECT_MSG_EQ(Answer(bad), "udt, sender: the receiver refuses the connection", "");
        bad.type = 5;
        NS_TEST_EXPECT_MSG_EQ(Answer(bad), "it is not over", "nobody knows what that is");
    }

    /// What a request may say.
    void CheckRequests()
    {
        MadeUpPath path(Make(1));
        path.Kill(true, 0);
        path.Run(15 * MILLISECOND);
        UdtHandshake request{.mss = 1500, .flight = 8192, .type = UdtHandshake::CONNECT};
        request.cookie = 12;
        path.Forge(false, 20 * MILLISECOND, request.ToReport());
        path.Forge(false, 21 * MILLISECOND, ReportDatagram{.type = HANDSHAKE, .words = {1, 2}});
        path.Forge(false, 22 * MILLISECOND, DataDatagram{.number = 0, .payload = FULL});
        path.Run(30 * MILLISECOND);
        ExpectTimes(path, HANDSHAKE, false, {10 * MILLISECOND}); // of the sender's own request
        request.cookie =
            UdtHandshake::FromReport(path.ListReports(HANDSHAKE, false)[0].second)->cookie;
        request.version = 3;
        path.Forge(false, 40 * MILLISECOND, request.ToReport());
        path.Run(50 * MILLISECOND);
        const auto answers = path.ListReports(HANDSHAKE, false);
        NS_TEST_ASSERT_MSG_EQ(answers.size(), 2, "an answer");
        NS_TEST_EXPECT_MSG_EQ(UdtHandshake::FromReport(answers[1].second)->type,
                              +UdtHandshake::REFUSED,
                              "another version");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().bytes, 0, "not connected");
    }
};

/// A loss, and what both ends do about it.
class UdtLossTest : public UdtTimelineTest
{
  public:
    UdtLossTest()
        : UdtTimelineTest("udt: NAK at once and never again, one packet at once, lost tails")
    {
    }

  private:
    void DoRun() override
    {
        CheckFirstLoss();
        CheckRange();
        CheckTail();
        CheckNoRepeat();
        CheckFreeze();
    }

    /// Packet 5 is lost: reported when 6 comes, sent again at once, then the rate holds.
    void CheckFirstLoss()
    {
        auto setting = Make(16);
        setting.fatesThere = {{.number = 5}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path, NAK, false, {50'005 * MICROSECOND});
        ExpectWords(path.ListReports(NAK, false)[0].second, {5});
        Data expected = ListFirstWindow();
        expected.emplace_back(60'005 * MICROSECOND, 5);
        ExpectData(path, expected);
        const auto& sender = dynamic_cast<UdtSender&>(path.GetSender());
        // Of the arrivals one ACK has told, 1 packet/s: (7 x 16 + 1) / 8 = 14.
        NS_TEST_EXPECT_MSG_EQ(sender.GetRateControl()->IsSlowStart(), false, "over");
        NS_TEST_EXPECT_MSG_EQ(path.GetSender().GetCounts().retransmissions, 1, "packet 5");
        // The ACK at 70 ms ends before packet 5, which comes at 70.005 ms; the next one is for the
        // answer to that, at 90 ms.
        ExpectTimes(path, ACK, false, {50 * MILLISECOND, 70 * MILLISECOND, 90 * MILLISECOND});
        NS_TEST_EXPECT_MSG_EQ(path.ListReports(ACK, false)[1].second.words[0], 5, "all before it");
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(), 100 * MILLISECOND, "when that has come");
    }

    /// Packets 3 to 6 are lost: the first of them at once, the others at the rate.
    void CheckRange()
    {
        auto setting = Make(16);
        for (const uint32_t lost : {3, 4, 5, 6})
        {
            setting.fatesThere.push_back({.number = lost});
        }
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path, NAK, false, {50'006 * MICROSECOND});
        ExpectWords(path.ListReports(NAK, false)[0].second, {3 | RANGE, 6});
        Data expected = ListFirstWindow();
        // 14 packets/s: 71.428571 ms. Meanwhile an ACK tells of 1e6 packets/s, at 80 ms.
        expected.emplace_back(60'006 * MICROSECOND, 3);
        expected.emplace_back(60'006 * MICROSECOND + 71'428'571, 4);
        ExpectData(path, expected);
    }

    /// Nobody sees that the last packet is lost but the EXP timer of the sender.
    void CheckTail()
    {
        auto setting = Make(10);
        setting.bytes -= 1000; // a short packet is acknowledged at once
        setting.fatesThere = {{.number = 9, .times = 2}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        const Data sent = path.ListData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 12, "packet 9 twice more");
        // The last ACK comes at 80 ms. Looks from then on every 100 ms.
        NS_TEST_EXPECT_MSG_EQ(sent[10].first, 380 * MILLISECOND, "300 ms");
        NS_TEST_EXPECT_MSG_EQ(sent[10].second, 9, "what is not acknowledged");
        // The receiver heard an ACK2 at 90 ms. Two samples of 20 ms have made of 100 and 50 ms
        // 81.25 and 60.625: 333.75 ms with the SYN, which it sees at 490 ms. Its keep-alive comes
        // at 500 ms, from when on the sender waits anew.
        ExpectTimes(path, KEEP_ALIVE, false, {490 * MILLISECOND});
        NS_TEST_EXPECT_MSG_EQ(sent[11].first, 800 * MILLISECOND, "300 ms");
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(), 820 * MILLISECOND, "acknowledged at once");
        ExpectTimes(path, SHUTDOWN, true, {820 * MILLISECOND});
    }

    /// A packet that is lost again is not reported again: it waits for EXP, too.
    void CheckNoRepeat()
    {
        auto setting = Make(16);
        setting.fatesThere = {{.number = 5, .times = 2}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        ExpectTimes(path, NAK, false, {50'005 * MICROSECOND});
        // The last report, an ACK, comes at 80 ms.
        const Data sent = path.ListData();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), 18, "twice more");
        NS_TEST_EXPECT_MSG_EQ(sent[17].first, 380 * MILLISECOND, "EXP");
        NS_TEST_EXPECT_MSG_EQ(sent[17].second, 5, "the first that is not acknowledged");
    }

    /// Version 1: after the first decrease of a period there is a pause.
    void CheckFreeze()
    {
        for (const bool freezes : {false, true})
        {
            auto setting = Make(16);
            if (freezes)
            {
                setting.said = {{"udt-freeze", "10ms"}};
            }
            MadeUpPath path(setting);
            path.Kill(false, 31 * MILLISECOND);
            path.Forge(true, 50 * MILLISECOND, ReportDatagram{.type = NAK, .words = {3}});
            path.Forge(true,
                       60 * MILLISECOND,
                       ReportDatagram{.type = NAK, .words = {4 | RANGE, 5}});
            path.Run(200 * MILLISECOND);
            Data expected = ListFirstWindow();
            // Slow start ends at 16 packets/s, 62.5 ms; then 70.3125, rounded up to microseconds.
            expected.emplace_back(50 * MILLISECOND, 3);
            expected.emplace_back(60 * MILLISECOND, 4);
            expected.emplace_back(60 * MILLISECOND + 70'313 * MICROSECOND +
                                      (freezes ? 10 * MILLISECOND : 0),
                                  5);
            ExpectData(path, expected);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new UdtStartTest, new UdtHandshakeTest, new UdtLossTest};
});

} // namespace
