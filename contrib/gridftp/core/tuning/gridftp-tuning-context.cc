/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-context.h"

#include "gridftp-scenario.h"
#include "gridftp-stripes.h"

namespace ns3::gridftp
{

TuningContext
MakeTuningContext(const Scenario& scenario, size_t index, ExternalProgramStarter start)
{
    const SessionSpec& session = scenario.sessions[index];
    const ExternalTerms terms{
        .session = static_cast<int64_t>(index),
        .pairs = IsTunedByPair(session) ? 1 : GetPairs(session.stripes),
        .fileBytes = session.fileSize,
        .chunkBytes = session.chunkSize,
        .windowBytes = session.buffers.window,
        .segmentBytes = SegmentBytesFor(scenario.path.packetSize, session.hostTcp.timestamps),
        .seed = scenario.measure.seed,
        .run = scenario.measure.run};
    return {.chunkParallelism = session.chunkParallelism,
            .command = session.externalCommand,
            .timeoutNs = session.externalTimeout,
            .terms = terms,
            .start = start};
}

} // namespace ns3::gridftp
