/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-connection-observer.h"

#include "gridftp-tcp-socket-right-sizing.h"

namespace ns3::gridftp
{

namespace
{
const Time LARGEST_RTO = Seconds(60); // where ns-3 stops doubling (RFC 6298, section 2.5)
} // namespace

void
ConnectionObserver::Observe(Ptr<Socket> socket)
{
    const Ptr<ConnectionObserver> self(this);
    socket->TraceConnectWithoutContext("Tx", MakeCallback(&ConnectionObserver::HandleTx, self));
    socket->TraceConnectWithoutContext("RTO", MakeCallback(&ConnectionObserver::HandleRto, self));
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
    }
    else if (const auto sizing = DynamicCast<const TcpSocketRightSizing>(socket);
             !sizing || !sizing->IsProbing())
    {
        ++m_totals.retransmissions;
    }
}

void
ConnectionObserver::HandleRto(Time before, Time now)
{
    if (m_started && now > before && now == Min(before + before, LARGEST_RTO))
    {
        ++m_totals.timeouts;
    }
}

} // namespace ns3::gridftp
