/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PHASE_EFFECTS_H
#define GRIDFTP_PHASE_EFFECTS_H

#include "gridftp-result.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Competing TCP connections of a simulation without randomness lock into patterns in which a
 * DropTail queue drops packets of some connections and spares those of others (Floyd and Jacobson,
 * "On Traffic Phase Effects in Packet-Switched Gateways", Internetworking: Research and Experience
 * 3(3), 1992). Their shares then say nothing about real networks.
 *
 * Contract: programs call it once for a finished simulation, when they print its result.
 * @param scenario resolved
 * @param result of the simulation
 * @return one line of warning, where several sessions or background connections of TCP were there
 *         at a time, the bottleneck has dropped packets, and neither the path nor the hosts nor the
 *         traffic had anything random; else empty
 */
std::string GetPhaseEffectsNote(const Scenario& scenario, const TransferResult& result);

} // namespace ns3::gridftp

#endif // GRIDFTP_PHASE_EFFECTS_H
