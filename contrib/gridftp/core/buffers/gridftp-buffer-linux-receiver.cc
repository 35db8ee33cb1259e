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
 * Receiver auto-tuning as Linux has it since 4.20 (tcp_rcv_space_adjust() in net/ipv4/tcp_input.c):
 * a round trip in which the application took c bytes, more than the most of any before, p, makes
 * the buffer w + 2 w (c - p) / p, where w is 2 c and 16 segments. So it leads a slow start that
 * still accelerates by more than twice, and steady traffic by twice. Without the overhead of
 * buffers that Linux counts on top: all of a buffer here is window.
 */
class LinuxReceiverPolicy final : public BufferPolicy
{
  public:
    uint64_t Decide(const ReceiveSignals& signals) override
    {
        if (m_startNs < 0)
        {
            constexpr uint64_t INITIAL_SEGMENTS = 10; // TCP_INIT_CWND
            m_most = std::min(signals.bufferBytes, INITIAL_SEGMENTS * signals.segmentBytes);
            Restart(signals, 0);
            return signals.bufferBytes;
        }
        const bool hasRead = signals.read != m_read;
        m_read = signals.read;
        if (!hasRead || signals.rttNs == 0 || signals.nowNs - m_startNs < signals.rttNs)
        {
            return signals.bufferBytes;
        }
        const uint64_t taken = signals.read - m_first;
        Restart(signals, signals.read);
        if (taken <= m_most)
        {
            return signals.bufferBytes;
        }
        constexpr uint64_t SLACK_SEGMENTS = 16;
        const uint64_t window = 2 * taken + SLACK_SEGMENTS * signals.segmentBytes;
        const uint64_t growth = window * (taken - m_most) / m_most;
        m_most = taken;
        return window + 2 * growth;
    }

  private:
    /** Begins to measure. @param signals of now @param first bytes taken before */
    void Restart(const ReceiveSignals& signals, uint64_t first)
    {
        m_startNs = signals.nowNs;
        m_first = first;
    }

    int64_t m_startNs{-1}; //!< when the time that is measured began, ns
    uint64_t m_first{0};   //!< bytes that the application had taken before
    uint64_t m_read{0};    //!< bytes that it has taken
    uint64_t m_most{0};    //!< most that it took in a round trip
};

} // namespace

BufferPolicyKind
DeclareLinuxReceiver()
{
    return {
        .name = "linux-receiver",
        .help = "receive buffer: as Linux tunes it (tcp_rcv_space_adjust, since 4.20)",
        .moves = true,
        .make = []() -> std::unique_ptr<BufferPolicy> {
            return std::make_unique<LinuxReceiverPolicy>();
        },
    };
}

} // namespace ns3::gridftp
