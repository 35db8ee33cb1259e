/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-raw-socket.h"
#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-event-target.h"
#include "ns3/gridftp-mode-e-header.h"
#include "ns3/gridftp-posix-loop.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Records the events that it gets.
class Recorder : public EventTarget
{
  public:
    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        isExact = isExact && now == times.at(id);
        order += std::to_string(id) + " ";
        onEvent ? onEvent(now, id) : void();
    }

    std::vector<Nanoseconds> times;                     ///< by id: for when it is scheduled
    std::string order;                                  ///< ids of the events so far
    bool isExact{true};                                 ///< each one came with its time
    std::function<void(Nanoseconds, uint32_t)> onEvent; ///< called for each
};

/// Timers.
class PosixTimerTest : public TestCase
{
  public:
    PosixTimerTest()
        : TestCase("real sockets: timers by time, then in the order of their insertion")
    {
    }

  private:
    void DoRun() override
    {
        PosixLoop loop;
        NS_TEST_EXPECT_MSG_EQ(loop.GetError(), "", "the system has epoll");
        loop.Run();
        Recorder recorder;
        Recorder dropped;
        const Nanoseconds base = loop.GetNow() + 1'000'000;
        const auto schedule = [&](Nanoseconds after) {
            recorder.times.push_back(base + after);
            const auto id = static_cast<uint32_t>(recorder.times.size() - 1);
            loop.Schedule(base + after, recorder, id, &recorder);
        };
        for (const Nanoseconds after : {300, 100, 200, 100, 300})
        {
            schedule(after);
        }
        loop.Schedule(base, dropped, 0, &dropped);
        recorder.onEvent = [&](Nanoseconds now, uint32_t id) {
            NS_TEST_EXPECT_MSG_EQ(loop.GetNow(), now, "the time of the event");
            if (id == 1)
            {
                loop.Drop(&dropped);
                schedule(100); // the same time, behind the other one
                schedule(150);
            }
        };
        dropped.times = {base};
        loop.Drop(&dropped);
        loop.Schedule(base + 400, dropped, 0, &dropped);
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.order, "1 3 5 6 2 0 4 ", "order");
        NS_TEST_EXPECT_MSG_EQ(recorder.isExact, true, "times");
        NS_TEST_EXPECT_MSG_EQ(dropped.order, "", "dropped");
        NS_TEST_EXPECT_MSG_EQ((loop.GetNow() >= base + 300), true, "none is early");
        Stop(loop);
    }

    /// Stop() takes effect behind the event that calls it; Run() goes on later. @param loop any
    void Stop(PosixLoop& loop)
    {
        Recorder recorder;
        const Nanoseconds now = loop.GetNow();
        recorder.times = {now, now, now};
        for (const uint32_t id : {0, 1, 2})
        {
            loop.Schedule(now, recorder, id, &recorder);
        }
        recorder.isExact = true;
        recorder.onEvent = [&](Nanoseconds, uint32_t id) { id == 1 ? loop.Stop() : void(); };
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.order, "0 1 ", "stopped");
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(recorder.order, "0 1 2 ", "continued");
    }
};

/// Descriptors that are ready while nobody takes what they have.
class PosixIdleTest : public TestCase
{
  public:
    PosixIdleTest()
        : TestCase("real sockets: a loop that has nothing to do sleeps")
    {
    }

  private:
    static constexpr uint64_t FEW = 10; ///< reports; a loop that does not sleep makes thousands

    void DoRun() override
    {
        SinkDoesNotRead(false);
        SinkDoesNotRead(true);
        NoDescriptorIsLeft();
    }

    /// Runs a loop for 50 ms. @param loop any @return how often a descriptor was reported
    static uint64_t CountReports(PosixLoop& loop)
    {
        Recorder recorder;
        recorder.times = {loop.GetNow() + 50'000'000};
        recorder.onEvent = [&loop](Nanoseconds, uint32_t) { loop.Stop(); };
        loop.Schedule(recorder.times.front(), recorder, 0, &recorder);
        const uint64_t before = loop.GetReportCount();
        loop.Run();
        return loop.GetReportCount() - before;
    }

    /// Bytes arrive before the receiver is given a chunk. @param closes whether a FIN follows
    void SinkDoesNotRead(bool closes)
    {
        RealTransfer transfer;
        transfer.isCoupled = false;
        transfer.sent = "none";
        const auto port = transfer.receiver.Listen(0);
        RawSocket peer;
        peer.Connect(port.value_or(0));
        const auto header = ModeEHeader::Data(0, 1000).ToBytes();
        peer.Send(header);
        closes ? peer.Finish() : void();
        NS_TEST_EXPECT_MSG_EQ((CountReports(transfer.loop) <= FEW), true, "FIN: " << closes);
        NS_TEST_EXPECT_MSG_EQ(transfer.receiving.CountAccepted(), 1, "still open");
        // What has arrived is not lost
        transfer.receiver.Expect(transfer.loop.GetNow(), {.bytes = 1000});
        closes ? void() : peer.Finish();
        const Deadline deadline(transfer.loop);
        transfer.loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        NS_TEST_EXPECT_MSG_EQ(transfer.received,
                              "426 data connection closed before its end of data",
                              "after the header");
    }

    /// The process has no descriptor for a connection that waits, and then has one.
    void NoDescriptorIsLeft()
    {
        RealTransfer transfer;
        const auto port = transfer.receiver.Listen(0);
        RawSocket peer;
        peer.Connect(port.value_or(0));
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        rlimit none = before;
        none.rlim_cur = 3; // what is open stays so
        setrlimit(RLIMIT_NOFILE, &none);
        const uint64_t reports = CountReports(transfer.loop);
        setrlimit(RLIMIT_NOFILE, &before);
        NS_TEST_EXPECT_MSG_EQ((reports <= FEW), true, reports << " reports");
        NS_TEST_EXPECT_MSG_EQ(transfer.receiving.CountAccepted(), 0, "not accepted");
        CountReports(transfer.loop);
        CountReports(transfer.loop); // longer than the listener pauses
        NS_TEST_EXPECT_MSG_EQ(transfer.receiving.CountAccepted(), 1, "accepted later");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PosixTimerTest, new PosixIdleTest};
});

} // namespace ns3::gridftp
