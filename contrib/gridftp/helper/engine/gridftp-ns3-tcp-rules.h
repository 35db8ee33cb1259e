/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_TCP_RULES_H
#define GRIDFTP_NS3_TCP_RULES_H

#include "gridftp-scenario.h"

#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Finds the rules that the ns-3 at hand has, by trying a socket of it: a version number does not
 * say what a development tree of ns-3 contains.
 *
 * Contract: those call it who compare engine segment with engine ns3, and set TcpSpec::rules of the
 * scenario to the result. It neither needs nor changes a simulation.
 *
 * @return the rules of ns-3's TCP in the libraries that this is linked with
 */
TcpRules FindNs3TcpRules();

/**
 * @ingroup gridftp
 * Names the faults of the ns-3 at hand that a scenario meets and later versions of ns-3 have
 * corrected: those that the sockets of this module correct, and those that remain.
 *
 * Contract: programs print them as notes before RunOnNs3().
 *
 * @param scenario checked by CheckNs3Scenario()
 * @return a sentence for each fault, with the numbers of ns-3's issues
 */
std::vector<std::string> DescribeNs3Faults(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_TCP_RULES_H
