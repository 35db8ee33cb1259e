/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_EXTERNAL_PROGRAM_H
#define GRIDFTP_EXTERNAL_PROGRAM_H

#include "gridftp-expected.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

struct Scenario;

/**
 * @ingroup gridftp
 * A program that decides in the place of a policy, as a policy sees it: it gets a line, and answers
 * a line. Only core/process can start one, since nothing else of core knows an operating system.
 */
class ExternalProgram
{
  public:
    /** It is told that nothing more comes, and has ended when this returns. */
    virtual ~ExternalProgram() = default;

    /**
     * @param line without its newline, and without one in it
     * @return the answer, likewise; or what the program did instead, as the end of a sentence that
     *         begins with its name: "ended without an answer (exit status 1)"
     */
    virtual Expected<std::string> Ask(const std::string& line) = 0;
};

/**
 * @ingroup gridftp
 * Starts a program.
 * @param command as a shell takes it; or EXTERNAL_SELF
 * @param timeoutNs for how long it may take for an answer, of wall time, ns
 * @return the program, or why there is none
 */
using ExternalProgramStarter =
    Expected<std::unique_ptr<ExternalProgram>> (*)(const std::string& command, int64_t timeoutNs);

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

/** @ingroup gridftp @brief What a tuner that asks a program has beside its numbers. */
struct ExternalTuning
{
    std::string command;                   //!< the program
    int64_t timeoutNs{0};                  //!< for an answer, wall time
    ExternalTerms terms;                   //!< of the session
    ExternalProgramStarter start{nullptr}; //!< null: programs cannot be started here
};

/** @ingroup gridftp @brief The command that is none: standard input and output of our own process
 * lead to the program, which has started us. */
inline constexpr std::string_view EXTERNAL_SELF = "-";

/** @ingroup gridftp @brief In the place of a command: there is none. */
inline constexpr std::string_view NO_EXTERNAL = "none";

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param index of a session
 * @param start starts programs, or null
 * @return what its tuner has, should it ask a program
 */
ExternalTuning MakeExternalTuning(const Scenario& scenario,
                                  size_t index,
                                  ExternalProgramStarter start);

} // namespace ns3::gridftp

#endif // GRIDFTP_EXTERNAL_PROGRAM_H
