/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/**
 * Dynamic right-sizing in the kernel (Gardner, Thulasidasan and Feng, Section 3).
 *
 * What arrives within less than a round-trip time was sent with one window, so it is a lower bound
 * of the sender's cwnd, which slow start may double until the next window: the receive buffer is
 * at least twice that bound. The round-trip time is an upper bound, and where the sender has
 * nothing to send, a bad one: then more than one window may come within it, but it comes from a
 * sender that does not need a larger one, and the buffer never shrinks.
 */
class DrsKernelPolicy final : public BufferPolicy
{
  public:
    uint64_t Decide(const ReceiveSignals& signals) override
    {
        const uint64_t before = m_arrived;
        m_arrived = signals.arrived;
        if (signals.rttNs == 0 || m_arrived == before)
        {
            return signals.bufferBytes;
        }
        if (m_startNs >= 0 && signals.nowNs < m_startNs + signals.rttNs)
        {
            return signals.bufferBytes;
        }
        // What has just come is no longer of the time that ends, but of the next
        const uint64_t bound = m_startNs < 0 ? 0 : before - m_first;
        m_startNs = signals.nowNs;
        m_first = before;
        return std::max(signals.bufferBytes, 2 * bound);
    }

  private:
    int64_t m_startNs{-1}; //!< when the time that is measured began, ns
    uint64_t m_first{0};   //!< bytes that had arrived before
    uint64_t m_arrived{0}; //!< bytes that have arrived
};

} // namespace

BufferPolicyKind
DeclareDrsKernel()
{
    return {
        .name = "drs-kernel",
        .help = "receive buffer: twice the bytes of a round trip (Gardner et al., Section 3)",
        .moves = true,
        .make = []() -> std::unique_ptr<BufferPolicy> {
            return std::make_unique<DrsKernelPolicy>();
        },
    };
}

} // namespace ns3::gridftp
