/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-stop-signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr std::array SIGNALS{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> g_file{-1};  // of the StopSignals of the process
std::atomic<int> g_signal{0}; // that has arrived

/** Notes a signal, and ends the process at the next one. Called by the system at any time. @param
 * number of it */
void
HandleSignal(int number)
{
    const int before = errno;
    for (const int each : SIGNALS)
    {
        signal(each, SIG_DFL);
    }
    g_signal = number;
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(g_file, &one, sizeof(one));
    errno = before;
}

} // namespace

StopSignals::StopSignals(PosixLoop& loop, Handler handler)
    : m_loop(loop),
      m_handler(std::move(handler)),
      m_file(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    m_watch = m_loop.Watch(m_file.Get(), EPOLLIN, *this);
    g_file = m_file.Get();
    for (const int each : SIGNALS)
    {
        struct sigaction before{};
        sigaction(each, nullptr, &before);
        if (before.sa_handler == SIG_IGN)
        {
            continue; // as under nohup
        }
        struct sigaction action{};
        action.sa_handler = &HandleSignal;
        action.sa_flags = SA_RESTART;
        sigaction(each, &action, nullptr);
    }
}

StopSignals::~StopSignals()
{
    for (const int each : SIGNALS)
    {
        struct sigaction present{};
        sigaction(each, nullptr, &present);
        if (present.sa_handler == &HandleSignal)
        {
            signal(each, SIG_DFL);
        }
    }
    g_file = -1;
    if (m_watch != 0)
    {
        m_loop.Unwatch(m_file.Get(), m_watch);
    }
}

int
StopSignals::GetSignal() const
{
    return g_signal;
}

void
StopSignals::HandleReady(Nanoseconds now, uint32_t /* events */)
{
    uint64_t count = 0;
    if (read(m_file.Get(), &count, sizeof(count)) == sizeof(count))
    {
        m_handler(now);
    }
}

} // namespace ns3::gridftp
