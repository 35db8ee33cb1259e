/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-line-channel.h"

#include "gridftp-quantity.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace ns3::gridftp
{

namespace
{

/** @return wall time, ns */
int64_t
GetWallNs()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/** Waits for a file. @param events of poll() @param untilNs until when @return whether it is ready,
 * or broken, which the next call tells */
bool
Await(int file, short events, int64_t untilNs)
{
    while (true)
    {
        constexpr int64_t MILLISECOND = 1'000'000;
        const int64_t left = std::clamp<int64_t>(untilNs - GetWallNs(), 0, INT_MAX * MILLISECOND);
        pollfd one{.fd = file, .events = events, .revents = 0};
        const int ready = poll(&one, 1, static_cast<int>((left + MILLISECOND - 1) / MILLISECOND));
        if (ready >= 0 || errno != EINTR)
        {
            return ready > 0;
        }
    }
}

/**
 * Writes to somebody who may be gone, without the signal that would end us. What others do about
 * SIGPIPE, and a signal of theirs that waits, stay as they are.
 */
ssize_t
WriteQuietly(int file, const char* begin, size_t bytes)
{
    sigset_t pipe;
    sigset_t before;
    sigset_t waiting;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const ssize_t written = write(file, begin, bytes);
    const int failure = written < 0 ? errno : 0;
    if (failure == EPIPE && sigismember(&waiting, SIGPIPE) == 0)
    {
        const timespec atOnce{};
        while (sigtimedwait(&pipe, nullptr, &atOnce) < 0 && errno == EINTR)
        {
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = failure;
    return written;
}

} // namespace

Expected<std::string>
LineChannel::Ask(const std::string& line)
{
    if (m_said.empty() && Await(m_in, POLLIN, 0))
    {
        std::array<char, LONGEST> part{};
        const ssize_t size = read(m_in, part.data(), part.size());
        m_said.assign(part.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
    }
    if (!m_said.empty())
    {
        return Error{"sent '" + Printable(m_said) + "' without a request"};
    }
    const int64_t until = GetWallNs() + m_timeoutNs;
    if (const auto written = Write(line + "\n", until); !written)
    {
        return written.GetError();
    }
    return Read(until);
}

Done
LineChannel::Write(const std::string& text, int64_t untilNs)
{
    for (size_t at = 0; at < text.size();)
    {
        if (!Await(m_out, POLLOUT, untilNs))
        {
            return MakeTimeout();
        }
        // So much fits into a pipe that is ready; more might wait for a reader
        const size_t bytes = std::min<size_t>(text.size() - at, _POSIX_PIPE_BUF);
        const ssize_t written = WriteQuietly(m_out, text.data() + at, bytes);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
        {
            return errno == EPIPE ? MakeEnd()
                                  : Error{"cannot be reached: " + std::string(strerror(errno))};
        }
        at += static_cast<size_t>(std::max<ssize_t>(written, 0));
    }
    return std::monostate{};
}

Expected<std::string>
LineChannel::Read(int64_t untilNs)
{
    size_t end = m_said.find('\n');
    while (end == m_said.npos)
    {
        if (m_said.size() > LONGEST)
        {
            return Error{"answered '" + Printable(m_said) + "', which is not a line of up to " +
                         std::to_string(LONGEST) + " bytes"};
        }
        if (!Await(m_in, POLLIN, untilNs))
        {
            return MakeTimeout();
        }
        std::array<char, LONGEST> part{};
        const ssize_t size = read(m_in, part.data(), part.size());
        if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN))
        {
            return MakeEnd();
        }
        m_said.append(part.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
        end = m_said.find('\n');
    }
    std::string line = m_said.substr(0, end);
    m_said.erase(0, end + 1);
    return line;
}

Error
LineChannel::MakeTimeout() const
{
    return {"gave no answer within " + FormatWhole(m_timeoutNs, Dimension::TIME) +
            (m_said.empty() ? "" : ", but '" + Printable(m_said) + "' without a newline")};
}

Error
LineChannel::MakeEnd()
{
    return {"ended without an answer" +
            (m_said.empty() ? "" : ", but '" + Printable(m_said) + "' without a newline") +
            TellEnd()};
}

} // namespace ns3::gridftp
