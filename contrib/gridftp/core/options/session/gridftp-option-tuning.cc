/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-tuning.h"

#include "gridftp-option-row.h"
#include "gridftp-scenario.h"
#include "gridftp-text.h"
#include "gridftp-tuning-by-hand.h"
#include "gridftp-tuning-mode.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

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

/** The row of the mode; with what stands behind one that asks a program, it says which. */
void
AddModeRow(std::vector<Option>& t)
{
    Option row = WordRow(OptionKind::NAME,
                         "mode",
                         "mode",
                         OptionScope::SESSION,
                         "mi",
                         "MODE",
                         NamesOf(GetTuningModes()),
                         {},
                         "how the parallelism is tuned");
    for (const auto& mode : GetTuningModes())
    {
        row.openChoice = mode.IsExternal() ? mode.name : row.openChoice;
    }
    Option reader; // of such a text alone
    reader.openChoice = row.openChoice;
    row.binding.set = [reader](void* spec, const OptionValue& value) {
        auto* session = static_cast<SessionSpec*>(spec);
        const auto& text = *std::get_if<std::string>(&value);
        const auto command = reader.FindOpenText(text);
        session->mode = command.empty() ? text : reader.openChoice;
        session->externalCommand = command.empty() ? session->externalCommand : command;
    };
    row.binding.get = BindMember<&SessionSpec::mode>().get;
    t.push_back(std::move(row));
}

/** N of each chunk, where that is given. */
void
AddListRow(std::vector<Option>& t)
{
    t.push_back(WordRow(OptionKind::NAME,
                        CHUNK_PARALLELISM,
                        "chunk_parallelism",
                        OptionScope::SESSION,
                        "1",
                        "N:N:...",
                        {},
                        BindMember<&SessionSpec::chunkParallelism>(),
                        "mode by-hand: N of each chunk; the last value repeats"));
    for (const auto& mode : GetTuningModes())
    {
        if (mode.need == TuningNeed::LIST)
        {
            t.back().modes.push_back(mode.name);
        }
    }
}

/** Which program decides, where one does. */
void
AddExternalRows(std::vector<Option>& t)
{
    constexpr int64_t MILLISECOND = 1'000'000;
    constexpr int64_t HOUR = 3'600'000 * MILLISECOND;
    t.push_back(WordRow(OptionKind::NAME,
                        "external-command",
                        "external_command",
                        OptionScope::SESSION,
                        NO_EXTERNAL,
                        "COMMAND",
                        {},
                        BindMember<&SessionSpec::externalCommand>(),
                        "mode external: the program, a shell command; -: the parent process"));
    t.push_back(WholeRow("external-timeout",
                         "external_timeout_s",
                         OptionScope::SESSION,
                         Dimension::TIME,
                         "10s",
                         {MILLISECOND, HOUR},
                         BindMember<&SessionSpec::externalTimeout>(),
                         "mode external: longest wall time for an answer"));
}

} // namespace

void
AddTuningRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    AddModeRow(t);
    for (const auto* parameter : GetTuningParameters())
    {
        t.push_back(ParameterRow(*parameter));
    }
    AddListRow(t);
    t.push_back(WholeRow("rtt-samples",
                         "rtt_samples",
                         scope,
                         COUNT,
                         "10",
                         {1, 10000},
                         BindMember<&SessionSpec::rttSamples>(),
                         "M, number of command response times whose mean is R"));
    t.push_back(
        WordRow(OptionKind::CHOICE,
                "tuner-window",
                "tuner_window",
                scope,
                "buffer",
                "asked|buffer",
                {"asked", "buffer"},
                BindMember<&SessionSpec::tunerWindow>(),
                "W that the tuner reads: --window, or the buffers as --buffers sizes them"));
    AddExternalRows(t);
}

Done
CheckTuning(const SessionSpec& session, const std::function<std::string(const std::string&)>& quote)
{
    const TuningMode* mode = FindTuningMode(session.mode);
    const double least = INITIAL_PARALLELISM.Of(session.tuning);
    const double most = MAX_PARALLELISM.Of(session.tuning);
    const bool isListed = mode && mode->need == TuningNeed::LIST;
    const auto list =
        ReadChunkParallelism(session.chunkParallelism,
                             static_cast<uint32_t>(isListed ? most : MOST_CONNECTIONS));
    if (!list)
    {
        return Error{quote("chunk-parallelism=" + Printable(session.chunkParallelism)) + " " +
                     list.GetError().message};
    }
    if (mode && mode->Takes(INITIAL_PARALLELISM) && mode->Takes(MAX_PARALLELISM) && least > most)
    {
        const auto shown = [&quote](const TuningParameter& parameter, double value) {
            return quote(std::string(parameter.name) + "=" + FormatReal(value));
        };
        return Error{shown(INITIAL_PARALLELISM, least) + " is above " +
                     shown(MAX_PARALLELISM, most) + "; allowed: at most the maximum"};
    }
    if (mode && mode->IsExternal() && session.externalCommand == NO_EXTERNAL)
    {
        return Error{quote("mode=" + session.mode) + " needs a program; allowed: " + session.mode +
                     ":COMMAND, or --external-command=COMMAND with it"};
    }
    return std::monostate{};
}

bool
UsesExternalSelf(const SessionSpec& session)
{
    const TuningMode* mode = FindTuningMode(session.mode);
    return mode && mode->IsExternal() && session.externalCommand == EXTERNAL_SELF;
}

Done
CheckExternalSelf(const Scenario& scenario)
{
    int64_t tuners = 0;
    for (const auto& session : scenario.sessions)
    {
        const int64_t own = IsTunedByPair(session) ? GetPairs(session.stripes) : 1;
        tuners += UsesExternalSelf(session) ? own : 0;
    }
    if (tuners > 1)
    {
        return Error{"--external-command=" + std::string(EXTERNAL_SELF) + " is used by " +
                     std::to_string(tuners) +
                     " tuners; allowed: one, since there is one standard input and output"};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
