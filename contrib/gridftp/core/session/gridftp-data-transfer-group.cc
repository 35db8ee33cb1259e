/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-group.h"

#include "gridftp-remote-data-transfer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr int ABORTED = 426;

/** @param ranges of several stripes @return bytes that two of them have; none: there are none */
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

DataTransferGroup::DataTransferGroup(const ChannelHosts& hosts)
    : m_control(hosts.control),
      m_local(hosts.sender, hosts.receiver),
      m_transfers{&m_local}
{
}

DataTransferGroup::~DataTransferGroup() = default;

void
DataTransferGroup::Configure(const DataTransferSettings& settings,
                             const RemoteTransfers& remote,
                             DataTransferUser& user)
{
    m_user = &user;
    m_local.Configure(settings, *this, 0);
    if (!remote.addresses.empty())
    {
        m_transfers.clear();
    }
    DataTransferOwner& owner = *this;
    for (const auto& address : remote.addresses)
    {
        const RemoteSettings peer{remote.tcp,
                                  address,
                                  static_cast<uint32_t>(settings.buffers.window)};
        m_remotes.push_back(
            std::make_unique<RemoteDataTransfer>(m_control, peer, owner, GetCount()));
        m_transfers.push_back(m_remotes.back().get());
    }
}

void
DataTransferGroup::Dispose(Nanoseconds now)
{
    for (const auto& remote : m_remotes)
    {
        remote->Abort(now);
    }
    m_local.Dispose(now);
}

void
DataTransferGroup::SetReceiveWindow(uint32_t bytes)
{
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->SetReceiveWindow(bytes);
    }
}

void
DataTransferGroup::SetSendWindow(uint32_t bytes)
{
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->SetSendWindow(bytes);
    }
}

void
DataTransferGroup::SetProtection(Protection protection)
{
    m_local.SetProtection(protection); // those on other hosts have theirs from their own settings
}

void
DataTransferGroup::SetModule(const ModuleCall& module, ModuleEnd end, uint64_t fileBytes)
{
    m_local.SetModule(module, end, fileBytes); // likewise
}

void
DataTransferGroup::Listen(Nanoseconds now, uint32_t own)
{
    m_awaited = m_transfers.size();
    m_listeners.assign(m_transfers.size(), HostPort());
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->Listen(now, own);
    }
}

void
DataTransferGroup::SetPeers(Nanoseconds now, const std::vector<HostPort>& peers)
{
    m_peers = static_cast<uint32_t>(peers.size());
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->SetPeers(now, peers);
    }
}

void
DataTransferGroup::Begin(const MarkerRanges& held)
{
    m_held = held;
    m_ranges.assign(m_transfers.size(), {});
    m_hasReported.assign(m_transfers.size(), false);
    m_awaited = m_transfers.size();
    m_busy = m_transfers.size();
    m_bytes.assign(m_transfers.size(), 0);
    m_elapsedNs.assign(m_transfers.size(), {});
    m_expected.reset();
}

void
DataTransferGroup::Receive(Nanoseconds now, const ReceiveOrder& order)
{
    Begin(order.held);
    m_expected = order.bytes;
    ReceiveOrder part = order;
    part.receivers = GetCount();
    for (part.stripe = 0; part.stripe < GetCount(); ++part.stripe)
    {
        m_transfers[part.stripe]->Receive(now, part);
    }
}

void
DataTransferGroup::Send(Nanoseconds now, const SendOrder& order)
{
    Begin(order.held);
    SendOrder part = order;
    part.stripes = {GetCount(), m_peers};
    for (part.stripe = 0; part.stripe < GetCount(); ++part.stripe)
    {
        m_transfers[part.stripe]->Send(now, part);
    }
}

void
DataTransferGroup::End(Nanoseconds now)
{
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->End(now);
    }
}

void
DataTransferGroup::Finish(Nanoseconds now, bool keep)
{
    m_busy = 0;
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->Finish(now, keep);
    }
}

void
DataTransferGroup::Abort(Nanoseconds now)
{
    m_awaited = m_busy = 0;
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->Abort(now);
    }
}

void
DataTransferGroup::Reset(Nanoseconds now)
{
    m_awaited = m_busy = 0;
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->Reset(now);
    }
}

void
DataTransferGroup::Kill(Nanoseconds now)
{
    m_awaited = m_busy = 0;
    for (DataTransfer* const transfer : m_transfers)
    {
        transfer->Kill(now);
    }
}

void
DataTransferGroup::HandleListening(Nanoseconds now,
                                   uint32_t stripe,
                                   const std::optional<HostPort>& listener)
{
    if (m_awaited == 0)
    {
        return; // another one could not
    }
    if (!listener)
    {
        m_awaited = 0;
        return m_user->HandleListening(now, {});
    }
    m_listeners[stripe] = *listener;
    if (--m_awaited == 0)
    {
        m_user->HandleListening(now, m_listeners);
    }
}

void
DataTransferGroup::HandleReady(Nanoseconds now, uint32_t /* stripe */)
{
    if (m_awaited > 0 && --m_awaited == 0)
    {
        m_user->HandleReady(now);
    }
}

void
DataTransferGroup::HandleBytes(Nanoseconds now,
                               uint32_t stripe,
                               uint64_t bytes,
                               const MarkerRanges& ranges)
{
    if (m_busy == 0)
    {
        return; // another one has failed
    }
    m_ranges[stripe] = ranges;
    if (const auto twice = FindOverlap(m_ranges))
    {
        m_awaited = m_busy = 0;
        return m_user->HandleTransferFailed(now,
                                            {ABORTED,
                                             "bytes within " + std::to_string(twice->begin) +
                                                 " and " + std::to_string(twice->end) +
                                                 " arrived twice"});
    }
    m_user->HandleBytes(now, stripe, bytes, EndsRound(stripe));
}

bool
DataTransferGroup::EndsRound(uint32_t stripe)
{
    m_hasReported[stripe] = true;
    if (std::ranges::find(m_hasReported, false) != m_hasReported.end())
    {
        return false;
    }
    m_hasReported.assign(m_hasReported.size(), false);
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
DataTransferGroup::FindRanges(Nanoseconds now)
{
    if (!m_ranges.empty() && m_transfers.front() == &m_local)
    {
        m_ranges.front() = m_local.GetReceiver().GetRanges(now);
    }
    MarkerRanges all = m_held;
    for (const auto& ranges : m_ranges)
    {
        all.insert(all.end(), ranges.begin(), ranges.end());
    }
    return MergeRanges(std::move(all));
}

void
DataTransferGroup::HandleDone(Nanoseconds now,
                              uint32_t stripe,
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
        Conclude(now);
    }
}

void
DataTransferGroup::Conclude(Nanoseconds now)
{
    const uint64_t sum = std::accumulate(m_bytes.begin(), m_bytes.end(), GetHeldBytes());
    if (m_expected && sum != *m_expected)
    {
        return m_user->HandleTransferFailed(now,
                                            {ABORTED,
                                             std::to_string(sum) + " of " +
                                                 std::to_string(*m_expected) +
                                                 " bytes arrived at all stripes"});
    }
    m_user->HandleDone(now);
}

void
DataTransferGroup::HandleFailed(Nanoseconds now,
                                uint32_t /* stripe */,
                                const TransferFailure& failure)
{
    m_awaited = m_busy = 0;
    m_user->HandleTransferFailed(now, failure);
}

} // namespace ns3::gridftp
