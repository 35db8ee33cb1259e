/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_VIEWS_H
#define GRIDFTP_SEGMENT_VIEWS_H

#include "gridftp-connection-label.h"
#include "gridftp-result.h"
#include "gridftp-segment-sender.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What can be seen of a SegmentSimulator between two advances.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a session of the segment engine is doing. */
enum class SessionState
{
    WAITING,      //!< it has not started
    LOGGING_IN,   //!< control connection and login
    TRANSFERRING, //!< chunk by chunk
    QUITTING,     //!< saying goodbye
    DONE,         //!< the file is there
    FAILED        //!< see the reason
};

/** @ingroup gridftp @brief A data connection as it is now. */
struct ConnectionView
{
    ConnectionLabel label;                 //!< which
    bool connected{false};                 //!< the handshake is done
    uint64_t cwndBytes{0};                 //!< congestion window
    std::optional<uint64_t> ssthreshBytes; //!< slow start threshold, where it is set
    uint64_t flightBytes{0};               //!< in flight, by the sender's reckoning
    uint64_t acknowledgedBytes{0};         //!< of the stream
    uint64_t chunkBytes{0};                //!< acknowledged since the chunk under way began
    CongestionState state{};               //!< what it does about losses
    int64_t rttNs{0};                      //!< smoothed RTT; 0 before the first sample
};

/** @ingroup gridftp @brief A session as it is now. */
struct SessionView
{
    SessionState state{};     //!< what it is doing
    std::string reason;       //!< why it has failed
    bool transferring{false}; //!< data flows
    int64_t chunkStartNs{0};  //!< when ESTO or ERET of the latest chunk was sent
    uint32_t chunk{0};        //!< index of the chunk under way, or of the next one
    uint32_t parallelism{0};  //!< N of it; where pairs of stripes have a tuner each, the largest
    const std::vector<uint32_t>* pairs{nullptr}; //!< N of each pair then; else empty
    double rttS{0}; //!< R as measured before the latest chunk; 0 before the first one
    const std::vector<ChunkRecord>* records{nullptr}; //!< chunks that are complete
    ConnectionTotals totals;                          //!< of its data connections so far
    uint64_t movedBytes{0}; //!< of another tool than GridFTP: bytes of the file that have come
    int64_t endNs{-1};      //!< of the same: until when it moved data; below 0: it still does
};

/** @ingroup gridftp @brief What a session or a background has moved so far. */
struct FlowView
{
    uint64_t receivedBytes{0}; //!< of the file, or of the payload, that the receiver has
    bool active{false};        //!< it moves data, or waits for the next of its chunks
};

/** @ingroup gridftp @brief The bottleneck in the direction of the data, as it is now. */
struct BottleneckView
{
    uint64_t queuePackets{0};  //!< waiting
    uint64_t drops{0};         //!< packets that the queue has refused
    int64_t forwardedBytes{0}; //!< that have left the link, link headers included
    double utilisation{0};     //!< as LinkResult::utilisation, up to now while sessions last
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_VIEWS_H
