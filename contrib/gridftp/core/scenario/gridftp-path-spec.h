/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PATH_SPEC_H
#define GRIDFTP_PATH_SPEC_H

#include "gridftp-active-queue.h"
#include "gridftp-codel.h"
#include "gridftp-delay-variation.h"
#include "gridftp-fq-codel.h"
#include "gridftp-link-schedule.h"
#include "gridftp-pie.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-red.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * The network of a scenario, without its hosts.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief An end of a session that has a limit. */
enum class LimitEnd
{
    CLIENT, //!< the host of its client
    SERVER  //!< the host of its server
};

/** @ingroup gridftp @brief Which directions of the bottleneck have a varying delay. */
enum class VariedDirections
{
    BOTH, //!< each with random numbers of its own
    DATA, //!< that of the sessions' data
    ACKS  //!< that of their ACKs
};

/** @ingroup gridftp @brief The queue discipline of the bottleneck's reverse direction. */
enum class ReverseDiscipline
{
    SAME,      //!< that of the forward direction
    DROP_TAIL, //!< as QueueDiscipline::DROP_TAIL; the following ones likewise, in the same order,
               //!< with the parameters of the forward direction
    RED,
    CODEL,
    FQ_CODEL,
    PIE
};

/** @ingroup gridftp @param discipline of the forward direction @param reverse of the reverse
 * direction @return the discipline of the reverse direction */
constexpr QueueDiscipline
GetReverseDiscipline(QueueDiscipline discipline, ReverseDiscipline reverse)
{
    return reverse == ReverseDiscipline::SAME
               ? discipline
               : static_cast<QueueDiscipline>(static_cast<int>(reverse) - 1);
}

/**
 * @ingroup gridftp
 * The network, but for its hosts. Its forward direction is that of the first session's data, its
 * reverse direction that of the ACKs of these.
 */
struct PathSpec
{
    std::string topology{};       //!< its shape, a name of GetTopologyKinds()
    int64_t bandwidth{};          //!< B, bottleneck, bit/s; with a schedule its largest rate
    int64_t delay{};              //!< tau, bottleneck, one way, ns; with a schedule its least
    int64_t queue{};              //!< packets waiting at most, without the one in service
    QueueDiscipline discipline{}; //!< of both routers, but for reverseDiscipline
    RedSpec red{};                //!< where it is RED
    CodelSpec codel{};            //!< where it is CODEL or FQ_CODEL
    FqCodelSpec fqCodel{};        //!< where it is FQ_CODEL
    PieSpec pie{};                //!< where it is PIE
    int64_t packetSize{};         //!< IP packet of a full segment, bytes
    int64_t linkHeader{};         //!< what links add to an IP packet in time, bytes
    int64_t accessBandwidth{};    //!< access links, bit/s; 0 until resolved
    int64_t accessDelay{};        //!< access links, one way, ns
    RateLimit limit{};            //!< of a host of the first session, each way
    LimitEnd limitAt{};           //!< which host that is
    int64_t hostMemory{};         //!< of the host of the first session's server, bytes; 0: unknown
    int64_t hostOverhead{};       //!< of each host: it takes U(0, hostOverhead) before it sends a
                                  //!< packet, ns
    double randomLoss{};          //!< independent loss of packets behind the bottleneck, [0, 1)
    DelayVariationSpec variation{}; //!< of the bottleneck's delay
    VariedDirections variationAt{}; //!< which directions of the bottleneck have that
    int64_t reverseBandwidth{};     //!< bottleneck, reverse, bit/s; 0 until resolved: bandwidth
    int64_t reverseDelay{-1};       //!< bottleneck, reverse, ns; below 0 until resolved: delay
    int64_t reverseQueue{};         //!< as queue, reverse; 0 until resolved: queue
    ReverseDiscipline reverseDiscipline{}; //!< of the router that packets in reverse come to
    double reverseRandomLoss{};            //!< as randomLoss, reverse, [0, 1)
    std::string scheduleText{}; //!< as given; once resolved, the rows of the schedule, or "none"
    LinkSchedule schedule{};    //!< of the bottleneck, both ways; empty: it does not change
};

/** @ingroup gridftp @param path a network @param discipline a queue discipline @return whether a
 * router of the bottleneck has it, in either direction */
constexpr bool
HasDiscipline(const PathSpec& path, QueueDiscipline discipline)
{
    return path.discipline == discipline ||
           GetReverseDiscipline(path.discipline, path.reverseDiscipline) == discipline;
}

/** @ingroup gridftp @param path a network @return whether a router of the bottleneck has an
 * ActiveQueue, in either direction */
constexpr bool
HasActiveQueue(const PathSpec& path)
{
    return IsActive(path.discipline) ||
           IsActive(GetReverseDiscipline(path.discipline, path.reverseDiscipline));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_PATH_SPEC_H
