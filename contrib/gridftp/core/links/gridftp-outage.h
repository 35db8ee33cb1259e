/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OUTAGE_H
#define GRIDFTP_OUTAGE_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A time in which something does not do what it should. */
struct Outage
{
    int64_t beginNs{0}; //!< from when on
    int64_t endNs{0};   //!< until when; it does again then
};

/** @ingroup gridftp @brief Several of them, in any order. */
using Outages = std::vector<Outage>;

/** @ingroup gridftp @param outages of something @param now of the simulation @return whether one of
 * them is now */
inline bool
IsOut(const Outages& outages, int64_t now)
{
    return std::ranges::any_of(outages, [now](const Outage& outage) {
        return outage.beginNs <= now && now < outage.endNs;
    });
}

} // namespace ns3::gridftp

#endif // GRIDFTP_OUTAGE_H
