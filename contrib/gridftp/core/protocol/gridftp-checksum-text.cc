/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-checksum-text.h"

#include <charconv>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view ALGORITHM = "ADLER32";
constexpr std::string_view TO_THE_END = "-1";
constexpr size_t DIGITS = 8;

} // namespace

std::string
FormatChecksumOrder(const ChecksumOrder& order)
{
    const std::string length =
        order.length ? std::to_string(*order.length) : std::string(TO_THE_END);
    return std::string(ALGORITHM) + ' ' + std::to_string(order.offset) + ' ' + length + ' ' +
           order.path;
}

TextResult<ChecksumOrder>
ParseChecksumOrder(std::string_view argument)
{
    std::string_view rest = argument;
    const std::string_view algorithm = TakeUntil(rest, ' ');
    if (!EqualNoCase(algorithm, ALGORITHM))
    {
        return MakeTextError(500, "Checksum algorithm", algorithm, "ADLER32 expected.");
    }
    ChecksumOrder order;
    const auto offset = ParseNumber(TakeUntil(rest, ' '));
    if (!offset)
    {
        return offset.GetError();
    }
    order.offset = *offset;
    const std::string_view length = TakeUntil(rest, ' ');
    if (length != TO_THE_END)
    {
        const auto bytes = ParseNumber(length);
        if (!bytes)
        {
            return bytes.GetError();
        }
        order.length = *bytes;
    }
    if (rest.empty())
    {
        return MakeTextError(501, "Argument", argument, "algorithm offset length path expected.");
    }
    order.path = rest;
    return order;
}

std::string
FormatChecksum(uint32_t value)
{
    constexpr std::string_view HEXADECIMAL = "0123456789abcdef";
    std::string text(DIGITS, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit)
    {
        *digit = HEXADECIMAL[value & 0xf];
        value >>= 4;
    }
    return text;
}

TextResult<uint32_t>
ParseChecksum(std::string_view text)
{
    constexpr int BASE = 16;
    uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, BASE);
    if (text.size() != DIGITS || read.ec != std::errc() || read.ptr != text.data() + text.size())
    {
        return MakeTextError(501, "Checksum", text, "eight hexadecimal digits expected.");
    }
    return value;
}

Reply
MakeChecksumReply(uint32_t value)
{
    constexpr int FILE_STATUS = 213;
    return {FILE_STATUS, {FormatChecksum(value)}};
}

TextResult<uint32_t>
ParseChecksumReply(const Reply& reply)
{
    return ParseChecksum(reply.lines.front());
}

} // namespace ns3::gridftp
