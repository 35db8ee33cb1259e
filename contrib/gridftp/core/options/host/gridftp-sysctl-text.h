/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SYSCTL_TEXT_H
#define GRIDFTP_SYSCTL_TEXT_H

#include "gridftp-expected.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Settings of Linux in the forms that people have: sysctl.conf(5), sysctl.d(5), the output of
 * sysctl(8), profiles of TuneD, shell scripts. What a key means is not decided here.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief One setting. */
struct SysctlSetting
{
    std::string key;         //!< with dots; may be a glob pattern
    std::string value;       //!< without quotes, comment and white space around it; may be empty
    size_t line{0};          //!< where it is, from 1
    bool isException{false}; //!< "-KEY" without a value: patterns do not apply to the key
    char modifier{0};        //!< of TuneD: '>' if larger, '<' if less than the value so far; else 0
};

/** @ingroup gridftp @brief What a file has. */
struct SysctlText
{
    std::vector<SysctlSetting> settings; //!< in their order, each key as often as it is there
    std::vector<std::string> includes;   //!< names of profiles of TuneD that apply before this one
    size_t includeLine{0};               //!< where they are named
    bool isBlank{true};                  //!< nothing but comments is in the file
};

/**
 * @ingroup gridftp
 * Reads a file of settings.
 *
 * Contract: ReadHostFile() calls it with the decoded text of a file. The form is found from the
 * content: a line "[section]" makes it a profile of TuneD, "#!" or a command such as sysctl or echo
 * a shell script, of which every command counts that sets a key; what else a script does is passed
 * over. Otherwise each line is "KEY = VALUE", "/proc/sys/NAME:VALUE", empty, a comment, a message
 * of sysctl, or a line of control of a template (Jinja, ERB).
 *
 * @param content of the file
 * @return its settings, or what is wrong with which line
 */
Expected<SysctlText> ReadSysctlText(std::string_view content);

} // namespace ns3::gridftp

#endif // GRIDFTP_SYSCTL_TEXT_H
