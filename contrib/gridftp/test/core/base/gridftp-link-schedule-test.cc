/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-link-schedule.h"
#include "gridftp-test-cases.h"

#include <cmath>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr int64_t US = 1'000;
constexpr int64_t MBIT = 1'000'000;

/// @param rows of a link @param periodNs of theirs @return the link
ScheduledLink
MakeLink(std::vector<LinkRow> rows, int64_t periodNs = 0)
{
    return ScheduledLink(LinkSchedule(std::move(rows), periodNs));
}

/// At 8, 4, 0 and 16 Mbit/s: 1, 2 and 0.5 us a byte.
const std::vector<LinkRow> ROWS{{0, 8 * MBIT, 1 * MS},
                                {10 * MS, 4 * MBIT, 5 * MS},
                                {20 * MS, 0, 5 * MS},
                                {30 * MS, 16 * MBIT, 2 * MS}};

/// Times worked out by hand.
class LinkScheduleTest : public TestCase
{
  public:
    LinkScheduleTest()
        : TestCase("link schedule: transmissions and arrivals")
    {
    }

  private:
    void DoRun() override
    {
        Expect(0, 1502, 1502 * US, 2502 * US, "within a row");
        Expect(9 * MS, 1502, 11'004 * US, 16'004 * US, "1000 bytes before the change, 502 behind");
        Expect(9 * MS, 1000, 10 * MS, 15 * MS, "it ends as the rate changes: the new delay");
        Expect(9 * MS, 999, 9'999 * US, 10'999 * US, "it ends before");
        Expect(19'500 * US, 1502, 30'626 * US, 32'626 * US, "250 bytes, then 10 ms of nothing");
        Expect(22 * MS, 1000, 30'500 * US, 32'500 * US, "it starts while the link stands still");
        Expect(18 * MS, 1000, 20 * MS, 25 * MS, "it ends as the link comes to stand still");
        Expect(1000 * MS, 1000, 1'000'500 * US, 1'002'500 * US, "the last row holds");
        ExpectFifo();
        ExpectPeriod();
        const LinkSchedule third({{0, 3 * MBIT, 0}});
        NS_TEST_EXPECT_MSG_EQ(third.GetEnd(0, 1), 2667, "to the nearest ns, up");
        NS_TEST_EXPECT_MSG_EQ(third.GetEnd(0, 2), 5333, "and down");
        const LinkSchedule all(ROWS);
        NS_TEST_EXPECT_MSG_EQ(all.GetMostRate(), 16 * MBIT, "most");
        NS_TEST_EXPECT_MSG_EQ(all.GetLeastDelay(), 1 * MS, "least");
    }

    /// @param start of a packet on a fresh link @param bytes of it @param end of its transmission
    /// @param arrival of it @param what it shows
    void Expect(int64_t start, int64_t bytes, int64_t end, int64_t arrival, const char* what)
    {
        const auto crossing = MakeLink(ROWS).Cross(start, bytes);
        NS_TEST_EXPECT_MSG_EQ(crossing.endNs, end, what);
        NS_TEST_EXPECT_MSG_EQ(crossing.arrivalNs, arrival, what);
    }

    /// A delay that shrinks.
    void ExpectFifo()
    {
        auto link = MakeLink({{0, 8 * MBIT, 50 * MS}, {2 * MS, 8 * MBIT, 1 * MS}});
        NS_TEST_EXPECT_MSG_EQ(link.Cross(0, 1000).arrivalNs, 51 * MS, "the old delay");
        NS_TEST_EXPECT_MSG_EQ(link.Cross(1500 * US, 1000).arrivalNs, 51 * MS, "not before that");
        NS_TEST_EXPECT_MSG_EQ(link.Cross(3 * MS, 1000).arrivalNs, 51 * MS, "nor the third");
        NS_TEST_EXPECT_MSG_EQ(link.Cross(60 * MS, 1000).arrivalNs, 62 * MS, "when it has arrived");
    }

    void ExpectPeriod()
    {
        auto link = MakeLink({{0, 8 * MBIT, 1 * MS}, {10 * MS, 4 * MBIT, 5 * MS}}, 20 * MS);
        const auto crossing = link.Cross(39 * MS, 1502); // 500 bytes at 4 Mbit/s, 1002 at 8
        NS_TEST_EXPECT_MSG_EQ(crossing.endNs, 41'002 * US, "over the end of the second round");
        NS_TEST_EXPECT_MSG_EQ(crossing.arrivalNs, 42'002 * US, "the first row's delay");
        const auto rare = MakeLink({{0, 0, 0}, {1 * MS, 8 * MBIT, 0}}, 2 * MS).Cross(0, 2500);
        NS_TEST_EXPECT_MSG_EQ(rare.endNs, 5'500 * US, "1000 bytes in each odd ms");
    }
};

/// What a link can carry.
class LinkCapacityTest : public TestCase
{
  public:
    LinkCapacityTest()
        : TestCase("link schedule: what it can carry")
    {
    }

  private:
    void DoRun() override
    {
        const LinkSchedule once(ROWS);
        Expect(once, 0, 40 * MS, 80'000 + 40'000 + 160'000);
        Expect(once, 5 * MS, 15 * MS, 40'000 + 20'000);
        Expect(once, 21 * MS, 29 * MS, 0);
        Expect(once, 31 * MS, 31 * MS, 0);
        const LinkSchedule again({{0, 8 * MBIT, 0}, {10 * MS, 4 * MBIT, 0}}, 20 * MS);
        Expect(again, 5 * MS, 45 * MS, 240'000);
        Expect(again, 19 * MS, 41 * MS, 4'000 + 120'000 + 8'000);
        const auto parts = LinkCapacity::Of(3, 333'333'334);
        NS_TEST_EXPECT_MSG_EQ(parts.bits, 1, "whole");
        NS_TEST_EXPECT_MSG_EQ(parts.nanobits, 2, "and the rest");
        const auto rest = LinkCapacity{5, 1} - LinkCapacity{2, 3};
        NS_TEST_EXPECT_MSG_EQ(rest.bits, 2, "borrowed");
        NS_TEST_EXPECT_MSG_EQ(rest.nanobits, 999'999'998, "from");
        const auto sum = rest + LinkCapacity{2, 3};
        NS_TEST_EXPECT_MSG_EQ(sum.bits, 5, "carried");
        NS_TEST_EXPECT_MSG_EQ(sum.nanobits, 1, "over");
        NS_TEST_EXPECT_MSG_EQ(LinkCapacity::Of(1'000'000'000'000, 1'000'000'000'000'007).bits,
                              1'000'000'000'000'007'000,
                              "beyond 64 bits of nanobits");
        NS_TEST_EXPECT_MSG_EQ(GetUtilisation({3, 0}, {4, 0}), 0.75, "");
        NS_TEST_EXPECT_MSG_EQ(GetUtilisation({}, {}), 0, "in no time");
        ExpectTransmissions();
    }

    /// @param schedule of a link @param from ns @param to ns @param bits between them
    void Expect(const LinkSchedule& schedule, int64_t from, int64_t to, uint64_t bits)
    {
        const auto capacity = schedule.GetCapacity(from, to);
        NS_TEST_EXPECT_MSG_EQ(capacity.bits, bits, from << " to " << to);
        NS_TEST_EXPECT_MSG_EQ(capacity.nanobits, 0, from << " to " << to);
    }

    /// A transmission is what the link can carry in its time, but for half a nanosecond.
    void ExpectTransmissions()
    {
        Draw draw(31);
        for (int round = 0; round < 3000; ++round)
        {
            std::vector<LinkRow> rows;
            int64_t at = 0;
            int64_t most = 0;
            for (uint64_t i = draw.Between(1, 6); i > 0; --i)
            {
                const int64_t rate =
                    i > 1 && draw.Below(4) == 0 ? 0 : draw.Between(1000, 10 * MBIT);
                rows.push_back({at, rate, 0});
                at += draw.Between(1, 20 * MS);
                most = std::max(most, rate);
            }
            const LinkSchedule schedule(rows, draw.Below(2) == 0 ? at : 0);
            const int64_t start = draw.Between(0, 100 * MS);
            const int64_t bytes = draw.Between(1, 9000);
            const int64_t end = schedule.GetEnd(start, bytes);
            const double carried = schedule.GetCapacity(start, end).GetBits();
            const double halfNs = static_cast<double>(most) * 0.5e-9;
            NS_TEST_ASSERT_MSG_EQ_TOL(carried, 8.0 * static_cast<double>(bytes), halfNs, round);
            const int64_t between = draw.Between(start, end);
            const auto both =
                schedule.GetCapacity(start, between) + schedule.GetCapacity(between, end);
            NS_TEST_ASSERT_MSG_EQ(both.GetBits(), carried, "exactly, in two parts");
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new LinkScheduleTest, new LinkCapacityTest};
});

} // namespace ns3::gridftp
