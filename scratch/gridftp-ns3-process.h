/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_PROCESS_H
#define GRIDFTP_NS3_PROCESS_H

#include "gridftp-expected.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::gridftp
{

/** @ingroup gridftp @return the program of engine ns3, which is beside this one */
inline std::string
FindNs3Program()
{
    std::error_code failure;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", failure);
    return (self.parent_path() / "gridftp-transfer-ns3").string();
}

/**
 * @ingroup gridftp
 * Turns this process into the program of engine ns3; so what starts at once stays free of ns-3's
 * libraries.
 *
 * @param argv as main() has it
 * @return why that fails
 */
inline Error
BecomeNs3Program(char* argv[])
{
    const std::string program = FindNs3Program();
    execv(program.c_str(), argv);
    return Error{"engine ns3 cannot be started: " + program + ": " + std::strerror(errno)};
}

/**
 * @ingroup gridftp
 * The program of engine ns3 beside this one, for the lines of a batch that ask for it.
 */
class Ns3Process
{
  public:
    Ns3Process() = default;

    ~Ns3Process()
    {
        if (m_pid > 0)
        {
            std::fclose(m_in);
            std::fclose(m_out);
            waitpid(m_pid, nullptr, 0);
        }
    }

    Ns3Process(const Ns3Process&) = delete;
    Ns3Process& operator=(const Ns3Process&) = delete;

    /**
     * Has a line answered.
     * @param number of the line in the batch, from 1; each call's is larger than the last one's
     * @param line the line
     * @return the answer, or that there is none
     */
    Expected<std::string> Answer(size_t number, const std::string& line)
    {
        if (m_pid <= 0)
        {
            Start();
        }
        // It counts empty lines, too, so that the numbers in its errors are those of the batch
        const std::string text = std::string(number - m_sent - 1, '\n') + line + '\n';
        m_sent = number;
        char* answer = nullptr;
        size_t room = 0;
        ssize_t size = -1;
        if (m_pid > 0 && std::fputs(text.c_str(), m_in) >= 0 && std::fflush(m_in) == 0)
        {
            size = getline(&answer, &room, m_out);
        }
        std::string whole(answer ? answer : "", size > 0 ? static_cast<size_t>(size) - 1 : 0);
        std::free(answer);
        if (size <= 0)
        {
            return Error{"engine ns3 did not answer: " + FindNs3Program()};
        }
        return whole;
    }

  private:
    /** Starts it, with a pipe to it and one from it. */
    void Start()
    {
        int in[2];
        int out[2];
        if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        {
            return;
        }
        std::signal(SIGPIPE, SIG_IGN); // an answer that does not come says enough
        m_pid = fork();
        if (m_pid == 0)
        {
            dup2(in[0], STDIN_FILENO);
            dup2(out[1], STDOUT_FILENO);
            for (const int file : {in[0], in[1], out[0], out[1]})
            {
                close(file);
            }
            const std::string program = FindNs3Program();
            execl(program.c_str(), program.c_str(), "--batch=-", nullptr);
            _exit(127);
        }
        close(in[0]);
        close(out[1]);
        m_in = fdopen(in[1], "w");
        m_out = fdopen(out[0], "r");
    }

    pid_t m_pid{0};       //!< of the process; 0: none
    FILE* m_in{nullptr};  //!< its standard input
    FILE* m_out{nullptr}; //!< its standard output
    size_t m_sent{0};     //!< lines that it has got
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_PROCESS_H
