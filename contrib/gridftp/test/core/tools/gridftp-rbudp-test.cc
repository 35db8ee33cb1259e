/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-rbudp.h"
#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"

#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What was sent when: times, ns, and numbers of packets.
using Data = std::vector<std::pair<Nanoseconds, uint32_t>>;

/// @return ten packets of 1000 bytes, one a millisecond, over 5 ms each way
MadeUpPath::Setting
MakeTenPackets()
{
    return {.tool = "rbudp",
            .said = {{"rate", "8Mbps"}, {"payload", "1000B"}},
            .bytes = 9500,
            .there = {.delayNs = 5 * MILLISECOND},
            .back = {.delayNs = 5 * MILLISECOND}};
}

/// When the first blast of MakeTenPackets() begins: SYN, SYN and ACK, and the request, 5 ms each.
constexpr Nanoseconds BEGIN = 15 * MILLISECOND;

/// @param at of the first packet @param gap between packets @param numbers of them @return those
Data
MakeBlast(Nanoseconds at, Nanoseconds gap, const std::vector<uint32_t>& numbers)
{
    Data made;
    for (const uint32_t number : numbers)
    {
        made.emplace_back(at, number);
        at += gap;
    }
    return made;
}

/// All ten numbers.
const std::vector<uint32_t> ALL{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/// A loss or two, worked out by hand.
class RbudpTimelineTest : public TestCase
{
  public:
    RbudpTimelineTest()
        : TestCase("rbudp: blast, mark, bitmap, and what was lost as the next blast")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.fatesThere = {{.number = 3}, {.number = 9, .times = 2}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        Data expected = MakeBlast(BEGIN, MILLISECOND, ALL);
        // The mark leaves with packet 9, at 24 ms, is there at 29, and the bitmap back at 34
        const Data second = MakeBlast(34 * MILLISECOND, MILLISECOND, {3, 9});
        // Packet 9, at 35 ms, is lost again; a mark at 40 ms, a bitmap at 45
        const Data third = MakeBlast(45 * MILLISECOND, MILLISECOND, {9});
        expected.insert(expected.end(), second.begin(), second.end());
        expected.insert(expected.end(), third.begin(), third.end());
        NS_TEST_EXPECT_MSG_EQ((path.ListData() == expected), true, "what is sent when");
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(),
                              50 * MILLISECOND,
                              "the third mark says that it is over");
        const ToolCounts& counts = path.GetSender().GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.packets, 13, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.retransmissions, 3, "sent again");
        const std::vector<uint64_t> blasts{10, 2, 1};
        NS_TEST_EXPECT_MSG_EQ((counts.blasts == blasts), true, "packets of each");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().duplicates, 0, "none twice");
    }
};

/// When packets leave.
class RbudpRateTest : public TestCase
{
  public:
    RbudpRateTest()
        : TestCase("rbudp: gaps of whole microseconds, and what is late is caught up")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.said = {{"rate", "700Mbps"}, {"payload", "1460B"}};
        setting.bytes = 10 * 1460;
        MadeUpPath fast(setting);
        fast.Run();
        // 11680 bits at 700 Mbit/s are 16.69 us
        NS_TEST_EXPECT_MSG_EQ((fast.ListData() == MakeBlast(BEGIN, 16 * MICROSECOND, ALL)),
                              true,
                              "16 us");

        // 972 bytes are 1 ms on the host's link, and 1500 of its buffer 1.5 ms: what comes more
        // than that ahead of the link waits. From the fourth packet on they leave as the link does.
        setting.said = {{"rate", "800Mbps"}, {"payload", "972B"}, {"send-buffer", "1500B"}};
        setting.bytes = 10 * 972;
        setting.linkRateBps = 8'000'000;
        MadeUpPath slow(setting);
        slow.Run();
        Data expected = MakeBlast(BEGIN, 9 * MICROSECOND, {0, 1});
        const Data rest = MakeBlast(BEGIN + MILLISECOND / 2, MILLISECOND, {2, 3, 4, 5, 6, 7, 8, 9});
        expected.insert(expected.end(), rest.begin(), rest.end());
        NS_TEST_EXPECT_MSG_EQ((slow.ListData() == expected), true, "room in the buffer");

        // The link is free again long before the next packet is due
        setting.said = {{"rate", "1Mbps"}, {"payload", "972B"}, {"send-buffer", "1500B"}};
        MadeUpPath idle(setting);
        idle.Run();
        NS_TEST_EXPECT_MSG_EQ((idle.ListData() == MakeBlast(BEGIN, 7776 * MICROSECOND, ALL)),
                              true,
                              "rate");
    }
};

/// Datagrams that come otherwise than they were sent.
class RbudpChaosTest : public TestCase
{
  public:
    RbudpChaosTest()
        : TestCase("rbudp: reordered, duplicated, truncated and forged datagrams")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.fatesThere = {{.kind = Fate::Kind::DELAY, .number = 2, .by = 3 * MILLISECOND},
                              {.kind = Fate::Kind::DUPLICATE, .number = 4},
                              {.kind = Fate::Kind::TRUNCATE, .number = 6, .by = 1},
                              {.kind = Fate::Kind::TRUNCATE, .number = 7, .by = 1002}};
        MadeUpPath path(setting);
        path.Forge(false, 20 * MILLISECOND, DataDatagram{.number = 10, .payload = 1000});
        path.Forge(false, 22 * MILLISECOND, DataDatagram{.number = 10, .payload = 500});
        path.Forge(false, 20 * MILLISECOND, DataDatagram{.number = 9, .payload = 1000});
        path.Forge(false, 20 * MILLISECOND, ReportDatagram{.type = 1});
        path.Forge(true, 20 * MILLISECOND, DataDatagram{.number = 1, .payload = 1000});
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        const std::vector<uint64_t> blasts{10, 2};
        NS_TEST_EXPECT_MSG_EQ((path.GetSender().GetCounts().blasts == blasts), true, "6 and 7");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().duplicates, 1, "packet 4");
    }
};

/// What comes by TCP and cannot be.
class RbudpLiesTest : public TestCase
{
  public:
    RbudpLiesTest()
        : TestCase("rbudp: wrong marks and bitmaps, a lost connection, a path that loses all")
    {
    }

  private:
    /// @param name of the lie @param lie tells it @param reason that the session fails with
    void Expect(const std::string& name,
                const std::function<void(MadeUpPath&)>& lie,
                const std::string& reason)
    {
        MadeUpPath path(MakeTenPackets());
        lie(path);
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, name);
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(), "rbudp, " + reason, name);
    }

    void DoRun() override
    {
        using Bytes = std::vector<uint8_t>;
        const auto toSender = [](Nanoseconds at, Bytes bytes) {
            return [at, bytes](MadeUpPath& path) {
                path.At(at, [&path, at, bytes] { path.GetSender().HandleBytes(at, bytes); });
            };
        };
        const auto toReceiver = [](Nanoseconds at, Bytes bytes) {
            return [at, bytes](MadeUpPath& path) {
                path.At(at, [&path, at, bytes] { path.GetReceiver().HandleBytes(at, bytes); });
            };
        };
        const Nanoseconds waits = 27 * MILLISECOND; // the mark is on its way
        Expect("all is there, and two are missing",
               toSender(waits, {1, 0xf3, 0xff}),
               "sender: the bitmap says that all packets are there, and that 2 are missing");
        Expect("not all is there, and none is missing",
               toSender(waits, {0, 0xff, 0xff}),
               "sender: the bitmap names no packet that is missing, and the file is incomplete");
        Expect("a bitmap within a blast",
               toSender(BEGIN + MILLISECOND, {0, 0, 0}),
               "sender: a bitmap came before the end of a blast");
        Expect("no mark",
               toReceiver(21 * MILLISECOND, Bytes(8, 7)),
               "receiver: the message after blast 0 does not mark its end");
        Expect("an empty file",
               toReceiver(12 * MILLISECOND, Bytes(8, 0)),
               "receiver: the sender reports a file of 0 bytes");
        Expect(
            "a connection that is cut",
            [](MadeUpPath& path) { path.CutConnection(18 * MILLISECOND); },
            "sender: the control connection was lost");
        Expect(
            "a sender that is gone, and its connection then",
            [](MadeUpPath& path) {
                path.Kill(true, 17 * MILLISECOND);
                path.CutConnection(18 * MILLISECOND);
            },
            "receiver: the control connection was lost");

        auto setting = MakeTenPackets();
        setting.fatesThere = {{.times = UINT32_MAX}};
        MadeUpPath silent(setting);
        NS_TEST_EXPECT_MSG_EQ(silent.Run(), true, "it ends");
        NS_TEST_EXPECT_MSG_EQ(silent.GetReason(),
                              "rbudp, sender: 16 blasts in a row brought nothing new",
                              "");
        NS_TEST_EXPECT_MSG_EQ(silent.GetSender().GetCounts().blasts.size(), 16, "and no more");
    }
};

/// What is on the wire.
class RbudpWireTest : public TestCase
{
  public:
    RbudpWireTest()
        : TestCase("rbudp: what datagrams, sizes, marks and bitmaps look like")
    {
    }

  private:
    void DoRun() override
    {
        using Bytes = std::vector<uint8_t>;
        const ToolKind& kind = *FindToolKind("rbudp");
        Bytes header(4);
        kind.writeData({.number = 0x01020304, .payload = 5}, header);
        NS_TEST_EXPECT_MSG_EQ((header == Bytes{4, 3, 2, 1}), true, "little-endian");
        header.resize(9);
        const auto read = kind.read(header, 9);
        const auto* data = read ? std::get_if<DataDatagram>(&*read) : nullptr;
        NS_TEST_ASSERT_MSG_EQ((data != nullptr), true, "read again");
        NS_TEST_EXPECT_MSG_EQ(data->number, 0x01020304, "number");
        NS_TEST_EXPECT_MSG_EQ(data->payload, 5, "payload");
        NS_TEST_EXPECT_MSG_EQ(kind.read(std::span(header).first(4), 4).has_value(), false, "empty");
        NS_TEST_EXPECT_MSG_EQ(kind.read(std::span(header).first(3), 3).has_value(), false, "short");

        NS_TEST_EXPECT_MSG_EQ(
            (FileRequest::MakeSize(0x0102030405) == Bytes{0, 0, 0, 1, 2, 3, 4, 5}),
            true,
            "big-endian");
        NS_TEST_EXPECT_MSG_EQ((RbudpText::MakeMark(258) == Bytes{2, 1, 0, 0, 'E', 'E', 'E', 0}),
                              true,
                              "round");
        // As seen of files of 685, 13,699 and 34,247 packets
        NS_TEST_EXPECT_MSG_EQ(RbudpText::GetBitmapBytes(685), 87, "");
        NS_TEST_EXPECT_MSG_EQ(RbudpText::GetBitmapBytes(13'699), 1714, "");
        NS_TEST_EXPECT_MSG_EQ(RbudpText::GetBitmapBytes(34'247), 4282, "");
        LossBitmap arrived(10);
        arrived.Add(0);
        arrived.Add(9);
        NS_TEST_EXPECT_MSG_EQ((RbudpText::MakeBitmap(arrived) == Bytes{0, 0x01, 0xfe}),
                              true,
                              "bits behind the last packet are set");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new RbudpTimelineTest,
            new RbudpRateTest,
            new RbudpChaosTest,
            new RbudpLiesTest,
            new RbudpWireTest};
});

} // namespace
