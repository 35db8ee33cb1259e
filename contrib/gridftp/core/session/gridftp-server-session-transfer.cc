/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-module-text.h"
#include "gridftp-server-session.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a server orders its data transfer processes to do, and its replies to the results.
 */

namespace ns3::gridftp
{

void
ServerSession::DropTransfer(Nanoseconds now)
{
    m_sizer.End();
    m_data.Reset(now);
    m_settings.files->DropFiles();
    m_isListening = false;
    m_peers.clear();
}

void
ServerSession::ExecutePassive(Nanoseconds now, const Command& command)
{
    if (command.verb == Verb::PASV && m_data.GetCount() > 1)
    {
        return Say(now, {504, {"PASV names one address, and here are several stripes: use SPAS."}});
    }
    m_passive = command.verb;
    m_asksToListen = true;
    m_data.Listen(now, m_control->GetLocalAddress());
}

void
ServerSession::HandleListening(Nanoseconds now, const std::vector<HostPort>& listeners)
{
    m_asksToListen = false;
    m_isListening = !listeners.empty();
    if (!m_isListening)
    {
        Say(now, {425, {"Cannot listen for data connections."}});
    }
    else
    {
        Say(now,
            m_passive == Verb::SPAS ? MakeStripedPassiveReply(listeners)
                                    : MakePassiveReply(listeners.front()));
    }
    HandleWaiting(now);
}

void
ServerSession::ExecutePort(Nanoseconds now, const Command& command)
{
    auto peers = ParseHostPorts(command.argument);
    if (peers && command.verb == Verb::PORT && peers->size() > 1)
    {
        peers = MakeTextError(501, "PORT", command.argument, "one address expected.");
    }
    if (!peers)
    {
        return Say(now, MakeReply(peers.GetError()));
    }
    if (!IsAllowed(*peers))
    {
        return Say(now, {501, {"Data connections go to no other host than the client's."}});
    }
    m_peers = *peers;
    if (command.verb == Verb::PORT)
    {
        m_data.SetPeers(now,
                        m_peers); // closes connections to others; SPOR leaves that to the transfer
    }
    Say(now, MakeReply(command));
}

bool
ServerSession::IsAllowed(const std::vector<HostPort>& peers) const
{
    return std::ranges::all_of(peers, [this](const HostPort& peer) {
        return peer.address == m_settings.onlyPeer.value_or(peer.address) &&
               peer.port >= m_settings.leastPort;
    });
}

void
ServerSession::ExecuteRestart(Nanoseconds now, const Command& command)
{
    const auto ranges = ParseRanges(command.argument);
    if (!ranges)
    {
        return Say(now, MakeReply(ranges.GetError()));
    }
    m_restart = MergeRanges(*ranges);
    Say(now, MakeReply(command));
}

TextResult<MarkerRanges>
ServerSession::TakeRestart(uint64_t offset, std::optional<uint64_t> bytes)
{
    MarkerRanges held = std::exchange(m_restart, {});
    const bool isBounded = bytes && *bytes <= UINT64_MAX - offset;
    const uint64_t end = isBounded ? offset + *bytes : UINT64_MAX;
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
ServerSession::ExecuteTransfer(Nanoseconds now, const Command& command)
{
    m_request = command;
    if (m_settings.requestCpu == 0)
    {
        return BeginTransfer(now);
    }
    m_requestDone.Set(now, m_host.AskCpu(now, {CpuUse::REQUESTS, m_settings.requestCpu}));
}

void
ServerSession::BeginTransfer(Nanoseconds now)
{
    const Command command = m_request;
    const bool isStore = command.verb == Verb::STOR || command.verb == Verb::ESTO;
    isStore ? ExecuteStore(now, command) : ExecuteRetrieve(now, command);
}

void
ServerSession::ExecuteStore(Nanoseconds now, const Command& command)
{
    m_storeOffset = 0;
    const auto bytes = std::exchange(m_allocated, std::nullopt); // of this transfer and no other
    ModuleCall module;
    ServedFiles::Upload upload{.path = command.argument};
    if (command.verb == Verb::ESTO)
    {
        const auto store = ParseStore(command.argument);
        if (!store)
        {
            return Say(now, MakeReply(store.GetError()));
        }
        m_storeOffset = store->place.offset;
        module = store->module;
        if (module && !m_settings.hasModules)
        {
            return Say(now, {504, {"No module but A is here."}});
        }
        upload.path = store->place.path;
        upload.isPart = true;
    }
    const auto held = TakeRestart(m_storeOffset, bytes);
    if (!held)
    {
        return Say(now, MakeReply(held.GetError()));
    }
    if (!m_isListening)
    {
        return Say(now, {425, {"Use PASV first."}});
    }
    upload.offset = m_storeOffset;
    upload.bytes = bytes;
    upload.continues = !held->empty();
    if (const auto error = m_settings.files->OpenSink(upload))
    {
        return Say(now, MakeReply(*error));
    }
    m_receives = true;
    ++m_transfers;
    m_transfer = command;
    const auto before = m_settings.files->FindSize(upload.path);
    m_data.SetModule(module, ModuleEnd::RECEIVER, before ? *before : 0);
    SetState(now, ServerState::TRANSFERRING);
    m_data.Receive(now, {.bytes = bytes, .offset = m_storeOffset, .held = *held});
}

void
ServerSession::ExecuteRetrieve(Nanoseconds now, const Command& command)
{
    RetrieveOrder order{{}, {0, 0, command.argument}};
    if (command.verb == Verb::ERET)
    {
        const auto parsed = ParseRetrieve(command.argument);
        if (!parsed)
        {
            return Say(now, MakeReply(parsed.GetError()));
        }
        order = *parsed;
        if (order.module && !m_settings.hasModules)
        {
            return Say(now, {504, {"No module but P is here."}});
        }
    }
    const auto fileBytes = m_settings.files->OpenSource(order.part.path);
    if (!fileBytes)
    {
        return Say(now, MakeReply(fileBytes.GetError()));
    }
    const uint64_t size = GetOutputBytes(order.module, *fileBytes);
    if (command.verb == Verb::RETR)
    {
        order.part.length = size;
    }
    const PartialRetrieve& part = order.part;
    const bool isEmpty = part.length == 0 && command.verb == Verb::ERET;
    if (isEmpty || part.offset > size || part.length > size - part.offset)
    {
        return Say(now,
                   {550,
                    {(order.module ? "The output of the module has " : "The file has ") +
                     std::to_string(size) + " bytes."}});
    }
    const auto held = TakeRestart(0, part.length);
    if (!held)
    {
        return Say(now, MakeReply(held.GetError()));
    }
    if (m_peers.empty())
    {
        return Say(now, {425, {"Use PORT first."}});
    }
    const int64_t pairs = GetPairs({m_data.GetCount(), static_cast<int64_t>(m_peers.size())});
    if (!m_options.pairs.empty() && static_cast<int64_t>(m_options.pairs.size()) != pairs)
    {
        return Say(now,
                   {501,
                    {"PairParallelism names " + std::to_string(m_options.pairs.size()) +
                     " pairs of stripes, and there are " + std::to_string(pairs) + "."}});
    }
    const StripeOption stripe = m_options.stripe.value_or(StripeOption());
    m_receives = false;
    m_transfer = command;
    m_data.SetModule(order.module, ModuleEnd::SENDER, *fileBytes);
    SetState(now, ServerState::TRANSFERRING);
    m_data.SetPeers(now, m_peers);
    m_data.Send(now,
                {.chunk = m_transfers++,
                 .offset = part.offset,
                 .bytes = part.length,
                 .parallelism = m_options.parallelism.starting,
                 .layout = m_settings.layout,
                 .blockBytes = m_settings.blockBytes,
                 .stripeLayout = stripe.layout,
                 .stripeBlock = stripe.blockBytes > 0 ? stripe.blockBytes : m_settings.stripeBlock,
                 .held = MoveRanges(*held, 0, part.offset),
                 .pairs = m_options.pairs});
}

void
ServerSession::HandleReady(Nanoseconds now)
{
    Say(now, MakeReply(m_transfer));
    if (m_receives)
    {
        m_sizer.Begin(now);
    }
    HandleWaiting(now);
}

void
ServerSession::HandleBytes(Nanoseconds now, uint32_t stripe, uint64_t bytes, bool endsRound)
{
    std::string text = FormatReply(MakeMarker(now, stripe, bytes));
    if (m_settings.data.recordsRanges && endsRound)
    {
        const MarkerRanges ranges = m_data.FindRanges(now);
        text += ranges.empty() ? "" : FormatReply(MakeRangeMarkerReply(ranges));
    }
    m_control->Send(now, text);
}

Reply
ServerSession::MakeMarker(Nanoseconds now, uint32_t stripe, uint64_t bytes) const
{
    constexpr int64_t DECISECOND_NS = 100'000'000;
    return MakePerfMarkerReply(
        {.timestampDeciseconds = static_cast<uint64_t>((m_settings.epoch + now) / DECISECOND_NS),
         .stripeIndex = stripe,
         .stripeBytes = bytes,
         .stripeCount = m_data.GetCount()});
}

void
ServerSession::HandleDone(Nanoseconds now)
{
    const auto error = m_receives ? m_settings.files->CompleteSink(GetStoredEnd()) : std::nullopt;
    if (error)
    {
        return HandleTransferFailed(now, {error->code, error->text});
    }
    // On other hosts, data transfer processes get their order in between
    if (m_receives)
    {
        SayComplete(now);
    }
    // The client closes the data connections, or sends more over them
    m_data.Finish(now, true);
    SetState(now, ServerState::READY);
    if (!m_receives)
    {
        SayComplete(now);
    }
    HandleWaiting(now);
}

void
ServerSession::SayComplete(Nanoseconds now)
{
    // One write, so that Nagle's algorithm does not hold the reply back behind the markers
    std::string text = m_receives ? FormatLastMarkers(now) : "";
    if (now >= m_repliesLostUntil)
    {
        const std::vector<int64_t> elapsedNs = m_data.GetElapsedNs();
        text += FormatReply(elapsedNs.empty() ? Reply{226, {"Transfer Complete."}}
                                              : MakePairTimesReply(elapsedNs));
    }
    if (!text.empty())
    {
        m_control->Send(now, text);
    }
}

std::string
ServerSession::FormatLastMarkers(Nanoseconds now)
{
    m_sizer.End();
    std::string text;
    for (uint32_t stripe = 0; stripe < m_data.GetCount(); ++stripe)
    {
        text += FormatReply(MakeMarker(now, stripe, m_data.GetBytes()[stripe]));
    }
    return text + FormatReply(MakeRangeMarkerReply({{m_storeOffset, GetStoredEnd()}}));
}

uint64_t
ServerSession::GetStoredEnd() const
{
    const auto& bytes = m_data.GetBytes();
    return std::accumulate(bytes.begin(), bytes.end(), m_storeOffset + m_data.GetHeldBytes());
}

void
ServerSession::HandleTransferFailed(Nanoseconds now, const TransferFailure& failure)
{
    DropTransfer(now);
    if (m_state == ServerState::TRANSFERRING)
    {
        SetState(now, ServerState::READY);
        Say(now, {failure.code, {failure.reason}});
    }
    else if (std::exchange(m_asksToListen, false))
    {
        Say(now, {failure.code, {failure.reason}});
    }
    HandleWaiting(now);
}

} // namespace ns3::gridftp
