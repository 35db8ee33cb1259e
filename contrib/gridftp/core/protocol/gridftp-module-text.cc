/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-module-text.h"

#include "gridftp-processing-kind.h"
#include "gridftp-quantity.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** The first word of a plain transfer. */
constexpr std::string_view PARTIAL = "P";
constexpr std::string_view ADJUSTED = "A";

/** @return a name="parameters" */
std::string
FormatCall(const ModuleCall& call)
{
    std::string text;
    const ProcessingKind* kind = FindProcessingKind(call.name);
    for (const auto* parameter : kind ? kind->parameters : decltype(kind->parameters)())
    {
        if (parameter->isSaid)
        {
            text += (text.empty() ? "" : ";") + std::string(parameter->name) + "=" +
                    FormatReal(parameter->Of(call.values));
        }
    }
    return call.name + "=\"" + text + "\"";
}

/** @return the names of the modules that ERET and ESTO may name, for a person */
std::string
ListModules(std::string_view plain)
{
    std::string names(plain);
    for (const auto& kind : GetProcessingKinds())
    {
        names += kind.map ? ", " + std::string(kind.name) : "";
    }
    return names;
}

/** Reads one name=value of a module. @return whether there is such, and it may have the value */
bool
ReadParameter(const ProcessingKind& kind, std::string_view text, NamedValues& values)
{
    const std::string_view name = TakeUntil(text, '=');
    const auto found = std::ranges::find_if(kind.parameters, [name](const auto* parameter) {
        return parameter->isSaid && parameter->name == name;
    });
    const auto value = ParseReal(text);
    if (found == kind.parameters.end() || !value || *value < (*found)->minimum ||
        *value > (*found)->maximum)
    {
        return false;
    }
    values.Set((*found)->name, *value);
    return true;
}

/** Reads what is in the quotation marks behind a module's name. */
TextResult<ModuleCall>
ReadParameters(const ProcessingKind& kind, std::string_view text)
{
    const bool isQuoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    std::string_view rest = isQuoted ? text.substr(1, text.size() - 2) : std::string_view();
    ModuleCall call{.name = std::string(kind.name)};
    bool isRead = isQuoted;
    while (isRead && !rest.empty())
    {
        isRead = ReadParameter(kind, TakeUntil(rest, ';'), call.values);
    }
    for (const auto* parameter : kind.parameters)
    {
        // What 0 is no value of has to be given
        isRead = isRead && (!parameter->isSaid || parameter->Of(call.values) >= parameter->minimum);
    }
    if (!isRead)
    {
        return MakeTextError(501,
                             "Parameters of module " + std::string(kind.name),
                             text,
                             "like " + FormatCall({std::string(kind.name), {{"ratio", 0.5}}}) +
                                 " expected.");
    }
    return call;
}

/** Takes the first word of an argument. @param rest the argument; what is behind the word is left
 * @param plain the word of a plain transfer */
TextResult<ModuleCall>
TakeModule(std::string_view& rest, std::string_view plain)
{
    const std::string_view word = TakeUntil(rest, ' ');
    if (EqualNoCase(word, plain))
    {
        return ModuleCall();
    }
    std::string_view parameters = word;
    const std::string_view name = TakeUntil(parameters, '=');
    const ProcessingKind* kind = FindProcessingKind(name);
    if (kind && kind->map)
    {
        return ReadParameters(*kind, parameters);
    }
    return MakeTextError(name.empty() ? 501 : 504,
                         "Module",
                         name,
                         "not known, only " + ListModules(plain) + ".");
}

} // namespace

ModuleCall
GetModuleOf(const ProcessingSpec& spec, bool receives)
{
    return spec.HasModule(receives) ? ModuleCall{spec.module, spec.values} : ModuleCall();
}

uint64_t
GetOutputBytes(const ModuleCall& module, uint64_t fileBytes)
{
    const ProcessingKind* kind = FindProcessingKind(module.name);
    return kind && kind->map ? kind->map(module.values, fileBytes).ToOutput(fileBytes) : fileBytes;
}

std::string
FormatRetrieve(const RetrieveOrder& order)
{
    const std::string plain = FormatPartialRetrieve(order.part);
    return order.module ? FormatCall(order.module) + plain.substr(PARTIAL.size()) : plain;
}

TextResult<RetrieveOrder>
ParseRetrieve(std::string_view argument)
{
    std::string_view rest = argument;
    const auto module = TakeModule(rest, PARTIAL);
    if (!module)
    {
        return module.GetError();
    }
    const auto part = ParsePartialRetrieve(std::string(PARTIAL) + " " + std::string(rest));
    if (!part)
    {
        return part.GetError();
    }
    return RetrieveOrder{*module, *part};
}

std::string
FormatStore(const StoreOrder& order)
{
    const std::string plain = FormatAdjustedStore(order.place);
    return order.module ? FormatCall(order.module) + plain.substr(ADJUSTED.size()) : plain;
}

TextResult<StoreOrder>
ParseStore(std::string_view argument)
{
    std::string_view rest = argument;
    const auto module = TakeModule(rest, ADJUSTED);
    if (!module)
    {
        return module.GetError();
    }
    const auto place = ParseAdjustedStore(std::string(ADJUSTED) + " " + std::string(rest));
    if (!place)
    {
        return place.GetError();
    }
    return StoreOrder{*module, *place};
}

} // namespace ns3::gridftp
