/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CHUNK_SEGMENTS_H
#define GRIDFTP_CHUNK_SEGMENTS_H

#include "gridftp-chunk-sample.h"
#include "gridftp-result.h"

#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a session's data connections sent in a chunk, from what they have sent so far: sockets count
 * from their beginning, so a program asks after each chunk, and takes off what it was told before.
 */
class ChunkSegments
{
  public:
    /**
     * A chunk is complete.
     * @param totals of each pair of stripes since the session began, closed connections included;
     *        one pair without stripes
     */
    void Update(const std::vector<ConnectionTotals>& totals);

    /** @return what each pair sent, from the last but one Update() to the last */
    const std::vector<SentSegments>& GetPairs() const
    {
        return m_pairs;
    }

    /** @return the same of all pairs */
    SentSegments GetAll() const;

  private:
    std::vector<SentSegments> m_pairs;  //!< see GetPairs()
    std::vector<SentSegments> m_before; //!< by pair, up to the last Update()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CHUNK_SEGMENTS_H
