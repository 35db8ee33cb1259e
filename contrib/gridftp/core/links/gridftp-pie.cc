/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-pie.h"

#include "gridftp-random.h"

#include <algorithm>
#include <bit>

namespace ns3::gridftp
{

namespace
{

// RFC 8033, sections 4.2 and 5.1
constexpr double ALPHA = 0.125;             // weight of the delay above the target, 1 / s
constexpr double BETA = 1.25;               // weight of the delay's change, 1 / s
constexpr double DECAY = 0.98;              // of the probability while no packet waits
constexpr double MARK_BELOW = 0.1;          // probability below which ECT packets are marked
constexpr double MOST_STEP = 0.02;          // of the probability where that is at least 10 %
constexpr uint64_t LEAST_PACKETS = 2;       // so many may wait without a drop
constexpr double BURST_RESET_SECONDS = 1.5; // until a new burst may pass

/**
 * As ns3::Time::GetSeconds(): a fixed-point number with 64 bits of fraction, rounded down, then to
 * 64 significant bits, then to a double.
 * @param ns a time, at least 0, ns
 * @return it, s
 */
double
ToSeconds(int64_t ns)
{
    constexpr uint64_t BILLION = 1'000'000'000;
    constexpr double TWO_TO_MINUS_64 = 1.0 / 18446744073709551616.0;
    const auto all = static_cast<uint64_t>(ns);
    const uint64_t whole = all / BILLION;
    const uint64_t high = (all % BILLION) << 32;
    const uint64_t fraction = high / BILLION << 32 | ((high % BILLION) << 32) / BILLION;
    const auto lost = static_cast<unsigned>(std::bit_width(whole)); // bits of the fraction
    if (lost == 0)
    {
        return static_cast<double>(fraction) * TWO_TO_MINUS_64;
    }
    uint64_t mantissa = whole << (64 - lost) | fraction >> lost;
    const uint64_t rest = fraction << (64 - lost);
    constexpr uint64_t HALF = uint64_t{1} << 63;
    const bool isUp = rest > HALF || (rest == HALF && (mantissa & 1) != 0);
    mantissa += isUp && mantissa != UINT64_MAX ? 1 : 0; // the largest one is rounded below anyway
    return static_cast<double>(mantissa) * TWO_TO_MINUS_64 *
           static_cast<double>(uint64_t{1} << lost);
}

/** @param probability of a drop @return by what a change of it is divided (RFC 8033, section 4.2),
 * so that small probabilities change slowly */
double
GetDivisor(double probability)
{
    constexpr double LIMITS[] = {0.000001, 0.00001, 0.0001, 0.001, 0.01, 0.1};
    constexpr double DIVISORS[] = {2048, 512, 128, 32, 8, 2, 1};
    const auto* const above = std::upper_bound(std::begin(LIMITS), std::end(LIMITS), probability);
    return DIVISORS[above - std::begin(LIMITS)];
}

} // namespace

PieQueue::PieQueue(const PieSpec& spec, uint64_t mostPackets, uint64_t key)
    : m_spec(spec),
      m_mostPackets(mostPackets),
      m_key(key),
      m_target(ToSeconds(spec.targetNs))
{
}

int64_t
PieQueue::UseStream(uint64_t stream)
{
    m_key = KeyedRandom({m_key, stream});
    return 1;
}

double
PieQueue::Draw()
{
    return ToUnit(KeyedRandom({m_key, m_draws++}));
}

bool
PieQueue::DoEnqueue(int64_t nowNs, QueuedPacket packet)
{
    UpdateUntil(nowNs);
    if (m_packets.GetSize() >= m_mostPackets)
    {
        return false;
    }
    if (IsChosen())
    {
        if (!packet.isEct || m_probability >= MARK_BELOW)
        {
            return false;
        }
        packet.isMarked = true;
    }
    m_packets.Push(packet);
    return true;
}

std::optional<QueuedPacket>
PieQueue::DoDequeue(int64_t nowNs)
{
    UpdateUntil(nowNs);
    if (m_packets.IsEmpty())
    {
        return std::nullopt;
    }
    const QueuedPacket packet = m_packets.Front();
    m_packets.Pop();
    m_delayNs = m_packets.IsEmpty() ? 0 : nowNs - packet.enteredNs;
    return packet;
}

bool
PieQueue::IsChosen()
{
    if (m_allowanceNs > 0)
    {
        return false;
    }
    if (m_burst == Burst::NONE)
    {
        m_burst = Burst::PROTECTING;
        m_allowanceNs = m_spec.burstNs;
    }
    const bool isShort = m_oldDelay < 0.5 * m_target && m_probability < 0.2;
    if (isShort || m_packets.GetSize() <= LEAST_PACKETS)
    {
        return false;
    }
    return Draw() <= m_probability;
}

void
PieQueue::UpdateUntil(int64_t nowNs)
{
    while (m_nextUpdateNs <= nowNs)
    {
        if (Update())
        {
            const int64_t updates = (nowNs - m_nextUpdateNs) / m_spec.updateNs + 1;
            m_nextUpdateNs += updates * m_spec.updateNs;
            return;
        }
        m_nextUpdateNs += m_spec.updateNs;
    }
}

bool
PieQueue::Update()
{
    const double delay = ToSeconds(m_delayNs);
    double change = 0;
    if (m_allowanceNs > 0)
    {
        m_probability = 0;
    }
    else
    {
        change = ALPHA * (delay - m_target) + BETA * (delay - m_oldDelay);
        change /= GetDivisor(m_probability);
        if (m_probability >= 0.1)
        {
            change = std::min(change, MOST_STEP);
        }
    }
    change += m_probability;
    if (delay == 0 && m_oldDelay == 0)
    {
        change *= DECAY;
    }
    m_probability = std::clamp(change, 0.0, 1.0);
    m_allowanceNs = std::max<int64_t>(0, m_allowanceNs - m_spec.updateNs);
    UpdateBurst(delay < 0.5 * m_target && m_oldDelay < 0.5 * m_target && m_probability == 0 &&
                m_allowanceNs == 0);
    m_oldDelay = delay;
    return delay == 0 && m_probability == 0 && m_allowanceNs == 0 && m_burst == Burst::NONE;
}

void
PieQueue::UpdateBurst(bool isIdle)
{
    if (!isIdle)
    {
        m_shortUpdates = 0;
        return;
    }
    if (m_burst == Burst::PROTECTING)
    {
        m_burst = Burst::OVER;
        m_shortUpdates = 0;
    }
    else if (m_burst == Burst::OVER)
    {
        const double most = BURST_RESET_SECONDS / ToSeconds(m_spec.updateNs);
        if (++m_shortUpdates > static_cast<int64_t>(most))
        {
            m_shortUpdates = 0;
            m_burst = Burst::NONE;
        }
    }
}

} // namespace ns3::gridftp
