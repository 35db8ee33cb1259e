/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SENDER_BENCH_H
#define GRIDFTP_SENDER_BENCH_H

#include "gridftp-segment-options.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-tcp.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace ns3::gridftp
{

/// A SegmentSender without a network: a test makes its ACKs and reads what it sends. Derived
/// classes write down each segment (SendSegment()) and call Start() in their constructor.
class SenderBench : public SegmentSender::Port
{
  public:
    static constexpr uint64_t SEGMENT = 1000;                   ///< MSS, bytes
    static constexpr Nanoseconds MILLISECOND = 1'000'000;       ///< one
    static constexpr Nanoseconds FIRST_RTT = 100 * MILLISECOND; ///< RTT of the handshake

    void ArmTimer(SegmentSender&) override
    {
    }

    void HandleDrained(SegmentSender&) override
    {
    }

    void HandleRest(SegmentSender&) override
    {
    }

    void HandleGaveUp(SegmentSender&) override
    {
    }

    void HandleWindow(const SegmentSender&) override
    {
    }

    /// @return what was sent since the last call
    std::string Take()
    {
        return std::exchange(m_sent, "");
    }

  protected:
    /// @param tcp settings that matter to the test @param initial cwnd, segments
    explicit SenderBench(SegmentTcp tcp, uint32_t initial = 10)
        : m_tcp(Complete(tcp, initial)),
          sender(m_tcp, *this, 0)
    {
    }

    /// The connection opens and the application writes. @param segments that it writes
    void Start(uint64_t segments)
    {
        sender.HandleOpen(0);
        sender.HandleConnected(0, FIRST_RTT);
        sender.GetBuffer().Append(segments * SEGMENT);
        sender.Send(0);
    }

    /// @param text of a segment that was sent
    void Note(const std::string& text)
    {
        m_sent += (m_sent.empty() ? "" : " ") + text;
    }

    /// @param blocks of a SACK option, in units @param unit bytes @return the option
    static SackBlocks MakeBlocks(std::initializer_list<SackBlock> blocks, uint64_t unit = 1)
    {
        SackBlocks made;
        for (const SackBlock& block : blocks)
        {
            made.Append({block.begin * unit, block.end * unit});
        }
        return made;
    }

  private:
    static SegmentTcp Complete(SegmentTcp tcp, uint32_t initial)
    {
        tcp.segmentBytes = SEGMENT;
        tcp.initialSegments = initial;
        tcp.delayedAck = 1;
        tcp.minRtoNs = 200 * MILLISECOND;
        tcp.firstWindow = tcp.window = 1000 * SEGMENT;
        tcp.buffer = {tcp.window, tcp.window / 2};
        return tcp;
    }

    SegmentTcp m_tcp;   //!< settings
    std::string m_sent; //!< see Take()

  public:
    SegmentSender sender; //!< it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SENDER_BENCH_H
