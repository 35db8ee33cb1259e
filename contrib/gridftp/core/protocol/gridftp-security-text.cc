/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-security-text.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view DIGITS =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char PAD = '=';
constexpr std::string_view MECHANISM = "GSSAPI";
constexpr std::string_view TOKEN_PREFIX = "ADAT=";
constexpr std::string_view END = "\r\n";

// A token is a record of TLS (RFC 8446, Section 5.2): type, version and length, then what it is
// about, one byte that tells the real type, and 16 bytes that prove it
constexpr char APPLICATION_DATA = 0x17;
constexpr char HANDSHAKE = 0x16;
constexpr size_t RECORD_HEADER = 5;
constexpr size_t RECORD_TRAILER = 17;

/** What comes before the token of a line. */
constexpr std::string_view COMMAND_ARMOUR = "ENC ";
constexpr std::string_view REPLY_ARMOUR = "632";

/** Commands and codes with such armour: all protect, not all encrypt. */
constexpr std::array<std::string_view, 3> COMMANDS{"MIC", "CONF", "ENC"};
constexpr std::array<std::string_view, 3> CODES{"631", "633", "632"};

std::string
MakeRecord(char type, std::string_view content, size_t filler)
{
    const size_t length = content.size() + filler;
    std::string record{type, 3, 3, static_cast<char>(length >> 8), static_cast<char>(length)};
    record += content;
    return record + std::string(filler, '\0');
}

/** @return bytes of base64 that so many bytes take */
size_t
GetBase64Length(size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

/** Does something with each line of a text, its end included. */
template <typename F>
void
ForEachLine(std::string_view text, const F& act)
{
    while (!text.empty())
    {
        const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        act(text.substr(0, end));
        text.remove_prefix(end);
    }
}

/** @return 4 digits of 3 bytes, of which there may be fewer */
std::string
EncodeGroup(std::string_view group)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i)
    {
        bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0);
    }
    std::string text;
    for (int shift = 18; shift >= 0; shift -= 6)
    {
        text += DIGITS[bits >> shift & 0x3f];
    }
    text.resize(group.size() + 1);
    return text + std::string(4 - text.size(), PAD);
}

/** @return the token of an armoured line, none where it has no armour */
std::string_view
FindArmoured(ArmourSide side, std::string_view line)
{
    const auto& words = side == ArmourSide::CLIENT ? COMMANDS : CODES;
    const size_t size =
        std::min(line.find_first_of(side == ArmourSide::CLIENT ? " " : " -"), line.size());
    const bool isOne = std::ranges::any_of(words, [&](std::string_view word) {
        return EqualNoCase(word, line.substr(0, size));
    });
    return isOne && size < line.size() ? line.substr(size + 1) : std::string_view();
}

} // namespace

std::string
EncodeBase64(std::string_view bytes)
{
    std::string text;
    text.reserve(GetBase64Length(bytes.size()));
    for (size_t i = 0; i < bytes.size(); i += 3)
    {
        text += EncodeGroup(bytes.substr(i, 3));
    }
    return text;
}

TextResult<std::string>
DecodeBase64(std::string_view text)
{
    const TextError error = MakeTextError(501, "Token", text, "base64 expected.");
    const size_t digits = std::min(text.find(PAD), text.size());
    if (text.empty() || text.size() % 4 != 0 || text.size() - digits > 2 ||
        text.find_first_not_of(PAD, digits) != std::string_view::npos)
    {
        return error;
    }
    std::string bytes;
    uint32_t bits = 0;
    for (size_t i = 0; i < text.size(); ++i)
    {
        const size_t digit = i < digits ? DIGITS.find(text[i]) : 0;
        if (digit == std::string_view::npos)
        {
            return error;
        }
        bits = bits << 6 | static_cast<uint32_t>(digit);
        if (i % 4 == 3)
        {
            bytes += {static_cast<char>(bits >> 16),
                      static_cast<char>(bits >> 8),
                      static_cast<char>(bits)};
        }
    }
    bytes.resize(bytes.size() - (text.size() - digits));
    return bytes;
}

std::string
MakeToken(uint32_t bytes)
{
    return MakeRecord(HANDSHAKE, "", bytes - RECORD_HEADER);
}

std::string
WrapLines(ArmourSide side, std::string_view text)
{
    std::string wrapped;
    ForEachLine(text, [&](std::string_view line) {
        const std::string record = MakeRecord(APPLICATION_DATA, line, RECORD_TRAILER);
        const bool goesOn = line.size() > 3 && (line[3] == '-' || line.front() == ' ');
        wrapped += side == ArmourSide::CLIENT ? std::string(COMMAND_ARMOUR)
                                              : std::string(REPLY_ARMOUR) + (goesOn ? '-' : ' ');
        wrapped += EncodeBase64(record);
        wrapped += END;
    });
    return wrapped;
}

size_t
GetWrappedLength(ArmourSide side, std::string_view text)
{
    const size_t armour =
        side == ArmourSide::CLIENT ? COMMAND_ARMOUR.size() : REPLY_ARMOUR.size() + 1;
    size_t length = 0;
    ForEachLine(text, [&](std::string_view line) {
        length +=
            armour + GetBase64Length(RECORD_HEADER + line.size() + RECORD_TRAILER) + END.size();
    });
    return length;
}

TextResult<std::string>
UnwrapLine(ArmourSide side, std::string_view line)
{
    const std::string_view token = FindArmoured(side, line);
    if (token.empty())
    {
        return TextError{533, "Protected lines only, in the armour of ENC, MIC or CONF."};
    }
    auto record = DecodeBase64(token);
    if (!record)
    {
        return record;
    }
    const size_t length = record->size();
    if (length < RECORD_HEADER + RECORD_TRAILER || (*record)[0] != APPLICATION_DATA)
    {
        return MakeTextError(501, "Token", token, "a protected line expected.");
    }
    std::string inner = record->substr(RECORD_HEADER, length - RECORD_HEADER - RECORD_TRAILER);
    while (!inner.empty() && (inner.back() == '\n' || inner.back() == '\r'))
    {
        inner.pop_back();
    }
    return inner;
}

std::vector<SecurityCommand>
ListSecurityCommands()
{
    std::vector<SecurityCommand> all{{{Verb::AUTH, std::string(MECHANISM)}, HandshakeWork::NONE}};
    const Handshake& messages = GetControlHandshake();
    for (size_t i = 0; i < messages.size(); i += 2)
    {
        all.push_back({{Verb::ADAT, EncodeBase64(MakeToken(messages[i].bytes))}, messages[i].work});
    }
    return all;
}

SecurityServer::Answer
SecurityServer::Accept(const Command& command)
{
    const Handshake& messages = GetControlHandshake();
    if (command.verb == Verb::AUTH)
    {
        m_isBegun = EqualNoCase(command.argument, MECHANISM);
        m_next = 0;
        return {m_isBegun
                    ? Reply{334, {"Using authentication type; ADAT must follow."}}
                    : MakeReply(MakeTextError(504, "AUTH", command.argument, "only GSSAPI."))};
    }
    if (!m_isBegun)
    {
        return {{503, {"AUTH first."}}};
    }
    const auto token = DecodeBase64(command.argument);
    if (!token || token->size() != messages[m_next].bytes)
    {
        m_isBegun = false;
        return {token ? MakeAuthenticationRefusal() : MakeReply(token.GetError())};
    }
    const HandshakeMessage& own = messages[m_next + 1];
    m_next += 2;
    m_isDone = own.bytes == 0;
    m_isBegun = !m_isDone;
    const std::string text = m_isDone
                                 ? "GSSAPI Authentication successful."
                                 : std::string(TOKEN_PREFIX) + EncodeBase64(MakeToken(own.bytes));
    return {{m_isDone ? 235 : 335, {text}}, own.work};
}

Reply
MakeAuthenticationRefusal()
{
    return {535, {"GSSAPI Authentication failed."}};
}

Reply
MakeUnauthenticatedReply()
{
    return {530, {"Please authenticate with AUTH GSSAPI first."}};
}

} // namespace ns3::gridftp
