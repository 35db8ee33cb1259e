/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-tcp.h"

#include "gridftp-option-effect.h"
#include "gridftp-option-row.h"
#include "gridftp-option-stack.h"
#include "gridftp-scenario.h"

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MILLISECOND = 1'000'000;
constexpr int64_t SECOND = 1'000'000'000;

void
AddTcp(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::TCP;
    AddStackRows(t);
    t.push_back(WholeRow("initial-window",
                         "initial_window_segments",
                         scope,
                         SEGMENTS,
                         "2",
                         {1, 1000},
                         BindMember<&TcpSpec::initialWindow>(),
                         "initial congestion window"));
    t.push_back(WholeRow("min-rto",
                         "min_rto_s",
                         scope,
                         TIME,
                         "200ms",
                         {MILLISECOND, 60 * SECOND},
                         BindMember<&TcpSpec::minRto>(),
                         "least retransmission timeout"));
    t.push_back(WholeRow("delayed-ack",
                         "delayed_ack_segments",
                         scope,
                         SEGMENTS,
                         "1",
                         {1, 100},
                         BindMember<&TcpSpec::delayedAck>(),
                         "segments per ACK; 1 acknowledges each"));
    t.push_back(WordRow(OptionKind::SWITCH,
                        "sack",
                        "sack",
                        scope,
                        "off",
                        "on|off",
                        {},
                        BindMember<&TcpSpec::sack>(),
                        "selective acknowledgments, RFC 2018"));
    t.push_back(WordRow(OptionKind::SWITCH,
                        "timestamps",
                        "timestamps",
                        scope,
                        "off",
                        "on|off",
                        {},
                        BindMember<&TcpSpec::timestamps>(),
                        "timestamps, RFC 7323"));
    t.push_back(WordRow(OptionKind::SWITCH,
                        "limited-transmit",
                        "limited_transmit",
                        scope,
                        "off",
                        "on|off",
                        {},
                        BindMember<&TcpSpec::limitedTransmit>(),
                        "limited transmit, RFC 3042"));
    t.push_back(WordRow(OptionKind::SWITCH,
                        "ecn",
                        "ecn",
                        scope,
                        "off",
                        "on|off",
                        {},
                        BindMember<&TcpSpec::ecn>(),
                        "explicit congestion notification, RFC 3168"));
}

} // namespace

std::span<const Option>
GetTcpRows()
{
    static const std::vector<Option> rows = [] {
        std::vector<Option> made;
        AddTcp(made);
        AddNeeds(made);
        AddStackVariants(made);
        return made;
    }();
    return rows;
}

} // namespace ns3::gridftp
