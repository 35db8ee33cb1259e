/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-table.h"

#include "gridftp-option-effect.h"
#include "gridftp-option-path.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-row.h"
#include "gridftp-option-session.h"
#include "gridftp-option-tcp.h"
#include "gridftp-text.h"

#include <limits>

namespace ns3::gridftp
{

namespace
{

/** ns-3's generator, MRG32k3a, takes seeds below its second modulus, 2^32 - 22853. */
constexpr int64_t LARGEST_SEED = (1LL << 32) - 22853 - 1;

/** A row of what may be given several times, each time with values of its own. */
Option
FurtherRow(std::string_view name,
           std::string_view key,
           std::span<const Option> (*findMembers)(),
           OptionBinding binding,
           std::string_view help)
{
    Option option = WordRow(OptionKind::LIST,
                            name,
                            key,
                            OptionScope::TRAFFIC,
                            "",
                            "KEY=V,...",
                            {},
                            binding,
                            help);
    option.findMembers = findMembers;
    return option;
}

void
AddTraffic(std::vector<Option>& t)
{
    t.push_back(
        FurtherRow("session",
                   "sessions",
                   &GetSessionRows,
                   BindMember<&TrafficSpec::sessions>(),
                   "adds a session; keys that are not named are the first session's; repeatable"));
    t.push_back(FurtherRow("arrivals",
                           "arrivals",
                           &GetArrivalRows,
                           BindMember<&TrafficSpec::arrivals>(),
                           "adds sessions that arrive one after the other; repeatable"));
    t.push_back(FurtherRow("background",
                           "background",
                           &GetBackgroundRows,
                           BindMember<&TrafficSpec::background>(),
                           "adds a plain TCP connection that always has data to send; repeatable"));
    t.push_back(FurtherRow("fault",
                           "faults",
                           &GetFaultRows,
                           BindMember<&TrafficSpec::faults>(),
                           "injects a fault at a given time; repeatable"));
    // Under the key of the list that it becomes: a text there, in a batch, is the file's name
    t.push_back(WordRow(OptionKind::NAME,
                        "faults",
                        "faults",
                        OptionScope::TRAFFIC,
                        "",
                        "FILE",
                        {},
                        BindMember<&TrafficSpec::faultsFile>(),
                        "file of faults, KEY=V,... on each line; # begins a comment"));
    t.back().mayBeFile = true;
}

void
AddMeasure(std::vector<Option>& t)
{
    const auto scope = OptionScope::MEASURE;
    t.push_back(WordRow(OptionKind::CHOICE,
                        "engine",
                        "engine",
                        scope,
                        "segment",
                        "segment|ns3",
                        {"segment", "ns3"},
                        BindMember<&RunSpec::engine>(),
                        "engine: the fast segment engine, or ns-3's TCP/IP stack"));
    t.push_back(KnownTo(NS3_ONLY,
                        WordRow(OptionKind::CHOICE,
                                "links",
                                "links",
                                scope,
                                "lean",
                                "lean|ns3",
                                {"lean", "ns3"},
                                BindMember<&RunSpec::links>(),
                                "network devices: the module's, with one event per hop, or "
                                "ns-3's point-to-point")));
    t.push_back(WholeRow("seed",
                         "seed",
                         scope,
                         Dimension::COUNT,
                         "1",
                         {1, LARGEST_SEED},
                         BindMember<&RunSpec::seed>(),
                         "seed of the random numbers, as ns-3's RngSeed"));
    t.push_back(WholeRow("run",
                         "run",
                         scope,
                         Dimension::COUNT,
                         "1",
                         {0, std::numeric_limits<int64_t>::max()},
                         BindMember<&RunSpec::run>(),
                         "number of the replication, as ns-3's RngRun"));
    t.push_back(
        WordRow(OptionKind::CHOICE,
                "detail",
                "detail",
                scope,
                "auto",
                "auto|on|off",
                {"auto", "on", "off"},
                BindMember<&RunSpec::detail>(),
                "report RTT under load, queueing delay and each connection; auto: in tables"));
    t.push_back(KnownTo(NS3_ONLY,
                        WordRow(OptionKind::LIST,
                                "set",
                                "set",
                                scope,
                                "",
                                "ns3::Type::Attribute=VALUE",
                                {},
                                BindMember<&RunSpec::attributes>(),
                                "default of any ns-3 attribute; may be repeated")));
}

void
AddOutput(std::vector<Option>& t)
{
    const auto scope = OptionScope::OUTPUT;
    t.push_back(WordRow(OptionKind::FLAG,
                        "json",
                        "json",
                        scope,
                        "",
                        "",
                        {},
                        BindMember<&OutputSpec::json>(),
                        "print the result as one JSON object"));
    t.push_back(WordRow(OptionKind::FLAG,
                        "describe",
                        "describe",
                        scope,
                        "",
                        "",
                        {},
                        BindMember<&OutputSpec::describe>(),
                        "print this table as JSON and stop"));
    t.push_back(WordRow(OptionKind::FLAG,
                        "resolve",
                        "resolve",
                        scope,
                        "",
                        "",
                        {},
                        BindMember<&OutputSpec::resolve>(),
                        "print the scenario in SI numbers and stop"));
    t.push_back(WordRow(OptionKind::FLAG,
                        "help",
                        "help",
                        scope,
                        "",
                        "",
                        {},
                        BindMember<&OutputSpec::help>(),
                        "print this help and stop"));
    t.push_back(WordRow(OptionKind::NAME,
                        "batch",
                        "batch",
                        scope,
                        "",
                        "FILE",
                        {},
                        BindMember<&OutputSpec::batch>(),
                        "run each line of a file, a scenario in JSON; -: standard input"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "progress",
                        "progress",
                        scope,
                        "auto",
                        "auto|json|off",
                        {"auto", "json", "off"},
                        BindMember<&OutputSpec::progress>(),
                        "progress on standard error; auto: on a terminal only"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "fast-forward",
                        "fast_forward",
                        scope,
                        "on",
                        "on|off",
                        {"on", "off"},
                        BindMember<&OutputSpec::fastForward>(),
                        "engine segment skips chunks that repeat the one before; exact"));
    t.push_back(WordRow(OptionKind::NAME,
                        "trace",
                        "trace",
                        scope,
                        "",
                        "DIR",
                        {},
                        BindMember<&OutputSpec::trace>(),
                        "write time series as CSV: cwnd.csv, hosts.csv and others"));
    t.push_back(KnownTo(NS3_ONLY,
                        WordRow(OptionKind::NAME,
                                "pcap",
                                "pcap",
                                scope,
                                "",
                                "PREFIX",
                                {},
                                BindMember<&OutputSpec::pcap>(),
                                "capture the packets of both hosts; turns checksums on")));
}

/** Whether an option is as if it had not been given. */
bool
IsDefault(const Option& option, const OptionValue& value)
{
    if (const auto usual = option.Parse(option.defaultText))
    {
        return value == *usual;
    }
    const auto* text = std::get_if<std::string>(&value);
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    return (text && text->empty()) || (list && list->empty());
}

} // namespace

std::span<const Option>
GetOptionTable()
{
    static const auto& table = KeepRows([] {
        std::vector<Option> rows;
        AddPathRows(rows);
        AddNeeds(rows);
        const auto tcp = GetTcpRows();
        rows.insert(rows.end(), tcp.begin(), tcp.end());
        const auto session = GetFlatSessionRows();
        rows.insert(rows.end(), session.begin(), session.end());
        AddTraffic(rows);
        AddMeasure(rows);
        AddOutput(rows);
        return rows;
    }());
    return table;
}

const Option&
GetOption(std::string_view name)
{
    return *FindOption(GetOptionTable(), name);
}

int64_t
GetDefaultWhole(std::string_view name)
{
    const Option& option = GetOption(name);
    return *std::get_if<int64_t>(&*option.Parse(option.defaultText));
}

double
GetDefaultReal(std::string_view name)
{
    const Option& option = GetOption(name);
    return *std::get_if<double>(&*option.Parse(option.defaultText));
}

std::string
GetDefaultText(std::string_view name)
{
    return std::string(GetOption(name).defaultText);
}

std::string_view
EngineName(Engine engine)
{
    return GetOption("engine").choices[static_cast<size_t>(engine)];
}

Done
CheckEngine(Engine engine, OptionScope scope, const void* spec)
{
    const auto name = EngineName(engine);
    for (const auto& option : GetOptionTable())
    {
        // "segment" is no part of another engine's name, nor is "ns3"
        if (option.scope != scope || option.engines.find(name) != option.engines.npos)
        {
            continue;
        }
        if (const auto value = option.binding.get(spec); !IsDefault(option, value))
        {
            return Error{Printable("--" + std::string(option.name) + "=" + option.Format(value)) +
                         " is not for --engine=" + std::string(name) + "; allowed there: " +
                         (option.defaultText.empty() ? "none" : std::string(option.defaultText)) +
                         " (--engine=" + std::string(option.engines) + " allows more)"};
        }
    }
    return std::monostate{};
}

void*
TransferTarget(void* request, OptionScope scope)
{
    auto* transfer = static_cast<TransferRequest*>(request);
    switch (scope)
    {
    case OptionScope::PATH:
        return &transfer->scenario.path;
    case OptionScope::TCP:
        return &transfer->scenario.tcp;
    case OptionScope::SESSION:
        return &transfer->scenario.sessions.front();
    case OptionScope::MEASURE:
        return &transfer->scenario.measure;
    case OptionScope::TRAFFIC:
        return &transfer->traffic;
    case OptionScope::OUTPUT:
        break;
    }
    return &transfer->output;
}

TransferRequest
MakeDefaultRequest()
{
    TransferRequest request;
    request.scenario.sessions.emplace_back();
    ApplyDefaults(GetOptionTable(), &request, &TransferTarget);
    return request;
}

} // namespace ns3::gridftp
