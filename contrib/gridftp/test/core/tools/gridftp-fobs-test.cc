/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fobs.h"
#include "gridftp-test-cases.h"
#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"

#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What was sent when: times, ns, and numbers of packets.
using Data = std::vector<std::pair<Nanoseconds, uint32_t>>;

/// A tenth of a millisecond, ns.
constexpr Nanoseconds TENTH = MILLISECOND / 10;

/// @return ten packets, each 1 ms on the sender's link, whose buffer has room for 1.5 ms of it; 5.2
/// ms there, 5 ms back, so that no two things happen at one time
MadeUpPath::Setting
MakeTenPackets()
{
    return {.tool = "fobs",
            .said = {{"payload", "972B"}, {"send-buffer", "1500B"}, {"fobs-acknowledge", "4"}},
            .bytes = 9720,
            .there = {.delayNs = 52 * TENTH},
            .back = {.delayNs = 50 * TENTH},
            .linkRateBps = 8'000'000};
}

/// @param tenths of a millisecond and numbers @return those, in ns
Data
MakeData(const std::vector<std::pair<int64_t, uint32_t>>& tenths)
{
    Data made;
    for (const auto& [at, number] : tenths)
    {
        made.emplace_back(at * TENTH, number);
    }
    return made;
}

/// @param ack as the receiver is to have sent it @param report that it has @return whether it is it
bool
IsSame(const FobsAck& ack, const ReportDatagram& report)
{
    const ReportDatagram expected = ack.ToReport();
    return expected.type == report.type && expected.info == report.info &&
           expected.words == report.words;
}

/// A packet that is lost twice, worked out by hand.
class FobsTimelineTest : public TestCase
{
  public:
    FobsTimelineTest()
        : TestCase("fobs: round the file, batch by batch, as acknowledgements come or do not")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.fatesThere = {{.number = 3, .times = 2}};
        MadeUpPath path(setting);
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.GetSaidBytes(true), 8, "the size of the file");
        NS_TEST_EXPECT_MSG_EQ(path.GetSaidBytes(false), 256 + 1, "its name, and that it is there");
        // SYN 5, SYN and ACK 10.2, request 15.2 ms. Two packets fill the buffer, then one a
        // millisecond leaves.
        const Data expected = MakeData({
            {152, 0},
            {152, 1},
            {157, 2},
            {167, 3},
            {177, 4},
            {187, 5},
            {197, 6},
            {207, 7},
            {217, 8},
            {227, 9},
            // The second round. The acknowledgement of 0, 1, 2 and 4 comes at 27.9 ms, within a
            // batch, and is taken at 29.7
            {237, 0},
            {247, 1},
            {257, 2},
            {267, 3},
            {277, 4},
            {287, 5},
            {297, 6},
            {307, 7},
            {317, 8},
            {327, 9},
            // That of 5 to 8 comes at 31.9 and is taken at 33.7: 3 and 9 are left
            {337, 3},
            {347, 9},
            // That of 9 at 33.9, taken at 35.7: 3 goes round alone until 38.9, when it is there
            {357, 3},
            {367, 3},
            {377, 3},
            {387, 3},
        });
        NS_TEST_EXPECT_MSG_EQ((path.ListData() == expected), true, "what is sent when");
        NS_TEST_EXPECT_MSG_EQ(path.GetEnd(), 389 * TENTH, "the first copy of 3 that arrives");
        const auto acks = path.ListReports(1, false);
        NS_TEST_ASSERT_MSG_EQ(acks.size(), 6, "acknowledgements");
        // Four datagrams each, but where a packet is in front of those that wait
        const std::vector<std::pair<int64_t, FobsAck>> told{
            {229, {.complete = 3, .first = 0, .received = 4, .highest = 5, .arrived = {0x17}}},
            {269, {.complete = 3, .first = 5, .received = 8, .highest = 9, .arrived = {0x0f}}},
            {289, {.complete = 3, .first = 9, .received = 9, .highest = 10, .arrived = {0x01}}},
            {329, {.complete = 3, .first = 0, .received = 13, .highest = 15, .arrived = {0x17}}},
            {369, {.complete = 3, .first = 5, .received = 17, .highest = 19, .arrived = {0x0f}}},
            {389, {.complete = 3, .first = 9, .received = 18, .highest = 20, .arrived = {0x01}}},
        };
        for (size_t i = 0; i < told.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(acks[i].first, told[i].first * TENTH, "when " << i);
            NS_TEST_EXPECT_MSG_EQ(IsSame(told[i].second, acks[i].second), true, "what " << i);
        }
        const ToolCounts& counts = path.GetSender().GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.packets, 26, "sent");
        NS_TEST_EXPECT_MSG_EQ(counts.retransmissions, 16, "sent again");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().duplicates, 9, "twice there");
        NS_TEST_EXPECT_MSG_EQ(path.GetReceiver().GetCounts().reports, 6, "acknowledgements");
    }
};

/// How fast it sends, of itself and as it is told.
class FobsRateTest : public TestCase
{
  public:
    FobsRateTest()
        : TestCase(
              "fobs: batches that a host sends once a period, and a rate that follows the loss")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.said.emplace_back("fobs-period", "10ms");
        setting.bytes = 4 * 972;
        MadeUpPath slow(setting);
        slow.Run();
        const Data expected = MakeData({{152, 0}, {152, 1}, {252, 2}, {252, 3}});
        NS_TEST_EXPECT_MSG_EQ((slow.ListData() == expected), true, "two every 10 ms");

        FobsRate greedy({.control = FobsControl::OFF, .toleratedLoss = 0.01}, 8'000'000);
        greedy.Take({.received = 50, .highest = 100});
        NS_TEST_EXPECT_MSG_EQ(greedy.GetGap(1000), 0, "nothing slows it down");

        FobsRate rate({.control = FobsControl::ON, .toleratedLoss = 0.01}, 8'000'000);
        rate.Take({.received = 100, .highest = 100});
        NS_TEST_EXPECT_MSG_EQ(rate.GetGap(1000), 0, "not above the link's rate");
        rate.Take({.received = 150, .highest = 200});
        NS_TEST_EXPECT_MSG_EQ(rate.GetGap(1000), 2 * MILLISECOND, "half of 100 was lost");
        rate.Take({.received = 140, .highest = 190});
        NS_TEST_EXPECT_MSG_EQ(rate.GetGap(1000), 2 * MILLISECOND, "an older one");
        rate.Take({.received = 249, .highest = 299});
        NS_TEST_EXPECT_MSG_EQ_TOL(rate.GetRate(), 4'040'000, 1e-6, "nothing was lost of 99");
        rate.Take({.received = 447, .highest = 499});
        NS_TEST_EXPECT_MSG_EQ_TOL(rate.GetRate(), 3'999'600, 1e-6, "2 of 200, which is no more");
        rate.Take({.received = 447, .highest = 599});
        NS_TEST_EXPECT_MSG_EQ_TOL(rate.GetRate(), 8000, 1e-6, "all: a thousandth of the link");

        // Sent with it, a file comes over a path of half the link's rate
        setting = MakeTenPackets();
        setting.said.emplace_back("fobs-control", "on");
        setting.bytes = 400 * 972;
        setting.there = {.rateBps = 4'000'000, .delayNs = 5 * MILLISECOND, .queue = 10};
        MadeUpPath half(setting);
        half.Run();
        NS_TEST_EXPECT_MSG_EQ(half.IsComplete(), true, half.GetReason());
        setting.said.pop_back();
        MadeUpPath blind(setting);
        blind.Run();
        NS_TEST_EXPECT_MSG_EQ(blind.IsComplete(), true, blind.GetReason());
        NS_TEST_EXPECT_MSG_LT(half.GetSender().GetCounts().packets,
                              blind.GetSender().GetCounts().packets,
                              "fewer packets for the same file");
    }
};

/// Datagrams that come otherwise than they were sent.
class FobsChaosTest : public TestCase
{
  public:
    FobsChaosTest()
        : TestCase(
              "fobs: reordered, duplicated, truncated and forged datagrams, lost acknowledgements")
    {
    }

  private:
    void DoRun() override
    {
        auto setting = MakeTenPackets();
        setting.fatesThere = {{.kind = Fate::Kind::DELAY, .number = 2, .by = 30 * TENTH},
                              {.kind = Fate::Kind::DUPLICATE, .number = 4},
                              {.kind = Fate::Kind::TRUNCATE, .number = 6, .by = 1},
                              {.kind = Fate::Kind::TRUNCATE, .number = 7, .by = 975}};
        setting.fatesBack = {{.type = 1, .times = 2},
                             {.kind = Fate::Kind::TRUNCATE, .type = 1, .skip = 2, .by = 3}};
        MadeUpPath path(setting);
        path.Forge(false, 20 * MILLISECOND, DataDatagram{.number = 10, .payload = 972});
        path.Forge(false, 20 * MILLISECOND, DataDatagram{.number = 9, .payload = 1});
        path.Forge(false, 20 * MILLISECOND, ReportDatagram{.type = 1});
        path.Forge(true, 20 * MILLISECOND, DataDatagram{.number = 1, .payload = 972});
        path.Forge(true, 20 * MILLISECOND, ReportDatagram{.type = 1, .words = {0}});
        path.Forge(true, 20 * MILLISECOND, ReportDatagram{.type = 2, .words = {0, 0, 0, 7}});
        path.Forge(true, 20 * MILLISECOND, FobsAck{.complete = 11, .arrived = {1}}.ToReport());
        path.Forge(true, 20 * MILLISECOND, FobsAck{.first = 10, .arrived = {1}}.ToReport());
        path.Run();
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_GT(path.GetSender().GetCounts().retransmissions, 0, "6 and 7 go again");

        // Bits far behind the ones that an acknowledgement has room for
        setting = MakeTenPackets();
        setting.said = {{"payload", "64B"}, {"fobs-acknowledge", "20000"}};
        setting.bytes = 64 * 10'000;
        MadeUpPath large(setting);
        large.Run();
        NS_TEST_EXPECT_MSG_EQ(large.IsComplete(), true, large.GetReason());
        const auto acks = large.ListReports(1, false);
        NS_TEST_ASSERT_MSG_EQ(acks.empty(), false, "before so many have come");
        NS_TEST_EXPECT_MSG_EQ(acks.front().second.words.size(), 3 + 8192 / 32, "full");
    }
};

/// What comes and cannot be.
class FobsLiesTest : public TestCase
{
  public:
    FobsLiesTest()
        : TestCase("fobs: acknowledgements that lie, a lost connection, a path that loses all")
    {
    }

  private:
    /// @param name of the lie @param lie tells it @param reason that the session fails with
    void Expect(const std::string& name,
                const std::function<void(MadeUpPath&)>& lie,
                const std::string& reason)
    {
        auto setting = MakeTenPackets();
        setting.fatesThere = {{.number = 7, .times = UINT32_MAX}};
        MadeUpPath path(setting);
        lie(path);
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, name);
        NS_TEST_EXPECT_MSG_EQ(path.GetReason(), "fobs, " + reason, name);
    }

    void DoRun() override
    {
        const std::string silent =
            "sender: all packets are acknowledged, and the receiver has not reported completion";
        Expect(
            "all have come below",
            [](MadeUpPath& path) {
                path.Forge(true, 18 * MILLISECOND, FobsAck{.complete = 10}.ToReport());
            },
            silent);
        Expect(
            "all have come by their bits",
            [](MadeUpPath& path) {
                const FobsAck lie{.arrived = {UINT32_MAX, UINT32_MAX}};
                path.Forge(true, 18 * MILLISECOND, lie.ToReport());
            },
            silent);
        Expect(
            "a packet that never comes",
            [](MadeUpPath&) {},
            "sender: nothing new has been acknowledged for 30 s");
        Expect(
            "a connection that is cut",
            [](MadeUpPath& path) { path.CutConnection(18 * MILLISECOND); },
            "sender: the control connection was lost");
        Expect(
            "an empty file",
            [](MadeUpPath& path) {
                path.At(12 * MILLISECOND, [&path] {
                    path.GetReceiver().HandleBytes(12 * MILLISECOND, std::vector<uint8_t>(8, 0));
                });
            },
            "receiver: the sender reports a file of 0 bytes");
    }
};

/// What is on the wire.
class FobsWireTest : public TestCase
{
  public:
    FobsWireTest()
        : TestCase("fobs: what datagrams and acknowledgements look like")
    {
    }

  private:
    void DoRun() override
    {
        using Bytes = std::vector<uint8_t>;
        const ToolKind& kind = *FindToolKind("fobs");
        Bytes header(8);
        kind.writeData({.number = 0x01020304, .stamp = 0x0a0b0c0d, .payload = 5}, header);
        NS_TEST_EXPECT_MSG_EQ((header == Bytes{1, 2, 3, 4, 10, 11, 12, 13}), true, "big-endian");
        const auto read = kind.read(header, 13);
        const auto* data = read ? std::get_if<DataDatagram>(&*read) : nullptr;
        NS_TEST_ASSERT_MSG_EQ((data != nullptr), true, "read again");
        NS_TEST_EXPECT_MSG_EQ(data->number, 0x01020304, "number");
        NS_TEST_EXPECT_MSG_EQ(data->stamp, 0x0a0b0c0d, "count");
        NS_TEST_EXPECT_MSG_EQ(data->payload, 5, "payload");
        NS_TEST_EXPECT_MSG_EQ(kind.read(header, 8).has_value(), false, "empty");
        NS_TEST_EXPECT_MSG_EQ(kind.read(std::span(header).first(7), 7).has_value(), false, "short");

        const FobsAck ack{.complete = 3, .first = 4, .received = 5, .highest = 6, .arrived = {7}};
        const ReportDatagram report = ack.ToReport();
        Bytes bytes(kind.reportBytes(report));
        kind.writeReport(report, bytes);
        const Bytes expected{0x80, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4,
                             0,    0, 0, 5, 0, 0, 0, 6, 0, 0, 0, 7};
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "an acknowledgement");
        const auto again = kind.read(bytes, 24);
        const auto* told = again ? std::get_if<ReportDatagram>(&*again) : nullptr;
        NS_TEST_ASSERT_MSG_EQ((told != nullptr), true, "read again");
        NS_TEST_EXPECT_MSG_EQ(IsSame(ack, *told), true, "the same");
        NS_TEST_EXPECT_MSG_EQ(kind.read(bytes, 23).has_value(), false, "cut within a word");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new FobsTimelineTest,
            new FobsRateTest,
            new FobsChaosTest,
            new FobsLiesTest,
            new FobsWireTest};
});

} // namespace
