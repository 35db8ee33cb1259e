/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-rate-control.h"

#include "gridftp-random.h"
#include "gridftp-udt-wire.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr double SYN_US = static_cast<double>(UDT_SYN_NS) / 1000;
constexpr double US_PER_S = 1e6;
constexpr double DECREASE_FACTOR = 1.125;
constexpr double LEAST_PERIOD_US = 1e-3; // what lies tell of a receiver ends here, too
constexpr double LONGEST_PERIOD_US = 1e9;
constexpr int64_t CAUTION = 9;          // of the capacity, above the period of the last decrease
constexpr int64_t REPORTS_AT_ONCE = 16; // of version 1: a period begins with these less
constexpr double LOSS_RATE_LIMIT = 0.01;
constexpr double BETA = 1.5; // of version 4, millionths

/** Rounds a positive number up; the standard's function need not be there where this runs. */
double
RoundUp(double x)
{
    const auto whole = static_cast<int64_t>(x);
    return static_cast<double>(static_cast<double>(whole) < x ? whole + 1 : whole);
}

/** The least power of ten that is not below a number from 1 on, exactly: powers up to 10^22 are. */
double
FindPowerOfTen(double x)
{
    double power = 1;
    while (power < x)
    {
        power *= 10;
    }
    return power;
}

} // namespace

UdtRateControl::UdtRateControl(const UdtSettings& settings,
                               uint32_t largestWindow,
                               uint64_t key,
                               Nanoseconds now)
    : m_settings(settings),
      m_largestWindow(largestWindow),
      m_key(key),
      m_lastNs(now)
{
}

void
UdtRateControl::HandleAck(Nanoseconds now, uint32_t next, uint64_t sent)
{
    if (now - m_lastNs < UDT_SYN_NS)
    {
        return;
    }
    m_lastNs = now;
    if (m_isSlowStart)
    {
        // The program counts both the last one acknowledged before and the next one now.
        SetWindow(m_windowPackets + static_cast<double>(next - m_lastAck + 1));
        m_lastAck = next;
        if (m_windowPackets > m_largestWindow)
        {
            LeaveSlowStart();
        }
    }
    else
    {
        SetWindow(
            static_cast<double>(m_speed) / US_PER_S * (static_cast<double>(m_rttUs) + SYN_US) + 16);
    }
    if (!m_isSlowStart && !IsHeldBack(sent))
    {
        Increase();
    }
}

bool
UdtRateControl::IsHeldBack(uint64_t sent)
{
    if (m_settings.lossGate == UdtLossGate::RATE)
    {
        const uint64_t newly = sent - m_sentBefore;
        const double rate =
            newly == 0 ? 0 : static_cast<double>(m_lost) / static_cast<double>(newly);
        m_lossRate = m_lossRate * 0.875 + std::min(rate, 1.0) * 0.125;
        m_sentBefore = sent;
        m_lost = 0;
        return m_lossRate > LOSS_RATE_LIMIT;
    }
    const bool held = m_hasLoss;
    m_hasLoss = false;
    return held;
}

void
UdtRateControl::Increase()
{
    const bool isCautious = m_periodUs > m_lastPeriodUs;
    auto left = static_cast<int64_t>(static_cast<double>(m_capacity) - US_PER_S / m_periodUs);
    if (isCautious)
    {
        left = std::min(left, m_capacity / CAUTION);
    }
    double increase = m_settings.leastIncrease;
    if (left > 0)
    {
        const double mss = m_settings.payload + UdtWire::HEADER_BYTES + DATAGRAM_HEADER_BYTES;
        const double beta = isCautious ? std::min(BETA, m_settings.increase) : m_settings.increase;
        const double power = FindPowerOfTen(static_cast<double>(left) * mss * 8);
        increase = std::max(power * beta / US_PER_S / mss, increase);
    }
    SetPeriod(m_periodUs * SYN_US / (m_periodUs * increase + SYN_US));
}

void
UdtRateControl::LeaveSlowStart()
{
    m_isSlowStart = false;
    SetPeriod(US_PER_S / static_cast<double>(m_speed));
}

bool
UdtRateControl::HandleLoss(uint32_t first, uint32_t lost, uint32_t last)
{
    m_lost += lost;
    if (m_isSlowStart)
    {
        LeaveSlowStart();
        return false;
    }
    m_hasLoss = true;
    if (first > m_lastDecrease)
    {
        if (m_settings.firstLoss == UdtFirstLoss::FORGIVE && !m_isForgiven && lost == 1)
        {
            m_isForgiven = true;
            return false;
        }
        BeginPeriod(last);
        return true;
    }
    if (IsTurnOfReport())
    {
        Decrease();
        if (m_settings.decrease == UdtDecrease::RANDOM)
        {
            m_lastDecrease = last;
        }
    }
    return false;
}

void
UdtRateControl::BeginPeriod(uint32_t last)
{
    m_isForgiven = false;
    m_lastPeriodUs = m_periodUs;
    Decrease();
    m_decreases = 1;
    m_lastDecrease = last;
    if (m_settings.decrease == UdtDecrease::DOUBLING)
    {
        m_reports = -REPORTS_AT_ONCE;
        return;
    }
    m_meanReports = (m_meanReports * 7 + m_reports + 7) / 8; // rounded up
    m_reports = 1;
    // Random, so that connections that share a queue do not all decrease their rates together.
    m_turn = 1 + static_cast<int64_t>(UniformBelow(KeyedRandom({m_key, last}),
                                                   static_cast<uint64_t>(m_meanReports)));
}

bool
UdtRateControl::IsTurnOfReport()
{
    if (m_settings.decrease == UdtDecrease::DOUBLING)
    {
        constexpr int64_t MOST_DOUBLINGS = 32;
        if (++m_reports < int64_t{1} << std::min(m_decreases, MOST_DOUBLINGS))
        {
            return false;
        }
        ++m_decreases;
        m_reports = 0;
        return true;
    }
    // The program counts every report here, whether it decreases the rate or not.
    constexpr int64_t MOST_REPORTS = 5;
    return m_decreases++ < MOST_REPORTS && ++m_reports % m_turn == 0;
}

void
UdtRateControl::HandleDelay(uint32_t last)
{
    if (m_isSlowStart)
    {
        LeaveSlowStart();
    }
    m_lastPeriodUs = m_periodUs;
    Decrease();
    m_lastDecrease = last;
    m_reports = m_settings.decrease == UdtDecrease::DOUBLING ? -REPORTS_AT_ONCE : 1;
    m_decreases = 1;
}

void
UdtRateControl::HandleExpiry()
{
    if (m_isSlowStart)
    {
        LeaveSlowStart();
    }
}

void
UdtRateControl::Decrease()
{
    SetPeriod(RoundUp(m_periodUs * DECREASE_FACTOR));
}

void
UdtRateControl::SetPeriod(double us)
{
    m_periodUs = std::clamp(us, LEAST_PERIOD_US, LONGEST_PERIOD_US);
    m_periodNs = static_cast<Nanoseconds>(m_periodUs * 1000);
}

void
UdtRateControl::SetWindow(double packets)
{
    constexpr double MOST = 1 << 30;
    m_windowPackets = std::min(packets, MOST);
    m_window = static_cast<uint32_t>(m_windowPackets);
}

} // namespace ns3::gridftp
