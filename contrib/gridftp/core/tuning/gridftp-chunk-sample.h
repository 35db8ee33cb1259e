/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CHUNK_SAMPLE_H
#define GRIDFTP_CHUNK_SAMPLE_H

#include <cmath>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Segments with data that the end which sends has sent, as its sockets count them.
 */
struct SentSegments
{
    uint64_t sent{0};          //!< all of them, those sent again, too (tcpi_data_segs_out of Linux)
    uint64_t retransmitted{0}; //!< those sent again (tcpi_total_retrans)

    /** Counts what others sent, too. @param other counts of them */
    void Add(const SentSegments& other)
    {
        sent += other.sent;
        retransmitted += other.retransmitted;
    }

    /** @return share that was sent again, which is what a program can know of losses: it has a
     * segment that was late for one that was lost; 0 where nothing was sent */
    double GetLossShare() const
    {
        return sent > 0 ? static_cast<double>(retransmitted) / static_cast<double>(sent) : 0;
    }
};

/**
 * @ingroup gridftp
 * What a client knows of one chunk after its transfer: everything a tuning policy may look at.
 *
 * All of it is measurable above the sockets (Ito et al., Sec. 3.3): no field comes from the
 * simulator. Segments are counted by the sockets that send (TCP_INFO of Linux). In an upload
 * without stripes these are the client's own; else the hosts that send have to tell it, for which
 * GridFTP has no reply. A program on each of them, such as the agents of Falcon (Arifuzzaman and
 * Arslan, SC'21), is taken to do so when the chunk is complete, in no time and no bytes.
 */
struct ChunkSample
{
    uint64_t bytes{0};       //!< X, file bytes carried
    uint64_t fullBytes{0};   //!< the chunk size in force; a last, shorter chunk carries less
    double durationS{0};     //!< T, from sending ESTO or ERET to its final reply, s
    double rttS{0};          //!< R, mean of the last M command response times, s; 0 if none yet
    double windowBytes{0};   //!< W, largest window of a connection, bytes
    double segmentBytes{0};  //!< MSS of the data connections, bytes
    uint32_t parallelism{0}; //!< N, connections that carried the chunk, of each pair of stripes
    uint32_t pairs{1};       //!< of stripes, each with N connections of its own; 1 without stripes
    uint64_t remainingBytes{0}; //!< of the file, behind the chunk; what is there already, too
    SentSegments segments{}; //!< of all pairs, since the chunk before; none where nobody told, and
                             //!< with pipelining, where chunks overlap

    /** @return G = X / T, bit/s; 0 when there is no duration */
    double GetGoodputBps() const
    {
        return durationS > 0 ? static_cast<double>(bytes) * 8 / durationS : 0;
    }

    /**
     * What the N connections of one pair carried, all pairs alike: that is what N W / R limits, and
     * the share of the network that N connections have.
     *
     * @return G over the number of pairs, bit/s
     */
    double GetPairGoodputBps() const
    {
        return GetGoodputBps() / pairs;
    }

    /** @return N W / R, the most that the windows of a pair allow, bit/s; 0 when there is no R */
    double GetWindowLimitBps() const
    {
        return rttS > 0 ? parallelism * windowBytes * 8 / rttS : 0;
    }

    /**
     * A policy compares goodputs of chunks of one size (Sec. 3.4, step 2: "fixed-sized"), so a
     * shorter last chunk is no basis for a decision; nor is one without a measured R or T.
     *
     * @return whether a policy may use the sample
     */
    bool IsValid() const
    {
        return bytes > 0 && bytes == fullBytes && parallelism > 0 && pairs > 0 && durationS > 0 &&
               std::isfinite(durationS) && rttS > 0 && std::isfinite(rttS) && windowBytes > 0 &&
               std::isfinite(windowBytes) && segmentBytes > 0;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CHUNK_SAMPLE_H
