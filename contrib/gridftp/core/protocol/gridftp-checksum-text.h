/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CHECKSUM_TEXT_H
#define GRIDFTP_CHECKSUM_TEXT_H

#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * The command CKSM, which asks a server for a checksum of a file, and its reply, as observed with
 * globus-gridftp-server 13.24 of the Grid Community Toolkit 6.2:
 *
 *     CKSM ADLER32 0 -1 /data/file
 *     213 084b021f
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Argument of CKSM. Its algorithm is Adler-32, the only one that this
 * module has. */
struct ChecksumOrder
{
    uint64_t offset{0};               //!< of the first byte
    std::optional<uint64_t> length{}; //!< how many bytes; none: up to the end of the file
    std::string path{};               //!< of the file

    bool operator==(const ChecksumOrder&) const = default;
};

/** @param order what is asked @return "ADLER32 offset length path"; length -1: up to the end */
std::string FormatChecksumOrder(const ChecksumOrder& order);

/** @param argument "algorithm offset length path" @return the order; or 501 for a malformed
 * text, 500 for another algorithm, both as the server of the Grid Community Toolkit answers */
TextResult<ChecksumOrder> ParseChecksumOrder(std::string_view argument);

/** @param value of the checksum @return eight hexadecimal digits, in lower case */
std::string FormatChecksum(uint32_t value);

/** @param text of a checksum @return its value, or 501 */
TextResult<uint32_t> ParseChecksum(std::string_view text);

/** @param value of the checksum @return 213 */
Reply MakeChecksumReply(uint32_t value);

/** @param reply to CKSM @return the checksum, or 501 */
TextResult<uint32_t> ParseChecksumReply(const Reply& reply);

} // namespace ns3::gridftp

#endif // GRIDFTP_CHECKSUM_TEXT_H
