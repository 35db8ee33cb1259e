/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_RULES_H
#define GRIDFTP_NS3_RULES_H

#include "ns3/gridftp-ns3-tcp-rules.h"
#include "ns3/gridftp-scenario.h"

/**
 * @file
 * @ingroup gridftp
 * Comparisons of both engines by the rules of the ns-3 at hand.
 */

namespace ns3::gridftp
{

/// @param scenario to be simulated by engine segment and compared with engine ns3
/// @return the same by the TCP rules of the ns-3 that the tests are linked with
inline Scenario
WithNs3Rules(Scenario scenario)
{
    static const TcpRules RULES = FindNs3TcpRules();
    scenario.tcp.rules = RULES;
    return scenario;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_RULES_H
