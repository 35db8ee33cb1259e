/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-pair.h"

#include "gridftp-tcp-variant.h"
#include "gridftp-test-cases.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::gridftp
{

void
SegmentDropper::DropData(uint32_t seq, uint32_t nth)
{
    m_drops.emplace(Kind{true, seq}, nth);
}

void
SegmentDropper::DropAck(uint32_t ack, uint32_t nth)
{
    m_drops.emplace(Kind{false, ack}, nth);
}

bool
SegmentDropper::DoCorrupt(Ptr<Packet> packet)
{
    auto copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    TcpHeader tcp;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    copy->RemoveHeader(tcp);
    const bool hasData = copy->GetSize() > 0;
    const auto number = hasData ? tcp.GetSequenceNumber() : tcp.GetAckNumber();
    const Kind kind{hasData, number.GetValue()};
    return m_drops.contains({kind, ++m_seen[kind]});
}

void
SegmentDropper::DoReset()
{
    m_seen.clear();
}

TcpDefaults
TcpPair::GetDefaults()
{
    TcpDefaults defaults;
    defaults.segmentSize = 1000;
    defaults.window = 20000;
    defaults.initialWindow = 10;
    defaults.minRto = Seconds(1);
    defaults.delayedAck = 1;
    return defaults;
}

TcpPair::TcpPair(const std::string& tcp, const TcpDefaults& defaults)
    : m_segmentSize(defaults.segmentSize)
{
    defaults.Apply();
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", TimeValue(MilliSeconds(ROUND_MS / 2)));
    link.DisableFlowControl();
    auto devices = link.Install(nodes);
    InternetStackHelper().Install(nodes);
    auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    toReceiver = CreateObject<SegmentDropper>();
    toSender = CreateObject<SegmentDropper>();
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(toReceiver));
    devices.Get(0)->SetAttribute("ReceiveErrorModel", PointerValue(toSender));
    devices.Get(0)->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&TcpPair::OnLink, this));

    const auto variant = FindTcpVariant(tcp);
    NS_ABORT_MSG_UNLESS(variant, "no TCP " << tcp);
    m_server = InetSocketAddress(interfaces.GetAddress(1), 5000);
    m_listener = CreateTcpSocket(nodes.Get(1), *variant);
    m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 5000));
    m_listener->Listen();
    sender = DynamicCast<TcpSocketBase>(CreateTcpSocket(nodes.Get(0), *variant));
    Observe();
}

TcpPair::~TcpPair()
{
    Simulator::Destroy();
    Config::Reset();
}

void
TcpPair::Observe()
{
    using Void = Callback<void, Ptr<Socket>>;
    using Window = Callback<void, uint32_t, uint32_t>;

    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
            receiver = DynamicCast<TcpSocketBase>(socket);
            socket->SetRecvCallback(MakeCallback(&TcpPair::OnReceived, this));
            socket->SetCloseCallbacks(Void([this](Ptr<Socket>) { closed = true; }), Void());
        }));
    sender->SetConnectCallback(Void([this](Ptr<Socket>) {
                                   m_established = Simulator::Now();
                                   Fill();
                               }),
                               Void([this](Ptr<Socket>) { failed = true; }));
    sender->SetSendCallback(
        Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Fill(); }));
    sender->SetCloseCallbacks(Void(), Void([this](Ptr<Socket>) { failed = true; }));
    sender->TraceConnectWithoutContext("Tx", MakeCallback(&TcpPair::OnSent, this));

    const std::vector<std::pair<std::string, std::string>> windows{
        {"CongestionWindow", "c"},
        {"CongestionWindowInflated", "i"},
        {"SlowStartThreshold", "s"}};
    for (const auto& [trace, letter] : windows)
    {
        sender->TraceConnectWithoutContext(trace, Window([this, letter](uint32_t, uint32_t value) {
                                               Note(m_windows, letter + std::to_string(value));
                                           }));
    }
}

void
TcpPair::Start(uint64_t bytes)
{
    m_left = bytes;
    sender->Connect(m_server);
}

void
TcpPair::WriteIn(uint32_t round, uint32_t afterMs, uint32_t bytes, bool close)
{
    // One round trip for the connection to stand
    Simulator::Schedule(MilliSeconds((1 + round) * ROUND_MS + afterMs), [this, bytes, close] {
        m_left += bytes;
        Fill();
        if (close)
        {
            sender->Close();
        }
    });
}

void
TcpPair::RunRounds(uint32_t rounds)
{
    Simulator::Stop(MilliSeconds((2 + rounds) * ROUND_MS - ROUND_MS / 4));
    Simulator::Run();
}

void
TcpPair::Fill()
{
    while (m_left > 0 && sender->GetTxAvailable() > 0)
    {
        const auto size = std::min<uint64_t>(m_left, sender->GetTxAvailable());
        if (sender->Send(Create<Packet>(static_cast<uint32_t>(size)), 0) < 0)
        {
            return;
        }
        m_left -= size;
    }
}

void
TcpPair::OnSent(Ptr<const Packet> packet,
                const TcpHeader& header,
                Ptr<const TcpSocketBase> /* socket */)
{
    if (packet->GetSize() == 0)
    {
        return;
    }
    payloads.push_back(packet->GetSize());
    const auto seq = header.GetSequenceNumber().GetValue();
    const auto tail = seq + packet->GetSize();
    const auto head = sender->GetTxBuffer()->HeadSequence().GetValue();
    maxFlight = std::max(maxFlight, tail - head);
    const bool again = !m_sentOnce.insert(seq).second;
    Note(m_sent, std::to_string((seq - 1) / m_segmentSize + 1) + (again ? "r" : ""));
}

void
TcpPair::OnLink(Ptr<const Packet> packet)
{
    auto copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    fragments += !ip.IsLastFragment() || ip.GetFragmentOffset() > 0;
    if (ip.GetFragmentOffset() == 0)
    {
        TcpHeader tcp;
        copy->RemoveHeader(tcp);
    }
    if (copy->GetSize() > 0)
    {
        ipSizes.push_back(ip.GetPayloadSize() + ip.GetSerializedSize());
    }
}

void
TcpPair::OnReceived(Ptr<Socket> socket)
{
    for (auto packet = socket->Recv(); packet && packet->GetSize() > 0; packet = socket->Recv())
    {
        received += packet->GetSize();
    }
}

uint32_t
TcpPair::Round() const
{
    // A little early, so that rounding the times of transmission does not matter
    const auto sinceMs = (Simulator::Now() - m_established + MilliSeconds(1)).GetMilliSeconds();
    return static_cast<uint32_t>(sinceMs / ROUND_MS);
}

void
TcpPair::Note(std::map<uint32_t, std::string>& log, const std::string& what) const
{
    if (m_established.IsZero())
    {
        return;
    }
    auto& line = log[Round()];
    line += (line.empty() ? "" : " ") + what;
}

std::string
TcpPair::Line(const std::map<uint32_t, std::string>& log)
{
    std::string line;
    for (const auto& [round, what] : log)
    {
        line += (line.empty() ? "" : " | ") + std::to_string(round) + ": " + what;
    }
    return line;
}

std::string
TcpPair::Sent() const
{
    return Line(m_sent);
}

std::string
TcpPair::Windows() const
{
    return Line(m_windows);
}

} // namespace ns3::gridftp
