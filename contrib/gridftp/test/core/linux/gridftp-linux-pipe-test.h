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
 * A sender that always has data, a bottleneck with an infinite queue, and a receiver that
 * acknowledges each segment. Delivery rates are estimated as in the kernel (net/ipv4/tcp_rate.c).
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
        bool isAppLimited{false};   //!< of the sender when it was sent
    };

    /// One segment leaves.
    void Send()
    {
        if (window.packetsOut == 0)
        {
            m_firstSentAt = window.deliveredAt = window.now;
        }
        m_freeAt = std::max(m_freeAt, window.now) + m_segmentTime;
        m_flight.push_back({m_freeAt + m_delay,
                            window.now,
                            m_firstSentAt,
                            window.deliveredAt,
                            window.delivered,
                            window.packetsOut + 1,
                            window.appLimited != 0});
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
        sample.isAppLimited = segment.isAppLimited;
        control->HandleAcked(window, {.segments = 1, .rttUs = rttUs});
        control->Control(window, sample);
        if (onAck)
        {
            onAck();
        }
    }

    Nanoseconds m_segmentTime;    //!< of the bottleneck
    Nanoseconds m_delay;          //!< of the path, both ways
    Nanoseconds m_freeAt{0};      //!< when the bottleneck has sent all
    Nanoseconds m_firstSentAt{0}; //!< when the newest delivered segment was sent
    std::deque<Segment> m_flight; //!< on their way
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_PIPE_TEST_H
