/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_EFFECT_H
#define GRIDFTP_OPTION_EFFECT_H

#include "gridftp-option-table.h"

#include <span>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Sets Option::need of all rows that describe details of what other options turn on.
 *
 * Contract: called once for all rows of the table that have no needs yet: GetOptionTable() calls it
 * for the path and TCP, GetFlatSessionRows() for a session, whose rows are also those of further
 * sessions.
 *
 * @param table rows, others than those with needs are left alone
 */
void AddNeeds(std::vector<Option>& table);

/**
 * @ingroup gridftp
 * Notes each option that is given and can have no effect, because it describes the details of
 * something that is off: the distribution of a jitter of 0, thresholds of RED at a DropTail queue.
 *
 * Contract: ParseTransfer() calls it when all options are read, before the scenario is resolved. An
 * option with its default value gives no note. Nothing else than the notes changes.
 *
 * @param request with everything that was read; notes are added to it
 * @param arguments of the command line, "--name=VALUE"
 */
void NoteIdleOptions(TransferRequest& request, std::span<const std::string_view> arguments);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_EFFECT_H
