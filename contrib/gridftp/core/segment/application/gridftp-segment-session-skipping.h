/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SESSION_SKIPPING_H
#define GRIDFTP_SEGMENT_SESSION_SKIPPING_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-session.h"
#include "gridftp-segment-state.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Skips chunks of a session that would go as the last one did, to the nanosecond.
 *
 * Between two chunks with fresh data connections there is little that the next one depends on: what
 * of the old connections is still on its way, the control connection, the timers. If all of that is
 * as it was one chunk ago, up to the shift in time (SegmentState), and the next chunk is asked for
 * with the same N, the same bytes and lines of the same lengths, then it goes as the last one did,
 * and leaves all as it is now. So its record is made from that of the last one, the tuner is asked
 * as ever, and the counts of the last chunk are added to all counters.
 *
 * Two things of a control connection are not compared, as no chunk can leave them as they were:
 * positions in its two streams count from what is acknowledged, and cwnd, which grows in slow start
 * by the same in each chunk, has to have room for all that a chunk says.
 */
class SegmentSession::Skipping
{
  public:
    /** @param scenario resolved @param dataTcp of its data connections @return whether chunks of
     * its session may come again, and nothing that is left out of the state has a part in them */
    static bool MayHelp(const Scenario& scenario, const SegmentTcp& dataTcp);

    /** @param session whose; outlives it */
    explicit Skipping(SegmentSession& session);

    /** A command was answered whose time R is made of. @param ns that took */
    void HandleResponse(int64_t ns)
    {
        m_responses.push_back(ns);
    }

    /** A chunk is recorded that was simulated. @param done the chunk @param windowBytes W */
    void HandleRecorded(const PipelinedChunk& done, double windowBytes)
    {
        m_chunk = done;
        m_windowBytes = windowBytes;
    }

    /** Nothing is under way, and the next chunk is about to be asked for. @param now of the
     * simulation */
    void SkipChunks(Nanoseconds now);

  private:
    /** Both ends of the control connection. */
    using Both = std::array<uint64_t, TcpConnection::ENDS>;

    /** What there is between two chunks. */
    struct Mark
    {
        int64_t shownNs;         //!< when, see GetShownNs()
        SegmentState state;      //!< of all that the next chunk depends on
        SimulationCounts counts; //!< so far, of what was simulated
        ConnectionTotals totals; //!< of data connections, of what was skipped, too
        SessionMonitor monitor;  //!< the same, where it is measured
        Both acknowledged;       //!< bytes of what an end has said
        Both spare;              //!< bytes that it may say before cwnd is full
    };

    /** Lengths of the lines of a chunk, bytes. */
    using Lengths = std::vector<size_t>;

    /** @param now of the simulation @return what there is */
    Mark MakeMark(Nanoseconds now) const;

    /** @param now what there is @return whether the last chunk has left all as it was before it */
    bool Recurs(const Mark& now) const;

    /** @param part of the file @param listeners where its receiver listens @param beginNs when it
     * begins, as shown @param endNs when it ends @return of what is said then that varies */
    Lengths Measure(const FileChunk& part,
                    const std::vector<HostPort>& listeners,
                    int64_t beginNs,
                    int64_t endNs) const;

    /** Skips as many as would go as the last one did. @param mark what there is, follows @param now
     * of the simulation */
    void SkipLike(Mark& mark, Nanoseconds now);

    /** The control connection hears once more what it heard in the last chunk. @param now of the
     * simulation @return whether it may and does: nothing else comes of it */
    bool RepeatHeard(Nanoseconds now);

    /** @return the only server */
    SegmentServer& FindServer() const;

    /** @return the control connection, which is of the classic stack */
    ClassicConnection& GetConnection() const;

    /** @return the next chunk */
    FileChunk GetNext() const;

    SegmentSession* m_session;        //!< whose
    std::optional<Mark> m_mark;       //!< before the last chunk
    PipelinedChunk m_chunk;           //!< the last one that was simulated, or skipped
    double m_windowBytes{0};          //!< W then
    std::vector<int64_t> m_responses; //!< of the last chunk that was simulated, ns
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SESSION_SKIPPING_H
