/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-tools.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-data-channel-sizing.h"
#include "gridftp-file-set.h"
#include "gridftp-option-row.h"
#include "gridftp-option-session.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-text.h"
#include "gridftp-tool-kind.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <variant>

namespace ns3::gridftp
{

namespace
{

/** Texts that rows keep views of. @param text one of them @return it, for good */
std::string_view
Keep(std::string text)
{
    static std::deque<std::string> kept;
    return kept.emplace_back(std::move(text));
}

/** The names of the tools that take a parameter. */
std::string
NameTools(const ToolParameter& parameter)
{
    std::vector<std::string_view> names;
    for (const auto& kind : GetToolKinds())
    {
        if (kind.Takes(parameter))
        {
            names.push_back(kind.name);
        }
    }
    return Join(names, ", ");
}

/** A word or a number, as the session's table of a tool's numbers has it. */
OptionBinding
Bind(const ToolParameter& parameter)
{
    OptionBinding binding;
    binding.set = [&parameter](void* spec, const OptionValue& value) {
        const auto* whole = std::get_if<int64_t>(&value);
        static_cast<SessionSpec*>(spec)->toolValues.Set(parameter.name,
                                                        whole ? static_cast<double>(*whole)
                                                              : *std::get_if<double>(&value));
    };
    binding.get = [&parameter](const void* spec) {
        const auto& values = static_cast<const SessionSpec*>(spec)->toolValues;
        return parameter.isReal ? OptionValue(parameter.Of(values))
                                : OptionValue(parameter.CountOf(values));
    };
    return binding;
}

/** The row of a parameter that a tool declares. */
Option
ParameterRow(const ToolParameter& p)
{
    const auto scope = OptionScope::SESSION;
    const auto name = Keep("tool-" + std::string(p.name));
    const auto key = Keep("tool_" + std::string(p.key));
    const auto help = Keep(NameTools(p) + ": " + std::string(p.help));
    if (!p.choices.empty())
    {
        const std::vector<std::string_view> words(p.choices.begin(), p.choices.end());
        const auto shown = Keep(Join(words, "|"));
        const auto kind = OptionKind::CHOICE;
        return WordRow(kind, name, key, scope, p.defaultText, shown, words, Bind(p), help);
    }
    if (p.isReal)
    {
        const RealRange range{p.minimum, p.maximum, false, false};
        return RealRow(name, key, scope, p.defaultText, range, Bind(p), help);
    }
    const WholeRange range{static_cast<int64_t>(p.minimum), static_cast<int64_t>(p.maximum)};
    return WholeRow(name, key, scope, p.dimension, p.defaultText, range, Bind(p), help);
}

/** The options of GridFTP alone that have to be left as they are, where another tool moves the
 * file. */
constexpr std::string_view GRIDFTP_ALONE[]{
    "stripes",    "stripe-tuning", "data-channels", "pipelining",       "files",
    "file-sizes", "repeat-for",    "source-depth",  "sink-depth",       "processing",
    "cpu-rate",   "protection",    "request-cpu",   "server-host",      "server-memory",
    "retries",    "restart",       "stall-timeout", "control-security", "data-security",
    "read-rate",  "write-rate",    "send-pool",     "start-jitter",     "keepalive",
    "min-rate",   "checksum"};

/** The first of the options of GridFTP that is not as it is by default. @return it, or null */
const Option*
FindForeign(const SessionSpec& session)
{
    static const SessionSpec plain = [] {
        SessionSpec made;
        for (const Option& row : GetFlatSessionRows())
        {
            if (std::ranges::find(GRIDFTP_ALONE, row.name) != std::end(GRIDFTP_ALONE))
            {
                row.binding.set(&made, *row.Parse(row.defaultText));
            }
        }
        return made;
    }();
    for (const auto name : GRIDFTP_ALONE)
    {
        const Option* row = FindOption(GetFlatSessionRows(), name);
        if (row->binding.get(&session) != row->binding.get(&plain))
        {
            return row;
        }
    }
    return nullptr;
}

} // namespace

void
AddToolRows(std::vector<Option>& rows)
{
    rows.push_back(WordRow(OptionKind::NAME,
                           "tool",
                           "tool",
                           OptionScope::SESSION,
                           GetToolKinds().front().name,
                           "TOOL",
                           NamesOf(GetToolKinds()),
                           BindMember<&SessionSpec::tool>(),
                           "program that moves the file"));
    for (const auto* parameter : GetToolParameters())
    {
        rows.push_back(ParameterRow(*parameter));
    }
}

Done
CheckTool(const Scenario& scenario,
          const SessionSpec& session,
          const std::function<std::string(const std::string&)>& quote)
{
    if (session.tool == GRIDFTP_APPLICATION)
    {
        return std::monostate{};
    }
    const ToolKind* kind = FindToolKind(session.tool);
    const std::string with = "; allowed with tool=" + session.tool + ": ";
    const auto refuse = [&](const std::string& text, const std::string& allowed) {
        return Error{quote(Printable(text)) + " is only for GridFTP" + with + allowed};
    };
    if (session.direction == Direction::THIRD_PARTY)
    {
        return refuse("direction=third-party", "upload, download");
    }
    if (HasBothDirections(session))
    {
        return refuse("file-directions=" + session.directionsText, std::string(SAME_DIRECTION));
    }
    if (const Option* row = FindForeign(session))
    {
        return refuse(std::string(row->name) + "=" + row->Format(row->binding.get(&session)),
                      std::string(row->defaultText));
    }
    if (NeedsApplications(session.buffers.policy))
    {
        return refuse("buffers=" + session.buffers.policy, "policies that TCP applies itself");
    }
    if (!kind || !kind->IsOfDatagrams())
    {
        // It sets both buffers of its sockets by itself, which no TCP moves then
        const auto* policy = FindBufferPolicy(session.buffers.policy);
        return policy && policy->moves ? refuse("buffers=" + session.buffers.policy, "fixed")
                                       : Done(std::monostate{});
    }
    const int64_t packet =
        static_cast<int64_t>(kind->dataBytes(session.toolValues)) + DATAGRAM_HEADER_BYTES;
    if (packet > scenario.path.packetSize)
    {
        return Error{quote("tool=" + session.tool) + " makes packets of " + std::to_string(packet) +
                     " bytes; allowed: up to packet-size=" +
                     FormatWhole(scenario.path.packetSize, Dimension::BYTES)};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
