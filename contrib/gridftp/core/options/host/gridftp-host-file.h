/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_FILE_H
#define GRIDFTP_HOST_FILE_H

#include "gridftp-expected.h"
#include "gridftp-file-reader.h"
#include "gridftp-scenario.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A host as a file, which --sender-host=FILE and --receiver-host=FILE name.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief In place of the file of a host: there is none. */
inline constexpr std::string_view NO_HOST_FILE = "none";

/** @ingroup gridftp @param isSender of the host that sends, else of the one that receives @return
 * the option that names its file */
std::string_view GetHostFileOption(bool isSender);

/** @ingroup gridftp @brief A setting of a host that is no parameter of HostSpec. */
struct HostSetting
{
    std::string key;     //!< of Linux, with dots
    std::string value;   //!< as in the file, without quotes
    std::string place;   //!< option, file and line, for messages
    bool isSender{true}; //!< whose file it is
};

/** @ingroup gridftp @brief What files of hosts say besides HostSpec. */
struct HostFileReport
{
    std::vector<HostSetting> settings; //!< each key once for each file
    Notes notes;                       //!< what a user should know
};

/**
 * @ingroup gridftp
 * Reads the file of a host: sysctl.conf(5), sysctl.d(5), the output of sysctl(8), a profile of
 * TuneD or a shell script, see ReadSysctlText(). Of a key that is there several times the last one
 * counts; a glob pattern counts for keys that no line names. Keys host.NAME are parameters of
 * GetHostParameters(). Keys of Linux that the model has no part for are accepted.
 *
 * Contract: ParseTransfer() and ParseScenarioJson() call it before they read options, so that the
 * file replaces defaults and options replace what the file says. They pass the settings that it
 * reports to ApplyHostSettings() afterwards.
 *
 * @param host with defaults; with the values of the file afterwards
 * @param isSender of the host that sends, else of the one that receives: parameters of the other
 *        one alone are ignored
 * @param name of the file; nothing happens with NO_HOST_FILE
 * @param read reads a file; none: there are none here
 * @param reported keys whose settings belong into the report
 * @param report to which settings and notes are added
 * @return nothing, or what is wrong, with the line of the file
 */
Done ReadHostFile(HostSpec& host,
                  bool isSender,
                  std::string_view name,
                  const FileReader& read,
                  std::span<const std::string_view> reported,
                  HostFileReport& report);

/** @ingroup gridftp @param session after its options were read @param quote names one of them
 * @return nothing, or that one of its hosts is still a file, which only the first session's may be
 */
Done CheckHostFiles(const SessionSpec& session,
                    const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_FILE_H
