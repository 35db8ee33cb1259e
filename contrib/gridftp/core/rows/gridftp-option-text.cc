/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-json-writer.h"
#include "gridftp-option.h"

#include <array>

namespace ns3::gridftp
{

namespace
{

/** Where the help of an option begins. */
constexpr size_t COLUMN = 32;

std::string_view
NameOf(OptionKind kind)
{
    constexpr std::array<std::string_view, 7>
        NAMES{"whole", "real", "switch", "choice", "name", "list", "flag"};
    return NAMES[static_cast<size_t>(kind)];
}

std::string_view
NameOf(OptionScope scope)
{
    constexpr std::array<std::string_view, 6> NAMES{"path",
                                                    "tcp",
                                                    "session",
                                                    "traffic",
                                                    "measure",
                                                    "output"};
    return NAMES[static_cast<size_t>(scope)];
}

std::string_view
UnitOf(const Option& option)
{
    constexpr std::array<std::string_view, 7>
        UNITS{"bytes", "bit/s", "s", "packets", "segments", "", ""};
    const bool number = option.kind == OptionKind::WHOLE || option.kind == OptionKind::REAL;
    return number ? UNITS[static_cast<size_t>(option.dimension)] : "";
}

/** A value as JSON, in SI numbers. */
void
WriteValue(JsonWriter& json, const Option& option, const OptionValue& value)
{
    if (const auto* whole = std::get_if<int64_t>(&value))
    {
        if (option.kind == OptionKind::CHOICE)
        {
            json.String(option.choices[static_cast<size_t>(*whole)]);
        }
        else if (option.dimension == Dimension::TIME)
        {
            json.Number(static_cast<double>(*whole) / 1e9);
        }
        else
        {
            json.Integer(*whole);
        }
    }
    else if (const auto* real = std::get_if<double>(&value))
    {
        json.Number(*real);
    }
    else if (const auto* flag = std::get_if<bool>(&value))
    {
        json.Bool(*flag);
    }
    else if (const auto* text = std::get_if<std::string>(&value))
    {
        json.String(*text);
    }
    else if (const auto* list = std::get_if<std::vector<std::string>>(&value))
    {
        json.BeginArray();
        for (const auto& item : *list)
        {
            json.String(item);
        }
        json.EndArray();
    }
}

void
WriteWords(JsonWriter& json, std::string_view key, const std::vector<std::string_view>& words)
{
    if (words.empty())
    {
        return;
    }
    json.Key(key).BeginArray();
    for (const auto word : words)
    {
        json.String(word);
    }
    json.EndArray();
}

/** Writes what an option has to do with others, for forms. */
void
WriteOthers(JsonWriter& json, const Option& option)
{
    if (!option.need.options.empty())
    {
        json.Key("needs").BeginObject();
        WriteWords(json, "options", option.need.options);
        WriteWords(json, "values", option.need.values);
        json.Key("allowed").String(option.need.allowed).EndObject();
    }
    if (option.variants.empty())
    {
        return;
    }
    json.Key("variants").BeginArray();
    for (const auto& variant : option.variants)
    {
        json.BeginObject().Key("option").String(variant.option);
        json.Key("value").String(variant.value).Key("default").String(variant.defaultText);
        WriteWords(json, "segment_choices", variant.choices);
        json.EndObject();
    }
    json.EndArray();
}

void
WriteOption(JsonWriter& json, const Option& option)
{
    json.BeginObject();
    json.Key("name").String(option.name).Key("key").String(option.key);
    json.Key("kind").String(NameOf(option.kind)).Key("unit").String(UnitOf(option));
    json.Key("scope").String(NameOf(option.scope)).Key("default").String(option.defaultText);
    if (auto value = option.Parse(option.defaultText))
    {
        json.Key("default_value");
        WriteValue(json, option, *value);
    }
    if (option.kind == OptionKind::WHOLE || option.kind == OptionKind::REAL)
    {
        json.Key("minimum");
        WriteValue(json, option, option.minimum);
        json.Key("maximum");
        WriteValue(json, option, option.maximum);
        json.Key("open_minimum").Bool(option.openMinimum);
        json.Key("open_maximum").Bool(option.openMaximum);
    }
    WriteWords(json, "choices", option.choices);
    WriteWords(json, "segment_choices", option.segmentChoices);
    if (!option.openChoice.empty())
    {
        json.Key("open_choice").String(option.openChoice);
    }
    if (option.mayBeFile)
    {
        json.Key("may_be_file").Bool(true);
    }
    if (const auto members = option.GetMembers(); !members.empty())
    {
        json.Key("members").BeginArray();
        for (const auto& member : members)
        {
            WriteOption(json, member);
        }
        json.EndArray();
    }
    json.Key("engines").String(option.engines);
    WriteWords(json, "modes", option.modes);
    WriteOthers(json, option);
    json.Key("help").String(option.help);
    json.EndObject();
}

/** The keys that a LIST with members takes, on lines of a width that terminals have. */
std::string
HelpMembers(std::span<const Option> members)
{
    constexpr size_t WIDTH = 96;
    std::string text;
    std::string line = std::string(COLUMN, ' ') + "keys:";
    for (const auto& member : members)
    {
        const std::string word =
            " " + std::string(member.name) + (&member == &members.back() ? "" : ",");
        if (line.size() + word.size() > WIDTH)
        {
            text += line + "\n";
            line = std::string(COLUMN, ' ') + "     ";
        }
        line += word;
    }
    return text + line + "\n";
}

std::string
HelpLine(const Option& option)
{
    std::string line = "  --" + std::string(option.name);
    if (option.kind != OptionKind::FLAG)
    {
        line += "=" + std::string(option.placeholder);
    }
    line += line.size() + 2 > COLUMN ? "\n" + std::string(COLUMN, ' ')
                                     : std::string(COLUMN - line.size(), ' ');
    line += option.help;
    if (!option.defaultText.empty())
    {
        line += " [" + std::string(option.defaultText) + "]";
    }
    const auto members = option.GetMembers();
    return line + "\n" + (members.empty() ? "" : HelpMembers(members));
}

} // namespace

void
WriteOptions(JsonWriter& json, std::span<const Option> table)
{
    json.Key("options").BeginArray();
    for (const auto& option : table)
    {
        WriteOption(json, option);
    }
    json.EndArray();
}

std::string
OptionsHelp(std::span<const Option> table)
{
    constexpr std::array<std::string_view, 6> TITLES{"The path",
                                                     "TCP",
                                                     "The session",
                                                     "Traffic and faults",
                                                     "The run",
                                                     "Output"};
    std::string text;
    for (size_t scope = 0; scope < TITLES.size(); ++scope)
    {
        std::string lines;
        for (const auto& option : table)
        {
            if (option.scope == static_cast<OptionScope>(scope))
            {
                lines += HelpLine(option);
            }
        }
        if (!lines.empty())
        {
            text += std::string(TITLES[scope]) + ":\n" + lines + "\n";
        }
    }
    return text;
}

void
WriteOptionValues(JsonWriter& json,
                  std::span<const Option> table,
                  OptionScope scope,
                  const void* spec)
{
    for (const auto& option : table)
    {
        if (option.scope == scope)
        {
            json.Key(option.key);
            WriteValue(json, option, option.binding.get(spec));
        }
    }
}

} // namespace ns3::gridftp
