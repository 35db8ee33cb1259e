/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_FILE_H
#define GRIDFTP_HOST_FILE_H

#include "gridftp-expected.h"
#include "gridftp-scenario.h"

#include <functional>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * A host as a file, which --sender-host=FILE and --receiver-host=FILE name.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Reads a file that is named. @param name of the file */
using HostFileReader = std::function<Expected<std::string>(const std::string& name)>;

/** @ingroup gridftp @brief In place of the file of a host: there is none. */
inline constexpr std::string_view NO_HOST_FILE = "none";

/** @ingroup gridftp @param isSender of the end that sends, else of the one that receives @return
 * the option that names its file */
std::string_view GetHostFileOption(bool isSender);

/**
 * @ingroup gridftp
 * Reads the file of a host. It is one of sysctl.conf(5): lines "KEY = VALUE", where # or ; begins a
 * comment and - before a key says that it may be unknown; a / may stand for each . of a key. Of
 * what Linux has, limits of buffers and backlog are taken; what else there is of the network is
 * known and changes nothing, and what is of other parts of the system as well. A key
 * host.NAME is a parameter of GetHostParameters(). What it says is put in place of defaults, so
 * that what is given beside the file comes afterwards, and wins.
 *
 * @param host with defaults; with the values of the file afterwards
 * @param isSender of the end that sends, else of the one that receives: parameters of the other one
 *        are passed over
 * @param name of the file; nothing happens with NO_HOST_FILE
 * @param read reads a file; none: there are none here
 * @return nothing, or what is wrong, with the line of the file
 */
Done ReadHostFile(HostSpec& host, bool isSender, std::string_view name, const HostFileReader& read);

/** @ingroup gridftp @param session after its options were read @param quote names one of them
 * @return nothing, or that one of its hosts is still a file, which only the first session's may be
 */
Done CheckHostFiles(const SessionSpec& session,
                    const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_FILE_H
