/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RATE_FLOOR_H
#define GRIDFTP_RATE_FLOOR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The least rate that a client accepts: the mean over one period after the other, as --speed-limit
 * and --speed-time of curl and the throughput limit of FTS have it. Both engines ask it.
 *
 * Contract: one object for each attempt. The client calls Begin() when its first transfer begins,
 * and IsTooSlow() each period later with all bytes that it knows of by then: those that it has
 * stored, or, where a server stores them, GetMarked().
 */
class RateFloor
{
  public:
    /** No limit. */
    RateFloor() = default;

    /** @param rateBps the least rate, bit/s; 0: none @param periodNs over which it is the mean, ns
     */
    RateFloor(int64_t rateBps, int64_t periodNs)
        : m_rateBps(rateBps),
          m_periodNs(periodNs)
    {
    }

    /** @return whether there is a limit and Begin() has not been called */
    bool IsWaiting() const
    {
        return m_rateBps > 0 && !m_hasBegun;
    }

    /** @param bytes that have been moved @return when to ask for the first time, ns from now */
    int64_t Begin(uint64_t bytes)
    {
        m_hasBegun = true;
        m_bytes = bytes;
        return m_periodNs;
    }

    /** A performance marker (112) has come. @param stripe that it is of @param bytes that this has
     * stored of the transfer under way */
    void HandleMarker(uint32_t stripe, uint64_t bytes)
    {
        m_stripes.resize(std::max<size_t>(m_stripes.size(), size_t{stripe} + 1));
        m_stripes[stripe] = bytes;
    }

    /** A transfer is complete. @param bytes of it */
    void HandleComplete(uint64_t bytes)
    {
        m_complete += bytes;
        m_stripes.clear();
    }

    /** @return bytes of complete transfers, and of the one under way by its markers */
    uint64_t GetMarked() const
    {
        return std::accumulate(m_stripes.begin(), m_stripes.end(), m_complete);
    }

    /** @return from one question to the next, ns */
    int64_t GetPeriodNs() const
    {
        return m_periodNs;
    }

    /** @param bytes that have been moved @return whether less than the limit allows were moved
     * since the last call */
    bool IsTooSlow(uint64_t bytes)
    {
        const double wanted = static_cast<double>(m_rateBps) * static_cast<double>(m_periodNs);
        const double moved = static_cast<double>(bytes > m_bytes ? bytes - m_bytes : 0) * 8e9;
        m_bytes = bytes;
        return moved < wanted;
    }

  private:
    int64_t m_rateBps{0};            //!< the least rate, bit/s
    int64_t m_periodNs{0};           //!< of the mean, ns
    uint64_t m_bytes{0};             //!< at the last call
    uint64_t m_complete{0};          //!< bytes of complete transfers
    std::vector<uint64_t> m_stripes; //!< bytes of the one under way
    bool m_hasBegun{false};          //!< Begin() has been called
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RATE_FLOOR_H
