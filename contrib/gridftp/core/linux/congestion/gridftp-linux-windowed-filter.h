/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_WINDOWED_FILTER_H
#define GRIDFTP_LINUX_WINDOWED_FILTER_H

#include "gridftp-nanoseconds.h"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Approximate maximum or minimum of a stream over a sliding window, in constant space: Kathleen
 * Nichols' algorithm, as the kernel has it (lib/win_minmax.c). It stores the best sample and the
 * best ones of the later parts of the window.
 * @tparam Better std::greater_equal for the maximum, std::less_equal for the minimum
 * @tparam Time of samples: Nanoseconds, or an unsigned type, which may wrap
 */
template <typename Better, typename Time>
class LinuxWindowedFilter
{
  public:
    /** Forgets all samples but this one. @param time its time or round @param value its value */
    void Reset(Time time, uint32_t value)
    {
        m_samples.fill({time, value});
    }

    /**
     * A new sample.
     * @param window length of the window, in the unit of `time`
     * @param time of the sample, not before the last one's
     * @param value of the sample
     */
    void Update(Time window, Time time, uint32_t value)
    {
        const Better better;
        if (better(value, m_samples[0].value) || time - m_samples[2].time > window)
        {
            Reset(time, value);
            return;
        }
        const Sample sample{time, value};
        if (better(value, m_samples[1].value))
        {
            m_samples[1] = m_samples[2] = sample;
        }
        else if (better(value, m_samples[2].value))
        {
            m_samples[2] = sample;
        }
        Age(window, sample);
    }

    /** @return the best value of the window */
    uint32_t Get() const
    {
        return m_samples[0].value;
    }

  private:
    /// Before the first sample: any value is at least as good.
    static constexpr uint32_t WORST = Better{}(0, 1) ? std::numeric_limits<uint32_t>::max() : 0;

    /// A value and its time.
    struct Sample
    {
        Time time{0};          //!< time or round
        uint32_t value{WORST}; //!< value
    };

    /** Drops samples that left the window. @param window its length @param newest sample */
    void Age(Time window, const Sample& newest)
    {
        const Time age = newest.time - m_samples[0].time;
        if (age > window)
        {
            Shift(newest);
            if (newest.time - m_samples[0].time > window)
            {
                Shift(newest);
            }
        }
        else if (m_samples[1].time == m_samples[0].time && age > window / 4)
        {
            m_samples[1] = m_samples[2] = newest;
        }
        else if (m_samples[2].time == m_samples[1].time && age > window / 2)
        {
            m_samples[2] = newest;
        }
    }

    /** Drops the first sample. @param newest the new last one */
    void Shift(const Sample& newest)
    {
        m_samples = {m_samples[1], m_samples[2], newest};
    }

    std::array<Sample, 3> m_samples; //!< the best, and the best after it, and after that
};

/** @ingroup gridftp @brief Maximum over a sliding window of rounds or ticks, which may wrap. */
using LinuxWindowedMax = LinuxWindowedFilter<std::greater_equal<uint32_t>, uint32_t>;

/** @ingroup gridftp @brief Minimum over a sliding window of time. */
using LinuxWindowedMin = LinuxWindowedFilter<std::less_equal<uint32_t>, Nanoseconds>;

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_WINDOWED_FILTER_H
