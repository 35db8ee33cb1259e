/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SECURITY_TEXT_H
#define GRIDFTP_SECURITY_TEXT_H

#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"
#include "gridftp-handshake.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The security extensions of the control connection (RFC 2228), as the Grid Community Toolkit 6.2
 * was observed to use them: AUTH GSSAPI and ADAT, and from their success on each line in the armour
 * of ENC and 632, which is base64 of a token. A token has the length of a real one, and in it what
 * the line says, not encrypted.
 */

namespace ns3::gridftp
{

/// @param bytes any @return base64 of them (RFC 4648, Section 4)
std::string EncodeBase64(std::string_view bytes);

/// @param text base64 @return the bytes, or 501
TextResult<std::string> DecodeBase64(std::string_view text);

/// @param bytes length of a token of a handshake @return the token: a record of TLS, and filler
std::string MakeToken(uint32_t bytes);

/// Which end writes.
enum class ArmourSide : uint8_t
{
    CLIENT, //!< commands: ENC
    SERVER  //!< replies: 632
};

/**
 * Puts lines into armour.
 * @param side who says them
 * @param text lines, each with CRLF
 * @return as many lines
 */
std::string WrapLines(ArmourSide side, std::string_view text);

/// @param side who says them @param text lines, each with CRLF @return length of WrapLines()
size_t GetWrappedLength(ArmourSide side, std::string_view text);

/**
 * Takes a line out of its armour. MIC and CONF, 631 and 633, are of the same kind.
 * @param side who has said it
 * @param line without its end
 * @return what is in it, without its end; 533 for a line without armour, 501 where its token is
 * none
 */
TextResult<std::string> UnwrapLine(ArmourSide side, std::string_view line);

/// What a client says first, and the CPU time that it takes before each.
struct SecurityCommand
{
    Command command;      //!< AUTH or ADAT
    HandshakeWork work{}; //!< before it is said
};

/// @return how a client authenticates, and delegates a credential: to be said one at a time
std::vector<SecurityCommand> ListSecurityCommands();

/// The server's side of that.
class SecurityServer
{
  public:
    /// What it answers, and the CPU time that it takes before.
    struct Answer
    {
        Reply reply;          //!< what
        HandshakeWork work{}; //!< before it is said
    };

    /**
     * @param command AUTH or ADAT
     * @return the answer: 334, 335 and 235; else 501, 503, 504 or 535
     */
    Answer Accept(const Command& command);

    /// @return whether the client is known, and lines have armour from now on
    bool IsDone() const
    {
        return m_isDone;
    }

  private:
    size_t m_next{0};      //!< message of the handshake that is to come; 0 before AUTH
    bool m_isBegun{false}; //!< AUTH has come
    bool m_isDone{false};  //!< see IsDone()
};

/// @return 535, by which a server refuses a client
Reply MakeAuthenticationRefusal();

/// @return 530, where AUTH has to come first
Reply MakeUnauthenticatedReply();

} // namespace ns3::gridftp

#endif // GRIDFTP_SECURITY_TEXT_H
