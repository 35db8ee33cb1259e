/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_MINIMUM_FILTER_H
#define GRIDFTP_LINUX_MINIMUM_FILTER_H

#include "gridftp-nanoseconds.h"

#include <array>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Minimum of samples over a window of time, with the three best samples that Kathleen Nichols'
 * algorithm needs (the kernel's lib/win_minmax.c).
 */
class LinuxMinimumFilter
{
  public:
    /** @param window length of time @param now current time @param value a sample @return the
     * minimum of the window */
    uint32_t Add(Nanoseconds window, Nanoseconds now, uint32_t value)
    {
        const Sample sample{now, value};
        if (m_isEmpty || value <= m_best[0].value || now - m_best[2].at > window)
        {
            m_isEmpty = false;
            m_best.fill(sample);
            return value;
        }
        if (value <= m_best[1].value)
        {
            m_best[1] = m_best[2] = sample;
        }
        else if (value <= m_best[2].value)
        {
            m_best[2] = sample;
        }
        return Age(window, sample);
    }

  private:
    /** A sample. */
    struct Sample
    {
        Nanoseconds at{0}; //!< when it was taken
        uint32_t value{0}; //!< what it is
    };

    /** Lets old samples go. @param window length of time @param sample the newest @return the
     * minimum */
    uint32_t Age(Nanoseconds window, const Sample& sample)
    {
        const Nanoseconds age = sample.at - m_best[0].at;
        if (age > window)
        {
            m_best = {m_best[1], m_best[2], sample};
            if (sample.at - m_best[0].at > window)
            {
                m_best = {m_best[1], m_best[2], sample};
            }
        }
        else if (m_best[1].at == m_best[0].at && age > window / 4)
        {
            m_best[1] = m_best[2] = sample;
        }
        else if (m_best[2].at == m_best[1].at && age > window / 2)
        {
            m_best[2] = sample;
        }
        return m_best[0].value;
    }

    std::array<Sample, 3> m_best; //!< best, second and third best, in the order of time
    bool m_isEmpty{true};         //!< no sample yet
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_MINIMUM_FILTER_H
