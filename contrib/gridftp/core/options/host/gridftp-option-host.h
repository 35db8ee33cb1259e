/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_HOST_H
#define GRIDFTP_OPTION_HOST_H

#include "gridftp-host-spec.h"
#include "gridftp-option.h"
#include "gridftp-quantity.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The options of the hosts at both ends of a session.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Least tcp_adv_win_scale that Linux takes. */
inline constexpr int64_t LEAST_WIN_SCALE = -31;

/** @ingroup gridftp @brief Largest tcp_adv_win_scale that Linux takes. */
inline constexpr int64_t MOST_WIN_SCALE = 31;

/** @ingroup gridftp @brief At which ends of a session a host has a parameter. */
enum class HostEnds
{
    BOTH,    //!< either
    SENDER,  //!< where data is sent
    RECEIVER //!< where data is received
};

/**
 * @ingroup gridftp
 * A parameter of a host. Options for either end with their checks, keys in a result, lines of a
 * host's file and fields of the lab follow from this.
 */
struct HostParameter
{
    std::string_view name;         //!< as in --sender-NAME=VALUE and --receiver-NAME=VALUE
    std::string_view key;          //!< as in JSON, with the SI unit, behind sender_ or receiver_
    std::string_view defaultText;  //!< as a person would write it
    std::string_view help;         //!< what it is, a few words
    Dimension dimension{};         //!< what its value counts, in smallest units
    int64_t minimum{0};            //!< least value
    int64_t maximum{0};            //!< largest value
    int64_t HostSpec::* member{};  //!< where it is
    HostEnds ends{HostEnds::BOTH}; //!< which hosts have it
};

/** @ingroup gridftp @return all of them */
std::span<const HostParameter> GetHostParameters();

/** @ingroup gridftp @param rows of a session's option table, which gets those of hosts */
void AddHostRows(std::vector<Option>& rows);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_HOST_H
