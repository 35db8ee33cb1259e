/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_SERIES_H
#define LAB_SERIES_H

#include "gridftp-nanoseconds.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/**
 * @file
 * What the charts draw: values over time in a number of evenly spaced bins, so that a run of any
 * length takes the same memory and the same time to draw.
 */

namespace ns3::gridftp
{

/** @brief What part of a run the bins show. */
enum class AxisKind
{
    WHOLE, //!< from the start to now; the bins' width doubles as the run goes on
    LAST,  //!< the latest so many seconds
    SPAN   //!< from one time to another
};

/**
 * The common time axis of all series: which bin a time belongs to. Bins count on from the axis'
 * begin; of AxisKind::LAST only the latest are kept.
 */
class TimeAxis
{
  public:
    /**
     * @param kind what part of a run
     * @param beginNs of a span, ns
     * @param lengthNs of a span, or of the latest part, ns
     * @param bins most bins kept, at least 2
     */
    TimeAxis(AxisKind kind, int64_t beginNs, int64_t lengthNs, size_t bins);

    /** @return most bins kept */
    size_t GetCapacity() const
    {
        return m_bins;
    }

    /** @return what part of a run */
    AxisKind GetKind() const
    {
        return m_kind;
    }

    /** @param now of the simulation @return its bin; negative before a span, beyond the last one
     * behind it */
    int64_t IndexOf(Nanoseconds now) const
    {
        // Most times are in the same bin as the one before, and a division takes its time
        if (now < m_foundNs || now - m_foundNs >= m_widthNs)
        {
            Find(now);
        }
        return m_found;
    }

    /** @param now of the simulation @return how often the width has to double before the time has a
     * bin */
    unsigned CountFolds(Nanoseconds now) const;

    /** Doubles the width. */
    void Fold()
    {
        m_widthNs *= 2;
        Find(m_beginNs);
    }

    /** @return width of a bin, ns */
    int64_t GetWidthNs() const
    {
        return m_widthNs;
    }

    /** @param bin index @return when it begins, ns */
    int64_t GetBeginNs(int64_t bin) const
    {
        return m_beginNs + bin * m_widthNs;
    }

    /** @param now of the simulation @return the first bin that is kept then */
    int64_t GetFirst(Nanoseconds now) const;

    /** @param now of the simulation @return how many bins there are until then */
    size_t GetCount(Nanoseconds now) const;

  private:
    /** IndexOf() of another bin than before. @param now of the simulation */
    void Find(Nanoseconds now) const;

    AxisKind m_kind;              //!< what part of a run
    int64_t m_beginNs;            //!< of the first bin
    int64_t m_widthNs;            //!< of a bin
    size_t m_bins;                //!< most bins kept
    mutable int64_t m_found{0};   //!< the bin that was found last
    mutable int64_t m_foundNs{0}; //!< when it begins
};

/** @brief What a bin of a ValueSeries holds. */
struct ValueBin
{
    float least{std::numeric_limits<float>::quiet_NaN()}; //!< smallest value
    float most{std::numeric_limits<float>::quiet_NaN()};  //!< largest value
    float last{std::numeric_limits<float>::quiet_NaN()};  //!< value at its end
};

/** @brief A value that changes now and then, such as a window; not a number before it is known. */
class ValueSeries
{
  public:
    /** @param axis see TimeAxis */
    explicit ValueSeries(const TimeAxis& axis)
        : m_bins(axis.GetCapacity())
    {
    }

    /** The value changes. @param axis the axis @param now of the simulation, not before earlier
     * ones @param value from now on */
    void Add(const TimeAxis& axis, Nanoseconds now, double value)
    {
        if (const auto index = axis.IndexOf(now); index != m_slotOf)
        {
            return AddElsewhere(axis, index, static_cast<float>(value));
        }
        m_value = static_cast<float>(value);
        Widen(m_bins[m_slot]);
    }

    /** Two bins become one. */
    void Fold();

    /** @param index of a bin, from TimeAxis::GetFirst() on @return what it holds */
    ValueBin At(int64_t index) const;

  private:
    /** Add() to another bin than before. @param axis the axis @param index of the bin @param value
     * from now on */
    void AddElsewhere(const TimeAxis& axis, int64_t index, float value);

    /** The value stays as it is. @param index until the end of this bin */
    void FillTo(int64_t index);

    /** @param bin holds the value that there is now, too */
    void Widen(ValueBin& bin) const
    {
        bin.least = bin.least <= m_value ? bin.least : m_value; // also where it is not a number
        bin.most = bin.most >= m_value ? bin.most : m_value;
        bin.last = m_value;
    }

    static constexpr int64_t NO_BIN = -2; //!< no index is this

    std::vector<ValueBin> m_bins;                           //!< by index modulo their number
    float m_value{std::numeric_limits<float>::quiet_NaN()}; //!< now
    int64_t m_filled{-1};                                   //!< last bin that is written
    int64_t m_slotOf{NO_BIN};                               //!< the bin that is at m_slot
    size_t m_slot{0};                                       //!< where the last bin is
};

/** @brief How often something happens in each bin. */
class CountSeries
{
  public:
    /** @param axis see TimeAxis */
    explicit CountSeries(const TimeAxis& axis)
        : m_bins(axis.GetCapacity())
    {
    }

    /** It happens. @param axis the axis @param now of the simulation, not before earlier ones */
    void Add(const TimeAxis& axis, Nanoseconds now);

    /** Two bins become one. */
    void Fold();

    /** @param index of a bin, from TimeAxis::GetFirst() on @return how often */
    uint32_t At(int64_t index) const;

  private:
    std::vector<uint32_t> m_bins; //!< by index modulo their number
    int64_t m_filled{-1};         //!< last bin that is written
};

} // namespace ns3::gridftp

#endif // LAB_SERIES_H
