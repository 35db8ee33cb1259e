/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-random.h"
#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"
#include "gridftp-udt-sender.h"
#include "gridftp-udt-test.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;
using namespace ns3::gridftp::udt;

namespace
{

/// Reports that lie, and datagrams that come otherwise than they were sent.
class UdtRobustnessTest : public UdtTimelineTest
{
  public:
    UdtRobustnessTest()
        : UdtTimelineTest("udt: the exact file or an error that says why, whatever comes")
    {
    }

  private:
    void DoRun() override
    {
        CheckLies();
        CheckHarmless();
        CheckFates();
        CheckHopeless();
        CheckSizes();
        CheckChaos();
        CheckForgeries();
    }

    /// @param report that the sender gets 10 us after 16 packets @return why it gives up
    static std::string TellSender(const ReportDatagram& report)
    {
        MadeUpPath path(Make(100));
        path.Kill(false, 31 * MILLISECOND);
        path.Forge(true, 40'024 * MICROSECOND, report);
        path.Run(60 * MILLISECOND);
        return path.GetReason();
    }

    /// What cannot be.
    void CheckLies()
    {
        const std::string lost =
            "udt, sender: the receiver reports the loss of packets that were not sent";
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = NAK, .words = {16}}), lost, "not sent");
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = NAK, .words = {3 | RANGE, 16}}), lost, "its end");
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = NAK, .words = {3 | RANGE, 2}}),
                              lost,
                              "backwards");
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = NAK, .words = {3 | RANGE, 4 | RANGE}}), lost, "");
        const std::string acked = "udt, sender: the receiver acknowledges 17 packets of 16 that "
                                  "were sent";
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = ACK, .words = {17}}), acked, "a light one");
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = ACK, .info = 1, .words = {17, 1, 1, 1}}),
                              acked,
                              "a full one");
        NS_TEST_EXPECT_MSG_EQ(TellSender({.type = SHUTDOWN}),
                              "udt, sender: the receiver has closed the connection",
                              "it is for the sender to do so");
        MadeUpPath path(Make(100));
        path.Kill(true, 39 * MILLISECOND);
        path.Forge(false, 50 * MILLISECOND, DataDatagram{.number = 0, .payload = FULL});
        path.Forge(false, 60 * MILLISECOND, ReportDatagram{.type = SHUTDOWN});
        path.Run(70 * MILLISECOND);
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(),
                              "udt, receiver: the sender has closed the connection after 1456 "
                              "bytes of 145600",
                              "too early");
    }

    /// What is of no use is ignored.
    void CheckHarmless()
    {
        for (const uint32_t type : {HANDSHAKE, KEEP_ALIVE, ACK2, 7U, 8U, 9U, 0x7fffU})
        {
            NS_TEST_EXPECT_MSG_EQ(TellSender({.type = type, .info = 3, .words = {1, 2, 3}}),
                                  "it is not over",
                                  "type " << type);
        }
        for (const std::vector<uint32_t>& words :
             {std::vector<uint32_t>{}, {1, 2}, {1, 2, 3}, {99, 2, 3, 4, 5}, {99, 2, 3, 4, 5, 6, 7}})
        {
            NS_TEST_EXPECT_MSG_EQ(TellSender({.type = ACK, .info = 1, .words = words}),
                                  "it is not over",
                                  "an ACK of " << words.size() << " words");
        }
        for (const std::vector<uint32_t>& words : {std::vector<uint32_t>{}, {1, 3 | RANGE}})
        {
            NS_TEST_EXPECT_MSG_EQ(TellSender({.type = NAK, .info = 0, .words = words}),
                                  "it is not over",
                                  "a NAK of " << words.size() << " words");
        }
        // Numbers that no path has: the transfer goes on, and ends.
        for (const uint32_t wild : {0U, 1U, 0x7fffffffU, 0x80000000U, 0xffffffffU})
        {
            MadeUpPath path(Make(200));
            path.Forge(
                true,
                41 * MILLISECOND,
                ReportDatagram{.type = ACK, .info = 1, .words = {1, wild, wild, wild, wild, wild}});
            path.Forge(false, 51 * MILLISECOND, ReportDatagram{.type = ACK2, .info = wild});
            path.Run();
            NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, wild << ": " << path.GetReason());
            NS_TEST_EXPECT_MSG_LT(path.GetEnd(), 300'000 * MILLISECOND, "in finite time");
        }
    }

    /// @param setting of a path @param what it is about
    void ExpectComplete(const MadeUpPath::Setting& setting, const std::string& what)
    {
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, what << ": " << path.GetReason());
    }

    /// One thing at a time.
    void CheckFates()
    {
        using Kind = Fate::Kind;
        for (const Kind kind : {Kind::LOSE, Kind::DUPLICATE, Kind::DELAY, Kind::TRUNCATE})
        {
            for (const int64_t by : {int64_t{1}, int64_t{4}, 1 * MILLISECOND, 500 * MILLISECOND})
            {
                auto setting = Make(60);
                if (kind == Kind::TRUNCATE && by > 4)
                {
                    continue;
                }
                setting.fatesThere = {{.kind = kind, .skip = 3, .times = 5, .by = by}};
                ExpectComplete(setting, "data " + std::to_string(by));
                for (const uint32_t type : {HANDSHAKE, ACK, NAK, ACK2})
                {
                    auto other = Make(60);
                    other.fatesThere = {{.number = 20}, {.kind = kind, .type = type, .by = by}};
                    other.fatesBack = {{.kind = kind, .type = type, .by = by},
                                       {.kind = kind, .type = type, .skip = 2, .by = by}};
                    ExpectComplete(other, "reports " + std::to_string(type));
                }
            }
        }
        auto setting = Make(60);
        setting.fatesThere = {{.kind = Kind::TRUNCATE, .number = 7, .by = 1}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.GetSender().GetCounts().retransmissions, 1, "packet 7 again");
        setting.fatesThere = {{.kind = Kind::DUPLICATE, .number = 7}};
        MadeUpPath twice(setting);
        twice.Run();
        NS_TEST_EXPECT_MSG_EQ(twice.GetReceiver().GetCounts().duplicates, 1, "packet 7 twice");
        NS_TEST_EXPECT_MSG_EQ(twice.GetReceiver().GetCounts().bytes, 60 * FULL, "and once");
    }

    /// A packet that never comes, although both ends hear each other.
    void CheckHopeless()
    {
        auto setting = Make(60);
        setting.fatesThere = {{.number = 20, .times = UINT32_MAX}};
        MadeUpPath path(setting);
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, "not for ever");
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(),
                              "udt, sender: nothing new has been acknowledged for 64 expiries",
                              "says so");
    }

    /// Files of one byte, of one packet, and of more packets than there are numbers.
    void CheckSizes()
    {
        for (const uint64_t bytes : {1, 1455, 1456, 1457, 2912})
        {
            auto setting = Make(1);
            setting.bytes = bytes;
            ExpectComplete(setting, std::to_string(bytes) + " bytes");
        }
        auto setting = Make(1);
        setting.said = {{"payload", "64B"}};
        setting.bytes = uint64_t{64} << 31;
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(),
                              "udt, sender: the file has 2147483648 packets; allowed: less than "
                              "2147483648",
                              "numbers have 31 bits");
    }

    /// @param key of a draw @param what it is for @param bound of it @return 0 or more, below it
    static uint32_t Draw(uint64_t key, uint64_t what, uint32_t bound)
    {
        return static_cast<uint32_t>(UniformBelow(KeyedRandom({key, what}), bound));
    }

    /// @param key of the draws @return a path on which everything happens
    static MadeUpPath::Setting DrawPath(uint64_t key)
    {
        auto setting = Make(1 + Draw(key, 0, 400));
        setting.bytes -= Draw(key, 1, 1456);
        setting.randomKey = key;
        for (auto* link : {&setting.there, &setting.back})
        {
            link->rateBps = Draw(key, 2, 2) ? 1'000'000 + Draw(key, 3, 100'000'000) : 0;
            link->delayNs = Draw(key, 4, 60) * MILLISECOND;
            link->queue = 5 + Draw(key, 5, 100);
        }
        setting.there.loss = RandomLoss(0.01 * Draw(key, 6, 30), Mix64(key));
        setting.back.loss = RandomLoss(0.01 * Draw(key, 7, 30), Mix64(key + 1));
        for (uint32_t i = 0; i < 40; ++i)
        {
            const bool isBack = i % 3 == 0;
            const auto kind = static_cast<Fate::Kind>(Draw(key, 100 + i, 4));
            Fate fate{.kind = kind,
                      .skip = Draw(key, 200 + i, 200),
                      .times = 1 + Draw(key, 300 + i, 10),
                      .by = kind == Fate::Kind::DELAY ? Draw(key, 400 + i, 100) * MILLISECOND
                                                      : 1 + Draw(key, 500 + i, 4)};
            if (isBack)
            {
                fate.type = Draw(key, 600 + i, 7);
                fate.skip /= 10;
            }
            (isBack ? setting.fatesBack : setting.fatesThere).push_back(fate);
        }
        static constexpr std::pair<std::string_view, std::string_view> WORDS[] = {
            {"udt-pacing", "tick"},
            {"udt-first-loss", "forgive"},
            {"udt-loss-gate", "rate"},
            {"udt-delay", "decrease"},
            {"udt-decrease", "doubling"},
            {"udt-freeze", "10ms"},
            {"udt-flight", "64"}};
        for (uint32_t i = 0; i < std::size(WORDS); ++i)
        {
            if (Draw(key, 700 + i, 2))
            {
                setting.said.push_back(WORDS[i]);
            }
        }
        return setting;
    }

    /// Losses up to 30 %, duplicates, delays and what is cut off: the file comes through.
    void CheckChaos()
    {
        const uint32_t draws = CountDraws(60);
        for (uint64_t key = 1; key <= draws; ++key)
        {
            MadeUpPath path(DrawPath(key));
            NS_TEST_EXPECT_MSG_EQ(path.Run(), true, "not for ever, key " << key);
            const bool isConnected =
                path.GetReason() != "udt, sender: no connection within 3 s of the first request";
            NS_TEST_EXPECT_MSG_EQ(path.IsComplete(),
                                  isConnected,
                                  "key " << key << ": " << path.GetReason());
        }
    }

    /// Datagrams that nobody has sent: an end, and never a wrong one.
    void CheckForgeries()
    {
        const uint32_t draws = CountDraws(150);
        uint32_t complete = 0;
        for (uint64_t key = 1000; key < 1000 + draws; ++key)
        {
            MadeUpPath path(Make(100));
            for (uint64_t i = 0; i < 20; ++i)
            {
                ReportDatagram report{.type = Draw(key, 10 * i, 9),
                                      .info = Draw(key, 10 * i + 1, 9)};
                for (uint32_t word = Draw(key, 10 * i + 2, 14); word > 0; --word)
                {
                    const uint64_t bits = KeyedRandom({key, i, word});
                    report.words.push_back(static_cast<uint32_t>(bits) >>
                                           (Draw(key, 10 * i + 3, 2) ? 0 : 26));
                }
                const Nanoseconds at = Draw(key, 10 * i + 4, 150'000) * MICROSECOND;
                path.Forge(Draw(key, 10 * i + 5, 2) == 0, at, report);
                path.Forge(false,
                           at + MICROSECOND,
                           DataDatagram{.number = Draw(key, 10 * i + 6, 300),
                                        .payload = Draw(key, 10 * i + 7, 1460)});
            }
            NS_TEST_EXPECT_MSG_EQ(path.Run(), true, "not for ever, key " << key);
            const bool isError = path.GetReason().starts_with("udt, ");
            NS_TEST_EXPECT_MSG_EQ((path.IsComplete() || isError),
                                  true,
                                  "key " << key << ": " << path.GetReason());
            complete += path.IsComplete() ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(complete, 0, "not every forgery is an error");
        NS_TEST_EXPECT_MSG_LT(complete, draws, "and some are");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new UdtRobustnessTest}; });

} // namespace
