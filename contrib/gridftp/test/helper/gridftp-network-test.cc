/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/gridftp-client.h"
#include "ns3/gridftp-helper.h"
#include "ns3/gridftp-network-helper.h"
#include "ns3/gridftp-tcp-defaults.h"
#include "ns3/inet-socket-address.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/*
 * A chain of three routers, with a second way round it:
 *
 *   a ---+                               +--- c
 *        r0 --------- r1 --------- r2 ---+
 *   b ---+  80 Mbps   |   8 Mbps     |   +--- d
 *        |            e   back 40    |
 *        +----------- r3 ------------+
 *                     |
 *                     f
 *
 * A packet of 1500 bytes (IP) takes 1502 ns on the links of hosts, 150,200 ns on those of 80 Mbps,
 * 1,502,000 ns from r1 to r2, 300,400 ns from r2 to r1.
 */
enum : uint32_t
{
    R0,
    R1,
    R2,
    R3,
    A,
    B,
    C,
    D,
    E,
    F
};

constexpr uint32_t NARROW = 2; //!< the link from r1 to r2

/// @return the chain
Topology
MakeChain()
{
    Topology made;
    for (const auto* name : {"r0", "r1", "r2", "r3", "a", "b", "c", "d", "e", "f"})
    {
        AddNode(made, name);
    }
    const auto join = [&made](uint32_t from, uint32_t to, int64_t rateBps, int64_t delayNs) {
        LinkSpec link;
        link.from = from;
        link.to = to;
        link.rateBps = rateBps;
        link.delayNs = delayNs;
        link.queuePackets = from > R3 ? LinkSpec::UNLIMITED : from == R1 ? 4 : 40;
        LinkSpec back = link;
        std::swap(back.from, back.to);
        AddLink(made, link, back);
    };
    join(R0, R1, 80'000'000, 5'000'000);
    join(R1, R2, 8'000'000, 3'000'000);
    made.links[GetReverse(NARROW)].rateBps = 40'000'000;
    join(R0, R3, 80'000'000, 1'000'000);
    join(R3, R2, 80'000'000, 1'000'000);
    constexpr uint32_t ROUTERS[] = {R0, R0, R2, R2, R1, R3};
    for (uint32_t host = A; host <= F; ++host)
    {
        join(host, ROUTERS[host - A], 8'000'000'000, 10'000);
    }
    made.pairs = {{A, C}, {B, D}, {E, F}};
    made.measured = NARROW;
    return made;
}

/// Packets between all sorts of hosts: how long they take, and where they are dropped.
class ChainTest : public TestCase
{
  public:
    /// @param kind of links
    explicit ChainTest(LinkKind kind)
        : TestCase(std::string("network: chain of routers, ") +
                   (kind == LinkKind::LEAN ? "lean" : "ns3")),
          m_kind(kind)
    {
    }

  private:
    static constexpr uint16_t PORT = 9; //!< of all sinks

    void DoRun() override
    {
        NetworkHelper network(MakeChain(), m_kind, 1500);
        m_arrivals.resize(F + 1);
        for (uint32_t node = A; node <= F; ++node)
        {
            Listen(network.GetNode(node), node);
        }
        Send(network, 1, A, D, 1);
        Send(network, 2, D, A, 1);
        Send(network, 3, A, B, 1);
        Send(network, 4, E, C, 1);
        Send(network, 5, B, F, 1);
        Send(network, 6, B, C, 6);
        Simulator::Run();
        constexpr int64_t ACCESS = 2 * (1502 + 10'000);
        constexpr int64_t WIDE = 150'200 + 5'000'000;
        constexpr int64_t THERE = ACCESS + WIDE + 1'502'000 + 3'000'000;
        Expect(D, {1'000'000'000 + THERE});
        Expect(A, {2'000'000'000 + ACCESS + WIDE + 300'400 + 3'000'000});
        Expect(B, {3'000'000'000 + ACCESS});
        Expect(F, {5'000'000'000 + ACCESS + 150'200 + 1'000'000});
        // Of six that follow one another one is on the narrow link, four wait, one is dropped
        std::vector<int64_t> burst{4'000'000'000 + ACCESS + 1'502'000 + 3'000'000};
        for (int64_t i = 0; i < 5; ++i)
        {
            burst.push_back(6'000'000'000 + THERE + i * 1'502'000);
        }
        Expect(C, burst);
        for (uint32_t link = 0; link < 8; ++link)
        {
            const auto queue = network.GetQueue(link);
            NS_TEST_EXPECT_MSG_EQ(queue->GetTotalDroppedPackets(),
                                  (link == NARROW ? 1 : 0),
                                  "drops " << link);
        }
        NS_TEST_EXPECT_MSG_EQ(network.GetQueue(NARROW)->GetTotalReceivedPackets(), 7, "counted");
        NS_TEST_EXPECT_MSG_EQ(network.GetQueue(6)->GetTotalReceivedPackets(), 0, "the other way");
    }

    /// @param host where @param node its number
    void Listen(Ptr<Node> host, uint32_t node)
    {
        auto sink = Socket::CreateSocket(host, UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink->SetRecvCallback(Callback<void, Ptr<Socket>>([this, node](Ptr<Socket> socket) {
            while (socket->Recv())
            {
                m_arrivals[node].push_back(Simulator::Now().GetNanoSeconds());
            }
        }));
    }

    /// @param network under test @param second when @param from host @param to host @param count
    /// of packets
    static void Send(const NetworkHelper& network,
                     uint32_t second,
                     uint32_t from,
                     uint32_t to,
                     uint32_t count)
    {
        auto socket = Socket::CreateSocket(network.GetNode(from), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(network.GetNodeAddress(to), PORT));
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(Seconds(second), [socket] { socket->Send(Create<Packet>(1472)); });
        }
    }

    /// @param node a host @param times when packets must have come to it, ns
    void Expect(uint32_t node, const std::vector<int64_t>& times)
    {
        GRIDFTP_TEST_REQUIRE_EQ(m_arrivals[node].size(), times.size(), "packets at " << node);
        for (size_t i = 0; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_arrivals[node][i], times[i], "packet " << i << " at " << node);
        }
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
        Config::Reset();
    }

    LinkKind m_kind;                              //!< of links
    std::vector<std::vector<int64_t>> m_arrivals; //!< when packets came, by node
};

/// A transfer over the chain is the same, to the nanosecond, over links of both kinds.
class ChainTransferTest : public TestCase
{
  public:
    ChainTransferTest()
        : TestCase("network: transfer over a chain of routers")
    {
    }

  private:
    void DoRun() override
    {
        const auto lean = Run(LinkKind::LEAN);
        const auto stock = Run(LinkKind::NS3);
        NS_TEST_EXPECT_MSG_EQ(lean.bytes, 300'000, "all of it");
        NS_TEST_EXPECT_MSG_EQ(lean.gridftp->chunks.size(), 3, "chunks");
        NS_TEST_EXPECT_MSG_GT(lean.tcp->totals.retransmissions, 0, "a queue of four packets");
        NS_TEST_EXPECT_MSG_EQ(lean.durationNs, stock.durationNs, "ns");
        NS_TEST_EXPECT_MSG_EQ(lean.tcp->totals.segments, stock.tcp->totals.segments, "segments");
    }

    /// @param kind of links @return what has come of the session
    static SessionResult Run(LinkKind kind)
    {
        TcpDefaults tcp;
        tcp.segmentSize = SegmentBytesFor(1500, false);
        tcp.window = 65536;
        tcp.initialWindow = 2;
        tcp.minRto = MilliSeconds(200);
        tcp.delayedAck = 1;
        tcp.Apply();
        NetworkHelper network(MakeChain(), kind, 1500);
        ServerHelper server;
        server.Install(network.GetNode(D));
        ClientHelper client(network.GetNodeAddress(D), "mi");
        client.SetAttribute("FileSize", UintegerValue(300'000));
        client.SetAttribute("ChunkSize", UintegerValue(100'000));
        const auto made = DynamicCast<Client>(client.Install(network.GetNode(B)).Get(0));
        Simulator::Run();
        const auto result = made->GetResult();
        Simulator::Destroy();
        Config::Reset();
        return result;
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ChainTest(LinkKind::LEAN), new ChainTest(LinkKind::NS3), new ChainTransferTest};
});

} // namespace ns3::gridftp
