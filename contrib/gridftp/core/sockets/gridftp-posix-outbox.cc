/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-outbox.h"

#include "gridftp-buffer-settings.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t MOST_WRITTEN_AT_ONCE = 1 << 20; // in one callback of the event loop, bytes

} // namespace

void
PosixOutbox::AddMessage(std::span<const uint8_t> bytes)
{
    m_messages.insert(m_messages.end(), bytes.begin(), bytes.end());
}

void
PosixOutbox::DropMessages()
{
    m_messages.clear();
}

void
PosixOutbox::Begin(PieceSource& source, std::optional<int> file)
{
    m_source = &source;
    m_file = file;
    m_nextNs = 0;
}

PosixOutbox::State
PosixOutbox::Write(Nanoseconds now, const PosixSocket& socket)
{
    for (uint64_t bytes = 0; bytes < MOST_WRITTEN_AT_ONCE;)
    {
        if (m_written == m_fill && !Gather(now))
        {
            return State::FAILED;
        }
        if (m_written == m_fill)
        {
            return m_source ? State::WAITING : State::EMPTY;
        }
        const ssize_t count = send(socket.Get(),
                                   m_buffer.data() + m_written,
                                   m_fill - m_written,
                                   MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0 && errno != EINTR)
        {
            return errno == EAGAIN ? State::BLOCKED : State::FAILED;
        }
        m_written += static_cast<size_t>(std::max<ssize_t>(count, 0));
        bytes += static_cast<uint64_t>(std::max<ssize_t>(count, 0));
    }
    return State::BLOCKED;
}

bool
PosixOutbox::Gather(Nanoseconds now)
{
    m_written = m_fill = 0;
    if (!m_messages.empty())
    {
        m_buffer.swap(m_messages);
        m_messages.clear();
        m_fill = m_buffer.size();
        return true;
    }
    const bool isRead = GatherPieces(now);
    if (!m_source && m_fill == 0)
    {
        m_buffer = {};
    }
    return isRead;
}

bool
PosixOutbox::GatherPieces(Nanoseconds now)
{
    while (m_source && m_nextNs <= now && PORTION - m_fill >= GetWriteBatch(PORTION))
    {
        if (m_source->IsExhausted())
        {
            m_source = nullptr;
            return true;
        }
        const StreamPiece piece = m_source->WritePiece(now, PORTION - m_fill);
        if (piece.GetSize() == 0)
        {
            m_nextNs = m_source->GetNextNs();
            return true;
        }
        if (!Append(piece))
        {
            return false;
        }
        m_source->HandleWritten(now);
    }
    return true;
}

bool
PosixOutbox::Append(const StreamPiece& piece)
{
    m_buffer.resize(std::max<size_t>({m_buffer.size(), PORTION, m_fill + piece.GetSize()}));
    uint8_t* to = std::ranges::copy(piece.content, m_buffer.data() + m_fill).out;
    m_fill += piece.GetSize();
    if (!m_file)
    {
        std::fill_n(to, piece.payload, uint8_t{0});
        return true;
    }
    for (uint64_t done = 0; done < piece.payload;)
    {
        const ssize_t count =
            pread(*m_file, to + done, piece.payload - done, static_cast<off_t>(piece.place + done));
        if (count == 0 || (count < 0 && errno != EINTR))
        {
            return false;
        }
        done += static_cast<uint64_t>(std::max<ssize_t>(count, 0));
    }
    return true;
}

void
PosixOutbox::Clear()
{
    *this = {};
}

} // namespace ns3::gridftp
