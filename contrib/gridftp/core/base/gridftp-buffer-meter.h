/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_METER_H
#define GRIDFTP_BUFFER_METER_H

#include "gridftp-nanoseconds.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How large a buffer was over a time. */
struct BufferUse
{
    uint64_t mostBytes{0}; //!< largest
    double meanBytes{0};   //!< mean over the time
    double openSeconds{0}; //!< the time
};

/**
 * @ingroup gridftp
 * Maximum and time-weighted mean of the size of one buffer.
 *
 * Contract: the owner of the buffer calls Open() when the connection is established, Resize() at
 * each change of size with times that do not decrease, and GetUse() at any time.
 */
class BufferMeter
{
  public:
    /** @param bytes size of the buffer before the first Resize() */
    explicit BufferMeter(uint64_t bytes)
        : m_size(bytes),
          m_mostBytes(bytes),
          m_firstBytes(bytes)
    {
    }

    /** The time begins. @param now current time */
    void Open(Nanoseconds now)
    {
        m_openedNs = m_changedNs = now;
    }

    /** The buffer has another size from now on. @param now current time @param bytes the size */
    void Resize(Nanoseconds now, uint64_t bytes)
    {
        m_moreByteSeconds += GetMoreByteSeconds(now);
        m_changedNs = now;
        m_size = bytes;
        m_mostBytes = std::max(m_mostBytes, m_size);
    }

    /** @param until end of the time @return maximum and mean from Open() until then; the mean is
     * exactly the size where it never changed */
    BufferUse GetUse(Nanoseconds until) const
    {
        const double openSeconds = GetSeconds(m_openedNs, until);
        const double more = m_moreByteSeconds + GetMoreByteSeconds(until);
        return {.mostBytes = m_mostBytes,
                .meanBytes =
                    static_cast<double>(m_firstBytes) + (openSeconds > 0 ? more / openSeconds : 0),
                .openSeconds = openSeconds};
    }

  private:
    /** @param from begin @param until end @return seconds in between */
    static double GetSeconds(Nanoseconds from, Nanoseconds until)
    {
        return static_cast<double>(until - from) / 1e9;
    }

    /** @param until end @return size above the first one, times the time since the last change,
     * byte seconds; exactly 0 where the size never changed */
    double GetMoreByteSeconds(Nanoseconds until) const
    {
        const double more = static_cast<double>(m_size) - static_cast<double>(m_firstBytes);
        return more * GetSeconds(m_changedNs, until);
    }

    uint64_t m_size;             //!< current size
    uint64_t m_mostBytes;        //!< largest size
    uint64_t m_firstBytes;       //!< size before the first Resize()
    double m_moreByteSeconds{0}; //!< size above the first one, times time, until m_changedNs
    Nanoseconds m_openedNs{0};   //!< when the time began
    Nanoseconds m_changedNs{0};  //!< when the size changed last
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_METER_H
