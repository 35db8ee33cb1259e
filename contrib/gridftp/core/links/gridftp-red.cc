/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-red.h"

#include "gridftp-random.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** @param base a number @param exponent of it @return the power, by squaring */
double
Power(double base, uint64_t exponent)
{
    double power = 1;
    for (; exponent > 0; exponent >>= 1)
    {
        if ((exponent & 1) != 0)
        {
            power *= base;
        }
        base *= base;
    }
    return power;
}

} // namespace

RandomEarlyDetection::RandomEarlyDetection(const RedSpec& spec, int64_t rateBps, uint64_t key)
    : m_spec(spec),
      m_packetsPerNs(static_cast<double>(rateBps) / (8e9 * static_cast<double>(spec.packetBytes))),
      m_key(key),
      m_certain(static_cast<double>(spec.maxThreshold) * (spec.isGentle ? 2 : 1))
{
}

bool
RandomEarlyDetection::IsNextDropped(uint64_t waiting, int64_t idleNs)
{
    return IsDropped(waiting, idleNs, [this] { return ToUnit(KeyedRandom({m_key, m_draws++})); });
}

RandomEarlyDetection
RandomEarlyDetection::InStream(uint64_t stream) const
{
    RandomEarlyDetection made = *this;
    made.m_key = KeyedRandom({m_key, stream});
    made.m_draws = 0;
    made.m_average = 0;
    made.m_count = 0;
    made.m_isAbove = false;
    return made;
}

void
RandomEarlyDetection::Average(uint64_t waiting, int64_t idleNs)
{
    const auto missed = static_cast<uint64_t>(static_cast<double>(idleNs) * m_packetsPerNs);
    m_average = m_average * Power(1 - m_spec.weight, missed + 1);
    m_average += m_spec.weight * static_cast<double>(waiting);
}

double
RandomEarlyDetection::GetProbability() const
{
    const auto least = static_cast<double>(m_spec.minThreshold);
    const auto most = static_cast<double>(m_spec.maxThreshold);
    const double initial =
        m_average < most
            ? m_spec.maxProbability * (m_average - least) / (most - least)
            : m_spec.maxProbability + (1 - m_spec.maxProbability) * (m_average - most) / most;
    const double expected = static_cast<double>(m_count) * initial;
    if (expected < 1)
    {
        return 0;
    }
    return expected < 2 ? std::min(1.0, initial / (2 - expected)) : 1;
}

} // namespace ns3::gridftp
