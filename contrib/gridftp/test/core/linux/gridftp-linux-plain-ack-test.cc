/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-linux-socket.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What two sockets and the path between them are like.
struct PairSettings
{
    LinuxSettings host{};      //!< of both
    Nanoseconds perSegment{0}; //!< transmission time of a segment with data
    Nanoseconds delay{0};      //!< one way
    size_t queue{0};           //!< segments that wait for the link at most
    uint64_t lossPercent{0};   //!< random loss of data
    uint64_t bytes{0};         //!< to be sent
    bool marksAcks{false};     //!< ACKs carry ECE, which means nothing without ECN
};

/// One segment with data: time, position, size.
using SentData = std::tuple<Nanoseconds, uint64_t, uint32_t>;

/// Two LinuxSockets, the first of which sends data over a link with a queue.
class SocketPair : private LinuxSocket::Port
{
  public:
    /// @param settings of the pair @param seed of losses
    SocketPair(const PairSettings& settings, uint64_t seed)
        : m_settings(settings),
          m_losses(seed),
          m_sender(settings.host, *this, 1),
          m_receiver(settings.host, *this, 2)
    {
    }

    /// Sends all bytes. @return each segment with data as it was sent
    std::vector<SentData> Run()
    {
        constexpr uint32_t MOST_EVENTS = 1'000'000;
        m_receiver.Listen();
        m_sender.Connect(0);
        m_sender.Write(0, m_settings.bytes);
        for (uint32_t i = 0; i < MOST_EVENTS && GetReceived() < m_settings.bytes; ++i)
        {
            Step();
        }
        return m_sent;
    }

    /// @return bytes that have arrived in order
    uint64_t GetReceived() const
    {
        return m_receiver.GetReceived();
    }

    /// @return the sender at the end
    const LinuxSender& GetSender() const
    {
        return m_sender.GetSender();
    }

  private:
    /// The next segment arrives, or a timer expires.
    void Step()
    {
        const Nanoseconds timer = std::min(m_sender.GetDeadline(), m_receiver.GetDeadline());
        const Nanoseconds arrival =
            m_flying.empty() ? LinuxReceiver::NEVER : m_flying.begin()->first;
        if (timer < arrival)
        {
            m_now = timer;
            (m_sender.GetDeadline() == timer ? m_sender : m_receiver).HandleTimer(timer);
            return;
        }
        m_now = arrival;
        const auto [socket, segment] = m_flying.begin()->second;
        m_flying.erase(m_flying.begin());
        socket->Receive(arrival, segment);
    }

    void Send(LinuxSocket& socket, const LinuxSegment& segment) override
    {
        LinuxSegment copy;
        copy.Copy(segment);
        if (&socket == &m_receiver)
        {
            copy.flags |= m_settings.marksAcks ? LinuxSegment::ECE : 0;
            m_flying.insert({m_now + m_settings.delay, {&m_sender, copy}});
            return;
        }
        if (segment.size > 0)
        {
            m_sent.emplace_back(m_now, segment.seq, segment.size);
            if (m_losses.Below(100) < m_settings.lossPercent)
            {
                return;
            }
        }
        const Nanoseconds free = std::max(m_free, m_now);
        const Nanoseconds length = segment.size > 0 ? m_settings.perSegment : 0;
        if (free - m_now > static_cast<Nanoseconds>(m_settings.queue) * m_settings.perSegment)
        {
            return; // the queue is full
        }
        m_free = free + length;
        m_flying.insert({m_free + m_settings.delay, {&m_receiver, copy}});
    }

    void HandleDeadline(LinuxSocket& /* socket */) override
    {
    }

    void HandleConnected(LinuxSocket& /* socket */, Nanoseconds /* now */) override
    {
    }

    void HandleReadable(LinuxSocket& socket, Nanoseconds now) override
    {
        socket.Read(now, socket.GetReadable());
    }

    void HandleAcknowledged(LinuxSocket& /* socket */, Nanoseconds /* now */) override
    {
    }

    void HandleFailed(LinuxSocket& /* socket */,
                      Nanoseconds /* now */,
                      LinuxSocket::Failure /* failure */) override
    {
    }

    void HandleWindow(const LinuxSocket& /* socket */, Nanoseconds /* now */) override
    {
    }

    PairSettings m_settings; //!< of the pair
    Draw m_losses;           //!< random losses
    LinuxSocket m_sender;    //!< sends data
    LinuxSocket m_receiver;  //!< receives them
    Nanoseconds m_now{0};    //!< current time
    Nanoseconds m_free{0};   //!< the link is idle
    std::multimap<Nanoseconds, std::pair<LinuxSocket*, LinuxSegment>> m_flying; //!< on their way
    std::vector<SentData> m_sent;                                               //!< with data
};

/// An ACK that carries ECE without ECN means the same, but LinuxSender::IsPlain() does not hold.
class LinuxPlainAckTest : public TestCase
{
  public:
    LinuxPlainAckTest()
        : TestCase("Linux sender: the fast path of ACKs changes nothing")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t resent = 0;
        for (uint64_t seed = 0; seed < 40; ++seed)
        {
            Draw draw(seed);
            PairSettings settings = DrawSettings(draw);
            SocketPair plain(settings, seed);
            const auto sent = plain.Run();
            settings.marksAcks = true;
            SocketPair general(settings, seed);
            NS_TEST_ASSERT_MSG_EQ((general.Run() == sent), true, seed);
            NS_TEST_ASSERT_MSG_EQ(plain.GetReceived(), settings.bytes, seed);
            NS_TEST_EXPECT_MSG_EQ(plain.GetSender().GetRto(), general.GetSender().GetRto(), seed);
            NS_TEST_EXPECT_MSG_EQ(plain.GetSender().GetSendBuffer(),
                                  general.GetSender().GetSendBuffer(),
                                  seed);
            resent += plain.GetSender().GetCounts().retransmissions;
        }
        NS_TEST_EXPECT_MSG_GT(resent, 500, "there are losses");
    }

    /// @param draw random numbers @return settings of a pair
    static PairSettings DrawSettings(Draw& draw)
    {
        const auto kinds = GetLinuxCongestionKinds();
        PairSettings settings;
        settings.host.congestion = &kinds[draw.Below(kinds.size())];
        settings.host.congestionParameters.hz = 250;
        settings.host.tlp = draw.Below(4) > 0;
        settings.host.timestamps = draw.Below(4) > 0;
        settings.host.acknowledgesAll = draw.Below(4) == 0;
        settings.host.paces = draw.Below(4) == 0;
        settings.host.fixedSendBuffer = draw.Below(3) == 0 ? 100'000 : 0;
        settings.host.fixedReceiveBuffer = draw.Below(3) == 0 ? 60'000 : 0;
        settings.perSegment = draw.Between(20, 2000) * 1000;
        settings.delay = draw.Between(1, 40) * LINUX_MS;
        settings.queue = static_cast<size_t>(draw.Between(5, 100));
        settings.lossPercent = draw.Below(3) == 0 ? draw.Below(3) : 0;
        settings.bytes = static_cast<uint64_t>(draw.Between(50, 3000)) * 1000;
        return settings;
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxPlainAckTest}; });

} // namespace
