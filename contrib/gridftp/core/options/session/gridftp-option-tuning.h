/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TUNING_H
#define GRIDFTP_OPTION_TUNING_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Adds the rows of how a session tunes its parallelism: the mode, what each tuner declares, and
 * what is measured for it.
 * @param rows of a session
 */
void AddTuningRows(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * @param session a session
 * @param quote makes "name=VALUE" what a person has given
 * @return nothing, or that it begins above its maximum, lacks the program that its mode asks, or
 *         lists what is no number of connections
 */
Done CheckTuning(const SessionSpec& session,
                 const std::function<std::string(const std::string&)>& quote);

/** @ingroup gridftp @param session a session @return whether it asks over our own standard input
 * and output */
bool UsesExternalSelf(const SessionSpec& session);

/**
 * @ingroup gridftp
 * @param scenario a scenario
 * @return nothing, or that several tuners would share our own standard input and output
 */
Done CheckExternalSelf(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TUNING_H
