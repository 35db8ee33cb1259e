/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-socket-reno.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpTcpSocketReno");

NS_OBJECT_ENSURE_REGISTERED(TcpSocketReno);

TypeId
TcpSocketReno::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::TcpSocketReno")
            .SetParent<TcpSocketRightSizing>()
            .SetGroupName("GridFtp")
            .AddConstructor<TcpSocketReno>()
            .AddAttribute("AvoidMultipleFastRetransmits",
                          "Start no fast recovery before all data that was outstanding at the last "
                          "one, or at the last timeout, is acknowledged and more (RFC 2582, "
                          "Section 5; ns-2's bugFix_). Not part of RFC 2581.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TcpSocketReno::m_avoidMultipleFastRetransmits),
                          MakeBooleanChecker());
    return tid;
}

Ptr<TcpSocketBase>
TcpSocketReno::Fork()
{
    return CopyObject<TcpSocketReno>(this);
}

bool
TcpSocketReno::FollowsReno() const
{
    return !m_sackEnabled && m_tcb->m_congState != TcpSocketState::CA_CWR &&
           !m_congestionControl->HasCongControl();
}

uint32_t
TcpSocketReno::Window() const
{
    uint32_t cwnd = m_tcb->m_cWnd;
    if (FollowsReno() && m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        cwnd = m_tcb->m_cWndInfl;
    }
    else if (FollowsReno() && m_limitedTx && m_dupAckCount < m_retxThresh &&
             m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        cwnd += m_dupAckCount * m_tcb->m_segmentSize;
    }
    return std::min(m_rWnd.Get(), cwnd);
}

uint32_t
TcpSocketReno::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    const bool idle = FollowsReno() && BytesInFlight() == 0 && m_lastDataSent < Simulator::Now() &&
                      Simulator::Now() - m_lastDataSent > m_rto;
    const uint32_t restartWindow = m_tcb->m_initialCWnd * m_tcb->m_segmentSize;
    if (idle && m_tcb->m_cWnd > restartWindow)
    {
        m_tcb->m_cWnd = restartWindow;
        m_tcb->m_cWndInfl = restartWindow;
    }
    m_lastDataSent = Simulator::Now();
    return TcpSocketRightSizing::SendDataPacket(seq, maxSize, withAck);
}

void
TcpSocketReno::ProcessAck(const SequenceNumber32& ackNumber,
                          bool scoreboardUpdated,
                          uint32_t currentDelivered,
                          const SequenceNumber32& oldHeadSequence,
                          bool receivedData)
{
    NS_LOG_FUNCTION(this << ackNumber << oldHeadSequence << receivedData);

    // An ACK that finds nothing outstanding is no matter of congestion
    const bool idle = ackNumber == oldHeadSequence && ackNumber >= m_tcb->m_highTxMark;
    if (!FollowsReno() || idle)
    {
        TcpSocketRightSizing::ProcessAck(ackNumber,
                                         scoreboardUpdated,
                                         currentDelivered,
                                         oldHeadSequence,
                                         receivedData);
        return;
    }

    m_tcb->m_lastAckedSeq = ackNumber;
    if (ackNumber > oldHeadSequence)
    {
        AckOfNewData(ackNumber, static_cast<uint32_t>(ackNumber - oldHeadSequence));
    }
    else if (!receivedData && !IsWindowUpdate())
    {
        DuplicateAck();
    }
    UpdatePacingRate();
}

void
TcpSocketReno::AckOfNewData(const SequenceNumber32& ackNumber, uint32_t bytesAcked)
{
    const uint32_t bytes = m_bytesAckedNotProcessed + bytesAcked;
    const uint32_t segments = bytes / m_tcb->m_segmentSize;
    m_bytesAckedNotProcessed = bytes % m_tcb->m_segmentSize;

    m_dupAckCount = 0;
    if (ackNumber > m_recover)
    {
        m_recoverActive = false;
    }
    m_congestionControl->PktsAcked(m_tcb, segments, m_tcb->m_srtt);
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        LeaveFastRecovery();
    }
    else
    {
        if (m_txBuffer->GetLost() == 0 && m_tcb->m_congState != TcpSocketState::CA_OPEN)
        {
            ChangeCongState(TcpSocketState::CA_OPEN);
        }
        m_congestionControl->IncreaseWindow(m_tcb, segments);
        m_tcb->m_cWndInfl = m_tcb->m_cWnd;
    }
    NewAck(ackNumber, true);
}

void
TcpSocketReno::DuplicateAck()
{
    ++m_dupAckCount;
    if (m_dupAckCount == 1)
    {
        m_flightAtFirstDupAck = BytesInFlight();
    }
    m_congestionControl->PktsAcked(m_tcb, 1, m_tcb->m_srtt);
    if (m_tcb->m_congState == TcpSocketState::CA_RECOVERY)
    {
        m_tcb->m_cWndInfl += m_tcb->m_segmentSize; // step 3
    }
    else if (m_dupAckCount == m_retxThresh && MayFastRetransmit())
    {
        EnterFastRecovery();
    }
}

bool
TcpSocketReno::MayFastRetransmit() const
{
    return !m_avoidMultipleFastRetransmits || !m_recoverActive || m_tcb->m_lastAckedSeq > m_recover;
}

void
TcpSocketReno::EnterFastRecovery()
{
    const uint32_t flightSize = m_limitedTx ? m_flightAtFirstDupAck : BytesInFlight();
    m_recover = m_tcb->m_highTxMark;
    m_recoverActive = true;
    ChangeCongState(TcpSocketState::CA_RECOVERY);

    m_tcb->m_ssThresh = m_congestionControl->GetSsThresh(m_tcb, flightSize);
    m_tcb->m_cWnd = m_tcb->m_ssThresh;
    m_tcb->m_cWndInfl = m_tcb->m_ssThresh + m_dupAckCount * m_tcb->m_segmentSize;
    NS_LOG_INFO("Fast retransmit of " << m_txBuffer->HeadSequence() << ", FlightSize " << flightSize
                                      << ", ssthresh " << m_tcb->m_ssThresh);

    // Marked lost and then sent again, the segment counts in BytesInFlight() as before
    m_txBuffer->MarkHeadAsLost();
    SendDataPacket(m_txBuffer->HeadSequence(), m_tcb->m_segmentSize, true);
}

void
TcpSocketReno::LeaveFastRecovery()
{
    m_congestionControl->CwndEvent(m_tcb, TcpSocketState::CA_EVENT_COMPLETE_CWR);
    // Where the recovery interrupted the sending again after a timeout, that goes on
    ChangeCongState(m_txBuffer->GetLost() == 0 ? TcpSocketState::CA_OPEN : TcpSocketState::CA_LOSS);
    m_tcb->m_cWnd = m_tcb->m_ssThresh.Get();
    m_tcb->m_cWndInfl = m_tcb->m_cWnd;
}

void
TcpSocketReno::ChangeCongState(TcpSocketState::TcpCongState_t state)
{
    NS_LOG_DEBUG(TcpSocketState::TcpCongStateName[m_tcb->m_congState]
                 << " -> " << TcpSocketState::TcpCongStateName[state]);
    m_congestionControl->CongestionStateSet(m_tcb, state);
    m_tcb->m_congState = state;
}

} // namespace ns3::gridftp
