/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"

#include "gridftp-protection-text.h"
#include "gridftp-security-text.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace ns3::gridftp
{

bool
IsTimedVerb(Verb verb)
{
    switch (verb)
    {
    case Verb::USER:
    case Verb::PASS:
    case Verb::SITE:
    case Verb::FEAT:
    case Verb::TYPE:
    case Verb::MODE:
    case Verb::SIZE:
    case Verb::OPTS:
    case Verb::PBSZ:
    case Verb::SBUF:
        return true;
    default:
        return false;
    }
}

bool
IsTransferVerb(Verb verb)
{
    return verb == Verb::ESTO || verb == Verb::ERET;
}

bool
IsSaidAhead(Verb verb)
{
    return verb == Verb::ALLO || verb == Verb::OPTS || verb == Verb::REST || verb == Verb::CKSM ||
           IsTransferVerb(verb);
}

std::vector<Peer>
ListPeers(Direction direction)
{
    std::vector<Peer> peers;
    if (IsToServer(direction))
    {
        peers.push_back(Peer::RECEIVER);
    }
    if (IsFromServer(direction))
    {
        peers.push_back(Peer::SENDER);
    }
    return peers;
}

Peer
FindPeer(Direction direction, FaultServer server)
{
    return IsAtReceiver(direction, server) ? Peer::RECEIVER : Peer::SENDER;
}

std::string_view
GetPeerName(Direction direction, Peer peer)
{
    if (direction != Direction::THIRD_PARTY)
    {
        return "server";
    }
    return peer == Peer::RECEIVER ? "receiver" : "sender";
}

std::string
NameControlFailure(Direction direction, Peer peer, std::string_view reason)
{
    std::string text(reason);
    if (direction == Direction::THIRD_PARTY)
    {
        text = std::string(GetPeerName(direction, peer)) + ": " + text;
    }
    return text;
}

LoginOrder
MakeLoginOrder(const BufferSpec& buffers, const SecuritySpec& security)
{
    return {static_cast<uint64_t>(buffers.window), buffers.processing.protection, security};
}

std::vector<Command>
LoginCommands(Peer peer, const LoginOrder& order)
{
    const bool stores = peer == Peer::RECEIVER;
    // The server knows who was authenticated, and maps the client to a user itself
    const bool isAuthenticated = order.security.IsControlSecured();
    const SiteCommand buffer{.verb = stores ? SiteVerb::STORBUFSIZE : SiteVerb::RETRBUFSIZE,
                             .size = order.windowBytes,
                             .text = ""};
    const SiteCommand info{.verb = SiteVerb::CLIENTINFO,
                           .size = 0,
                           .text = "appname=ns-3-gridftp;scheme=gsiftp;"};
    std::vector<Command> commands{
        {Verb::USER, isAuthenticated ? ":globus-mapping:" : "anonymous"},
        {Verb::PASS, isAuthenticated ? "" : "client@gridftp"},
        {Verb::SITE, FormatSite({.verb = SiteVerb::HELP, .size = 0, .text = ""})},
        {Verb::FEAT, ""},
        {Verb::SITE, FormatSite(info)},
        {Verb::TYPE, "I"},
        {Verb::MODE, "E"},
    };
    if (order.protection != Protection::CLEAR)
    {
        commands.push_back({Verb::PBSZ, std::to_string(PROTECTION_BUFFER_BYTES)});
        commands.push_back({Verb::PROT, FormatProtection(order.protection)});
    }
    if (!stores)
    {
        commands.push_back({Verb::SIZE, order.path});
    }
    if (order.windowBytes > 0)
    {
        commands.push_back({Verb::SITE, FormatSite(buffer)});
    }
    return commands;
}

StripeOption
GetStripeOption(const SessionSpec& session)
{
    const bool isBlocked = session.stripeLayout == StripeLayout::BLOCKED;
    return {session.stripeLayout, isBlocked ? static_cast<uint64_t>(session.stripeBlock) : 0};
}

void
ControlScript::AddLogin(Direction direction, const LoginOrder& order)
{
    const bool isSecured = order.security.IsControlSecured();
    for (const Peer peer : ListPeers(direction))
    {
        for (auto& line : isSecured ? ListSecurityCommands() : std::vector<SecurityCommand>())
        {
            m_lines.push_back({peer, std::move(line.command), line.work});
        }
        for (auto& command : LoginCommands(peer, order))
        {
            m_lines.push_back({peer, std::move(command)});
        }
        if (isSecured && !order.security.IsDataSecured())
        {
            m_lines.push_back({peer, {Verb::DCAU, "N"}}); // else that is on by itself (GFD.20)
        }
    }
}

void
ControlScript::AddChunk(const ChunkOrder& order)
{
    const std::string& path = order.path;
    const auto say = [this](Peer peer, Verb verb, std::string argument) {
        m_lines.push_back({peer, {verb, std::move(argument)}});
    };
    if (IsToServer(order.direction))
    {
        if (order.newAddress)
        {
            say(Peer::RECEIVER, order.isStriped ? Verb::SPAS : Verb::PASV, "");
        }
        say(Peer::RECEIVER, Verb::ALLO, std::to_string(order.bytes));
    }
    if (IsFromServer(order.direction))
    {
        const uint32_t n = order.parallelism;
        const auto stripe = order.isStriped ? std::optional(order.stripe) : std::nullopt;
        say(Peer::SENDER, Verb::OPTS, FormatRetrieveOptions({{n, n, n}, stripe, order.pairs}));
        if (order.newAddress)
        {
            const auto verb = order.isStriped ? Verb::SPOR : Verb::PORT;
            say(Peer::SENDER, verb, FormatHostPorts(order.listeners));
        }
    }
    if (!order.held.empty())
    {
        for (const Peer peer : ListPeers(order.direction))
        {
            // Before ERET they are counted from the beginning of its part, as GCT 6.2 has it
            const uint64_t from = peer == Peer::SENDER ? order.offset : 0;
            say(peer, Verb::REST, FormatRanges(MoveRanges(order.held, from, 0)));
        }
    }
    if (IsToServer(order.direction))
    {
        say(Peer::RECEIVER, Verb::ESTO, FormatStore({order.store, {order.offset, path}}));
    }
    if (IsFromServer(order.direction))
    {
        const bool isThirdParty = IsToServer(order.direction);
        const RetrieveOrder retrieve{
            order.retrieve,
            {order.offset, order.bytes, isThirdParty ? order.senderPath : path}};
        say(Peer::SENDER, Verb::ERET, FormatRetrieve(retrieve));
    }
}

void
ControlScript::AddSize(Peer peer, const std::string& path)
{
    m_lines.push_back({peer, {Verb::SIZE, path}});
}

void
ControlScript::AddChecksum(Peer peer, const ChecksumOrder& order)
{
    m_lines.push_back({peer, {Verb::CKSM, FormatChecksumOrder(order)}});
}

void
ControlScript::AddQuit(Direction direction)
{
    for (const Peer peer : ListPeers(direction))
    {
        m_lines.push_back({peer, {Verb::QUIT, ""}});
    }
}

void
ControlScript::SetListeners(const std::vector<HostPort>& listeners)
{
    for (auto& line : m_lines)
    {
        if (line.command.verb == Verb::PORT || line.command.verb == Verb::SPOR)
        {
            line.command.argument = FormatHostPorts(listeners);
        }
    }
}

ScriptLine
ControlScript::Take()
{
    ScriptLine line = std::move(m_lines.front());
    m_lines.pop_front();
    return line;
}

std::optional<ScriptLine>
ControlScript::TakeAhead(const AheadState& state)
{
    std::array<bool, PEERS> waits{};
    for (auto line = m_lines.begin(); line != m_lines.end() && !state.isBarred; ++line)
    {
        const Verb verb = line->command.verb;
        if (!IsSaidAhead(verb) && (!state.isQuiet || line != m_lines.begin()))
        {
            return std::nullopt;
        }
        bool& waitsHere = waits[static_cast<size_t>(line->peer)];
        waitsHere = waitsHere || (verb == Verb::ERET && !state.maySend);
        if (!waitsHere)
        {
            ScriptLine next = std::move(*line);
            m_lines.erase(line);
            return next;
        }
    }
    return std::nullopt;
}

} // namespace ns3::gridftp
