/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_RATE_CONTROL_H
#define GRIDFTP_UDT_RATE_CONTROL_H

#include "gridftp-nanoseconds.h"
#include "gridftp-udt-parameters.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief UDT's SYN: as often as its rate changes and its ACKs leave, ns. */
inline constexpr Nanoseconds UDT_SYN_NS = 10'000'000;

/**
 * @ingroup gridftp
 * The rate and the window of UDT's sender: slow start, then a rate that grows every SYN by what
 * there seems to be left of the path, and falls at losses (Gu and Grossman, Computer Networks 51,
 * 2007, Sections 3.3 to 3.5; draft-gg-udt-03, Section 6), with the numbers of version 4.11.
 *
 * Of version 1 there are the parts that UdtSettings names; slow start and window are those of
 * version 4.
 */
class UdtRateControl
{
  public:
    /**
     * @param settings of the tool
     * @param largestWindow packets that the receiver takes: where slow start ends
     * @param key of the random numbers
     * @param now when the connection was made, ns
     */
    UdtRateControl(const UdtSettings& settings,
                   uint32_t largestWindow,
                   uint64_t key,
                   Nanoseconds now);

    /** What the receiver tells of the path, smoothed. @param rttUs round-trip time, microseconds
     * @param speed of arrivals, packets/s, at least 1 @param capacity packets/s */
    void SetPath(int64_t rttUs, int64_t speed, int64_t capacity)
    {
        m_rttUs = rttUs;
        m_speed = speed;
        m_capacity = capacity;
    }

    /** An ACK of something new has come. @param now of the simulation @param next the first packet
     * that it does not acknowledge @param sent packets sent until now, all of them */
    void HandleAck(Nanoseconds now, uint32_t next, uint64_t sent);

    /** Losses are reported. @param first of the packets @param lost how many @param last packet
     * that was sent for the first time @return whether the rate has been decreased as the first
     * time in a congestion period */
    bool HandleLoss(uint32_t first, uint32_t lost, uint32_t last);

    /** The receiver warns of a growing delay. @param last packet that was sent for the first time
     */
    void HandleDelay(uint32_t last);

    /** Nothing has been heard for long. */
    void HandleExpiry();

    /** @return whether it is in slow start */
    bool IsSlowStart() const
    {
        return m_isSlowStart;
    }

    /** @return from one packet to the next, microseconds */
    double GetPeriodUs() const
    {
        return m_periodUs;
    }

    /** @return the same, ns */
    Nanoseconds GetPeriodNs() const
    {
        return m_periodNs;
    }

    /** @return packets that may be unacknowledged */
    uint32_t GetWindow() const
    {
        return m_window;
    }

  private:
    /** Slow start is over: the rate is that of the arrivals. */
    void LeaveSlowStart();

    /** @param sent packets until now @return whether a loss forbids to increase the rate now */
    bool IsHeldBack(uint64_t sent);

    /** Increases the rate, as every SYN. */
    void Increase();

    /** Decreases the rate by a ninth. */
    void Decrease();

    /** The first decrease of a congestion period. @param last packet sent */
    void BeginPeriod(uint32_t last);

    /** @return whether one more report within a period decreases the rate */
    bool IsTurnOfReport();

    /** @param us new period, microseconds */
    void SetPeriod(double us);

    /** @param packets new window */
    void SetWindow(double packets);

    UdtSettings m_settings;       //!< of the tool
    double m_largestWindow;       //!< where slow start ends, packets
    uint64_t m_key;               //!< of the random numbers
    Nanoseconds m_lastNs;         //!< when the rate was last thought about
    double m_periodUs{1};         //!< from packet to packet
    double m_windowPackets{16};   //!< that may be unacknowledged
    Nanoseconds m_periodNs{1000}; //!< m_periodUs
    uint32_t m_window{16};        //!< m_windowPackets
    double m_lastPeriodUs{1};     //!< before the last decrease that began a period
    int64_t m_rttUs{100'000};     //!< round-trip time
    int64_t m_speed{16};          //!< of arrivals, packets/s
    int64_t m_capacity{1};        //!< of the path, packets/s
    int64_t m_lastAck{-1};        //!< of slow start
    int64_t m_lastDecrease{-1};   //!< packet that was the last one sent at a decrease
    bool m_isSlowStart{true};     //!< no loss yet
    bool m_hasLoss{false};        //!< since the last increase
    bool m_isForgiven{false};     //!< the first loss of this period did nothing
    int64_t m_reports{0};         //!< of losses, in this congestion period
    int64_t m_meanReports{0};     //!< of a period, smoothed
    int64_t m_turn{1};            //!< every so-manieth of them decreases the rate
    int64_t m_decreases{0};       //!< of this period, or reports looked at
    uint64_t m_sentBefore{0};     //!< packets, at the last look at the loss rate
    uint64_t m_lost{0};           //!< packets since then
    double m_lossRate{0};         //!< smoothed
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_RATE_CONTROL_H
