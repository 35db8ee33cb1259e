/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-tuning.h"

#include "gridftp-option-row.h"
#include "gridftp-scenario.h"
#include "gridftp-text.h"
#include "gridftp-tuning-mode.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

namespace
{

/** @return the names of the modes that take a parameter, or of those that do not */
std::vector<std::string_view>
ModesThatTake(const TuningParameter& parameter, bool take = true)
{
    std::vector<std::string_view> names;
    for (const auto& mode : GetTuningModes())
    {
        if (mode.Takes(parameter) == take)
        {
            names.push_back(mode.name);
        }
    }
    return names;
}

/** @return what a parameter's help says of the modes that take it, by the shorter of both lists */
std::string
TellModes(const TuningParameter& parameter)
{
    const auto takers = ModesThatTake(parameter);
    const auto others = ModesThatTake(parameter, false);
    const bool most = !others.empty() && others.size() < takers.size();
    return " (" + (most ? "all but " + Join(others, ", ") : Join(takers, ", ")) + ")";
}

/** A word or a number, as the session's table of numbers has it, as the option has it. */
OptionBinding
BindParameter(const TuningParameter& parameter)
{
    const bool real = parameter.choices.empty() && !parameter.IsWhole();
    OptionBinding binding;
    binding.set = [&parameter](void* spec, const OptionValue& value) {
        const auto* whole = std::get_if<int64_t>(&value);
        static_cast<SessionSpec*>(spec)->tuning.Set(parameter.name,
                                                    whole ? static_cast<double>(*whole)
                                                          : *std::get_if<double>(&value));
    };
    binding.get = [&parameter, real](const void* spec) {
        const double value = parameter.Of(static_cast<const SessionSpec*>(spec)->tuning);
        return real ? OptionValue(value) : OptionValue(static_cast<int64_t>(value));
    };
    return binding;
}

/** The row of a parameter that a tuner declares. */
Option
ParameterRow(const TuningParameter& parameter)
{
    const auto scope = OptionScope::SESSION;
    const auto& p = parameter;
    const OptionBinding binding = BindParameter(p);
    Option row;
    if (!p.choices.empty())
    {
        const std::vector<std::string_view> words(p.choices.begin(), p.choices.end());
        const auto kind = OptionKind::CHOICE;
        row = WordRow(kind, p.name, p.key, scope, p.defaultText, "", words, binding, p.help);
        row.placeholder = Join(words, "|");
    }
    else if (p.IsWhole())
    {
        const WholeRange range{static_cast<int64_t>(p.minimum), static_cast<int64_t>(p.maximum)};
        row = WholeRow(p.name, p.key, scope, p.dimension, p.defaultText, range, binding, p.help);
    }
    else
    {
        const RealRange range{p.minimum, p.maximum, p.openMinimum, p.openMaximum};
        row = RealRow(p.name, p.key, scope, p.defaultText, range, binding, p.help);
    }
    row.modes = ModesThatTake(parameter);
    if (!p.helpTellsModes)
    {
        row.help += TellModes(parameter);
    }
    return row;
}

} // namespace

void
AddTuningRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    t.push_back(WordRow(OptionKind::NAME,
                        "mode",
                        "mode",
                        scope,
                        "mi",
                        "MODE",
                        NamesOf(GetTuningModes()),
                        BindMember<&SessionSpec::mode>(),
                        "how the parallelism is tuned"));
    for (const auto* parameter : GetTuningParameters())
    {
        t.push_back(ParameterRow(*parameter));
    }
    t.push_back(WholeRow("rtt-samples",
                         "rtt_samples",
                         scope,
                         COUNT,
                         "10",
                         {1, 10000},
                         BindMember<&SessionSpec::rttSamples>(),
                         "M, command response times averaged into R"));
    t.push_back(
        WordRow(OptionKind::CHOICE,
                "tuner-window",
                "tuner_window",
                scope,
                "buffer",
                "asked|buffer",
                {"asked", "buffer"},
                BindMember<&SessionSpec::tunerWindow>(),
                "W that the tuner reads: --window, or the buffers that --buffers has made"));
}

} // namespace ns3::gridftp
