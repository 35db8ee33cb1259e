/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_COST_H
#define GRIDFTP_COST_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @return most memory that this process has had at once, bytes */
uint64_t GetPeakRssBytes();

} // namespace ns3::gridftp

#endif // GRIDFTP_COST_H
