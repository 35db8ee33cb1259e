/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario-applications.h"

namespace ns3::gridftp
{

std::vector<ScenarioApplication>
ListApplications(const Scenario& scenario)
{
    std::vector<ScenarioApplication> all;
    for (const auto& session : scenario.sessions)
    {
        all.push_back({session.tool, session.start});
    }
    for (const auto& background : scenario.background)
    {
        all.push_back(
            {background.load > 0 ? LOAD_APPLICATION : BACKGROUND_APPLICATION, background.start});
    }
    return all;
}

} // namespace ns3::gridftp
