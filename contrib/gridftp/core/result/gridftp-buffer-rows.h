/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_ROWS_H
#define GRIDFTP_BUFFER_ROWS_H

#include "gridftp-connection-label.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-trace-rows.h"

#include <map>
#include <tuple>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Makes the rows of buffers.csv of what either end of a connection tells, the same for both
 * engines: in the order of time, at most one per connection and nanosecond, of what is so behind
 * it. So it does not count in which order things happen within a nanosecond, nor that the segment
 * engine works out receiving ends ahead of the simulation.
 */
class BufferRows
{
  public:
    /** @param rows where they go; it outlives this */
    explicit BufferRows(TraceRows& rows)
        : m_rows(rows)
    {
    }

    /**
     * The receiving end of a connection has changed.
     * @param now of the simulation, ns
     * @param at when it changes, not before that, ns
     * @param label which connection
     * @param state from then on
     */
    void AddReceive(Nanoseconds now,
                    Nanoseconds at,
                    const ConnectionLabel& label,
                    const ReceiveBufferState& state);

    /**
     * The sending end of a connection has changed.
     * @param now of the simulation, ns
     * @param label which connection
     * @param state from then on
     */
    void AddSend(Nanoseconds now, const ConnectionLabel& label, const SendBufferState& state);

    /** Writes what is left. @param last of the simulation; what is ahead of it never happens */
    void End(Nanoseconds last);

  private:
    /** By ConnectionLabel. */
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** @param label which connection @return its key */
    static Key KeyOf(const ConnectionLabel& label);

    /** Writes what is before a time. @param now the time, ns */
    void WriteBefore(Nanoseconds now);

    TraceRows& m_rows;                                    //!< where they go
    std::map<std::pair<int64_t, Key>, BufferState> m_due; //!< changes that are not written yet
    std::map<Key, BufferState> m_written;                 //!< both ends as they were written last
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_ROWS_H
