/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCENARIO_CHECK_H
#define GRIDFTP_SCENARIO_CHECK_H

#include "gridftp-expected.h"
#include "gridftp-scenario.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Fills what depends on other options and checks what one option alone cannot tell.
 *
 * @param scenario every option within its own range
 * @return the complete scenario, or which option is at odds with which
 */
Expected<Scenario> ResolveScenario(Scenario scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCENARIO_CHECK_H
