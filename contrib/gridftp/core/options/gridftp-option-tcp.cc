/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-tcp.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-congestion-control.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-option-effect.h"
#include "gridftp-option-row.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-scenario.h"
#include "gridftp-text.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MILLISECOND = 1'000'000;
constexpr int64_t SECOND = 1'000'000'000;

/** The buffer policy that stands for the kernel's own. */
constexpr std::string_view KERNEL_BUFFERS = "linux-receiver";

/** The buffer policy of windows that stay as they are. */
constexpr std::string_view FIXED_BUFFERS = "fixed";

/** What --stack=linux sets an option to. */
struct LinuxDefault
{
    std::string_view option; //!< its name
    std::string_view text;   //!< its value
};

/** @return what --stack=linux sets */
std::vector<LinuxDefault>
ListLinuxDefaults()
{
    return {{"initial-window", "10"},
            {"delayed-ack", "2"},
            {"sack", "on"},
            {"timestamps", "on"},
            {"tcp", GetLinuxCongestionKinds().front().name},
            {"buffers", KERNEL_BUFFERS}};
}

/** @param scenario with the stack of Linux @param option that --stack=linux sets @param isGiven see
 * ApplyStack() @return whether the user gives it, or another one in its place */
bool
IsReplaced(const Scenario& scenario,
           std::string_view option,
           const std::function<bool(std::string_view option)>& isGiven)
{
    // Other tools ask for buffers of their own (SO_RCVBUF)
    const bool isSized = isGiven("window") || scenario.sessions.front().tool != GRIDFTP_APPLICATION;
    return isGiven(option) || (option == "buffers" && isSized);
}

/** @param what "name=VALUE" as it is given @param allowed instead of it @return an error */
Error
MakeStackError(const std::string& what, const std::string& allowed)
{
    return Error{what + " is not modelled with --stack=linux; allowed with it: " + allowed};
}

/** Adds the rows of --stack and of what only the Linux stack has. */
void
AddStackRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::TCP;
    t.push_back(KnownTo(SEGMENT_ONLY,
                        WordRow(OptionKind::CHOICE,
                                "stack",
                                "stack",
                                scope,
                                "classic",
                                "classic|linux",
                                {"classic", "linux"},
                                BindMember<&TcpSpec::stack>(),
                                "TCP of the hosts: that of ns-3, or that of Linux 6.18")));
    t.push_back(KnownTo(SEGMENT_ONLY,
                        WordRow(OptionKind::CHOICE,
                                "hystart",
                                "hystart",
                                scope,
                                "on",
                                "on|plus|off",
                                {"on", "plus", "off"},
                                BindMember<&TcpSpec::hystart>(),
                                "linux, cubic: HyStart as in the kernel; plus: RFC 9406")));
    t.push_back(
        KnownTo(SEGMENT_ONLY,
                WordRow(OptionKind::CHOICE,
                        "pacing",
                        "pacing",
                        scope,
                        "auto",
                        "auto|fq",
                        {"auto", "fq"},
                        BindMember<&TcpSpec::pacing>(),
                        "linux: pace if the TCP requires it (bbr), or all connections (fq)")));
    t.push_back(
        KnownTo(SEGMENT_ONLY,
                WholeRow("pacing-rate",
                         "pacing_rate_bps",
                         scope,
                         RATE,
                         "0Mbps",
                         {0, RateLimiter::MOST_RATE_BPS},
                         BindMember<&TcpSpec::pacingRate>(),
                         "linux: largest sending rate of a data connection; 0Mbps: no limit")));
}

/** Adds all rows of scope TCP. */
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
                         "minimum retransmission timeout"));
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
    static const auto& rows = KeepRows([] {
        std::vector<Option> made;
        AddTcp(made);
        AddNeeds(made);
        AddStackVariants(made);
        return made;
    }());
    return rows;
}

void
ApplyStack(TransferRequest& request, const std::function<bool(std::string_view option)>& isGiven)
{
    Scenario& scenario = request.scenario;
    if (scenario.tcp.stack != TcpStack::LINUX)
    {
        return;
    }
    for (const auto& [name, text] : ListLinuxDefaults())
    {
        if (!IsReplaced(scenario, name, isGiven))
        {
            const Option& option = GetOption(name);
            option.binding.set(TransferTarget(&request, option.scope), *option.Parse(text));
        }
    }
}

void
AddStackVariants(std::vector<Option>& table)
{
    for (const auto& [name, text] : ListLinuxDefaults())
    {
        const auto option = std::ranges::find(table, name, &Option::name);
        if (option == table.end())
        {
            continue;
        }
        OptionVariant variant{"stack", "linux", text, {}};
        if (!option->segmentChoices.empty())
        {
            for (const auto& kind : GetLinuxCongestionKinds())
            {
                variant.choices.push_back(kind.name);
            }
        }
        option->variants.push_back(variant);
    }
}

void
ApplyOtherStack(TcpStack first,
                const StackTarget& target,
                const std::function<bool(std::string_view option)>& isGiven)
{
    if (target.tcp.stack == first)
    {
        return;
    }
    const bool isLinux = target.tcp.stack == TcpStack::LINUX;
    for (const auto& [name, text] : ListLinuxDefaults())
    {
        if (isGiven(name))
        {
            continue;
        }
        const std::string_view value = isLinux ? text : GetOption(name).defaultText;
        if (name == "tcp")
        {
            target.congestion = value;
        }
        else if (name == "buffers")
        {
            target.buffers.policy = target.asksForBuffers ? FIXED_BUFFERS : value;
        }
        else
        {
            const Option& row = *FindOption(GetTcpRows(), name);
            row.binding.set(&target.tcp, *row.Parse(value));
        }
    }
}

std::vector<std::string_view>
GetTcpChoices(TcpStack stack)
{
    std::vector<std::string_view> names;
    if (stack == TcpStack::LINUX)
    {
        for (const auto& kind : GetLinuxCongestionKinds())
        {
            names.push_back(kind.name);
        }
        return names;
    }
    for (const auto& control : GetCongestionControls())
    {
        names.push_back(control.name);
    }
    return names;
}

Done
CheckStackBuffers(TcpStack stack,
                  const BufferSpec& buffers,
                  const std::function<std::string(const std::string&)>& quote)
{
    if (stack != TcpStack::LINUX || buffers.policy == FIXED_BUFFERS ||
        buffers.policy == KERNEL_BUFFERS)
    {
        return std::monostate{};
    }
    return MakeStackError(quote("buffers=" + buffers.policy),
                          std::string(KERNEL_BUFFERS) + ", " + std::string(FIXED_BUFFERS));
}

} // namespace ns3::gridftp
