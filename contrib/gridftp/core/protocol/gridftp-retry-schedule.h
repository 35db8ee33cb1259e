/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RETRY_SCHEDULE_H
#define GRIDFTP_RETRY_SCHEDULE_H

#include "gridftp-scenario.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Whether and when a client that cannot go on begins anew: so many times in a session, the first
 * time after retry-wait, twice as late with each try that gained nothing (exponential backoff); one
 * that gained bytes of the file begins with the first wait again. Both engines ask it.
 */
class RetrySchedule
{
  public:
    /** No new try. */
    RetrySchedule() = default;

    /** @param session whose retries and waits count @param heldBytes of the file at its start */
    RetrySchedule(const SessionSpec& session, uint64_t heldBytes)
        : RetrySchedule(session.retries, session.retryWait, session.retryWaitMost, heldBytes)
    {
    }

    /**
     * @param retries how many new tries there may be
     * @param waitNs before the first one, ns
     * @param mostNs the longest wait, ns
     * @param heldBytes of the file that are there at the start
     */
    RetrySchedule(int64_t retries, int64_t waitNs, int64_t mostNs, uint64_t heldBytes)
        : m_left(retries),
          m_firstNs(std::min(waitNs, mostNs)),
          m_mostNs(mostNs),
          m_nextNs(m_firstNs),
          m_heldBytes(heldBytes)
    {
    }

    /**
     * A try has failed.
     * @param heldBytes of the file that are there now
     * @return how long to wait before the next one, ns; none: there is none
     */
    std::optional<int64_t> Fail(uint64_t heldBytes)
    {
        if (m_left == 0)
        {
            return std::nullopt;
        }
        --m_left;
        const int64_t waitNs = heldBytes > m_heldBytes ? m_firstNs : m_nextNs;
        m_nextNs = waitNs > m_mostNs / 2 ? m_mostNs : 2 * waitNs;
        m_heldBytes = heldBytes;
        return waitNs;
    }

  private:
    int64_t m_left{0};       //!< new tries
    int64_t m_firstNs{0};    //!< the first wait
    int64_t m_mostNs{0};     //!< the longest one
    int64_t m_nextNs{0};     //!< the next one, unless the try gains something
    uint64_t m_heldBytes{0}; //!< of the file, when the try began
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RETRY_SCHEDULE_H
