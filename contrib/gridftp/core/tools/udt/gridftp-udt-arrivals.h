/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_ARRIVALS_H
#define GRIDFTP_UDT_ARRIVALS_H

#include "gridftp-nanoseconds.h"

#include <array>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the receiver of UDT makes of the times at which packets come: at which rate they do, and
 * what the path could carry, from packets that were sent in pairs (Gu and Grossman, "UDT: UDP-based
 * data transfer for high-speed wide area networks", Computer Networks 51, 2007, Section 3.4;
 * draft-gg-udt-03, Section 6.2).
 */
class UdtArrivals
{
  public:
    static constexpr uint32_t PAIR_EVERY = 16; //!< packets from one pair to the next

    /** @param now when the connection was made, ns */
    explicit UdtArrivals(Nanoseconds now);

    /** A packet has come, whether it is of use or not. @param now of the simulation @param number
     * of it */
    void Add(Nanoseconds now, uint32_t number)
    {
        m_gaps[m_nextGap] = now - m_lastNs;
        m_nextGap = (m_nextGap + 1) % GAPS;
        m_lastNs = now;
        if (number % PAIR_EVERY == 0)
        {
            m_pairNs = now;
        }
        else if (number % PAIR_EVERY == 1)
        {
            m_pairs[m_nextPair] = now - m_pairNs;
            m_nextPair = (m_nextPair + 1) % PAIRS;
        }
    }

    /** @return at which rate packets come, packets/s, rounded up: of the last 16 gaps, those within
     * a factor of 8 of the median; 0: less than 9 of them are */
    uint32_t GetSpeed() const;

    /** @return what the path could carry, packets/s, rounded up: of the gaps of the last 64 pairs,
     * those within a factor of 8 of the median, and the median once more */
    uint32_t GetCapacity() const;

  private:
    static constexpr uint32_t GAPS = 16;  //!< gaps between packets that are kept
    static constexpr uint32_t PAIRS = 64; //!< gaps of pairs that are kept

    std::array<Nanoseconds, GAPS> m_gaps;   //!< between packets
    std::array<Nanoseconds, PAIRS> m_pairs; //!< between the packets of pairs
    uint32_t m_nextGap{0};                  //!< where the next one goes
    uint32_t m_nextPair{0};                 //!< likewise
    Nanoseconds m_lastNs;                   //!< when the last packet came
    Nanoseconds m_pairNs{0};                //!< when the first packet of the last pair came
};

/**
 * @ingroup gridftp
 * Whether the round-trip time grows, as version 1 of UDT asks: the tests of Pathload for the share
 * of pairs that increase and for the difference over all (M. Jain and C. Dovrolis, "Pathload: a
 * measurement tool for end-to-end available bandwidth", PAM 2002), on the last 16 samples.
 */
class UdtDelayTrend
{
  public:
    /** @param us round-trip time, microseconds */
    void Add(int64_t us);

    /** @return whether it grows */
    bool IsRising() const;

  private:
    static constexpr uint32_t SAMPLES = 16; //!< that are kept

    std::array<int64_t, SAMPLES> m_samples{}; //!< round-trip times
    std::array<int64_t, SAMPLES> m_steps{};   //!< what each is more than the one before it
    uint32_t m_next{0};                       //!< where the next one goes: the oldest
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_ARRIVALS_H
