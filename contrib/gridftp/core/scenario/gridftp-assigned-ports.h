/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ASSIGNED_PORTS_H
#define GRIDFTP_ASSIGNED_PORTS_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * TCP and UDP ports of applications, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The TCP port where a background connection is accepted. */
inline constexpr uint16_t BACKGROUND_PORT = 5001;

/** @ingroup gridftp @brief The TCP port of the bbFTP server's control connection. */
inline constexpr uint16_t BBFTP_PORT = 5021;

/** @ingroup gridftp @brief The UDP port of both ends of a tool that sends datagrams, and the TCP
 * port of its control connection. */
inline constexpr uint16_t TOOL_PORT = 38000;

/** @ingroup gridftp @brief The first ephemeral port of a host, as ns-3 assigns it. */
inline constexpr uint16_t FIRST_EPHEMERAL_PORT = 49152;

} // namespace ns3::gridftp

#endif // GRIDFTP_ASSIGNED_PORTS_H
