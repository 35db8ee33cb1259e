/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-control.h"

#include <algorithm>
#include <limits>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t NONE = std::numeric_limits<int64_t>::min();

constexpr double C = 0.4;    //!< segments/s^3 (RFC 9438, Section 4.1)
constexpr double BETA = 0.7; //!< what a loss leaves of the window (RFC 9438, Section 4.6)

/** Samples of the round-trip time so soon after a loss are of the queue before it, ns. */
constexpr int64_t SETTLE_NS = 10'000'000;

/** Segments a segment more takes at most, before the first loss. */
constexpr uint64_t MOST_BEFORE_LOSS = 20;

// Hybrid slow start
constexpr uint64_t LEAST_SEGMENTS = 16;         //!< of cwnd, where it begins
constexpr uint32_t SAMPLES = 8;                 //!< of a round, for its least round-trip time
constexpr int64_t TRAIN_NS = 2'000'000;         //!< ACKs of one train are no farther apart
constexpr int64_t LEAST_RISE_NS = 4'000'000;    //!< of the round-trip time, that counts
constexpr int64_t MOST_RISE_NS = 1'000'000'000; //!< and need not be more

/** @param x at least 0 @return its cube root, by Newton's method from above */
double
CubeRoot(double x)
{
    double root = std::max(1.0, x);
    for (double next = root; next > 0; root = next)
    {
        next = (2 * root + x / (root * root)) / 3;
        if (next >= root)
        {
            break;
        }
    }
    return root;
}

/**
 * CUBIC (I. Rhee, L. Xu, S. Ha, A. Zimmermann, L. Eggert, R. Scheffenegger, RFC 9438; S. Ha, I.
 * Rhee, L. Xu, ACM SIGOPS Operating Systems Review 42 (5), 2008, pp. 64-74), as ns3::TcpCubic has
 * it, which follows Linux where the RFC differs: ssthresh is a part of cwnd and not of what is in
 * flight; cwnd grows by whole segments, at most by half a round trip; slow start counts bytes (RFC
 * 3465) and ends as hybrid slow start says (S. Ha, I. Rhee, Computer Networks 55 (9), 2011,
 * pp. 2092-2110); a sender that cwnd does not limit does not grow.
 *
 * ns-3 takes cubes and cube roots with pow(), whose last digit may be another one: cwnd differs
 * where that moves a number of segments over the next whole one.
 */
class CubicControl final : public CongestionControl
{
  public:
    void HandleOpen(Nanoseconds now) override;
    void HandleAck(CongestionWindow& window, const CongestionSignals& signals) override;
    void Increase(CongestionWindow& window,
                  const CongestionSignals& signals,
                  uint64_t segments) override;
    uint64_t GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t flight) override;
    void HandleTimeout(const CongestionSignals& signals) override;

  private:
    /** A round trip of hybrid slow start begins. @param now of the simulation @param end its last
     * byte */
    void BeginRound(Nanoseconds now, int64_t end);

    /** Hybrid slow start. @param signals of now @return whether slow start is to end */
    bool IsFull(const CongestionSignals& signals);

    /** Time begins to count for the cubic function. @param now of the simulation @param cwnd
     * segments */
    void BeginEpoch(Nanoseconds now, uint64_t cwnd);

    /** @param now of the simulation @return W(t + RTT), RFC 9438, Eq. (1), whole segments */
    uint64_t GetTarget(Nanoseconds now) const;

    /**
     * @param now of the simulation
     * @param cwnd segments
     * @param segments newly acknowledged
     * @return segments to be acknowledged for cwnd to grow by one
     */
    uint64_t GetStep(Nanoseconds now, uint64_t cwnd, uint64_t segments);

    /**
     * What Reno would have reached since the epoch began: RFC 9438, Section 4.3.
     * @param cwnd segments
     * @return segments
     */
    uint64_t GetRenoWindow(uint64_t cwnd);

    uint64_t m_counted{0};       //!< segments that have not made cwnd grow yet
    uint64_t m_lastMax{0};       //!< W_max, segments; 0 before a loss
    int64_t m_leastRttNs{NONE};  //!< least round-trip time
    int64_t m_epochNs{NONE};     //!< when the epoch began; none since the last loss
    uint64_t m_origin{0};        //!< where the cubic function is flat, segments
    double m_timeToOriginS{0};   //!< K, s from the epoch's begin
    uint64_t m_epochSegments{0}; //!< acknowledged in the epoch, as m_renoWindow has not counted
    uint64_t m_renoWindow{0};    //!< W_est, segments
    bool m_foundFull{false};     //!< hybrid slow start has ended slow start
    int64_t m_roundNs{0};        //!< when its round trip began
    int64_t m_roundEnd{0};       //!< last byte of it
    int64_t m_trainNs{0};        //!< when the last ACK of its train came
    int64_t m_roundRttNs{NONE};  //!< least round-trip time in it
    uint32_t m_roundSamples{0};  //!< taken in it
};

void
CubicControl::BeginRound(Nanoseconds now, int64_t end)
{
    m_roundNs = m_trainNs = now;
    m_roundEnd = end;
    m_roundRttNs = NONE;
    m_roundSamples = 0;
}

void
CubicControl::HandleOpen(Nanoseconds now)
{
    BeginRound(now, -1); // the first ACK is behind it
}

void
CubicControl::HandleTimeout(const CongestionSignals& signals)
{
    m_leastRttNs = NONE;
    m_foundFull = false;
    BeginRound(signals.nowNs, static_cast<int64_t>(signals.sent));
}

void
CubicControl::HandleAck(CongestionWindow& window, const CongestionSignals& signals)
{
    if (m_epochNs != NONE && signals.nowNs - m_epochNs < SETTLE_NS)
    {
        return;
    }
    if (m_leastRttNs == NONE || m_leastRttNs > signals.smoothedRttNs)
    {
        m_leastRttNs = signals.smoothedRttNs;
    }
    if (window.GetCwnd() <= window.GetSsthresh() &&
        window.GetCwnd() >= LEAST_SEGMENTS * window.GetSegmentBytes() && !m_foundFull)
    {
        m_foundFull = IsFull(signals);
        if (m_foundFull)
        {
            window.SetSsthresh(window.GetCwnd());
        }
    }
}

bool
CubicControl::IsFull(const CongestionSignals& signals)
{
    bool isFull = false;
    if (signals.nowNs - m_trainNs <= TRAIN_NS)
    {
        m_trainNs = signals.nowNs;
        isFull = signals.nowNs - m_roundNs > m_leastRttNs;
    }
    if (m_roundSamples < SAMPLES)
    {
        const bool isLeast = m_roundRttNs == NONE || m_roundRttNs > signals.smoothedRttNs;
        m_roundRttNs = isLeast ? signals.smoothedRttNs : m_roundRttNs;
        ++m_roundSamples;
        return isFull;
    }
    const int64_t rise = std::clamp(m_leastRttNs, LEAST_RISE_NS, MOST_RISE_NS);
    return isFull || m_roundRttNs > m_leastRttNs + rise;
}

void
CubicControl::Increase(CongestionWindow& window,
                       const CongestionSignals& signals,
                       uint64_t segments)
{
    const uint64_t segment = window.GetSegmentBytes();
    if (!signals.isCwndLimited)
    {
        return;
    }
    if (window.GetCwnd() < window.GetSsthresh())
    {
        if (static_cast<int64_t>(signals.acknowledged) > m_roundEnd)
        {
            BeginRound(signals.nowNs, static_cast<int64_t>(signals.sent));
        }
        window.SetCwnd(window.GetCwnd() + segments * segment);
        return;
    }
    if (segments == 0)
    {
        return;
    }
    m_counted += segments;
    const uint64_t step = GetStep(signals.nowNs, window.GetCwnd() / segment, segments);
    if (m_counted >= step)
    {
        window.SetCwnd(window.GetCwnd() + segment);
        m_counted -= step;
    }
}

void
CubicControl::BeginEpoch(Nanoseconds now, uint64_t cwnd)
{
    m_epochNs = now;
    m_renoWindow = cwnd;
    const uint64_t lost = m_lastMax > cwnd ? m_lastMax - cwnd : 0;
    m_origin = cwnd + lost;
    m_timeToOriginS = lost > 0 ? CubeRoot(static_cast<double>(lost) / C) : 0;
}

uint64_t
CubicControl::GetTarget(Nanoseconds now) const
{
    const double t = static_cast<double>(now + m_leastRttNs - m_epochNs) / 1e9;
    const bool isBelow = t < m_timeToOriginS;
    const double offset = isBelow ? m_timeToOriginS - t : t - m_timeToOriginS;
    const auto distance = static_cast<uint64_t>(C * (offset * offset * offset));
    return isBelow ? m_origin - std::min(distance, m_origin) : m_origin + distance;
}

uint64_t
CubicControl::GetRenoWindow(uint64_t cwnd)
{
    // A segment more each 1 / alpha windows, alpha = 3 (1 - beta) / (1 + beta), in eighths
    constexpr auto EIGHTHS =
        static_cast<uint64_t>(8 * (1024 + BETA * 1024) / 3 / (1024 - BETA * 1024));
    const uint64_t window = (cwnd * EIGHTHS) >> 3;
    while (m_epochSegments > window)
    {
        m_epochSegments -= window;
        ++m_renoWindow;
    }
    return m_renoWindow;
}

uint64_t
CubicControl::GetStep(Nanoseconds now, uint64_t cwnd, uint64_t segments)
{
    constexpr uint64_t LEAST = 2;        // half a window more in a round trip
    constexpr uint64_t FAR_BEHIND = 100; // windows, where cwnd has what it should
    m_epochSegments += segments;
    if (m_epochNs == NONE)
    {
        BeginEpoch(now, cwnd);
        m_epochSegments = segments;
    }
    const uint64_t target = GetTarget(now);
    uint64_t step = target > cwnd ? cwnd / (target - cwnd) : FAR_BEHIND * cwnd;
    if (m_lastMax == 0)
    {
        step = std::min(step, MOST_BEFORE_LOSS);
    }
    const uint64_t reno = GetRenoWindow(cwnd);
    if (reno > cwnd)
    {
        step = std::min(step, cwnd / (reno - cwnd));
    }
    return std::max(step, LEAST);
}

uint64_t
CubicControl::GetSsthreshAfterLoss(const CongestionWindow& window, uint64_t /* flight */)
{
    const uint64_t cwnd = window.GetCwnd() / window.GetSegmentBytes();
    const auto segments = static_cast<double>(cwnd);
    // Fast convergence: RFC 9438, Section 4.7
    m_lastMax = cwnd < m_lastMax ? static_cast<uint64_t>(segments * (1 + BETA) / 2) : cwnd;
    m_epochNs = NONE;
    return std::max<uint64_t>(2, static_cast<uint64_t>(segments * BETA)) * window.GetSegmentBytes();
}

} // namespace

CongestionControlKind
DeclareCubic()
{
    return {
        .name = "cubic",
        .help = "CUBIC (RFC 9438, as ns-3 has it)",
        .ns3Type = "ns3::TcpCubic",
        .recovery = "newreno",
        .growsAsReno = false,
        .make = []() -> std::unique_ptr<CongestionControl> {
            return std::make_unique<CubicControl>();
        },
    };
}

} // namespace ns3::gridftp
