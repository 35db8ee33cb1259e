/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-row.h"

#include <utility>

namespace ns3::gridftp
{

Option
WholeRow(std::string_view name,
         std::string_view key,
         OptionScope scope,
         Dimension dimension,
         std::string_view defaultText,
         WholeRange range,
         OptionBinding binding,
         std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = OptionKind::WHOLE;
    option.dimension = dimension;
    option.scope = scope;
    option.defaultText = defaultText;
    option.minimum = range.minimum;
    option.maximum = range.maximum;
    option.engines = BOTH_ENGINES;
    option.help = help;
    option.binding = binding;
    switch (dimension)
    {
    case Dimension::BYTES:
        option.placeholder = "SIZE";
        break;
    case Dimension::RATE:
        option.placeholder = "RATE";
        break;
    case Dimension::TIME:
        option.placeholder = "TIME";
        break;
    default:
        option.placeholder = "N";
    }
    return option;
}

Option
RealRow(std::string_view name,
        std::string_view key,
        OptionScope scope,
        std::string_view defaultText,
        RealRange range,
        OptionBinding binding,
        std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = OptionKind::REAL;
    option.dimension = Dimension::REAL;
    option.scope = scope;
    option.defaultText = defaultText;
    option.minimum = range.minimum;
    option.maximum = range.maximum;
    option.openMinimum = range.openMinimum;
    option.openMaximum = range.openMaximum;
    option.placeholder = "X";
    option.engines = BOTH_ENGINES;
    option.help = help;
    option.binding = binding;
    return option;
}

Option
WordRow(OptionKind kind,
        std::string_view name,
        std::string_view key,
        OptionScope scope,
        std::string_view defaultText,
        std::string_view placeholder,
        std::vector<std::string_view> choices,
        OptionBinding binding,
        std::string_view help)
{
    Option option;
    option.name = name;
    option.key = key;
    option.kind = kind;
    option.scope = scope;
    option.defaultText = defaultText;
    option.placeholder = placeholder;
    option.choices = std::move(choices);
    option.engines = BOTH_ENGINES;
    option.help = help;
    option.binding = binding;
    return option;
}

Option
KnownTo(std::string_view engines, Option option)
{
    option.engines = engines;
    return option;
}

} // namespace ns3::gridftp
