/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROGRESS_REPORT_H
#define GRIDFTP_PROGRESS_REPORT_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How far a run has got. */
struct ProgressReport
{
    double simS{0};          //!< simulated time, s
    uint64_t chunk{0};       //!< chunks completed, all sessions together
    uint64_t chunks{0};      //!< chunks there are
    uint32_t parallelism{0}; //!< N of the first session
    double fraction{0};      //!< share of the work done, 0 to 1; an estimate within a chunk
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PROGRESS_REPORT_H
