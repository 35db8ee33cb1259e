/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_REPLY_H
#define GRIDFTP_CONTROL_REPLY_H

#include "gridftp-control-text.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The replies of the control connection (RFC 959, section 4.2), the markers of GFD.20, and the
 * incremental readers that cut a byte stream into lines and replies. The wording follows that of
 * the Grid Community Toolkit 6.2 server, observed. Nothing here throws.
 */

namespace ns3::gridftp
{

/// One reply of the server.
struct Reply
{
    int code{0};                    //!< three digits, 100 to 699
    std::vector<std::string> lines; //!< at least one: first, inner ones, last, without the code

    bool operator==(const Reply&) const = default;
};

/**
 * Write a reply: "226 text" for one line, "211-first", " inner", ..., "211 last" for more
 * (RFC 959, section 4.2; RFC 2389, section 3.2).
 * @param reply the reply; bytes that no line can hold become '?'
 * @return the lines, each with CRLF
 */
std::string FormatReply(const Reply& reply);

/**
 * The reply that refuses a command.
 * @param error why
 * @return the reply
 */
Reply MakeReply(const TextError& error);

/**
 * The reply to a command that succeeded and has nothing particular to tell, e.g. "200 Type set
 * to I.", "250 OK." for SITE CLIENTINFO, the 211 list of FEAT, the 214 list of SITE HELP, and the
 * 150 that opens a transfer. Not for SIZE and PASV: see MakeSizeReply(), MakePassiveReply().
 * @param command the command as parsed
 * @return the reply
 */
Reply MakeReply(const Command& command);

/// @return 426, which ends the transfer that an ABOR ends (RFC 959, section 4.1.3)
Reply MakeAbortedReply();

/// @return 503, while a transfer is under way, to what cannot be done then
Reply MakeBusyReply();

/// @param host the server's name @return 220, the greeting
Reply MakeGreeting(std::string_view host);
/// @param user the name given with USER @return 230, after the right PASS
Reply MakeLoginReply(std::string_view user);
/// @param bytes the size of the file @return 213
Reply MakeSizeReply(uint64_t bytes);
/// @param listener where the server listens @return 227
Reply MakePassiveReply(const HostPort& listener);

/// @param reply a 213 reply @return the size in bytes, or 501
TextResult<uint64_t> ParseSizeReply(const Reply& reply);
/// @param reply a 227 reply, with or without parentheses @return the address, or 501
TextResult<HostPort> ParsePassiveReply(const Reply& reply);

/** @ingroup gridftp @brief What markers tell the time in, ns. */
inline constexpr int64_t DECISECOND_NS = 100'000'000;

/// Progress of one stripe of a transfer, reply 112 (GFD.20).
struct PerfMarker
{
    uint64_t timestampDeciseconds{0}; //!< when, in tenths of a second, as fine as on the wire
    uint32_t stripeIndex{0};          //!< which stripe, from 0
    uint64_t stripeBytes{0};          //!< bytes moved by this stripe so far
    uint32_t stripeCount{1};          //!< stripes in the transfer

    bool operator==(const PerfMarker&) const = default;
};

/// @param marker the marker @return the six-line 112 reply
Reply MakePerfMarkerReply(const PerfMarker& marker);
/// @param reply a 112 reply, its fields in any order @return the marker, or 501
TextResult<PerfMarker> ParsePerfMarkerReply(const Reply& reply);

/// @param ranges what has arrived @return "111 Range Marker begin-end,..."
Reply MakeRangeMarkerReply(const std::vector<MarkerRange>& ranges);
/// @param reply a 111 reply @return the ranges, or 501
TextResult<std::vector<MarkerRange>> ParseRangeMarkerReply(const Reply& reply);

/**
 * Cuts a byte stream into lines, however it is segmented.
 *
 * A line ends with CRLF or with LF alone. All other bytes, NUL and telnet IAC included, are kept
 * for ParseCommand() to refuse.
 */
class LineReader
{
  public:
    /// Longest line accepted at first, bytes without its end.
    static constexpr std::size_t MAXIMUM_LENGTH = 4096;

    /// @param bytes of the longest line accepted from now on, without its end
    void SetLongest(std::size_t bytes)
    {
        m_longest = bytes;
    }

    /**
     * Take the next bytes of the stream.
     * @param bytes the bytes, any number of them
     */
    void Feed(std::string_view bytes);

    /**
     * Get the next complete line.
     * @return the line without its end; or 500, once, for a line that is too long, whose rest is
     * skipped; or nothing until more bytes arrive
     */
    std::optional<TextResult<std::string>> Next();

  private:
    /**
     * Take bytes of the current line.
     * @param piece the bytes, without LF
     */
    void Append(std::string_view piece);

    /// The LF has come.
    void EndLine();

    std::size_t m_longest{MAXIMUM_LENGTH};         //!< see SetLongest()
    std::string m_partial;                         //!< the line being collected
    bool m_skipping{false};                        //!< within the rest of a line that is too long
    std::deque<TextResult<std::string>> m_pending; //!< lines not yet asked for
};

/**
 * Puts lines together to replies (RFC 959, section 4.2).
 *
 * "code-" opens a reply of several lines, which the first line with "code " and the same code
 * ends; what stands between may look like anything.
 */
class ReplyReader
{
  public:
    /// Most lines in one reply.
    static constexpr std::size_t MAXIMUM_LINES = 1024;

    /**
     * Take the next line.
     * @param line the line without its end
     * @return the reply that this line completes; or 500 for a line that is no reply or one line
     * too many, after which the next line starts afresh; or nothing within a reply
     */
    std::optional<TextResult<Reply>> Feed(std::string_view line);

  private:
    Reply m_reply; //!< the reply being collected; without lines: none
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_REPLY_H
