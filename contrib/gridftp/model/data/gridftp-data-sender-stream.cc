/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sender-stream.h"

#include "gridftp-block-header.h"
#include "gridftp-host-processor.h"
#include "gridftp-tcp-reset.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataSenderStream");

void
DataSender::Stream::OpenAfter(Time delay)
{
    if (delay.IsZero())
    {
        Open();
    }
    else
    {
        m_openEvent = Simulator::Schedule(delay, &Stream::Open, this);
    }
}

void
DataSender::Stream::Open()
{
    m_socket = CreateTcpSocket(m_owner.m_node, m_owner.m_tcp);
    m_buffers = SetTcpBuffers(m_socket, m_owner.m_buffers);
    m_observer->Observe(m_socket, m_owner.m_monitor, m_index);
    m_security.Configure(m_owner.m_security, false, MakeCallback(&Stream::Fill, this));
    if (m_buffers.GetChannel() == SizingChannel::DATA || !m_security.IsDone())
    {
        m_socket->SetRecvCallback(MakeCallback(&Stream::HandleRead, this));
    }
    m_socket->SetConnectCallback(MakeCallback(&Stream::HandleConnected, this),
                                 MakeCallback(&Stream::HandleRefused, this));
    m_socket->SetSendCallback(MakeCallback(&Stream::HandleRoom, this));
    m_socket->SetCloseCallbacks(MakeCallback(&Stream::HandlePeerClose, this),
                                MakeCallback(&Stream::HandleError, this));
    const bool bound = m_socket->Bind() == 0;
    m_owner.m_opened(m_socket, m_owner.m_order.chunk, m_index);
    if (!bound || m_socket->Connect(m_owner.m_peers[GetReceiver()]) != 0)
    {
        m_owner.Fail(425, "cannot open data connection " + std::to_string(m_index));
    }
}

void
DataSender::Stream::Begin()
{
    m_active = true;
    m_ended = false;
    m_drained = false;
    m_feed.reset();
    auto stages = FindSourceStages(m_owner.m_node, m_owner.m_buffers, m_owner.m_order.offset);
    stages.storage.opening = m_owner.m_opening;
    if (stages.IsTimed())
    {
        m_feed.emplace(m_owner.m_schedulers[m_pair], m_stream, stages);
    }
    if (m_connected)
    {
        Fill();
    }
}

void
DataSender::Stream::Close()
{
    if (const auto socket = Release())
    {
        socket->Close();
    }
}

void
DataSender::Stream::Reset()
{
    if (const auto socket = Release())
    {
        ResetTcpConnection(socket);
    }
}

void
DataSender::Stream::Break()
{
    Reset();
    m_connected = false;
    m_owner.Fail(426,
                 "data connection " + std::to_string(m_index) +
                     " was reset or gave up its retries");
}

void
DataSender::Stream::GrowSendBuffer(uint64_t bytes)
{
    if (!m_socket || bytes <= GetTcpSendBuffer(m_socket))
    {
        return;
    }
    GrowTcpSendBuffer(m_socket, bytes);
    if (m_connected)
    {
        Fill();
    }
}

Ptr<Socket>
DataSender::Stream::Release()
{
    m_openEvent.Cancel();
    m_restEvent.Cancel();
    m_security.Stop();
    m_observer->End();
    if (!m_socket)
    {
        return nullptr;
    }
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    return std::exchange(m_socket, nullptr);
}

void
DataSender::Stream::Fill()
{
    while (m_active && m_security.IsDone() && !(m_ended && !m_header) && !m_restEvent.IsPending())
    {
        const uint32_t room = m_socket->GetTxAvailable();
        if (room < GetWriteBatch(GetTcpSendBuffer(m_socket)))
        {
            return;
        }
        if (!Refill())
        {
            return Rest(m_feed->GetNextNs() - Simulator::Now().GetNanoSeconds());
        }
        const bool rests = m_buffers.writeRate > 0;
        const auto most = static_cast<uint32_t>(m_buffers.segmentBytes);
        if (!Write(rests ? std::min(room, most) : room))
        {
            return;
        }
        Fetch();
        if (rests)
        {
            const uint32_t written = room - m_socket->GetTxAvailable();
            Rest(GetWorkNs(written, m_buffers.writeRate));
        }
    }
}

void
DataSender::Stream::Rest(int64_t ns)
{
    m_restEvent = Simulator::Schedule(NanoSeconds(ns), &Stream::Fill, this);
}

void
DataSender::Stream::Fetch()
{
    if (m_feed && !m_header && m_payload == 0)
    {
        m_feed->Fetch(Simulator::Now().GetNanoSeconds());
    }
}

bool
DataSender::Stream::IsNextReady()
{
    Fetch();
    return !m_feed || m_feed->GetNextNs() <= Simulator::Now().GetNanoSeconds();
}

bool
DataSender::Stream::Refill()
{
    if (m_header || m_payload > 0)
    {
        return true;
    }
    if (!IsNextReady())
    {
        return false;
    }
    const Block block = m_feed ? m_feed->Take() : m_owner.m_schedulers[m_pair].Next(m_stream);
    BlockHeader header = BlockHeader::Data(block.offset, block.length);
    if (block.length == 0)
    {
        m_ended = true;
        const StripePlan& plan = m_owner.m_plan;
        const bool endsFile =
            m_stream == 0 && plan.GetFirstSender(GetReceiver()) == m_owner.m_order.stripe;
        const uint64_t ends = m_owner.GetConnections().GetEnds(plan, GetReceiver());
        header = endsFile ? BlockHeader::EndOfDataAndFile(ends) : BlockHeader::EndOfData();
    }
    m_payload = block.length;
    if (m_sizingsOwed > 0)
    {
        --m_sizingsOwed;
        header = header.Acknowledging();
    }
    m_header = Create<Packet>();
    m_header->AddHeader(header);
    return true;
}

bool
DataSender::Stream::Write(uint32_t room)
{
    const uint32_t headerSize = m_header ? m_header->GetSize() : 0;
    if (headerSize > room)
    {
        // Not even the header fits: the socket refuses a write larger than its room as a whole.
        if (m_socket->Send(m_header->CreateFragment(0, room)) < 0)
        {
            return false;
        }
        m_header->RemoveAtStart(room);
        return true;
    }
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(room - headerSize, m_payload));
    auto packet = Create<Packet>(size);
    if (m_header)
    {
        auto whole = m_header->Copy();
        whole->AddAtEnd(packet);
        packet = whole;
    }
    if (m_socket->Send(packet) < 0)
    {
        return false;
    }
    m_header = nullptr;
    m_payload -= size;
    return true;
}

void
DataSender::Stream::CheckDrained()
{
    if (m_active && m_ended && !m_header && !m_drained &&
        m_socket->GetTxAvailable() == GetTcpSendBuffer(m_socket))
    {
        m_drained = true;
        m_owner.HandleDrained(m_pair);
    }
}

void
DataSender::Stream::HandleConnected(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << m_index);
    m_connected = true;
    if (!m_security.IsDone())
    {
        return m_security.Begin(m_socket); // which leads to Fill()
    }
    Fill();
}

void
DataSender::Stream::HandleRefused(Ptr<Socket> /* socket */)
{
    m_owner.Fail(425, "data connection " + std::to_string(m_index) + " was refused");
}

void
DataSender::Stream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    if (!m_security.IsDone())
    {
        return m_security.HandleRoom();
    }
    if (!m_ended || m_header)
    {
        Fill();
        return;
    }
    CheckDrained();
}

void
DataSender::Stream::HandleRead(Ptr<Socket> socket)
{
    if (!m_security.IsDone())
    {
        m_security.HandleRead(socket);
    }
    if (m_security.IsDone() && m_buffers.GetChannel() == SizingChannel::DATA)
    {
        HandleSizing(socket);
    }
}

void
DataSender::Stream::HandleSizing(Ptr<Socket> socket)
{
    while (const auto packet = socket->Recv())
    {
        if (packet->GetSize() == 0)
        {
            return;
        }
        for (const auto& message : m_sizings.Feed(packet))
        {
            ++m_sizingsOwed;
            GrowSendBuffer(GetSendBufferAskedFor(m_buffers, message));
        }
        if (!m_sizings.GetError().empty())
        {
            m_owner.Fail(426,
                         "data connection " + std::to_string(m_index) + ": " +
                             m_sizings.GetError());
            return;
        }
    }
}

void
DataSender::Stream::HandlePeerClose(Ptr<Socket> /* socket */)
{
    if (m_active)
    {
        m_owner.Fail(426, "data connection " + std::to_string(m_index) + " was closed by the peer");
    }
}

void
DataSender::Stream::HandleError(Ptr<Socket> /* socket */)
{
    m_owner.Fail(m_connected ? 426 : 425,
                 "data connection " + std::to_string(m_index) +
                     (m_connected ? " was reset or gave up its retries" : " was refused"));
}

} // namespace ns3::gridftp
