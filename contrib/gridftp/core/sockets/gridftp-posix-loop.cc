/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <sys/epoll.h>

namespace ns3::gridftp
{

PosixLoop::PosixLoop()
    : m_epoll(epoll_create1(EPOLL_CLOEXEC))
{
    if (!m_epoll.IsOpen())
    {
        m_error = std::string("epoll_create1: ") + strerror(errno);
    }
    m_beginNs = ReadClock();
}

Nanoseconds
PosixLoop::ReadClock() const
{
    constexpr Nanoseconds SECOND = 1'000'000'000;
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<Nanoseconds>(now.tv_sec) * SECOND + now.tv_nsec - m_beginNs;
}

Nanoseconds
PosixLoop::GetNow() const
{
    return m_isRunning ? m_now : std::max(m_now, ReadClock());
}

void
PosixLoop::Schedule(Nanoseconds at, EventTarget& target, uint32_t id, const void* owner)
{
    m_timers.emplace(std::pair(std::max(at, GetNow()), m_next++), Timer{&target, id, owner});
}

void
PosixLoop::Drop(const void* owner)
{
    std::erase_if(m_timers, [owner](const auto& timer) { return timer.second.owner == owner; });
}

uint64_t
PosixLoop::Watch(int file, uint32_t events, PosixWatcher& watcher)
{
    epoll_event event{.events = events, .data = {.u64 = m_next}};
    if (epoll_ctl(m_epoll.Get(), EPOLL_CTL_ADD, file, &event) != 0)
    {
        return 0;
    }
    m_watchers.emplace(m_next, &watcher);
    return m_next++;
}

void
PosixLoop::Change(int file, uint64_t serial, uint32_t events)
{
    epoll_event event{.events = events, .data = {.u64 = serial}};
    epoll_ctl(m_epoll.Get(), EPOLL_CTL_MOD, file, &event);
}

void
PosixLoop::Unwatch(int file, uint64_t serial)
{
    if (m_watchers.erase(serial) > 0)
    {
        epoll_ctl(m_epoll.Get(), EPOLL_CTL_DEL, file, nullptr);
    }
}

void
PosixLoop::AdvanceTo(Nanoseconds until)
{
    while (!m_isStopped && !m_timers.empty() && m_timers.begin()->first.first <= until)
    {
        const auto first = m_timers.begin();
        const Timer timer = first->second;
        m_now = first->first.first;
        m_timers.erase(first);
        timer.target->HandleEvent(m_now, timer.id);
    }
    if (!m_isStopped)
    {
        m_now = std::max(m_now, until);
    }
}

int
PosixLoop::GetTimeoutMs() const
{
    if (m_timers.empty())
    {
        return -1;
    }
    constexpr Nanoseconds MILLISECOND = 1'000'000;
    const Nanoseconds left = std::max<Nanoseconds>(m_timers.begin()->first.first - ReadClock(), 0);
    // Rounded up: a timer must not be early
    return static_cast<int>(
        std::min<Nanoseconds>(left / MILLISECOND + (left % MILLISECOND > 0 ? 1 : 0), INT_MAX));
}

void
PosixLoop::Run()
{
    constexpr size_t BATCH = 64;
    std::array<epoll_event, BATCH> events{};
    m_now = GetNow();
    m_isRunning = true;
    m_isStopped = false;
    AdvanceTo(ReadClock());
    while (!m_isStopped && (!m_timers.empty() || !m_watchers.empty()))
    {
        const int count = epoll_wait(m_epoll.Get(), events.data(), BATCH, GetTimeoutMs());
        if (count < 0 && errno != EINTR)
        {
            m_error = std::string("epoll_wait: ") + strerror(errno);
            break;
        }
        for (int i = 0; i < count && !m_isStopped; ++i)
        {
            AdvanceTo(ReadClock());
            // A callback may have ended this watch, and even begun another of the same descriptor
            const auto found = m_watchers.find(events.at(i).data.u64);
            if (!m_isStopped && found != m_watchers.end())
            {
                ++m_reports;
                found->second->HandleReady(m_now, events.at(i).events);
            }
        }
        AdvanceTo(ReadClock());
    }
    m_isRunning = false;
}

} // namespace ns3::gridftp
