/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_TCP_H
#define GRIDFTP_SEGMENT_TCP_H

#include "gridftp-buffer-settings.h"
#include "gridftp-congestion-control.h"
#include "gridftp-linux-settings.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-send-buffer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::gridftp
{

// What TCP's specifications leave open is as ns-3 has it

/** @ingroup gridftp @brief An ACK is delayed no longer, ns (ns3::TcpSocket::DelAckTimeout). */
inline constexpr int64_t DELAYED_ACK_NS = 200'000'000;

/** @ingroup gridftp @brief A SYN is sent again after, at first, ns (TcpSocket::ConnTimeout). */
inline constexpr int64_t SYN_TIMEOUT_NS = 3'000'000'000;

/** @ingroup gridftp @brief SYNs that are sent in all (TcpDefaults::synRetries). */
inline constexpr uint32_t MOST_SYNS = 15;

/** @ingroup gridftp @brief Largest retransmission timeout, ns (RFC 6298, Section 2.4). */
inline constexpr int64_t LARGEST_RTO_NS = 60'000'000'000;

/** @ingroup gridftp @brief What all connections of one session have in common. */
struct SegmentTcp
{
    const CongestionControlKind* control{nullptr}; //!< congestion control and loss recovery
    uint32_t segmentBytes{0};                      //!< MSS
    uint32_t initialSegments{0};                   //!< initial cwnd
    uint32_t delayedAck{0};                        //!< segments per ACK
    int64_t minRtoNs{0};                           //!< least retransmission timeout
    uint64_t firstWindow{0}; //!< receiver's window in the SYN, where it is not scaled, bytes
    uint64_t window{0};      //!< receiver's window from then on, as its scale allows, bytes
    SegmentSendBuffer::Size buffer{};      //!< the send buffer, at first
    BufferSettings buffers{};              //!< of both ends
    std::optional<LinuxSettings> kernel{}; //!< hosts of the Linux stack; none: of the classic one
    bool announcesReads{false};            //!< see TcpRules; not where the window moves, which has
                                           //!< rules of its own
    bool hasSack{false};                   //!< selective acknowledgments (RFC 2018)
    bool hasTimestamps{false};             //!< timestamps on all segments (RFC 7323)
    bool hasLimitedTransmit{false}; //!< limited transmit (RFC 3042); not with SACK, where ns-3
                                    //!< sends as cwnd allows
    bool hasEcn{false};             //!< explicit congestion notification (RFC 3168)

    /** @return whether packets have SegmentOptions: TCP options behind the handshake, or ECN */
    bool HasOptions() const
    {
        return hasSack || hasTimestamps || hasEcn;
    }
};

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param host TCP of the hosts
 * @param tcp name of the TCP, one of GetCongestionControls()
 * @param buffers of its connections
 * @return settings of connections of this scenario
 */
SegmentTcp MakeSegmentTcp(const Scenario& scenario,
                          const TcpSpec& host,
                          const std::string& tcp,
                          const BufferSpec& buffers);

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_TCP_H
