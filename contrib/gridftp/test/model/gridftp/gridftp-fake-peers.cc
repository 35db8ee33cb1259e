/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fake-peers.h"

#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"

#include <algorithm>
#include <functional>

namespace ns3::gridftp
{

namespace
{

using SocketCallback = Callback<void, Ptr<Socket>>;
using AcceptCallback = Callback<void, Ptr<Socket>, const Address&>;

Ptr<Socket>
MakeSocket(Ptr<Node> node)
{
    auto socket = CreateTcpSocket(node, TcpNewReno::GetTypeId());
    SetTcpWindow(socket, 65536);
    return socket;
}

std::string
ReadAll(Ptr<Socket> socket)
{
    std::string all;
    for (auto packet = socket->Recv(); packet && packet->GetSize() > 0; packet = socket->Recv())
    {
        std::string bytes(packet->GetSize(), '\0');
        packet->CopyData(reinterpret_cast<uint8_t*>(bytes.data()), packet->GetSize());
        all += bytes;
    }
    return all;
}

Ptr<Socket>
ListenOn(Ptr<Node> node, uint16_t port, const std::function<void(Ptr<Socket>)>& accept)
{
    auto listener = MakeSocket(node);
    listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
    listener->Listen();
    listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        AcceptCallback([accept](Ptr<Socket> socket, const Address&) { accept(socket); }));
    return listener;
}

} // namespace

FakeBytes
MakeFakeBlock(const ModeEHeader& header)
{
    const auto image = header.ToBytes();
    FakeBytes bytes(image.begin(), image.end());
    return bytes + FakeBytes(header.IsEndOfFile() ? 0 : header.GetCount(), '\0');
}

FakeWriter::FakeWriter(Ptr<Socket> connection)
    : socket(connection)
{
    socket->SetConnectCallback(SocketCallback([this](Ptr<Socket>) {
                                   connected = true;
                                   Flush();
                               }),
                               SocketCallback([this](Ptr<Socket>) { failed = true; }));
    socket->SetSendCallback(
        Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Flush(); }));
    socket->SetCloseCallbacks(SocketCallback([this](Ptr<Socket>) { closed = true; }),
                              SocketCallback([this](Ptr<Socket>) { failed = true; }));
}

void
FakeWriter::Write(const FakeBytes& bytes)
{
    m_unsent += bytes;
    Flush();
}

void
FakeWriter::Close()
{
    m_closing = true;
    Flush();
}

void
FakeWriter::Flush()
{
    while (!m_unsent.empty())
    {
        const auto size = std::min<size_t>(m_unsent.size(), socket->GetTxAvailable());
        const auto* data = reinterpret_cast<const uint8_t*>(m_unsent.data());
        if (size == 0 || socket->Send(Create<Packet>(data, static_cast<uint32_t>(size))) < 0)
        {
            return;
        }
        m_unsent.erase(0, size);
    }
    if (m_closing)
    {
        m_closing = false;
        socket->Close();
    }
}

FakeServer::FakeServer(Ptr<Node> node, Ipv4Address address)
    : m_node(node),
      m_address(address)
{
    answers = {{"220", "220 ready."},
               {"USER", "331 who?"},
               {"PASS", "230 you."},
               {"ESTO", "150 go."},
               {"ERET", "150 go."},
               {"QUIT", "221 bye."},
               {"SIZE", "213 1000000000"},
               {"226", "226 done."}};
    m_sockets.push_back(
        ListenOn(m_node, CONTROL_PORT, [this](Ptr<Socket> s) { HandleControl(s); }));
    m_sockets.push_back(ListenOn(m_node, 5000, [this](Ptr<Socket> s) { HandleData(s); }));
}

void
FakeServer::HandleControl(Ptr<Socket> socket)
{
    m_control = std::make_shared<FakeWriter>(socket);
    socket->SetRecvCallback(SocketCallback([this](Ptr<Socket> s) { ReadControl(s); }));
    Say("220", answers["220"]);
}

void
FakeServer::HandleData(Ptr<Socket> socket)
{
    m_sockets.push_back(socket);
    socket->SetRecvCallback(SocketCallback([this](Ptr<Socket> s) { ReadData(s); }));
}

void
FakeServer::ReadData(Ptr<Socket> socket)
{
    if (resetAfter > 0 && received + socket->GetRxAvailable() > resetAfter)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close();                             // with unread data: ns-3 sends a reset
        Say("426", "426 data connection was reset"); // as servers do, behind the reset
        return;
    }
    received += ReadAll(socket).size();
}

void
FakeServer::ReadControl(Ptr<Socket> socket)
{
    m_lines.Feed(ReadAll(socket));
    while (const auto line = m_lines.Next())
    {
        Answer(**line);
    }
}

void
FakeServer::Answer(const std::string& line)
{
    const std::string verb = line.substr(0, 4);
    verbs.push_back(verb);
    if (verb == closeAt)
    {
        m_control->Close();
        return;
    }
    if (verb == "PORT")
    {
        const auto peer = ParseHostPort(line.substr(5));
        m_peer = InetSocketAddress(Ipv4Address(peer->address), peer->port);
    }
    const auto known = answers.find(verb);
    std::string text = known != answers.end() ? known->second : "200 fine.";
    if (verb == "PASV" && known == answers.end())
    {
        text = FormatReply(MakePassiveReply({m_address.Get(), dataPort}));
        text.resize(text.size() - 2);
    }
    Say(verb, text);
    if (verb != "ESTO" && verb != "ERET")
    {
        return;
    }
    for (const auto& stream : streams)
    {
        m_writers.push_back(std::make_shared<FakeWriter>(MakeSocket(m_node)));
        m_writers.back()->socket->Bind();
        m_writers.back()->socket->Connect(m_peer);
        m_writers.back()->Write(stream);
    }
    if (delays.contains("226"))
    {
        Say("226", answers["226"]);
    }
}

void
FakeServer::Say(const std::string& verb, const std::string& text)
{
    if (!text.empty())
    {
        Simulator::Schedule(delays.contains(verb) ? delays[verb] : Time(0),
                            &FakeWriter::Write,
                            m_control.get(),
                            text + "\r\n");
    }
}

void
FakeServer::CloseControlAfter(Time after)
{
    Simulator::Schedule(after, [this] { m_control->Close(); });
}

FakeClient::FakeClient(Ptr<Node> node, Ipv4Address server)
    : control(std::make_shared<FakeWriter>(MakeSocket(node))),
      m_node(node)
{
    control->socket->SetRecvCallback(SocketCallback([this](Ptr<Socket> s) { ReadControl(s); }));
    control->socket->Bind();
    Simulator::Schedule(Time(0), [this, server] {
        control->socket->Connect(InetSocketAddress(server, CONTROL_PORT));
    });
}

void
FakeClient::ReadControl(Ptr<Socket> socket)
{
    m_lines.Feed(ReadAll(socket));
    while (const auto line = m_lines.Next())
    {
        const auto reply = *line ? m_replyReader.Feed(**line) : std::nullopt;
        if (!*line || (reply && !*reply))
        {
            ++junk;
        }
        else if (reply)
        {
            replies.push_back(**reply);
            if (const auto at = ParsePassiveReply(**reply))
            {
                m_passive = {*at};
            }
            if (const auto at = ParseStripedPassiveReply(**reply))
            {
                m_passive = *at;
            }
        }
    }
}

void
FakeClient::SayAt(uint32_t at, const std::string& lines)
{
    std::string text = lines + "|";
    for (size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i))
    {
        text.replace(i, 1, "\r\n");
    }
    SendAt(at, text);
}

void
FakeClient::SendAt(uint32_t at, const std::string& bytes)
{
    Simulator::Schedule(MilliSeconds(at), [this, bytes] { control->Write(bytes); });
}

void
FakeClient::DataAt(uint32_t at, uint32_t stream, const FakeBytes& bytes)
{
    Simulator::Schedule(MilliSeconds(at), [this, stream, bytes] {
        auto& writer = streams[stream];
        if (!writer)
        {
            writer = std::make_shared<FakeWriter>(MakeSocket(m_node));
            writer->socket->Bind();
            const HostPort& to = m_passive.at(stream % m_passive.size());
            writer->socket->Connect(InetSocketAddress(Ipv4Address(to.address), to.port));
        }
        writer->Write(bytes);
    });
}

void
FakeClient::CloseDataAt(uint32_t at, uint32_t stream)
{
    Simulator::Schedule(MilliSeconds(at), [this, stream] { streams[stream]->Close(); });
}

void
FakeClient::CloseAt(uint32_t at)
{
    Simulator::Schedule(MilliSeconds(at), [this] { control->Close(); });
}

void
FakeClient::Listen(uint16_t port, uint64_t resetAfter)
{
    m_sockets.push_back(ListenOn(m_node, port, [this, resetAfter](Ptr<Socket> socket) {
        ++accepted;
        m_sockets.push_back(socket);
        socket->SetRecvCallback(
            SocketCallback([this, resetAfter](Ptr<Socket> s) { ReadData(s, resetAfter); }));
    }));
}

void
FakeClient::ReadData(Ptr<Socket> socket, uint64_t resetAfter)
{
    if (resetAfter > 0 && received + socket->GetRxAvailable() > resetAfter)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->Close(); // with unread data: ns-3 sends a reset
        return;
    }
    received += ReadAll(socket).size();
}

std::string
FakeClient::GetCodes() const
{
    std::string codes;
    for (const auto& reply : replies)
    {
        codes += (codes.empty() ? "" : " ") + std::to_string(reply.code);
    }
    return codes;
}

} // namespace ns3::gridftp
