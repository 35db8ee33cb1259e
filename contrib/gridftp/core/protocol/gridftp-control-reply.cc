/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-reply.h"

#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view RANGE_MARKER = "Range Marker ";

/// The extensions that FEAT lists (RFC 2389): those the server has, not all that were observed.
constexpr std::array<std::string_view, 5> FEATURES{"PARALLEL", "SIZE", "ERET", "ESTO", "SBUF"};

/// The fields of a 112 reply, in the order written.
constexpr std::array<std::string_view, 4> PERF_FIELDS{"Timestamp",
                                                      "Stripe Index",
                                                      "Stripe Bytes Transferred",
                                                      "Total Stripe Count"};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

// The code in front of a line, 0 if there is none.
int
LeadingCode(std::string_view line)
{
    if (line.size() < 3 || line[0] < '1' || line[0] > '6' || !IsDigit(line[1]) || !IsDigit(line[2]))
    {
        return 0;
    }
    return (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
}

TextError
NotThisReply(const Reply& reply, std::string_view expected)
{
    const std::string found =
        std::to_string(reply.code) + ' ' + (reply.lines.empty() ? "" : reply.lines.front());
    return MakeTextError(501, "Reply", found, std::string(expected) + " expected.");
}

// "123.4" in tenths; further decimals are cut off.
TextResult<uint64_t>
ParseDeciseconds(std::string_view text)
{
    std::string_view decimals = text;
    const auto seconds = ParseNumber(TakeUntil(decimals, '.'), UINT64_MAX / 10);
    if (!seconds)
    {
        return seconds.GetError();
    }
    const uint64_t tenths = decimals.empty() ? 0 : static_cast<uint64_t>(decimals[0] - '0');
    if (!std::all_of(decimals.begin(), decimals.end(), IsDigit) ||
        tenths > UINT64_MAX - *seconds * 10)
    {
        return MakeTextError(501, "Timestamp", text, "64-bit tenths of a second expected.");
    }
    return *seconds * 10 + tenths;
}

// One field of a 112 reply by its name, which must stand there exactly once.
TextResult<std::string_view>
FindPerfField(const Reply& reply, std::string_view name)
{
    std::optional<std::string_view> found;
    for (std::size_t i = 1; i + 1 < reply.lines.size(); ++i)
    {
        std::string_view value = reply.lines[i];
        if (Trim(TakeUntil(value, ':')) == name)
        {
            if (found)
            {
                return MakeTextError(501, "Perf marker field", name, "once expected.");
            }
            found = Trim(value);
        }
    }
    if (!found)
    {
        return MakeTextError(501, "Perf marker field", name, "is missing.");
    }
    return *found;
}

TextResult<uint64_t>
ParsePerfNumber(const Reply& reply, std::string_view name, uint64_t maximum)
{
    const auto text = FindPerfField(reply, name);
    return text ? ParseNumber(*text, maximum) : TextResult<uint64_t>(text.GetError());
}

Reply
MakeSiteReply(const Command& command)
{
    const auto site = ParseSite(command.argument);
    if (!site)
    {
        return MakeReply(site.GetError());
    }
    if (site->verb == SiteVerb::CLIENTINFO)
    {
        return {250, {"OK."}};
    }
    if (site->verb != SiteVerb::HELP)
    {
        return {200, {"Site Command Successful."}};
    }
    Reply reply{214, {"The following commands are recognized:"}};
    for (const Verb verb : ImplementedVerbs())
    {
        // Every R measured has the length of this reply in it, and had it before there were these
        constexpr std::array LATER{Verb::ABOR,
                                   Verb::SPAS,
                                   Verb::SPOR,
                                   Verb::REST,
                                   Verb::DCAU,
                                   Verb::CKSM,
                                   Verb::AUTH,
                                   Verb::ADAT,
                                   Verb::PROT};
        if (std::ranges::find(LATER, verb) == LATER.end())
        {
            reply.lines.emplace_back(VerbName(verb));
        }
    }
    reply.lines.emplace_back("End");
    return reply;
}

Reply
MakeFeaturesReply()
{
    Reply reply{211, {"Extensions supported:"}};
    reply.lines.insert(reply.lines.end(), FEATURES.begin(), FEATURES.end());
    reply.lines.emplace_back("End.");
    return reply;
}

} // namespace

std::string
FormatReply(const Reply& reply)
{
    const std::string code = std::to_string(reply.code);
    const std::size_t count = reply.lines.size();
    std::string text;
    for (std::size_t i = 0; i + 1 < count; ++i)
    {
        text += (i == 0 ? code + '-' : " ") + ToLineText(reply.lines[i]) + "\r\n";
    }
    return text + code + ' ' + (count > 0 ? ToLineText(reply.lines.back()) : "") + "\r\n";
}

Reply
MakeReply(const TextError& error)
{
    return {error.code, {error.text}};
}

Reply
MakeReply(const Command& command)
{
    switch (command.verb)
    {
    case Verb::USER:
        return {331, {"Password required for " + command.argument + "."}};
    case Verb::PASS:
        return {230, {"User logged in."}};
    case Verb::SITE:
        return MakeSiteReply(command);
    case Verb::FEAT:
        return MakeFeaturesReply();
    case Verb::TYPE:
    case Verb::MODE:
        return {200,
                {(command.verb == Verb::TYPE ? "Type set to " : "Mode set to ") + command.argument +
                 "."}};
    case Verb::STOR:
    case Verb::RETR:
    case Verb::ESTO:
    case Verb::ERET:
        return {150, {"Beginning transfer."}};
    case Verb::OPTS:
        return {200, {"OPTS Command Successful."}};
    case Verb::PORT:
        return {200, {"PORT Command successful."}};
    case Verb::SPOR:
        return {200, {"SPOR Command successful."}};
    case Verb::REST:
        return {350, {"Restart Marker OK."}};
    case Verb::DCAU:
        return {200, {"DCAU " + command.argument + "."}};
    case Verb::PBSZ:
        return {200, {"PBSZ=" + command.argument}};
    case Verb::ABOR:
        return {226, {"ABOR command successful."}};
    case Verb::QUIT:
        return {221, {"Goodbye."}};
    default:
        return {200, {std::string(VerbName(command.verb)) + " command successful."}};
    }
}

Reply
MakeBusyReply()
{
    return {503, {"A transfer is in progress."}};
}

Reply
MakeAbortedReply()
{
    return {426, {"Transfer aborted."}};
}

Reply
MakeGreeting(std::string_view host)
{
    return {220, {std::string(host) + " GridFTP Server ready."}};
}

Reply
MakeLoginReply(std::string_view user)
{
    return {230, {"User " + std::string(user) + " logged in."}};
}

Reply
MakeSizeReply(uint64_t bytes)
{
    return {213, {std::to_string(bytes)}};
}

Reply
MakePassiveReply(const HostPort& listener)
{
    return {227, {"Entering Passive Mode (" + FormatHostPort(listener) + ")"}};
}

TextResult<uint64_t>
ParseSizeReply(const Reply& reply)
{
    if (reply.code != 213 || reply.lines.size() != 1)
    {
        return NotThisReply(reply, "213 size");
    }
    return ParseNumber(reply.lines[0]);
}

TextResult<HostPort>
ParsePassiveReply(const Reply& reply)
{
    if (reply.code != 227 || reply.lines.size() != 1)
    {
        return NotThisReply(reply, "227 (h1,h2,h3,h4,p1,p2)");
    }
    // Servers differ in the words around the numbers, so look for digits only (RFC 1123, 4.1.2.6).
    constexpr std::string_view digits = "0123456789";
    const std::string_view text = reply.lines[0];
    const std::size_t first = std::min(text.find_first_of(digits), text.size());
    const std::size_t last = text.find_last_of(digits);
    return ParseHostPort(text.substr(first, last - first + 1));
}

Reply
MakePerfMarkerReply(const PerfMarker& marker)
{
    // The second space in front of the time is there on the wire, too.
    const std::string time = ' ' + std::to_string(marker.timestampDeciseconds / 10) + '.' +
                             std::to_string(marker.timestampDeciseconds % 10);
    const std::array<std::string, PERF_FIELDS.size()> values{time,
                                                             std::to_string(marker.stripeIndex),
                                                             std::to_string(marker.stripeBytes),
                                                             std::to_string(marker.stripeCount)};
    Reply reply{112, {"Perf Marker"}};
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        reply.lines.push_back(std::string(PERF_FIELDS[i]) + ": " + values[i]);
    }
    reply.lines.emplace_back("End.");
    return reply;
}

TextResult<PerfMarker>
ParsePerfMarkerReply(const Reply& reply)
{
    if (reply.code != 112)
    {
        return NotThisReply(reply, "112 Perf Marker");
    }
    const auto timeText = FindPerfField(reply, PERF_FIELDS[0]);
    const auto time =
        timeText ? ParseDeciseconds(*timeText) : TextResult<uint64_t>(timeText.GetError());
    const auto index = ParsePerfNumber(reply, PERF_FIELDS[1], UINT32_MAX);
    const auto bytes = ParsePerfNumber(reply, PERF_FIELDS[2], UINT64_MAX);
    const auto count = ParsePerfNumber(reply, PERF_FIELDS[3], UINT32_MAX);
    for (const auto* part : {&time, &index, &bytes, &count})
    {
        if (!*part)
        {
            return part->GetError();
        }
    }
    if (*index >= *count)
    {
        return MakeTextError(501, PERF_FIELDS[1], std::to_string(*index), "below the count.");
    }
    return PerfMarker{*time, static_cast<uint32_t>(*index), *bytes, static_cast<uint32_t>(*count)};
}

Reply
MakeRangeMarkerReply(const std::vector<MarkerRange>& ranges)
{
    return {111, {std::string(RANGE_MARKER) + FormatRanges(ranges)}};
}

TextResult<std::vector<MarkerRange>>
ParseRangeMarkerReply(const Reply& reply)
{
    if (reply.code != 111 || reply.lines.size() != 1 || !reply.lines[0].starts_with(RANGE_MARKER))
    {
        return NotThisReply(reply, "111 Range Marker");
    }
    return ParseRanges(std::string_view(reply.lines[0]).substr(RANGE_MARKER.size()));
}

void
LineReader::Feed(std::string_view bytes)
{
    while (!bytes.empty())
    {
        const bool ends = bytes.find('\n') != std::string_view::npos;
        Append(TakeUntil(bytes, '\n'));
        if (ends)
        {
            EndLine();
        }
    }
}

std::optional<TextResult<std::string>>
LineReader::Next()
{
    if (m_pending.empty())
    {
        return std::nullopt;
    }
    TextResult<std::string> line = std::move(m_pending.front());
    m_pending.pop_front();
    return line;
}

void
LineReader::Append(std::string_view piece)
{
    if (m_skipping)
    {
        return;
    }
    // One byte more than the longest line: it may be the CR of the line end.
    const std::size_t room = m_longest + 1 - m_partial.size();
    m_partial.append(piece.substr(0, room));
    if (piece.size() > room || (m_partial.size() > m_longest && m_partial.back() != '\r'))
    {
        m_skipping = true;
        m_partial.clear();
        m_pending.emplace_back(
            TextError{500, "Line too long: at most " + std::to_string(m_longest) + " bytes."});
    }
}

void
LineReader::EndLine()
{
    if (!m_skipping)
    {
        if (!m_partial.empty() && m_partial.back() == '\r')
        {
            m_partial.pop_back();
        }
        m_pending.emplace_back(std::move(m_partial));
    }
    m_partial.clear();
    m_skipping = false;
}

std::optional<TextResult<Reply>>
ReplyReader::Feed(std::string_view line)
{
    const int code = LeadingCode(line);
    const char mark = line.size() > 3 ? line[3] : '\0';
    const std::string_view text = line.substr(std::min<std::size_t>(4, line.size()));
    if (m_reply.lines.empty())
    {
        if (code == 0 || (mark != ' ' && mark != '-' && mark != '\0'))
        {
            return MakeTextError(500, "Line", line, "no reply.");
        }
        if (mark != '-')
        {
            return Reply{code, {std::string(text)}};
        }
        m_reply = {code, {std::string(text)}};
        return std::nullopt;
    }
    if (code == m_reply.code && mark == ' ')
    {
        m_reply.lines.emplace_back(text);
        return std::exchange(m_reply, {});
    }
    m_reply.lines.emplace_back(line.substr(line.starts_with(' ') ? 1 : 0));
    if (m_reply.lines.size() >= MAXIMUM_LINES)
    {
        m_reply = {};
        return TextError{500, "Reply of more than " + std::to_string(MAXIMUM_LINES) + " lines."};
    }
    return std::nullopt;
}

} // namespace ns3::gridftp
