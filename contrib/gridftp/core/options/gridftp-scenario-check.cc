/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario-check.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-congestion-control.h"
#include "gridftp-data-channel-sizing.h"
#include "gridftp-file-sizes.h"
#include "gridftp-host-file.h"
#include "gridftp-option-directions.h"
#include "gridftp-option-path.h"
#include "gridftp-option-pipelining.h"
#include "gridftp-option-processing.h"
#include "gridftp-option-reliability.h"
#include "gridftp-option-security.h"
#include "gridftp-option-session.h"
#include "gridftp-option-storage.h"
#include "gridftp-option-table.h"
#include "gridftp-option-tcp.h"
#include "gridftp-option-tools.h"
#include "gridftp-option-tuning.h"
#include "gridftp-processing-kind.h"
#include "gridftp-stripes.h"
#include "gridftp-text.h"
#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <functional>

namespace ns3::gridftp
{

namespace
{

/** "name=VALUE" as a person would write it. */
std::string
Quote(std::string_view name, int64_t value)
{
    return std::string(name) + "=" + GetOption(name).Format(value);
}

/** The same of the session at an index: the first one is given flat. */
std::string
Quote(size_t index, const std::string& text)
{
    return index == 0 ? "--" + text : "--session '" + Printable(text) + "'";
}

/** The same of a background connection. */
std::string
QuoteBackground(const std::string& text)
{
    return "--background '" + Printable(text) + "'";
}

/** A window holds a segment. */
Done
CheckWindow(const Scenario& scenario, const TcpSpec& tcp, int64_t window, const std::string& shown)
{
    const int64_t segment = SegmentBytesFor(scenario.path.packetSize, tcp.timestamps);
    if (window < segment)
    {
        return Error{shown + " is below one segment; allowed with these packets: at least " +
                     FormatWhole(segment, Dimension::BYTES)};
    }
    return std::monostate{};
}

/** A buffer that moves begins below its limit. */
Done
CheckBuffers(const BufferSpec& buffers, const std::string& shown)
{
    const BufferPolicyKind* policy = FindBufferPolicy(buffers.policy);
    if (policy && policy->moves && buffers.most < buffers.window)
    {
        return Error{shown + " is below window=" + FormatWhole(buffers.window, Dimension::BYTES) +
                     ", where buffers=" + buffers.policy +
                     " begins; allowed: at least that window"};
    }
    return std::monostate{};
}

/** SBUF on the control connection is of one data connection, and all must be there already. */
Done
CheckSizing(const SessionSpec& session, const std::string& shown)
{
    const BufferPolicyKind* policy = FindBufferPolicy(session.buffers.policy);
    if (!policy || policy->channel != SizingChannel::CONTROL)
    {
        return std::monostate{};
    }
    const TuningMode* mode = FindTuningMode(session.mode);
    const auto& parallelism = PARALLELISM;
    if (!mode || !mode->Takes(parallelism) || parallelism.Of(session.tuning) != 1)
    {
        return Error{
            shown +
            " needs a single data connection; allowed with it: --mode=fixed --parallelism=1"};
    }
    return std::monostate{};
}

/** One alone says how large send buffers are. */
Done
CheckPool(const BufferSpec& buffers, const std::string& shown)
{
    if (buffers.sendPool > 0 && buffers.sendBuffer > 0)
    {
        return Error{shown + " sizes the same buffers as send-buffer=" +
                     FormatWhole(buffers.sendBuffer, Dimension::BYTES) +
                     "; allowed: one of the two"};
    }
    if (buffers.sendPool > 0 && NeedsApplications(buffers.policy))
    {
        return Error{shown + " sizes the same buffers as buffers=" + buffers.policy +
                     "; allowed: one of the two"};
    }
    return std::monostate{};
}

/** SBUFs on data connections have to fit into buffers before they are sized. */
Done
CheckDataSizing(const BufferSpec& buffers,
                const std::function<std::string(const std::string&)>& quote)
{
    const BufferPolicyKind* policy = FindBufferPolicy(buffers.policy);
    if (!policy || policy->channel != SizingChannel::DATA)
    {
        return std::monostate{};
    }
    constexpr auto LEAST = static_cast<int64_t>(LEAST_DATA_SIZING_BUFFER);
    const bool isGiven = buffers.sendBuffer > 0;
    const bool isSmall = isGiven && buffers.sendBuffer < LEAST;
    if (!isSmall && buffers.window >= LEAST)
    {
        return std::monostate{};
    }
    const std::string shown =
        isSmall ? Quote("send-buffer", buffers.sendBuffer) : Quote("window", buffers.window);
    return Error{quote(shown) + " is too small for the SBUFs that buffers=" + buffers.policy +
                 " sends; allowed with it: at least " + FormatWhole(LEAST, Dimension::BYTES)};
}

/** @return the congestion control of the registry whose name is this but for a slip; or empty */
std::string_view
FindSlip(std::string_view tcp)
{
    const auto isMeant = [tcp](const auto& control) {
        return CountEdits(tcp, control.name) < 2 &&
               CountEdits(tcp.substr(0, 1), control.name.substr(0, 1)) == 0;
    };
    const auto found = std::ranges::find_if(GetCongestionControls(), isMeant);
    return found == GetCongestionControls().end() ? std::string_view() : found->name;
}

/** Engine segment has the congestion controls of the registry; engine ns3 has ns-3's, too. */
Done
CheckTcp(const Scenario& scenario, TcpStack stack, std::string_view tcp, const std::string& shown)
{
    const auto choices = GetTcpChoices(stack);
    if (scenario.measure.engine == Engine::SEGMENT && stack == TcpStack::LINUX &&
        std::ranges::find(choices, tcp) == choices.end())
    {
        return Error{shown + " is not for --stack=linux; allowed with it: " + Join(choices, ", ")};
    }
    const auto known = GetOption("tcp").CheckSegmentChoice(tcp);
    if (scenario.measure.engine == Engine::SEGMENT && stack == TcpStack::CLASSIC && !known)
    {
        if (const auto meant = FindSlip(tcp); !meant.empty())
        {
            return Error{shown + " is unknown; did you mean '" + std::string(meant) + "'?"};
        }
        return Error{shown +
                     " is not for --engine=segment; allowed there: " + known.GetError().message +
                     " (--engine=ns3 has all of ns-3's, by TypeId, such as ns3::TcpBbr)"};
    }
    return std::monostate{};
}

/** A path is the bottleneck and something more. */
Done
CheckDelay(const Scenario& scenario, int64_t delay, const std::string& shown)
{
    if (delay < scenario.path.delay)
    {
        return Error{shown + " is below --" + Quote("delay", scenario.path.delay) +
                     "; allowed: at least the bottleneck's"};
    }
    return std::monostate{};
}

/** A server that is shared sends, and all of it is shared; one that allocates memory is alone. */
Done
CheckServer(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    const SessionSpec& first = scenario.sessions.front();
    if (session.serverMemory > 0 && session.direction == Direction::THIRD_PARTY)
    {
        return Error{Quote(index, Quote("server-memory", session.serverMemory)) +
                     " needs an upload or download; allowed with it: direction upload or download"};
    }
    if (session.server != ServerHost::SHARED)
    {
        return std::monostate{};
    }
    const std::string shown =
        Quote(index, Quote("server-host", static_cast<int64_t>(session.server)));
    if (session.direction != Direction::DOWNLOAD || session.stripes.IsStriped())
    {
        return Error{
            shown + " needs a server that sends; allowed with it: direction=download, stripes=1x1"};
    }
    const StorageSpec& own = session.buffers.source;
    const StorageSpec& of = first.buffers.source;
    if (first.direction != Direction::DOWNLOAD)
    {
        return Error{shown + " uses the first session's server, which receives an upload; allowed "
                             "with it: --direction=download"};
    }
    const bool isSame = own.kind == of.kind && own.depth == of.depth && own.values == of.values;
    if (!isSame || first.stripes.IsStriped() || session.buffers.sendPool > 0)
    {
        return Error{shown + " uses the first session's server; allowed with it: the first "
                             "session's source, without stripes, send-pool=0B"};
    }
    return std::monostate{};
}

/** Stripes are of as many connections as a host may have, and of buffers that TCP sizes. */
Done
CheckStripes(const SessionSpec& session,
             const std::function<std::string(const std::string&)>& quote)
{
    if (!session.stripes.IsStriped())
    {
        return std::monostate{};
    }
    const std::string shown = quote(Printable("stripes=" + session.stripesText));
    if (NeedsApplications(session.buffers.policy))
    {
        return Error{shown + " needs buffers that TCP sizes; allowed with it: not buffers=" +
                     session.buffers.policy};
    }
    if (IsTunedByPair(session) && GetPairs(session.stripes) > StripeCounts::MOST_TUNED_PAIRS)
    {
        return Error{shown + " has " + std::to_string(GetPairs(session.stripes)) +
                     " pairs of stripes; allowed with stripe-tuning=each: up to " +
                     std::to_string(StripeCounts::MOST_TUNED_PAIRS)};
    }
    constexpr auto MOST = static_cast<int64_t>(MOST_CONNECTIONS);
    const int64_t most = MOST / GetPairsOfHost(session.stripes);
    const TuningMode* mode = FindTuningMode(session.mode);
    const auto& parallelism = mode && mode->Takes(PARALLELISM) ? PARALLELISM : MAX_PARALLELISM;
    if (parallelism.CountOf(session.tuning) > most)
    {
        return Error{shown + " gives a host more than " + std::to_string(MOST) +
                     " data connections; allowed with it: " + std::string(parallelism.name) +
                     " 1 to " + std::to_string(most)};
    }
    return std::monostate{};
}

Done
CheckSession(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    const auto quote = [index](const std::string& text) { return Quote(index, text); };
    if (auto done = CheckWindow(scenario,
                                session.hostTcp,
                                session.buffers.window,
                                quote(Quote("window", session.buffers.window)));
        !done)
    {
        return done;
    }
    if (auto done = CheckBuffers(session.buffers, quote(Quote("max-buffer", session.buffers.most)));
        !done)
    {
        return done;
    }
    if (auto done = CheckSizing(session, quote(Printable("buffers=" + session.buffers.policy)));
        !done)
    {
        return done;
    }
    if (auto done = CheckPool(session.buffers, quote(Quote("send-pool", session.buffers.sendPool)));
        !done)
    {
        return done;
    }
    if (auto done = CheckDataSizing(session.buffers, quote); !done)
    {
        return done;
    }
    if (auto done = CheckStorages(session.buffers, quote); !done)
    {
        return done;
    }
    if (auto done = CheckProcessing(session, quote); !done)
    {
        return done;
    }
    if (auto done = CheckDelay(scenario, session.delay, quote(Quote("delay", session.delay)));
        !done)
    {
        return done;
    }
    if (auto done = CheckTcp(scenario,
                             session.hostTcp.stack,
                             session.tcp,
                             quote(Printable("tcp=" + session.tcp)));
        !done)
    {
        return done;
    }
    if (auto done = CheckStackBuffers(session.hostTcp.stack, session.buffers, quote); !done)
    {
        return done;
    }
    if (auto done = CheckStripes(session, quote); !done)
    {
        return done;
    }
    if (auto done = CheckServer(scenario, index); !done)
    {
        return done;
    }
    const bool holdsPackets =
        session.buffers.sender.HoldsPackets() || session.buffers.receiver.HoldsPackets();
    if (holdsPackets && scenario.measure.links == LinkKind::NS3)
    {
        return Error{std::string("--links=ns3 does not support hosts whose packets wait or take "
                                 "CPU time; allowed with them: --links=lean")};
    }
    for (const auto check :
         {&CheckHostFiles, &CheckSecurity, &CheckRetries, &CheckKeepalive, &CheckTuning})
    {
        if (auto done = check(session, quote); !done)
        {
            return done;
        }
    }
    if (auto done = CheckTool(scenario, session, quote); !done)
    {
        return done;
    }
    for (const auto check : {&CheckPipelining, &CheckDirections})
    {
        if (auto done = check(scenario, index, quote); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

Done
CheckBackground(const Scenario& scenario, const BackgroundSpec& background)
{
    const auto quote = [](const std::string& text) { return QuoteBackground(text); };
    if (auto done = CheckWindow(scenario,
                                background.hostTcp,
                                background.buffers.window,
                                quote(Quote("window", background.buffers.window)));
        !done)
    {
        return done;
    }
    if (NeedsApplications(background.buffers.policy))
    {
        return Error{quote("buffers=" + background.buffers.policy) +
                     " needs applications that exchange SBUF, and this is plain TCP; allowed: "
                     "policies that TCP applies itself"};
    }
    if (auto done =
            CheckBuffers(background.buffers, quote(Quote("max-buffer", background.buffers.most)));
        !done)
    {
        return done;
    }
    if (auto done = CheckDelay(scenario, background.delay, quote(Quote("delay", background.delay)));
        !done)
    {
        return done;
    }
    if (auto done = CheckTcp(scenario,
                             background.hostTcp.stack,
                             background.tcp,
                             quote("tcp=" + background.tcp));
        !done)
    {
        return done;
    }
    if (auto done = CheckStackBuffers(background.hostTcp.stack, background.buffers, quote); !done)
    {
        return done;
    }
    if (background.stop != 0 && background.stop <= background.start)
    {
        return Error{quote("stop=" + FormatWhole(background.stop, Dimension::TIME)) +
                     " is not after start=" + FormatWhole(background.start, Dimension::TIME) +
                     "; allowed: a later time, or 0s for the end of the last session"};
    }
    return std::monostate{};
}

/** Fills in the delays and rates that are not given. */
void
ResolveOwnPaths(Scenario& scenario)
{
    for (auto& session : scenario.sessions)
    {
        session.delay = session.delay == 0 ? scenario.path.delay : session.delay;
        session.accessBandwidth =
            session.accessBandwidth == 0 ? scenario.path.accessBandwidth : session.accessBandwidth;
        session.clientDelay =
            session.clientDelay < 0 ? scenario.path.accessDelay : session.clientDelay;
    }
    for (auto& background : scenario.background)
    {
        background.delay = background.delay == 0 ? scenario.path.delay : background.delay;
    }
}

/** Reads how many stripes each session has. */
Done
ResolveStripes(Scenario& scenario)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        SessionSpec& session = scenario.sessions[i];
        std::string& text = session.stripesText;
        const auto stripes = text.empty() ? StripeCounts() : ParseStripes(text);
        if (!stripes)
        {
            return Error{Quote(i, Printable("stripes=" + text)) +
                         " is not MxN; allowed: M and N from 1 to " +
                         std::to_string(StripeCounts::MOST) + ", as in 4x4"};
        }
        session.stripes = *stripes;
        text = FormatStripes(*stripes);
    }
    return std::monostate{};
}

/** What sessions and background connections have to be like, each and together. */
Done
CheckTraffic(const Scenario& scenario)
{
    const size_t pairs = scenario.sessions.size() + scenario.background.size();
    if (scenario.sessions.empty() || pairs > static_cast<size_t>(MOST_PAIRS))
    {
        return Error{"--session, --arrivals and --background add up to " + std::to_string(pairs) +
                     "; allowed: 1 session to " + std::to_string(MOST_PAIRS) +
                     " sessions and background connections together"};
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        if (auto checked = CheckSession(scenario, i); !checked)
        {
            return checked;
        }
    }
    if (auto checked = CheckExternalSelf(scenario); !checked)
    {
        return checked;
    }
    for (const auto& background : scenario.background)
    {
        if (auto checked = CheckBackground(scenario, background); !checked)
        {
            return checked;
        }
    }
    for (const auto& fault : scenario.faults)
    {
        if (auto checked = CheckFault(scenario, fault); !checked)
        {
            return checked;
        }
    }
    return std::monostate{};
}

/** @param tcp of hosts @param all the first session's @param quote shows "name=VALUE" as it is
 * given
 * @return nothing, or which option differs */
Done
CheckSameTcp(const TcpSpec& tcp,
             const TcpSpec& all,
             const std::function<std::string(const std::string&)>& quote)
{
    for (const Option& row : GetTcpRows())
    {
        const auto value = row.binding.get(&tcp);
        if (const auto usual = row.binding.get(&all); value != usual)
        {
            return Error{quote(std::string(row.name) + "=" + row.Format(value)) +
                         " is not for --engine=ns3, where all hosts have one TCP; allowed there: " +
                         row.Format(usual)};
        }
    }
    return std::monostate{};
}

/** Engine ns3 has the TCP of the first session on all hosts. */
Done
CheckOneTcp(const Scenario& scenario)
{
    if (scenario.measure.engine != Engine::NS3)
    {
        return std::monostate{};
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const auto quote = [i](const std::string& text) { return Quote(i, text); };
        if (auto done = CheckSameTcp(scenario.sessions[i].hostTcp, scenario.tcp, quote); !done)
        {
            return done;
        }
    }
    for (const BackgroundSpec& background : scenario.background)
    {
        if (auto done = CheckSameTcp(background.hostTcp, scenario.tcp, QuoteBackground); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

} // namespace

Expected<Scenario>
ResolveScenario(Scenario scenario)
{
    auto& path = scenario.path;
    const TcpRules rules = scenario.tcp.rules;
    scenario.tcp = scenario.sessions.front().hostTcp;
    scenario.tcp.rules = rules;
    ResolveReverse(path);
    if (path.accessBandwidth == 0)
    {
        constexpr int64_t LEAST = 10'000'000'000;
        path.accessBandwidth =
            std::max(LEAST, 10 * std::max(path.bandwidth, path.reverseBandwidth));
    }
    if (auto checked = CheckPath(scenario); !checked)
    {
        return checked.GetError();
    }
    ResolveOwnPaths(scenario);
    if (auto resolved = ResolveStripes(scenario); !resolved)
    {
        return resolved.GetError();
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const auto quote = [i](const std::string& text) { return Quote(i, text); };
        if (auto resolved = ResolveDirections(scenario.sessions[i], quote); !resolved)
        {
            return resolved.GetError();
        }
    }
    if (auto resolved = ResolveSharedFiles(scenario); !resolved)
    {
        return resolved.GetError();
    }
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const auto quote = [i](const std::string& text) { return Quote(i, text); };
        if (auto resolved = ResolveRestart(scenario.sessions[i], quote); !resolved)
        {
            return resolved.GetError();
        }
        ResolveProcessing(scenario.sessions[i]);
    }
    if (auto checked = CheckTraffic(scenario); !checked)
    {
        return checked.GetError();
    }
    const Engine engine = scenario.measure.engine;
    if (auto checked = CheckEngine(engine, OptionScope::TCP, &scenario.tcp); !checked)
    {
        return checked.GetError();
    }
    if (auto checked = CheckOneTcp(scenario); !checked)
    {
        return checked.GetError();
    }
    if (auto checked = CheckEngine(engine, OptionScope::MEASURE, &scenario.measure); !checked)
    {
        return checked.GetError();
    }
    return scenario;
}

} // namespace ns3::gridftp
