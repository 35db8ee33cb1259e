/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-program-process.h"

#include "gridftp-line-channel.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** The two ends of a pipe, closed with it; a program that is started has none but its own. */
class Pipe
{
  public:
    Pipe()
    {
        if (pipe2(m_ends, O_CLOEXEC) != 0)
        {
            m_ends[0] = m_ends[1] = -1;
        }
    }

    ~Pipe()
    {
        Close(0);
        Close(1);
    }

    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    /** @param end 0 to read from, 1 to write to @return it; below 0: there is no pipe */
    int Get(int end) const
    {
        return m_ends[end];
    }

    /** @param end that is not needed any more */
    void Close(int end)
    {
        if (m_ends[end] >= 0)
        {
            close(std::exchange(m_ends[end], -1));
        }
    }

  private:
    int m_ends[2]{-1, -1}; //!< to read from, to write to
};

/** Our part of a new process, up to the shell. @param parent that it is started by */
[[noreturn]] void
BecomeShell(pid_t parent, int in, int out, const std::string& command)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
    {
        std::signal(SIGPIPE, SIG_DFL);
        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    }
    _exit(127);
}

/** @param status of waitid() @return it for a person */
std::string
Describe(const siginfo_t& status)
{
    return status.si_code == CLD_EXITED ? " (exit status " + std::to_string(status.si_status) + ")"
                                        : " (signal " + std::to_string(status.si_status) + ")";
}

/** A program of its own, with pipes to and from it. */
class ProgramProcess final : public LineChannel
{
  public:
    /** @param pid of the process @param to its standard input @param from its standard output */
    ProgramProcess(pid_t pid, std::unique_ptr<Pipe> to, std::unique_ptr<Pipe> from, int64_t timeout)
        : LineChannel(from->Get(0), to->Get(1), timeout),
          m_pid(pid),
          m_to(std::move(to)),
          m_from(std::move(from))
    {
    }

    ~ProgramProcess() override
    {
        m_to->Close(1);
        AwaitEnd();
        kill(-m_pid, SIGKILL); // it, or what it has left behind
        while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR)
        {
        }
    }

    Expected<std::string> Ask(const std::string& line) override
    {
        auto answer = LineChannel::Ask(line);
        if (!answer)
        {
            kill(-m_pid, SIGKILL);
        }
        return answer;
    }

  protected:
    std::string TellEnd() override
    {
        m_to->Close(1); // it says no more: so it is to end, too
        const auto status = AwaitEnd();
        return status ? Describe(*status) : " (still running)";
    }

  private:
    /** Waits for its end as long as for an answer, and leaves it for waitpid(), so that its number
     * stays its own. @return how it has ended; nothing: it has not */
    std::optional<siginfo_t> AwaitEnd() const
    {
        using namespace std::chrono;
        const auto until = steady_clock::now() + nanoseconds(GetTimeout());
        constexpr auto LONGEST_NAP = milliseconds(20);
        for (nanoseconds nap = microseconds(100);;
             nap = std::min<nanoseconds>(2 * nap, LONGEST_NAP))
        {
            siginfo_t status{};
            const auto id = static_cast<id_t>(m_pid);
            if (waitid(P_PID, id, &status, WEXITED | WNOHANG | WNOWAIT) != 0)
            {
                return std::nullopt;
            }
            if (status.si_pid == m_pid)
            {
                return status;
            }
            if (steady_clock::now() >= until)
            {
                return std::nullopt;
            }
            std::this_thread::sleep_for(nap);
        }
    }

    pid_t m_pid;                  //!< of the shell, or of what it has become; of its group, too
    std::unique_ptr<Pipe> m_to;   //!< its standard input
    std::unique_ptr<Pipe> m_from; //!< its standard output
};

} // namespace

Expected<std::unique_ptr<ExternalProgram>>
StartExternalProgram(const std::string& command, int64_t timeoutNs)
{
    if (command == EXTERNAL_SELF)
    {
        return std::unique_ptr<ExternalProgram>(
            std::make_unique<LineChannel>(STDIN_FILENO, STDOUT_FILENO, timeoutNs));
    }
    auto to = std::make_unique<Pipe>();
    auto from = std::make_unique<Pipe>();
    const pid_t parent = getpid();
    const pid_t pid = to->Get(0) < 0 || from->Get(0) < 0 ? -1 : fork();
    if (pid < 0)
    {
        return Error{"cannot be started: " + std::string(std::strerror(errno))};
    }
    if (pid == 0)
    {
        BecomeShell(parent, to->Get(0), from->Get(1), command);
    }
    setpgid(pid, pid); // whichever of us comes first
    to->Close(0);
    from->Close(1);
    return std::unique_ptr<ExternalProgram>(
        std::make_unique<ProgramProcess>(pid, std::move(to), std::move(from), timeoutNs));
}

} // namespace ns3::gridftp
