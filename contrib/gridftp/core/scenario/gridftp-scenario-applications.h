/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCENARIO_APPLICATIONS_H
#define GRIDFTP_SCENARIO_APPLICATIONS_H

#include "gridftp-scenario.h"

#include <cstdint>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What uses the network of a scenario, by names under which each engine's registry has a kind of
 * application.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A session: a GridFTP client and its server. */
inline constexpr std::string_view GRIDFTP_APPLICATION = "gridftp";

/** @ingroup gridftp @brief A background connection. */
inline constexpr std::string_view BACKGROUND_APPLICATION = "background";

/** @ingroup gridftp @brief Cross traffic of a given load, a background without a connection. */
inline constexpr std::string_view LOAD_APPLICATION = "load";

/** @ingroup gridftp @brief An application of a scenario. */
struct ScenarioApplication
{
    std::string_view kind; //!< key of the registries
    int64_t startNs{};     //!< when it starts, ns
};

/**
 * @ingroup gridftp
 * @param scenario what is simulated; outlives what is returned
 * @return its applications: the sessions, then the background connections; each is between the
 *         HostPair of the same index
 */
std::vector<ScenarioApplication> ListApplications(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCENARIO_APPLICATIONS_H
