/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SIMULATION_TIME_H
#define GRIDFTP_SIMULATION_TIME_H

#include "gridftp-nanoseconds.h"

#include "ns3/simulator.h"

namespace ns3::gridftp
{

/** @ingroup gridftp @return current simulation time of ns-3, as core/ wants it */
inline Nanoseconds
GetSimulationTime()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace ns3::gridftp

#endif // GRIDFTP_SIMULATION_TIME_H
