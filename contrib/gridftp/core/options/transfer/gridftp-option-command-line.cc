/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-file-sizes.h"
#include "gridftp-host-file.h"
#include "gridftp-host-settings.h"
#include "gridftp-option-effect.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-option-tcp.h"
#include "gridftp-scenario-check.h"
#include "gridftp-text.h"
#include "gridftp-topology-file.h"
#include "gridftp-tuning-parameter.h"

#include <string>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A transfer's command line.
 */

namespace ns3::gridftp
{

namespace
{

/** A number that only one mode reads, given with another mode, is a mistake worth telling. */
Done
CheckModeOptions(std::span<const std::string_view> arguments, std::string_view mode)
{
    const Option& option = GetOption(PARALLELISM.name);
    const std::string beginning = "--" + std::string(option.name) + "=";
    for (const auto argument : arguments)
    {
        if (argument.starts_with(beginning) && !option.IsForMode(mode))
        {
            return Error{std::string(argument) + " is only used with --mode=" +
                         Join(option.modes, " or --mode=") + ", not --mode=" + std::string(mode) +
                         "; allowed here: --" + std::string(INITIAL_PARALLELISM.name) + "=N"};
        }
    }
    return std::monostate{};
}

/** @return the value of an option, the last one given; empty where it is not */
std::string_view
FindValue(std::span<const std::string_view> arguments, std::string_view name)
{
    const std::string beginning = "--" + std::string(name) + "=";
    std::string_view found;
    for (const auto argument : arguments)
    {
        if (argument.starts_with(beginning))
        {
            found = argument.substr(beginning.size());
        }
    }
    return found;
}

/** Adds the items of one list. */
Done
AddItems(Scenario& scenario,
         std::string_view name,
         const std::vector<std::string>& texts,
         Done (*add)(Scenario&, size_t, std::span<const OptionAssignment>))
{
    for (size_t i = 0; i < texts.size(); ++i)
    {
        const auto values = ParseAssignments(GetOption(name), texts[i]);
        if (!values)
        {
            return values.GetError();
        }
        if (auto done = add(scenario, i, *values); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

/** Adds what --session, --arrivals, --background, --fault and --faults ask for. */
Done
AddFurther(Scenario& scenario, const TrafficSpec& traffic, const FileReader& read)
{
    scenario.sessions.front().delay = scenario.path.delay;
    if (auto done = AddItems(scenario, "session", traffic.sessions, &AddSession); !done)
    {
        return done;
    }
    if (auto done = AddItems(scenario, "arrivals", traffic.arrivals, &AddArrivals); !done)
    {
        return done;
    }
    if (auto done = AddItems(scenario, "background", traffic.background, &AddBackground); !done)
    {
        return done;
    }
    if (auto done = AddItems(scenario, "fault", traffic.faults, &AddFault); !done)
    {
        return done;
    }
    return AddFaultsOfFile(scenario, traffic.faultsFile, read);
}

} // namespace

Expected<TransferRequest>
ParseTransfer(std::span<const std::string_view> arguments, const FileReader& read)
{
    TransferRequest request = MakeDefaultRequest();
    PathSpec& path = request.scenario.path;
    if (auto done = ReadTopology(path, FindValue(arguments, "topology"), read); !done)
    {
        return done.GetError();
    }
    const std::string shape = path.topology;
    SessionSpec& first = request.scenario.sessions.front();
    HostFileReport files;
    for (const bool isSender : {true, false})
    {
        HostSpec& host = isSender ? first.buffers.sender : first.buffers.receiver;
        const auto name = FindValue(arguments, GetHostFileOption(isSender));
        if (auto done = ReadHostFile(host, isSender, name, read, GetReportedKeys(), files); !done)
        {
            return done.GetError();
        }
    }
    if (auto done = ParseArguments(GetOptionTable(), arguments, &request, &TransferTarget); !done)
    {
        return done.GetError();
    }
    path.topology = IsFileName(path.topology) ? shape : path.topology;
    first.senderHost = NO_HOST_FILE;
    first.receiverHost = NO_HOST_FILE;
    ApplyStack(request, [arguments](std::string_view option) {
        return !FindValue(arguments, option).empty();
    });
    ApplyHostSettings(request, files, [arguments](std::string_view option) {
        return !FindValue(arguments, option).empty();
    });
    first.hostTcp = request.scenario.tcp;
    if (auto done = CheckModeOptions(arguments, request.scenario.sessions.front().mode); !done)
    {
        return done.GetError();
    }
    if (auto done = ResolvePathSchedule(request.scenario, read, request.notes); !done)
    {
        return done.GetError();
    }
    if (auto done = AddFurther(request.scenario, request.traffic, read); !done)
    {
        return done.GetError();
    }
    const Engine engine = request.scenario.measure.engine;
    if (auto done = CheckEngine(engine, OptionScope::OUTPUT, &request.output); !done)
    {
        return done.GetError();
    }
    if (auto done = ResolveFileSizes(request.scenario, read); !done)
    {
        return done.GetError();
    }
    NoteIdleOptions(request, arguments);
    auto resolved = ResolveScenario(std::move(request.scenario));
    if (!resolved)
    {
        return resolved.GetError();
    }
    request.scenario = std::move(*resolved);
    return request;
}

} // namespace ns3::gridftp
