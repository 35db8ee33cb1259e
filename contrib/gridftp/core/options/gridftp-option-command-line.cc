/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-check.h"
#include "gridftp-text.h"
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

/** Adds what --session, --arrivals and --background ask for. */
Done
AddFurther(Scenario& scenario, const TrafficSpec& traffic)
{
    scenario.sessions.front().delay = scenario.path.delay;
    for (const auto& text : traffic.sessions)
    {
        const auto values = ParseAssignments(GetOption("session"), text);
        if (!values)
        {
            return values.GetError();
        }
        SessionSpec session = scenario.sessions.front();
        if (auto done = AssignSession(session, scenario.path, *values); !done)
        {
            return done;
        }
        scenario.sessions.push_back(std::move(session));
    }
    for (size_t i = 0; i < traffic.arrivals.size(); ++i)
    {
        const auto values = ParseAssignments(GetOption("arrivals"), traffic.arrivals[i]);
        if (!values)
        {
            return values.GetError();
        }
        if (auto done = AddArrivals(scenario, i, *values); !done)
        {
            return done;
        }
    }
    for (const auto& text : traffic.background)
    {
        const auto values = ParseAssignments(GetOption("background"), text);
        if (!values)
        {
            return values.GetError();
        }
        scenario.background.push_back(MakeBackground(scenario));
        if (auto done = AssignBackground(scenario.background.back(), scenario.path, *values); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

} // namespace

Expected<TransferRequest>
ParseTransfer(std::span<const std::string_view> arguments)
{
    TransferRequest request = MakeDefaultRequest();
    if (auto done = ParseArguments(GetOptionTable(), arguments, &request, &TransferTarget); !done)
    {
        return done.GetError();
    }
    if (auto done = CheckModeOptions(arguments, request.scenario.sessions.front().mode); !done)
    {
        return done.GetError();
    }
    if (auto done = AddFurther(request.scenario, request.traffic); !done)
    {
        return done.GetError();
    }
    const Engine engine = request.scenario.measure.engine;
    if (auto done = CheckEngine(engine, OptionScope::OUTPUT, &request.output); !done)
    {
        return done.GetError();
    }
    auto resolved = ResolveScenario(std::move(request.scenario));
    if (!resolved)
    {
        return resolved.GetError();
    }
    request.scenario = std::move(*resolved);
    return request;
}

} // namespace ns3::gridftp
