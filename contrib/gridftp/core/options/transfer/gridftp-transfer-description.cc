/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
#include "gridftp-tuning-by-hand.h"
#include "gridftp-tuning-mode.h"

namespace ns3::gridftp
{

namespace
{

void
WriteLook(JsonWriter& json, const TunerLook& look)
{
    json.Key("look").BeginObject();
    json.Key("color").String(look.color).Key("marker").String(look.marker);
    json.Key("marker_size").Number(look.markerSize).Key("dashes").BeginArray();
    for (const double length : look.dashes)
    {
        json.Number(length);
    }
    json.EndArray().EndObject();
}

/** A tuner; its parameters by the names of their options, which say the rest. */
void
WriteTuner(JsonWriter& json, const TuningMode& mode)
{
    json.BeginObject();
    json.Key("name").String(mode.name).Key("label").String(mode.label);
    json.Key("help").String(mode.help);
    WriteLook(json, mode.look);
    json.Key("parameters").BeginArray();
    for (const auto* parameter : mode.parameters)
    {
        json.String(parameter->name);
    }
    if (mode.need == TuningNeed::LIST)
    {
        json.String(CHUNK_PARALLELISM);
    }
    json.EndArray().EndObject();
}

} // namespace

std::string
DescribeTransfer()
{
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(1);
    WriteOptions(json, GetOptionTable());
    json.Key("tuners").BeginArray();
    for (const auto& mode : GetTuningModes())
    {
        WriteTuner(json, mode);
    }
    json.EndArray().EndObject();
    return json.GetText();
}

} // namespace ns3::gridftp
