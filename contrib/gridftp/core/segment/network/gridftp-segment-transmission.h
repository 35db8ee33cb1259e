/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TRANSMISSION_H
#define GRIDFTP_SEGMENT_TRANSMISSION_H

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * How long a link is busy with a packet, in whole nanoseconds, rounded as ns-3 rounds: to the
 * nearest.
 */
class TransmissionTime
{
  public:
    /**
     * @param rateBps of the link, bit/s
     * @param usualBytes the size that most packets have, link header included
     */
    TransmissionTime(int64_t rateBps, int64_t usualBytes)
        : m_rateBps(rateBps),
          m_usualBytes(usualBytes),
          m_usualNs(Divide(usualBytes))
    {
    }

    /** @param usualBytes the size that most packets have, link header included */
    void SetUsualBytes(int64_t usualBytes)
    {
        m_usualBytes = usualBytes;
        m_usualNs = Divide(usualBytes);
    }

    /** @return the size that most packets have, link header included */
    int64_t GetUsualBytes() const
    {
        return m_usualBytes;
    }

    /** @return how long these take, ns */
    int64_t OfUsual() const
    {
        return m_usualNs;
    }

    /** @param bytes of a packet, link header included @return how long it takes, ns */
    int64_t Of(int64_t bytes) const
    {
        return bytes == m_usualBytes ? m_usualNs : Divide(bytes);
    }

  private:
    /** @param bytes of a packet @return how long it takes, ns */
    int64_t Divide(int64_t bytes) const
    {
        constexpr int64_t BIT_NS = 8'000'000'000;
        return (bytes * BIT_NS + m_rateBps / 2) / m_rateBps;
    }

    int64_t m_rateBps;    //!< bit/s
    int64_t m_usualBytes; //!< size of most packets
    int64_t m_usualNs;    //!< how long these take
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TRANSMISSION_H
