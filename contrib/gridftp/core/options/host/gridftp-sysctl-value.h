/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SYSCTL_VALUE_H
#define GRIDFTP_SYSCTL_VALUE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Values and patterns of keys of sysctl, as the kernel and systemd-sysctl read them.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @param text of one number
 * @return the number: decimal, hexadecimal behind 0x or octal behind 0, with a sign (Linux,
 *         kernel/sysctl.c, proc_dointvec); nothing where it is none or has no int64_t
 */
std::optional<int64_t> ReadSysctlNumber(std::string_view text);

/**
 * @ingroup gridftp
 * @param text of numbers with spaces and tabs between them
 * @return the numbers; nothing where something else is there
 */
std::optional<std::vector<int64_t>> ReadSysctlNumbers(std::string_view text);

/** @ingroup gridftp @param text of a value @return it for a message: short, a space for each tab */
std::string ShowSysctlValue(std::string_view text);

/** @ingroup gridftp @param key of a setting @return whether it is a pattern for several keys */
bool IsKeyPattern(std::string_view key);

/**
 * @ingroup gridftp
 * @param pattern of glob(7) with *, ? and [...]; a dot is a character like others
 * @param key of Linux
 * @return whether the pattern is for the key
 */
bool MatchesKey(std::string_view pattern, std::string_view key);

} // namespace ns3::gridftp

#endif // GRIDFTP_SYSCTL_VALUE_H
