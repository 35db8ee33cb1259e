/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-stack.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-congestion-control.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-option-row.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-text.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

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

/** Classic senders of engine segment do not know ECN. */
Done
CheckClassicEcn(const Scenario& scenario)
{
    if (scenario.tcp.ecn && scenario.measure.engine == Engine::SEGMENT)
    {
        return Error{"--ecn=on is not for --engine=segment with --stack=classic; allowed: "
                     "--stack=linux, --engine=ns3"};
    }
    return std::monostate{};
}

/** @param what "name=VALUE" as it is given @param allowed instead of it @return an error */
Error
MakeStackError(const std::string& what, const std::string& allowed)
{
    return Error{what + " is not modelled with --stack=linux; allowed with it: " + allowed};
}

/** @param session whose blocks take time @param receives where the receiver has them, else where
 * the sender has them @return the option that costs it, and what is allowed for that */
std::pair<std::string, std::string>
NameCost(const SessionSpec& session, bool receives)
{
    const BufferSpec& buffers = session.buffers;
    if ((receives ? buffers.sink : buffers.source).IsTimed())
    {
        return {receives ? "sink" : "source", std::string(MEMORY_STORAGE)};
    }
    if (buffers.processing.cpuRate > 0)
    {
        return {"cpu-rate", "0Mbps"};
    }
    if (buffers.processing.GetProtectionRate() > 0)
    {
        return {"protection", "clear"};
    }
    if (buffers.processing.IsTimed(receives))
    {
        return {"processing-rate", "0Mbps"};
    }
    return {receives ? "receiver-call-cpu" : "sender-call-cpu", "0ms"};
}

} // namespace

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
                                "TCP of all hosts: as ns-3 has it, or as Linux 6.18 has it")));
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
    t.push_back(KnownTo(SEGMENT_ONLY,
                        WordRow(OptionKind::CHOICE,
                                "pacing",
                                "pacing",
                                scope,
                                "auto",
                                "auto|fq",
                                {"auto", "fq"},
                                BindMember<&TcpSpec::pacing>(),
                                "linux: pace where TCP asks for it, or all connections (fq)")));
    t.push_back(KnownTo(SEGMENT_ONLY,
                        WholeRow("pacing-rate",
                                 "pacing_rate_bps",
                                 scope,
                                 RATE,
                                 "0Mbps",
                                 {0, RateLimiter::MOST_RATE_BPS},
                                 BindMember<&TcpSpec::pacingRate>(),
                                 "linux: most that a data connection sends; 0Mbps: any")));
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

std::vector<std::string_view>
GetTcpChoices(const Scenario& scenario)
{
    std::vector<std::string_view> names;
    if (scenario.tcp.stack == TcpStack::LINUX)
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
CheckStackBuffers(const Scenario& scenario,
                  const BufferSpec& buffers,
                  const std::function<std::string(const std::string&)>& quote)
{
    if (scenario.tcp.stack != TcpStack::LINUX || buffers.policy == FIXED_BUFFERS ||
        buffers.policy == KERNEL_BUFFERS)
    {
        return std::monostate{};
    }
    return MakeStackError(quote("buffers=" + buffers.policy),
                          std::string(KERNEL_BUFFERS) + ", " + std::string(FIXED_BUFFERS));
}

Done
CheckStack(const Scenario& scenario,
           const SessionSpec& session,
           const std::function<std::string(const std::string&)>& quote)
{
    if (scenario.tcp.stack != TcpStack::LINUX)
    {
        return CheckClassicEcn(scenario);
    }
    const auto refuse = [&](const std::string& what, const std::string& allowed) {
        return MakeStackError(quote(what), allowed);
    };
    const BufferSpec& buffers = session.buffers;
    if (auto done = CheckStackBuffers(scenario, buffers, quote); !done)
    {
        return done;
    }
    for (const bool receives : {false, true})
    {
        if (buffers.IsTimed(receives))
        {
            const auto [what, allowed] = NameCost(session, receives);
            return refuse(what, allowed);
        }
    }
    if (buffers.readRate > 0 || buffers.writeRate > 0)
    {
        return refuse(buffers.readRate > 0 ? "read-rate" : "write-rate", "0Mbps");
    }
    if (buffers.sendPool > 0)
    {
        return refuse("send-pool", "0B");
    }
    if (session.security.IsDataSecured())
    {
        return refuse("data-security", "none");
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
