/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEXT_DECODING_H
#define GRIDFTP_TEXT_DECODING_H

#include "gridftp-expected.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Converts the bytes of a file into text with one kind of line end.
 *
 * Contract: ReadTextFile() calls it once with the whole file. UTF-16 is recognised by its byte
 * order mark, or by zero bytes at every second position of the beginning, and becomes UTF-8. A byte
 * order mark is removed. CR LF and a single CR become LF. Every other byte stays as it is, so that
 * Latin-1 in a comment does no harm.
 *
 * @param bytes of the file
 * @return the text, or an error that names the format: a compressed file, a spreadsheet, binary
 *         data
 */
Expected<std::string> DecodeText(std::string bytes);

} // namespace ns3::gridftp

#endif // GRIDFTP_TEXT_DECODING_H
