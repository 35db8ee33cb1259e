/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-group.h"

#include <utility>

namespace ns3::gridftp
{

DataTransferGroup::DataTransferGroup()
    : m_local(CreateObject<LocalDataTransfer>()),
      m_transfers{m_local}
{
}

DataTransferGroup::~DataTransferGroup() = default;

void
DataTransferGroup::Configure(const DataTransferSettings& settings, DataTransferUser& user)
{
    m_user = &user;
    m_local->Configure(settings, *this, 0);
}

void
DataTransferGroup::Dispose()
{
    for (const auto& transfer : m_transfers)
    {
        transfer->Dispose();
    }
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
    for (const auto& transfer : m_transfers)
    {
        transfer->SetPeers(peers);
    }
}

void
DataTransferGroup::Begin()
{
    m_awaited = m_transfers.size();
    m_busy = m_transfers.size();
    m_bytes.assign(m_transfers.size(), 0);
}

void
DataTransferGroup::Receive(std::optional<uint64_t> bytes)
{
    Begin();
    for (const auto& transfer : m_transfers)
    {
        transfer->Receive(bytes);
    }
}

void
DataTransferGroup::Send(const SendOrder& order)
{
    Begin();
    for (const auto& transfer : m_transfers)
    {
        transfer->Send(order);
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
DataTransferGroup::HandleBytes(uint32_t stripe, uint64_t bytes)
{
    m_user->HandleBytes(stripe, bytes);
}

void
DataTransferGroup::HandleDone(uint32_t stripe, uint64_t bytes)
{
    if (m_busy == 0)
    {
        return; // the peer has confirmed the chunk already
    }
    m_bytes[stripe] = bytes;
    if (--m_busy == 0)
    {
        m_user->HandleDone();
    }
}

void
DataTransferGroup::HandleFailed(uint32_t /* stripe */, int code, const std::string& reason)
{
    const bool listens = m_awaited > 0 && m_busy == 0;
    m_awaited = m_busy = 0;
    if (listens)
    {
        return m_user->HandleListening({});
    }
    m_user->HandleTransferFailed(code, reason);
}

} // namespace ns3::gridftp
