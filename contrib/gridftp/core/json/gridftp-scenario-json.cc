/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario-json.h"

#include "gridftp-json-writer.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-session.h"
#include "gridftp-option-table.h"

namespace ns3::gridftp
{

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
        WriteOptionValues(json, GetSessionRows(), OptionScope::SESSION, &session);
        json.EndObject();
    }
    json.EndArray().Key("background").BeginArray();
    for (const auto& background : scenario.background)
    {
        json.BeginObject();
        WriteOptionValues(json, GetBackgroundRows(), OptionScope::SESSION, &background);
        json.EndObject();
    }
    json.EndArray().Key("faults").BeginArray();
    for (const auto& fault : scenario.faults)
    {
        json.BeginObject();
        WriteOptionValues(json, GetFaultRows(), OptionScope::SESSION, &fault);
        json.EndObject();
    }
    json.EndArray().EndObject();
    return json.GetText();
}

} // namespace ns3::gridftp
