/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_OUTSIDE_TUNER_H
#define LAB_OUTSIDE_TUNER_H

#include "gridftp-external-program.h"

#include <string>
#include <string_view>

/**
 * @file
 * A tuner of mode external in the page: its answers so far are known, the next question is told.
 *
 * Nothing in WebAssembly waits, and the page's tuner runs elsewhere. So a question to which there
 * is no answer yet ends the transfer; the page asks its tuner, and begins the same transfer anew
 * with one answer more. The engine is deterministic: it comes back to the same moment.
 */

namespace ns3::gridftp
{

/**
 * Forgets what was asked and answered: what the next transfer is answered.
 * @param answers as a program of mode external writes them, a line each
 */
void SetOutsideAnswers(std::string_view answers);

/** @return what the transfer was asking when it ran out of answers; empty: it did not */
const std::string& GetOutsideQuestion();

/** @return starts the tuner of one session, whatever the command is; further ones are refused */
ExternalProgramStarter GetOutsideTunerStarter();

} // namespace ns3::gridftp

#endif // LAB_OUTSIDE_TUNER_H
