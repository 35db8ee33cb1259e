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
 * @param name of a file
 * @return its content, or that it cannot be read
 */
Expected<std::string> ReadTextFile(const std::string& name);

} // namespace ns3::gridftp

#endif // GRIDFTP_TEXT_FILE_H
