/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-inbox.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <sys/socket.h>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST_READ_AT_ONCE = 1 << 20; // in one callback of the event loop, bytes

} // namespace

PieceSink*
PosixInbox::GetSink() const
{
    if (m_dataUser)
    {
        return &m_dataUser->GetPieceSink();
    }
    return m_isPaced && m_user ? m_user->GetSink() : nullptr;
}

bool
PosixInbox::IsReading() const
{
    if (!m_user || m_isWaiting || m_isAtEnd)
    {
        return false;
    }
    const PieceSink* const sink = GetSink();
    return !sink || sink->IsReading();
}

PosixInbox::State
PosixInbox::Read(Nanoseconds now, const PosixSocket& socket)
{
    for (uint64_t bytes = 0; bytes < MOST_READ_AT_ONCE && socket.IsOpen() && IsReading();)
    {
        PieceSink* const sink = GetSink();
        if (sink && sink->GetNextReadNs(now) > now)
        {
            m_nextNs = sink->GetNextReadNs(now);
            m_isWaiting = true;
            return State::TIMED;
        }
        const uint64_t room = sink ? sink->GetRoom() : m_buffer.size();
        const ssize_t count = recv(socket.Get(),
                                   m_buffer.data(),
                                   std::min<uint64_t>(m_buffer.size(), room),
                                   MSG_DONTWAIT);
        if (count == 0)
        {
            return State::CLOSED;
        }
        if (count < 0 && errno != EINTR)
        {
            return errno == EAGAIN ? State::PAUSED : State::FAILED;
        }
        if (count > 0)
        {
            bytes += static_cast<uint64_t>(count);
            Deliver(now, m_buffer.first(static_cast<size_t>(count)), sink);
        }
    }
    return State::PAUSED;
}

void
PosixInbox::Deliver(Nanoseconds now, std::span<const uint8_t> bytes, PieceSink* sink)
{
    if (sink)
    {
        sink->TakePiece(now, ArrivedContent(bytes));
    }
    else if (m_hasContent)
    {
        m_user->HandleBytes(now, bytes);
    }
    else
    {
        m_user->HandleCount(now, bytes.size());
    }
}

} // namespace ns3::gridftp
