/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_PIPE_TEST_H
#define GRIDFTP_LINUX_PIPE_TEST_H

#include "gridftp-linux-congestion-test.h"

#include <algorithm>
#include <deque>
#include <functional>

/**
 * @file
 * @ingroup gridftp
 * An ideal path for tests of congestion controls that pace.
 */

namespace ns3::gridftp
{

/**
 * A sender that always has data, a bottleneck, and a receiver that acknowledges each segment.
 * Delivery rates are estimated as in the kernel (net/ipv4/tcp_rate.c). A segment that the queue has
 * no room for is known to be lost when its ACK would have come; other data take its place.
 */
class LinuxPipe : public LinuxControlled
{
  public:
    /**
     * @param name congestion control
     * @param parameters of it
     * @param segmentUs time that the bottleneck takes for a segment, us
     * @param delayUs RTT without it, us
     */
    LinuxPipe(std::string_view name,
              const LinuxCongestionParameters& parameters,
              Nanoseconds segmentUs,
              Nanoseconds delayUs)
        : LinuxControlled(name, parameters),
          m_segmentTime(segmentUs * 1000),
          m_delay(delayUs * 1000)
    {
        window.minRttUs = static_cast<uint32_t>(segmentUs + delayUs);
        window.srttUs8 = 8 * window.minRttUs;
        control->Init(window);
    }

    /// @param until time, ns
    void Run(Nanoseconds until)
    {
        while (window.now < until)
        {
            const bool canSend = window.packetsOut < window.cwnd;
            if (canSend && window.nextDepartureAt <= window.now)
            {
                Send();
            }
            else if (canSend && (m_flight.empty() || window.nextDepartureAt < m_flight[0].ackedAt))
            {
                window.now = window.nextDepartureAt;
            }
            else
            {
                Receive();
            }
        }
    }

    /// @param us time that the bottleneck takes for a segment from now on
    void SetSegmentTime(Nanoseconds us)
    {
        m_segmentTime = us * 1000;
    }

    uint32_t queueLimit{~0U};    //!< segments that the bottleneck's queue holds
    int64_t rttUs{0};            //!< of the last ACK, us
    std::function<void()> onAck; //!< called behind each ACK

  private:
    /// A segment on its way.
    struct Segment
    {
        Nanoseconds ackedAt{0};     //!< when its ACK arrives
        Nanoseconds sentAt{0};      //!< when it was sent
        Nanoseconds firstSentAt{0}; //!< start of the sampled sending interval
        Nanoseconds deliveredAt{0}; //!< of the sender when it was sent
        uint64_t delivered{0};      //!< of the sender when it was sent
        uint32_t inFlight{0};       //!< of the sender when it was sent, itself included
        uint64_t lost{0};           //!< of the sender when it was sent
        bool isAppLimited{false};   //!< of the sender when it was sent
        bool isLost{false};         //!< the queue was full
    };

    /// One segment leaves.
    void Send()
    {
        if (window.packetsOut == 0)
        {
            m_firstSentAt = window.deliveredAt = window.now;
        }
        const bool isLost = (m_freeAt - window.now) / m_segmentTime > queueLimit;
        m_freeAt = isLost ? m_freeAt : std::max(m_freeAt, window.now) + m_segmentTime;
        m_flight.push_back({m_freeAt + m_delay,
                            window.now,
                            m_firstSentAt,
                            window.deliveredAt,
                            window.delivered,
                            window.packetsOut + 1,
                            window.lost,
                            window.appLimited != 0,
                            isLost});
        ++window.packetsOut;
        window.sndNxt += window.mss;
        window.lastSentAt = window.now;
        const uint64_t rate = std::max<uint64_t>(window.pacingRate, 1);
        window.nextDepartureAt =
            window.now + static_cast<Nanoseconds>(window.mss * 1'000'000'000ULL / rate);
    }

    /// One ACK arrives.
    void Receive()
    {
        const Segment segment = m_flight.front();
        m_flight.pop_front();
        window.now = segment.ackedAt;
        if (segment.isLost)
        {
            Lose(segment);
            return;
        }
        LinuxRateSample sample;
        sample.priorInFlight = window.packetsOut--;
        window.sndUna += window.mss;
        ++window.delivered;
        window.deliveredAt = window.now;
        if (window.delivered > window.appLimited)
        {
            window.appLimited = 0;
        }
        m_firstSentAt = segment.sentAt;
        rttUs = (window.now - segment.sentAt) / 1000;
        sample.priorDelivered = segment.delivered;
        sample.priorDeliveredAt = segment.deliveredAt;
        sample.delivered = static_cast<int64_t>(window.delivered - segment.delivered);
        sample.intervalUs =
            std::max(segment.sentAt - segment.firstSentAt, window.now - segment.deliveredAt) / 1000;
        sample.rttUs = rttUs;
        sample.ackedSacked = 1;
        sample.txInFlight = segment.inFlight;
        sample.losses = m_losses;
        sample.lost = static_cast<uint32_t>(window.lost - segment.lost);
        m_losses = 0;
        sample.isAppLimited = segment.isAppLimited;
        if (window.state == LinuxCaState::RECOVERY && window.delivered >= m_recoveryEnd)
        {
            control->HandleState(window, LinuxCaState::OPEN);
            window.state = LinuxCaState::OPEN;
        }
        control->HandleAcked(window, {.rttUs = rttUs});
        control->Control(window, sample);
        if (onAck)
        {
            onAck();
        }
    }

    /// @param segment was lost
    void Lose(const Segment& segment)
    {
        ++window.lost;
        ++m_losses;
        --window.packetsOut;
        control->HandleLost(window,
                            {.lostBefore = segment.lost,
                             .inFlight = segment.inFlight,
                             .isAppLimited = segment.isAppLimited});
        if (window.state == LinuxCaState::OPEN)
        {
            window.ssthresh = control->GetSsthresh(window);
            control->HandleState(window, LinuxCaState::RECOVERY);
            window.state = LinuxCaState::RECOVERY;
            m_recoveryEnd = window.delivered + window.packetsOut;
        }
    }

    uint32_t m_losses{0};         //!< since the last ACK
    uint64_t m_recoveryEnd{0};    //!< recovery ends when this segment is delivered
    Nanoseconds m_segmentTime;    //!< of the bottleneck
    Nanoseconds m_delay;          //!< of the path, both ways
    Nanoseconds m_freeAt{0};      //!< when the bottleneck has sent all
    Nanoseconds m_firstSentAt{0}; //!< when the newest delivered segment was sent
    std::deque<Segment> m_flight; //!< on their way
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_PIPE_TEST_H
