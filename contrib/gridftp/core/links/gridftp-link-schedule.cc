/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-link-schedule.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t BILLION = 1'000'000'000;
constexpr int64_t FOREVER = std::numeric_limits<int64_t>::max();

/** @param a a number @param b a number @return their product, in nanobits: 128 bits would be
 * enough, but are not portable */
LinkCapacity
Multiply(uint64_t a, uint64_t b)
{
    const uint64_t low = (a % BILLION) * (b % BILLION);
    const uint64_t cross = (a / BILLION) * (b % BILLION) + (a % BILLION) * (b / BILLION);
    return {(a / BILLION) * (b / BILLION) * BILLION + cross + low / BILLION, low % BILLION};
}

} // namespace

LinkCapacity
LinkCapacity::Of(int64_t rateBps, int64_t ns)
{
    return Multiply(static_cast<uint64_t>(rateBps), static_cast<uint64_t>(ns));
}

LinkCapacity
LinkCapacity::operator+(const LinkCapacity& other) const
{
    const uint64_t sum = nanobits + other.nanobits;
    return {bits + other.bits + sum / BILLION, sum % BILLION};
}

LinkCapacity
LinkCapacity::operator-(const LinkCapacity& other) const
{
    const uint64_t borrowed = nanobits < other.nanobits ? 1 : 0;
    return {bits - other.bits - borrowed, nanobits + borrowed * BILLION - other.nanobits};
}

double
LinkCapacity::GetBits() const
{
    return static_cast<double>(bits) + static_cast<double>(nanobits) / 1e9;
}

LinkSchedule::LinkSchedule(std::vector<LinkRow> rows, int64_t periodNs)
    : m_rows(std::move(rows)),
      m_periodNs(periodNs)
{
    LinkCapacity before;
    for (size_t i = 0; i < m_rows.size(); ++i)
    {
        m_capacity.push_back(before);
        const int64_t end = i + 1 < m_rows.size() ? m_rows[i + 1].startNs : m_periodNs;
        if (end > 0)
        {
            before = before + LinkCapacity::Of(m_rows[i].rateBps, end - m_rows[i].startNs);
        }
    }
    m_capacity.push_back(before);
}

int64_t
LinkSchedule::GetMostRate() const
{
    return std::ranges::max_element(m_rows, {}, &LinkRow::rateBps)->rateBps;
}

int64_t
LinkSchedule::GetLeastDelay() const
{
    return std::ranges::min_element(m_rows, {}, &LinkRow::delayNs)->delayNs;
}

size_t
LinkSchedule::FindRow(int64_t atNs) const
{
    const int64_t at = m_periodNs > 0 ? atNs % m_periodNs : atNs;
    const auto later = std::ranges::upper_bound(m_rows, at, {}, &LinkRow::startNs);
    return static_cast<size_t>(later - m_rows.begin()) - 1;
}

int64_t
LinkSchedule::GetEnd(int64_t startNs, int64_t bytes) const
{
    constexpr int64_t BIT_NS = 8'000'000'000; // a byte at 1 bit/s, ns
    int64_t needed = bytes * BIT_NS;
    int64_t now = startNs;
    size_t row = FindRow(startNs);
    int64_t begin = m_periodNs > 0 ? startNs - startNs % m_periodNs : 0; // of this round
    while (true)
    {
        const bool isLast = row + 1 == m_rows.size();
        const int64_t end = !isLast          ? begin + m_rows[row + 1].startNs
                            : m_periodNs > 0 ? begin + m_periodNs
                                             : FOREVER;
        if (const int64_t rate = m_rows[row].rateBps; rate > 0)
        {
            const int64_t takes = (needed + rate / 2) / rate;
            if (takes <= end - now)
            {
                return now + takes;
            }
            needed -= rate * (end - now);
        }
        begin += isLast ? m_periodNs : 0;
        row = isLast ? 0 : row + 1;
        now = end;
    }
}

LinkCapacity
LinkSchedule::Integrate(int64_t toNs) const
{
    const int64_t rounds = m_periodNs > 0 ? toNs / m_periodNs : 0;
    const size_t row = FindRow(toNs);
    const int64_t since = toNs - rounds * m_periodNs - m_rows[row].startNs;
    const LinkCapacity& round = m_capacity.back();
    const auto count = static_cast<uint64_t>(rounds);
    LinkCapacity all = Multiply(round.nanobits, count);
    all.bits += round.bits * count;
    return all + m_capacity[row] + LinkCapacity::Of(m_rows[row].rateBps, since);
}

LinkCapacity
LinkSchedule::GetCapacity(int64_t fromNs, int64_t toNs) const
{
    return Integrate(toNs) - Integrate(fromNs);
}

ScheduledLink::ScheduledLink(LinkSchedule schedule)
    : m_schedule(std::move(schedule))
{
}

LinkCrossing
ScheduledLink::Cross(int64_t startNs, int64_t bytes)
{
    const int64_t end = m_schedule.GetEnd(startNs, bytes);
    m_arrivalNs = std::max(m_arrivalNs, end + m_schedule.At(end).delayNs);
    return {end, m_arrivalNs};
}

double
GetUtilisation(const LinkCapacity& carried, const LinkCapacity& offered)
{
    const double whole = offered.GetBits();
    return whole > 0 ? carried.GetBits() / whole : 0;
}

} // namespace ns3::gridftp
