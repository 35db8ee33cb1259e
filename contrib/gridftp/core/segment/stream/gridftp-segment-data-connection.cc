/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-connection.h"

#include "gridftp-segment-nodes.h"

#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr auto ACTIVE = TcpConnection::ACTIVE;
constexpr auto PASSIVE = TcpConnection::PASSIVE;

/** What an application reads from a connection of the segment engine. */
class ArrivedSegments final : public ArrivedBytes
{
  public:
    /** @param content of the stream; outlives it @param begin position of the first byte in the
     * stream @param size bytes */
    ArrivedSegments(SegmentStreamContent& content, uint64_t begin, uint64_t size)
        : ArrivedBytes(size),
          m_content(&content),
          m_begin(begin)
    {
    }

    void Copy(uint64_t position, std::span<uint8_t> to) const override
    {
        m_content->Copy(m_begin + position, to);
    }

  private:
    SegmentStreamContent* m_content; //!< of the stream
    uint64_t m_begin;                //!< position of the first byte in it
};

} // namespace

SegmentDataConnection::SegmentDataConnection(const Settings& settings)
    : m_settings(settings),
      m_ends{{*this, ACTIVE}, {*this, PASSIVE}}
{
    m_connection = &TcpConnection::Make(*settings.flows, MakeUse());
    m_ends[ACTIVE].user = settings.sender;
}

TcpConnection::Use
SegmentDataConnection::MakeUse()
{
    const bool talksBack =
        m_settings.preamble > 0 || m_settings.tcp->buffers.GetChannel() == SizingChannel::DATA;
    return {.tcp = m_settings.tcp,
            .path = m_settings.path,
            .ways = talksBack ? TcpConnection::Ways::BACK : TcpConnection::Ways::ONE,
            .closesApart = true,
            .hasListener = m_settings.hasListener,
            .meetsLate = m_settings.meetsLate,
            .port = m_settings.port,
            .user = this,
            .label = m_settings.label,
            .pool = m_settings.pool,
            .sink = m_settings.isSinkTimed ? this : nullptr,
            .reportsOpening = true,
            .preamble = m_settings.preamble};
}

bool
SegmentDataConnection::MayRenew(Nanoseconds now) const
{
    return !m_ends[ACTIVE].user && !m_ends[PASSIVE].user && m_connection->MayRenew(now);
}

void
SegmentDataConnection::Renew(const Settings& settings)
{
    m_settings = settings;
    m_ends[ACTIVE].Renew();
    m_ends[PASSIVE].Renew();
    m_source = nullptr;
    m_connection->Renew(MakeUse());
    m_ends[ACTIVE].user = settings.sender;
}

void
SegmentDataConnection::AddState(SegmentState& state) const
{
    for (const Endpoint& end : m_ends)
    {
        end.AddState(state);
    }
    state.Add(m_source != nullptr);
}

DataStream&
SegmentDataConnection::Connect(Nanoseconds now)
{
    m_connection->Connect(now);
    return m_ends[ACTIVE];
}

// What TCP reports

bool
SegmentDataConnection::IsListening(TcpConnection& /* connection */)
{
    return m_settings.nodes->FindListener(m_settings.address, m_settings.port) != nullptr;
}

void
SegmentDataConnection::HandleConnected(TcpConnection& /* connection */, Nanoseconds now)
{
    if (m_ends[ACTIVE].user)
    {
        m_ends[ACTIVE].user->HandleConnected(now);
    }
}

void
SegmentDataConnection::HandleAccepted(TcpConnection& /* connection */, Nanoseconds now)
{
    Endpoint& accepted = m_ends[PASSIVE];
    const auto* const listener =
        m_settings.nodes->FindListener(m_settings.address, m_settings.port);
    DataStreamUser* const user = listener && listener->dataUser
                                     ? listener->dataUser->HandleDataAccepted(now, accepted)
                                     : nullptr;
    if (!user)
    {
        return accepted.Reset(now);
    }
    accepted.user = accepted.isReset ? nullptr : user;
}

void
SegmentDataConnection::HandleDelivered(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    m_ends[to].Read(now);
}

void
SegmentDataConnection::HandleRead(TcpConnection& /* connection */, Nanoseconds now)
{
    m_ends[PASSIVE].Read(now);
}

void
SegmentDataConnection::HandleDrained(TcpConnection& /* connection */, Nanoseconds now)
{
    m_connection->EndSource();
    m_source = nullptr;
    if (m_ends[ACTIVE].user)
    {
        m_ends[ACTIVE].user->HandleDrained(now);
    }
}

void
SegmentDataConnection::HandleFailed(TcpConnection& /* connection */,
                                    Nanoseconds now,
                                    TcpConnection::Failure failure)
{
    m_ends[ACTIVE].Lose(now,
                        failure == TcpConnection::Failure::REFUSED ? StreamLoss::REFUSED
                                                                   : StreamLoss::FAILED);
}

bool
SegmentDataConnection::HandlePeerClosed(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    return m_ends[to].HandlePeerClosed(now);
}

void
SegmentDataConnection::HandleReset(TcpConnection& /* connection */, End to, Nanoseconds now)
{
    m_ends[to].Lose(now, StreamLoss::FAILED);
}

// What the sender writes

uint64_t
SegmentDataConnection::Write(uint64_t room)
{
    const Nanoseconds now = m_connection->GetNow(ACTIVE);
    const StreamPiece piece = m_source->WritePiece(now, room);
    if (piece.GetSize() == 0)
    {
        return 0;
    }
    if (!piece.content.empty())
    {
        m_ends[ACTIVE].content.Append(m_ends[ACTIVE].written, piece.content);
    }
    m_ends[ACTIVE].written += piece.GetSize();
    m_source->HandleWritten(now);
    return piece.GetSize();
}

int64_t
SegmentDataConnection::GetNextNs() const
{
    return m_source->GetNextNs();
}

bool
SegmentDataConnection::IsExhausted() const
{
    return m_source->IsExhausted();
}

// What reads at the endpoint that accepts, where that takes time

Nanoseconds
SegmentDataConnection::GetNextNs(Nanoseconds now)
{
    DataStreamUser* const user = m_ends[PASSIVE].user;
    if (!user)
    {
        return now;
    }
    PieceSink& sink = user->GetPieceSink();
    return sink.IsReading() ? sink.GetNextReadNs(now) : Nanoseconds(NEVER);
}

uint64_t
SegmentDataConnection::GetRoom() const
{
    return m_ends[PASSIVE].user ? m_ends[PASSIVE].user->GetPieceSink().GetRoom() : UINT64_MAX;
}

void
SegmentDataConnection::Take(Nanoseconds now, uint64_t bytes)
{
    m_ends[PASSIVE].Take(now, bytes);
}

// An endpoint

void
SegmentDataConnection::Endpoint::Say(Nanoseconds now, std::span<const uint8_t> bytes)
{
    content.Append(written, bytes);
    written += bytes.size();
    m_owner->m_connection->Write(m_end, now, bytes.size());
}

void
SegmentDataConnection::Endpoint::DropMessages()
{
}

void
SegmentDataConnection::Endpoint::Send(Nanoseconds now, StreamSource& source)
{
    SendPieces(now, source);
}

void
SegmentDataConnection::Endpoint::SendPieces(Nanoseconds now, PieceSource& source)
{
    m_owner->m_source = &source;
    m_owner->m_connection->Begin(*m_owner, now);
}

void
SegmentDataConnection::Endpoint::Close(Nanoseconds now)
{
    if (!std::exchange(user, nullptr) || m_isAnswering)
    {
        return; // TCP closes when HandlePeerClosed() has returned
    }
    TcpConnection& connection = *m_owner->m_connection;
    m_end == ACTIVE ? connection.Close(now) : connection.ClosePassive(now);
}

void
SegmentDataConnection::Endpoint::Reset(Nanoseconds now)
{
    user = nullptr;
    isReset = true;
    m_owner->m_connection->Reset(m_end, now);
}

void
SegmentDataConnection::Endpoint::Lose(Nanoseconds now, StreamLoss loss)
{
    Read(now); // what arrived before
    if (DataStreamUser* const lost = std::exchange(user, nullptr))
    {
        lost->HandleLost(now, loss);
    }
}

bool
SegmentDataConnection::Endpoint::HandlePeerClosed(Nanoseconds now)
{
    if (!user)
    {
        return m_end == PASSIVE;
    }
    Read(now);
    m_isAnswering = true;
    if (user)
    {
        user->HandlePeerClosed(now);
    }
    m_isAnswering = false;
    return !user;
}

void
SegmentDataConnection::Endpoint::Resume(Nanoseconds now)
{
    if (m_end == PASSIVE && m_owner->m_settings.isSinkTimed)
    {
        return m_owner->m_connection->ReadOn(now);
    }
    Read(now);
}

void
SegmentDataConnection::Endpoint::AddState(SegmentState& state) const
{
    state.Add(user != nullptr);
    state.Add(isReset);
    state.Add(written);
    state.Add(m_taken);
}

void
SegmentDataConnection::Endpoint::Read(Nanoseconds now)
{
    const bool isPaced = m_end == PASSIVE && m_owner->m_settings.isSinkTimed;
    while (user)
    {
        PieceSink& sink = user->GetPieceSink();
        const bool isPreamble = m_taken < m_owner->m_settings.preamble;
        if (!sink.IsReading() || (isPaced && !isPreamble))
        {
            return; // TCP calls Take()
        }
        const uint64_t count = std::min(GetReadable(now), sink.GetRoom());
        if (count == 0)
        {
            return;
        }
        Take(now, count);
    }
}

uint64_t
SegmentDataConnection::Endpoint::GetReadable(Nanoseconds now) const
{
    const TcpConnection& connection = *m_owner->m_connection;
    return (m_end == PASSIVE ? connection.GetDelivered(now) : connection.GetReceived(m_end)) -
           m_taken;
}

void
SegmentDataConnection::Endpoint::Take(Nanoseconds now, uint64_t bytes)
{
    SegmentStreamContent& arrived = m_owner->m_ends[TcpConnection::Other(m_end)].content;
    const uint64_t begin = std::exchange(m_taken, m_taken + bytes);
    if (user)
    {
        user->GetPieceSink().TakePiece(now, ArrivedSegments(arrived, begin, bytes));
    }
    arrived.Release(m_taken);
}

uint64_t
SegmentDataConnection::Endpoint::GetUnread() const
{
    return m_owner->m_connection->GetReceived(m_end) - m_taken;
}

ConnectionTotals
SegmentDataConnection::Endpoint::GetTotals() const
{
    return m_owner->m_connection->GetTotals(m_end);
}

uint32_t
SegmentDataConnection::Endpoint::GetLocalAddress() const
{
    return 0;
}

uint64_t
SegmentDataConnection::Endpoint::GetSegmentBytes() const
{
    return m_owner->m_settings.tcp->segmentBytes;
}

uint64_t
SegmentDataConnection::Endpoint::GetSendBuffer() const
{
    return user ? m_owner->m_connection->GetSendBufferSize() : 0;
}

void
SegmentDataConnection::Endpoint::GrowSendBuffer(Nanoseconds now, uint64_t bytes)
{
    if (m_end == ACTIVE)
    {
        m_owner->m_connection->GrowSendBuffer(now, bytes);
    }
}

uint64_t
SegmentDataConnection::Endpoint::GetReceiveBuffer() const
{
    const auto window = static_cast<uint64_t>(m_owner->m_settings.tcp->buffers.window);
    return m_owner->m_connection->GetLargestWindow().value_or(window);
}

void
SegmentDataConnection::Endpoint::SetReceiveBuffer(uint64_t bytes)
{
    if (m_end == PASSIVE)
    {
        const Nanoseconds now = m_owner->m_settings.path.clocks[PASSIVE]->GetNow();
        m_owner->m_connection->ResizeWindow(now, bytes);
    }
}

void
SegmentDataConnection::Endpoint::CountBuffer(BufferTally& tally) const
{
    if (const auto use = m_owner->m_connection->GetReceiveBufferUse())
    {
        tally.Add(*use);
    }
}

} // namespace ns3::gridftp
