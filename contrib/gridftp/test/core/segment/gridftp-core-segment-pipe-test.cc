/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-network-model.h"
#include "gridftp-segment-events.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

/**
 * @file
 * @ingroup gridftp
 * The short way of datagrams in the segment engine: its network and its timers.
 */

namespace
{

/// Looks away.
class Nobody : public NetworkObserver
{
    void HandleStay(const LinkStay& /* stay */) override
    {
    }
};

/// Drawn packets between two hosts, some at one time, watched from one of them on or never.
class PipeModelTest : public TestCase
{
  public:
    PipeModelTest()
        : TestCase("segment engine: in a pipe, packets come as in a heap of events")
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(31);
        Nobody nobody;
        uint64_t drops = 0;
        const uint32_t rounds = CountDraws(200);
        for (uint32_t round = 0; round < rounds; ++round)
        {
            Topology topology = MakePairs({draw.Between(1'000'000'000, 16'000'000'000)}, &draw);
            topology.headerBytes = round % 2 == 0 ? LINK_HEADER_BYTES : 0;
            const auto sendings = DrawSendings(draw);
            // Which of two is first that come to different ends at once, only ns-3's heap would
            // tell
            const auto expected = Sorted(EventNetwork(topology).Run(sendings));
            const auto watchedFrom = static_cast<uint32_t>(draw.Below(sendings.size()));
            NetworkDriver unwatched(topology, 300, true);
            NetworkDriver watched(topology, 300, true);
            watched.WatchFrom(watchedFrom, nobody);
            NS_TEST_ASSERT_MSG_EQ(unwatched.IsPiped(), true, "the short way");
            const auto got = unwatched.Run(sendings);
            NS_TEST_ASSERT_MSG_EQ((Sorted(got) == expected), true, round);
            NS_TEST_ASSERT_MSG_EQ((watched.Run(sendings) == got), true, round);
            NS_TEST_ASSERT_MSG_EQ(unwatched.IsPiped(), true, "to the end");
            NS_TEST_ASSERT_MSG_EQ(watched.IsPiped(), false, "as long as nobody watches");
            NS_TEST_ASSERT_MSG_EQ(watched.GetStepCount(), unwatched.GetStepCount(), round);
            for (const auto& [number, timeNs, isThere] : expected)
            {
                drops += isThere ? 0 : 1;
            }
        }
        NS_TEST_EXPECT_MSG_GT(drops, 5 * rounds / 2, "queues were full");
    }

    /// @param fates of packets @return the same by time
    static std::vector<Outcome> Sorted(std::vector<Outcome> fates)
    {
        std::ranges::sort(fates, {}, [](const Outcome& fate) {
            return std::tuple(std::get<1>(fate), std::get<0>(fate));
        });
        return fates;
    }

    /// @param draw of them @return packets, half of which have the usual size
    static std::vector<Sending> DrawSendings(Draw& draw)
    {
        std::vector<Sending> sendings;
        for (int64_t timeNs = 0; sendings.size() < 200;)
        {
            timeNs += draw.Below(4) == 0 ? draw.Between(0, 2000) : 50 * draw.Between(0, 2);
            const int64_t bytes = draw.Below(2) == 0 ? 300 : draw.Between(40, 339);
            sendings.push_back({timeNs, 0, draw.Below(2) == 0, bytes});
        }
        return sendings;
    }
};

/// Packets in a pipe whose times are known, one of them in the middle of its way when it is
/// watched.
class PipeByHandTest : public TestCase
{
  public:
    PipeByHandTest()
        : TestCase("segment engine: three packets in a pipe")
    {
    }

  private:
    void DoRun() override
    {
        // Each of the three links takes 1 ns a byte; a frame has 2 bytes more. What
        // is sent second comes to the queue while the first one crosses the link, and waits.
        const Topology topology = MakePairs({8'000'000'000}, nullptr);
        const std::vector<Sending> sendings{{0, 0, false, 100},
                                            {1, 0, false, 100},
                                            {250, 0, true, 40}};
        const std::vector<Outcome> expected{{0, 306, true}, {2, 376, true}, {1, 408, true}};
        Nobody nobody;
        for (const bool isWatched : {false, true})
        {
            NetworkDriver driver(topology, 100, true);
            if (isWatched)
            {
                driver.WatchFrom(2, nobody);
            }
            NS_TEST_EXPECT_MSG_EQ((driver.Run(sendings) == expected), true, isWatched);
            NS_TEST_EXPECT_MSG_EQ(driver.GetStepCount(), 6, "each at a queue, and at its end");
        }
    }
};

/// Drawn alarms, set anew before and when they expire, against a list of them.
class AlarmModelTest : public TestCase, private EventTarget
{
  public:
    AlarmModelTest()
        : TestCase("segment engine: alarms expire when they were set to last, among events")
    {
    }

  private:
    static constexpr uint32_t ALARMS = 7;
    static constexpr uint32_t EVENT = ALARMS; ///< id of a plain event

    void DoRun() override
    {
        for (uint32_t i = 0; i < ALARMS; ++i)
        {
            m_alarms[i].SetTarget(*this, i);
        }
        m_due.assign(ALARMS, {NEVER, 0});
        Set(0, 0);
        while (m_events.GetNextTime() != NEVER && m_expired < 5000)
        {
            const auto expected = FindNext();
            NS_TEST_ASSERT_MSG_EQ(m_events.GetNextTime(), std::get<0>(expected), "when");
            NS_TEST_ASSERT_MSG_EQ(m_events.IsNextAlarm(),
                                  (std::get<2>(expected) != EVENT),
                                  "which");
            m_next = expected;
            m_events.Step();
            NS_TEST_ASSERT_MSG_EQ(m_isRight, true, "who was told, at " << m_events.GetNow());
        }
        NS_TEST_EXPECT_MSG_EQ(m_expired, 5000, "they were set again and again");
        NS_TEST_EXPECT_MSG_GT(m_ties, 300, "many at once");
    }

    /// When, in which order, and whose id.
    using Due = std::tuple<int64_t, uint64_t, uint32_t>;

    /// @return what is next of all that is set and scheduled
    Due FindNext()
    {
        Due first{NEVER, 0, EVENT};
        const auto look = [&](const Due& due) {
            m_ties += std::get<0>(due) == std::get<0>(first) ? 1 : 0;
            first = std::min(first, due);
        };
        for (uint32_t i = 0; i < ALARMS; ++i)
        {
            look({m_due[i].first, m_due[i].second, i});
        }
        for (const auto& event : m_plain)
        {
            look(event);
        }
        return first;
    }

    void Set(uint32_t alarm, int64_t at)
    {
        m_due[alarm] = {at, ++m_order};
        m_events.SetAlarm(m_alarms[alarm], at);
    }

    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        m_isRight = now == std::get<0>(m_next) && id == std::get<2>(m_next);
        if (id == EVENT)
        {
            std::erase(m_plain, m_next);
        }
        else
        {
            ++m_expired;
            m_due[id] = {NEVER, 0};
        }
        for (uint64_t changes = 1 + m_draw.Below(3); changes > 0; --changes)
        {
            const int64_t at = now + m_draw.Between(0, 9);
            if (m_draw.Below(4) == 0)
            {
                m_plain.emplace_back(at, ++m_order, EVENT);
                m_events.Schedule(at, *this, EVENT);
            }
            else
            {
                const auto alarm = static_cast<uint32_t>(m_draw.Below(ALARMS));
                Set(alarm, m_draw.Below(8) == 0 && alarm > 0 ? NEVER : at);
            }
        }
        Set(0, m_due[0].first == NEVER ? now + 5 : m_due[0].first);
    }

    Draw m_draw{32};                                 ///< of all
    EventQueue m_events;                             ///< tested
    std::array<Alarm, ALARMS> m_alarms;              ///< in it
    std::vector<std::pair<int64_t, uint64_t>> m_due; ///< when each expires, and its order
    std::vector<Due> m_plain;                        ///< plain events
    Due m_next;                                      ///< what is to be next
    uint64_t m_order{0};                             ///< of the last one
    uint32_t m_expired{0};                           ///< alarms
    uint32_t m_ties{0};                              ///< at the time of another one
    bool m_isRight{false};                           ///< whether the next one was
};

/// An alarm and a packet of one nanosecond: as in ns-3, what was scheduled first comes first.
class AlarmPlaceTest : public TestCase, private EventTarget
{
  public:
    AlarmPlaceTest()
        : TestCase("segment engine: an alarm comes behind a packet that was sent before it was set")
    {
    }

  private:
    void DoRun() override
    {
        EventQueue events;
        events.SetNow(100);
        Alarm alarm;
        alarm.SetTarget(*this, 0);
        events.SetAlarm(alarm, 200);
        NS_TEST_EXPECT_MSG_EQ(events.IsNextBehind(99), true, "sent before");
        NS_TEST_EXPECT_MSG_EQ(events.IsNextBehind(100), false, "not before");
        NS_TEST_EXPECT_MSG_EQ(events.IsNextBehind(150), false, "sent after");
        events.ScheduleLast(200, *this, 0);
        NS_TEST_EXPECT_MSG_EQ(events.IsNextBehind(150), false, "the alarm is before the last");
        events.Step();
        NS_TEST_EXPECT_MSG_EQ(events.IsNextBehind(150), true, "the last");
    }

    void HandleEvent(Nanoseconds /* now */, uint32_t /* id */) override
    {
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PipeModelTest, new PipeByHandTest, new AlarmModelTest, new AlarmPlaceTest};
});

} // namespace ns3::gridftp
