/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/node-list.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * Bursts of UDP packets over the dumbbell. With the default path a packet of 1500 bytes (IP) takes
 * 1502 ns on an access link and 150,200 ns on the bottleneck.
 */
class BurstTest : public TransferTest
{
  public:
    /// @param kind of links @param name of the case
    BurstTest(LinkKind kind, const std::string& name)
        : TransferTest("dumbbell: " + name + (kind == LinkKind::LEAN ? ", lean" : ", ns3"))
    {
        m_links.kind = kind;
        m_withClients = false;
        m_withServers = false;
    }

  protected:
    static constexpr uint16_t PORT = 9; //!< of all sinks

    void ConfigureObjects() override
    {
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            Listen(m_network->GetClients().Get(i));
            Listen(m_network->GetServers().Get(i));
        }
        // Everything that drops anything, at every layer of every node.
        std::vector<std::string> places{"DeviceList/*" + GetDeviceType() + "TxQueue/Drop",
                                        "DeviceList/*" + GetDeviceType() + "PhyRxDrop",
                                        "$ns3::TrafficControlLayer/TcDrop"};
        if (m_links.kind == LinkKind::NS3)
        {
            places.push_back("DeviceList/*" + GetDeviceType() + "PhyTxDrop");
        }
        for (const auto& place : places)
        {
            Config::Connect("/NodeList/*/" + place, MakeCallback(&BurstTest::HandleDrop, this));
        }
        Config::Connect("/NodeList/*/$ns3::Ipv4L3Protocol/Drop",
                        MakeCallback(&BurstTest::HandleIpDrop, this));
        Send();
    }

    /// Sends what the case is about.
    virtual void Send()
    {
    }

    /**
     * @param from a host
     * @param to an address
     * @param count of packets, all at once
     * @param size of each (IP), bytes
     */
    void SendBurst(Ptr<Node> from, Ipv4Address to, uint32_t count, uint32_t size)
    {
        auto socket = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(to, PORT));
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(Seconds(1), [socket, size] {
                socket->Send(Create<Packet>(size - 28)); // 20 of IP, 8 of UDP
            });
        }
    }

    /// @param node a host @return its address
    static Ipv4Address AddressOf(Ptr<Node> node)
    {
        return node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    }

    /// @return what stands for the type of the devices in a path of Config
    std::string GetDeviceType() const
    {
        return m_links.kind == LinkKind::LEAN ? "/$ns3::gridftp::LeanNetDevice/"
                                              : "/$ns3::PointToPointNetDevice/";
    }

    /// @return places and numbers of drops, e.g. "/NodeList/2/DeviceList/0/...: 6 "
    std::string GetDrops() const
    {
        std::string all;
        for (const auto& [place, count] : m_drops)
        {
            all += place + ": " + std::to_string(count) + " ";
        }
        return all;
    }

    std::map<uint32_t, uint32_t> m_arrived; //!< packets, by node
    std::map<uint32_t, Time> m_last;        //!< when the last packet arrived, by node
    std::set<uint32_t> m_sizes;             //!< of packets that arrived, payload

  private:
    void Listen(Ptr<Node> node)
    {
        auto sink = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink->SetRecvCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
            while (const auto packet = socket->Recv())
            {
                ++m_arrived[socket->GetNode()->GetId()];
                m_last[socket->GetNode()->GetId()] = Simulator::Now();
                m_sizes.insert(packet->GetSize());
            }
        }));
    }

    void HandleDrop(std::string place, Ptr<const Packet> /* packet */)
    {
        ++m_drops[place];
    }

    void HandleIpDrop(std::string place,
                      const Ipv4Header& /* header */,
                      Ptr<const Packet> /* packet */,
                      Ipv4L3Protocol::DropReason /* reason */,
                      Ptr<Ipv4> /* ipv4 */,
                      uint32_t /* interface */)
    {
        ++m_drops[place];
    }

    std::map<std::string, uint32_t> m_drops; //!< by place
};

/**
 * Twelve packets arrive at the bottleneck within 18 us: one goes into service, five wait, six are
 * dropped, there and nowhere else.
 */
class QueueLimitTest : public BurstTest
{
  public:
    /// @param kind of links @param forward from client to server; else back
    QueueLimitTest(LinkKind kind, bool forward)
        : BurstTest(kind, forward ? "queue limit, forward" : "queue limit, backward"),
          m_forward(forward)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_links.queuePackets = 5;
    }

    void Send() override
    {
        const auto client = m_network->GetClients().Get(0);
        const auto server = m_network->GetServers().Get(0);
        SendBurst(m_forward ? client : server, AddressOf(m_forward ? server : client), 12, 1500);
    }

    void FinalChecks() override
    {
        const auto device =
            m_forward ? m_network->GetForwardDevice() : m_network->GetReverseDevice();
        const std::string place = "/NodeList/" + std::to_string(device->GetNode()->GetId()) +
                                  "/DeviceList/" + std::to_string(device->GetIfIndex()) +
                                  GetDeviceType() + "TxQueue/Drop";
        NS_TEST_EXPECT_MSG_EQ(GetDrops(), place + ": 6 ", "drops");
        const auto receiver =
            (m_forward ? m_network->GetServers() : m_network->GetClients()).Get(0);
        NS_TEST_EXPECT_MSG_EQ(m_arrived[receiver->GetId()], 6, "arrived");
        CheckTrafficControl();
    }

    /// No queue disc on any device, and nothing that stops one.
    void CheckTrafficControl()
    {
        uint32_t devices = 0;
        for (uint32_t i = 0; i < NodeList::GetNNodes(); ++i)
        {
            const auto node = NodeList::GetNode(i);
            const auto layer = node->GetObject<TrafficControlLayer>();
            for (uint32_t k = 0; k < node->GetNDevices(); ++k)
            {
                const auto device = node->GetDevice(k);
                const auto disc = layer->GetRootQueueDiscOnDevice(device);
                NS_TEST_EXPECT_MSG_EQ(bool(disc), false, "queue disc");
                if (device->IsPointToPoint())
                {
                    ++devices;
                    const auto control = device->GetObject<NetDeviceQueueInterface>();
                    NS_TEST_EXPECT_MSG_EQ(bool(control), false, "flow control");
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(devices, 6, "devices at the ends of three links");
    }

    bool m_forward; //!< from client to server
};

/// A host that sends more at once than any queue of fixed length would hold drops nothing.
class AccessTest : public BurstTest
{
  public:
    /// @param kind of links
    explicit AccessTest(LinkKind kind)
        : BurstTest(kind, "access links never drop")
    {
    }

  private:
    static constexpr uint32_t COUNT = 20'000; //!< packets

    void ConfigureEnvironment() override
    {
        m_links.queuePackets = COUNT;
        m_links.accessBandwidth = DataRate("40Mbps"); // slower than the bottleneck
    }

    void Send() override
    {
        const auto server = m_network->GetServers().Get(0);
        SendBurst(m_network->GetClients().Get(0), AddressOf(server), COUNT, 100);
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetDrops(), "", "drops");
        NS_TEST_EXPECT_MSG_EQ(m_arrived[m_network->GetServers().Get(0)->GetId()], COUNT, "arrived");
    }
};

/// Random loss, in the stated direction only.
class LossTest : public BurstTest
{
  public:
    /// @param kind of links @param forward whether the loss is from client to server
    LossTest(LinkKind kind, bool forward)
        : BurstTest(kind, forward ? "random loss, forward" : "random loss, backward"),
          m_forward(forward)
    {
    }

  private:
    static constexpr uint32_t COUNT = 4000; //!< packets each way

    void ConfigureEnvironment() override
    {
        m_links.queuePackets = COUNT;
        (m_forward ? m_links.randomLoss : m_links.reverseRandomLoss) = 0.1;
    }

    void Send() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_network->AssignStreams(0), 1, "streams of draws");
        const auto client = m_network->GetClients().Get(0);
        const auto server = m_network->GetServers().Get(0);
        SendBurst(client, AddressOf(server), COUNT, 100);
        SendBurst(server, AddressOf(client), COUNT, 100);
    }

    void FinalChecks() override
    {
        const auto client = m_network->GetClients().Get(0)->GetId();
        const auto server = m_network->GetServers().Get(0)->GetId();
        NS_TEST_EXPECT_MSG_EQ(m_arrived[m_forward ? client : server], COUNT, "without loss");
        // 3600 expected, standard deviation 19: four of them.
        const uint32_t arrived = m_arrived[m_forward ? server : client];
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(arrived), 3600, 76, "with loss");
        const auto receiver =
            m_forward ? m_network->GetReverseDevice() : m_network->GetForwardDevice();
        const std::string place = "/NodeList/" + std::to_string(receiver->GetNode()->GetId()) +
                                  "/DeviceList/" + std::to_string(receiver->GetIfIndex()) +
                                  GetDeviceType() + "PhyRxDrop";
        NS_TEST_EXPECT_MSG_EQ(GetDrops(),
                              place + ": " + std::to_string(COUNT - arrived) + " ",
                              "lost on the bottleneck");
    }

    bool m_forward; //!< whether the loss is from client to server
};

/// Every client reaches every server, and back, over one bottleneck.
class RouteTest : public BurstTest
{
  public:
    /// @param kind of links
    explicit RouteTest(LinkKind kind)
        : BurstTest(kind, "routes of several pairs")
    {
        m_pairs = 5;
    }

  private:
    void Send() override
    {
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            for (uint32_t k = 0; k < m_pairs; ++k)
            {
                const auto client = m_network->GetClients().Get(i);
                const auto server = m_network->GetServers().Get(k);
                NS_TEST_EXPECT_MSG_EQ(AddressOf(server),
                                      m_network->GetServerAddress(k),
                                      "address of the server");
                SendBurst(client, AddressOf(server), 1, 100);
                SendBurst(server, AddressOf(client), 1, 100);
            }
        }
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetDrops(), "", "drops");
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            for (const auto& nodes : {m_network->GetClients(), m_network->GetServers()})
            {
                NS_TEST_EXPECT_MSG_EQ(m_arrived[nodes.Get(i)->GetId()], m_pairs, "arrived");
            }
        }
        // Its queue has seen the packets of all pairs, each way.
        for (const auto& queue : {m_network->GetForwardQueue(), m_network->GetReverseQueue()})
        {
            NS_TEST_EXPECT_MSG_EQ(queue->GetTotalReceivedPackets(),
                                  m_pairs * m_pairs,
                                  "over the bottleneck");
        }
    }
};

/// Hosts at different distances: what is added at a client counts both ways.
class ClientDelayTest : public BurstTest
{
  public:
    /// @param kind of links
    explicit ClientDelayTest(LinkKind kind)
        : BurstTest(kind, "delays of clients")
    {
        m_pairs = 2;
        m_links.clientDelays = {Time(), MicroSeconds(5500)};
    }

  private:
    void Send() override
    {
        const auto near = m_network->GetClients().Get(0);
        const auto far = m_network->GetClients().Get(1);
        SendBurst(far, AddressOf(m_network->GetServers().Get(0)), 1, 1500);
        SendBurst(near, AddressOf(m_network->GetServers().Get(1)), 1, 1500);
        SendBurst(m_network->GetServers().Get(1), AddressOf(far), 1, 1500);
    }

    void FinalChecks() override
    {
        // 10.02 ms and a packet on two access links and the bottleneck.
        const Time plain = Seconds(1) + NanoSeconds(10'020'000 + 2 * 1502 + 150'200);
        const Time late = plain + MicroSeconds(5500);
        NS_TEST_EXPECT_MSG_EQ(m_last[m_network->GetServers().Get(1)->GetId()], plain, "near");
        NS_TEST_EXPECT_MSG_EQ(m_last[m_network->GetServers().Get(0)->GetId()], late, "from far");
        NS_TEST_EXPECT_MSG_EQ(m_last[m_network->GetClients().Get(1)->GetId()], late, "to far");
    }
};

/// A packet of the largest size crosses whole.
class PacketSizeTest : public BurstTest
{
  public:
    /// @param kind of links @param size of the largest packets (IP), bytes
    PacketSizeTest(LinkKind kind, uint32_t size)
        : BurstTest(kind, "packets of " + std::to_string(size) + " bytes"),
          m_size(size)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_links.packetBytes = m_size;
    }

    void Send() override
    {
        const auto server = m_network->GetServers().Get(0);
        SendBurst(m_network->GetClients().Get(0), AddressOf(server), 1, m_size);
        m_network->GetForwardDevice()->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>(
                [this](Ptr<const Packet> packet) { m_onLink.push_back(packet->GetSize()); }));
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetDrops(), "", "drops");
        NS_TEST_EXPECT_MSG_EQ(m_sizes.count(m_size - 28), 1, "arrived whole");
        GRIDFTP_TEST_REQUIRE_EQ(m_onLink.size(), 1, "not fragmented");
        NS_TEST_EXPECT_MSG_EQ(m_onLink[0], m_size + 2, "with its PPP header");
    }

    uint32_t m_size;                //!< of the largest packets (IP), bytes
    std::vector<uint32_t> m_onLink; //!< bytes of packets on the bottleneck
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto kind : {LinkKind::LEAN, LinkKind::NS3})
    {
        all.insert(all.end(),
                   {new QueueLimitTest(kind, true),
                    new QueueLimitTest(kind, false),
                    new AccessTest(kind),
                    new LossTest(kind, true),
                    new LossTest(kind, false),
                    new RouteTest(kind),
                    new ClientDelayTest(kind)});
        for (const uint32_t size : {41, 576, 1499, 1500, 1501, 9000, 65'535})
        {
            all.push_back(new PacketSizeTest(kind, size));
        }
    }
    return all;
});

} // namespace ns3::gridftp
