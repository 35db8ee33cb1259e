/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-tcp-rules.h"

#include "gridftp-tcp-scoreboard-repair.h"

#include "ns3/packet.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-rx-buffer.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

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

/// Whether ns-3's PRR has its issues 1282, 1350 and 1351 corrected: the last of them gave this
/// function a further parameter.
constexpr bool HAS_CORRECTED_PRR =
    !std::is_same_v<decltype(&TcpRecoveryOps::EnterRecovery),
                    void (TcpRecoveryOps::*)(Ptr<TcpSocketState>, uint32_t, uint32_t, uint32_t)>;

/** @param scenario any @return whether an attribute makes PRR the loss recovery */
bool
HasPrr(const Scenario& scenario)
{
    return std::ranges::any_of(scenario.measure.attributes, [](const std::string& assignment) {
        return assignment.find("::RecoveryType=") != assignment.npos &&
               assignment.ends_with("TcpPrrRecovery");
    });
}

} // namespace

TcpRules
FindNs3TcpRules()
{
    return {.announcesReads = CreateObject<TrialSocket>()->AnnouncesReads()};
}

std::vector<std::string>
DescribeNs3Faults(const Scenario& scenario)
{
    std::vector<std::string> faults;
    if (scenario.tcp.sack && !HasRepairedScoreboard())
    {
        faults.emplace_back(
            "--sack=on: this ns-3 miscounts segments that are sent again, and misses "
            "those that are lost again (its issues 1190 and 1349); corrected here as "
            "in later versions of ns-3");
    }
    if (!HAS_CORRECTED_PRR && HasPrr(scenario))
    {
        faults.emplace_back(
            "TcpPrrRecovery: PRR of this ns-3 miscounts, and may hardly send (its "
            "issues 1282, 1350 and 1351); not corrected here, but in later versions "
            "of ns-3");
    }
    return faults;
}

} // namespace ns3::gridftp
