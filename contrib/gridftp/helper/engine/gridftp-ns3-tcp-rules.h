/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_TCP_RULES_H
#define GRIDFTP_NS3_TCP_RULES_H

#include "gridftp-scenario.h"

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

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_TCP_RULES_H
