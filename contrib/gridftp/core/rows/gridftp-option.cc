/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option.h"

#include "gridftp-option-suggestion.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

std::string
JoinNames(std::span<const Option> options)
{
    constexpr size_t MOST = 400; // of what fits on a terminal
    const auto names = NamesOf(options);
    const std::string all = Join(names, ", ");
    if (all.size() <= MOST)
    {
        return all;
    }
    // Those that begin alike, as source-rate and source-seek, are told once for all of them
    const auto familyOf = [](std::string_view name) { return name.substr(0, name.find('-') + 1); };
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
    {
        const std::string_view family = familyOf(names[i]);
        const size_t first = i;
        while (!family.empty() && i + 1 < names.size() && familyOf(names[i + 1]) == family)
        {
            ++i;
        }
        text += (text.empty() ? "" : ", ") +
                (i > first ? std::string(family) + "..." : std::string(names[first]));
    }
    if (text.size() > MOST)
    {
        text.erase(text.rfind(", ", MOST));
        text += ", ... (--help lists all)";
    }
    return text;
}

template <typename T>
bool
IsOutside(const OptionValue& value, const Option& option)
{
    const T v = *std::get_if<T>(&value);
    const T low = *std::get_if<T>(&option.minimum);
    const T high = *std::get_if<T>(&option.maximum);
    return v < low || v > high || (option.openMinimum && v == low) ||
           (option.openMaximum && v == high);
}

Expected<OptionValue>
ParseChoice(std::string_view text, const Option& option)
{
    for (size_t i = 0; i < option.choices.size(); ++i)
    {
        if (option.choices[i] == text)
        {
            return OptionValue(static_cast<int64_t>(i));
        }
    }
    return Error{"is unknown"};
}

Expected<OptionValue>
ParseName(std::string_view text, const Option& option)
{
    if (text.empty())
    {
        return Error{"is empty"};
    }
    const bool isFree =
        (option.mayBeFile && IsFileName(text)) || !option.FindOpenText(text).empty();
    if (!option.choices.empty() && !isFree)
    {
        if (auto choice = ParseChoice(text, option); !choice)
        {
            return choice.GetError();
        }
    }
    return OptionValue(std::string(text));
}

Expected<OptionValue>
ParseNumber(std::string_view text, const Option& option)
{
    OptionValue value;
    if (option.kind == OptionKind::WHOLE)
    {
        const bool isNegative = *std::get_if<int64_t>(&option.minimum) < 0 && text.starts_with('-');
        auto whole = ParseWhole(text.substr(isNegative ? 1 : 0), option.dimension);
        if (!whole)
        {
            return whole.GetError();
        }
        if (isNegative && *whole == 0)
        {
            return Error{"is not a number"};
        }
        value = isNegative ? -*whole : *whole;
    }
    else
    {
        auto real = ParseReal(text);
        if (!real)
        {
            return real.GetError();
        }
        value = *real;
    }
    if (!option.IsInRange(value))
    {
        return Error{"is out of range"};
    }
    return value;
}

Error
UnknownOption(std::span<const Option> table, std::string_view name)
{
    const auto asked = AskWhetherMeant(name, NamesOf(table), "--", "");
    return Error{"--" + Printable(name) + " is unknown; " +
                 (asked.empty() ? "--help lists the options" : asked)};
}

Done
ParseArgument(std::span<const Option> table,
              std::string_view argument,
              void* request,
              OptionTarget target)
{
    if (!argument.starts_with("--") || argument.size() == 2)
    {
        return Error{"'" + Printable(argument) +
                     "' is not an option; allowed: --name=VALUE, see --help"};
    }
    const auto equals = argument.find('=');
    const auto name = argument.substr(2, equals == argument.npos ? equals : equals - 2);
    const Option* option = FindOption(table, name);
    if (!option)
    {
        return UnknownOption(table, name);
    }
    const bool hasValue = equals != argument.npos;
    if (option->kind == OptionKind::FLAG)
    {
        if (hasValue)
        {
            return Error{Printable(argument) + " takes no value; allowed: --" + std::string(name)};
        }
        option->binding.set(target(request, option->scope), OptionValue(true));
        return std::monostate{};
    }
    if (!hasValue)
    {
        return Error{"--" + std::string(name) + " lacks a value; allowed: --" + std::string(name) +
                     "=" + std::string(option->placeholder) + ", " + option->DescribeAllowed()};
    }
    const auto isControl = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
    if (std::any_of(argument.begin(), argument.end(), isControl))
    {
        return Error{Printable(argument) +
                     " has a control character; allowed: " + option->DescribeAllowed()};
    }
    auto value = option->Parse(argument.substr(equals + 1));
    if (!value)
    {
        return Error{Printable(argument) + " " + Printable(value.GetError().message) +
                     "; allowed: " + option->DescribeAllowed()};
    }
    option->binding.set(target(request, option->scope), *value);
    return std::monostate{};
}

/** Whether an argument is the name of an option whose value may be the next one. */
bool
TakesNext(std::span<const Option> table, std::string_view argument)
{
    const Option* option =
        argument.starts_with("--") ? FindOption(table, argument.substr(2)) : nullptr;
    return option && option->kind == OptionKind::LIST;
}

} // namespace

bool
IsFileName(std::string_view text)
{
    return text.find_first_of("./") != text.npos;
}

Expected<OptionValue>
Option::Parse(std::string_view text) const
{
    switch (kind)
    {
    case OptionKind::WHOLE:
    case OptionKind::REAL:
        return ParseNumber(text, *this);
    case OptionKind::SWITCH:
        if (text == "on" || text == "off")
        {
            return OptionValue(text == "on");
        }
        return Error{"is unknown"};
    case OptionKind::CHOICE:
        return ParseChoice(text, *this);
    case OptionKind::NAME:
        return ParseName(text, *this);
    case OptionKind::LIST:
        if (text.empty())
        {
            return Error{"is empty"};
        }
        return OptionValue(std::vector<std::string>{std::string(text)});
    case OptionKind::FLAG:
        break;
    }
    return Error{"takes no value"};
}

std::string_view
Option::FindOpenText(std::string_view text) const
{
    const bool opens = !openChoice.empty() && text.starts_with(openChoice) &&
                       text.substr(openChoice.size()).starts_with(':');
    return opens ? text.substr(openChoice.size() + 1) : "";
}

Done
Option::CheckSegmentChoice(std::string_view word) const
{
    if (!segmentChoices.empty() && std::ranges::find(segmentChoices, word) == segmentChoices.end())
    {
        return Error{Join(segmentChoices, ", ")};
    }
    return std::monostate{};
}

bool
Option::IsInRange(const OptionValue& value) const
{
    return kind == OptionKind::WHOLE ? !IsOutside<int64_t>(value, *this)
                                     : !IsOutside<double>(value, *this);
}

bool
Option::IsForMode(std::string_view mode) const
{
    return modes.empty() || std::ranges::find(modes, mode) != modes.end();
}

std::span<const Option>
Option::GetMembers() const
{
    return findMembers ? findMembers() : std::span<const Option>{};
}

std::string
Option::DescribeAllowed() const
{
    switch (kind)
    {
    case OptionKind::WHOLE:
    case OptionKind::REAL:
        return std::string(DescribeDimension(dimension)) + (openMinimum ? ", above " : ", ") +
               Format(minimum) + (openMaximum ? " to below " : " to ") + Format(maximum);
    case OptionKind::SWITCH:
        return "on, off";
    case OptionKind::CHOICE:
        return Join(choices, ", ");
    case OptionKind::NAME:
        return choices.empty()
                   ? std::string(placeholder)
                   : Join(choices, ", ") +
                         (mayBeFile ? ", or a file with a . or / in its name" : "") +
                         (openChoice.empty() ? "" : ", or " + std::string(openChoice) + ":TEXT");
    case OptionKind::LIST:
        return findMembers ? "the keys " + JoinNames(findMembers()) : std::string(placeholder);
    case OptionKind::FLAG:
        break;
    }
    return "no value";
}

std::string
Option::Format(const OptionValue& value) const
{
    switch (kind)
    {
    case OptionKind::WHOLE:
        return FormatWhole(*std::get_if<int64_t>(&value), dimension);
    case OptionKind::REAL:
        return FormatReal(*std::get_if<double>(&value));
    case OptionKind::CHOICE:
        return std::string(choices[static_cast<size_t>(*std::get_if<int64_t>(&value))]);
    case OptionKind::NAME:
        return *std::get_if<std::string>(&value);
    case OptionKind::LIST: {
        const auto& texts = *std::get_if<std::vector<std::string>>(&value);
        return Join(std::vector<std::string_view>(texts.begin(), texts.end()), ", ");
    }
    case OptionKind::SWITCH:
    case OptionKind::FLAG:
        break;
    }
    return *std::get_if<bool>(&value) ? "on" : "off";
}

const Option*
FindOption(std::span<const Option> table, std::string_view name)
{
    const auto it = std::find_if(table.begin(), table.end(), [name](const Option& option) {
        return option.name == name;
    });
    return it == table.end() ? nullptr : &*it;
}

void
ApplyDefaults(std::span<const Option> table, void* request, OptionTarget target)
{
    for (const auto& option : table)
    {
        if (auto value = option.Parse(option.defaultText))
        {
            option.binding.set(target(request, option.scope), *value);
        }
    }
}

Done
ParseArguments(std::span<const Option> table,
               std::span<const std::string_view> arguments,
               void* request,
               OptionTarget target)
{
    for (size_t i = 0; i < arguments.size(); ++i)
    {
        std::string argument(arguments[i]);
        if (TakesNext(table, argument) && i + 1 < arguments.size() &&
            !arguments[i + 1].starts_with("--"))
        {
            argument += "=";
            argument += arguments[++i];
        }
        if (auto done = ParseArgument(table, argument, request, target); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
