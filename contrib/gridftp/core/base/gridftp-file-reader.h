/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_READER_H
#define GRIDFTP_FILE_READER_H

#include "gridftp-expected.h"

#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * How options read the files that they name, and what they report about them.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads a file and returns its content, or an error such as "cannot be read". Empty where no files
 * exist, as in a browser. Programs pass ReadTextFile().
 */
using FileReader = std::function<Expected<std::string>(const std::string& name)>;

/**
 * @ingroup gridftp
 * What a user should know about input that was accepted: a setting without effect, an assumed unit.
 * One line each, without a newline, which names the option, the file and the line. Programs print
 * them on standard error.
 */
using Notes = std::vector<std::string>;

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_READER_H
