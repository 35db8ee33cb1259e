/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-suggestion.h"

#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ns3::gridftp
{

namespace
{

constexpr size_t MOST_SUGGESTED = 4;
constexpr std::string_view SEPARATORS = "-_";

/** Words for the same thing, those of options among them; what has one may mean another. */
constexpr std::array<std::string_view, 19> SAME{
    "delay rtt latency ping",
    "bandwidth bw rate speed capacity downlink",
    "reverse-bandwidth uplink",
    "random-loss loss lossrate drop",
    "parallelism parallel streams connections n p",
    "packet-size mtu mss",
    "tcp cc congestion congestion-control congestion-algorithm ca",
    "window buffer tcp-buffer buffer-size tcp-bs socket-buffer rcvbuf rwnd",
    "initial-window initcwnd iw initial-cwnd cwnd",
    "queue buffer-packets queue-limit txqueuelen qlen",
    "queue-discipline aqm qdisc red",
    "send-buffer sendbuf sndbuf",
    "delay-jitter jitter",
    "host-overhead overhead",
    "file-size size bytes filesize",
    "retries retry attempts",
    "stall-timeout timeout",
    "keepalive noop heartbeat",
    "min-rate min-speed speed-limit",
};

/** @param text words with separators @return the words */
std::vector<std::string_view>
Split(std::string_view text, std::string_view separators)
{
    std::vector<std::string_view> words;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t end = std::min(text.find_first_of(separators, at), text.size());
        if (end > at)
        {
            words.push_back(text.substr(at, end - at));
        }
        at = end + 1;
    }
    return words;
}

/** @return the words for the same thing as a name, without the name itself; empty: none known */
std::vector<std::string_view>
GetOthers(std::string_view name)
{
    for (const auto group : SAME)
    {
        auto words = Split(group, " ");
        if (std::erase_if(words, [&](auto word) { return CountEdits(word, name) == 0; }) > 0)
        {
            return words;
        }
    }
    return {};
}

/** @return whether a word of a name may be a word of an option */
bool
IsAlike(std::string_view word, std::string_view known)
{
    constexpr size_t LONG = 5;
    const size_t common = std::min(word.size(), known.size());
    const bool isBeginning =
        common >= LONG && CountEdits(word.substr(0, common), known.substr(0, common)) == 0;
    const auto others = GetOthers(word);
    return isBeginning || CountEdits(word, known) == 0 || std::ranges::count(others, known) > 0;
}

/** @return the options that contain all words of a name and one more, if any, fewest words first */
std::vector<std::string_view>
FindContaining(std::string_view name, std::span<const std::string_view> known)
{
    const auto words = Split(name, SEPARATORS);
    std::vector<std::string_view> found;
    size_t least = 0;
    for (const auto candidate : known)
    {
        const auto parts = Split(candidate, SEPARATORS);
        // Two more words make it something else: --pacing is not --tool-udt-pacing.
        const bool isNear = !words.empty() && parts.size() <= words.size() + 1;
        const bool hasAll =
            isNear && std::ranges::all_of(words, [&](auto word) {
                return std::ranges::any_of(parts, [&](auto part) { return IsAlike(word, part); });
            });
        if (hasAll && (found.empty() || parts.size() < least))
        {
            found.clear();
            least = parts.size();
        }
        if (hasAll && parts.size() == least)
        {
            found.push_back(candidate);
        }
    }
    return found;
}

} // namespace

std::vector<std::string_view>
SuggestOptions(std::string_view name, std::span<const std::string_view> known)
{
    constexpr size_t LONGEST = 64; // beyond it nobody has meant an option
    if (name.size() > LONGEST)
    {
        return {};
    }
    if (const auto nearest = NearestWord(name, known); !nearest.empty())
    {
        return {nearest};
    }
    std::vector<std::string_view> found;
    const auto others = GetOthers(name);
    std::ranges::copy_if(known, std::back_inserter(found), [&others](auto candidate) {
        return std::ranges::count(others, candidate) > 0;
    });
    if (found.empty())
    {
        found = FindContaining(name, known);
    }
    if (const size_t dash = name.find_first_of(SEPARATORS); found.empty() && dash != name.npos)
    {
        const auto first = std::ranges::find(known, name.substr(0, dash));
        found.insert(found.end(), first, first == known.end() ? first : first + 1);
    }
    found.resize(std::min(found.size(), MOST_SUGGESTED));
    return found;
}

std::string
AskWhetherMeant(std::string_view name,
                std::span<const std::string_view> known,
                std::string_view before,
                std::string_view after)
{
    std::string asked;
    for (const auto suggestion : SuggestOptions(name, known))
    {
        asked += asked.empty() ? "did you mean " : ", ";
        asked.append(before).append(suggestion).append(after);
    }
    return asked.empty() ? asked : asked + "?";
}

} // namespace ns3::gridftp
