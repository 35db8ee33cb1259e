/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_OVERHEAD_H
#define GRIDFTP_HOST_OVERHEAD_H

#include "gridftp-nanoseconds.h"
#include "gridftp-random.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The random processing time of a host before it sends a packet: uniform in [0, most), as overhead_
 * of ns-2's TCP agents. It keeps competing connections from locking into a pattern that no real
 * network has (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways",
 * Internetworking: Research and Experience 3(3), 1992, Section 6).
 *
 * Contract: HostStack asks for the time of each packet that leaves, one after the other. The time
 * depends on the key and on when its processing begins, so that both engines have the same.
 */
class HostOverhead
{
  public:
    /** Packets leave at once. */
    HostOverhead() = default;

    /** @param mostNs exclusive upper bound of the time, ns @param key of the random numbers */
    HostOverhead(int64_t mostNs, uint64_t key)
        : m_mostNs(mostNs),
          m_key(key)
    {
    }

    /** @return whether packets take any time */
    bool IsSet() const
    {
        return m_mostNs > 0;
    }

    /** @param now when the processing of a packet begins @return how long it takes, ns */
    int64_t GetTime(Nanoseconds now) const
    {
        return static_cast<int64_t>(UniformBelow(KeyedRandom({m_key, static_cast<uint64_t>(now)}),
                                                 static_cast<uint64_t>(m_mostNs)));
    }

  private:
    int64_t m_mostNs{0}; //!< exclusive upper bound, ns
    uint64_t m_key{0};   //!< of the random numbers
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_OVERHEAD_H
