/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-host-stack.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A host whose packets are texts, and that writes down what becomes of them.
class MadeUpHost : private HostStack<std::string>::User
{
  public:
    /// @param spec what it is like
    explicit MadeUpHost(const HostSpec& spec)
        : m_host(std::make_shared<Host>(spec)),
          m_stack(m_host, *this)
    {
    }

    /// @param now ns @param name of a packet from the network @param flow of it @param payload
    /// bytes
    void Receive(int64_t now, const std::string& name, uint64_t flow, int64_t payload)
    {
        RunUntil(now);
        m_stack.Receive(now, name, flow, payload);
    }

    /// @param now ns @param name of a packet to the network @param flow of it @param payload bytes
    void Send(int64_t now, const std::string& name, uint64_t flow, int64_t payload)
    {
        RunUntil(now);
        m_stack.Send(now, name, flow, payload);
    }

    /// @return what became of all packets, in order
    std::string Run()
    {
        RunUntil(INT64_MAX);
        return m_said;
    }

    /// @return the host
    Host& GetHost()
    {
        return *m_host;
    }

  private:
    /// Has timers expire. @param now up to and including this, ns
    void RunUntil(int64_t now)
    {
        while (!m_timers.empty())
        {
            const auto next = std::ranges::min_element(m_timers, {}, [](const auto& each) {
                return each.second;
            });
            if (next->second > now)
            {
                return;
            }
            const auto [timer, at] = *next;
            m_timers.erase(next);
            m_stack.HandleTimer(at, timer);
        }
    }

    void SetTimer(Nanoseconds /* now */, uint32_t timer, Nanoseconds at) override
    {
        m_timers.erase(timer);
        if (at >= 0)
        {
            m_timers[timer] = at;
        }
    }

    /// Writes something down. @param what it is @param now when @param packet which
    void Say(const std::string& what, Nanoseconds now, const std::string& packet)
    {
        m_said += (m_said.empty() ? "" : " ") + packet + what + std::to_string(now);
    }

    void PassUp(Nanoseconds now, std::string packet) override
    {
        Say("^", now, packet);
    }

    void PassDown(Nanoseconds now, std::string packet) override
    {
        Say("_", now, packet);
    }

    void Refuse(Nanoseconds now, std::string packet) override
    {
        Say("!", now, packet);
    }

    HostPtr m_host;                       //!< what it is like
    HostStack<std::string> m_stack;       //!< what is tested
    std::map<uint32_t, int64_t> m_timers; //!< when they expire, ns
    std::string m_said;                   //!< what became of packets
};

/// What a packet costs.
class PacketWorkTest : public TestCase
{
  public:
    PacketWorkTest()
        : TestCase("host: what a packet costs, by module")
    {
    }

  private:
    void DoRun() override
    {
        HostSpec spec;
        NS_TEST_EXPECT_MSG_EQ(spec.HoldsPackets(), false, "it costs nothing");
        spec.interruptCpu = 1;
        spec.packetCpu = 20;
        spec.segmentCpu = 300;
        spec.ackCpu = 4000;
        spec.streamCpu = 50'000;
        spec.copyRate = 8'000'000; // 1 us a byte
        NS_TEST_EXPECT_MSG_EQ(spec.HoldsPackets(), true, "it costs something");
        const CpuWork ack = GetPacketWork(spec, {.payload = 0});
        NS_TEST_EXPECT_MSG_EQ(ack.Get(CpuUse::DRIVER), 20, "a packet");
        NS_TEST_EXPECT_MSG_EQ(ack.Get(CpuUse::TCP), 4000, "without data");
        const CpuWork data =
            GetPacketWork(spec, {.payload = 100, .interrupts = true, .isOther = true});
        NS_TEST_EXPECT_MSG_EQ(data.Get(CpuUse::DRIVER), 21, "an interrupt");
        NS_TEST_EXPECT_MSG_EQ(data.Get(CpuUse::TCP), 150'300, "data, its copy, another stream");
        NS_TEST_EXPECT_MSG_EQ(data.GetSum(), 150'321, "nothing else");
    }
};

/// Packets wait for one core.
class HostStackTest : public TestCase
{
  public:
    HostStackTest()
        : TestCase("host: packets wait for the core, and what the backlog refuses is lost")
    {
    }

  private:
    void DoRun() override
    {
        HostSpec spec;
        spec.segmentCpu = 100;
        spec.ackCpu = 10;
        spec.backlog = 2;
        MadeUpHost host(spec);
        host.Receive(0, "a", 1, 5);
        host.Receive(10, "b", 1, 5);
        host.Receive(20, "c", 1, 5);
        host.Receive(30, "d", 1, 5); // a is at work, b and c wait
        host.Send(40, "e", 1, 0);    // is not from the network
        host.Receive(150, "f", 1, 0);
        NS_TEST_EXPECT_MSG_EQ(host.Run(), "d!30 a^100 b^200 c^300 e_310 f^320", "in order");
        const HostCounts& counts = host.GetHost().GetCounts();
        NS_TEST_EXPECT_MSG_EQ(counts.packetsIn, 5, "those refused, too");
        NS_TEST_EXPECT_MSG_EQ(counts.packetsOut, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(counts.backlogDrops, 1, "one");
        NS_TEST_EXPECT_MSG_EQ(counts.interrupts, 1, "the others find the core at work");
        NS_TEST_EXPECT_MSG_EQ(host.GetHost().GetUse().Get(CpuUse::TCP), 320, "3 x 100 + 2 x 10");
        CheckProcess();
        CheckStreams();
    }

    /// A process has its turn between two packets.
    void CheckProcess()
    {
        HostSpec spec;
        spec.segmentCpu = 100;
        MadeUpHost host(spec);
        host.Receive(0, "a", 1, 5);
        host.Receive(0, "b", 1, 5);
        const auto core = host.GetHost().GetProcessCore(0);
        NS_TEST_EXPECT_MSG_EQ(core->Ask(0, {CpuUse::CALLS, 50}), 150, "behind the first");
        NS_TEST_EXPECT_MSG_EQ(host.Run(), "a^100 b^250", "before the second");
    }

    /// Another connection than before costs something, the first one does not.
    void CheckStreams()
    {
        HostSpec spec;
        spec.streamCpu = 7;
        MadeUpHost host(spec);
        host.Receive(0, "a", 1, 5);
        host.Receive(100, "b", 1, 5);
        host.Send(200, "c", 1, 5);
        host.Receive(300, "d", 2, 5);
        host.Receive(400, "e", 1, 5);
        NS_TEST_EXPECT_MSG_EQ(host.Run(), "a^0 b^100 c_200 d^307 e^407", "two of them");
        CheckSettingUp();
    }

    /// The first packet of each connection, whichever way it goes, sets it up.
    void CheckSettingUp()
    {
        HostSpec spec;
        spec.connectionCpu = 7;
        MadeUpHost host(spec);
        host.Send(0, "a", 1, 0);
        host.Receive(100, "b", 1, 5);
        host.Receive(200, "c", 2, 0);
        host.Receive(300, "d", 1, 5);
        host.Send(400, "e", 2, 5);
        NS_TEST_EXPECT_MSG_EQ(host.Run(), "a_7 b^100 c^207 d^300 e_400", "once each");
        NS_TEST_EXPECT_MSG_EQ(host.GetHost().GetUse().Get(CpuUse::TCP), 14, "time of TCP");
    }
};

/// Packets interrupt together.
class InterruptTest : public TestCase
{
  public:
    InterruptTest()
        : TestCase(
              "host: packets wait for others before they interrupt, unless the core is at work")
    {
    }

  private:
    void DoRun() override
    {
        HostSpec spec;
        spec.interruptDelay = 1000;
        spec.interruptAfter = 3;
        spec.interruptCpu = 50;
        spec.packetCpu = 10;
        MadeUpHost host(spec);
        host.Receive(0, "a", 1, 5);
        host.Receive(400, "b", 1, 5);  // both wait until 1000
        host.Receive(1065, "c", 1, 5); // while b is at work: at once
        host.Receive(5000, "d", 1, 5);
        host.Receive(5001, "e", 1, 5);
        host.Receive(5002, "f", 1, 5); // the third
        host.Receive(9000, "g", 1, 5);
        NS_TEST_EXPECT_MSG_EQ(host.Run(),
                              "a^1060 b^1070 c^1080 d^5062 e^5072 f^5082 g^10060",
                              "after the delay, or three of them");
        NS_TEST_EXPECT_MSG_EQ(host.GetHost().GetCounts().interrupts, 3, "three");
    }
};

/// Several cores.
class CoresTest : public TestCase
{
  public:
    CoresTest()
        : TestCase("host: connections take the queues of the interface in turn, each has a core")
    {
    }

  private:
    void DoRun() override
    {
        HostSpec spec;
        spec.segmentCpu = 100;
        spec.cores = 3;
        spec.queues = 2;
        MadeUpHost host(spec);
        host.Receive(0, "a", 7, 5); // first queue
        host.Receive(1, "b", 5, 5); // second
        host.Receive(2, "c", 9, 5); // first
        host.Send(3, "d", 5, 5);    // second
        NS_TEST_EXPECT_MSG_EQ(host.Run(), "a^100 b^101 c^200 d_201", "two at a time");
        Host& made = host.GetHost();
        NS_TEST_EXPECT_MSG_EQ(made.GetCores()[0]->GetUse().GetSum(), 200, "of the first");
        NS_TEST_EXPECT_MSG_EQ(made.GetCores()[1]->GetUse().GetSum(), 200, "of the second");
        NS_TEST_EXPECT_MSG_EQ(made.GetProcessCore(0), made.GetCores()[2], "processes: the last");
        NS_TEST_EXPECT_MSG_EQ(made.GetProcessCore(1), made.GetCores()[1], "and so on");
        NS_TEST_EXPECT_MSG_EQ(made.GetProcessCore(3), made.GetCores()[2], "around");
        NS_TEST_EXPECT_MSG_EQ(made.GetCores()[0]->GetSeconds().at(0), 200, "in its second");
        spec.queues = 9;
        NS_TEST_EXPECT_MSG_EQ(Host(spec).GetQueues(), 3, "no more than cores");
        CheckSeconds();
    }

    /// Time is counted in the second in which it is spent.
    void CheckSeconds()
    {
        constexpr int64_t SECOND = 1'000'000'000;
        HostCpu cpu;
        cpu.KeepSeconds();
        cpu.Ask(SECOND - 10, {CpuUse::TCP, 2 * SECOND});
        NS_TEST_ASSERT_MSG_EQ(cpu.GetSeconds().size(), 3, "three of them");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetSeconds()[0], 10, "its end");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetSeconds()[1], SECOND, "all of it");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetSeconds()[2], SECOND - 10, "what is left");
        cpu.Ask(0, {CpuUse::TCP, LONGEST_CPU_NS});
        NS_TEST_EXPECT_MSG_EQ(cpu.GetSeconds().size(), HostCpu::MOST_SECONDS, "not for ever");
    }
};

/// Packets that go out take a random time, one after the other.
class OverheadTest : public TestCase
{
  public:
    OverheadTest()
        : TestCase("host: packets that go out take a random time below the overhead")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t MOST = 1000;
        constexpr int64_t PACKETS = 20'000;
        const HostOverhead overhead(MOST, 5);
        double sum = 0;
        double squares = 0;
        for (int64_t now = 0; now < PACKETS; ++now)
        {
            const int64_t time = overhead.GetTime(now);
            NS_TEST_ASSERT_MSG_EQ((time >= 0 && time < MOST), true, time);
            NS_TEST_ASSERT_MSG_EQ(overhead.GetTime(now), time, "the same at the same time");
            sum += static_cast<double>(time);
            squares += static_cast<double>(time * time);
        }
        // Uniform: mean 1/2, mean of the squares 1/3; 4 standard errors are 0.8 %
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / PACKETS, 500, 9, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / PACKETS, 333'333, 9'000, "mean of the squares");
        MadeUpHost host((HostSpec()));
        host.GetHost().SetOverhead(overhead);
        host.Send(0, "a", 1, 5);
        host.Receive(0, "b", 1, 5); // waits for nothing
        host.Send(0, "c", 1, 5);
        const int64_t first = overhead.GetTime(0);
        const int64_t second = first + overhead.GetTime(first);
        NS_TEST_EXPECT_MSG_EQ(host.Run(),
                              "b^0 a_" + std::to_string(first) + " c_" + std::to_string(second),
                              "one after the other");
    }
};

std::vector<TestCase*>
MakeHostStackTestCases()
{
    return {new OverheadTest,
            new PacketWorkTest,
            new HostStackTest,
            new InterruptTest,
            new CoresTest};
}

const OwnTestCases g_cases(&MakeHostStackTestCases);

} // namespace
