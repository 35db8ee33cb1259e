/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_PRESENCE_H
#define LAB_PRESENCE_H

#include "gridftp-result.h"
#include "gridftp-segment-views.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @param session as it is now @param pairs of its stripes @return its data connections: N of all
 * pairs */
uint32_t CountConnections(const SessionView& session, uint32_t pairs);

/** @brief Knows, from one bin to the next, whether a connection of a session is there. */
class Presence
{
  public:
    /** @param session as it is now @param connection index among those of all stripes @param pairs
     * of its stripes @param restarts of the session */
    Presence(const SessionView& session,
             uint32_t connection,
             uint32_t pairs,
             const std::vector<RestartResult>& restarts)
        : m_session(session),
          m_connection(connection),
          m_pairs(pairs),
          m_restarts(restarts)
    {
    }

    /** @param beginNs of a bin, later than the ones before @param endNs of it @return whether the
     * connection is there in any part of it */
    bool IsThere(int64_t beginNs, int64_t endNs);

  private:
    /** @param beginNs of a bin @param endNs of it @return whether a try that failed was under way
     */
    bool IsInTry(int64_t beginNs, int64_t endNs) const;

    const SessionView& m_session;                 //!< as it is now
    uint32_t m_connection;                        //!< its index
    uint32_t m_pairs;                             //!< of stripes
    const std::vector<RestartResult>& m_restarts; //!< of the session
    size_t m_next{0};                             //!< first chunk that is not over before the bin
};

} // namespace ns3::gridftp

#endif // LAB_PRESENCE_H
