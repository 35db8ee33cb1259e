/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCHEDULE_RESAMPLE_H
#define GRIDFTP_SCHEDULE_RESAMPLE_H

#include "gridftp-link-schedule.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @param span to divide, ns
 * @param most parts there may be
 * @return the shortest length of 1, 2 or 5 times a power of ten ns with which there are no more
 */
int64_t ChooseInterval(int64_t span, size_t most);

/**
 * @ingroup gridftp
 * Makes fewer rows of a schedule: the mean rate and the mean delay of each interval. At the end of
 * each interval the link could carry as many bits as before, to half a bit/s over that interval:
 * what rounding takes from one rate the next one gets, as it gets what a rate below 1 kbit/s, which
 * becomes 0, would have carried.
 *
 * @param rows in their order, the first one at 0
 * @param endNs end of the last interval, ns; a row that begins there is kept as the last one
 * @param intervalNs length of the intervals, ns
 * @return the rows
 */
std::vector<LinkRow> ResampleRows(const std::vector<LinkRow>& rows,
                                  int64_t endNs,
                                  int64_t intervalNs);

} // namespace ns3::gridftp

#endif // GRIDFTP_SCHEDULE_RESAMPLE_H
