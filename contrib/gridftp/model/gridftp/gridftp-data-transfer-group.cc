/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-group.h"

#include "gridftp-data-transfer-remote.h"
#include "gridftp-simulation-time.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** @param ranges of several stripes @return bytes that two of them have, if there are any */
std::optional<MarkerRange>
FindOverlap(const std::vector<MarkerRanges>& ranges)
{
    MarkerRanges all;
    for (const auto& each : ranges)
    {
        all.insert(all.end(), each.begin(), each.end());
    }
    std::ranges::sort(all, {}, &MarkerRange::begin);
    for (size_t i = 1; i < all.size(); ++i)
    {
        if (all[i].begin < all[i - 1].end)
        {
            return MarkerRange{all[i].begin, std::min(all[i].end, all[i - 1].end)};
        }
    }
    return std::nullopt;
}

} // namespace

DataTransferGroup::DataTransferGroup()
    : m_local(CreateObject<LocalDataTransfer>()),
      m_transfers{m_local}
{
}

DataTransferGroup::~DataTransferGroup() = default;

void
DataTransferGroup::Configure(const DataTransferSettings& settings,
                             const DataTransfersApart& apart,
                             DataTransferUser& user)
{
    m_user = &user;
    m_local->Configure(settings, *this, 0);
    if (!apart.addresses.empty())
    {
        m_transfers.clear();
    }
    for (const auto& address : apart.addresses)
    {
        auto transfer = CreateObject<RemoteDataTransfer>();
        const auto window = static_cast<uint32_t>(settings.buffers.window);
        transfer->Configure({settings.node, apart.tcp, address, window}, *this, GetCount());
        m_transfers.push_back(transfer);
    }
}

void
DataTransferGroup::Dispose()
{
    for (const auto& transfer : m_transfers)
    {
        transfer->Dispose();
    }
    m_local->Dispose(); // it is not among them where they are apart
}

void
DataTransferGroup::SetReceiveWindow(uint32_t bytes)
{
    for (const auto& transfer : m_transfers)
    {
        transfer->SetReceiveWindow(bytes);
    }
}

void
DataTransferGroup::SetSendWindow(uint32_t bytes)
{
    for (const auto& transfer : m_transfers)
    {
        transfer->SetSendWindow(bytes);
    }
}

void
DataTransferGroup::SetProtection(Protection protection)
{
    m_local->SetProtection(protection); // those apart have theirs from their own settings
}

void
DataTransferGroup::SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes)
{
    m_local->SetModule(module, end, fileBytes); // likewise
}

void
DataTransferGroup::Listen(Ipv4Address own)
{
    m_awaited = m_transfers.size();
    m_listeners.assign(m_transfers.size(), HostPort());
    for (const auto& transfer : m_transfers)
    {
        transfer->Listen(own);
    }
}

void
DataTransferGroup::SetPeers(const std::vector<HostPort>& peers)
{
    m_peers = static_cast<uint32_t>(peers.size());
    for (const auto& transfer : m_transfers)
    {
        transfer->SetPeers(peers);
    }
}

void
DataTransferGroup::Begin(const MarkerRanges& held)
{
    m_held = held;
    m_ranges.assign(m_transfers.size(), {});
    m_hasTold.assign(m_transfers.size(), false);
    m_awaited = m_transfers.size();
    m_busy = m_transfers.size();
    m_bytes.assign(m_transfers.size(), 0);
    m_elapsedNs.assign(m_transfers.size(), {});
    m_expected.reset();
}

void
DataTransferGroup::Receive(const ReceiveOrder& order)
{
    Begin(order.held);
    m_expected = order.bytes;
    ReceiveOrder part = order;
    part.receivers = GetCount();
    for (part.stripe = 0; part.stripe < GetCount(); ++part.stripe)
    {
        m_transfers[part.stripe]->Receive(part);
    }
}

void
DataTransferGroup::Send(const SendOrder& order)
{
    Begin(order.held);
    SendOrder part = order;
    part.stripes = {GetCount(), m_peers};
    for (part.stripe = 0; part.stripe < GetCount(); ++part.stripe)
    {
        m_transfers[part.stripe]->Send(part);
    }
}

void
DataTransferGroup::End()
{
    for (const auto& transfer : m_transfers)
    {
        transfer->End();
    }
}

void
DataTransferGroup::Finish(bool keep)
{
    m_busy = 0;
    for (const auto& transfer : m_transfers)
    {
        transfer->Finish(keep);
    }
}

void
DataTransferGroup::Abort()
{
    m_awaited = m_busy = 0;
    for (const auto& transfer : m_transfers)
    {
        transfer->Abort();
    }
}

void
DataTransferGroup::Reset()
{
    m_awaited = m_busy = 0;
    for (const auto& transfer : m_transfers)
    {
        transfer->Reset();
    }
}

void
DataTransferGroup::Kill()
{
    m_awaited = m_busy = 0;
    for (const auto& transfer : m_transfers)
    {
        transfer->Kill();
    }
}

void
DataTransferGroup::HandleListening(uint32_t stripe, const std::optional<HostPort>& listener)
{
    if (m_awaited == 0)
    {
        return; // another one could not
    }
    if (!listener)
    {
        m_awaited = 0;
        return m_user->HandleListening({});
    }
    m_listeners[stripe] = *listener;
    if (--m_awaited == 0)
    {
        m_user->HandleListening(m_listeners);
    }
}

void
DataTransferGroup::HandleReady(uint32_t /* stripe */)
{
    if (m_awaited > 0 && --m_awaited == 0)
    {
        m_user->HandleReady();
    }
}

void
DataTransferGroup::HandleBytes(uint32_t stripe, uint64_t bytes, const MarkerRanges& ranges)
{
    if (m_busy == 0)
    {
        return; // another one has failed
    }
    m_ranges[stripe] = ranges;
    if (const auto twice = FindOverlap(m_ranges))
    {
        m_awaited = m_busy = 0;
        return m_user->HandleTransferFailed(426,
                                            "bytes within " + std::to_string(twice->begin) +
                                                " and " + std::to_string(twice->end) +
                                                " arrived twice");
    }
    m_user->HandleBytes(stripe, bytes, EndsRound(stripe));
}

bool
DataTransferGroup::EndsRound(uint32_t stripe)
{
    m_hasTold[stripe] = true;
    if (std::ranges::find(m_hasTold, false) != m_hasTold.end())
    {
        return false;
    }
    m_hasTold.assign(m_hasTold.size(), false);
    return true;
}

std::vector<int64_t>
DataTransferGroup::GetElapsedNs() const
{
    std::vector<int64_t> all;
    for (const auto& stripe : m_elapsedNs)
    {
        all.insert(all.end(), stripe.begin(), stripe.end());
    }
    return all;
}

MarkerRanges
DataTransferGroup::FindRanges()
{
    if (!m_ranges.empty() && m_transfers.front() == m_local)
    {
        m_ranges.front() = m_local->GetReceiver()->GetMachine().GetRanges(GetSimulationTime());
    }
    MarkerRanges all = m_held;
    for (const auto& ranges : m_ranges)
    {
        all.insert(all.end(), ranges.begin(), ranges.end());
    }
    return MergeRanges(std::move(all));
}

void
DataTransferGroup::HandleDone(uint32_t stripe,
                              uint64_t bytes,
                              const std::vector<int64_t>& elapsedNs)
{
    if (m_busy == 0)
    {
        return; // the peer has confirmed the chunk already
    }
    m_bytes[stripe] = bytes;
    m_elapsedNs[stripe] = elapsedNs;
    if (--m_busy == 0)
    {
        Conclude();
    }
}

void
DataTransferGroup::Conclude()
{
    const uint64_t sum = std::accumulate(m_bytes.begin(), m_bytes.end(), GetHeldBytes());
    if (m_expected && sum != *m_expected)
    {
        return m_user->HandleTransferFailed(426,
                                            std::to_string(sum) + " of " +
                                                std::to_string(*m_expected) +
                                                " bytes arrived at all stripes");
    }
    m_user->HandleDone();
}

void
DataTransferGroup::HandleFailed(uint32_t /* stripe */, int code, const std::string& reason)
{
    m_awaited = m_busy = 0;
    m_user->HandleTransferFailed(code, reason);
}

} // namespace ns3::gridftp
