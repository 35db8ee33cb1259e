/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DRILL_SETTINGS_H
#define GRIDFTP_DRILL_SETTINGS_H

#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Settings of a host by the names of sysctls, routes and options of sockets, for
 * gridftp-linux-drill.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Why a command cannot be obeyed; empty where it was. */
using Refusal = std::string;

/** What `set` does with the numbers of a setting. */
struct DrillSetting
{
    std::size_t count;                                              //!< numbers that it takes
    Refusal (*apply)(LinuxSettings&, const std::vector<uint64_t>&); //!< sets it
};

/** A setting that is stored in one member. */
template <auto Member>
Refusal
Store(LinuxSettings& settings, const std::vector<uint64_t>& values)
{
    using Type = std::remove_reference_t<decltype(settings.*Member)>;
    settings.*Member = static_cast<Type>(values[0]);
    return {};
}

/** The same, for a member in ns. */
template <auto Member, Nanoseconds Unit>
Refusal
StoreTime(LinuxSettings& settings, const std::vector<uint64_t>& values)
{
    settings.*Member = static_cast<Nanoseconds>(values[0]) * Unit;
    return {};
}

/** The same, for least, default and largest size of a buffer. */
template <auto Member>
Refusal
StoreBuffer(LinuxSettings& settings, const std::vector<uint64_t>& values)
{
    settings.*Member = {values[0], values[1], values[2]};
    return {};
}

/** A setting of which one value is modelled. */
template <uint64_t Value>
Refusal
Demand(LinuxSettings&, const std::vector<uint64_t>& values)
{
    return values[0] == Value ? Refusal{} : "modelled is " + std::to_string(Value) + " only";
}

inline Refusal
StoreEarlyRetransmit(LinuxSettings& settings, const std::vector<uint64_t>& values)
{
    settings.tlp = values[0] >= 3;
    return {};
}

inline Refusal
StoreHystart(LinuxSettings& settings, const std::vector<uint64_t>& values)
{
    settings.congestionParameters.hystart = values[0] != 0;
    return {};
}

/** Numeric settings by name; a sysctl that changes nothing here is not among them. */
inline const std::map<std::string_view, DrillSetting> DRILL_SETTINGS{
    {"tcp_sack", {1, &Store<&LinuxSettings::sack>}},
    {"tcp_dsack", {1, &Store<&LinuxSettings::dsack>}},
    {"tcp_timestamps", {1, &Store<&LinuxSettings::timestamps>}},
    {"tcp_frto", {1, &Store<&LinuxSettings::frto>}},
    {"tcp_early_retrans", {1, &StoreEarlyRetransmit}},
    {"tcp_recovery", {1, &Demand<1>}},
    {"tcp_window_scaling", {1, &Demand<1>}},
    {"tcp_mtu_probing", {1, &Demand<0>}},
    {"tcp_slow_start_after_idle", {1, &Store<&LinuxSettings::idleRestart>}},
    {"tcp_moderate_rcvbuf", {1, &Store<&LinuxSettings::moderatesReceiveBuffer>}},
    {"tcp_reordering", {1, &Store<&LinuxSettings::reordering>}},
    {"tcp_syn_retries", {1, &Store<&LinuxSettings::synRetries>}},
    {"tcp_retries2", {1, &Store<&LinuxSettings::dataRetries>}},
    {"tcp_rto_max_ms", {1, &StoreTime<&LinuxSettings::maxRto, LINUX_MS>}},
    {"tcp_rto_min_us", {1, &StoreTime<&LinuxSettings::minRto, LINUX_MS / 1000>}},
    {"tcp_comp_sack_delay_ns", {1, &StoreTime<&LinuxSettings::compressedAckDelay, 1>}},
    {"tcp_comp_sack_slack_ns", {1, &StoreTime<&LinuxSettings::compressedAckSlack, 1>}},
    {"tcp_comp_sack_nr", {1, &Store<&LinuxSettings::compressedAcks>}},
    {"tcp_pacing_ss_ratio", {1, &Store<&LinuxSettings::pacingSlowStart>}},
    {"tcp_pacing_ca_ratio", {1, &Store<&LinuxSettings::pacingAvoidance>}},
    {"tcp_min_tso_segs", {1, &Store<&LinuxSettings::minTsoSegments>}},
    {"tcp_tso_win_divisor", {1, &Store<&LinuxSettings::tsoWindowDivisor>}},
    {"tcp_tso_rtt_log", {1, &Store<&LinuxSettings::tsoRttLog>}},
    {"tcp_limit_output_bytes", {1, &Store<&LinuxSettings::limitOutputBytes>}},
    {"tcp_rmem", {3, &StoreBuffer<&LinuxSettings::receiveBuffer>}},
    {"tcp_wmem", {3, &StoreBuffer<&LinuxSettings::sendBuffer>}},
    {"hystart", {1, &StoreHystart}},
    {"initcwnd", {1, &Store<&LinuxSettings::initialWindow>}},
    {"rto_min", {1, &StoreTime<&LinuxSettings::minRto, LINUX_MS>}},
    {"quickack", {1, &Store<&LinuxSettings::acknowledgesAll>}},
    {"mss", {1, &Store<&LinuxSettings::mss>}},
    {"pacing", {1, &Store<&LinuxSettings::paces>}},
    {"gso_max_size", {1, &Store<&LinuxSettings::tsoBytes>}},
    {"tick_ns", {1, &StoreTime<&LinuxSettings::tick, 1>}},
    {"SO_RCVBUF", {1, &Store<&LinuxSettings::fixedReceiveBuffer>}},
    {"SO_SNDBUF", {1, &Store<&LinuxSettings::fixedSendBuffer>}},
    {"SO_MAX_PACING_RATE", {1, &Store<&LinuxSettings::maxPacingRate>}},
};

/**
 * @ingroup gridftp
 * Changes a setting.
 * @param settings to change
 * @param name of the setting
 * @param values its numbers
 * @return why it cannot be changed, or empty
 */
inline Refusal
ApplyDrillSetting(LinuxSettings& settings,
                  const std::string& name,
                  const std::vector<uint64_t>& values)
{
    const auto found = DRILL_SETTINGS.find(name);
    if (found == DRILL_SETTINGS.end())
    {
        return "not modelled";
    }
    if (values.size() != found->second.count)
    {
        return "takes " + std::to_string(found->second.count) + " numbers";
    }
    return found->second.apply(settings, values);
}

} // namespace ns3::gridftp

#endif // GRIDFTP_DRILL_SETTINGS_H
