/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-socket-guarded.h"

#include "gridftp-tcp-scoreboard-repair.h"

#include "ns3/log.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-sack.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpTcpSocketGuarded");

NS_OBJECT_ENSURE_REGISTERED(TcpSocketGuarded);

namespace
{

/**
 * @brief Set all attributes of an object to those of another.
 * @param from the other, of the same type
 * @param to the object
 */
void
CopyAttributes(const Object& from, Object& to)
{
    for (TypeId tid = from.GetInstanceTypeId(); tid != Object::GetTypeId(); tid = tid.GetParent())
    {
        for (std::size_t i = 0; i < tid.GetAttributeN(); ++i)
        {
            const TypeId::AttributeInformation about = tid.GetAttribute(i);
            if (about.accessor->HasGetter() && about.accessor->HasSetter())
            {
                const Ptr<AttributeValue> value = about.checker->Create();
                from.GetAttribute(about.name, *value);
                to.SetAttribute(about.name, *value);
            }
        }
    }
}

/// An RTT estimator that reports what another one measures.
class WatchedRtt : public RttEstimator
{
  public:
    /**
     * @brief Constructor.
     * @param watched the other one
     * @param sample called with the sample and the smoothed RTT behind it
     */
    WatchedRtt(Ptr<RttEstimator> watched, Callback<void, Time, Time> sample)
        : RttEstimator(*watched),
          m_watched(watched),
          m_sample(sample)
    {
    }

    void Measurement(Time t) override
    {
        m_watched->Measurement(t);
        Follow();
        m_sample(t, m_estimatedRtt);
    }

    Ptr<RttEstimator> Copy() const override
    {
        return m_watched->Copy();
    }

    void Reset() override
    {
        m_watched->Reset();
        Follow();
    }

  private:
    void NotifyConstructionCompleted() override
    {
        // From ns-3.46 on the base begins here, where it began in its constructor
        RttEstimator::NotifyConstructionCompleted();
        Follow();
    }

    /// @brief Estimate what the other one does.
    void Follow()
    {
        m_estimatedRtt = m_watched->GetEstimate();
        m_estimatedVariation = m_watched->GetVariation();
        m_nSamples = m_watched->GetNSamples();
    }

    Ptr<RttEstimator> m_watched;         //!< the other one
    Callback<void, Time, Time> m_sample; //!< hears of samples
};

/**
 * @brief Keep a sequence number of the past where it compares as such.
 * @param past the number
 * @param now one that the connection has come to
 */
void
KeepNear(TracedValue<SequenceNumber32>& past, SequenceNumber32 now)
{
    constexpr int32_t MOST = 1 << 30; // the largest window (RFC 7323, Section 2.3)
    if (now - past.Get() > MOST)
    {
        past = now - MOST;
    }
}

} // namespace

TypeId
TcpSocketGuarded::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::TcpSocketGuarded")
                            .SetParent<TcpSocketBase>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<TcpSocketGuarded>();
    return tid;
}

TcpSocketGuarded::TcpSocketGuarded(const TcpSocketGuarded& other)
    : TcpSocketOfOwnType(other),
      m_holdsSmall(other.m_holdsSmall)
{
    if (m_congestionControl)
    {
        // Some copy constructors leave attributes out, and uninitialised
        CopyAttributes(*other.m_congestionControl, *m_congestionControl);
    }
}

Ptr<TcpSocketBase>
TcpSocketGuarded::Fork()
{
    return CopyObject<TcpSocketGuarded>(this);
}

uint32_t
TcpSocketGuarded::AvailableWindow() const
{
    if (m_tcb->m_congState == TcpSocketState::CA_DISORDER && !m_sackEnabled && !m_limitedTx)
    {
        NS_LOG_LOGIC("Held back in CA_DISORDER");
        return 0;
    }
    return IsHeld() ? 0 : TcpSocketBase::AvailableWindow();
}

void
TcpSocketGuarded::HoldSmall()
{
    m_holdsSmall = true;
}

void
TcpSocketGuarded::WatchRtt(Callback<void, Time, Time> sample)
{
    m_rtt = CreateObject<WatchedRtt>(m_rtt, sample);
}

void
TcpSocketGuarded::WatchTimeouts(Callback<void> timeout)
{
    m_timeout = timeout;
}

void
TcpSocketGuarded::ReTxTimeout()
{
    // The base returns in these states, where nothing is unacknowledged, and where it gives up
    const bool isOver = m_state == CLOSED || m_state == TIME_WAIT || m_state == SYN_SENT;
    if (!isOver && m_txBuffer->Size() > 0 && m_dataRetrCount > 0 && !m_timeout.IsNull())
    {
        m_timeout();
    }
    TcpSocketBase::ReTxTimeout();
}

uint32_t
TcpSocketGuarded::GetCwnd() const
{
    return m_tcb->m_cWnd.Get();
}

bool
TcpSocketGuarded::IsHeld() const
{
    if (!m_holdsSmall || m_smallEnd <= m_txBuffer->HeadSequence())
    {
        return false;
    }
    const bool isInRecovery = m_sackEnabled && m_tcb->m_congState == TcpSocketState::CA_RECOVERY;
    SequenceNumber32 next;
    SequenceNumber32 end;
    return m_txBuffer->NextSeg(&next, &end, isInRecovery) && next >= m_tcb->m_highTxMark.Get() &&
           m_txBuffer->SizeFromSequence(next) < m_tcb->m_segmentSize;
}

uint32_t
TcpSocketGuarded::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    const SequenceNumber32 sent = m_tcb->m_highTxMark.Get();
    const uint32_t size = TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
    if (seq >= sent)
    {
        const SequenceNumber32 head = m_txBuffer->HeadSequence();
        m_smallEnd = size < m_tcb->m_segmentSize ? seq + size : std::max(m_smallEnd, head);
    }
    return size;
}

void
TcpSocketGuarded::DoForwardUp(Ptr<Packet> packet,
                              const Address& fromAddress,
                              const Address& toAddress)
{
    if (m_state == LISTEN)
    {
        m_tcb->m_rcvTimestampValue = 0; // of another connection
    }
    // The flags are byte 13 of the header, which is taken apart for the few segments with a FIN
    // only
    std::array<uint8_t, 14> begin{};
    packet->CopyData(begin.data(), begin.size());
    const auto flags = begin.back();
    if (m_state == ESTABLISHED && (flags & TcpHeader::SYN) && (flags & TcpHeader::ACK))
    {
        AnswerSynAck();
        return;
    }
    if (flags & TcpHeader::RST)
    {
        TakeReset(packet, fromAddress, toAddress);
        return;
    }
    if (m_state == ESTABLISHED && (flags & TcpHeader::FIN))
    {
        TrimFront(packet);
    }
    const bool isClosing = m_state == CLOSING || m_state == LAST_ACK;
    if (isClosing && (flags & (TcpHeader::ECE | TcpHeader::CWR)))
    {
        DropEcnFlags(packet);
    }
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    if (m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
    {
        KeepNear(m_ecnCESeq, m_tcb->m_rxBuffer->NextRxSequence());
    }
}

void
TcpSocketGuarded::DropEcnFlags(Ptr<Packet> packet)
{
    TcpHeader header;
    packet->RemoveHeader(header);
    header.SetFlags(header.GetFlags() & ~(TcpHeader::ECE | TcpHeader::CWR));
    packet->AddHeader(header);
}

void
TcpSocketGuarded::TakeReset(Ptr<Packet> packet,
                            const Address& fromAddress,
                            const Address& toAddress)
{
    const Ptr<TcpSocketGuarded> self(this); // the end point that is given up holds it, too
    if (m_state == LISTEN)
    {
        return;
    }
    if (m_state == SYN_SENT)
    {
        NotifyConnectionFailed();
        m_state = CLOSED;
        DeallocateEndPoint();
        return;
    }
    if (m_state != ESTABLISHED)
    {
        TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
        return;
    }
    const bool wasTold = std::exchange(m_closeNotified, true);
    TcpSocketBase::DoForwardUp(packet, fromAddress, toAddress);
    if (!wasTold)
    {
        NotifyErrorClose();
    }
}

void
TcpSocketGuarded::AnswerSynAck()
{
    if (m_txBuffer->Size() == 0)
    {
        NS_LOG_LOGIC("SYN-ACK once more: acknowledged");
        SendEmptyPacket(TcpHeader::ACK);
    }
}

void
TcpSocketGuarded::TrimFront(Ptr<Packet> packet) const
{
    TcpHeader header;
    packet->RemoveHeader(header);
    const auto first = header.GetSequenceNumber();
    const auto next = m_tcb->m_rxBuffer->NextRxSequence();
    if (first < next && next <= first + packet->GetSize())
    {
        NS_LOG_LOGIC("Segment with FIN trimmed from " << first << " to " << next);
        packet->RemoveAtStart(static_cast<uint32_t>(next - first));
        header.SetSequenceNumber(next);
    }
    packet->AddHeader(header);
}

void
TcpSocketGuarded::ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader)
{
    // The base's UpdateWindowSize() has done so, but for the segment that completes the handshake:
    // it looks at the window only before the connection is established. Nothing else depends on
    // it, since the next segment is the first whose sequence number counts, and updates the window
    // in either case.
    m_highRxAckMark = std::max(m_highRxAckMark.Get(), tcpHeader.GetAckNumber());
    if (m_tcb->m_ecnState != TcpSocketState::ECN_DISABLED)
    {
        KeepNear(m_ecnEchoSeq, tcpHeader.GetAckNumber());
        KeepNear(m_ecnCWRSeq, tcpHeader.GetAckNumber());
        const bool endsCwr =
            m_tcb->m_congState == TcpSocketState::CA_CWR && tcpHeader.GetAckNumber() > m_recover;
        m_dupAckCount = endsCwr ? 0 : m_dupAckCount;
    }
    if (m_sackEnabled && tcpHeader.HasOption(TcpOption::SACK))
    {
        if (tcpHeader.GetAckNumber() < m_txBuffer->HeadSequence())
        {
            // An ACK that others have overtaken, at an end that has closed: the base would look for
            // the blocks in its list of segments, which may be empty, and end the process
            if (packet->GetSize() > 0)
            {
                ReceivedData(packet, tcpHeader);
            }
            return;
        }
        const auto sack = DynamicCast<const TcpOptionSack>(tcpHeader.GetOption(TcpOption::SACK));
        RepairScoreboard(*m_txBuffer, sack->GetSackList());
    }
    TcpSocketBase::ReceivedAck(packet, tcpHeader);
}

void
TcpSocketGuarded::UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission)
{
    TcpSocketBase::UpdateRttHistory(seq, sz, isRetransmission);
    if (!isRetransmission || sz > 0)
    {
        return;
    }
    // A SYN: the base looks for its one byte in entries of zero bytes, and finds none
    for (auto& sent : m_history)
    {
        sent.retx = sent.retx || sent.seq == seq;
    }
}

} // namespace ns3::gridftp
