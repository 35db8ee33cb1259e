/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-effect.h"

#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** Options that describe details of what other options turn on. */
struct Details
{
    std::string_view options;  //!< with spaces between them
    std::string_view needed;   //!< of these one has another value than its default
    std::string_view allowed;  //!< what turns it on, for the note
    std::string_view values{}; //!< the value that needed must have, with spaces between several;
                               //!< empty: any but the default
};

constexpr std::array DETAILS{
    Details{"delay-jitter-distribution delay-jitter-correlation delay-jitter-order",
            "delay-jitter",
            "--delay-jitter=TIME"},
    Details{"delay-jitter-at", "delay-jitter reorder", "--delay-jitter=TIME or --reorder=X"},
    Details{"reorder-correlation reorder-gap", "reorder", "--reorder=X"},
    Details{"red-min-threshold red-max-threshold red-max-probability red-weight red-gentle",
            "queue-discipline reverse-queue-discipline",
            "--queue-discipline=red",
            "red"},
    Details{"codel-target codel-interval",
            "queue-discipline reverse-queue-discipline",
            "--queue-discipline=codel or fq-codel",
            "codel fq-codel"},
    Details{"fq-codel-flows fq-codel-quantum",
            "queue-discipline reverse-queue-discipline",
            "--queue-discipline=fq-codel",
            "fq-codel"},
    Details{"pie-target pie-update pie-burst",
            "queue-discipline reverse-queue-discipline",
            "--queue-discipline=pie",
            "pie"},
    Details{"hystart pacing pacing-rate", "stack", "--stack=linux", "linux"},
    Details{"limit-kind limit-burst limit-queue limit-at", "limit-rate", "--limit-rate=RATE"},
    Details{"retry-wait retry-wait-most", "retries", "--retries=N"},
    Details{"min-rate-period", "min-rate", "--min-rate=RATE"},
};

/** @param text words @return these */
std::vector<std::string_view>
SplitWords(std::string_view text)
{
    std::vector<std::string_view> words;
    for (size_t at = 0; at < text.size();)
    {
        const size_t end = std::min(text.find(' ', at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

/** @return whether an option has another value than its default */
bool
IsChanged(TransferRequest& request, std::string_view name)
{
    const Option& option = GetOption(name);
    const auto usual = option.Parse(option.defaultText);
    return !usual || option.binding.get(TransferTarget(&request, option.scope)) != *usual;
}

/** @return whether an option turns details on */
bool
TurnsOn(TransferRequest& request, std::string_view name, const Details& details)
{
    if (details.values.empty())
    {
        return IsChanged(request, name);
    }
    const Option& option = GetOption(name);
    const auto value = option.Format(option.binding.get(TransferTarget(&request, option.scope)));
    const auto values = SplitWords(details.values);
    return std::ranges::find(values, std::string_view(value)) != values.end();
}

} // namespace

void
AddNeeds(std::vector<Option>& table)
{
    for (const auto& details : DETAILS)
    {
        const auto names = SplitWords(details.options);
        for (auto& option : table)
        {
            if (std::ranges::find(names, option.name) != names.end())
            {
                option.need = {.options = SplitWords(details.needed),
                               .values = SplitWords(details.values),
                               .allowed = details.allowed};
            }
        }
    }
}

void
NoteIdleOptions(TransferRequest& request, std::span<const std::string_view> arguments)
{
    const auto isFurther = [](std::string_view argument) {
        return argument.starts_with("--session") || argument.starts_with("--arrivals");
    };
    if (std::ranges::any_of(arguments, isFurther))
    {
        return; // a further session inherits the details, and may turn on what they are about
    }
    for (const auto& details : DETAILS)
    {
        const auto needed = SplitWords(details.needed);
        if (std::ranges::any_of(needed, [&](auto name) { return TurnsOn(request, name, details); }))
        {
            continue;
        }
        for (const auto name : SplitWords(details.options))
        {
            const std::string beginning = "--" + std::string(name) + "=";
            const auto given = std::ranges::find_if(arguments, [&](auto argument) {
                return argument.starts_with(beginning);
            });
            if (given != arguments.end() && IsChanged(request, name))
            {
                request.notes.push_back(Printable(*given) + " has no effect; it needs " +
                                        std::string(details.allowed));
            }
        }
    }
}

} // namespace ns3::gridftp
