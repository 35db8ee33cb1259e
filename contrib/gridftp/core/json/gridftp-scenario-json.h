/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCENARIO_JSON_H
#define GRIDFTP_SCENARIO_JSON_H

#include "gridftp-scenario.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Writes a scenario as one JSON object: every option under its key in SI numbers, the first
 * session's among them, and the lists "sessions" and "background" in full.
 *
 * @param scenario a resolved scenario
 * @return the JSON text
 */
std::string ScenarioToJson(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCENARIO_JSON_H
