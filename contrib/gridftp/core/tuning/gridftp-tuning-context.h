/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_CONTEXT_H
#define GRIDFTP_TUNING_CONTEXT_H

#include "gridftp-external-program.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::gridftp
{

struct Scenario;

/** @ingroup gridftp @brief What a client knows before its first chunk, and tells the program. */
struct ExternalTerms
{
    int64_t session{0};      //!< index in the scenario
    int64_t pair{0};         //!< index of the pair of stripes, where each has a tuner
    int64_t pairs{1};        //!< of stripes that move each chunk
    int64_t fileBytes{0};    //!< size of the file; of drawn sizes their mean
    int64_t chunkBytes{0};   //!< X
    int64_t windowBytes{0};  //!< W as the client asks for it
    int64_t segmentBytes{0}; //!< MSS of the data connections
    int64_t seed{0};         //!< of the scenario: what the program draws can be the same again
    int64_t run{0};          //!< number of the replication
};

/** @ingroup gridftp @brief What a tuner may have beside its numbers, which few have. */
struct TuningContext
{
    std::string chunkParallelism; //!< of a tuner by hand: N of each chunk, "N:N:..."; empty: 1
    std::string command;          //!< of one that asks a program: which
    int64_t timeoutNs{0};         //!< for an answer, wall time
    ExternalTerms terms;          //!< of the session
    ExternalProgramStarter start{nullptr}; //!< null: programs cannot be started here
};

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param index of a session
 * @param start starts programs, or null
 * @return what its tuner may have beside its numbers
 */
TuningContext MakeTuningContext(const Scenario& scenario,
                                size_t index,
                                ExternalProgramStarter start);

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_CONTEXT_H
