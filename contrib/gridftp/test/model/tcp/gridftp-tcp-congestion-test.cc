/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-control.h"
#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-socket-state.h"

#include <functional>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint32_t SEGMENT = 1460;

/// A window that only a congestion control moves.
class Window : public CongestionWindow
{
  public:
    Window()
        : CongestionWindow(SEGMENT)
    {
    }

  private:
    void HandleWindowChange() override
    {
    }
};

/// One connection's congestion control and ns-3's, which are told the same.
class Twins
{
  public:
    /// @param kind which @param seed of what happens
    Twins(const CongestionControlKind& kind, uint64_t seed)
        : m_draw(seed),
          m_ours(kind.make()),
          m_rttNs(m_draw.Between(1'000'000, 200'000'000)),
          m_gapNs(m_draw.Between(10'000, 20'000'000))
    {
        ObjectFactory factory;
        factory.SetTypeId(std::string(kind.ns3Type));
        m_theirs = factory.Create<TcpCongestionOps>();
        m_state = CreateObject<TcpSocketState>();
        m_state->m_segmentSize = SEGMENT;
        m_state->m_ssThresh = static_cast<uint32_t>(CongestionWindow::NO_SSTHRESH);
        m_theirs->Init(m_state);
        m_ours->HandleOpen(Simulator::Now().GetNanoSeconds());
        Set(2 * SEGMENT);
    }

    /// Something happens. @return when the next thing will, ns from now
    int64_t Step()
    {
        const uint64_t what = m_draw.Below(1000);
        Estimate();
        if (what < 940)
        {
            Acknowledge();
        }
        else if (what < 980)
        {
            Hear(1); // a duplicate ACK
        }
        else
        {
            Lose(what >= 997);
        }
        return m_draw.Between(m_gapNs / 2, m_gapNs);
    }

    /// @return whether both have the same windows
    bool AreEqual() const
    {
        return m_window.GetCwnd() == m_state->m_cWnd &&
               m_window.GetSsthresh() == m_state->m_ssThresh;
    }

    /// @return both, to read
    std::string Show() const
    {
        return "cwnd " + std::to_string(m_window.GetCwnd()) + " and " +
               std::to_string(m_state->m_cWnd) + ", ssthresh " +
               std::to_string(m_window.GetSsthresh()) + " and " +
               std::to_string(m_state->m_ssThresh);
    }

  private:
    /// A round-trip time is taken.
    void Estimate()
    {
        const int64_t sample = m_rttNs + m_draw.Between(0, m_rttNs / 2);
        m_smoothedNs = m_smoothedNs == 0 ? sample : (7 * m_smoothedNs + sample) / 8;
    }

    /// @param segments acknowledged, in both's words
    void Hear(uint32_t segments)
    {
        m_state->m_srtt = NanoSeconds(m_smoothedNs);
        m_theirs->PktsAcked(m_state, segments, m_state->m_srtt);
        m_ours->HandleAck(m_window, GetSignals());
    }

    /// An ACK of new data comes, and more is sent.
    void Acknowledge()
    {
        const auto segments = static_cast<uint32_t>(m_draw.Below(10) == 0 ? m_draw.Below(12) : 1);
        m_acknowledged += segments * SEGMENT;
        m_sent = std::max(m_sent, m_acknowledged);
        m_state->m_lastAckedSeq = SequenceNumber32(static_cast<uint32_t>(1 + m_acknowledged));
        Hear(segments);
        m_theirs->IncreaseWindow(m_state, segments);
        m_ours->Increase(m_window, GetSignals(), segments);
        m_sent = std::max(m_sent, m_acknowledged + m_draw.Below(m_window.GetCwnd()));
        m_state->m_highTxMark = SequenceNumber32(static_cast<uint32_t>(1 + m_sent));
        m_state->m_isCwndLimited = m_draw.Below(10) > 0;
    }

    /// @param byTimeout else by duplicate ACKs
    void Lose(bool byTimeout)
    {
        const auto flight = static_cast<uint32_t>(m_draw.Below(m_window.GetCwnd() + 1));
        m_state->m_ssThresh = m_theirs->GetSsThresh(m_state, flight);
        m_window.SetSsthresh(m_ours->GetSsthreshAfterLoss(m_window, flight));
        if (byTimeout)
        {
            m_theirs->CongestionStateSet(m_state, TcpSocketState::CA_LOSS);
            m_ours->HandleTimeout(GetSignals());
        }
        Set(byTimeout ? SEGMENT : m_state->m_ssThresh.Get());
    }

    /// @param bytes the new cwnd of both
    void Set(uint32_t bytes)
    {
        m_state->m_cWnd = bytes;
        m_window.SetCwnd(bytes);
    }

    /// @return of now
    CongestionSignals GetSignals() const
    {
        return {.nowNs = Simulator::Now().GetNanoSeconds(),
                .smoothedRttNs = m_smoothedNs,
                .acknowledged = m_acknowledged,
                .sent = m_sent,
                .isCwndLimited = m_state->m_isCwndLimited};
    }

    Draw m_draw;                               //!< what happens
    std::unique_ptr<CongestionControl> m_ours; //!< of core
    Ptr<TcpCongestionOps> m_theirs;            //!< ns-3's
    Ptr<TcpSocketState> m_state;               //!< that ns-3's sees
    Window m_window;                           //!< that ours sees
    int64_t m_rttNs;                           //!< least round-trip time
    int64_t m_gapNs;                           //!< most between two things
    int64_t m_smoothedNs{0};                   //!< SRTT
    uint64_t m_acknowledged{0};                //!< first byte not acknowledged
    uint64_t m_sent{0};                        //!< first byte never sent
};

/// Every congestion control of core is what its ns3Type is, call by call.
class TcpCongestionTest : public TestCase
{
  public:
    TcpCongestionTest()
        : TestCase("congestion controls: as ns-3's, call by call")
    {
    }

  private:
    void DoRun() override
    {
        uint32_t compared = 0;
        for (const auto& kind : GetCongestionControls())
        {
            const std::string type(kind.ns3Type);
            TypeId tid;
            NS_TEST_ASSERT_MSG_EQ(TypeId::LookupByNameFailSafe(type, &tid), true, type);
            if (!tid.IsChildOf(TcpCongestionOps::GetTypeId()))
            {
                continue; // a socket's own, which the tests of that socket know
            }
            ++compared;
            for (uint64_t seed = 1; seed <= 100; ++seed)
            {
                Compare(kind, seed);
            }
        }
        NS_TEST_EXPECT_MSG_GT(compared, 0, "none was compared");
    }

    /// @param kind which @param seed of what happens
    void Compare(const CongestionControlKind& kind, uint64_t seed)
    {
        constexpr uint32_t STEPS = 3000;
        Twins twins(kind, seed);
        uint32_t steps = 0;
        std::function<void()> step = [&] {
            const int64_t next = twins.Step();
            if (twins.AreEqual() && ++steps < STEPS)
            {
                Simulator::Schedule(NanoSeconds(next), step);
            }
        };
        Simulator::ScheduleNow(step);
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(steps, STEPS, kind.name << ", seed " << seed << ": " << twins.Show());
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new TcpCongestionTest}; });

} // namespace
