/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-directions.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-file-sizes.h"
#include "gridftp-option-row.h"
#include "gridftp-option-table.h"
#include "gridftp-text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view ALLOWED =
    "; allowed: same, or upload and download with a colon between two files, as in upload:download";

/** @param direction of a session @return its word */
std::string
NameOf(Direction direction)
{
    return GetOption("direction").Format(static_cast<int64_t>(direction));
}

/** @param word of the list @return the direction; none where it is no direction of one server */
std::optional<Direction>
ReadDirection(std::string_view word)
{
    for (const auto direction : {Direction::UPLOAD, Direction::DOWNLOAD})
    {
        if (word == NameOf(direction))
        {
            return direction;
        }
    }
    return std::nullopt;
}

/** @param text the list @param shown the option @return the directions, or what is wrong */
Expected<std::vector<Direction>>
ReadDirections(std::string_view text, const std::string& shown)
{
    std::vector<Direction> directions;
    for (size_t at = 0; at <= text.size();)
    {
        const size_t end = std::min(text.find(':', at), text.size());
        const auto word = Trim(text.substr(at, end - at));
        at = end + 1;
        const auto direction = ReadDirection(word);
        if (!direction)
        {
            return Error{shown + " has '" + Printable(word) + "' as direction " +
                         std::to_string(directions.size() + 1) + std::string(ALLOWED)};
        }
        directions.push_back(*direction);
    }
    return directions;
}

/** @return whether a session has a fault of its own */
bool
HasFaults(const Scenario& scenario, size_t index)
{
    return std::ranges::any_of(scenario.faults, [index](const FaultSpec& fault) {
        return !IsOfBottleneck(fault.kind) && fault.session == static_cast<int64_t>(index);
    });
}

/** @return whether another session is on the host of the session's server, or it is on another's */
bool
SharesServer(const Scenario& scenario, size_t index)
{
    const auto isShared = [](const SessionSpec& session) {
        return session.server == ServerHost::SHARED;
    };
    return isShared(scenario.sessions[index]) ||
           (index == 0 && std::ranges::any_of(scenario.sessions, isShared));
}

/** @return whether another session takes files of the session, or the session another's */
bool
SharesFiles(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    const auto own = static_cast<int64_t>(index);
    return session.filesOf != own ||
           std::ranges::count(scenario.sessions, own, &SessionSpec::filesOf) > 1;
}

/** @return what of a session does not go with files in both directions, and what does; empty: all
 * does */
std::string
FindObstacle(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    const BufferSpec& buffers = session.buffers;
    if (session.stripes.IsStriped())
    {
        return "needs one host at each endpoint; allowed with it: stripes=1x1";
    }
    if (session.pipelining > 1)
    {
        return "changes the direction only after a reply; allowed with it: pipelining=1";
    }
    if (session.security.IsDataSecured())
    {
        return "needs data connections without a security handshake; allowed with it: "
               "data-security=none";
    }
    if (NeedsApplications(buffers.policy))
    {
        return "needs buffers that TCP sizes; allowed with it: not buffers=" + buffers.policy;
    }
    if (buffers.source.IsTimed() || buffers.sink.IsTimed())
    {
        return "has two hosts that both read and write; allowed with it: source=memory, "
               "sink=memory";
    }
    if (buffers.sender.IsModelled() || buffers.receiver.IsModelled())
    {
        return "has two hosts that both send and receive; allowed with it: no options of the "
               "sender or the receiver";
    }
    if (session.minRate > 0)
    {
        return "does not support a minimum rate; allowed with it: min-rate=0Mbps";
    }
    if (SharesServer(scenario, index))
    {
        return "needs a server on a host of its own; allowed with it: server-host=own";
    }
    if (SharesFiles(scenario, index))
    {
        return "needs a session with files of its own; allowed with it: no files-of another "
               "session";
    }
    if (HasFaults(scenario, index))
    {
        return "is not for a session with faults; allowed with it: faults of the bottleneck";
    }
    return "";
}

} // namespace

void
AddDirectionsRow(std::vector<Option>& rows)
{
    rows.push_back(WordRow(OptionKind::NAME,
                           "file-directions",
                           "file_directions",
                           OptionScope::SESSION,
                           SAME_DIRECTION,
                           "same|upload:download:...",
                           {},
                           BindMember<&SessionSpec::directionsText>(),
                           "direction of each file, over one login; the list repeats"));
}

Done
ResolveDirections(SessionSpec& session, const std::function<std::string(const std::string&)>& quote)
{
    session.fileDirections.clear();
    if (session.directionsText.empty() || session.directionsText == SAME_DIRECTION)
    {
        session.directionsText = SAME_DIRECTION;
        return std::monostate{};
    }
    const std::string shown = quote("file-directions=" + Printable(session.directionsText));
    if (session.direction == Direction::THIRD_PARTY)
    {
        return Error{shown + " is between a client and one server; allowed with it: "
                             "direction=upload or download"};
    }
    auto directions = ReadDirections(session.directionsText, shown);
    if (!directions)
    {
        return directions.GetError();
    }
    const auto count = static_cast<int64_t>(directions->size());
    if (count > static_cast<int64_t>(MOST_LISTED_FILES))
    {
        return Error{quote("file-directions") + " has " + std::to_string(count) +
                     " directions; allowed: up to " + std::to_string(MOST_LISTED_FILES)};
    }
    if (session.files == 1 && session.fileList.empty())
    {
        session.files = count;
    }
    if (session.files < count)
    {
        return Error{shown + " lists " + std::to_string(count) + " directions for " +
                     std::to_string(session.files) + (session.files == 1 ? " file" : " files") +
                     "; allowed: one for each, or fewer, which repeat"};
    }
    if (directions->front() != session.direction)
    {
        return Error{shown + " does not begin with direction=" + NameOf(session.direction) +
                     "; allowed with it: direction=" + NameOf(directions->front()) +
                     ", or file-directions=same"};
    }
    if (std::ranges::count(*directions, directions->front()) < count)
    {
        session.fileDirections = std::move(*directions);
    }
    return std::monostate{};
}

Done
CheckDirections(const Scenario& scenario,
                size_t index,
                const std::function<std::string(const std::string&)>& quote)
{
    const SessionSpec& session = scenario.sessions[index];
    const std::string obstacle =
        HasBothDirections(session) ? FindObstacle(scenario, index) : std::string();
    if (!obstacle.empty())
    {
        return Error{quote("file-directions=" + Printable(session.directionsText)) + " " +
                     obstacle};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
