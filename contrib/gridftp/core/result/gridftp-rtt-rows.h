/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RTT_ROWS_H
#define GRIDFTP_RTT_ROWS_H

#include "gridftp-connection-label.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-trace-rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Makes the rows of rtt.csv, the same for both engines: in the order of time, at most one per
 * connection and nanosecond, with the state behind everything that happens in it. There is a row
 * for each RTT sample, and one where the RTO changes without a sample: a timeout doubles it, an ACK
 * of new data ends that. A connection has none before its first sample.
 *
 * Contract: an engine calls the functions in the order of time, and End() behind them.
 */
class RttRows
{
  public:
    /** @param rows where they go; outlives this */
    explicit RttRows(TraceRows& rows)
        : m_rows(rows)
    {
    }

    /** An RTT estimator has taken a sample. @param now current simulation time @param label which
     * connection @param sampleNs round-trip time @param smoothedNs SRTT from now on */
    void AddSample(Nanoseconds now,
                   const ConnectionLabel& label,
                   int64_t sampleNs,
                   int64_t smoothedNs);

    /** The retransmission timeout is set. @param now current simulation time @param label which
     * connection @param rtoNs from now on, perhaps what it was before */
    void AddRto(Nanoseconds now, const ConnectionLabel& label, int64_t rtoNs);

    /** Writes the rows that are left. */
    void End();

  private:
    /** By ConnectionLabel. */
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** @param now current simulation time @param label which connection @return its state of now */
    RttState& GetDue(Nanoseconds now, const ConnectionLabel& label);

    TraceRows& m_rows;                 //!< where they go
    int64_t m_nowNs{-1};               //!< time of what is due
    std::map<Key, RttState> m_due;     //!< states of that time, not written yet
    std::map<Key, RttState> m_written; //!< as they were before, without a sample
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RTT_ROWS_H
