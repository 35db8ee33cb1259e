/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-clock.h"
#include "gridftp-linux-hystart.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ns3::gridftp
{

/** @return the row of cubic */
LinuxCongestionKind DeclareLinuxCubic();

namespace
{

/// Fractions are in units of 1/1024: a loss leaves 717/1024 of cwnd.
constexpr uint32_t BETA_SCALE = 1024;
constexpr uint32_t BETA = 717;
/// Times of the cubic function are in units of 1/2^10 s.
constexpr uint32_t TIME_BITS = 10;
/// C of RFC 9438, 0.4, in units of 1/1024; the other factor is 1/(100 ms), the kernel's nominal
/// RTT.
constexpr uint64_t CUBE_RTT_SCALE = 41 * 10;
constexpr uint32_t CUBE_BITS = 10 + 3 * TIME_BITS;
/// (1/C) in the units of K^3.
constexpr uint64_t CUBE_FACTOR = (1ULL << CUBE_BITS) / CUBE_RTT_SCALE;
/// ACKs per segment of growth in W_est are cwnd * 15/8: (1 + beta) / (3 (1 - beta)).
constexpr uint32_t FRIENDLY_SCALE = 8 * (BETA_SCALE + BETA) / 3 / (BETA_SCALE - BETA);
/// Before the first loss cwnd grows by at least a twentieth per RTT.
constexpr uint32_t MAX_FIRST_COUNT = 20;

/**
 * 64 times the cube root of 8 to 63, as the kernel's table has them: its first estimate, so its
 * error is part of the result.
 */
constexpr std::array<uint8_t, 56> ROOTS{
    123, 129, 134, 138, 143, 147, 151, 156, 157, 161, 164, 168, 170, 173, 176, 179, 181, 185, 187,
    190, 192, 194, 197, 199, 200, 202, 204, 206, 209, 211, 213, 215, 217, 219, 221, 222, 224, 225,
    227, 229, 231, 232, 234, 236, 237, 239, 240, 242, 244, 245, 246, 248, 250, 251, 252, 254};

/** @param a at least 64 @return its cube root, with an error of about 0.2 % */
uint32_t
GetCubeRoot(uint64_t a)
{
    const auto bits = static_cast<uint32_t>(std::bit_width(a));
    const uint32_t third = (bits * 84 >> 8) - 1;
    const uint64_t lead = a >> (third * 3); // 8 to 63
    const uint32_t guess = ((ROOTS[lead - 8] + 10U) << third) >> 6;
    // One Newton step: a third of 2 x + a / x^2, nearly
    const uint64_t square = static_cast<uint64_t>(guess) * (guess - 1);
    return (2 * guess + static_cast<uint32_t>(a / square)) * 341 >> 10;
}

/**
 * cubic of the kernel (net/ipv4/tcp_cubic.c, Linux 6.14 and later): RFC 9438 with slow start that
 * ends by HyStart. All times of the cubic function are clock ticks.
 */
class LinuxCubic : public LinuxCongestionControl
{
  public:
    /** @param parameters of this connection */
    explicit LinuxCubic(const LinuxCongestionParameters& parameters)
        : m_clock(parameters.hz),
          m_hasHystart(parameters.hystart && !parameters.hystartPlus),
          m_hasHystartPlus(parameters.hystartPlus)
    {
    }

    void Init(LinuxWindow& window) override
    {
        m_hystart.Restart(window);
    }

    uint32_t GetSsthresh(LinuxWindow& window) override;
    void Increase(LinuxWindow& window, uint32_t acked) override;
    void HandleState(LinuxWindow& window, LinuxCaState next) override;
    void HandleEvent(LinuxWindow& window, LinuxCaEvent event) override;
    void HandleAcked(LinuxWindow& window, const LinuxAckSample& sample) override;

  private:
    /// What a retransmission timeout resets.
    struct Epoch
    {
        uint32_t count{0};      //!< ACKed segments for one segment more
        uint32_t lastMax{0};    //!< W_max
        uint32_t lastCwnd{0};   //!< cwnd of the last evaluation
        uint32_t lastTime{0};   //!< its time
        uint32_t origin{0};     //!< plateau of the cubic function, segments
        uint32_t k{0};          //!< time from the start to the plateau, 1/1024 s
        uint32_t minDelayUs{0}; //!< minimum RTT, us
        uint32_t start{0};      //!< start of the growth; 0: begins with the next ACK
        uint32_t acked{0};      //!< ACKed segments that W_est has not counted yet
        uint32_t renoCwnd{0};   //!< W_est
    };

    /** Sets Epoch::count. @param now ticks @param cwnd segments @param acked segments */
    void Update(uint32_t now, uint32_t cwnd, uint32_t acked);

    /** Growth begins. @param now ticks @param cwnd segments @param acked segments */
    void Begin(uint32_t now, uint32_t cwnd, uint32_t acked);

    /** @param now ticks @return the cubic function one RTT from now, segments */
    uint32_t GetTarget(uint32_t now) const;

    /** Grows as fast as Reno at least. @param cwnd segments */
    void GrowAsReno(uint32_t cwnd);

    LinuxClock m_clock;      //!< ticks
    bool m_hasHystart;       //!< HyStart of the kernel
    bool m_hasHystartPlus;   //!< HyStart++
    Epoch m_epoch;           //!< state of the cubic function
    LinuxHystart m_hystart;  //!< used where m_hasHystart
    LinuxHystartPlus m_plus; //!< used where m_hasHystartPlus
};

uint32_t
LinuxCubic::GetSsthresh(LinuxWindow& window)
{
    m_epoch.start = 0;
    const bool shrinks = window.cwnd < m_epoch.lastMax; // fast convergence
    m_epoch.lastMax = shrinks ? window.cwnd * (BETA_SCALE + BETA) / (2 * BETA_SCALE) : window.cwnd;
    return std::max(window.cwnd * BETA / BETA_SCALE, 2U);
}

void
LinuxCubic::Increase(LinuxWindow& window, uint32_t acked)
{
    if (!window.MayGrow())
    {
        return;
    }
    if (window.IsInSlowStart())
    {
        acked = SlowStart(window, m_hasHystartPlus ? m_plus.Limit(window, acked) : acked);
        if (acked == 0)
        {
            return;
        }
    }
    Update(m_clock.GetTicks(window.now), window.cwnd, acked);
    IncreaseAdditively(window, m_epoch.count, acked);
}

void
LinuxCubic::Update(uint32_t now, uint32_t cwnd, uint32_t acked)
{
    m_epoch.acked += acked;
    const auto age = static_cast<int32_t>(now - m_epoch.lastTime);
    if (m_epoch.lastCwnd == cwnd && age <= static_cast<int32_t>(m_clock.GetHz() / 32))
    {
        return;
    }
    // The cubic function changes once a tick at most
    if (m_epoch.start == 0 || now != m_epoch.lastTime)
    {
        m_epoch.lastCwnd = cwnd;
        m_epoch.lastTime = now;
        if (m_epoch.start == 0)
        {
            Begin(now, cwnd, acked);
        }
        const uint32_t target = GetTarget(now);
        m_epoch.count = target > cwnd ? cwnd / (target - cwnd) : 100 * cwnd;
        if (m_epoch.lastMax == 0)
        {
            m_epoch.count = std::min(m_epoch.count, MAX_FIRST_COUNT);
        }
    }
    GrowAsReno(cwnd);
    m_epoch.count = std::max(m_epoch.count, 2U); // at most 1.5 times cwnd per RTT
}

void
LinuxCubic::Begin(uint32_t now, uint32_t cwnd, uint32_t acked)
{
    m_epoch.start = now;
    m_epoch.acked = acked;
    m_epoch.renoCwnd = cwnd;
    if (m_epoch.lastMax <= cwnd)
    {
        m_epoch.k = 0;
        m_epoch.origin = cwnd;
    }
    else
    {
        m_epoch.k = GetCubeRoot(CUBE_FACTOR * (m_epoch.lastMax - cwnd));
        m_epoch.origin = m_epoch.lastMax;
    }
}

uint32_t
LinuxCubic::GetTarget(uint32_t now) const
{
    const auto elapsed = static_cast<int32_t>(now - m_epoch.start);
    uint64_t t = static_cast<uint64_t>(static_cast<int64_t>(elapsed));
    t += m_clock.GetTicksOf(m_epoch.minDelayUs);
    t = (t << TIME_BITS) / m_clock.GetHz();
    const bool below = t < m_epoch.k;
    const uint64_t offset = below ? m_epoch.k - t : t - m_epoch.k;
    const auto delta =
        static_cast<uint32_t>((CUBE_RTT_SCALE * offset * offset * offset) >> CUBE_BITS);
    return below ? m_epoch.origin - delta : m_epoch.origin + delta;
}

void
LinuxCubic::GrowAsReno(uint32_t cwnd)
{
    const uint32_t per = cwnd * FRIENDLY_SCALE >> 3;
    if (per > 0 && m_epoch.acked > per)
    {
        const uint32_t segments = (m_epoch.acked - 1) / per;
        m_epoch.acked -= segments * per;
        m_epoch.renoCwnd += segments;
    }
    if (m_epoch.renoCwnd > cwnd)
    {
        m_epoch.count = std::min(m_epoch.count, cwnd / (m_epoch.renoCwnd - cwnd));
    }
}

void
LinuxCubic::HandleState(LinuxWindow& window, LinuxCaState next)
{
    if (next == LinuxCaState::LOSS)
    {
        m_epoch = {};
        m_hystart.Rearm(window);
    }
}

void
LinuxCubic::HandleEvent(LinuxWindow& window, LinuxCaEvent event)
{
    if (event != LinuxCaEvent::TRANSMISSION_START || m_epoch.start == 0)
    {
        return;
    }
    // Idle time does not count as time of the cubic function
    const uint32_t now = m_clock.GetTicks(window.now);
    const auto idle = static_cast<int32_t>(now - m_clock.GetTicks(window.lastSentAt));
    if (idle > 0)
    {
        m_epoch.start += static_cast<uint32_t>(idle);
        if (LinuxClock::IsAfter(m_epoch.start, now))
        {
            m_epoch.start = now;
        }
    }
}

void
LinuxCubic::HandleAcked(LinuxWindow& window, const LinuxAckSample& sample)
{
    if (sample.rttUs < 0)
    {
        return;
    }
    // RTTs right after fast recovery contain the queue that it left
    const auto age = static_cast<int32_t>(m_clock.GetTicks(window.now) - m_epoch.start);
    if (m_epoch.start != 0 && age < static_cast<int32_t>(m_clock.GetHz()))
    {
        return;
    }
    const auto delay = std::max(static_cast<uint32_t>(sample.rttUs), 1U);
    if (m_epoch.minDelayUs == 0 || m_epoch.minDelayUs > delay)
    {
        m_epoch.minDelayUs = delay;
    }
    if (!window.IsInSlowStart())
    {
        return;
    }
    if (m_hasHystart)
    {
        m_hystart.Update(window, delay, m_epoch.minDelayUs);
    }
    else if (m_hasHystartPlus)
    {
        m_plus.Update(window, delay);
    }
}

} // namespace

LinuxCongestionKind
DeclareLinuxCubic()
{
    return {
        .name = "cubic",
        .make = [](const LinuxCongestionParameters& parameters)
            -> std::unique_ptr<LinuxCongestionControl> {
            return std::make_unique<LinuxCubic>(parameters);
        },
    };
}

} // namespace ns3::gridftp
