/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Which TypeIds, attributes and trace sources does this module register? Prints them as one JSON
 * object; takes no options. Exit status: 0, or 2 when there are arguments.
 *
 * "types" lists, by name, every TypeId below ns3::gridftp with its parent, whether it can be
 * created, and what it adds itself: of an attribute name, help, default and the checker's type and
 * range, of a trace source name, help and callback.
 */

#include "gridftp-json-writer.h"
#include "gridftp-program.h"

#include "ns3/type-id.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;
using ns3::gridftp::JsonWriter;

namespace
{

constexpr std::string_view PREFIX = "ns3::gridftp::";

void
WriteAttribute(JsonWriter& json, const TypeId::AttributeInformation& attribute)
{
    json.BeginObject().Key("name").String(attribute.name).Key("help").String(attribute.help);
    json.Key("default").String(
        attribute.originalInitialValue->SerializeToString(attribute.checker));
    json.Key("type").String(attribute.checker->GetValueTypeName());
    json.Key("allowed").String(attribute.checker->HasUnderlyingTypeInformation()
                                   ? attribute.checker->GetUnderlyingTypeInformation()
                                   : "");
    json.EndObject();
}

void
WriteTraceSource(JsonWriter& json, const TypeId::TraceSourceInformation& source)
{
    json.BeginObject().Key("name").String(source.name).Key("help").String(source.help);
    json.Key("callback").String(source.callback).EndObject();
}

void
WriteType(JsonWriter& json, const TypeId& type)
{
    json.BeginObject().Key("name").String(type.GetName());
    json.Key("parent").String(type.GetParent().GetName());
    json.Key("constructor").Bool(type.HasConstructor()).Key("attributes").BeginArray();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        WriteAttribute(json, type.GetAttribute(i));
    }
    json.EndArray().Key("trace_sources").BeginArray();
    for (std::size_t i = 0; i < type.GetTraceSourceN(); ++i)
    {
        WriteTraceSource(json, type.GetTraceSource(i));
    }
    json.EndArray().EndObject();
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc > 1)
    {
        return ns3::gridftp::Refuse(
            "gridftp-introspect",
            {"'" + std::string(argv[1]) + "' is too much; allowed: no argument"});
    }
    std::map<std::string, TypeId> types; // the order of registration is that of the linker
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetName().starts_with(PREFIX))
        {
            types.emplace(type.GetName(), type);
        }
    }
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(1).Key("types").BeginArray();
    for (const auto& [name, type] : types)
    {
        WriteType(json, type);
    }
    json.EndArray().EndObject();
    std::cout << json.GetText() << std::endl;
    return 0;
}
