/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-processor.h"
#include "gridftp-module-text.h"
#include "gridftp-server-protocol-interpreter.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a server has its data transfer processes do, and what it says of what comes of it.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServerTransfer");

void
ServerProtocolInterpreter::DropTransfer()
{
    m_sizer.End();
    m_data.Reset();
    m_listening = false;
    m_peers.clear();
}

void
ServerProtocolInterpreter::ExecutePassive(const Command& command)
{
    if (command.verb == Verb::PASV && m_data.GetCount() > 1)
    {
        return Say({504, {"PASV names one address, and here are several stripes: use SPAS."}});
    }
    m_passive = command.verb;
    m_asksToListen = true;
    m_data.Listen(m_control->GetLocalAddress());
}

void
ServerProtocolInterpreter::HandleListening(const std::vector<HostPort>& listeners)
{
    m_asksToListen = false;
    m_listening = !listeners.empty();
    if (!m_listening)
    {
        Say({425, {"Cannot listen for data connections."}});
    }
    else
    {
        Say(m_passive == Verb::SPAS ? MakeStripedPassiveReply(listeners)
                                    : MakePassiveReply(listeners.front()));
    }
    HandleLines();
}

void
ServerProtocolInterpreter::ExecutePort(const Command& command)
{
    auto peers = ParseHostPorts(command.argument);
    if (peers && command.verb == Verb::PORT && peers->size() > 1)
    {
        peers = MakeTextError(501, "PORT", command.argument, "one address expected.");
    }
    if (!peers)
    {
        return Say(MakeReply(peers.GetError()));
    }
    m_peers = *peers;
    if (command.verb == Verb::PORT)
    {
        m_data.SetPeers(m_peers); // closes connections to others; SPOR leaves that to the transfer
    }
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteRestart(const Command& command)
{
    const auto ranges = ParseRanges(command.argument);
    if (!ranges)
    {
        return Say(MakeReply(ranges.GetError()));
    }
    m_restart = MergeRanges(*ranges);
    Say(MakeReply(command));
}

TextResult<MarkerRanges>
ServerProtocolInterpreter::TakeRestart(uint64_t offset, std::optional<uint64_t> bytes)
{
    MarkerRanges held = std::exchange(m_restart, {});
    const uint64_t end = bytes ? offset + *bytes : UINT64_MAX;
    if (!held.empty() && (held.front().begin < offset || held.back().end > end))
    {
        return MakeTextError(501,
                             "Restart marker",
                             FormatRanges(held),
                             "ranges of the transfer expected.");
    }
    return held;
}

void
ServerProtocolInterpreter::ExecuteTransfer(const Command& command)
{
    const bool isStore = command.verb == Verb::STOR || command.verb == Verb::ESTO;
    const auto execute = [this, command, isStore] {
        return isStore ? ExecuteStore(command) : ExecuteRetrieve(command);
    };
    if (m_settings.requestCpu.IsZero())
    {
        return execute();
    }
    const Time cpu = HostProcessor::Ask(m_settings.data.node,
                                        {CpuUse::REQUESTS, m_settings.requestCpu.GetNanoSeconds()});
    m_delayEvent = Simulator::Schedule(cpu, [this, execute] {
        execute();
        HandleLines();
    });
}

void
ServerProtocolInterpreter::ExecuteStore(const Command& command)
{
    m_storeOffset = 0;
    ModuleCall module;
    if (command.verb == Verb::ESTO)
    {
        const auto store = ParseStore(command.argument);
        if (!store)
        {
            return Say(MakeReply(store.GetError()));
        }
        m_storeOffset = store->place.offset;
        module = store->module;
    }
    const auto held = TakeRestart(m_storeOffset, m_allocated);
    if (!held)
    {
        return Say(MakeReply(held.GetError()));
    }
    if (!m_listening)
    {
        return Say({425, {"Use PASV first."}});
    }
    m_receives = true;
    ++m_transfers;
    m_transfer = command;
    m_data.SetModule(module, ModuleEnd::RECEIVER, m_settings.fileBytes);
    SetState(ServerState::TRANSFERRING);
    m_data.Receive({.bytes = std::exchange(m_allocated, std::nullopt),
                    .offset = m_storeOffset,
                    .held = *held});
}

void
ServerProtocolInterpreter::ExecuteRetrieve(const Command& command)
{
    RetrieveOrder order{{}, {0, m_settings.fileBytes, ""}};
    if (command.verb == Verb::ERET)
    {
        const auto parsed = ParseRetrieve(command.argument);
        if (!parsed)
        {
            return Say(MakeReply(parsed.GetError()));
        }
        order = *parsed;
    }
    const PartialRetrieve& part = order.part;
    const uint64_t size = GetOutputBytes(order.module, m_settings.fileBytes);
    if (part.length == 0 || part.offset > size || part.length > size - part.offset)
    {
        return Say({550,
                    {(order.module ? "What the module makes of the file has " : "The file has ") +
                     std::to_string(size) + " bytes."}});
    }
    const auto held = TakeRestart(part.offset, part.length);
    if (!held)
    {
        return Say(MakeReply(held.GetError()));
    }
    if (m_peers.empty())
    {
        return Say({425, {"Use PORT first."}});
    }
    const int64_t pairs = GetPairs({m_data.GetCount(), static_cast<int64_t>(m_peers.size())});
    if (!m_options.pairs.empty() && static_cast<int64_t>(m_options.pairs.size()) != pairs)
    {
        return Say({501,
                    {"PairParallelism names " + std::to_string(m_options.pairs.size()) +
                     " pairs of stripes, and there are " + std::to_string(pairs) + "."}});
    }
    const StripeOption stripe = m_options.stripe.value_or(StripeOption());
    m_receives = false;
    m_transfer = command;
    m_data.SetModule(order.module, ModuleEnd::SENDER, m_settings.fileBytes);
    SetState(ServerState::TRANSFERRING);
    m_data.SetPeers(m_peers);
    m_data.Send({.chunk = m_transfers++,
                 .offset = part.offset,
                 .bytes = part.length,
                 .parallelism = m_options.parallelism.starting,
                 .layout = m_settings.layout,
                 .blockBytes = m_settings.blockBytes,
                 .stripeLayout = stripe.layout,
                 .stripeBlock = stripe.blockBytes > 0 ? stripe.blockBytes : m_settings.stripeBlock,
                 .held = *held,
                 .pairs = m_options.pairs});
}

void
ServerProtocolInterpreter::HandleReady()
{
    Say(MakeReply(m_transfer));
    if (m_receives)
    {
        m_sizer.Begin();
    }
    HandleLines();
}

void
ServerProtocolInterpreter::HandleBytes(uint32_t stripe, uint64_t bytes, bool endsRound)
{
    std::string text = FormatReply(MakeMarker(stripe, bytes));
    if (m_settings.data.tellsRanges && endsRound)
    {
        const MarkerRanges ranges = m_data.FindRanges();
        text += ranges.empty() ? "" : FormatReply(MakeRangeMarkerReply(ranges));
    }
    m_control->Send(text);
}

Reply
ServerProtocolInterpreter::MakeMarker(uint32_t stripe, uint64_t bytes) const
{
    constexpr int64_t MILLISECONDS_PER_DECISECOND = 100;
    const int64_t now = Simulator::Now().GetMilliSeconds();
    return MakePerfMarkerReply(
        {.timestampDeciseconds = static_cast<uint64_t>(now / MILLISECONDS_PER_DECISECOND),
         .stripeIndex = stripe,
         .stripeBytes = bytes,
         .stripeCount = m_data.GetCount()});
}

void
ServerProtocolInterpreter::HandleDone()
{
    if (m_receives)
    {
        SayStored();
    }
    // The client closes the data connections or sends more over them, as it likes.
    m_data.Finish(true);
    SetState(ServerState::READY);
    const std::vector<int64_t> elapsedNs = m_data.GetElapsedNs();
    if (Simulator::Now() >= m_repliesUntil)
    {
        Say(elapsedNs.empty() ? Reply{226, {"Transfer Complete."}} : MakePairTimesReply(elapsedNs));
    }
    HandleLines();
}

void
ServerProtocolInterpreter::SayStored()
{
    m_sizer.End();
    uint64_t end = m_storeOffset + m_data.GetHeldBytes();
    for (uint32_t stripe = 0; stripe < m_data.GetCount(); ++stripe)
    {
        Say(MakeMarker(stripe, m_data.GetBytes()[stripe]));
        end += m_data.GetBytes()[stripe];
    }
    Say(MakeRangeMarkerReply({{m_storeOffset, end}}));
}

void
ServerProtocolInterpreter::HandleTransferFailed(int code, std::string reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    DropTransfer();
    if (m_state == ServerState::TRANSFERRING)
    {
        SetState(ServerState::READY);
        Say({code, {reason}});
    }
    else if (std::exchange(m_asksToListen, false))
    {
        Say({code, {reason}});
    }
    HandleLines();
}

} // namespace ns3::gridftp
