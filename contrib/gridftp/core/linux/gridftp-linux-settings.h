/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SETTINGS_H
#define GRIDFTP_LINUX_SETTINGS_H

#include "gridftp-linux-congestion.h"
#include "gridftp-nanoseconds.h"

#include <array>
#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief One ms. */
inline constexpr Nanoseconds LINUX_MS = 1'000'000;

/**
 * @ingroup gridftp
 * Settings of a host's TCP, which all its LinuxSockets share. Defaults are those of the kernel
 * (Documentation/networking/ip-sysctl.rst); names of sysctls stand behind the members.
 */
struct LinuxSettings
{
    const LinuxCongestionKind* congestion{nullptr};   //!< tcp_congestion_control; not null
    LinuxCongestionParameters congestionParameters{}; //!< its parameters
    uint32_t mss{1460};                //!< bytes of a segment without options (MTU less 40)
    uint32_t initialWindow{10};        //!< initcwnd of the route, segments
    bool sack{true};                   //!< tcp_sack
    bool dsack{true};                  //!< tcp_dsack
    bool timestamps{true};             //!< tcp_timestamps
    bool ecn{false};                   //!< tcp_ecn = 1: asks for and grants ECN
    bool frto{true};                   //!< tcp_frto
    bool tlp{true};                    //!< tcp_early_retrans: tail loss probes
    bool idleRestart{true};            //!< tcp_slow_start_after_idle
    bool moderatesReceiveBuffer{true}; //!< tcp_moderate_rcvbuf; not where receiveBuffer is fixed
    bool acknowledgesAll{false}; //!< quickack 1 of the route: every segment is acknowledged at once
    Nanoseconds tick{4 * LINUX_MS};                //!< 1 / CONFIG_HZ: timers are multiples of it
    Nanoseconds minRto{200 * LINUX_MS};            //!< rto_min of the route
    Nanoseconds maxRto{120'000 * LINUX_MS};        //!< tcp_rto_max_ms
    Nanoseconds minDelayedAck{40 * LINUX_MS};      //!< TCP_DELACK_MIN, TCP_ATO_MIN
    Nanoseconds maxDelayedAck{200 * LINUX_MS};     //!< TCP_DELACK_MAX
    Nanoseconds compressedAckDelay{1 * LINUX_MS};  //!< tcp_comp_sack_delay_ns
    Nanoseconds compressedAckSlack{LINUX_MS / 10}; //!< tcp_comp_sack_slack_ns
    uint32_t compressedAcks{44};                   //!< tcp_comp_sack_nr
    uint32_t reordering{3};                        //!< tcp_reordering, segments
    uint32_t synRetries{6};                        //!< tcp_syn_retries
    uint32_t dataRetries{15};                      //!< tcp_retries2
    uint32_t pacingSlowStart{200};                 //!< tcp_pacing_ss_ratio, %
    uint32_t pacingAvoidance{120};                 //!< tcp_pacing_ca_ratio, %
    uint64_t maxPacingRate{0};                     //!< SO_MAX_PACING_RATE, bytes/s; 0: none
    bool paces{false};                   //!< fq, or the socket's own pacing, spaces segments out
    uint32_t minTsoSegments{2};          //!< tcp_min_tso_segs
    uint32_t tsoBytes{65536};            //!< largest burst of one transmission (gso_max_size)
    uint32_t tsoWindowDivisor{3};        //!< tcp_tso_win_divisor
    uint32_t tsoRttLog{9};               //!< tcp_tso_rtt_log
    uint64_t limitOutputBytes{4u << 20}; //!< tcp_limit_output_bytes; without effect, as no data
                                         //!< wait in the host
    std::array<uint64_t, 3> receiveBuffer{4096, 131072, 33554432}; //!< tcp_rmem, bytes (6.16)
    std::array<uint64_t, 3> sendBuffer{4096, 16384, 4194304};      //!< tcp_wmem, bytes
    uint64_t fixedReceiveBuffer{0}; //!< SO_RCVBUF, bytes as the application asks; 0: dynamic
    uint64_t fixedSendBuffer{0};    //!< SO_SNDBUF, bytes as the application asks; 0: dynamic
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SETTINGS_H
