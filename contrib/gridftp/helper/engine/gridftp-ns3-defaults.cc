/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-settings.h"
#include "gridftp-congestion-control.h"
#include "gridftp-ns3-attributes.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-ns3-types.h"
#include "gridftp-option.h"
#include "gridftp-tcp-defaults.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-text.h"
#include "gridftp-tuning-parameter.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Engine ns3: what of a scenario only ns-3 can check, and the defaults of the process.
 */

namespace ns3::gridftp
{

namespace
{

/** Applies one "ns3::Type::Attribute=Value". */
bool
SetAttribute(const std::string& assignment)
{
    const auto equals = assignment.find('=');
    return equals != std::string::npos && equals + 1 < assignment.size() &&
           Config::SetDefaultFailSafe(assignment.substr(0, equals),
                                      StringValue(assignment.substr(equals + 1)));
}

/** Whether the attribute just set is a time below zero, which ns-3 takes and nothing can use. */
bool
IsNegativeTime(const std::string& assignment)
{
    const auto name = assignment.substr(0, assignment.find('='));
    const auto colons = name.rfind("::");
    TypeId::AttributeInformation info;
    TypeId::LookupByName(name.substr(0, colons))
        .LookupAttributeByName(name.substr(colons + 2), &info);
    const auto time = DynamicCast<const TimeValue>(info.initialValue);
    return time && time->Get().IsStrictlyNegative();
}

/**
 * Does something in a process of its own: ns-3 ends the process, in place of returning an error,
 * where a value is one that its models cannot use.
 * @param work returns what the process reports, or nothing where it failed
 * @return what it reports, or nothing where it failed, ended otherwise, or took too long
 */
std::optional<std::string>
RunInTrialProcess(const std::function<std::optional<std::string>()>& work)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        return std::nullopt;
    }
    const pid_t child = fork();
    if (child < 0)
    {
        close(ends[0]);
        close(ends[1]);
        return std::nullopt;
    }
    if (child == 0)
    {
        constexpr unsigned int PATIENCE_S = 10;
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        alarm(PATIENCE_S);
        const auto report = work();
        const bool isWhole = report && write(ends[1], report->data(), report->size()) ==
                                           static_cast<ssize_t>(report->size());
        _exit(isWhole ? 0 : 1);
    }
    close(ends[1]);
    std::string report;
    std::array<char, 4096> part{};
    for (ssize_t size = 0; (size = read(ends[0], part.data(), part.size())) > 0;)
    {
        report.append(part.data(), static_cast<size_t>(size));
    }
    close(ends[0]);
    int status = 1;
    const bool isDone = waitpid(child, &status, 0) == child && status == 0;
    return isDone ? std::optional(report) : std::nullopt;
}

/** Makes every session move one byte at once. */
void
ShortenSessions(Scenario& scenario)
{
    for (auto& session : scenario.sessions)
    {
        session.fileSize = 1;
        session.tuning.Set(PARALLELISM.name, 1);
        session.tuning.Set(INITIAL_PARALLELISM.name, 1);
        session.start = 0;
    }
}

/** Whether ns-3 takes the last assignment, and a transfer of one byte works with it. */
bool
IsAccepted(Scenario scenario)
{
    const auto done = RunInTrialProcess([&scenario]() -> std::optional<std::string> {
        const std::string& assignment = scenario.measure.attributes.back();
        if (!SetAttribute(assignment) || IsNegativeTime(assignment))
        {
            return std::nullopt;
        }
        scenario.path.randomLoss = scenario.path.reverseRandomLoss = 0;
        ShortenSessions(scenario);
        scenario.background.clear();
        scenario.faults.clear();
        RunOnNs3(scenario, {});
        return "";
    });
    return done.has_value();
}

/** @param assignment "ns3::Type::Attribute=Value" @return the type */
std::string
GetTypeName(const std::string& assignment)
{
    const auto name = assignment.substr(0, assignment.find('='));
    return name.substr(0, name.rfind("::"));
}

/** A temporary folder; removed at the end of its life, whatever happens to who writes into it. */
class TemporaryFolder
{
  public:
    TemporaryFolder()
        : m_path((std::filesystem::temp_directory_path() / "gridftp-XXXXXX").string())
    {
        m_exists = mkdtemp(m_path.data()) != nullptr;
    }

    ~TemporaryFolder()
    {
        if (m_exists)
        {
            std::error_code failure;
            std::filesystem::remove_all(m_path, failure);
        }
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /** @param name of a file in it @return its path; empty where there is no folder */
    std::string GetFile(std::string_view name) const
    {
        return m_exists ? m_path + "/" + std::string(name) : "";
    }

  private:
    std::string m_path; //!< of the folder
    bool m_exists;      //!< it was made
};

/**
 * Finds the types of the objects of a simulation: runs the scenario in a process of its own, with
 * one byte for each session and everything at the beginning. Sockets and congestion controls of
 * accepted connections are constructed as in the whole simulation.
 * @param scenario with attributes that ns-3 takes
 * @param hasCaptures whether packets are captured
 * @return names of types, base types included; empty where the trial does not end
 */
std::set<std::string>
FindTypes(Scenario scenario, bool hasCaptures)
{
    std::optional<TemporaryFolder> folder;
    RunObservers observers;
    if (hasCaptures)
    {
        observers.pcapPrefix = folder.emplace().GetFile("trial");
    }
    const auto report = RunInTrialProcess([&]() -> std::optional<std::string> {
        std::set<std::string> asked;
        for (const auto& assignment : scenario.measure.attributes)
        {
            asked.insert(GetTypeName(assignment));
        }
        RecordConstructedTypes(asked);
        ShortenSessions(scenario);
        for (auto& session : scenario.sessions)
        {
            session.repeatFor = 0;
        }
        for (auto& background : scenario.background)
        {
            background.start = 0;
        }
        RunOnNs3(scenario, observers);
        std::string names;
        for (const auto& name : GetConstructedTypes())
        {
            names += name + "\n";
        }
        return names;
    });
    std::set<std::string> names;
    std::istringstream lines(report.value_or(""));
    for (std::string line; std::getline(lines, line);)
    {
        names.insert(line);
    }
    return names;
}

/** @param name of a type that is not there @param types that are @return some that are like it */
std::string
SuggestTypes(const std::string& name, const std::set<std::string>& types)
{
    constexpr size_t MOST = 4;
    const auto group = TypeId::LookupByName(name).GetGroupName();
    std::vector<std::string_view> alike;
    std::vector<std::string_view> settable;
    for (const auto& each : types)
    {
        const TypeId type = TypeId::LookupByName(each);
        if (type.GetAttributeN() > 0)
        {
            settable.push_back(each);
            if (type.GetGroupName() == group)
            {
                alike.push_back(each);
            }
        }
    }
    const auto nearest = NearestWord(name, settable);
    if (!nearest.empty())
    {
        return std::string(nearest);
    }
    auto& some = alike.empty() ? settable : alike;
    some.resize(std::min(some.size(), MOST));
    return Join(some, ", ");
}

/** @param name of a congestion control @return it in the form in which ns-3's names differ */
std::string_view
GetShortName(std::string_view name)
{
    for (const std::string_view prefix : {"ns3::", "Tcp", "tcp"})
    {
        name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
    }
    return name;
}

/** @return the first word that begins with another one of some letters, capitals ignored */
std::string_view
FindBeginning(std::string_view beginning, std::span<const std::string_view> words)
{
    constexpr size_t LEAST = 4;
    const auto begins = [beginning](std::string_view word) {
        word = GetShortName(word);
        return word.size() > beginning.size() &&
               CountEdits(word.substr(0, beginning.size()), beginning) == 0;
    };
    const auto found = std::ranges::find_if(words, begins);
    return beginning.size() < LEAST || found == words.end() ? std::string_view() : *found;
}

/** @param name an unknown name @return the TypeId or name that may have been meant; or empty */
std::string
FindNearestTcp(std::string_view name)
{
    // Names of our own come first: they win where an ns-3 type has the same short name.
    std::vector<std::string> fullNames;
    for (const auto& control : GetCongestionControls())
    {
        fullNames.emplace_back(control.name);
    }
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(TcpCongestionOps::GetTypeId()) && tid.HasConstructor())
        {
            fullNames.push_back(tid.GetName());
        }
    }
    // A TypeId in other letters is that type, not a name of ours.
    const bool isType = name.starts_with("ns3::") || name.starts_with("Tcp");
    std::vector<std::string_view> words;
    for (const auto& fullName : fullNames)
    {
        words.push_back(isType ? std::string_view(fullName) : GetShortName(fullName));
    }
    const std::string asked =
        isType && !name.starts_with("ns3::") ? "ns3::" + std::string(name) : std::string(name);
    auto nearest = NearestWord(asked, words);
    if (nearest.empty())
    {
        nearest = FindBeginning(GetShortName(name), words);
    }
    const auto at = std::ranges::find(words, nearest);
    return nearest.empty() ? "" : fullNames[at - words.begin()];
}

/** @param name of it @param shown where it is named @return that there is no such TCP */
Error
UnknownTcp(std::string_view name, const std::string& shown)
{
    if (const std::string nearest = FindNearestTcp(name); !nearest.empty())
    {
        return Error{shown + " is unknown; did you mean " + nearest + "?"};
    }
    std::string names;
    for (const auto& control : GetCongestionControls())
    {
        names += std::string(control.name) + ", ";
    }
    return Error{shown + " is unknown; allowed: " + names +
                 "or the TypeId of an ns-3 TcpCongestionOps such as ns3::TcpVegas"};
}

/** Whether there is a TCP, with such buffers. */
Done
CheckTcp(const std::string& name, const BufferSpec& buffers, const std::string& shown)
{
    const auto variant = FindTcpVariant(name);
    if (!variant)
    {
        return UnknownTcp(name, shown);
    }
    if (MakeBufferSettings(buffers, 1).AreSized() && !MayMoveBuffers(*variant))
    {
        return Error{shown + " has only fixed buffers; allowed with --buffers=" +
                     std::string(GetBufferPolicies().front().name) +
                     " and --sink=memory, neither --read-rate nor --send-pool, or a TCP that is a "
                     "TcpCongestionOps"};
    }
    return std::monostate{};
}

} // namespace

Done
CheckNs3Scenario(const Scenario& scenario)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const SessionSpec& session = scenario.sessions[i];
        const std::string word = "tcp=" + session.tcp;
        const auto shown = i == 0 ? Printable("--" + word) : "--session '" + Printable(word) + "'";
        if (auto done = CheckTcp(session.tcp, session.buffers, shown); !done)
        {
            return done;
        }
    }
    for (const auto& background : scenario.background)
    {
        const auto shown = "--background '" + Printable("tcp=" + background.tcp) + "'";
        if (auto done = CheckTcp(background.tcp, background.buffers, shown); !done)
        {
            return done;
        }
    }
    Scenario trial = scenario;
    trial.measure.attributes.clear();
    for (const auto& assignment : scenario.measure.attributes)
    {
        const auto owner = FindAttributeOwner(assignment.substr(0, assignment.find('=')));
        if (!owner.empty())
        {
            return Error{
                Printable("--set=" + assignment) +
                " would have no effect, as the scenario sets it; allowed: " + std::string(owner)};
        }
        trial.measure.attributes.push_back(assignment);
        if (!IsAccepted(trial) || !SetAttribute(assignment))
        {
            return DescribeAttributeFault(assignment);
        }
    }
    return std::monostate{};
}

Done
CheckNs3Types(const Scenario& scenario, bool hasCaptures)
{
    if (scenario.measure.attributes.empty())
    {
        return std::monostate{};
    }
    const auto types = FindTypes(scenario, hasCaptures);
    for (const auto& assignment : scenario.measure.attributes)
    {
        const std::string name = GetTypeName(assignment);
        if (!types.empty() && !types.contains(name))
        {
            return Error{Printable("--set=" + assignment) +
                         " would have no effect, as the simulation constructs no " + name +
                         "; allowed: attributes of types that it constructs, such as " +
                         SuggestTypes(name, types)};
        }
    }
    return std::monostate{};
}

void
ApplyNs3Defaults(const Scenario& scenario, bool checksums)
{
    RngSeedManager::SetSeed(static_cast<uint32_t>(scenario.measure.seed));
    RngSeedManager::SetRun(static_cast<uint64_t>(scenario.measure.run));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(checksums));
    ObjectFactory scheduler;
    scheduler.SetTypeId(scenario.measure.links == LinkKind::LEAN ? "ns3::gridftp::LeanScheduler"
                                                                 : "ns3::PriorityQueueScheduler");
    Simulator::SetScheduler(scheduler);

    TcpDefaults tcp;
    tcp.segmentSize = static_cast<uint32_t>(GetSegmentBytes(scenario));
    tcp.window = static_cast<uint32_t>(scenario.sessions.front().buffers.window);
    tcp.initialWindow = static_cast<uint32_t>(scenario.tcp.initialWindow);
    tcp.minRto = NanoSeconds(scenario.tcp.minRto);
    tcp.delayedAck = static_cast<uint32_t>(scenario.tcp.delayedAck);
    tcp.sack = scenario.tcp.sack;
    tcp.timestamps = scenario.tcp.timestamps;
    tcp.limitedTransmit = scenario.tcp.limitedTransmit;
    tcp.ecn = scenario.tcp.ecn;
    tcp.Apply();
    for (const auto& assignment : scenario.measure.attributes)
    {
        SetAttribute(assignment);
    }
}

} // namespace ns3::gridftp
