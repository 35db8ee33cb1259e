/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-socket-stream.h"

#include "gridftp-buffer-settings.h"
#include "gridftp-packet-bytes.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** @return current simulation time */
Nanoseconds
GetNow()
{
    return Simulator::Now().GetNanoSeconds();
}

/** @param piece not empty @return a packet of it, whose payload is virtual */
Ptr<Packet>
MakePacket(const StreamPiece& piece)
{
    const auto payload = Create<Packet>(static_cast<uint32_t>(piece.payload));
    if (piece.content.empty())
    {
        return payload;
    }
    auto packet = Create<Packet>(piece.content.data(), static_cast<uint32_t>(piece.content.size()));
    packet->AddAtEnd(payload);
    return packet;
}

} // namespace

SocketStream::SocketStream(Ptr<Socket> socket, const StreamTerms& terms, SessionMonitor* monitor)
    : m_socket(socket),
      m_segmentBytes(GetTcpSegmentBytes(socket)),
      m_terms(terms),
      m_monitor(monitor)
{
    socket->SetConnectCallback(MakeCallback(&SocketStream::HandleConnected, this),
                               MakeCallback(&SocketStream::HandleRefused, this));
    socket->SetRecvCallback(MakeCallback(&SocketStream::HandleRead, this));
    socket->SetSendCallback(MakeCallback(&SocketStream::HandleRoom, this));
    socket->SetCloseCallbacks(MakeCallback(&SocketStream::HandlePeerClose, this),
                              MakeCallback(&SocketStream::HandleError, this));
}

SocketStream::~SocketStream() = default;

void
SocketStream::Establish()
{
    m_isEstablished = true;
    Observe();
}

void
SocketStream::Observe()
{
    if (m_terms.label && !m_observer)
    {
        m_observer = Create<ConnectionObserver>();
        m_observer->Observe(m_socket, m_monitor, m_terms.label->connection);
    }
}

Ptr<Socket>
SocketStream::Detach()
{
    m_nextWrite.Cancel();
    m_nextRead.Cancel();
    m_unsent = nullptr;
    if (m_observer)
    {
        m_observer->End();
    }
    const auto socket = std::exchange(m_socket, nullptr);
    if (socket)
    {
        socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                   MakeNullCallback<void, Ptr<Socket>>());
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
        socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                  MakeNullCallback<void, Ptr<Socket>>());
    }
    return socket;
}

void
SocketStream::Dispose()
{
    m_messages.Drop();
    m_unsent = nullptr;
    Close(GetNow());
}

// Writing

void
SocketStream::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    if (m_terms.isLines)
    {
        AddUnsent(bytes);
        return WriteUnsent();
    }
    const Nanoseconds at = m_messages.Add(now, bytes);
    if (at == now)
    {
        return WriteMessage();
    }
    Simulator::Schedule(NanoSeconds(at - now),
                        &SocketStream::WriteMessage,
                        Ptr<SocketStream>(this));
}

void
SocketStream::DropMessages()
{
    m_messages.Drop();
}

void
SocketStream::WriteMessage()
{
    const auto bytes = m_messages.Take();
    if (!bytes || !m_socket)
    {
        return;
    }
    AddUnsent(*bytes);
    WriteUnsent();
}

void
SocketStream::AddUnsent(std::span<const uint8_t> bytes)
{
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    if (m_unsent)
    {
        m_unsent->AddAtEnd(packet);
    }
    else
    {
        m_unsent = packet;
    }
}

void
SocketStream::WriteUnsent()
{
    while (m_socket && m_unsent)
    {
        const uint32_t size = std::min(m_unsent->GetSize(), m_socket->GetTxAvailable());
        if (size == 0 || m_socket->Send(m_unsent->CreateFragment(0, size)) < 0)
        {
            return; // HandleRoom() goes on
        }
        m_unsent->RemoveAtStart(size);
        if (m_unsent->GetSize() == 0)
        {
            m_unsent = nullptr;
        }
    }
    if (m_isClosing)
    {
        CloseSocket();
    }
}

void
SocketStream::Send(Nanoseconds now, StreamSource& source)
{
    SendPieces(now, source);
}

void
SocketStream::SendPieces(Nanoseconds /* now */, PieceSource& source)
{
    m_source = &source;
    m_isDrained = false;
    Fill();
}

void
SocketStream::Fill()
{
    const Nanoseconds now = GetNow();
    while (m_socket && m_source && !m_unsent && !m_source->IsExhausted() &&
           !m_nextWrite.IsPending())
    {
        const uint32_t room = m_socket->GetTxAvailable();
        if (room < GetWriteBatch(GetTcpSendBuffer(m_socket)))
        {
            return;
        }
        const StreamPiece piece = m_source->WritePiece(now, room);
        if (piece.GetSize() == 0)
        {
            m_nextWrite = Simulator::Schedule(NanoSeconds(m_source->GetNextNs() - now),
                                              &SocketStream::Fill,
                                              this); // Detach() cancels it
            return;
        }
        if (m_socket->Send(MakePacket(piece)) < 0)
        {
            return;
        }
        m_source->HandleWritten(now);
    }
}

void
SocketStream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    WriteUnsent();
    if (!m_source || m_unsent)
    {
        return;
    }
    m_source->IsExhausted() ? CheckDrained() : Fill();
}

void
SocketStream::CheckDrained()
{
    if (!m_isDrained && m_dataUser && m_socket->GetTxAvailable() == GetTcpSendBuffer(m_socket))
    {
        m_isDrained = true;
        m_dataUser->HandleDrained(GetNow());
    }
}

// Reading

void
SocketStream::HandleRead(Ptr<Socket> /* socket */)
{
    Read();
}

void
SocketStream::Read()
{
    const Ptr<SocketStream> keep(this);
    if (PieceSink* const sink = GetSink())
    {
        return ReadPaced(*sink);
    }
    const auto socket = m_socket;
    uint64_t count = 0;
    // A segment at a time: joined with others, a packet's virtual payload would become real. Lines
    // are read at once: ns-3 resets a connection that is closed with something unread
    const uint32_t most = m_terms.isLines ? UINT32_MAX : m_segmentBytes;
    while (const auto packet = socket ? socket->Recv(most, 0) : nullptr)
    {
        if (packet->GetSize() == 0)
        {
            break;
        }
        count += packet->GetSize();
        if (m_terms.hasContent && m_user)
        {
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            m_user->HandleBytes(GetNow(), bytes);
        }
    }
    if (count > 0 && !m_terms.hasContent && m_user)
    {
        m_user->HandleCount(GetNow(), count);
    }
}

PieceSink*
SocketStream::GetSink() const
{
    if (m_dataUser)
    {
        return &m_dataUser->GetPieceSink();
    }
    return m_terms.isPaced && m_user ? m_user->GetSink() : nullptr;
}

void
SocketStream::ReadPaced(PieceSink& sink)
{
    const Nanoseconds now = GetNow();
    while (m_socket && !m_nextRead.IsPending() && sink.IsReading())
    {
        if (const Nanoseconds next = sink.GetNextReadNs(now); next > now)
        {
            m_nextRead = Simulator::Schedule(NanoSeconds(next - now),
                                             &SocketStream::Read,
                                             this); // Detach() cancels it
            return;
        }
        const uint64_t most = std::min<uint64_t>(m_segmentBytes, sink.GetRoom());
        const auto packet = m_socket->Recv(static_cast<uint32_t>(most), 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        sink.TakePiece(now, PacketBytes(packet));
    }
}

// The course of the connection

void
SocketStream::HandleConnected(Ptr<Socket> /* socket */)
{
    Establish();
    if (m_user)
    {
        m_user->HandleConnected(GetNow());
    }
}

void
SocketStream::HandleRefused(Ptr<Socket> /* socket */)
{
    Lose(StreamLoss::REFUSED);
}

void
SocketStream::HandleConnectFailed()
{
    Lose(StreamLoss::REFUSED);
}

void
SocketStream::HandlePeerClose(Ptr<Socket> /* socket */)
{
    const Ptr<SocketStream> keep(this);
    m_isPeerClosed = !m_terms.isLines;
    m_dataUser ? m_dataUser->HandlePeerClosed(GetNow()) : Lose(StreamLoss::CLOSED);
}

void
SocketStream::HandleError(Ptr<Socket> /* socket */)
{
    Lose(m_isEstablished ? StreamLoss::FAILED : StreamLoss::REFUSED);
}

void
SocketStream::Lose(StreamLoss loss)
{
    const Ptr<SocketStream> keep(this);
    m_dataUser = nullptr;
    if (m_terms.isLines && loss != StreamLoss::REFUSED)
    {
        CloseSocket();
    }
    if (StreamUser* const user = std::exchange(m_user, nullptr))
    {
        user->HandleLost(GetNow(), loss);
    }
    if (loss == StreamLoss::CLOSED)
    {
        Close(GetNow()); // this endpoint closes, too
    }
}

void
SocketStream::Close(Nanoseconds /* now */)
{
    m_user = m_dataUser = nullptr;
    m_isClosing = m_terms.isLines && m_unsent;
    if (!m_isClosing)
    {
        CloseSocket();
    }
}

void
SocketStream::CloseSocket()
{
    m_isClosing = false;
    if (const auto socket = Detach())
    {
        if (m_isPeerClosed)
        {
            socket->ShutdownSend(); // else ns-3 sends an ACK behind the FIN, like a duplicate
        }
        socket->Close();
    }
}

void
SocketStream::Reset(Nanoseconds /* now */)
{
    m_user = m_dataUser = nullptr;
    m_messages.Drop();
    if (!m_terms.isLines)
    {
        return Refuse(); // the socket may be at work on what has led to this
    }
    if (const auto socket = Detach())
    {
        ResetTcpConnection(socket);
    }
}

void
SocketStream::Refuse()
{
    m_user = m_dataUser = nullptr;
    if (const auto socket = Detach())
    {
        ResetAcceptedConnection(socket);
    }
}

// Buffers and counts

void
SocketStream::Resume(Nanoseconds /* now */)
{
    Read();
}

uint64_t
SocketStream::GetUnread() const
{
    return m_socket ? m_socket->GetRxAvailable() : 0;
}

uint64_t
SocketStream::GetSegmentBytes() const
{
    return m_segmentBytes;
}

uint64_t
SocketStream::GetSendBuffer() const
{
    return m_socket ? GetTcpSendBuffer(m_socket) : 0;
}

void
SocketStream::GrowSendBuffer(Nanoseconds /* now */, uint64_t bytes)
{
    if (m_socket && bytes > GetTcpSendBuffer(m_socket))
    {
        GrowTcpSendBuffer(m_socket, bytes);
        Fill();
    }
}

uint64_t
SocketStream::GetReceiveBuffer() const
{
    const auto window = static_cast<uint64_t>(m_terms.buffers.window);
    return m_socket ? GetTcpReceiveBuffer(m_socket, window) : window;
}

void
SocketStream::SetReceiveBuffer(uint64_t bytes)
{
    if (m_socket)
    {
        SetTcpReceiveBuffer(m_socket, bytes);
    }
}

void
SocketStream::CountBuffer(BufferTally& tally) const
{
    if (m_socket)
    {
        CountTcpBuffer(m_socket, tally);
    }
}

uint32_t
SocketStream::GetLocalAddress() const
{
    Address address;
    return m_socket && m_socket->GetSockName(address) == 0
               ? InetSocketAddress::ConvertFrom(address).GetIpv4().Get()
               : 0;
}

ConnectionTotals
SocketStream::GetTotals() const
{
    return m_observer ? m_observer->GetTotals() : ConnectionTotals();
}

} // namespace ns3::gridftp
