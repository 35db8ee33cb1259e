/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario.h"

#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t IP_TCP_HEADER = 40;    // IPv4 without options, TCP without options
constexpr int64_t TIMESTAMP_OPTION = 12; // ten bytes and two of padding, RFC 7323

/** "--name=VALUE" as a person would write it. */
std::string
Quote(std::string_view name, int64_t value)
{
    return "--" + std::string(name) + "=" + FormatWhole(value, GetOption(name).dimension);
}

Done
CheckPath(const Scenario& scenario)
{
    const int64_t least = scenario.path.packetSize - GetSegmentBytes(scenario) + 1;
    if (GetSegmentBytes(scenario) < 1)
    {
        return Error{Quote("packet-size", scenario.path.packetSize) +
                     " leaves no room for data; allowed with these TCP options: at least " +
                     FormatWhole(least, Dimension::BYTES)};
    }
    return std::monostate{};
}

Done
CheckSession(const Scenario& scenario, const SessionSpec& session)
{
    const int64_t segment = GetSegmentBytes(scenario);
    if (session.window < segment)
    {
        return Error{Quote("window", session.window) +
                     " is below one segment; allowed with these packets: at least " +
                     FormatWhole(segment, Dimension::BYTES)};
    }
    if (session.mode != "fixed" && session.initialParallelism > session.maxParallelism)
    {
        return Error{Quote("initial-parallelism", session.initialParallelism) + " is above " +
                     Quote("max-parallelism", session.maxParallelism) +
                     "; allowed: at most the maximum"};
    }
    return std::monostate{};
}

} // namespace

int64_t
SegmentBytesFor(int64_t packetBytes, bool timestamps)
{
    return packetBytes - IP_TCP_HEADER - (timestamps ? TIMESTAMP_OPTION : 0);
}

int64_t
GetSegmentBytes(const Scenario& scenario)
{
    return SegmentBytesFor(scenario.path.packetSize, scenario.tcp.timestamps);
}

Expected<Scenario>
ResolveScenario(Scenario scenario)
{
    auto& path = scenario.path;
    if (path.accessBandwidth == 0)
    {
        constexpr int64_t LEAST = 10'000'000'000;
        path.accessBandwidth = std::max(LEAST, 10 * path.bandwidth);
    }
    if (auto checked = CheckPath(scenario); !checked)
    {
        return checked.GetError();
    }
    for (const auto& session : scenario.sessions)
    {
        if (auto checked = CheckSession(scenario, session); !checked)
        {
            return checked.GetError();
        }
    }
    return scenario;
}

std::string
ScenarioToJson(const Scenario& scenario)
{
    JsonWriter json;
    const auto table = GetOptionTable();
    json.BeginObject();
    WriteOptionValues(json, table, OptionScope::PATH, &scenario.path);
    WriteOptionValues(json, table, OptionScope::TCP, &scenario.tcp);
    WriteOptionValues(json, table, OptionScope::SESSION, &scenario.sessions.front());
    WriteOptionValues(json, table, OptionScope::MEASURE, &scenario.measure);
    json.Key("sessions").BeginArray();
    for (const auto& session : scenario.sessions)
    {
        json.BeginObject();
        WriteOptionValues(json, table, OptionScope::SESSION, &session);
        json.EndObject();
    }
    json.EndArray().Key("background").BeginArray().EndArray().EndObject();
    return json.GetText();
}

} // namespace ns3::gridftp
