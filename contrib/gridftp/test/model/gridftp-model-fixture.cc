/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"

#include "gridftp-block-reader.h"
#include "gridftp-control-reply.h"
#include "gridftp-helper.h"
#include "gridftp-scenario.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** @param words a list @return the list, blank separated */
template <typename T>
std::string
Join(const std::vector<T>& words)
{
    std::ostringstream text;
    for (size_t i = 0; i < words.size(); ++i)
    {
        text << (i == 0 ? "" : " ") << words[i];
    }
    return text.str();
}

} // namespace

TransferTest::TransferTest(const std::string& name)
    : TestCase(name)
{
    m_links.bandwidth = DataRate("80Mbps");
    m_links.delay = MilliSeconds(10);
    m_links.queuePackets = 100;
    m_links.accessBandwidth = DataRate("8Gbps");
    m_links.accessDelay = MicroSeconds(10);
    m_tcp.window = 65536;
    m_tcp.initialWindow = 2;
    m_tcp.minRto = MilliSeconds(200);
    m_tcp.delayedAck = 1;
    m_tcp.synRetries = 6; // SYNs at 0, 3, 9, 21, 45 and 93 s; given up at 189 s
}

void
TransferTest::SetClient(const std::string& name, const AttributeValue& value)
{
    m_clientAttributes.emplace_back(name, value.Copy());
}

void
TransferTest::SetServer(const std::string& name, const AttributeValue& value)
{
    m_serverAttributes.emplace_back(name, value.Copy());
}

void
TransferTest::SetBoth(const std::string& name, const AttributeValue& value)
{
    SetClient(name, value);
    SetServer(name, value);
}

void
TransferTest::SetTuner(const std::string& name, const AttributeValue& value)
{
    m_tunerAttributes.emplace_back(name, value.Copy());
}

void
TransferTest::CutBottleneck(Time from)
{
    for (const auto& device : {m_network->GetForwardDevice(), m_network->GetReverseDevice()})
    {
        auto model = CreateObject<RateErrorModel>();
        model->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        model->SetRate(0);
        device->SetAttribute("ReceiveErrorModel", PointerValue(model));
        Simulator::Schedule(from, &RateErrorModel::SetRate, model, 1.0);
    }
}

void
TransferTest::ExpectDone()
{
    for (const auto& client : m_clients)
    {
        NS_TEST_EXPECT_MSG_EQ(client->GetReason(), "", "reason");
        NS_TEST_EXPECT_MSG_EQ(bool(client->GetState() == ClientState::DONE), true, "done");
    }
}

void
TransferTest::ExpectFailed(const std::string& reason)
{
    const auto& client = m_clients.front();
    NS_TEST_EXPECT_MSG_EQ(bool(client->GetState() == ClientState::FAILED), true, "failed");
    NS_TEST_EXPECT_MSG_EQ(client->GetReason().substr(0, reason.size()), reason, "reason");
    NS_TEST_EXPECT_MSG_EQ(reason.empty(), false, "a reason");
}

void
TransferTest::ExpectDry()
{
    NS_TEST_EXPECT_MSG_EQ(m_ranDry, true, "nothing left to happen");
}

std::string
TransferTest::GetSequence(uint32_t client) const
{
    std::vector<uint32_t> numbers;
    const SessionResult session = m_clients[client]->GetResult();
    for (const auto& chunk : session.gridftp->chunks)
    {
        numbers.push_back(chunk.parallelism);
    }
    return Join(numbers);
}

void
TransferTest::Install(uint32_t pair)
{
    if (m_withServers && (pair == 0 || !m_oneServer))
    {
        ServerHelper server;
        for (const auto& [name, value] : m_serverAttributes)
        {
            server.SetAttribute(name, *value);
        }
        const auto node = m_network->GetServers().Get(pair);
        m_servers.push_back(DynamicCast<Server>(server.Install(node).Get(0)));
        m_servers.back()->AssignStreams(pair);
    }
    if (m_withClients)
    {
        ClientHelper client(m_network->GetServerAddress(m_oneServer ? 0 : pair), m_mode);
        for (const auto& [name, value] : m_clientAttributes)
        {
            client.SetAttribute(name, *value);
        }
        for (const auto& [name, value] : m_tunerAttributes)
        {
            client.SetTunerAttribute(name, *value);
        }
        const auto node = m_network->GetClients().Get(pair);
        m_clients.push_back(DynamicCast<Client>(client.Install(node).Get(0)));
        m_clients.back()->AssignStreams(pair);
    }
    m_clientTaps.push_back(std::make_unique<WireTap>(m_network->GetClients().Get(pair)));
    m_serverTaps.push_back(std::make_unique<WireTap>(m_network->GetServers().Get(pair)));
}

void
TransferTest::DoRun()
{
    ConfigureEnvironment();
    m_tcp.segmentSize = SegmentBytesFor(m_links.packetBytes, m_tcp.timestamps);
    m_tcp.Apply();
    m_network = std::make_unique<DumbbellHelper>(m_links, m_pairs);
    for (uint32_t i = 0; i < m_pairs; ++i)
    {
        Install(i);
    }
    ConfigureObjects();
    Simulator::Stop(m_limit);
    Simulator::Run();
    // What happens after that, but for the event that ends it?
    const uint64_t events = Simulator::GetEventCount();
    Simulator::Stop(m_watch);
    Simulator::Run();
    m_ranDry = Simulator::GetEventCount() == events + 1;
    FinalChecks();
}

void
TransferTest::DoTeardown()
{
    Simulator::Destroy();
    Config::Reset();
    m_clientTaps.clear();
    m_serverTaps.clear();
    m_fakeServer.reset();
    m_fakeClient.reset();
    m_clients.clear();
    m_servers.clear();
    m_network.reset();
}

} // namespace ns3::gridftp
