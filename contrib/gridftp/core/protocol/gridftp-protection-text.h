/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROTECTION_TEXT_H
#define GRIDFTP_PROTECTION_TEXT_H

#include "gridftp-control-text.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * How the protection of data channels is agreed (RFC 2228, Section 3): PBSZ, then PROT. What is
 * agreed costs CPU time; nothing is encrypted.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a client says with PBSZ: the most that is protected as one, bytes.
 */
inline constexpr uint32_t PROTECTION_BUFFER_BYTES = 1048576;

/** @ingroup gridftp @param protection of data channels @return argument of PROT: C, S or P */
std::string FormatProtection(Protection protection);

/**
 * @ingroup gridftp
 * @param argument of PROT
 * @return the protection; or 536 for E, confidentiality without integrity, which GSSAPI does not
 *         have, 504 for another letter, 501 for anything else
 */
TextResult<Protection> ParseProtection(std::string_view argument);

/** @ingroup gridftp @param argument of PBSZ @return the bytes, of 32 bits, or 501 */
TextResult<uint32_t> ParseProtectionBuffer(std::string_view argument);

} // namespace ns3::gridftp

#endif // GRIDFTP_PROTECTION_TEXT_H
