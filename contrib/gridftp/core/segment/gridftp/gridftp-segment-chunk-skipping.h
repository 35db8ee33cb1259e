/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CHUNK_SKIPPING_H
#define GRIDFTP_SEGMENT_CHUNK_SKIPPING_H

#include "gridftp-segment-application.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-fast-forward.h"
#include "gridftp-segment-nodes.h"
#include "gridftp-segment-state.h"
#include "gridftp-server-session.h"
#include "gridftp-transfer-client.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Finds chunks of a session that would go as the last one did, to the nanosecond, and records them
 * without simulating them.
 *
 * Between two chunks with new data connections there is little that the next one depends on: what
 * of the old connections is still on its way, the control connection, the timers. If all of that is
 * as it was one chunk ago, up to a shift in time (SegmentState), and the next chunk is requested
 * with the same N, the same bytes and lines of the same lengths, then it goes as the last one did,
 * and leaves all as it is now. So TransferClient::RepeatChunk() records it, and the counts of the
 * last chunk are added to all counters.
 *
 * Two things of a control connection are not compared, since no chunk can leave them as they were:
 * positions in its two streams count from what is acknowledged, and cwnd, which grows in slow start
 * by the same amount in each chunk, must have room for all lines of a chunk.
 *
 * Contract: the owner calls SkipChunks() in TransferClient::Owner::HandleBetweenChunks().
 */
class SegmentChunkSkipping
{
  public:
    /** What it looks at and changes; all of it outlives this object. */
    struct Parts
    {
        const ApplicationContext* context{nullptr}; //!< of the session
        SegmentNodes* nodes{nullptr};               //!< its hosts
        uint32_t receiver{0};                       //!< node that receives data
        uint32_t address{0};                        //!< IPv4 of that node, as lines have it
        TransferClient* client{nullptr};            //!< its client
        ServerSession* server{nullptr};             //!< the session at its server
    };

    /** @param scenario resolved @param dataTcp of its data connections @return whether chunks of
     * its session may recur, and nothing that SegmentState lacks has a part in them */
    static bool MayHelp(const Scenario& scenario, const SegmentTcp& dataTcp);

    /** @param parts of the session */
    explicit SegmentChunkSkipping(const Parts& parts);

    /** Records the next chunks without simulating them, as many as would go as the last one did.
     * @param now current simulation time @param totals of all data connections */
    void SkipChunks(Nanoseconds now, const ConnectionTotals& totals);

    /** @return counts of the data connections of skipped chunks */
    const ConnectionTotals& GetTotals() const
    {
        return m_totals;
    }

    /** @return bytes of skipped chunks */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  private:
    /** A number for each end of the control connection. */
    using Both = std::array<uint64_t, TcpConnection::ENDS>;

    /** What there is between two chunks. */
    struct Mark
    {
        int64_t shownNs;             //!< when, with all skipped time
        SegmentState state;          //!< of all that the next chunk depends on
        SimulationCounts counts;     //!< so far, of what was simulated
        ConnectionTotals totals;     //!< of data connections, skipped ones included
        SessionMonitor monitor;      //!< the same, where it is measured
        std::vector<uint16_t> ports; //!< SegmentNodes::GetPorts()
        Both acknowledged;           //!< bytes that an end has sent
        Both spare;                  //!< bytes that it may send before cwnd is full
    };

    /** Lengths of the lines of a chunk, bytes. */
    using Lengths = std::vector<size_t>;

    /** @param now current simulation time @param totals of all data connections @return what there
     * is */
    Mark MakeMark(Nanoseconds now, const ConnectionTotals& totals) const;

    /** @param now what there is @return whether the last chunk has left all as it was before it */
    bool Recurs(const Mark& now) const;

    /** @param part of the file @param listener where its receiver listens @param beginNs when it
     * begins, with all skipped time @param endNs when it ends @return lengths of its lines, of
     * those that vary; none: they are not known */
    Lengths Measure(const FileChunk& part,
                    const HostPort& listener,
                    int64_t beginNs,
                    int64_t endNs) const;

    /** Skips as many chunks as would go as the last one did. @param mark what there is, follows
     * @param now current simulation time */
    void SkipLike(Mark& mark, Nanoseconds now);

    /** Skips one chunk. @param mark what there is, follows @param now current simulation time
     * @param counts of a chunk @param totals likewise @param connections likewise */
    void SkipOne(Mark& mark,
                 Nanoseconds now,
                 const SimulationCounts& counts,
                 const ConnectionTotals& totals,
                 const SessionMonitor& connections);

    /** The ends of the control connection take once more what they took in the last chunk. @param
     * now current simulation time @return whether they may and do: it has no other consequence */
    bool RepeatHeard(Nanoseconds now);

    /** @return the control connection, which is of the classic stack */
    ClassicConnection& GetControl() const;

    /** @return the last chunk, skipped or not */
    FileChunk GetLast() const;

    Parts m_parts;              //!< of the session
    std::optional<Mark> m_mark; //!< before the last chunk
    ConnectionTotals m_totals;  //!< see GetTotals()
    uint64_t m_bytes{0};        //!< see GetBytes()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CHUNK_SKIPPING_H
