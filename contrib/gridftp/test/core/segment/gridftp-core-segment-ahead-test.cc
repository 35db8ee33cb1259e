/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-answers.h"
#include "gridftp-segment-delivery.h"
#include "gridftp-segment-link.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What hosts that run ahead send, and what has arrived there by when.
class AheadTest : public TestCase
{
  public:
    AheadTest()
        : TestCase("segment engine: hosts that run ahead")
    {
    }

  private:
    /// Has nothing to do.
    class Nobody : public EventTarget
    {
        void HandleEvent(int64_t /* now */, uint32_t /* id */) override
        {
        }
    };

    void DoRun() override
    {
        CheckSettled();
        CheckOrder();
        CheckDelivery();
        CheckLast();
    }

    /// Puts down what comes to it.
    struct Recorder final : EventTarget
    {
        std::vector<uint32_t> ids; //!< so far

        void HandleEvent(Nanoseconds /* now */, uint32_t id) override
        {
            ids.push_back(id);
        }
    };

    /// What comes behind all others of its time, with others or alone.
    void CheckLast()
    {
        EventQueue events;
        Recorder recorder;
        events.ScheduleLast(10, recorder, 3);
        events.ScheduleAhead(10, recorder, 1);
        events.Schedule(10, recorder, 2);
        events.ScheduleLast(20, recorder, 4);
        for (int i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(events.IsNextLast(), (i >= 2), i);
            events.Step();
        }
        NS_TEST_EXPECT_MSG_EQ((recorder.ids == std::vector<uint32_t>{1, 2, 3, 4}), true, "order");
        NS_TEST_EXPECT_MSG_EQ(events.GetNextTime(), NEVER, "no more");
    }

    /// @param timeNs when it is there @param begunNs its transmission @param sentNs when it was
    /// sent @param order of waiting @return a packet on its way
    static Transit MakeTransit(int64_t timeNs, int64_t begunNs, int64_t sentNs, uint64_t order)
    {
        Transit transit;
        transit.timeNs = timeNs;
        transit.begunNs = begunNs;
        transit.sentNs = sentNs;
        transit.order = order;
        return transit;
    }

    /// A packet waits for nothing as soon as nothing can come before it.
    void CheckSettled()
    {
        constexpr int64_t AFTER_DATA_NS = 50;
        constexpr int64_t AFTER_EVENT_NS = 5;
        EventQueue events;
        Nobody nobody;
        // A packet of 100 bytes takes 100 ns
        DropTailLink data(TransmissionTime(8'000'000'000, 100), 7, 10);
        AnswerMerge merge(data, events, AFTER_DATA_NS, AFTER_EVENT_NS);
        data.Cross(0, 100, 0);
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(149), true, "what follows data is here at 150");
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(150), false, "which may be the same time");
        events.Schedule(100, nobody, 0);
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(149), true, "an event elsewhere");
        events.ScheduleAhead(140, nobody, 0);
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(144), true, "before what it leads to");
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(145), false, "at the same time");
        events.Step();
        events.Step();
        NS_TEST_EXPECT_MSG_EQ(events.GetNow(), 140, "");
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(145), true, "the event has been");
        merge.Push(MakeTransit(148, 0, 0, 0));
        NS_TEST_EXPECT_MSG_EQ(merge.IsTurn(149), false, "another one waits");
        NS_TEST_EXPECT_MSG_EQ(merge.IsSettled(149), true, "");
    }

    /// Those that wait come in the order of ns-3.
    void CheckOrder()
    {
        AnswerMerge merge;
        NS_TEST_EXPECT_MSG_EQ(merge.GetNextTime(), NEVER, "");
        merge.Push(MakeTransit(20, 15, 0, 1));
        merge.Push(MakeTransit(10, 5, 4, 2));
        merge.Push(MakeTransit(10, 5, 3, 3));
        merge.Push(MakeTransit(10, 4, 4, 4));
        merge.Push(MakeTransit(20, 15, 0, 0));
        for (const uint64_t order : {4U, 3U, 2U, 0U, 1U})
        {
            NS_TEST_EXPECT_MSG_EQ(merge.GetNextTime(), (order > 1 ? 10 : 20), order);
            NS_TEST_EXPECT_MSG_EQ(merge.Take().order, order, "");
        }
        NS_TEST_EXPECT_MSG_EQ(merge.GetNextTime(), NEVER, "");
    }

    /// What had arrived is known for any time from that of the simulation on.
    void CheckDelivery()
    {
        DeliveryLog log;
        NS_TEST_EXPECT_MSG_EQ(log.Get(1000), 0, "nothing");
        for (uint64_t i = 1; i <= 100; ++i)
        {
            const auto now = static_cast<int64_t>(10 * i);
            log.Add(now, now + 25, i); // two and a half ahead
            NS_TEST_EXPECT_MSG_EQ(log.Get(now), (i < 3 ? 0 : i - 3), now);
            NS_TEST_EXPECT_MSG_EQ(log.Get(now + 5), (i < 3 ? 0 : i - 2), now);
            NS_TEST_EXPECT_MSG_EQ(log.Get(now + 25), i, now);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new AheadTest}; });

} // namespace
