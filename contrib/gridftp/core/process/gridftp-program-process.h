/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROGRAM_PROCESS_H
#define GRIDFTP_PROGRAM_PROCESS_H

#include "gridftp-expected.h"
#include "gridftp-external-program.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Starts a program by /bin/sh, with pipes to its standard input and from its standard output;
 * standard error is ours. See ExternalProgramStarter.
 *
 * The program has a process group of its own. When it is not asked any more, its standard input
 * ends; what has not ended after the time for an answer is killed, and so is what it leaves behind.
 * It is killed, too, when this process ends in any other way, by Ctrl-C for one.
 *
 * @param command as a shell takes it; EXTERNAL_SELF: nothing is started, and what is asked goes to
 *        our own standard output, what is answered comes from our own standard input
 * @param timeoutNs for how long it may take for an answer, of wall time, ns
 * @return the program, or why the system starts none
 */
Expected<std::unique_ptr<ExternalProgram>> StartExternalProgram(const std::string& command,
                                                                int64_t timeoutNs);

} // namespace ns3::gridftp

#endif // GRIDFTP_PROGRAM_PROCESS_H
