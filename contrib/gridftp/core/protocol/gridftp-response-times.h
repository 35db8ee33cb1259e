/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RESPONSE_TIMES_H
#define GRIDFTP_RESPONSE_TIMES_H

#include <cstddef>
#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * R, the round-trip time as a client can know it: the mean of the last M response times of
 * commands that the server answers at once (Ito et al., Sec. 3.3), of as many as there are.
 */
class ResponseTimes
{
  public:
    /** @param samples M, at least 1 */
    explicit ResponseTimes(size_t samples)
        : m_samples(samples)
    {
    }

    /** @param nanoseconds from sending a command to receiving its whole reply */
    void Add(int64_t nanoseconds)
    {
        m_sum += nanoseconds;
        m_times.push_back(nanoseconds);
        if (m_times.size() > m_samples)
        {
            m_sum -= m_times.front();
            m_times.pop_front();
        }
    }

    /** @return R, s; 0 while there is no sample */
    double GetMeanS() const
    {
        return m_times.empty()
                   ? 0
                   : static_cast<double>(m_sum) / static_cast<double>(m_times.size()) / 1e9;
    }

  private:
    size_t m_samples;            //!< M
    std::deque<int64_t> m_times; //!< the last of them, ns
    int64_t m_sum{0};            //!< their sum, ns: exact, so that no error builds up
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RESPONSE_TIMES_H
