/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_PARAMETERS_H
#define GRIDFTP_TOOL_PARAMETERS_H

#include "gridftp-tool-kind.h"

/**
 * @file
 * @ingroup gridftp
 * Parameters that several tools take.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How fast a blast is sent, file bytes alone, bit/s. */
inline constexpr ToolParameter TOOL_RATE{.name = "rate",
                                         .key = "rate_bps",
                                         .defaultText = "10Mbps",
                                         .help = "rate of a blast, file bytes alone",
                                         .dimension = Dimension::RATE,
                                         .minimum = 1000,
                                         .maximum = 1e13};

/** @ingroup gridftp @brief File bytes in a full datagram. */
inline constexpr ToolParameter TOOL_PAYLOAD{.name = "payload",
                                            .key = "payload_bytes",
                                            .defaultText = "1456B",
                                            .help = "file bytes in a full datagram",
                                            .dimension = Dimension::BYTES,
                                            .minimum = 64,
                                            .maximum = 65000};

/** @ingroup gridftp @brief Buffer of the UDP socket that sends, bytes. */
inline constexpr ToolParameter TOOL_SEND_BUFFER{.name = "send-buffer",
                                                .key = "send_buffer_bytes",
                                                .defaultText = "64KiB",
                                                .help = "send buffer of the UDP socket",
                                                .dimension = Dimension::BYTES,
                                                .minimum = 1500,
                                                .maximum = 1 << 30};

/** @ingroup gridftp @brief Buffer of the UDP socket that receives, file bytes. The program of RBUDP
 * asks for 8 MiB (QUANTAnet_rbudpBase_c.hxx). */
inline constexpr ToolParameter TOOL_RECEIVE_BUFFER{
    .name = "receive-buffer",
    .key = "receive_buffer_bytes",
    .defaultText = "8MiB",
    .help = "receive buffer of the UDP socket, used if storing takes time",
    .dimension = Dimension::BYTES,
    .minimum = 65000,
    .maximum = 1 << 30};

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_PARAMETERS_H
