/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-connection-observer.h"

#include "gridftp-tcp-socket-right-sizing.h"

#include "ns3/simulator.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{
const Time LARGEST_RTO = Seconds(60); // where ns-3 stops doubling (RFC 6298, section 2.5)
} // namespace

void
ConnectionObserver::Observe(Ptr<Socket> socket, SessionMonitor* session, uint32_t number)
{
    const Ptr<ConnectionObserver> self(this);
    socket->TraceConnectWithoutContext("Tx", MakeCallback(&ConnectionObserver::HandleTx, self));
    if (const auto guarded = DynamicCast<TcpSocketGuarded>(socket))
    {
        guarded->WatchTimeouts(MakeCallback(&ConnectionObserver::HandleTimeout, self));
    }
    else
    {
        socket->TraceConnectWithoutContext("RTO",
                                           MakeCallback(&ConnectionObserver::HandleRto, self));
    }
    if (session)
    {
        m_monitor.Begin(session, number);
        Watch(socket);
    }
}

void
ConnectionObserver::Watch(Ptr<Socket> socket)
{
    const Ptr<ConnectionObserver> self(this);
    socket->TraceConnectWithoutContext("State",
                                       MakeCallback(&ConnectionObserver::HandleState, self));
    socket->TraceConnectWithoutContext("CongestionWindow",
                                       MakeCallback(&ConnectionObserver::HandleCwnd, self));
    // An ACK that was delayed may come with the FIN of the receiver, which engine segment does not
    // model as a packet with an ACK: nothing of that counts
    const Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>> endAtFin(
        [self](Ptr<const Packet> /* packet */,
               const TcpHeader& header,
               Ptr<const TcpSocketBase> /* socket */) {
            if ((header.GetFlags() & TcpHeader::FIN) != 0)
            {
                self->End();
            }
        });
    socket->TraceConnectWithoutContext("Rx", endAtFin);
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    tcp->GetTxBuffer()->TraceConnectWithoutContext(
        "UnackSequence",
        MakeCallback(&ConnectionObserver::HandleAcknowledged, self));
    if (const auto guarded = DynamicCast<TcpSocketGuarded>(socket))
    {
        guarded->WatchRtt(MakeCallback(&ConnectionObserver::HandleSample, self));
        m_cwnd = guarded->GetCwnd();
    }
    if (Address peer; socket->GetPeerName(peer) == 0)
    {
        m_monitor.Open(Simulator::Now().GetNanoSeconds(), m_cwnd); // it was accepted
    }
}

void
ConnectionObserver::HandleState(TcpSocket::TcpStates_t /* before */, TcpSocket::TcpStates_t now)
{
    if (now == TcpSocket::ESTABLISHED)
    {
        m_monitor.Open(Simulator::Now().GetNanoSeconds(), m_cwnd);
    }
}

void
ConnectionObserver::HandleCwnd(uint32_t /* before */, uint32_t now)
{
    m_cwnd = now;
    m_monitor.SetCwnd(Simulator::Now().GetNanoSeconds(), now);
}

void
ConnectionObserver::HandleAcknowledged(SequenceNumber32 before, SequenceNumber32 now)
{
    if (!m_started || now <= before)
    {
        return; // of the SYN
    }
    // The number of the FIN is none of the data
    const int32_t bytes = std::min(now, m_highest) - before;
    if (bytes > 0)
    {
        m_acknowledged += static_cast<uint64_t>(bytes);
        m_monitor.Acknowledge(Simulator::Now().GetNanoSeconds(), m_acknowledged);
    }
}

void
ConnectionObserver::HandleSample(Time sample, Time /* smoothed */)
{
    m_monitor.AddSample(sample.GetNanoSeconds());
}

const ConnectionTotals&
ConnectionObserver::GetTotals() const
{
    return m_totals;
}

void
ConnectionObserver::HandleTx(Ptr<const Packet> packet,
                             const TcpHeader& header,
                             Ptr<const TcpSocketBase> socket)
{
    const uint32_t size = packet->GetSize();
    if (size == 0)
    {
        return;
    }
    const SequenceNumber32 sequence = header.GetSequenceNumber();
    if (!m_started || sequence >= m_highest)
    {
        m_started = true;
        m_highest = sequence + size;
        ++m_totals.segments;
        m_monitor.CountSegment(false);
    }
    else if (const auto sizing = DynamicCast<const TcpSocketRightSizing>(socket);
             !sizing || !sizing->IsProbing())
    {
        ++m_totals.retransmissions;
        m_monitor.CountSegment(true);
    }
}

void
ConnectionObserver::HandleRto(Time before, Time now)
{
    if (now > before && now == Min(before + before, LARGEST_RTO))
    {
        HandleTimeout();
    }
}

void
ConnectionObserver::HandleTimeout()
{
    if (m_started)
    {
        ++m_totals.timeouts;
        m_monitor.CountTimeout();
    }
}

} // namespace ns3::gridftp
