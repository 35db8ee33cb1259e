/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-socket-stream.h"

#include "gridftp-buffer-settings.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

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

} // namespace

SocketStream::SocketStream(Ptr<Socket> socket, const StreamTerms& terms, SessionMonitor* monitor)
    : m_socket(socket),
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
    if (m_terms.label)
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
    Close(GetNow());
}

// Writing

void
SocketStream::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
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
    if (const auto bytes = m_messages.Take(); bytes && m_socket)
    {
        m_socket->Send(Create<Packet>(bytes->data(), static_cast<uint32_t>(bytes->size())));
    }
}

void
SocketStream::Send(Nanoseconds /* now */, StreamSource& source)
{
    m_source = &source;
    Fill();
}

void
SocketStream::Fill()
{
    const Nanoseconds now = GetNow();
    while (m_socket && m_source && !m_source->IsExhausted() && !m_nextWrite.IsPending())
    {
        const uint32_t room = m_socket->GetTxAvailable();
        if (room < GetWriteBatch(GetTcpSendBuffer(m_socket)))
        {
            return;
        }
        const auto bytes = static_cast<uint32_t>(m_source->Write(now, room));
        if (bytes == 0)
        {
            m_nextWrite = Simulator::Schedule(NanoSeconds(m_source->GetNextNs() - now),
                                              &SocketStream::Fill,
                                              this); // Detach() cancels it
            return;
        }
        if (m_socket->Send(Create<Packet>(bytes)) < 0)
        {
            return;
        }
        m_source->HandleWritten(now);
    }
}

void
SocketStream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    Fill();
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
    if (StreamSink* const sink = m_terms.isPaced && m_user ? m_user->GetSink() : nullptr)
    {
        return ReadPaced(*sink);
    }
    const auto socket = m_socket;
    const uint32_t segment = socket ? GetTcpSegmentBytes(socket) : 0;
    uint64_t count = 0;
    // A segment at a time: joined with others, a packet's virtual payload would become real
    while (const auto packet = socket ? socket->Recv(segment, 0) : nullptr)
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

void
SocketStream::ReadPaced(StreamSink& sink)
{
    const Nanoseconds now = GetNow();
    while (m_socket && !m_nextRead.IsPending())
    {
        if (sink.GetNextNs() > now)
        {
            m_nextRead = Simulator::Schedule(NanoSeconds(sink.GetNextNs() - now),
                                             &SocketStream::Read,
                                             this); // Detach() cancels it
            return;
        }
        const uint64_t most = std::min<uint64_t>(GetTcpSegmentBytes(m_socket), sink.GetRoom());
        const auto packet = m_socket->Recv(static_cast<uint32_t>(most), 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        sink.Take(now, packet->GetSize());
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
    Lose(StreamLoss::CLOSED);
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
    m_user = nullptr;
    if (const auto socket = Detach())
    {
        socket->Close();
    }
}

void
SocketStream::Reset(Nanoseconds /* now */)
{
    m_user = nullptr;
    m_messages.Drop();
    // The socket may be at work on what has led to this
    if (const auto socket = Detach())
    {
        ResetAcceptedConnection(socket);
    }
}

ConnectionTotals
SocketStream::GetTotals() const
{
    return m_observer ? m_observer->GetTotals() : ConnectionTotals();
}

} // namespace ns3::gridftp
