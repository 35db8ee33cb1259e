/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOPOLOGY_FILE_H
#define GRIDFTP_TOPOLOGY_FILE_H

#include "gridftp-option.h"
#include "gridftp-path-schedule.h"
#include "gridftp-scenario.h"

#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * A network with its values as a file, which --topology=FILE names.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads the file of a topology. Each line of it is "OPTION = VALUE", where the option is one of the
 * network, --topology among them; # begins a comment. What it says is put in place of the defaults,
 * so that what is given beside the file comes afterwards, and wins.
 *
 * @param path the defaults; with the values of the file afterwards, its topology a kind
 * @param name as --topology has it; nothing happens where it names no file
 * @param read reads a file; none: there are none here
 * @return nothing, or what is wrong, with the line of the file
 */
Done ReadTopology(PathSpec& path, std::string_view name, const FileReader& read);

} // namespace ns3::gridftp

#endif // GRIDFTP_TOPOLOGY_FILE_H
