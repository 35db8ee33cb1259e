/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_EXTERNAL_PROGRAM_H
#define GRIDFTP_EXTERNAL_PROGRAM_H

#include "gridftp-expected.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

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

/** @ingroup gridftp @brief The command that is none: standard input and output of our own process
 * lead to the program, which has started us. */
inline constexpr std::string_view EXTERNAL_SELF = "-";

/** @ingroup gridftp @brief In the place of a command: there is none. */
inline constexpr std::string_view NO_EXTERNAL = "none";

} // namespace ns3::gridftp

#endif // GRIDFTP_EXTERNAL_PROGRAM_H
