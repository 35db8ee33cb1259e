/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * One LinuxSocket that obeys commands, for tests: `./gridftp test --packetdrill` runs scripts on
 * it.
 *
 * Reads a command per line from standard input; time is virtual and starts at 0. Answers each one
 * with a line per segment that leaves and per event of the socket, then `ok NS`, the current time,
 * or `refused REASON`. Commands, with bytes, segments and ns as decimal numbers:
 *
 *     set NAME VALUE...     a sysctl without `net.ipv4.`, or an option of socket or route
 *     listen | connect      make the socket; once, all settings before it
 *     run NS                advance to a time; timers that expire at that very time wait
 *     wait NS               the same, but stop as soon as a segment leaves
 *     segment KEY=VALUE...  a segment arrives; the keys are those of the line `sent`
 *     write N | read N | close | abort | nodelay 0|1
 *     info                  one line: variables by their names in the kernel's struct tcp_info
 *
 * Exit status: 0 at the end of the input, 2 where there are arguments.
 */

#include "gridftp-drill-settings.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-linux-socket.h"
#include "gridftp-program.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-linux-drill";

constexpr Nanoseconds US = 1000;

using Words = std::vector<std::string>;

std::optional<uint64_t>
ParseNumber(std::string_view text)
{
    uint64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = result.ec == std::errc() && result.ptr == text.data() + text.size();
    return isWhole ? std::optional(value) : std::nullopt;
}

/** States of a LinuxSocket as the kernel counts them (include/net/tcp_states.h). */
constexpr std::array<uint64_t, 11> STATES{7, 10, 2, 3, 1, 4, 5, 8, 11, 9, 6};

/** Flags by their letters in a script of packetdrill. */
constexpr std::array<std::pair<char, uint8_t>, 7> FLAGS{{{'S', LinuxSegment::SYN},
                                                         {'F', LinuxSegment::FIN},
                                                         {'R', LinuxSegment::RST},
                                                         {'P', LinuxSegment::PSH},
                                                         {'E', LinuxSegment::ECE},
                                                         {'W', LinuxSegment::CWR},
                                                         {'.', LinuxSegment::ACK}}};

/** @param text such as 1:1001,2001:3001 @param[out] segment gets them @return why not, or empty */
Refusal
ParseBlocks(const std::string& text, LinuxSegment& segment)
{
    std::istringstream blocks(text);
    for (std::string block; std::getline(blocks, block, ',');)
    {
        const auto colon = std::min(block.find(':'), block.size());
        const auto start = ParseNumber(std::string_view(block).substr(0, colon));
        const auto end =
            ParseNumber(std::string_view(block).substr(std::min(colon + 1, block.size())));
        if (!start || !end || segment.blocks == LinuxSegment::MOST_BLOCKS)
        {
            return "sack=" + text + " is not START:END,... of at most 4 blocks";
        }
        segment.sack[segment.blocks++] = {*start, *end};
    }
    return {};
}

Refusal
ParseField(const std::string& key, const std::string& text, LinuxSegment& segment)
{
    if (key == "flags")
    {
        for (const char letter : text)
        {
            const auto found = std::find_if(FLAGS.begin(), FLAGS.end(), [letter](const auto& flag) {
                return flag.first == letter;
            });
            if (found == FLAGS.end())
            {
                return "flag '" + std::string(1, letter) + "' is not modelled";
            }
            segment.flags |= found->second;
        }
        return {};
    }
    if (key == "sack")
    {
        return ParseBlocks(text, segment);
    }
    const auto value = ParseNumber(text);
    if (!value)
    {
        return key + "=" + text + " is not a number";
    }
    const std::map<std::string_view, uint64_t*> positions{{"seq", &segment.seq},
                                                          {"ack", &segment.ack},
                                                          {"window", &segment.window}};
    const std::map<std::string_view, uint32_t*> numbers{{"size", &segment.size},
                                                        {"mss", &segment.mss},
                                                        {"tsval", &segment.tsVal},
                                                        {"tsecr", &segment.tsEcr}};
    const std::map<std::string_view, bool*> marks{{"ect", &segment.isEct},
                                                  {"ce", &segment.isCe},
                                                  {"sackok", &segment.hasSack},
                                                  {"ts", &segment.hasTimestamp}};
    if (const auto found = positions.find(key); found != positions.end())
    {
        *found->second = *value;
    }
    else if (const auto number = numbers.find(key); number != numbers.end())
    {
        *number->second = static_cast<uint32_t>(*value);
    }
    else if (const auto mark = marks.find(key); mark != marks.end())
    {
        *mark->second = *value != 0;
    }
    else
    {
        return "'" + key + "' is no field of a segment";
    }
    return {};
}

/** The socket and its virtual time. */
class Drill final : public LinuxSocket::Port
{
  public:
    /** Obeys a command. @param words of it @return why not, or empty */
    Refusal Obey(const Words& words);

    Nanoseconds GetNow() const
    {
        return m_now;
    }

  private:
    void Send(LinuxSocket& socket, const LinuxSegment& segment) override;
    void HandleDeadline(LinuxSocket& socket) override;
    void HandleConnected(LinuxSocket& socket, Nanoseconds now) override;
    void HandleReadable(LinuxSocket& socket, Nanoseconds now) override;
    void HandleAcknowledged(LinuxSocket& socket, Nanoseconds now) override;
    void HandleFailed(LinuxSocket& socket, Nanoseconds now, LinuxSocket::Failure failure) override;
    void HandleWindow(const LinuxSocket& socket, Nanoseconds now) override;

    Refusal Set(const Words& words);
    Refusal SetCongestion(const std::string& name);
    Refusal Make(bool connects);
    Refusal Advance(Nanoseconds until, bool stopsAtSegment);
    Refusal Receive(const Words& words);
    Refusal Act(const std::string& command, uint64_t number);
    void PrintInfo() const;

    LinuxSettings m_settings;
    uint64_t m_ecn{0}; //!< tcp_ecn
    std::unique_ptr<LinuxSocket> m_socket;
    Nanoseconds m_now{0};
    bool m_hasSent{false}; //!< a segment has left during the command
};

Refusal
Drill::Obey(const Words& words)
{
    const std::string& command = words[0];
    m_hasSent = false;
    if (command == "set")
    {
        return Set(words);
    }
    if (command == "listen" || command == "connect")
    {
        return m_socket ? "there is a socket already" : Make(command == "connect");
    }
    if (!m_socket && command != "run")
    {
        return "there is no socket: listen or connect comes first";
    }
    if (command == "segment")
    {
        return Receive(words);
    }
    const auto number = words.size() > 1 ? ParseNumber(words[1]) : uint64_t{0};
    if (!number)
    {
        return "'" + words[1] + "' is not a number";
    }
    if (command == "run" || command == "wait")
    {
        return Advance(static_cast<Nanoseconds>(*number), command == "wait");
    }
    return Act(command, *number);
}

Refusal
Drill::Set(const Words& words)
{
    if (words.size() < 3)
    {
        return "set takes a name and a value";
    }
    if (words[1] == "tcp_congestion_control")
    {
        return SetCongestion(words[2]);
    }
    std::vector<uint64_t> values;
    for (std::size_t i = 2; i < words.size(); ++i)
    {
        const auto value = ParseNumber(words[i]);
        if (!value)
        {
            return words[1] + ": '" + words[i] + "' is not a number";
        }
        values.push_back(*value);
    }
    if (words[1] == "tcp_ecn")
    {
        m_ecn = values[0];
        return m_ecn <= 2 ? Refusal{} : "tcp_ecn: accurate ECN is not modelled";
    }
    const auto refusal = ApplyDrillSetting(m_settings, words[1], values);
    return refusal.empty() ? refusal : words[1] + ": " + refusal;
}

Refusal
Drill::SetCongestion(const std::string& name)
{
    const auto* kind = FindLinuxCongestionKind(name);
    if (!kind)
    {
        return "congestion control '" + name + "' is not modelled";
    }
    m_settings.congestion = kind;
    return {};
}

Refusal
Drill::Make(bool connects)
{
    if (!m_settings.congestion)
    {
        m_settings.congestion = &GetLinuxCongestionKinds().front();
    }
    // 2: grants ECN, and does not ask for it
    m_settings.ecn = connects ? m_ecn == 1 : m_ecn != 0;
    m_socket = std::make_unique<LinuxSocket>(m_settings, *this);
    m_socket->SetNoDelay(false);
    if (connects)
    {
        m_socket->Connect(m_now);
    }
    else
    {
        m_socket->Listen();
    }
    return {};
}

Refusal
Drill::Advance(Nanoseconds until, bool stopsAtSegment)
{
    while (m_socket && m_socket->GetDeadline() < until && !(stopsAtSegment && m_hasSent))
    {
        m_now = std::max(m_now, m_socket->GetDeadline());
        m_socket->HandleTimer(m_now);
    }
    m_now = stopsAtSegment && m_hasSent ? m_now : std::max(m_now, until);
    return {};
}

Refusal
Drill::Receive(const Words& words)
{
    LinuxSegment segment;
    for (std::size_t i = 1; i < words.size(); ++i)
    {
        const auto equals = std::min(words[i].find('='), words[i].size());
        const std::string text = words[i].substr(std::min(equals + 1, words[i].size()));
        if (const auto refusal = ParseField(words[i].substr(0, equals), text, segment);
            !refusal.empty())
        {
            return refusal;
        }
    }
    m_socket->Receive(m_now, segment);
    return {};
}

Refusal
Drill::Act(const std::string& command, uint64_t number)
{
    if (command == "write")
    {
        m_socket->Write(m_now, number);
    }
    else if (command == "read" && number > m_socket->GetReadable())
    {
        return "only " + std::to_string(m_socket->GetReadable()) + " bytes can be read";
    }
    else if (command == "read")
    {
        m_socket->Read(m_now, number);
    }
    else if (command == "close")
    {
        m_socket->Close(m_now);
    }
    else if (command == "abort")
    {
        m_socket->Abort(m_now);
    }
    else if (command == "nodelay")
    {
        m_socket->SetNoDelay(number != 0);
    }
    else if (command == "info")
    {
        PrintInfo();
    }
    else
    {
        return "'" + command + "' is no command";
    }
    return {};
}

void
Drill::PrintInfo() const
{
    const auto& sender = m_socket->GetSender();
    const auto& receiver = m_socket->GetReceiver();
    const LinuxWindow& window = sender.GetWindow();
    const std::vector<std::pair<std::string_view, uint64_t>> values{
        {"tcpi_state", STATES[static_cast<std::size_t>(m_socket->GetState())]},
        {"tcpi_ca_state", static_cast<uint64_t>(window.state)},
        {"tcpi_rto", static_cast<uint64_t>(sender.GetRto() / US)},
        {"tcpi_snd_mss", window.mss},
        {"tcpi_advmss", m_settings.mss},
        {"tcpi_unacked", window.packetsOut},
        {"tcpi_sacked", window.sackedOut},
        {"tcpi_lost", window.lostOut},
        {"tcpi_retrans", window.retransOut},
        {"tcpi_rtt", window.srttUs8 / 8},
        {"tcpi_snd_ssthresh", window.ssthresh},
        {"tcpi_snd_cwnd", window.cwnd},
        {"tcpi_reordering", sender.GetReordering()},
        {"tcpi_total_retrans", sender.GetCounts().retransmissions},
        {"tcpi_min_rtt", window.minRttUs},
        {"tcpi_delivered", window.delivered},
        {"tcpi_delivered_ce", window.deliveredCe},
        {"tcpi_bytes_acked", m_socket->GetAcknowledged()},
        {"tcpi_bytes_received", m_socket->GetReceived()},
        {"tcpi_snd_wnd", sender.GetPeerWindow()},
        {"tcpi_rcv_wnd", receiver.GetWindow()},
        {"tcpi_total_rto", sender.GetCounts().timeouts},
    };
    std::cout << "info readable=" << m_socket->GetReadable() << " fin=" << receiver.HasFin()
              << " writable=" << m_socket->GetWritable();
    for (const auto& [name, value] : values)
    {
        std::cout << ' ' << name << '=' << value;
    }
    std::cout << '\n';
}

void
Drill::Send(LinuxSocket&, const LinuxSegment& segment)
{
    m_hasSent = true;
    std::cout << "sent time=" << m_now << " flags=";
    for (const auto& [letter, flag] : FLAGS)
    {
        if (segment.Has(flag))
        {
            std::cout << letter;
        }
    }
    std::cout << " seq=" << segment.seq << " size=" << segment.size << " ack=" << segment.ack
              << " window=" << segment.window << " ect=" << segment.isEct << " ce=" << segment.isCe;
    if (segment.Has(LinuxSegment::SYN))
    {
        std::cout << " mss=" << segment.mss << " sackok=" << segment.hasSack;
    }
    if (segment.hasTimestamp)
    {
        std::cout << " ts=1 tsval=" << segment.tsVal << " tsecr=" << segment.tsEcr;
    }
    for (uint8_t i = 0; i < segment.blocks; ++i)
    {
        std::cout << (i == 0 ? " sack=" : ",") << segment.sack[i].start << ':'
                  << segment.sack[i].end;
    }
    std::cout << '\n';
}

void
Drill::HandleDeadline(LinuxSocket&)
{
    // Advance() asks for the deadline
}

void
Drill::HandleConnected(LinuxSocket&, Nanoseconds now)
{
    std::cout << "connected " << now << '\n';
}

void
Drill::HandleReadable(LinuxSocket&, Nanoseconds now)
{
    std::cout << "readable " << now << '\n';
}

void
Drill::HandleAcknowledged(LinuxSocket&, Nanoseconds)
{
}

void
Drill::HandleFailed(LinuxSocket&, Nanoseconds now, LinuxSocket::Failure failure)
{
    constexpr std::array<std::string_view, 3> NAMES{"ECONNREFUSED", "ETIMEDOUT", "ECONNRESET"};
    std::cout << "failed " << now << ' ' << NAMES[static_cast<std::size_t>(failure)] << '\n';
}

void
Drill::HandleWindow(const LinuxSocket&, Nanoseconds)
{
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc > 1)
    {
        return Refuse(PROGRAM,
                      {"'" + std::string(argv[1]) + "' is too much; allowed: no argument"});
    }
    Drill drill;
    for (std::string line; std::getline(std::cin, line);)
    {
        std::istringstream stream(line);
        Words words;
        for (std::string word; stream >> word;)
        {
            words.push_back(word);
        }
        if (words.empty())
        {
            continue;
        }
        const Refusal refusal = drill.Obey(words);
        if (refusal.empty())
        {
            std::cout << "ok " << drill.GetNow() << std::endl;
        }
        else
        {
            std::cout << "refused " << refusal << std::endl;
        }
    }
    return 0;
}
