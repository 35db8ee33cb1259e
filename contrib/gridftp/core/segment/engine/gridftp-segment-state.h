/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STATE_H
#define GRIDFTP_SEGMENT_STATE_H

#include "gridftp-segment-time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What there is to compare of two moments of a simulation.
 */

namespace ns3::gridftp
{

class EventTarget;

/**
 * @ingroup gridftp
 * The state of a simulation at a moment, up to a shift in time: what it will do from then on
 * depends on nothing else. Each class adds what it has: times count from the moment, positions in a
 * stream of bytes from one that the class names, and connections are named by how many began after
 * them, since each chunk may have connections of its own. Two moments with equal states are
 * followed by the same, only later.
 */
class SegmentState
{
  public:
    /** Names a target of events. @param target any @return its name; none: its address, since it
     * exists at both moments */
    using Namer = std::function<std::optional<uint64_t>(const EventTarget& target)>;

    /** @param nowNs the moment, ns @param sinceNs the one that it will be compared with, ns: times
     * before it are all the same, as nothing asks any more when they were @param namer of targets
     */
    SegmentState(int64_t nowNs, int64_t sinceNs, Namer namer = {})
        : m_nowNs(nowNs),
          m_sinceNs(sinceNs),
          m_namer(std::move(namer))
    {
    }

    /** @param value of any kind */
    void Add(uint64_t value)
    {
        m_values.push_back(value);
    }

    /** @param ns a time, or NEVER */
    void AddTime(int64_t ns)
    {
        constexpr int64_t LONG_AGO = -NEVER;
        const int64_t shifted = ns < m_sinceNs ? LONG_AGO : ns - m_nowNs;
        Add(static_cast<uint64_t>(ns == NEVER ? NEVER : shifted));
    }

    /** @param position in a stream @param base another one: a position before it is of no
     * consequence any more */
    void AddPosition(uint64_t position, uint64_t base)
    {
        Add(position > base ? position - base : 0);
    }

    /** @param target of an event */
    void AddTarget(const EventTarget& target)
    {
        const auto name = m_namer ? m_namer(target) : std::nullopt;
        Add(name.has_value());
        Add(name.value_or(reinterpret_cast<uintptr_t>(&target)));
    }

    /** There is something that no state tells of: it equals none. */
    void Bar()
    {
        m_isBarred = true;
    }

    /** @return the moment, ns */
    int64_t GetNow() const
    {
        return m_nowNs;
    }

    /** @param ns a time @return whether it is not before the moment that this is compared with */
    bool IsRecent(int64_t ns) const
    {
        return ns >= m_sinceNs;
    }

    /** @param other that of another moment @return whether both are followed by the same */
    bool Equals(const SegmentState& other) const
    {
        return !m_isBarred && !other.m_isBarred && m_values == other.m_values;
    }

  private:
    int64_t m_nowNs;                //!< the moment
    int64_t m_sinceNs;              //!< see the constructor
    Namer m_namer;                  //!< see the constructor
    std::vector<uint64_t> m_values; //!< in the order in which they were added
    bool m_isBarred{false};         //!< see Bar()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STATE_H
