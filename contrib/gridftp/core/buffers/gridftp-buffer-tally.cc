/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-tally.h"

#include <algorithm>

namespace ns3::gridftp
{

std::optional<double>
MeasuredRtt::GetMeanS() const
{
    if (count == 0)
    {
        return std::nullopt;
    }
    return static_cast<double>(sumNs) / static_cast<double>(count) / 1e9;
}

void
BufferTally::Add(const BufferUse& use)
{
    if (use.openSeconds > 0)
    {
        m_uses.push_back(use);
    }
}

void
BufferTally::Add(const BufferTally& other)
{
    m_uses.insert(m_uses.end(), other.m_uses.begin(), other.m_uses.end());
    m_measured.Add(other.m_measured);
}

uint64_t
BufferTally::GetMostBytes() const
{
    const auto most = std::ranges::max_element(m_uses, {}, &BufferUse::mostBytes);
    return most == m_uses.end() ? 0 : most->mostBytes;
}

double
BufferTally::GetMeanBytes() const
{
    // The engines do not add them in the same order, and sums of doubles depend on it
    auto uses = m_uses;
    std::ranges::sort(uses, {}, &BufferUse::openSeconds);
    std::ranges::stable_sort(uses, {}, &BufferUse::meanBytes);
    const double least = uses.empty() ? 0 : uses.front().meanBytes;
    double above = 0;
    double seconds = 0;
    for (const auto& use : uses)
    {
        above += (use.meanBytes - least) * use.openSeconds;
        seconds += use.openSeconds;
    }
    return seconds > 0 ? least + above / seconds : 0;
}

} // namespace ns3::gridftp
