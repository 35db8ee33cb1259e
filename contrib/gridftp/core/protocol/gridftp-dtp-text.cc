/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-dtp-text.h"

#include "gridftp-stripe-text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ns3::gridftp
{

namespace
{

/// In the order of DtpVerb.
constexpr std::array<std::string_view, 6> VERBS{"LISTEN",
                                                "RECEIVE",
                                                "SEND",
                                                "FINISH",
                                                "ABORT",
                                                "END"};

/// In the order of DtpEvent.
constexpr std::array<std::string_view, 5> EVENTS{"PORT", "READY", "BYTES", "DONE", "FAIL"};

/// In the order of StripeLayout.
constexpr std::array<std::string_view, 2> LAYOUTS{"blocked", "partitioned"};

constexpr std::string_view PAIRS = "pairs=";
constexpr std::string_view KEEP = "keep";
constexpr std::string_view CLOSE = "close";

// Index of a word, or 500 for another one.
template <std::size_t SIZE>
TextResult<std::size_t>
FindWord(const std::array<std::string_view, SIZE>& words, std::string_view word)
{
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
    {
        return MakeTextError(500, "Word", word, "not known.");
    }
    return static_cast<std::size_t>(found - words.begin());
}

// Takes numbers off a text, each with the blank behind it.
template <std::size_t SIZE>
TextResult<std::array<uint64_t, SIZE>>
TakeNumbers(std::string_view& rest)
{
    std::array<uint64_t, SIZE> numbers{};
    for (uint64_t& number : numbers)
    {
        const auto parsed = ParseNumber(TakeUntil(rest, ' '), INT64_MAX);
        if (!parsed)
        {
            return parsed.GetError();
        }
        number = *parsed;
    }
    return numbers;
}

// Ranges behind other words, if there are any.
std::string
FormatHeld(const MarkerRanges& held)
{
    return held.empty() ? "" : ' ' + FormatRanges(held);
}

// Takes ranges off the end of a text, if there are any: no other word has a '-'.
TextResult<MarkerRanges>
TakeHeld(std::string_view& rest)
{
    const std::size_t blank = rest.rfind(' ');
    const std::size_t begin = blank == rest.npos ? 0 : blank + 1;
    const std::string_view word = rest.substr(begin);
    if (word.find('-') == word.npos)
    {
        return MarkerRanges();
    }
    rest = rest.substr(0, blank == rest.npos ? 0 : blank);
    return ParseRanges(word);
}

std::string
FormatOrder(const DtpOrder& order)
{
    std::string text;
    for (const uint64_t number : {order.offset,
                                  order.length,
                                  uint64_t{order.stripe},
                                  uint64_t{order.senders},
                                  order.blockBytes,
                                  uint64_t{order.parallelism},
                                  uint64_t{order.window}})
    {
        text += std::to_string(number) + ' ';
    }
    text += std::string(LAYOUTS[static_cast<std::size_t>(order.layout)]) + ' ';
    if (!order.pairs.empty())
    {
        text += std::string(PAIRS) + FormatNumbers({order.pairs.begin(), order.pairs.end()}) + ' ';
    }
    return text + FormatHostPorts(order.receivers) + FormatHeld(order.held);
}

// Takes the connections of each pair off a text, with the blank behind them, if they are there.
TextResult<std::vector<uint32_t>>
TakePairs(std::string_view& rest)
{
    if (!rest.starts_with(PAIRS))
    {
        return std::vector<uint32_t>();
    }
    const auto numbers = ParseNumbers(TakeUntil(rest, ' ').substr(PAIRS.size()), 1, UINT32_MAX);
    if (!numbers)
    {
        return numbers.GetError();
    }
    std::vector<uint32_t> pairs;
    for (const uint64_t number : *numbers)
    {
        pairs.push_back(static_cast<uint32_t>(number));
    }
    return pairs;
}

// Whether as many pairs are named as there are, if any is.
bool
FitPairs(const DtpOrder& order)
{
    const auto receivers = static_cast<int64_t>(order.receivers.size());
    return order.pairs.empty() ||
           static_cast<int64_t>(order.pairs.size()) == GetPairs({order.senders, receivers});
}

TextResult<DtpOrder>
ParseOrder(std::string_view rest)
{
    const auto held = TakeHeld(rest);
    if (!held)
    {
        return held.GetError();
    }
    const auto numbers = TakeNumbers<7>(rest);
    if (!numbers)
    {
        return numbers.GetError();
    }
    const auto [offset, length, stripe, senders, blockBytes, parallelism, window] = *numbers;
    const auto layout = FindWord(LAYOUTS, TakeUntil(rest, ' '));
    const auto pairs = TakePairs(rest);
    const auto receivers = ParseHostPorts(rest);
    if (!layout || !pairs || !receivers)
    {
        return !layout ? layout.GetError() : !pairs ? pairs.GetError() : receivers.GetError();
    }
    if (length == 0 || stripe >= senders || senders > uint64_t{StripeCounts::MOST} ||
        blockBytes == 0 || parallelism == 0 || parallelism > UINT32_MAX || window == 0 ||
        window > UINT32_MAX)
    {
        return TextError{501, "SEND: a number is out of its range."};
    }
    const DtpOrder order{offset,
                         length,
                         static_cast<uint32_t>(stripe),
                         static_cast<uint32_t>(senders),
                         static_cast<StripeLayout>(*layout),
                         blockBytes,
                         static_cast<uint32_t>(parallelism),
                         static_cast<uint32_t>(window),
                         *receivers,
                         *held,
                         *pairs};
    if (!FitPairs(order))
    {
        return TextError{501, "SEND: not as many pairs of stripes as there are."};
    }
    return order;
}

std::optional<TextError>
BadArgument(std::string_view text)
{
    return MakeTextError(501, "Argument", text, "another one expected.");
}

std::optional<TextError>
TakeListen(DtpCommand& command, std::string_view rest)
{
    const auto numbers = TakeNumbers<1>(rest);
    if (!numbers || !rest.empty() || (*numbers)[0] == 0 || (*numbers)[0] > UINT32_MAX)
    {
        return BadArgument(rest);
    }
    command.window = static_cast<uint32_t>((*numbers)[0]);
    return std::nullopt;
}

std::optional<TextError>
TakeReceive(DtpCommand& command, std::string_view rest)
{
    const auto held = TakeHeld(rest);
    if (!held)
    {
        return held.GetError();
    }
    command.held = *held;
    const auto numbers = TakeNumbers<4>(rest);
    if (!numbers || !rest.empty())
    {
        return BadArgument(rest);
    }
    const auto [offset, bytes, stripe, receivers] = *numbers;
    if (stripe >= receivers || receivers > uint64_t{StripeCounts::MOST})
    {
        return BadArgument(rest);
    }
    command.offset = offset;
    command.bytes = bytes;
    command.stripe = static_cast<uint32_t>(stripe);
    command.receivers = static_cast<uint32_t>(receivers);
    return std::nullopt;
}

std::optional<TextError>
TakeSend(DtpCommand& command, std::string_view rest)
{
    const auto order = ParseOrder(rest);
    if (!order)
    {
        return order.GetError();
    }
    command.order = *order;
    return std::nullopt;
}

} // namespace

std::string
FormatDtpCommand(const DtpCommand& command)
{
    std::string line(VERBS[static_cast<std::size_t>(command.verb)]);
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        line += ' ' + std::to_string(command.window);
        break;
    case DtpVerb::RECEIVE:
        line += ' ' + std::to_string(command.offset) + ' ' + std::to_string(command.bytes) + ' ' +
                std::to_string(command.stripe) + ' ' + std::to_string(command.receivers) +
                FormatHeld(command.held);
        break;
    case DtpVerb::SEND:
        line += ' ' + FormatOrder(command.order);
        break;
    case DtpVerb::FINISH:
        line += ' ' + std::string(command.closes ? CLOSE : KEEP);
        break;
    default:
        break;
    }
    return line + "\r\n";
}

TextResult<DtpCommand>
ParseDtpCommand(std::string_view line)
{
    std::string_view rest = line;
    const auto verb = FindWord(VERBS, TakeUntil(rest, ' '));
    if (!verb)
    {
        return verb.GetError();
    }
    DtpCommand command{.verb = static_cast<DtpVerb>(*verb)};
    std::optional<TextError> error;
    switch (command.verb)
    {
    case DtpVerb::LISTEN:
        error = TakeListen(command, rest);
        break;
    case DtpVerb::RECEIVE:
        error = TakeReceive(command, rest);
        break;
    case DtpVerb::SEND:
        error = TakeSend(command, rest);
        break;
    case DtpVerb::FINISH:
        command.closes = rest == CLOSE;
        error = command.closes || rest == KEEP ? std::nullopt : BadArgument(rest);
        break;
    default:
        error = rest.empty() ? std::nullopt : BadArgument(rest);
        break;
    }
    return error ? TextResult<DtpCommand>(*error) : TextResult<DtpCommand>(command);
}

std::string
FormatDtpNotice(const DtpNotice& notice)
{
    std::string line(EVENTS[static_cast<std::size_t>(notice.event)]);
    if (notice.event != DtpEvent::READY)
    {
        line += ' ' + std::to_string(notice.number);
    }
    if (notice.event == DtpEvent::FAIL)
    {
        line += ' ' + ToLineText(notice.reason);
    }
    if (notice.event == DtpEvent::BYTES)
    {
        line += FormatHeld(notice.ranges);
    }
    if (notice.event == DtpEvent::DONE && !notice.elapsedNs.empty())
    {
        line += ' ' + FormatNumbers({notice.elapsedNs.begin(), notice.elapsedNs.end()});
    }
    return line + "\r\n";
}

TextResult<DtpNotice>
ParseDtpNotice(std::string_view line)
{
    std::string_view rest = line;
    const auto event = FindWord(EVENTS, TakeUntil(rest, ' '));
    if (!event)
    {
        return event.GetError();
    }
    DtpNotice notice{.event = static_cast<DtpEvent>(*event), .number = 0, .reason = ""};
    const bool isReady = notice.event == DtpEvent::READY;
    const auto number = isReady ? TextResult<uint64_t>(0)
                                : ParseNumber(TakeUntil(rest, ' '),
                                              notice.event == DtpEvent::PORT   ? UINT16_MAX
                                              : notice.event == DtpEvent::FAIL ? 599
                                                                               : UINT64_MAX);
    if (!number)
    {
        return number.GetError();
    }
    if (notice.event == DtpEvent::BYTES && !rest.empty())
    {
        const auto ranges = ParseRanges(rest);
        if (!ranges)
        {
            return ranges.GetError();
        }
        notice.ranges = *ranges;
    }
    else if (notice.event == DtpEvent::DONE && !rest.empty())
    {
        const auto elapsed = ParseNumbers(rest, 0, INT64_MAX);
        if (!elapsed)
        {
            return elapsed.GetError();
        }
        notice.elapsedNs.assign(elapsed->begin(), elapsed->end());
    }
    else if (notice.event != DtpEvent::FAIL && !rest.empty())
    {
        return MakeTextError(501, "Argument", rest, "none expected.");
    }
    notice.number = *number;
    notice.reason = notice.event == DtpEvent::FAIL ? std::string(rest) : "";
    return notice;
}

} // namespace ns3::gridftp
