/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAB_SIMULATION_H
#define LAB_SIMULATION_H

#include "gridftp-fluid-model.h"
#include "gridftp-segment-simulator.h"
#include "lab-flow-series.h"
#include "lab-packet-log.h"
#include "lab-recorder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/**
 * One run as the page shows it: the simulator, what is recorded of it, and both as rows of numbers.
 *
 * Each of the functions that give rows says what a row holds, in this order. Times are in seconds,
 * rates in bit/s, sizes in bytes; what is not known is not a number.
 */
class LabSimulation
{
  public:
    /** @param scenario resolved @param axis of the charts */
    LabSimulation(const Scenario& scenario, const TimeAxis& axis);

    /** @return whether windows of receivers move, or are others than the scenario has, as those of
     * Linux */
    bool DoWindowsMove() const;

    /** @param watched whether packets are kept from now on */
    void SetWatched(bool watched);

    /** @param untilNs ns @return whether all sessions have ended */
    bool Advance(int64_t untilNs);

    /** @return the scenario */
    const Scenario& GetScenario() const
    {
        return m_scenario;
    }

    /** @return the simulator */
    const SegmentSimulator& GetSimulator() const
    {
        return m_simulator;
    }

    /** @return what a packet takes at most from one end to the other, and more */
    double GetPassage() const;

    /** @return one row: now, whether all has ended, packets waiting, drops, bytes that have left
     * the bottleneck, events, utilisation, packets that its queue has marked (CE) */
    std::vector<double> MakeState() const;

    /** @return a row for each session: state (see SessionState), whether it transfers, index of
     * the chunk, parallelism, start of the chunk, its bytes so far, bytes of complete chunks, R, W,
     * NW/R, Eq. (1) at N (both with the N of each pair of stripes), segments, retransmissions,
     * timeouts, complete chunks; of another tool than GridFTP, bytes that have come, and until when
     * it moved data */
    std::vector<double> MakeSessions() const;

    /** @return a row for each background: goodput, segments, retransmissions, timeouts */
    std::vector<double> MakeBackground() const;

    /** @param session index @param from first chunk wanted @return a row for each complete chunk
     * from there on: start, end, bytes, parallelism, next parallelism, goodput, R */
    std::vector<double> MakeChunks(uint32_t session, size_t from) const;

    /** @param session index @return nothing where there are no new tries, else the bytes that were
     * sent twice, once it is done, then a row for each time that it could not go on: when, bytes of
     * the chunk that the receiver had, how long it waits for the next try */
    std::vector<double> MakeRestarts(uint32_t session);

    /** @return a row for each open data connection: session, chunk, connection, whether it is
     * connected, cwnd, ssthresh, flight, acknowledged bytes, congestion state, smoothed round-trip
     * time */
    std::vector<double> MakeConnections() const;

    /** @return a row for each packet: place (see PacketPlace), begin, end, session, connection (-1
     * of a control connection), kind (0 data, 1 ACK, 2 other), index of its pair of stripes,
     * whether it is marked (CE); of those refused or lost, the ones since the last call */
    std::vector<double> MakePackets();

    /** @return a row for each drop since the last call: time, session, connection */
    std::vector<double> MakeDrops();

    /** @return one row: begin of the first bin, width of a bin, how many there are */
    std::vector<double> MakeAxis() const;

    /** @return a row for each bin: least and most packets waiting, packets at its end, drops,
     * packets marked (CE) */
    std::vector<double> MakeQueue() const;

    /** @return for each session, then for each background its round-trip time with empty queues */
    std::vector<double> MakeIdleRtts() const;

    /** @return for each session, then for each background, a row for each bin: least and most
     * smoothed RTT of its connections, their mean; sampled when the bin begins */
    std::vector<double> MakeRtts() const;

    /** @return a row for each interval that is over, once all has ended also for the last one: its
     * begin, its end, Jain's index, goodput of each session, then of each background; see
     * FlowInterval */
    std::vector<double> MakeFlows() const;

    /** @return a row for each connection that has windows: session, connection */
    std::vector<double> MakeWindowList() const;

    /** @param session index @param connection index @return a row for each bin: least, most and
     * last cwnd, last ssthresh, data in flight; not a number while there is no such connection */
    std::vector<float> MakeWindows(uint32_t session, uint32_t connection);

    /** @return payload of a full segment (MSS), bytes */
    double GetSegmentBytes() const;

    /** @param largest N @return the fluid model of the first session's path: R, N at the optimum,
     * then G, Eq. (1), at N = 1 and so on, as far as the model says something */
    std::vector<double> MakeModel(uint32_t largest) const;

  private:
    /** @param session index @return its path as the fluid model sees it, with an empty queue */
    FluidPath GetFluidPath(size_t session) const;

    /** @param session index @return its tries so far, which are looked up once at each moment */
    const RetryResult& GetTries(uint32_t session);

    Scenario m_scenario;              //!< what is simulated
    SegmentSimulator m_simulator;     //!< simulates it
    Recorder m_recorder;              //!< for the charts
    FlowSeries m_flows;               //!< likewise
    bool m_hasEnded{false};           //!< all sessions have
    PacketLog m_packets;              //!< for the dumbbell
    std::vector<RetryResult> m_tries; //!< by session, of m_triesNs
    int64_t m_triesNs{-1};            //!< when they were looked up
    int64_t m_shownNs{0};             //!< refused and lost packets until then were shown
};

} // namespace ns3::gridftp

#endif // LAB_SIMULATION_H
