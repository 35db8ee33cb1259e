/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEXT_FILE_H
#define GRIDFTP_TEXT_FILE_H

#include "gridftp-expected.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads a text file of up to 100 MB, in UTF-8 or UTF-16, with any line ends, see DecodeText().
 * @param name of a file
 * @return its content as UTF-8 with LF, or an error such as "cannot be read" or that it is no text
 */
Expected<std::string> ReadTextFile(const std::string& name);

} // namespace ns3::gridftp

#endif // GRIDFTP_TEXT_FILE_H
