/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-sizing.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t LARGEST_ID = UINT32_MAX;
constexpr uint64_t LARGEST_BUFFER = 1ULL << 30;
constexpr std::string_view PREFIX = "SBUF ";

/** A number of an SBUF. */
TextResult<uint64_t>
ParsePart(std::string_view what, std::string_view text, uint64_t most)
{
    const auto number = ParseNumber(text, most);
    if (number && *number > 0)
    {
        return *number;
    }
    return MakeTextError(501, what, text, "1 to " + std::to_string(most));
}

} // namespace

std::string
FormatSizing(const SizingMessage& message)
{
    return std::to_string(message.id) + " " + std::to_string(message.bytes);
}

TextResult<uint64_t>
ParseBufferSize(std::string_view argument)
{
    const auto size = ParseNumber(argument, LARGEST_BUFFER);
    if (size && *size == 0)
    {
        return TextError{501, "Buffer size out of range: 0"};
    }
    return size;
}

TextResult<SizingMessage>
ParseSizing(std::string_view argument)
{
    std::string_view rest = argument;
    const auto id = ParsePart("SBUF: ID", TakeUntil(rest, ' '), LARGEST_ID);
    if (!id)
    {
        return id.GetError();
    }
    const auto bytes = ParsePart("SBUF: buffer size", rest, LARGEST_BUFFER);
    if (!bytes)
    {
        return bytes.GetError();
    }
    return SizingMessage{*id, *bytes};
}

Command
MakeSizingCommand(const SizingMessage& message)
{
    return {Verb::SBUF, FormatSizing(message)};
}

Reply
MakeSizingReply(int code, const SizingMessage& message)
{
    return {code, {std::string(PREFIX) + FormatSizing(message)}};
}

Reply
MakeSizingRefusal(bool isTransferring, std::string_view argument)
{
    return isTransferring ? MakeBusyReply() : MakeReply(ParseBufferSize(argument).GetError());
}

Reply
MakeUnknownSizingReply(const SizingMessage& message)
{
    return MakeReply(MakeTextError(501,
                                   "SBUF: ID",
                                   std::to_string(message.id),
                                   "that of a 126 that is not answered"));
}

bool
IsSizingRefusal(int code)
{
    return code >= 500 && code <= 503;
}

std::optional<SizingMessage>
FindSizing(const Reply& reply)
{
    const std::string_view line = reply.lines.front();
    const bool isOne = (reply.code == SIZING_ANSWER || reply.code == SIZING_NOTICE) &&
                       reply.lines.size() == 1 && line.starts_with(PREFIX);
    if (!isOne)
    {
        return std::nullopt;
    }
    const auto message = ParseSizing(line.substr(PREFIX.size()));
    return message ? std::optional(*message) : std::nullopt;
}

TextResult<SizingMessage>
SizingServer::Accept(std::string_view argument, const BufferSettings& buffers)
{
    auto message = ParseSizing(argument);
    if (!message)
    {
        return message;
    }
    if (message->id <= m_lastId)
    {
        return MakeTextError(501,
                             "SBUF: ID",
                             std::to_string(message->id),
                             "more than the last one, " + std::to_string(m_lastId));
    }
    m_lastId = message->id;
    message->bytes = buffers.sendBuffer > 0 ? buffers.sendBuffer
                                            : std::min(message->bytes, buffers.GetMostWindow());
    return message;
}

} // namespace ns3::gridftp
