/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NANOSECONDS_H
#define GRIDFTP_NANOSECONDS_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A time of the simulation, from 0, or a length of time, ns. */
using Nanoseconds = int64_t;

} // namespace ns3::gridftp

#endif // GRIDFTP_NANOSECONDS_H
