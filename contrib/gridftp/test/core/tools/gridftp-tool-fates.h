/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_FATES_H
#define GRIDFTP_TOOL_FATES_H

#include "gridftp-quantity.h"
#include "gridftp-random-loss.h"
#include "gridftp-tool-kind.h"

#include "ns3/abort.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a test of a tool says of its path, and what it sees there.
 */

namespace ns3::gridftp
{

/// A microsecond, ns.
inline constexpr Nanoseconds MICROSECOND = 1000;
/// A millisecond, ns.
inline constexpr Nanoseconds MILLISECOND = 1'000'000;

/// One direction of the made-up path.
struct MadeUpLink
{
    int64_t rateBps{0};         //!< of datagrams with their IP headers; 0: they take no time
    Nanoseconds delayNs{0};     //!< one way
    uint32_t queue{UINT32_MAX}; //!< packets that wait, beside the one that is transmitted
    RandomLoss loss{};          //!< beside the fates
};

/// What happens to a datagram.
struct Fate
{
    /// What.
    enum class Kind
    {
        LOSE,      //!< it does not come
        DUPLICATE, //!< it comes twice
        DELAY,     //!< it comes later than others
        TRUNCATE   //!< it comes shorter
    };

    Kind kind{Kind::LOSE};            //!< what happens
    std::optional<uint32_t> type{};   //!< to reports of this type; none: to file data
    std::optional<uint32_t> number{}; //!< to this packet; none: to any
    uint32_t skip{0};                 //!< as many of such are left alone first
    uint32_t times{1};                //!< as many are not, from then on
    int64_t by{0};                    //!< later, ns, or shorter, bytes
};

/// A datagram that an end has sent.
struct SentDatagram
{
    Nanoseconds at{0};                                     //!< when
    bool isOfSender{false};                                //!< else of the receiver
    std::variant<DataDatagram, ReportDatagram> datagram{}; //!< it
    bool hasCome{true};                                    //!< not lost, nor dropped by a queue
};

/// @param kind of tool @param said parameters that are not as by default, as texts @return values
inline NamedValues
MakeToolValues(const ToolKind& kind,
               const std::vector<std::pair<std::string_view, std::string_view>>& said)
{
    NamedValues values;
    for (const auto* parameter : kind.parameters)
    {
        std::string_view text = parameter->defaultText;
        for (const auto& [name, other] : said)
        {
            text = name == parameter->name ? other : text;
        }
        double value = 0;
        if (!parameter->choices.empty())
        {
            const auto at = std::ranges::find(parameter->choices, text);
            NS_ABORT_MSG_IF(at == parameter->choices.end(), "no such word: " << text);
            value = static_cast<double>(at - parameter->choices.begin());
        }
        else if (parameter->isReal)
        {
            value = *ParseReal(text);
        }
        else
        {
            value = static_cast<double>(*ParseWhole(text, parameter->dimension));
        }
        values.Set(parameter->name, value);
    }
    return values;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_FATES_H
