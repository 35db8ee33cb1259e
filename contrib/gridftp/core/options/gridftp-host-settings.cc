/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-settings.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-congestion-control.h"
#include "gridftp-option-host.h"
#include "gridftp-option-tcp.h"
#include "gridftp-sysctl-value.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** What a key of Linux means here. */
struct HostRule
{
    std::string_view key;    //!< of Linux
    HostEnds ends;           //!< whose setting counts
    std::string_view option; //!< that the key is about; empty: there is none

    /** @return the value that the option gets; empty: it stays as it is. Null: the key sets none */
    std::string (*convert)(const Scenario& scenario, const std::string& value);

    /** @return why the setting has no effect and what is allowed; empty: the model does the same */
    std::string (*object)(const Scenario& scenario, const std::string& value);
};

/** A number, or -1 where it is none. */
int64_t
NumberOf(const std::string& value)
{
    return ReadSysctlNumber(value).value_or(-1);
}

bool
IsLinux(const Scenario& scenario)
{
    return scenario.tcp.stack == TcpStack::LINUX;
}

std::string
ToSwitch(const Scenario& /* scenario */, const std::string& value)
{
    return NumberOf(value) == 0 ? "off" : "on";
}

/** The queueing discipline of hosts that paces. */
constexpr std::string_view PACING_DISCIPLINE = "fq";

std::string
ToPacing(const Scenario& scenario, const std::string& value)
{
    return IsLinux(scenario) && value == PACING_DISCIPLINE ? value : "";
}

std::string
ToWord(const Scenario& /* scenario */, const std::string& value)
{
    return value;
}

std::string
ToMicroseconds(const Scenario& /* scenario */, const std::string& value)
{
    return value + "us";
}

/** The largest window without window scaling, RFC 7323. */
constexpr int64_t UNSCALED_WINDOW = 65535;

std::string
ToUnscaled(const std::string& value, int64_t now)
{
    return NumberOf(value) == 0 && now > UNSCALED_WINDOW
               ? FormatWhole(UNSCALED_WINDOW, Dimension::BYTES)
               : "";
}

std::string
ToWindow(const Scenario& scenario, const std::string& value)
{
    return ToUnscaled(value, scenario.sessions.front().buffers.window);
}

std::string
ToMostBuffer(const Scenario& scenario, const std::string& value)
{
    return ToUnscaled(value, scenario.sessions.front().buffers.most);
}

/** @return the policies by which the kernel moves buffers */
std::string
NameMovingPolicies()
{
    std::vector<std::string_view> names;
    for (const auto& kind : GetBufferPolicies())
    {
        if (kind.moves && kind.channel == SizingChannel::NONE)
        {
            names.push_back(kind.name);
        }
    }
    return "--buffers=" + Join(names, " or ");
}

bool
HasMovingBuffers(const Scenario& scenario)
{
    const auto* policy = FindBufferPolicy(scenario.sessions.front().buffers.policy);
    return policy && policy->moves;
}

std::string
ObjectToFixed(const Scenario& scenario, const std::string& /* value */)
{
    return HasMovingBuffers(scenario) ? "" : "buffers are fixed; allowed: " + NameMovingPolicies();
}

std::string
ObjectToModerate(const Scenario& scenario, const std::string& value)
{
    const bool moves = HasMovingBuffers(scenario);
    if ((NumberOf(value) != 0) == moves)
    {
        return "";
    }
    return moves ? "buffers tune themselves; allowed: --buffers=" +
                       std::string(GetBufferPolicies().front().name)
                 : "buffers are fixed; allowed: " + NameMovingPolicies();
}

std::string
ObjectToIdle(const Scenario& scenario, const std::string& value)
{
    const auto& tcp = scenario.sessions.front().tcp;
    const auto restarts = [](const CongestionControlKind& kind) { return kind.recovery == "reno"; };
    const auto kinds = GetCongestionControls();
    const auto kind = std::ranges::find(kinds, tcp, &CongestionControlKind::name);
    const bool wants = NumberOf(value) != 0;
    if (IsLinux(scenario))
    {
        return wants ? "" : "hosts of --stack=linux use slow start after idle; allowed: 1";
    }
    if (kind != kinds.end() && restarts(*kind) == wants)
    {
        return "";
    }
    std::vector<std::string_view> others;
    for (const auto& other : kinds)
    {
        if (restarts(other) == wants)
        {
            others.push_back(other.name);
        }
    }
    return "--tcp=" + Printable(tcp) +
           (wants ? " keeps its cwnd while idle" : " uses slow start after idle") +
           "; allowed: --tcp=" + Join(others, ", ");
}

std::string
ObjectToForeignControl(const Scenario& scenario, const std::string& value)
{
    return value == scenario.sessions.front().tcp
               ? ""
               : "the sender decides; allowed: --tcp, or the key in --" +
                     std::string(GetHostFileOption(true));
}

std::string
ObjectToDiscipline(const Scenario& scenario, const std::string& value)
{
    if (IsLinux(scenario) && value == PACING_DISCIPLINE)
    {
        return ""; // see ToPacing()
    }
    constexpr std::array FIFO{std::string_view("pfifo_fast"),
                              std::string_view("pfifo"),
                              std::string_view("bfifo"),
                              std::string_view("mq"),
                              std::string_view("noqueue")};
    return std::ranges::find(FIFO, value) != FIFO.end()
               ? ""
               : "hosts send first in, first out, without pacing; allowed: --queue-discipline, "
                 "which is a router's";
}

/** The keys; several rows of a key are about several options. */
constexpr std::array RULES{
    HostRule{"net.ipv4.tcp_congestion_control", HostEnds::SENDER, "tcp", &ToWord, nullptr},
    HostRule{"net.ipv4.tcp_congestion_control",
             HostEnds::RECEIVER,
             "tcp",
             nullptr,
             &ObjectToForeignControl},
    HostRule{"net.ipv4.tcp_sack", HostEnds::BOTH, "sack", &ToSwitch, nullptr},
    HostRule{"net.ipv4.tcp_timestamps", HostEnds::BOTH, "timestamps", &ToSwitch, nullptr},
    HostRule{"net.ipv4.tcp_rto_min_us", HostEnds::SENDER, "min-rto", &ToMicroseconds, nullptr},
    HostRule{"net.ipv4.tcp_window_scaling", HostEnds::BOTH, "window", &ToWindow, nullptr},
    HostRule{"net.ipv4.tcp_window_scaling", HostEnds::BOTH, "max-buffer", &ToMostBuffer, nullptr},
    HostRule{"net.ipv4.tcp_rmem", HostEnds::RECEIVER, "buffers", nullptr, &ObjectToFixed},
    HostRule{"net.ipv4.tcp_wmem", HostEnds::SENDER, "buffers", nullptr, &ObjectToFixed},
    HostRule{"net.ipv4.tcp_moderate_rcvbuf",
             HostEnds::RECEIVER,
             "buffers",
             nullptr,
             &ObjectToModerate},
    HostRule{"net.ipv4.tcp_slow_start_after_idle", HostEnds::SENDER, "tcp", nullptr, &ObjectToIdle},
    HostRule{"net.core.default_qdisc", HostEnds::SENDER, "pacing", &ToPacing, nullptr},
    HostRule{"net.core.default_qdisc", HostEnds::BOTH, "", nullptr, &ObjectToDiscipline}};

/** Applies the rules to the files of one request. */
class Applier
{
  public:
    Applier(TransferRequest& request, const HostFileReport& report)
        : m_request(request),
          m_report(report)
    {
    }

    /** @param rule to apply */
    void Apply(const HostRule& rule)
    {
        const HostSetting* counts = nullptr;
        for (const auto& setting : m_report.settings)
        {
            const auto end = setting.isSender ? HostEnds::SENDER : HostEnds::RECEIVER;
            if (setting.key != rule.key || (rule.ends != HostEnds::BOTH && rule.ends != end))
            {
                continue;
            }
            if (counts && rule.convert)
            {
                counts = &Agree(*counts, setting);
            }
            else
            {
                counts = counts ? counts : &setting;
            }
        }
        if (!counts)
        {
            return;
        }
        if (rule.convert)
        {
            SetOption(rule, *counts);
        }
        else if (const auto why = rule.object(m_request.scenario, counts->value); !why.empty())
        {
            Note(*counts, why);
        }
    }

  private:
    /** @return of two settings the one that TCP negotiates: both hosts have to have it on */
    const HostSetting& Agree(const HostSetting& one, const HostSetting& other)
    {
        const bool isOn = NumberOf(one.value) != 0;
        if (isOn == (NumberOf(other.value) != 0))
        {
            return one;
        }
        const HostSetting& off = isOn ? other : one;
        const HostSetting& on = isOn ? one : other;
        Note(on, "it is off at " + off.place + ", and TCP needs it at both hosts");
        return off;
    }

    /** Sets the option of a rule. */
    void SetOption(const HostRule& rule, const HostSetting& setting)
    {
        const std::string text = rule.convert(m_request.scenario, setting.value);
        if (text.empty())
        {
            return;
        }
        const Option& option = GetOption(rule.option);
        void* target = TransferTarget(&m_request, option.scope);
        const auto value = option.Parse(text);
        const std::string shown = "--" + std::string(option.name);
        const auto choices = option.segmentChoices.empty()
                                 ? std::vector<std::string_view>{}
                                 : GetTcpChoices(m_request.scenario.tcp.stack);
        const bool isChoice = choices.empty() || std::ranges::find(choices, text) != choices.end();
        if (!value || !isChoice)
        {
            Note(setting,
                 shown + " has no such value; allowed: " +
                     (choices.empty() ? option.DescribeAllowed() : Join(choices, ", ")));
            return;
        }
        const auto engine = EngineName(m_request.scenario.measure.engine);
        if (option.engines.find(engine) == option.engines.npos &&
            *value != option.binding.get(target))
        {
            Note(setting,
                 "--engine=" + std::string(engine) + " has no " + shown +
                     "; allowed: --engine=" + std::string(option.engines));
            return;
        }
        option.binding.set(target, *value);
    }

    /** Notes, once for each key, that a setting has no effect. */
    void Note(const HostSetting& setting, const std::string& why)
    {
        if (m_noted.insert(setting.key).second)
        {
            m_request.notes.push_back(setting.place + ": '" + setting.key + " = " +
                                      ShowSysctlValue(setting.value) + "' has no effect, as " +
                                      why);
        }
    }

    TransferRequest& m_request;     //!< whose options are set
    const HostFileReport& m_report; //!< of the files
    std::set<std::string> m_noted;  //!< keys
};

} // namespace

std::span<const std::string_view>
GetReportedKeys()
{
    static const std::vector<std::string_view> keys = [] {
        std::vector<std::string_view> made;
        for (const auto& rule : RULES)
        {
            if (std::ranges::find(made, rule.key) == made.end())
            {
                made.push_back(rule.key);
            }
        }
        return made;
    }();
    return keys;
}

void
ApplyHostSettings(TransferRequest& request,
                  const HostFileReport& report,
                  const std::function<bool(std::string_view option)>& isGiven)
{
    std::set<std::string> noted; // without the option, as both hosts may have the same file
    for (const auto& note : report.notes)
    {
        if (noted.insert(note.substr(std::min(note.find('='), note.size()))).second)
        {
            request.notes.push_back(note);
        }
    }
    Applier applier(request, report);
    for (const auto& rule : RULES)
    {
        if (rule.option.empty() || !isGiven(rule.option))
        {
            applier.Apply(rule);
        }
    }
}

} // namespace ns3::gridftp
