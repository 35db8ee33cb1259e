/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-connections.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ns3::gridftp
{

namespace
{

void
Add(BufferTally& tally, const TcpConnection& connection)
{
    if (const auto use = connection.GetReceiveBufferUse())
    {
        tally.Add(*use);
    }
}

} // namespace

TcpConnection&
DataConnections::Open(uint32_t index, const TcpConnection::Use& use, Nanoseconds now)
{
    if (index == m_connections.size())
    {
        m_connections.push_back(&TcpConnection::Make(*m_flows, use));
        m_open.push_back(true);
    }
    else
    {
        std::erase(m_accepted, m_connections[index]);
        m_open[index] = true;
        if (m_connections[index]->MayRenew(now))
        {
            m_connections[index]->Renew(use);
        }
        else
        {
            m_past.push_back(std::exchange(m_connections[index], OpenBeside(use, now)));
        }
    }
    return *m_connections[index];
}

TcpConnection*
DataConnections::OpenBeside(const TcpConnection::Use& use, Nanoseconds now)
{
    const auto over = std::ranges::find_if(m_past, [now](const auto* connection) {
        return connection->MayRenew(now);
    });
    if (over == m_past.end())
    {
        return &TcpConnection::Make(*m_flows, use);
    }
    TcpConnection* const connection = *over;
    m_past.erase(over);
    connection->Renew(use);
    return connection;
}

void
DataConnections::EndSources()
{
    for (auto* connection : m_connections)
    {
        connection->EndSource();
    }
}

void
DataConnections::Close(uint32_t from, Nanoseconds now)
{
    for (auto i = static_cast<uint32_t>(m_connections.size()); i-- > from;)
    {
        Count(i);
        m_connections[i]->Close(now);
    }
}

void
DataConnections::Stop(uint32_t index)
{
    Count(index);
    m_connections[index]->Stop();
}

void
DataConnections::Abort(uint32_t index, Nanoseconds now)
{
    Count(index);
    m_connections[index]->Abort(now);
}

void
DataConnections::HandleAccepted(TcpConnection& connection)
{
    m_accepted.push_back(&connection);
}

void
DataConnections::ClosePassive(Nanoseconds now)
{
    for (auto* connection : ListAtPassive())
    {
        if (connection->IsOpenAtPassive())
        {
            connection->ClosePassive(now);
        }
    }
}

void
DataConnections::StopListening()
{
    for (const auto* all : {&m_connections, &m_past})
    {
        for (auto* connection : *all)
        {
            connection->StopListening();
        }
    }
}

void
DataConnections::Reset(TcpConnection::End end, Nanoseconds now)
{
    for (auto* connection : end == TcpConnection::ACTIVE ? m_connections : ListAtPassive())
    {
        if (end == TcpConnection::ACTIVE)
        {
            const uint32_t index = IndexOf(connection);
            if (!m_open[index])
            {
                continue;
            }
            Count(index);
        }
        connection->Reset(end, now); // the end that accepts may not know yet that the other is gone
    }
}

std::vector<TcpConnection*>
DataConnections::ListAtPassive() const
{
    std::vector<TcpConnection*> all = m_accepted;
    std::ranges::copy_if(m_connections, std::back_inserter(all), [this](const auto* connection) {
        return std::ranges::find(m_accepted, connection) == m_accepted.end();
    });
    return all;
}

uint32_t
DataConnections::IndexOf(const TcpConnection* connection) const
{
    return static_cast<uint32_t>(std::ranges::find(m_connections, connection) -
                                 m_connections.begin());
}

bool
DataConnections::ResetOne(uint32_t index, TcpConnection::End end, Nanoseconds now)
{
    if (!IsOpen(index) || !m_connections[index]->IsThere(end))
    {
        return false; // or not yet: one that is still connecting is left alone
    }
    if (end == TcpConnection::ACTIVE)
    {
        Count(index);
    }
    m_connections[index]->Reset(end, now);
    return true;
}

void
DataConnections::HandleReset(uint32_t index)
{
    Count(index);
}

void
DataConnections::Count(uint32_t index)
{
    if (m_open[index])
    {
        m_open[index] = false;
        m_closed.Add(m_connections[index]->GetTotals(TcpConnection::ACTIVE));
        Add(m_closedBuffers, *m_connections[index]);
    }
}

ConnectionTotals
DataConnections::GetTotals() const
{
    ConnectionTotals sum = m_closed;
    for (uint32_t i = 0; i < m_connections.size(); ++i)
    {
        if (m_open[i])
        {
            sum.Add(m_connections[i]->GetTotals(TcpConnection::ACTIVE));
        }
    }
    return sum;
}

BufferTally
DataConnections::GetBuffers() const
{
    BufferTally all = m_closedBuffers;
    for (uint32_t i = 0; i < m_connections.size(); ++i)
    {
        if (m_open[i])
        {
            Add(all, *m_connections[i]);
        }
    }
    return all;
}

uint64_t
DataConnections::GetDelivered(Nanoseconds now) const
{
    uint64_t bytes = 0;
    for (const auto* connection : m_connections)
    {
        bytes += connection->GetDelivered(now);
    }
    return bytes;
}

} // namespace ns3::gridftp
