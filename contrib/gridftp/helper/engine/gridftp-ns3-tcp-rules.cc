/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-tcp-rules.h"

#include "ns3/packet.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"

namespace ns3::gridftp
{

namespace
{

/** A socket without a network, which counts the packets without data that it would send. */
class TrialSocket : public TcpSocketBase
{
  public:
    /** @return whether it sends an ACK when its application reads all of a full receive buffer */
    bool AnnouncesReads()
    {
        constexpr uint32_t BYTES = 1000;
        m_connected = true;
        m_state = ESTABLISHED;
        m_tcb->m_segmentSize = BYTES;
        m_tcb->m_rxBuffer->SetMaxBufferSize(BYTES);
        m_tcb->m_rxBuffer->SetNextRxSequence(SequenceNumber32(1));
        TcpHeader header;
        header.SetSequenceNumber(SequenceNumber32(1));
        m_tcb->m_rxBuffer->Add(Create<Packet>(BYTES), header);
        TcpSocketBase::Recv(BYTES, 0);
        m_state = CLOSED;
        return m_sent > 0;
    }

  private:
    // Inherited from TcpSocketBase
    void SendEmptyPacket(uint8_t /* flags */) override
    {
        ++m_sent;
    }

    uint32_t m_sent{0}; //!< packets without data
};

} // namespace

TcpRules
FindNs3TcpRules()
{
    return {.announcesReads = CreateObject<TrialSocket>()->AnnouncesReads()};
}

} // namespace ns3::gridftp
