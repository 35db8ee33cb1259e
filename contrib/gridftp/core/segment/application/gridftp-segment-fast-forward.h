/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_FAST_FORWARD_H
#define GRIDFTP_SEGMENT_FAST_FORWARD_H

#include "gridftp-delay-tally.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-meter.h"
#include "gridftp-segment-state.h"

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * What need not be simulated, since it has been already.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a simulation counts. */
struct SimulationCounts
{
    LinkCounts link{};       //!< of the measured link
    uint64_t events{0};      //!< that were simulated
    DelayHistogram delays{}; //!< of packets in the measured link's queue; none without --detail

    /** @param before counts up to an earlier moment @return those since */
    SimulationCounts operator-(const SimulationCounts& before) const
    {
        return {link - before.link, events - before.events, delays - before.delays};
    }
};

/**
 * @ingroup gridftp
 * The simulation, for an application that finds that it is where it was: in the same state up to a
 * shift in time, and about to do the same. It then says so (Skip()) instead, and adds what has come
 * of it to its own results.
 *
 * Within the simulation the time does not move by that, so that nothing that waits for a moment has
 * to be told. Who shows times to others, in results and in markers, adds GetSkippedNs().
 */
class FastForward
{
  public:
    virtual ~FastForward() = default;

    /** @return whether anything may be skipped: it was asked for, and nobody looks on */
    virtual bool IsOn() const = 0;

    /** @param now of the simulation, or of a host that runs ahead @param since the moment that it
     * is to be compared with @return the state of events, network and flows */
    virtual SegmentState GetState(Nanoseconds now, Nanoseconds since) const = 0;

    /** @param now likewise @return counts up to then */
    virtual SimulationCounts GetCounts(Nanoseconds now) const = 0;

    /** @param now likewise @return how much may be skipped before the simulation is to stop, ns */
    virtual int64_t GetRoomNs(Nanoseconds now) const = 0;

    /** A chunk is skipped. @param counts of it */
    virtual void Skip(const SimulationCounts& counts) = 0;

    /** @return what was skipped, ns */
    virtual int64_t GetSkippedNs() const = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_FAST_FORWARD_H
