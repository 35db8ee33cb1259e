/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-listener.h"

#include "gridftp-file-descriptor.h"

#include <cerrno>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr int MOST_ACCEPTED_AT_ONCE = 64; // in one callback of the event loop

constexpr Nanoseconds PAUSE_WITHOUT_RESOURCES = 50'000'000; // 50 ms

/** @param error of accept4() @return whether the process or the system has no descriptor or memory
 * left, so that a connection would stay at the head of the queue */
bool
IsShortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

} // namespace

PosixListener::PosixListener(PosixLoop& loop, Owner& owner, PosixSocket socket)
    : m_loop(loop),
      m_owner(owner),
      m_socket(std::move(socket)),
      m_watch(loop.Watch(m_socket.Get(), EPOLLIN, *this))
{
}

PosixListener::~PosixListener()
{
    Close();
}

void
PosixListener::Close()
{
    if (m_socket.IsOpen())
    {
        m_loop.Unwatch(m_socket.Get(), m_watch);
        m_loop.Drop(this);
        m_socket.Close();
    }
}

void
PosixListener::HandleReady(Nanoseconds now, uint32_t /* events */)
{
    const auto keep = shared_from_this();
    for (int i = 0; i < MOST_ACCEPTED_AT_ONCE && m_socket.IsOpen(); ++i)
    {
        FileDescriptor accepted(
            accept4(m_socket.Get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (accepted.IsOpen())
        {
            m_owner.HandleSocket(now, *this, PosixSocket(std::move(accepted)));
        }
        else if (IsShortage(errno))
        {
            // The socket stays ready, and the loop would report it without end
            m_loop.Change(m_socket.Get(), m_watch, 0);
            return m_loop.Schedule(now + PAUSE_WITHOUT_RESOURCES, *this, 0, this);
        }
        else if (errno == EAGAIN)
        {
            return;
        }
        // Else the connection has failed before it was accepted, such as ECONNABORTED
    }
}

void
PosixListener::HandleEvent(Nanoseconds /* now */, uint32_t /* id */)
{
    m_loop.Change(m_socket.Get(), m_watch, EPOLLIN);
}

} // namespace ns3::gridftp
