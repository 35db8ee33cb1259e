/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SHELL_LINE_H
#define GRIDFTP_SHELL_LINE_H

#include <span>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Writes a command so that it can be pasted into a shell.
 * @param words of a command line, the program first, of any bytes but NUL
 * @return a line that a POSIX shell reads as these words; those that need no quotes have none
 */
std::string ShellLine(std::span<const char* const> words);

} // namespace ns3::gridftp

#endif // GRIDFTP_SHELL_LINE_H
