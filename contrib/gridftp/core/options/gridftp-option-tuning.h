/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TUNING_H
#define GRIDFTP_OPTION_TUNING_H

#include "gridftp-option.h"

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

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TUNING_H
