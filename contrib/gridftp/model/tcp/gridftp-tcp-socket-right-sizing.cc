/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-socket-right-sizing.h"

#include "ns3/ipv4-end-point.h"
#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpTcpSocketRightSizing");

NS_OBJECT_ENSURE_REGISTERED(TcpSocketRightSizing);

namespace
{

/// @return the time, ns
int64_t
GetNow()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace

TypeId
TcpSocketRightSizing::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::TcpSocketRightSizing")
            .SetParent<TcpSocketGuarded>()
            .SetGroupName("GridFtp")
            .AddConstructor<TcpSocketRightSizing>()
            .AddTraceSource("Buffers",
                            "The buffers of the connection may have changed.",
                            MakeTraceSourceAccessor(&TcpSocketRightSizing::m_buffersTrace),
                            "ns3::gridftp::TcpSocketRightSizing::BuffersTracedCallback");
    return tid;
}

TcpSocketRightSizing::TcpSocketRightSizing(const TcpSocketRightSizing& other)
    : TcpSocketGuarded(other),
      m_settings(other.m_settings)
{
}

TcpSocketRightSizing::~TcpSocketRightSizing()
{
    LeavePool();
    m_probeEvent.Cancel();
}

Ptr<TcpSocketBase>
TcpSocketRightSizing::Fork()
{
    return CopyObject<TcpSocketRightSizing>(this);
}

void
TcpSocketRightSizing::SetBuffers(const BufferSettings& settings)
{
    m_settings = settings;
    SetAttribute("RcvBufSize", UintegerValue(settings.GetMostWindow()));
    SetAttribute("SndBufSize", UintegerValue(settings.GetFirstSendBuffer()));
}

uint32_t
TcpSocketRightSizing::GetSendBuffer() const
{
    return m_txBuffer->MaxBufferSize();
}

void
TcpSocketRightSizing::GrowSendBuffer(uint64_t bytes)
{
    if (IsMoving() && bytes > m_txBuffer->MaxBufferSize())
    {
        m_txBuffer->SetMaxBufferSize(static_cast<uint32_t>(bytes));
    }
}

void
TcpSocketRightSizing::ResizeReceiveBuffer(uint64_t bytes)
{
    if (m_buffer)
    {
        m_buffer->Resize(GetNow(), bytes);
    }
}

const ReceiveBuffer*
TcpSocketRightSizing::GetReceiveBuffer() const
{
    return m_buffer ? &*m_buffer : nullptr;
}

BufferState
TcpSocketRightSizing::GetBufferState() const
{
    const SequenceNumber32 sent = std::max(m_tcb->m_highTxMark.Get(), m_txBuffer->HeadSequence());
    const SendBufferState send{m_txBuffer->MaxBufferSize(),
                               static_cast<uint64_t>(m_txBuffer->TailSequence() - sent)};
    if (m_buffer)
    {
        return {ReceiveBufferState{m_buffer->GetSize(),
                                   m_buffer->GetAdvertised(),
                                   m_buffer->GetUnread()},
                send};
    }
    const auto& received = *m_tcb->m_rxBuffer;
    const uint64_t bytes = m_tcb->m_rxBuffer->MaxBufferSize();
    // The window of the SYN-ACK is not scaled
    const uint32_t shift = received.NextRxSequence() > SequenceNumber32(1) ? m_rcvWindShift : 0;
    const uint64_t advertised = std::min(bytes >> shift, LARGEST_WINDOW_FIELD) << shift;
    return {ReceiveBufferState{bytes, advertised, m_tcb->m_rxBuffer->Available()}, send};
}

void
TcpSocketRightSizing::TraceBuffers() const
{
    const bool isOpen = m_state == ESTABLISHED && !m_closing && !m_tcb->m_rxBuffer->GotFin();
    if (isOpen && !m_buffersTrace.IsEmpty())
    {
        m_buffersTrace(GetBufferState());
    }
}

bool
TcpSocketRightSizing::IsProbing() const
{
    return m_probing;
}

bool
TcpSocketRightSizing::IsMoving() const
{
    return m_settings && m_settings->AreMoving();
}

bool
TcpSocketRightSizing::IsWindowUpdate() const
{
    return IsMoving() && m_rWnd != m_windowBefore;
}

void
TcpSocketRightSizing::Open()
{
    if (m_buffer || m_state < ESTABLISHED)
    {
        return;
    }
    m_buffer.emplace(*m_settings, m_winScalingEnabled ? m_rcvWindShift : 0);
    m_buffer->Open(GetNow(), m_rtt->GetNSamples() > 0 ? m_rtt->GetEstimate().GetNanoSeconds() : 0);
    m_nextSeen = m_tcb->m_rxBuffer->NextRxSequence();
    // What is promised may be more than the buffer, by less than a unit of the window field
    const uint64_t bound = m_settings->GetMostWindow() + (uint64_t{1} << m_buffer->GetShift());
    m_tcb->m_rxBuffer->SetMaxBufferSize(static_cast<uint32_t>(bound));
}

// Receiving

void
TcpSocketRightSizing::NoteArrival()
{
    const auto& received = *m_tcb->m_rxBuffer;
    const SequenceNumber32 next =
        m_tcb->m_rxBuffer->Finished() ? received.NextRxSequence() - 1 : received.NextRxSequence();
    if (m_buffer && next > m_nextSeen)
    {
        m_arrived += static_cast<uint32_t>(next - m_nextSeen);
        m_nextSeen = next;
        m_buffer->HandleArrival(GetNow(), m_arrived);
    }
}

void
TcpSocketRightSizing::ReceivedData(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    if (!IsMoving())
    {
        TcpSocketGuarded::ReceivedData(packet, tcpHeader);
        return;
    }
    Open();
    m_receiving = true;
    TcpSocketGuarded::ReceivedData(packet, tcpHeader);
    m_receiving = false;
    NoteArrival();
}

Ptr<Packet>
TcpSocketRightSizing::Recv(uint32_t maxSize, uint32_t flags)
{
    m_reading = true;
    const auto packet = TcpSocketGuarded::Recv(maxSize, flags);
    m_reading = false;
    if (!IsMoving() || !packet || packet->GetSize() == 0)
    {
        return packet;
    }
    Open();
    NoteArrival();
    m_buffer->HandleRead(GetNow(), packet->GetSize());
    if (!m_receiving && m_state == ESTABLISHED && m_buffer->IsUpdateDue())
    {
        SendUpdate();
    }
    TraceBuffers();
    return packet;
}

void
TcpSocketRightSizing::SendUpdate()
{
    const bool echoes = m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
                        m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
    if (!echoes)
    {
        SendEmptyPacket(TcpHeader::ACK);
        return;
    }
    SendEmptyPacket(TcpHeader::ACK | TcpHeader::ECE);
    m_tcb->m_ecnState = TcpSocketState::ECN_SENDING_ECE;
}

uint16_t
TcpSocketRightSizing::AdvertisedWindowSize(bool scale) const
{
    if (!IsMoving())
    {
        return TcpSocketGuarded::AdvertisedWindowSize(scale);
    }
    if (m_reading)
    {
        // From ns-3.49 on the base compares the window before and after a read, to announce one
        // that reopens. Recv() does so by the rule of ReceiveBuffer, for which nothing is sent here
        return 0;
    }
    if (!scale || m_state < ESTABLISHED)
    {
        return static_cast<uint16_t>(std::min(m_settings->window, LARGEST_WINDOW_FIELD));
    }
    // The base's is const, too, and changes what it traces
    auto* self = const_cast<TcpSocketRightSizing*>(this);
    self->Open();
    self->NoteArrival();
    const uint32_t field = self->m_buffer->Advertise(GetNow());
    self->m_advWnd = field << m_buffer->GetShift();
    self->KeepPromise();
    TraceBuffers();
    return static_cast<uint16_t>(field);
}

void
TcpSocketRightSizing::KeepPromise()
{
    const uint64_t promised = m_buffer->GetEdge() - m_buffer->GetRead();
    if (promised > m_tcb->m_rxBuffer->MaxBufferSize())
    {
        m_tcb->m_rxBuffer->SetMaxBufferSize(static_cast<uint32_t>(promised));
    }
}

// Sending

int
TcpSocketRightSizing::Send(Ptr<Packet> p, uint32_t flags)
{
    const int sent = TcpSocketGuarded::Send(p, flags);
    if (IsMoving())
    {
        CheckBlocked();
    }
    TraceBuffers();
    return sent;
}

int
TcpSocketRightSizing::Close()
{
    m_closing = true;
    LeavePool();
    return TcpSocketGuarded::Close();
}

uint32_t
TcpSocketRightSizing::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    const uint32_t sent = TcpSocketGuarded::SendDataPacket(seq, maxSize, withAck);
    TraceBuffers();
    return sent;
}

void
TcpSocketRightSizing::DoForwardUp(Ptr<Packet> packet,
                                  const Address& fromAddress,
                                  const Address& toAddress)
{
    const bool isOpening = m_state == SYN_SENT;
    FollowPool(packet);
    if (IsMoving())
    {
        m_windowBefore = m_rWnd;
        m_probesLeft = m_dataRetries;
        FollowWindow(packet);
    }
    TcpSocketGuarded::DoForwardUp(packet, fromAddress, toAddress);
    if (isOpening && m_state == ESTABLISHED)
    {
        JoinPool();
    }
    if (IsMoving())
    {
        Open();
        CheckBlocked();
    }
    TraceBuffers();
}

void
TcpSocketRightSizing::JoinPool()
{
    if (m_settings && m_settings->sendPool > 0)
    {
        m_memory = HostMemory::Of(GetNode(), *m_settings);
        m_member = m_memory->GetPool().Join();
        TakeShare();
    }
}

void
TcpSocketRightSizing::LeavePool()
{
    if (m_memory)
    {
        m_memory->GetPool().Leave(m_member);
        m_memory = nullptr;
    }
}

void
TcpSocketRightSizing::TakeShare()
{
    const uint64_t share = m_memory->GetPool().GetShare(m_member);
    m_txBuffer->SetMaxBufferSize(std::max(static_cast<uint32_t>(share), m_txBuffer->Size()));
}

void
TcpSocketRightSizing::FollowPool(Ptr<const Packet> packet)
{
    if (!m_memory || m_state != ESTABLISHED)
    {
        return;
    }
    std::array<uint8_t, 14> begin{}; // up to the flags
    packet->CopyData(begin.data(), begin.size());
    if ((begin.back() & (TcpHeader::SYN | TcpHeader::FIN | TcpHeader::RST)) == 0)
    {
        const uint32_t cwnd = m_tcb->m_cWnd;
        m_memory->GetPool().Follow(m_member, std::min(cwnd, m_rWnd.Get()));
        TakeShare();
    }
}

void
TcpSocketRightSizing::FollowWindow(Ptr<const Packet> packet)
{
    if (m_state != ESTABLISHED || !m_settings->DoesSendBufferFollow())
    {
        return;
    }
    std::array<uint8_t, 16> begin{}; // up to the window field
    packet->CopyData(begin.data(), begin.size());
    const uint64_t field = static_cast<uint64_t>(begin[14]) << 8 | begin[15];
    const uint64_t wanted = GetSendBufferFor(field << m_sndWindShift);
    if ((begin[13] & TcpHeader::SYN) == 0 && wanted > m_txBuffer->MaxBufferSize())
    {
        m_txBuffer->SetMaxBufferSize(static_cast<uint32_t>(wanted));
    }
}

void
TcpSocketRightSizing::ProcessAck(const SequenceNumber32& ackNumber,
                                 bool scoreboardUpdated,
                                 uint32_t currentDelivered,
                                 const SequenceNumber32& oldHeadSequence,
                                 bool receivedData)
{
    // Like data, another window makes an ACK no duplicate
    TcpSocketGuarded::ProcessAck(ackNumber,
                                 scoreboardUpdated,
                                 currentDelivered,
                                 oldHeadSequence,
                                 receivedData || IsWindowUpdate());
}

void
TcpSocketRightSizing::CheckBlocked()
{
    const uint32_t waiting = m_txBuffer->Size();
    const bool isBlocked = m_state == ESTABLISHED && waiting > 0 && UnAckDataCount() == 0 &&
                           m_rWnd < std::min(waiting, m_tcb->m_segmentSize);
    if (!isBlocked)
    {
        m_probeEvent.Cancel();
        return;
    }
    m_retxEvent.Cancel();
    if (!m_probeEvent.IsPending())
    {
        m_probesLeft = m_dataRetries;
        m_probeTimeout = m_rto;
        m_probeEvent = Simulator::Schedule(m_probeTimeout, &TcpSocketRightSizing::Probe, this);
    }
}

void
TcpSocketRightSizing::Probe()
{
    NS_LOG_FUNCTION(this);
    if (m_state != ESTABLISHED || !m_endPoint)
    {
        return;
    }
    if (m_rWnd.Get() > 0)
    {
        m_tcb->m_nextTxSequence = m_tcb->m_highTxMark;
        m_tcb->m_nextTxSequence += SendDataPacket(m_tcb->m_nextTxSequence, m_rWnd, true);
        return;
    }
    if (m_probesLeft == 0)
    {
        NotifyErrorClose();
        DeallocateEndPoint();
        return;
    }
    --m_probesLeft;
    SendProbe();
    m_probeTimeout = std::min(2 * m_probeTimeout, Seconds(60));
    m_probeEvent = Simulator::Schedule(m_probeTimeout, &TcpSocketRightSizing::Probe, this);
}

void
TcpSocketRightSizing::SendProbe()
{
    TcpHeader header;
    header.SetFlags(TcpHeader::ACK);
    header.SetSequenceNumber(m_txBuffer->HeadSequence() - 1);
    header.SetAckNumber(m_tcb->m_rxBuffer->NextRxSequence());
    header.SetSourcePort(m_endPoint->GetLocalPort());
    header.SetDestinationPort(m_endPoint->GetPeerPort());
    header.SetWindowSize(AdvertisedWindowSize());
    AddOptions(header);
    const auto packet = Create<Packet>(1);
    m_probing = true;
    m_txTrace(packet, header, this);
    m_probing = false;
    m_tcp->SendPacket(packet,
                      header,
                      m_endPoint->GetLocalAddress(),
                      m_endPoint->GetPeerAddress(),
                      m_boundnetdevice);
}

void
TcpSocketRightSizing::PersistTimeout()
{
    if (!IsMoving())
    {
        TcpSocketGuarded::PersistTimeout();
    }
}

void
TcpSocketRightSizing::ReTxTimeout()
{
    // Where the base gives up, whoever has the socket may let go of it
    const Ptr<TcpSocketRightSizing> self(this);
    TcpSocketGuarded::ReTxTimeout();
    // The base sends nothing again while the window is less than a segment and more is waiting, and
    // sets no timer; what Probe() sent was as long as such a window
    const bool isHeld = IsMoving() && m_state == ESTABLISHED && m_endPoint &&
                        UnAckDataCount() > 0 && !m_retxEvent.IsPending();
    if (isHeld && m_rWnd.Get() > 0)
    {
        const uint32_t most = std::min(m_rWnd.Get(), m_tcb->m_segmentSize);
        m_tcb->m_nextTxSequence = m_txBuffer->HeadSequence();
        m_tcb->m_nextTxSequence += SendDataPacket(m_tcb->m_nextTxSequence, most, true);
    }
}

} // namespace ns3::gridftp
