/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-series.h"

#include <algorithm>
#include <cmath>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t FIRST_WIDTH_NS = 1'000'000; // the finest that the whole of a run is shown in

/** @return the wider of two bins that follow one another */
ValueBin
Join(const ValueBin& one, const ValueBin& next)
{
    // fmin and fmax take the other one where one is not a number
    return {std::fmin(one.least, next.least), std::fmax(one.most, next.most), next.last};
}

} // namespace

TimeAxis::TimeAxis(AxisKind kind, int64_t beginNs, int64_t lengthNs, size_t bins)
    : m_kind(kind),
      m_beginNs(kind == AxisKind::SPAN ? beginNs : 0),
      m_widthNs(kind == AxisKind::WHOLE
                    ? FIRST_WIDTH_NS
                    : std::max<int64_t>(1, lengthNs / static_cast<int64_t>(bins))),
      m_bins(bins),
      m_foundNs(m_beginNs)
{
}

void
TimeAxis::Find(Nanoseconds now) const
{
    m_found = now < m_beginNs ? -1 : (now - m_beginNs) / m_widthNs;
    m_foundNs = GetBeginNs(m_found);
}

unsigned
TimeAxis::CountFolds(Nanoseconds now) const
{
    unsigned folds = 0;
    if (m_kind == AxisKind::WHOLE)
    {
        for (auto index = IndexOf(now); index >= static_cast<int64_t>(m_bins); index /= 2)
        {
            ++folds;
        }
    }
    return folds;
}

int64_t
TimeAxis::GetFirst(Nanoseconds now) const
{
    const auto behind = IndexOf(now) + 1 - static_cast<int64_t>(m_bins);
    return m_kind == AxisKind::LAST ? std::max<int64_t>(0, behind) : 0;
}

size_t
TimeAxis::GetCount(Nanoseconds now) const
{
    const auto count = IndexOf(now) + 1 - GetFirst(now);
    return static_cast<size_t>(std::clamp<int64_t>(count, 0, static_cast<int64_t>(m_bins)));
}

void
ValueSeries::FillTo(int64_t index)
{
    if (index <= m_filled)
    {
        return;
    }
    const auto size = static_cast<int64_t>(m_bins.size());
    for (auto i = std::max(m_filled + 1, index + 1 - size); i <= index; ++i)
    {
        m_bins[static_cast<size_t>(i % size)] = {m_value, m_value, m_value};
    }
    m_filled = std::max(m_filled, index);
}

void
ValueSeries::AddElsewhere(const TimeAxis& axis, int64_t index, float value)
{
    const auto size = static_cast<int64_t>(m_bins.size());
    const bool isBehind = axis.GetKind() == AxisKind::SPAN && index >= size;
    if (index >= 0)
    {
        FillTo(isBehind ? size - 1 : index);
    }
    m_value = value;
    if (index < 0 || isBehind)
    {
        m_slotOf = NO_BIN;
        return;
    }
    m_slotOf = m_filled;
    m_slot = static_cast<size_t>(m_filled % size);
    Widen(m_bins[m_slot]);
}

void
ValueSeries::Fold()
{
    if (m_filled < 0)
    {
        return;
    }
    if (m_filled % 2 == 0 && m_filled + 1 < static_cast<int64_t>(m_bins.size()))
    {
        FillTo(m_filled + 1);
    }
    for (size_t i = 0; 2 * i + 1 < m_bins.size(); ++i)
    {
        m_bins[i] = Join(m_bins[2 * i], m_bins[2 * i + 1]);
    }
    m_filled /= 2;
    m_slotOf = NO_BIN;
}

ValueBin
ValueSeries::At(int64_t index) const
{
    if (index > m_filled)
    {
        return {m_value, m_value, m_value};
    }
    return m_bins[static_cast<size_t>(index % static_cast<int64_t>(m_bins.size()))];
}

void
CountSeries::Add(const TimeAxis& axis, Nanoseconds now)
{
    const auto size = static_cast<int64_t>(m_bins.size());
    const auto index = axis.IndexOf(now);
    if (index < 0 || (axis.GetKind() == AxisKind::SPAN && index >= size))
    {
        return;
    }
    for (auto i = std::max(m_filled + 1, index + 1 - size); i <= index; ++i)
    {
        m_bins[static_cast<size_t>(i % size)] = 0;
    }
    m_filled = std::max(m_filled, index);
    ++m_bins[static_cast<size_t>(m_filled % size)];
}

void
CountSeries::Fold()
{
    if (m_filled < 0)
    {
        return;
    }
    for (auto i = static_cast<size_t>(m_filled) + 1; i < m_bins.size(); ++i)
    {
        m_bins[i] = 0;
    }
    for (size_t i = 0; 2 * i + 1 < m_bins.size(); ++i)
    {
        m_bins[i] = m_bins[2 * i] + m_bins[2 * i + 1];
    }
    m_filled /= 2;
}

uint32_t
CountSeries::At(int64_t index) const
{
    const auto size = static_cast<int64_t>(m_bins.size());
    const bool isKept = index <= m_filled && index > m_filled - size;
    return isKept ? m_bins[static_cast<size_t>(index % size)] : 0;
}

} // namespace ns3::gridftp
