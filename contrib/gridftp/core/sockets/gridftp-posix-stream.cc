/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-stream.h"

#include <algorithm>
#include <sys/epoll.h>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds FIRST_DRAIN_PAUSE = 1'000'000; // 1 ms
constexpr Nanoseconds LAST_DRAIN_PAUSE = 50'000'000; // 50 ms

} // namespace

PosixStream::PosixStream(PosixHostState& host,
                         PosixSocket socket,
                         const StreamTerms& terms,
                         bool isAccepted)
    : m_host(host),
      m_socket(std::move(socket)),
      m_terms(terms),
      m_isAccepted(isAccepted),
      m_inbox(terms, host.read)
{
    if (isAccepted)
    {
        ++m_host.accepted;
        Establish();
    }
    Watch();
}

PosixStream::~PosixStream()
{
    Shut(false);
    m_host.loop->Drop(this);
}

void
PosixStream::SetUsers(StreamUser* user, DataStreamUser* dataUser)
{
    m_user = user;
    m_dataUser = dataUser;
    m_inbox.SetUser(user, dataUser);
}

void
PosixStream::Watch()
{
    if (!IsOpen())
    {
        return;
    }
    uint32_t events = 0;
    if (!m_isConnected)
    {
        events = EPOLLOUT;
    }
    else if (!m_loss)
    {
        // Level-triggered: the loop would report without end what is not taken
        if (IsReading())
        {
            events |= EPOLLIN;
        }
        else if (!m_isFinNoticed)
        {
            events |= EPOLLRDHUP;
        }
        if (m_isBlocked)
        {
            events |= EPOLLOUT;
        }
    }
    if (m_watch == 0)
    {
        m_watch = m_host.loop->Watch(m_socket.Get(), events, *this);
        if (m_watch == 0)
        {
            LoseLater(m_isConnected ? StreamLoss::FAILED : StreamLoss::REFUSED);
        }
    }
    else if (events != m_events)
    {
        m_host.loop->Change(m_socket.Get(), m_watch, events);
    }
    m_events = events;
}

void
PosixStream::HandleReady(Nanoseconds now, uint32_t events)
{
    ++m_depth;
    if (!m_isConnected)
    {
        HandleConnecting(now, events);
    }
    else if (events & (EPOLLERR | EPOLLHUP))
    {
        Lose(now, StreamLoss::FAILED);
    }
    else
    {
        if (IsReading())
        {
            Read(now);
        }
        else if ((events & EPOLLRDHUP) && !m_isFinNoticed)
        {
            m_isFinNoticed = true;
            if (m_socket.GetUnread() == 0)
            {
                HandleFin(now);
            }
        }
        if (IsUsable() && (events & EPOLLOUT))
        {
            Write(now);
        }
    }
    Watch();
    --m_depth;
}

void
PosixStream::HandleEvent(Nanoseconds now, uint32_t id)
{
    const auto event = static_cast<Event>(id);
    ++m_depth;
    if (event == LOSS && m_loss)
    {
        Lose(now, *m_loss);
    }
    else if (event == READ)
    {
        m_inbox.EndWait();
        Read(now);
    }
    else if (event == WRITE)
    {
        m_isWriteTimed = false;
        Write(now);
    }
    else if (event == DRAIN)
    {
        m_isDrainTimed = false;
        CheckDrained(now);
    }
    Watch();
    --m_depth;
}

void
PosixStream::Establish()
{
    m_isConnected = true;
    m_socket.Settle(m_terms);
    m_figures.Open(GetNow(), m_socket, m_terms.buffers);
}

void
PosixStream::HandleConnecting(Nanoseconds now, uint32_t events)
{
    if (m_socket.TakeError() != 0 || (events & EPOLLHUP))
    {
        return Lose(now, StreamLoss::REFUSED);
    }
    Establish();
    if (m_user)
    {
        m_user->HandleConnected(now);
    }
    Write(now); // messages that were written too early
}

// Reading

void
PosixStream::Read(Nanoseconds now)
{
    if (!IsReading())
    {
        return;
    }
    switch (m_inbox.Read(now, m_socket))
    {
    case PosixInbox::State::PAUSED:
        break;
    case PosixInbox::State::TIMED:
        ScheduleOwn(m_inbox.GetNextNs(), READ);
        break;
    case PosixInbox::State::CLOSED:
        return HandleFin(now);
    case PosixInbox::State::FAILED:
        return Lose(now, StreamLoss::FAILED);
    }
    m_figures.Look(now, m_socket);
}

void
PosixStream::HandleFin(Nanoseconds now)
{
    m_isFinNoticed = true;
    m_inbox.End();
    m_dataUser ? m_dataUser->HandlePeerClosed(now) : Lose(now, StreamLoss::CLOSED);
}

// Writing

void
PosixStream::Say(Nanoseconds /* now */, std::span<const uint8_t> bytes)
{
    if (IsOpen() && !m_loss)
    {
        m_outbox.AddMessage(bytes);
        Write(GetNow());
        if (m_outbox.CountWaiting() > MOST_WAITING)
        {
            LoseLater(StreamLoss::FAILED); // the peer does not read
        }
    }
}

void
PosixStream::Begin(PieceSource& source, std::optional<int> file)
{
    if (IsOpen() && !m_loss)
    {
        m_outbox.Begin(source, file);
        m_isDraining = m_dataUser != nullptr;
        m_drainPauseNs = FIRST_DRAIN_PAUSE;
        Write(GetNow());
    }
}

void
PosixStream::Write(Nanoseconds now)
{
    if (!IsUsable())
    {
        return;
    }
    const auto state = m_outbox.Write(now, m_socket);
    m_isBlocked = state == PosixOutbox::State::BLOCKED;
    if (state == PosixOutbox::State::FAILED)
    {
        LoseLater(StreamLoss::FAILED);
    }
    else if (state == PosixOutbox::State::WAITING && !m_isWriteTimed)
    {
        m_isWriteTimed = true;
        ScheduleOwn(m_outbox.GetNextNs(), WRITE);
    }
    else if (state == PosixOutbox::State::EMPTY && m_isDraining && !m_isDrainTimed)
    {
        m_isDrainTimed = true;
        ScheduleOwn(now, DRAIN);
    }
    Watch();
}

void
PosixStream::CheckDrained(Nanoseconds now)
{
    if (!IsUsable() || !m_isDraining || !m_outbox.IsEmpty())
    {
        return;
    }
    if (m_socket.GetUnacknowledged() == 0)
    {
        m_isDraining = false;
        return m_dataUser->HandleDrained(now);
    }
    m_isDrainTimed = true;
    ScheduleOwn(GetNow() + m_drainPauseNs, DRAIN);
    m_drainPauseNs = std::min(2 * m_drainPauseNs, LAST_DRAIN_PAUSE);
}

// The end of the connection

void
PosixStream::LoseLater(StreamLoss loss)
{
    if (!m_loss)
    {
        m_loss = loss;
        ScheduleOwn(GetNow(), LOSS);
    }
}

void
PosixStream::Lose(Nanoseconds now, StreamLoss loss)
{
    StreamUser* const user = m_user;
    Shut(loss == StreamLoss::FAILED);
    if (user)
    {
        user->HandleLost(now, loss);
    }
}

void
PosixStream::Shut(bool resets)
{
    SetUsers(nullptr, nullptr);
    m_loss.reset();
    m_isDraining = false;
    m_outbox.Clear();
    if (!IsOpen())
    {
        return;
    }
    m_figures.Close(GetNow(), m_socket);
    m_host.loop->Unwatch(m_socket.Get(), m_watch);
    resets ? m_socket.Reset() : m_socket.Close();
    m_host.accepted -= m_isAccepted ? 1 : 0;
}

// Buffers

void
PosixStream::GrowSendBuffer(Nanoseconds /* now */, uint64_t bytes)
{
    if (IsOpen() && bytes > m_socket.GetSendBuffer())
    {
        m_socket.SetSendBuffer(bytes);
    }
}

} // namespace ns3::gridftp
