/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stripe-text.h"

#include "gridftp-text.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

constexpr int STRIPED_PASSIVE = 229;

/// In the order of StripeLayout.
constexpr std::array<std::string_view, 2> LAYOUTS{"Blocked", "Partitioned"};

constexpr std::string_view LAYOUT_KEY = "StripeLayout";
constexpr std::string_view BLOCK_KEY = "BlockSize";
constexpr std::string_view PARALLELISM_KEY = "Parallelism";
constexpr std::string_view PAIRS_KEY = "PairParallelism";

constexpr int COMPLETE = 226;
constexpr std::string_view PAIR_TIMES = "Pair times: ";

TextError
BadOption(std::string_view argument)
{
    return MakeTextError(501,
                         "Option",
                         argument,
                         "RETR StripeLayout=Blocked|Partitioned;BlockSize=bytes;"
                         "Parallelism=starting,minimum,maximum;"
                         "PairParallelism=n,n,...; expected, each once.");
}

/// Which words of OPTS RETR have been there.
struct Given
{
    std::optional<StripeLayout> layout;
    std::optional<uint64_t> blockBytes;
    std::optional<ParallelismOption> parallelism;
    std::optional<std::vector<uint64_t>> pairs;
};

// A layout by its name.
TextResult<StripeLayout>
ParseLayout(std::string_view name)
{
    for (std::size_t i = 0; i < LAYOUTS.size(); ++i)
    {
        if (EqualNoCase(name, LAYOUTS[i]))
        {
            return static_cast<StripeLayout>(i);
        }
    }
    return MakeTextError(504, "Stripe layout", name, "not implemented.");
}

// Takes a value, unless there was one before or it is none.
template <typename T>
std::optional<TextError>
TakeOnce(std::optional<T>& given, const TextResult<T>& value, std::string_view argument)
{
    if (!value)
    {
        return value.GetError();
    }
    if (given)
    {
        return BadOption(argument);
    }
    given = *value;
    return std::nullopt;
}

// Takes one "key=value".
std::optional<TextError>
TakeOption(Given& given, std::string_view key, std::string_view value, std::string_view argument)
{
    if (EqualNoCase(key, LAYOUT_KEY))
    {
        return TakeOnce(given.layout, ParseLayout(value), argument);
    }
    if (EqualNoCase(key, BLOCK_KEY))
    {
        const auto bytes = ParseNumber(value, INT64_MAX);
        return bytes && *bytes == 0 ? BadOption(argument)
                                    : TakeOnce(given.blockBytes, bytes, argument);
    }
    if (EqualNoCase(key, PARALLELISM_KEY))
    {
        return TakeOnce(given.parallelism, ParseParallelism(value), argument);
    }
    if (EqualNoCase(key, PAIRS_KEY))
    {
        return TakeOnce(given.pairs, ParseNumbers(value, 1, UINT32_MAX), argument);
    }
    return BadOption(argument);
}

} // namespace

std::string
FormatHostPorts(const std::vector<HostPort>& addresses)
{
    std::string text;
    for (const HostPort& address : addresses)
    {
        text += (text.empty() ? "" : " ") + FormatHostPort(address);
    }
    return text;
}

TextResult<std::vector<HostPort>>
ParseHostPorts(std::string_view argument)
{
    std::vector<HostPort> addresses;
    std::string_view rest = argument;
    do
    {
        const auto address = ParseHostPort(TakeUntil(rest, ' '));
        if (!address)
        {
            return address.GetError();
        }
        addresses.push_back(*address);
    } while (!rest.empty());
    if (argument.ends_with(' ') || addresses.size() > std::size_t{StripeCounts::MOST})
    {
        return MakeTextError(501,
                             "Addresses",
                             argument,
                             "1 to " + std::to_string(StripeCounts::MOST) +
                                 " with a blank between them expected.");
    }
    return addresses;
}

Reply
MakeStripedPassiveReply(const std::vector<HostPort>& listeners)
{
    Reply reply{STRIPED_PASSIVE, {"Entering Striped Passive Mode."}};
    for (const HostPort& listener : listeners)
    {
        reply.lines.push_back(FormatHostPort(listener));
    }
    reply.lines.emplace_back("End");
    return reply;
}

TextResult<std::vector<HostPort>>
ParseStripedPassiveReply(const Reply& reply)
{
    if (reply.code != STRIPED_PASSIVE || reply.lines.size() < 3)
    {
        return MakeTextError(501,
                             "Reply",
                             std::to_string(reply.code),
                             "229 with a line for each stripe expected.");
    }
    std::string addresses;
    for (std::size_t i = 1; i + 1 < reply.lines.size(); ++i)
    {
        addresses += (i == 1 ? "" : " ") + std::string(Trim(reply.lines[i]));
    }
    return ParseHostPorts(addresses);
}

std::string
FormatRetrieveOptions(const RetrieveOptions& value)
{
    std::string text = "RETR ";
    const auto add = [&text](std::string_view key, const std::string& value) {
        text += std::string(key) + '=' + value + ';';
    };
    if (value.stripe)
    {
        add(LAYOUT_KEY, std::string(LAYOUTS[static_cast<std::size_t>(value.stripe->layout)]));
        if (value.stripe->blockBytes > 0)
        {
            add(BLOCK_KEY, std::to_string(value.stripe->blockBytes));
        }
    }
    add(PARALLELISM_KEY, FormatParallelism(value.parallelism));
    if (!value.pairs.empty())
    {
        add(PAIRS_KEY, FormatNumbers({value.pairs.begin(), value.pairs.end()}));
    }
    return text;
}

TextResult<RetrieveOptions>
ParseRetrieveOptions(std::string_view argument)
{
    std::string_view rest = argument;
    if (!EqualNoCase(TakeUntil(rest, ' '), "RETR") || !rest.ends_with(';'))
    {
        return BadOption(argument);
    }
    Given given;
    while (!rest.empty())
    {
        std::string_view value = TakeUntil(rest, ';');
        const std::string_view key = TakeUntil(value, '=');
        if (const auto error = TakeOption(given, key, value, argument))
        {
            return *error;
        }
    }
    const bool isBlocked = given.layout == StripeLayout::BLOCKED;
    if (!given.parallelism || (given.blockBytes && !isBlocked))
    {
        return BadOption(argument);
    }
    RetrieveOptions options{*given.parallelism, std::nullopt};
    for (const uint64_t number : given.pairs.value_or(std::vector<uint64_t>()))
    {
        options.pairs.push_back(static_cast<uint32_t>(number));
    }
    if (given.layout)
    {
        options.stripe = StripeOption{*given.layout, given.blockBytes.value_or(0)};
    }
    return options;
}

std::string
FormatNumbers(const std::vector<uint64_t>& numbers)
{
    std::string text;
    for (const uint64_t number : numbers)
    {
        text += (text.empty() ? "" : ",") + std::to_string(number);
    }
    return text;
}

TextResult<std::vector<uint64_t>>
ParseNumbers(std::string_view text, uint64_t least, uint64_t most)
{
    std::vector<uint64_t> numbers;
    std::string_view rest = text;
    do
    {
        const auto number = ParseNumber(TakeUntil(rest, ','), most);
        if (!number || *number < least)
        {
            return MakeTextError(501, "Numbers", text, "n,n,... within their range expected.");
        }
        numbers.push_back(*number);
    } while (!rest.empty());
    if (text.ends_with(','))
    {
        return MakeTextError(501, "Numbers", text, "n,n,... expected.");
    }
    return numbers;
}

Reply
MakePairTimesReply(const std::vector<int64_t>& elapsedNs)
{
    return {COMPLETE,
            {"Transfer Complete.",
             std::string(PAIR_TIMES) + FormatNumbers({elapsedNs.begin(), elapsedNs.end()}),
             "End"}};
}

TextResult<std::vector<int64_t>>
ParsePairTimesReply(const Reply& reply)
{
    const std::string line(reply.lines.size() > 2 ? Trim(reply.lines[1]) : std::string_view());
    if (reply.code != COMPLETE || !line.starts_with(PAIR_TIMES))
    {
        return MakeTextError(501,
                             "Reply",
                             std::to_string(reply.code),
                             "226 with the times of pairs of stripes expected.");
    }
    const auto times = ParseNumbers(std::string_view(line).substr(PAIR_TIMES.size()), 0, INT64_MAX);
    if (!times)
    {
        return times.GetError();
    }
    return std::vector<int64_t>(times->begin(), times->end());
}

} // namespace ns3::gridftp
