/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/gridftp-lean-net-device.h"
#include "ns3/gridftp-lean-scheduler.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/make-event.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Runs one scenario over links of both kinds: all that comes of it is the same, byte by byte.
class SameResultTest : public TestCase
{
  public:
    /// What a case is about.
    struct Case
    {
        std::string name;                      //!< of the case
        std::vector<std::string_view> options; //!< of gridftp-transfer
        std::vector<Time> delays;              //!< of further sessions, in place of the path's
        bool withDrops;                        //!< whether the bottleneck drops
    };

    /// @param about what it is about
    explicit SameResultTest(const Case& about)
        : TestCase("lean links: same result, " + about.name),
          m_case(about)
    {
    }

  private:
    /// All that comes of a run.
    struct Outcome
    {
        std::string json;               //!< the result, without what it cost
        std::vector<std::string> files; //!< traces and captures
        LinkResult bottleneck;          //!< of the result
        uint64_t events{0};             //!< that it took
    };

    void DoRun() override
    {
        const auto lean = Run(LinkKind::LEAN, "lean");
        const auto stock = Run(LinkKind::NS3, "ns3");
        NS_TEST_EXPECT_MSG_EQ(lean.json, stock.json, "result");
        GRIDFTP_TEST_REQUIRE_EQ(lean.files.size(), stock.files.size(), "files");
        for (size_t i = 0; i < lean.files.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(lean.files[i].size(), 20, "something in file " << i);
            // Not the files themselves in the message: they are long.
            NS_TEST_EXPECT_MSG_EQ((lean.files[i] == stock.files[i]), true, "file " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((lean.bottleneck.drops > 0), m_case.withDrops, "drops");
        NS_TEST_EXPECT_MSG_LT(lean.events, stock.events, "events");
    }

    /// @param kind of links @param name for its files @return all that comes of it
    Outcome Run(LinkKind kind, const std::string& name)
    {
        const auto request = ParseTransfer(m_case.options);
        Scenario scenario = request->scenario;
        for (const auto& delay : m_case.delays)
        {
            scenario.sessions.push_back(scenario.sessions.front());
            scenario.sessions.back().delay = delay.GetNanoSeconds();
        }
        scenario.measure.links = kind;
        RunObservers observers;
        observers.traceFolder = CreateTempDirFilename(name);
        observers.pcapPrefix = CreateTempDirFilename(name);
        auto result = RunOnNs3(scenario, observers);
        Outcome outcome;
        NS_TEST_EXPECT_MSG_EQ(result->done, true, result->reason);
        outcome.events = result->cost.events;
        outcome.bottleneck = result->links.at(0);
        result->cost = {};
        outcome.json = ResultToJson(request->scenario, *result, {});
        for (const auto* trace : {"/cwnd.csv", "/queue.csv", "/drops.csv"})
        {
            outcome.files.push_back(Read(observers.traceFolder + trace));
        }
        for (size_t i = 0; i < scenario.sessions.size(); ++i)
        {
            for (const auto* side : {"-client-", "-server-"})
            {
                outcome.files.push_back(
                    Read(observers.pcapPrefix + side + std::to_string(i) + ".pcap"));
            }
        }
        return outcome;
    }

    /// @param name of a file @return what is in it
    static std::string Read(const std::string& name)
    {
        std::ifstream file(name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    void DoTeardown() override
    {
        Config::Reset();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    Case m_case; //!< what it is about
};

/// An event that is inserted late takes the place that was kept for it.
class SchedulerTest : public TestCase
{
  public:
    SchedulerTest()
        : TestCase("lean links: scheduler")
    {
    }

  private:
    void DoRun() override
    {
        m_scheduler = CreateObject<LeanScheduler>();
        NS_TEST_EXPECT_MSG_EQ((LeanScheduler::GetActive() == PeekPointer(m_scheduler)),
                              true,
                              "the one made last");
        Insert(20, 4);
        Insert(10, 5);
        Insert(20, 6);
        const uint64_t kept = m_scheduler->GetRankBeforeLast();
        const auto removed = Insert(20, 7);
        Insert(20, 8);
        m_scheduler->SetNextRank(kept);
        Insert(20, 9); // as if it had come right before 6
        Insert(20, 10);
        Insert(15, 11);
        m_scheduler->Remove(removed);
        removed.impl->Unref();
        NS_TEST_EXPECT_MSG_EQ(m_scheduler->PeekNext().key.m_uid, 5, "the first");
        std::string order;
        while (!m_scheduler->IsEmpty())
        {
            const auto next = m_scheduler->RemoveNext();
            order += std::to_string(next.key.m_ts) + ":" + std::to_string(next.key.m_uid) +
                     (m_scheduler->GetCurrentRank() == kept ? "+ " : " ");
            next.impl->Unref();
        }
        // The late one bears the number before the one that it comes before.
        NS_TEST_EXPECT_MSG_EQ(order, "10:5 15:11 20:4 20:5+ 20:6 20:8 20:10 ", "order");
        m_scheduler = nullptr;
        NS_TEST_EXPECT_MSG_EQ((LeanScheduler::GetActive() == nullptr), true, "none is left");
    }

    /// @param ts time, ns @param uid number of the event @return the event
    Scheduler::Event Insert(uint64_t ts, uint32_t uid)
    {
        const Scheduler::Event event{MakeEvent([] {}), {ts, uid, 0}};
        m_scheduler->Insert(event);
        return event;
    }

    Ptr<LeanScheduler> m_scheduler; //!< under test
};

/// Counts what the queues of a lean device's two modes see.
class IdleBypassTest : public TransferTest
{
  public:
    /// @param linkHeader of every link, bytes @param series times and lengths at the bottleneck
    IdleBypassTest(uint32_t linkHeader, std::string series)
        : TransferTest("lean links: what goes past the queue, link headers of " +
                       std::to_string(linkHeader) + " bytes"),
          m_linkHeader(linkHeader),
          m_expected(std::move(series))
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    void ConfigureObjects() override
    {
        const auto client = m_network->GetClients().Get(0);
        for (uint32_t i = 0; i < client->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<LeanNetDevice>(client->GetDevice(i)))
            {
                m_access = device->GetQueue();
                device->SetAttribute("LinkHeader", UintegerValue(m_linkHeader));
            }
        }
        m_network->GetForwardDevice()->SetAttribute("LinkHeader", UintegerValue(m_linkHeader));
        m_bottleneck = m_network->GetForwardQueue();
        m_bottleneck->TraceConnectWithoutContext(
            "PacketsInQueue",
            Callback<void, uint32_t, uint32_t>([this](uint32_t, uint32_t now) {
                m_series += std::to_string(Simulator::Now().GetNanoSeconds()) + ":" +
                            std::to_string(now) + " ";
            }));
        auto socket = Socket::CreateSocket(client, UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(m_network->GetServerAddress(0), 9));
        for (uint32_t i = 0; i < 3; ++i)
        {
            Simulator::Schedule(MilliSeconds(1), [socket] { socket->Send(Create<Packet>(1472)); });
        }
    }

    void FinalChecks() override
    {
        GRIDFTP_TEST_REQUIRE_EQ(bool(m_access), true, "a lean device at the client");
        // The first finds the access link idle, two wait for as many ns as bytes are on the link.
        NS_TEST_EXPECT_MSG_EQ(m_access->GetTotalReceivedPackets(), 2, "at the client");
        NS_TEST_EXPECT_MSG_EQ(m_access->GetNPackets(), 0, "all gone");
        NS_TEST_EXPECT_MSG_EQ(m_bottleneck->GetTotalReceivedPackets(), 3, "at the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(m_bottleneck->GetTotalReceivedBytes(), 3 * 1502, "with PPP header");
        NS_TEST_EXPECT_MSG_EQ(m_series, m_expected, "nanosecond and length");
    }

    Ptr<Queue<Packet>> m_access;     //!< of the client
    Ptr<Queue<Packet>> m_bottleneck; //!< forward
    std::string m_series;            //!< times and lengths of the latter
    uint32_t m_linkHeader;           //!< of every link, bytes
    std::string m_expected;          //!< m_series
};

/// A limit in front of a device: four packets of 1500 bytes at 1 ms, at 8 Mbit/s, 3000 bytes deep.
class LimitedDeviceTest : public TransferTest
{
  public:
    /// @param what it is @param kind of limit @param series times and lengths at the bottleneck
    /// @param drops packets that are dropped, all of them at once
    LimitedDeviceTest(const std::string& what,
                      LimitKind kind,
                      std::string series,
                      std::string drops)
        : TransferTest("lean links: " + what),
          m_kind(kind),
          m_expected(std::move(series)),
          m_expectedDrops(std::move(drops))
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    void ConfigureObjects() override
    {
        const auto client = m_network->GetClients().Get(0);
        for (uint32_t i = 0; i < client->GetNDevices() && !m_device; ++i)
        {
            m_device = DynamicCast<LeanNetDevice>(client->GetDevice(i));
        }
        GRIDFTP_TEST_REQUIRE_EQ(bool(m_device), true, "a lean device at the client");
        NS_TEST_EXPECT_MSG_EQ(m_device->GetLimitDrops(), 0, "no limit");
        m_device->SetLimit({8'000'000, m_kind, 3000, 1});
        m_device->TraceConnectWithoutContext(
            "MacTxDrop",
            Callback<void, Ptr<const Packet>>([this](Ptr<const Packet> frame) {
                m_drops += std::to_string(Simulator::Now().GetNanoSeconds()) + ":" +
                           std::to_string(frame->GetSize()) + " ";
            }));
        m_network->GetForwardQueue()->TraceConnectWithoutContext(
            "PacketsInQueue",
            Callback<void, uint32_t, uint32_t>([this](uint32_t, uint32_t now) {
                m_series += std::to_string(Simulator::Now().GetNanoSeconds()) + ":" +
                            std::to_string(now) + " ";
            }));
        auto socket = Socket::CreateSocket(client, UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(m_network->GetServerAddress(0), 9));
        for (uint32_t i = 0; i < 4; ++i)
        {
            Simulator::Schedule(MilliSeconds(1), [socket] { socket->Send(Create<Packet>(1472)); });
        }
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_series, m_expected, "nanosecond and length");
        NS_TEST_EXPECT_MSG_EQ(m_drops,
                              m_expectedDrops,
                              "nanosecond and bytes, PPP header included");
        const uint64_t drops = std::ranges::count(m_expectedDrops, ':');
        NS_TEST_EXPECT_MSG_EQ(m_device->GetLimitDrops(), drops, "counted");
    }

    LimitKind m_kind;            //!< of limit
    Ptr<LeanNetDevice> m_device; //!< of the client
    std::string m_series;        //!< times and lengths of the bottleneck's queue
    std::string m_drops;         //!< times and sizes
    std::string m_expected;      //!< m_series
    std::string m_expectedDrops; //!< m_drops
};

/// @return transfers over both kinds of links; in the first WITH_SANITIZERS of them the lean ones
/// do all that they ever do
std::vector<SameResultTest::Case>
MakeCases()
{
    using Options = std::vector<std::string_view>;
    const Options eight{"--engine=ns3",
                        "--mode=fixed",
                        "--parallelism=8",
                        "--file-size=2MB",
                        "--queue=10"};
    const auto with = [&eight](const Options& more) {
        Options all = eight;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    return {
        {"small queue", eight, {}, true},
        {"random loss", with({"--random-loss=0.01"}), {}, true},
        // Without a place kept by LeanScheduler this one comes out differently.
        {"ties in the same nanosecond",
         {"--engine=ns3",
          "--mode=fixed",
          "--parallelism=3",
          "--file-size=500KB",
          "--chunk-size=300KB",
          "--queue=10",
          "--access-bandwidth=100Mbps",
          "--delay=1ms",
          "--access-delay=1ms",
          "--packet-size=576",
          "--initial-window=1"},
         {MicroSeconds(1001), MicroSeconds(1001), NanoSeconds(1'012'016)},
         true},
        {"N = 1", {"--engine=ns3", "--mode=fixed", "--file-size=2MB"}, {}, false},
        {"start jitter", with({"--start-jitter=100ms"}), {}, true},
        {"access as fast as the bottleneck", with({"--access-bandwidth=100Mbps"}), {}, true},
        {"slow access", with({"--access-bandwidth=30Mbps"}), {}, false},
        {"no delay at all", with({"--delay=0ms", "--access-delay=0us"}), {}, true},
        {"download", with({"--direction=download", "--random-loss=0.01"}), {}, true},
        {"MI, cached channels",
         {"--engine=ns3",
          "--file-size=2MB",
          "--queue=10",
          "--chunk-size=200KB",
          "--data-channels=cached"},
         {},
         true},
        {"timestamps and SACK", with({"--timestamps=on", "--sack=on"}), {}, true},
        {"ECN", with({"--set=ns3::TcpSocketBase::UseEcn=On"}), {}, true},
        {"three sessions", eight, {MilliSeconds(10), MilliSeconds(25)}, true},
        {"three sessions, slow access",
         with({"--access-bandwidth=100Mbps"}),
         {MilliSeconds(10), MilliSeconds(10)},
         true},
    };
}

/// @param first of MakeCases() @param end behind the last one @return their tests
std::vector<TestCase*>
MakeTests(size_t first, size_t end)
{
    const auto cases = MakeCases();
    std::vector<TestCase*> made;
    for (size_t i = first; i < std::min(end, cases.size()); ++i)
    {
        made.push_back(new SameResultTest(cases[i]));
    }
    return made;
}

constexpr size_t WITH_SANITIZERS = 3; ///< of MakeCases()

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all{
        new SchedulerTest,
        new IdleBypassTest(2, "1011502:1 1011502:0 1013004:1 1014506:2 1161702:1 1311902:0 "),
        new IdleBypassTest(0, "1011500:1 1011500:0 1013000:1 1014500:2 1161500:1 1311500:0 "),
        new IdleBypassTest(38, "1011538:1 1011538:0 1013076:1 1014614:2 1165338:1 1319138:0 "),
        // Two have tokens, at 1 ms; the bottleneck is idle when the first comes
        new LimitedDeviceTest("a policer",
                              LimitKind::POLICER,
                              "1011502:1 1011502:0 1013004:1 1161702:0 ",
                              "1000000:1502 1000000:1502 "),
        // The third has them 1500 bytes x 1000 ns later, and is the only one that may wait
        new LimitedDeviceTest("a shaper",
                              LimitKind::SHAPER,
                              "1011502:1 1011502:0 1013004:1 1161702:0 2511502:1 2511502:0 ",
                              "1000000:1502 ")};
    const auto transfers = MakeTests(0, WITH_SANITIZERS);
    all.insert(all.end(), transfers.begin(), transfers.end());
    return all;
});

const OwnTestCases g_longCases([] { return MakeTests(WITH_SANITIZERS, SIZE_MAX); },
                               OwnTestCases::Suite::LONG);

} // namespace ns3::gridftp
