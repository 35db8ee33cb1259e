/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECORDED_CHANNELS_H
#define GRIDFTP_RECORDED_CHANNELS_H

#include "gridftp-recorded-host.h"

#include "ns3/gridftp-data-transfer-group.h"

#include <cstddef>
#include <functional>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * Hosts in memory for tests of one protocol interpreter. The test plays the other one.
 */

namespace ns3::gridftp
{

/// @param lines that end with LF @return the same with CR LF
inline std::string
WithReturns(const std::string& lines)
{
    std::string all;
    for (const char each : lines)
    {
        all += each == '\n' ? "\r\n" : std::string(1, each);
    }
    return all;
}

/// The hosts of a session.
struct RecordedChannels
{
    RecordedChannels()
    {
        sender.ended = receiver.ended = control.ended;
    }

    /// @return the same for the session
    ChannelHosts Get()
    {
        return {control, sender, receiver};
    }

    /// Does what is scheduled up to a time. @param until when
    void Run(Nanoseconds until)
    {
        control.Run(until);
        sender.Run(until);
        receiver.Run(until);
    }

    RecordedHost control;  ///< of control connections and timers
    RecordedHost sender;   ///< of data connections that send
    RecordedHost receiver; ///< of data connections that receive
};

/// The servers of all control connections. Each answers a line some time after it was sent.
class RecordedServers
{
  public:
    /// @param line of a client, without its end @return reply, without CR; empty: none yet
    using Answer = std::function<std::string(const std::string& line)>;

    /// @param host of the client's control connections
    explicit RecordedServers(RecordedHost& host)
        : m_host(host)
    {
    }

    /// @param line of a client @return what a server answers to it, up to a transfer
    static std::string AnswerUsual(const std::string& line)
    {
        const auto begins = [&line](const char* verb) { return line.starts_with(verb); };
        return begins("USER")                     ? "331 Password required.\n"
               : begins("PASS")                   ? "230 Logged in.\n"
               : begins("PASV")                   ? "227 Entering Passive Mode (10,1,2,9,4,1)\n"
               : begins("ESTO") || begins("ERET") ? "150 Beginning transfer.\n"
               : begins("QUIT")                   ? "221 Goodbye.\n"
                                                  : "200 Okay.\n";
    }

    /// Greets, and answers as long as there is something to answer. @param now the time, which
    /// passes @param delay of each answer @param answer to each line
    void Serve(Nanoseconds& now, Nanoseconds delay, const Answer& answer = AnswerUsual)
    {
        bool hasSaid = true;
        while (hasSaid)
        {
            hasSaid = false;
            for (size_t i = 0; i < m_host.streams.size(); ++i) // answers may open connections
            {
                hasSaid = Serve(i, now, delay, answer) || hasSaid;
            }
        }
    }

  private:
    /// @param index of a control connection @param now, delay, answer as above @return whether its
    /// server has said something
    bool Serve(size_t index, Nanoseconds& now, Nanoseconds delay, const Answer& answer)
    {
        RecordedStream& stream = *m_host.streams[index];
        std::string replies;
        if (index == m_greeted)
        {
            ++m_greeted;
            replies = "220 Ready.\n";
        }
        std::istringstream lines(stream.TakeText());
        std::string line;
        while (std::getline(lines, line))
        {
            replies += answer(line.substr(0, line.find('\r')));
        }
        if (!replies.empty())
        {
            now += delay;
            m_host.Run(now);
            stream.Hear(now, WithReturns(replies));
        }
        return !replies.empty();
    }

    RecordedHost& m_host; ///< of the client
    size_t m_greeted{0};  ///< connections
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECORDED_CHANNELS_H
