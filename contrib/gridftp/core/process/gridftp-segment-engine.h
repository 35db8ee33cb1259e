/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_ENGINE_H
#define GRIDFTP_SEGMENT_ENGINE_H

#include "gridftp-expected.h"
#include "gridftp-progress-report.h"
#include "gridftp-result.h"

#include <functional>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a run on the segment engine writes besides its result. */
struct SegmentRunObservers
{
    std::string traceFolder;                             //!< CSV traces; empty: none
    std::function<void(const ProgressReport&)> progress; //!< called now and then; empty: nobody
    bool skipsChunks{true}; //!< SegmentSimulator::AllowFastForward(), without traces
};

/**
 * @ingroup gridftp
 * Runs a scenario on the segment engine from beginning to end.
 *
 * @param scenario resolved
 * @param observers what else to write
 * @return the result; or why the traces cannot be written
 */
Expected<TransferResult> RunOnSegments(const Scenario& scenario,
                                       const SegmentRunObservers& observers = {});

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_ENGINE_H
