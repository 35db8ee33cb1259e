/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-pair.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Many connections that lose a lot, and that write now and then, in odd sizes.
class TcpHardshipTest : public TestCase
{
  public:
    /**
     * @param tcp name of the TCP
     * @param delayedAck segments per ACK
     */
    TcpHardshipTest(const std::string& tcp, uint32_t delayedAck)
        : TestCase("TCP guards: hardship, " + tcp + (delayedAck > 1 ? ", delayed ACKs" : "")),
          m_tcp(tcp),
          m_delayedAck(delayedAck)
    {
    }

  private:
    static constexpr uint32_t CONNECTIONS = 32; //!< at a time
    static constexpr uint32_t BYTES = 20000;    //!< over each

    /// One connection's sender.
    struct Writer
    {
        Ptr<Socket> socket;                //!< its socket
        Ptr<UniformRandomVariable> random; //!< when and how much
        uint32_t left{BYTES};              //!< to be written, bytes

        /// Write, and again after a while.
        void Write()
        {
            auto size = std::min({left, socket->GetTxAvailable(), random->GetInteger(1, 3000)});
            if (size > 0 && socket->Send(Create<Packet>(size)) > 0)
            {
                left -= size;
            }
            if (left == 0)
            {
                socket->Close();
                return;
            }
            Simulator::Schedule(Seconds(random->GetValue(0, 0.02)), &Writer::Write, this);
        }
    };

    void DoRun() override
    {
        for (const double loss : {0.05, 0.1, 0.2})
        {
            RunOnce(loss);
        }
    }

    /// @return two nodes, the second with its address; 5 packets of queue, loss both ways
    NodeContainer BuildPath(double loss)
    {
        NodeContainer nodes(2);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("20Mbps"));
        link.SetChannelAttribute("Delay", StringValue("2ms"));
        link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("5p"));
        link.DisableFlowControl();
        auto devices = link.Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        for (uint32_t i = 0; i < 2; i++)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(loss);
            errors->AssignStreams(10 + i);
            devices.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        return nodes;
    }

    /**
     * @param loss probability, each way
     */
    void RunOnce(double loss)
    {
        auto defaults = TcpPair::GetDefaults();
        defaults.window = 2000;
        defaults.initialWindow = 2;
        defaults.minRto = MilliSeconds(200);
        defaults.delayedAck = m_delayedAck;
        defaults.synRetries = 20;
        defaults.Apply();
        auto nodes = BuildPath(loss);
        const auto variant = *FindTcpVariant(m_tcp);

        uint64_t received = 0;
        auto listener = CreateTcpSocket(nodes.Get(1), variant);
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([&received](Ptr<Socket> socket,
                                                                    const Address&) {
                socket->SetRecvCallback(Callback<void, Ptr<Socket>>([&received](Ptr<Socket> from) {
                    for (auto p = from->Recv(); p && p->GetSize() > 0; p = from->Recv())
                    {
                        received += p->GetSize();
                    }
                }));
            }));

        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::vector<std::unique_ptr<Writer>> writers;
        for (uint32_t i = 0; i < CONNECTIONS; i++)
        {
            writers.push_back(
                std::make_unique<Writer>(Writer{CreateTcpSocket(nodes.Get(0), variant), random}));
            auto* writer = writers.back().get();
            writer->socket->SetConnectCallback(
                Callback<void, Ptr<Socket>>([writer](Ptr<Socket>) { writer->Write(); }),
                Callback<void, Ptr<Socket>>());
            writer->socket->Connect(InetSocketAddress("10.0.0.2", 5000));
        }
        Simulator::Stop(Seconds(1000));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received, CONNECTIONS * BYTES, "all arrived at loss " << loss);
        Simulator::Destroy();
        Config::Reset();
    }

    std::string m_tcp;     //!< name of the TCP
    uint32_t m_delayedAck; //!< segments per ACK
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TcpHardshipTest("reno", 1),
            new TcpHardshipTest("reno", 2),
            new TcpHardshipTest("newreno", 1),
            new TcpHardshipTest("newreno", 2)};
});

} // namespace ns3::gridftp
