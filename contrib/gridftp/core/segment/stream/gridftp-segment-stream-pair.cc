/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-stream-pair.h"

#include "gridftp-segment-nodes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr auto ACTIVE = TcpConnection::ACTIVE;
constexpr auto PASSIVE = TcpConnection::PASSIVE;

} // namespace

SegmentStreamPair::SegmentStreamPair(const SegmentStreamSettings& settings,
                                     const FlowPath& path,
                                     uint16_t port,
                                     const SegmentListener* listener,
                                     const StreamTerms& terms,
                                     StreamUser& user,
                                     std::vector<IdleRule> rules)
    : m_entry(rules),
      m_port(port),
      m_listener(listener ? listener->user : nullptr),
      m_hasContent(terms.hasContent),
      m_isLines(terms.isLines),
      m_source(listener && listener->terms.sends ? PASSIVE : ACTIVE),
      m_tcp(MakeSegmentTcp(*settings.scenario, *settings.tcp, terms.tcp, terms.buffers)),
      m_ends{{*this, ACTIVE}, {*this, PASSIVE}}
{
    // A data connection closes when the endpoint that connects does; a control connection stays
    m_connection =
        &TcpConnection::Make(*settings.flows,
                             {.tcp = &m_tcp,
                              .path = path,
                              .ways = TcpConnection::Ways::TWO,
                              .source = m_source,
                              .answersFin = !terms.hasContent,
                              .acksAgain = !terms.hasContent,
                              .closesApart = terms.isLines,
                              .hasListener = terms.isLines,
                              .port = port,
                              .user = this,
                              .label = terms.label,
                              .sink = terms.isPaced ? this : nullptr,
                              .refusals = listener ? &settings.noRefusals : &settings.refusals,
                              .entry = rules.empty() ? nullptr : &m_entry,
                              .holdsSmall = terms.holdsSmall});
    Use(ACTIVE, user);
}

ByteStream&
SegmentStreamPair::Connect(Nanoseconds now)
{
    m_connection->Connect(now);
    return m_ends[ACTIVE];
}

// What TCP reports

bool
SegmentStreamPair::IsListening(TcpConnection& /* connection */)
{
    return !m_nodes || m_nodes->FindListener(m_addresses[PASSIVE], m_port) != nullptr;
}

void
SegmentStreamPair::HandleConnected(TcpConnection& /* connection */, Nanoseconds now)
{
    if (m_ends[ACTIVE].user)
    {
        m_ends[ACTIVE].user->HandleConnected(now);
    }
}

void
SegmentStreamPair::HandleAccepted(TcpConnection& /* connection */, Nanoseconds now)
{
    ListenUser* listener = m_listener;
    if (m_nodes)
    {
        const auto* const found = m_nodes->FindListener(m_addresses[PASSIVE], m_port);
        listener = found ? found->user : nullptr;
    }
    StreamUser* const user =
        listener ? listener->HandleAccepted(now, m_port, m_ends[PASSIVE]) : nullptr;
    if (!user)
    {
        m_ends[PASSIVE].Reset(now);
    }
    else if (!m_isReset[PASSIVE])
    {
        Use(PASSIVE, *user);
    }
}

void
SegmentStreamPair::HandleDelivered(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    m_ends[to].Deliver(now);
}

void
SegmentStreamPair::HandleFailed(TcpConnection& /* connection */,
                                Nanoseconds now,
                                TcpConnection::Failure failure)
{
    m_ends[ACTIVE].Lose(now,
                        failure == TcpConnection::Failure::REFUSED ? StreamLoss::REFUSED
                                                                   : StreamLoss::FAILED);
}

void
SegmentStreamPair::HandleReset(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    m_ends[to].Lose(now, StreamLoss::FAILED);
}

bool
SegmentStreamPair::HandlePeerClosed(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    if (m_isLines)
    {
        m_ends[to].Lose(now, StreamLoss::CLOSED);
    }
    return true;
}

// What reads at the endpoint that does not send

Nanoseconds
SegmentStreamPair::GetNextNs(Nanoseconds now)
{
    return m_sink ? m_sink->GetNextNs() : now;
}

uint64_t
SegmentStreamPair::GetRoom() const
{
    return m_sink ? m_sink->GetRoom() : 1;
}

void
SegmentStreamPair::Take(Nanoseconds now, uint64_t bytes)
{
    if (m_sink)
    {
        m_sink->Take(now, bytes);
    }
}

void
SegmentStreamPair::Use(End end, StreamUser& user)
{
    m_ends[end].user = &user;
    if (end != m_source)
    {
        m_sink = user.GetSink();
    }
}

void
SegmentStreamPair::Reset(End end, Nanoseconds now)
{
    m_isReset[end] = true;
    m_connection->Reset(end, now);
    if (m_isReset[TcpConnection::Other(end)])
    {
        m_connection->Stop();
    }
}

// An endpoint

void
SegmentStreamPair::Endpoint::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    const Nanoseconds at = m_messages.Add(now, bytes);
    if (at == now || m_pair->m_isLines)
    {
        return HandleEvent(now, 0);
    }
    m_pair->m_connection->GetUse().path.clocks[m_end]->Schedule(at, *this, 0);
}

void
SegmentStreamPair::Endpoint::DropMessages()
{
    m_messages.Drop();
}

void
SegmentStreamPair::Endpoint::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    const auto message = m_messages.Take();
    if (!message)
    {
        return; // dropped
    }
    if (m_pair->m_hasContent)
    {
        m_content.insert(m_content.end(), message->begin(), message->end());
    }
    m_pair->m_connection->Write(m_end, now, message->size());
}

std::vector<uint8_t>
SegmentStreamPair::Endpoint::TakeContent(uint64_t count)
{
    const auto end = m_content.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<uint8_t> bytes(m_content.begin(), end);
    m_content.erase(m_content.begin(), end);
    return bytes;
}

void
SegmentStreamPair::Endpoint::Deliver(Nanoseconds now)
{
    const uint64_t next = m_pair->m_connection->GetReceived(m_end);
    const uint64_t count = next - std::exchange(m_taken, next);
    if (!user || count == 0)
    {
        return;
    }
    if (m_pair->m_hasContent)
    {
        return user->HandleBytes(now,
                                 m_pair->m_ends[TcpConnection::Other(m_end)].TakeContent(count));
    }
    user->HandleCount(now, count);
}

void
SegmentStreamPair::Endpoint::Send(Nanoseconds now, StreamSource& source)
{
    m_source = &source;
    m_pair->m_connection->Begin(*this, now);
}

uint64_t
SegmentStreamPair::Endpoint::Write(uint64_t room)
{
    return m_source->Write(m_pair->m_connection->GetNow(m_end), room);
}

void
SegmentStreamPair::Endpoint::HandleWritten()
{
    m_source->HandleWritten(m_pair->m_connection->GetNow(m_end));
}

int64_t
SegmentStreamPair::Endpoint::GetNextNs() const
{
    return m_source->GetNextNs();
}

bool
SegmentStreamPair::Endpoint::IsExhausted() const
{
    return m_source->IsExhausted();
}

void
SegmentStreamPair::Endpoint::Lose(Nanoseconds now, StreamLoss loss)
{
    m_messages.Drop();
    if (StreamUser* const lost = std::exchange(user, nullptr))
    {
        lost->HandleLost(now, loss);
    }
}

void
SegmentStreamPair::Endpoint::Close(Nanoseconds now)
{
    user = nullptr;
    m_messages.Drop();
    if (m_pair->m_isLines)
    {
        m_end == ACTIVE ? m_pair->m_connection->Leave(now)
                        : m_pair->m_connection->ClosePassive(now);
    }
    else if (m_end == ACTIVE)
    {
        m_pair->m_connection->Close(now); // the other endpoint answers its FIN
    }
}

void
SegmentStreamPair::Endpoint::Reset(Nanoseconds now)
{
    user = nullptr;
    m_messages.Drop();
    m_pair->Reset(m_end, now);
}

ConnectionTotals
SegmentStreamPair::Endpoint::GetTotals() const
{
    return m_pair->m_connection->GetTotals(m_end);
}

} // namespace ns3::gridftp
