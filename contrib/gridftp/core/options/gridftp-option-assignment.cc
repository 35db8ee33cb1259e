/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-arrivals.h"
#include "gridftp-buffer-policy.h"
#include "gridftp-option-session.h"
#include "gridftp-option-suggestion.h"
#include "gridftp-option-tcp.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-text.h"
#include "gridftp-tuning-parameter.h"

#include <algorithm>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What sessions, arrivals and background connections are given: read, and put into a scenario.
 */

namespace ns3::gridftp
{

namespace
{

/** Whether the delay that is given is long enough. */
Done
CheckDelay(std::span<const OptionAssignment> values, const PathSpec& path)
{
    for (const auto& [option, value, shown, byHand] : values)
    {
        if (option->name == "delay" && *std::get_if<int64_t>(&value) < path.delay)
        {
            return Error{shown + " is below --delay=" + option->Format(path.delay) +
                         "; allowed: at least the bottleneck's"};
        }
    }
    return std::monostate{};
}

void
Assign(void* spec, std::span<const OptionAssignment> values)
{
    for (const auto& assignment : values)
    {
        assignment.option->binding.set(spec, assignment.value);
    }
}

/** @param values what is given @return whether an option is among them, by its name */
auto
MakeIsGiven(std::span<const OptionAssignment> values)
{
    return [values](std::string_view name) {
        return std::ranges::any_of(values, [name](const OptionAssignment& assignment) {
            return assignment.option->name == name;
        });
    };
}

/** Reads one "KEY=V". */
Expected<OptionAssignment>
ParseAssignment(const Option& list, std::string_view text)
{
    OptionAssignment assignment;
    assignment.shown = "--" + std::string(list.name) + " '" + Printable(text) + "'";
    const auto equals = text.find('=');
    const auto key = text.substr(0, equals);
    assignment.option = FindOption(list.GetMembers(), key);
    if (!assignment.option)
    {
        const auto asked = AskWhetherMeant(key, NamesOf(list.GetMembers()), "'", "='");
        return Error{assignment.shown + " is unknown; " +
                     (asked.empty() ? "allowed: " + list.DescribeAllowed() : asked)};
    }
    const Option& option = *assignment.option;
    if (equals == text.npos)
    {
        return Error{assignment.shown + " lacks a value; allowed: " + std::string(key) + "=" +
                     std::string(option.placeholder) + ", " + option.DescribeAllowed()};
    }
    auto value = option.Parse(text.substr(equals + 1));
    if (!value)
    {
        return Error{assignment.shown + " " + Printable(value.GetError().message) +
                     "; allowed: " + option.DescribeAllowed()};
    }
    assignment.value = std::move(*value);
    return assignment;
}

} // namespace

Expected<std::vector<OptionAssignment>>
ParseAssignments(const Option& list, std::string_view text)
{
    std::vector<OptionAssignment> values;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t comma = std::min(text.find(',', at), text.size());
        auto assignment = ParseAssignment(list, text.substr(at, comma - at));
        if (!assignment)
        {
            return assignment.GetError();
        }
        values.push_back(std::move(*assignment));
        at = comma + 1;
    }
    return values;
}

Done
AssignSession(SessionSpec& session, const PathSpec& path, std::span<const OptionAssignment> values)
{
    const TcpStack stack = session.hostTcp.stack;
    Assign(&session, values);
    const auto isGiven = MakeIsGiven(values);
    const bool asksForBuffers = isGiven("window") || session.tool != GRIDFTP_APPLICATION;
    ApplyOtherStack(stack,
                    {session.hostTcp, session.tcp, session.buffers, asksForBuffers},
                    isGiven);
    for (const auto& [option, value, shown, byHand] : values)
    {
        if (option->name == PARALLELISM.name && byHand && !option->IsForMode(session.mode))
        {
            return Error{shown + " is only used with mode " + Join(option->modes, " or ") +
                         ", not " + session.mode +
                         "; allowed here: " + std::string(INITIAL_PARALLELISM.name)};
        }
    }
    return CheckDelay(values, path);
}

Done
AddSession(Scenario& scenario, size_t /* index */, std::span<const OptionAssignment> values)
{
    scenario.sessions.push_back(scenario.sessions.front());
    return AssignSession(scenario.sessions.back(), scenario.path, values);
}

Done
AddArrivals(Scenario& scenario, size_t index, std::span<const OptionAssignment> values)
{
    Arrivals arrivals;
    for (const auto& row : GetArrivalRows())
    {
        if (row.scope == OptionScope::TRAFFIC)
        {
            row.binding.set(&arrivals, *row.Parse(row.defaultText));
        }
    }
    std::vector<OptionAssignment> own;
    for (const auto& assignment : values)
    {
        if (assignment.option->scope == OptionScope::TRAFFIC)
        {
            assignment.option->binding.set(&arrivals, assignment.value);
        }
        else
        {
            own.push_back(assignment);
        }
    }
    SessionSpec session = scenario.sessions.front();
    if (auto done = AssignSession(session, scenario.path, own); !done)
    {
        return done;
    }
    const ArrivalsKey key{static_cast<uint64_t>(scenario.measure.seed),
                          static_cast<uint64_t>(scenario.measure.run),
                          index};
    const Option& start = *FindOption(GetSessionRows(), "start");
    for (const int64_t time : DrawArrivalTimes(arrivals, session.start, key))
    {
        if (!start.IsInRange(time))
        {
            return Error{"a session of --arrivals arrives at " + start.Format(time) +
                         "; allowed: " + start.DescribeAllowed()};
        }
        session.start = time;
        scenario.sessions.push_back(session);
    }
    return std::monostate{};
}

Done
AddBackground(Scenario& scenario, size_t /* index */, std::span<const OptionAssignment> values)
{
    BackgroundSpec background;
    background.tcp = scenario.sessions.front().tcp;
    const BufferSpec& first = scenario.sessions.front().buffers;
    background.buffers = {.policy = first.policy, .window = first.window, .most = first.most};
    if (NeedsApplications(first.policy))
    {
        background.buffers.policy = GetBufferPolicies().front().name;
    }
    background.direction =
        IsToServer(scenario.sessions.front().direction) ? Direction::UPLOAD : Direction::DOWNLOAD;
    background.delay = scenario.path.delay;
    background.hostTcp = scenario.sessions.front().hostTcp;
    const TcpStack stack = background.hostTcp.stack;
    Assign(&background, values);
    const auto isGiven = MakeIsGiven(values);
    ApplyOtherStack(stack,
                    {background.hostTcp, background.tcp, background.buffers, isGiven("window")},
                    isGiven);
    scenario.background.push_back(std::move(background));
    return CheckDelay(values, scenario.path);
}

} // namespace ns3::gridftp
