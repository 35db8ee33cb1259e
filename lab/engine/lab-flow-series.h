/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_FLOW_SERIES_H
#define LAB_FLOW_SERIES_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-views.h"
#include "lab-series.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ns3::gridftp
{

/** @param shares of flows @return Jain's index, (sum of x)^2 / (n sum of x^2): 1 if all are equal,
 * 1/n if one has all; not a number where nothing is shared */
double JainIndex(std::span<const double> shares);

/** @brief What the flows have moved in an interval. */
struct FlowInterval
{
    int64_t beginNs;                //!< from when
    int64_t endNs;                  //!< until when
    double jain;                    //!< of the flows that move data at its begin and its end; not
                                    //!< a number where these are fewer than two
    std::vector<double> goodputBps; //!< of each flow; not a number while it moves nothing
};

/**
 * @brief What each flow has moved, interval by interval of a time axis.
 *
 * Nothing is recorded while the simulation runs: who advances it stops at GetNextNs() and gives
 * what the flows have moved until then. So an interval's bytes are those at its end without those
 * at its begin, and two intervals become one by forgetting what was between them.
 */
class FlowSeries
{
  public:
    /** @param axis whose bins are the intervals, an even number of them */
    explicit FlowSeries(const TimeAxis& axis)
        : m_axis(axis),
          m_edges(axis.GetCapacity() + 1)
    {
    }

    /** @return when the flows have to be looked at next, ns; NEVER: not any more */
    int64_t GetNextNs() const;

    /** The time of GetNextNs() has come. @param flows then, the same ones in each call */
    void Add(const std::vector<FlowView>& flows);

    /** @param now of the simulation @param flows now, where an interval that has begun is wanted,
     * too; else none @return all intervals that are kept, in order */
    std::vector<FlowInterval> GetIntervals(Nanoseconds now,
                                           const std::vector<FlowView>& flows) const;

    static constexpr int64_t NEVER = INT64_MAX; //!< no time of a simulation

  private:
    using Edge = std::vector<FlowView>; //!< what each flow had moved then

    /** @param index of an edge that is kept @return it */
    const Edge& At(int64_t index) const
    {
        return m_edges[static_cast<size_t>(index) % m_edges.size()];
    }

    /** @param index of the first one's begin @return likewise, first interval that is kept */
    int64_t GetFirst() const;

    TimeAxis m_axis;           //!< whose bins the intervals are
    std::vector<Edge> m_edges; //!< begins of bins, and the last one's end, by index modulo their
                               //!< number
    int64_t m_next{0};         //!< index of the next one
};

} // namespace ns3::gridftp

#endif // LAB_FLOW_SERIES_H
