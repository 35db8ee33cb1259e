/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UTF8_H
#define GRIDFTP_UTF8_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp Appends a character. @param text UTF-8 @param character up to U+10FFFF */
void AppendUtf8(std::string& text, uint32_t character);

/**
 * @ingroup gridftp
 * @param text not empty
 * @return length of the well-formed UTF-8 sequence that begins it, bytes; 0 where none does
 * (RFC 3629, Section 4)
 */
size_t Utf8Length(std::string_view text);

} // namespace ns3::gridftp

#endif // GRIDFTP_UTF8_H
