/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-reliability.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-file-set.h"
#include "gridftp-option-row.h"
#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-applications.h"
#include "gridftp-text.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/** The value of --restart where nothing is there. */
constexpr std::string_view NO_RESTART = "none";

constexpr WholeRange TIMES{0, 1'000'000 * SECOND};

/** @return the words of FaultKind, in its order */
std::vector<std::string_view>
ListFaultKinds()
{
    return {"control-reset",
            "server-dies",
            "server-silent",
            "dtp-dies",
            "data-reset",
            "link-down",
            "disk-stall",
            "auth-refused",
            "control-cut",
            "reply-lost",
            "foreign-connection",
            "mtu-black-hole"};
}

/** @return whether a fault is at an end of the data, the client's, too; else at a server's PI */
bool
IsOfData(FaultKind kind)
{
    return kind == FaultKind::DTP_DIES || kind == FaultKind::DATA_RESET ||
           kind == FaultKind::DISK_STALL || kind == FaultKind::FOREIGN;
}

/** "--fault 'name=VALUE'" as a person would write it. */
std::string
Show(std::string_view name, int64_t value)
{
    const Option& row = *FindOption(GetFaultRows(), name);
    return "--fault '" + std::string(name) + "=" + row.Format(value) + "'";
}

/** The end is one of those that the session has. */
Done
CheckEnd(const SessionSpec& session, const FaultSpec& fault)
{
    const bool isThirdParty = session.direction == Direction::THIRD_PARTY;
    const bool isOfThirdParty =
        fault.server == FaultServer::RECEIVER || fault.server == FaultServer::SENDER;
    if (isThirdParty != isOfThirdParty)
    {
        const auto direction = static_cast<int64_t>(session.direction);
        return Error{Show("server", static_cast<int64_t>(fault.server)) +
                     " does not exist with direction " + GetOption("direction").Format(direction) +
                     "; allowed there: " +
                     (isThirdParty           ? "receiver, sender"
                      : IsOfData(fault.kind) ? "server, client"
                                             : "server")};
    }
    if (fault.server == FaultServer::CLIENT && !IsOfData(fault.kind))
    {
        return Error{Show("server", static_cast<int64_t>(fault.server)) + " is not for kind=" +
                     std::string(ListFaultKinds()[static_cast<size_t>(fault.kind)]) +
                     "; allowed with it: server"};
    }
    return std::monostate{};
}

/** A foreign host connects to who listens, which is the receiver of the data. */
Done
CheckListener(const SessionSpec& session, const FaultSpec& fault)
{
    if (fault.kind != FaultKind::FOREIGN || IsAtReceiver(session.direction, fault.server))
    {
        return std::monostate{};
    }
    const auto direction = static_cast<int64_t>(session.direction);
    return Error{Show("server", static_cast<int64_t>(fault.server)) +
                 " does not listen for data connections; allowed with direction " +
                 GetOption("direction").Format(direction) + ": " +
                 (session.direction == Direction::THIRD_PARTY ? "receiver"
                  : session.direction == Direction::UPLOAD    ? "server"
                                                              : "client")};
}

/** A black hole stops packets that there are. */
Done
CheckHole(const Scenario& scenario, const FaultSpec& fault)
{
    if (fault.kind == FaultKind::MTU_HOLE && fault.mtu >= scenario.path.packetSize)
    {
        return Error{Show("mtu", fault.mtu) + " lets all packets pass; allowed with packet-size=" +
                     GetOption("packet-size").Format(scenario.path.packetSize) +
                     ": less than that"};
    }
    return std::monostate{};
}

/** What is at control connections is where no host makes packets wait. */
Done
CheckCut(const SessionSpec& session, const FaultSpec& fault)
{
    const bool holdsPackets =
        session.buffers.sender.HoldsPackets() || session.buffers.receiver.HoldsPackets();
    if (fault.kind != FaultKind::CONTROL_CUT || !holdsPackets)
    {
        return std::monostate{};
    }
    return Error{Show("kind", static_cast<int64_t>(fault.kind)) +
                 " needs hosts that take no time for packets; allowed with it: "
                 "hosts without CPU costs, backlog and interrupt-delay"};
}

/** The stripe is one of those of the end, and has what the fault is at. */
Done
CheckStripe(const SessionSpec& session, const FaultSpec& fault)
{
    const bool receives = IsAtReceiver(session.direction, fault.server);
    const int64_t stripes = receives ? session.stripes.receivers : session.stripes.senders;
    if (fault.stripe >= stripes)
    {
        return Error{Show("stripe", fault.stripe) + " does not exist; allowed: 0 to " +
                     std::to_string(stripes - 1)};
    }
    const StorageSpec& storage = receives ? session.buffers.sink : session.buffers.source;
    if (fault.kind == FaultKind::DISK_STALL && !storage.IsTimed())
    {
        return Error{Show("kind", static_cast<int64_t>(fault.kind)) +
                     " needs a storage that takes time; allowed with it: --" +
                     (receives ? "sink" : "source") + "=disk or another one, not " +
                     std::string(MEMORY_STORAGE)};
    }
    return std::monostate{};
}

} // namespace

std::span<const Option>
GetFaultRows()
{
    using enum Dimension;
    constexpr auto SCOPE = OptionScope::SESSION;
    static const std::string kinds = Join(ListFaultKinds(), "|");
    static const std::vector<Option> rows{
        WordRow(OptionKind::CHOICE,
                "kind",
                "kind",
                SCOPE,
                "control-reset",
                kinds,
                ListFaultKinds(),
                BindMember<&FaultSpec::kind>(),
                "kind of the fault"),
        WholeRow("session",
                 "session",
                 SCOPE,
                 COUNT,
                 "0",
                 {0, MOST_PAIRS - 1},
                 BindMember<&FaultSpec::session>(),
                 "affected session, from 0"),
        WordRow(OptionKind::CHOICE,
                "server",
                "server",
                SCOPE,
                "server",
                "server|receiver|sender|client",
                {"server", "receiver", "sender", "client"},
                BindMember<&FaultSpec::server>(),
                "affected endpoint; receiver, sender: of a third-party transfer"),
        WholeRow("stripe",
                 "stripe",
                 SCOPE,
                 COUNT,
                 "0",
                 {0, StripeCounts::MOST - 1},
                 BindMember<&FaultSpec::stripe>(),
                 "dtp-dies, disk-stall, foreign-connection: affected stripe, from 0"),
        WholeRow("connection",
                 "connection",
                 SCOPE,
                 COUNT,
                 "0",
                 {0, 1'000'000},
                 BindMember<&FaultSpec::connection>(),
                 "data-reset: affected data connection, from 0"),
        WholeRow("at", "at_s", SCOPE, TIME, "0s", TIMES, BindMember<&FaultSpec::at>(), "when"),
        WholeRow("for",
                 "for_s",
                 SCOPE,
                 TIME,
                 "0s",
                 TIMES,
                 BindMember<&FaultSpec::duration>(),
                 "duration; 0s: forever, but a control-reset happens only once"),
        WholeRow("idle",
                 "idle_s",
                 SCOPE,
                 TIME,
                 "300s",
                 {SECOND, TIMES.maximum},
                 BindMember<&FaultSpec::idle>(),
                 "control-cut: idle time after which a middlebox forgets the connection"),
        WholeRow("mtu",
                 "mtu_bytes",
                 SCOPE,
                 BYTES,
                 "1400B",
                 {68, 65535},
                 BindMember<&FaultSpec::mtu>(),
                 "mtu-black-hole: largest IP packet that passes")};
    return rows;
}

void
AddReliabilityRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::SESSION;
    t.push_back(WholeRow("retries",
                         "retries",
                         scope,
                         COUNT,
                         "0",
                         {0, 1000},
                         BindMember<&SessionSpec::retries>(),
                         "how often the client reconnects and continues after a failure"));
    t.push_back(WholeRow("retry-wait",
                         "retry_wait_s",
                         scope,
                         TIME,
                         "5s",
                         TIMES,
                         BindMember<&SessionSpec::retryWait>(),
                         "wait before the first retry; doubles after each retry without progress"));
    t.push_back(WholeRow("retry-wait-most",
                         "retry_wait_most_s",
                         scope,
                         TIME,
                         "300s",
                         TIMES,
                         BindMember<&SessionSpec::retryWaitMost>(),
                         "longest wait before a retry"));
    t.push_back(
        WholeRow("stall-timeout",
                 "stall_timeout_s",
                 scope,
                 TIME,
                 "600s",
                 {10 * SECOND, TIMES.maximum},
                 BindMember<&SessionSpec::stallTimeout>(),
                 "longest wait without progress; a server waits four times as long for a command"));
    t.push_back(WholeRow("keepalive",
                         "keepalive_s",
                         scope,
                         TIME,
                         "0s",
                         TIMES,
                         BindMember<&SessionSpec::keepalive>(),
                         "the client sends NOOP this long after its last command; 0s: never"));
    t.push_back(WholeRow("min-rate",
                         "min_rate_bps",
                         scope,
                         RATE,
                         "0bps",
                         {0, 1'000'000'000'000},
                         BindMember<&SessionSpec::minRate>(),
                         "the client gives up a transfer below this mean rate; 0bps: never"));
    t.push_back(WholeRow("min-rate-period",
                         "min_rate_period_s",
                         scope,
                         TIME,
                         "30s",
                         {10 * SECOND, TIMES.maximum},
                         BindMember<&SessionSpec::minRatePeriod>(),
                         "period over which --min-rate is the mean"));
    t.push_back(WordRow(OptionKind::NAME,
                        "restart",
                        "restart",
                        scope,
                        NO_RESTART,
                        "none|BEGIN-END,...",
                        {},
                        BindMember<&SessionSpec::restartText>(),
                        "ranges of the file that the receiver has, as in a restart marker"));
}

Done
AddFault(Scenario& scenario, size_t /* index */, std::span<const OptionAssignment> values)
{
    FaultSpec& fault = scenario.faults.emplace_back();
    for (const auto& row : GetFaultRows())
    {
        row.binding.set(&fault, *row.Parse(row.defaultText));
    }
    bool hasDuration = false;
    for (const auto& assignment : values)
    {
        assignment.option->binding.set(&fault, assignment.value);
        hasDuration = hasDuration || assignment.option->name == "for";
    }
    if (fault.kind == FaultKind::CONTROL_RESET && !hasDuration)
    {
        fault.duration = FaultSpec::ONCE; // connections of later attempts live
    }
    return std::monostate{};
}

Done
AddFaultsOfFile(Scenario& scenario, const std::string& name, const FileReader& read)
{
    if (name.empty())
    {
        return std::monostate{};
    }
    const std::string shown = Printable("--faults=" + name);
    const auto text = read ? read(name) : Expected<std::string>(Error{"cannot be read"});
    if (!text)
    {
        return Error{shown + " " + text.GetError().message + "; allowed: a file of faults"};
    }
    size_t number = 0;
    for (size_t at = 0; at < text->size();)
    {
        const size_t end = std::min(text->find('\n', at), text->size());
        std::string_view line = std::string_view(*text).substr(at, end - at);
        at = end + 1;
        ++number;
        line = Trim(line.substr(0, line.find('#')));
        if (line.empty())
        {
            continue;
        }
        const auto values = ParseAssignments(GetOption("fault"), line);
        if (!values)
        {
            return Error{shown + " line " + std::to_string(number) + ": " +
                         values.GetError().message};
        }
        AddFault(scenario, number, *values);
    }
    return std::monostate{};
}

Done
CheckFault(const Scenario& scenario, const FaultSpec& fault)
{
    if (IsOfBottleneck(fault.kind))
    {
        return CheckHole(scenario, fault);
    }
    if (static_cast<size_t>(fault.session) >= scenario.sessions.size())
    {
        return Error{Show("session", fault.session) + " does not exist; allowed: 0 to " +
                     std::to_string(scenario.sessions.size() - 1)};
    }
    const SessionSpec& session = scenario.sessions[static_cast<size_t>(fault.session)];
    for (const auto check : {&CheckEnd, &CheckListener, &CheckCut})
    {
        if (auto done = check(session, fault); !done)
        {
            return done;
        }
    }
    const bool isOfAny = fault.kind == FaultKind::CONTROL_RESET ||
                         fault.kind == FaultKind::DATA_RESET || fault.kind == FaultKind::DISK_STALL;
    if (session.tool != GRIDFTP_APPLICATION && !isOfAny)
    {
        return Error{Show("kind", static_cast<int64_t>(fault.kind)) +
                     " is only for GridFTP; allowed with tool=" + session.tool +
                     ": control-reset, data-reset, disk-stall, link-down, mtu-black-hole"};
    }
    if (session.tool != GRIDFTP_APPLICATION && fault.kind == FaultKind::DISK_STALL &&
        fault.duration == 0)
    {
        return Error{Show("kind", static_cast<int64_t>(fault.kind)) +
                     " forever is only for GridFTP, which gives up; allowed with tool=" +
                     session.tool + ": for=TIME, above 0s"};
    }
    if (fault.kind == FaultKind::AUTH_REFUSED && !session.security.IsControlSecured())
    {
        return Error{Show("kind", static_cast<int64_t>(fault.kind)) +
                     " needs clients that authenticate; allowed with it: control-security=gsi"};
    }
    return CheckStripe(session, fault);
}

Done
CheckRetries(const SessionSpec& session,
             const std::function<std::string(const std::string&)>& quote)
{
    if (session.retries == 0 && session.restart.empty())
    {
        return std::monostate{};
    }
    const std::string shown =
        quote(session.retries > 0 ? "retries=" + GetOption("retries").Format(session.retries)
                                  : "restart=" + session.restartText);
    if (NeedsApplications(session.buffers.policy))
    {
        return Error{shown + " needs buffers that TCP sizes; allowed with it: not buffers=" +
                     session.buffers.policy};
    }
    if (IsDataSet(session))
    {
        return Error{shown + " needs a session with one file; allowed with it: files=1, "
                             "repeat-for=0s, no files-of another session"};
    }
    return std::monostate{};
}

Done
CheckKeepalive(const SessionSpec& session,
               const std::function<std::string(const std::string&)>& quote)
{
    const bool isSlow = session.minRate > 0;
    if (session.keepalive == 0 && !isSlow)
    {
        return std::monostate{};
    }
    const std::string shown =
        quote(isSlow ? "min-rate=" + GetOption("min-rate").Format(session.minRate)
                     : "keepalive=" + GetOption("keepalive").Format(session.keepalive));
    if (session.keepalive > 0 && session.keepalive < SECOND)
    {
        return Error{quote("keepalive=" + GetOption("keepalive").Format(session.keepalive)) +
                     " is too short; allowed: 0s, or 1s and more"};
    }
    if (NeedsApplications(session.buffers.policy))
    {
        return Error{shown + " needs buffers that TCP sizes; allowed with it: not buffers=" +
                     session.buffers.policy};
    }
    if (session.pipelining > 1)
    {
        return Error{
            shown +
            " needs a client that requests one transfer at a time; allowed with it: pipelining=1"};
    }
    if (isSlow && session.direction == Direction::DOWNLOAD && session.stripes.receivers > 1)
    {
        return Error{shown + " needs a client that receives all data; allowed in a download: "
                             "stripes with one receiver"};
    }
    return std::monostate{};
}

Done
ResolveRestart(SessionSpec& session, const std::function<std::string(const std::string&)>& quote)
{
    std::string& text = session.restartText;
    if (text.empty() || text == NO_RESTART)
    {
        text = NO_RESTART;
        return std::monostate{};
    }
    const auto ranges = ReadRanges(text);
    const MarkerRanges merged = ranges ? MergeRanges(*ranges) : MarkerRanges();
    const auto size = static_cast<uint64_t>(session.fileSize);
    if (!ranges || (!merged.empty() && merged.back().end > size))
    {
        return Error{quote(Printable("restart=" + text)) +
                     " is not a list of ranges of the file; allowed: none, or BEGIN-END,... as in "
                     "0-1000,2000-3000, up to " +
                     std::to_string(size)};
    }
    session.restart = merged;
    text = merged.empty() ? NO_RESTART : FormatRanges(merged);
    return std::monostate{};
}

} // namespace ns3::gridftp
