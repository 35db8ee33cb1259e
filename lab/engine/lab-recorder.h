/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_RECORDER_H
#define LAB_RECORDER_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-simulator.h"
#include "lab-series.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @brief A packet that the queue has refused. */
struct DropRecord
{
    int64_t timeNs{0};                    //!< when
    std::optional<ConnectionLabel> label; //!< of which data connection, if of any
};

/** @brief The windows of one connection over time, the same index of chunk after chunk. */
struct WindowSeries
{
    ValueSeries cwnd;                     //!< bytes
    ValueSeries ssthresh;                 //!< bytes; not a number while it is not set
    ValueSeries flight;                   //!< in flight, bytes; sampled, see Recorder::Sample()
    std::optional<uint64_t> lastSsthresh; //!< the last value of that
};

/** @brief Keeps of what the engine shows as much as the charts draw. */
class Recorder : public SegmentObserver
{
  public:
    /** @param axis of the charts @param moving whether receivers' windows move: of cwnd no more is
     * kept then than the window lets through */
    Recorder(const TimeAxis& axis, bool moving);

    /** @return when the next bin begins, ns: Sample() is to be called then */
    int64_t GetNextSampleNs() const
    {
        return m_nextSampleNs;
    }

    /**
     * Records what is read from connections rather than reported by them: data in flight and
     * smoothed RTT.
     * @param now current simulation time, GetNextSampleNs()
     * @param connections that are open
     */
    void Sample(Nanoseconds now, const std::vector<ConnectionView>& connections);

    /** Makes the axis reach a time. @param now of the simulation */
    void Reach(Nanoseconds now);

    /** @return the axis of all series */
    const TimeAxis& GetAxis() const
    {
        return m_axis;
    }

    /** @return packets waiting at the bottleneck */
    const ValueSeries& GetQueue() const
    {
        return m_queue;
    }

    /** @return packets that its queue has refused */
    const CountSeries& GetDrops() const
    {
        return m_drops;
    }

    /** @return packets that it has marked (CE) */
    const CountSeries& GetMarks() const
    {
        return m_marks;
    }

    /** @return how many packets it has marked so far */
    uint64_t CountMarks() const
    {
        return m_markCount;
    }

    /** @return smoothed RTT, ns, of the connections of each session, backgrounds behind the
     * sessions; null where nothing is known */
    const std::vector<std::unique_ptr<ValueSeries>>& GetRtts() const
    {
        return m_rtts;
    }

    /** @return windows by session, backgrounds behind the sessions, and index of the connection;
     * null where nothing is known */
    const std::vector<std::vector<std::unique_ptr<WindowSeries>>>& GetWindows() const
    {
        return m_windows;
    }

    /** @return the latest drops since ForgetDrops() */
    const std::vector<DropRecord>& GetLatestDrops() const
    {
        return m_latestDrops;
    }

    /** Empties GetLatestDrops(). */
    void ForgetDrops()
    {
        m_latestDrops.clear();
    }

    // Inherited from SegmentObserver
    bool WantsDeliveries() const override
    {
        return true; // for FlowSeries
    }

    void HandleLength(Nanoseconds now, uint64_t packets) override;
    void HandleMark(Nanoseconds now) override;
    void HandleWindow(Nanoseconds now,
                      const ConnectionLabel& label,
                      const WindowView& window) override;
    void HandleDrop(Nanoseconds now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override;

  private:
    /** @param now current simulation time @return when the next bin begins, ns, as far as bins
     * there are shown */
    int64_t GetBeginOfNextBin(Nanoseconds now) const;

    /** @param label of a connection @return its windows */
    WindowSeries& GetSeries(const ConnectionLabel& label);

    TimeAxis m_axis;                                  //!< of all series
    bool m_moving;                                    //!< receivers' windows move
    int64_t m_endNs{0};                               //!< before this time nothing has to be folded
    ValueSeries m_queue;                              //!< packets
    CountSeries m_drops;                              //!< packets
    CountSeries m_marks;                              //!< packets
    uint64_t m_markCount{0};                          //!< see CountMarks()
    int64_t m_nextSampleNs{0};                        //!< see GetNextSampleNs()
    std::vector<std::unique_ptr<ValueSeries>> m_rtts; //!< see GetRtts()
    std::vector<std::vector<std::unique_ptr<WindowSeries>>> m_windows; //!< see GetWindows()
    std::vector<DropRecord> m_latestDrops;                             //!< see GetLatestDrops()
};

} // namespace ns3::gridftp

#endif // LAB_RECORDER_H
