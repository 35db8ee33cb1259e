/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BATCH_H
#define GRIDFTP_BATCH_H

#include "gridftp-expected.h"
#include "gridftp-file-reader.h"
#include "gridftp-path-schedule.h"
#include "gridftp-scenario.h"

#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Many scenarios for one process: a line of JSON each.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads a scenario as one JSON object.
 *
 * A member is either as ScenarioToJson() writes it, under its key in SI numbers
 * ("bandwidth_bps": 1e9), or as on the command line, under its name as text ("bandwidth": "1Gbps").
 * What is not given is as on the command line: its default. "sessions" lists all sessions, the
 * first one included, "arrivals" what arrives beside them, and "background" the background
 * connections; what a member of "sessions" does
 * not give is as outside the list.
 *
 * ParseScenarioJson(ScenarioToJson(s)) is s. Checks are those of the command line, but for one:
 * a parallelism as a number is allowed with every mode, since ScenarioToJson() writes it so.
 *
 * @param line the JSON text
 * @param read reads a file; none: no file can be named
 * @param notes to which is added what the user should know of files; may be null
 * @return the resolved scenario, or one line naming the member, its value and what is allowed
 */
Expected<Scenario> ParseScenarioJson(std::string_view line,
                                     const FileReader& read = {},
                                     Notes* notes = nullptr);

} // namespace ns3::gridftp

#endif // GRIDFTP_BATCH_H
