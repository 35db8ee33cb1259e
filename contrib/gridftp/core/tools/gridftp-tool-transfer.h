/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_TRANSFER_H
#define GRIDFTP_TOOL_TRANSFER_H

#include "gridftp-scenario.h"
#include "gridftp-tool-files.h"
#include "gridftp-tool-kind.h"

#include <cstddef>
#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * What a scenario asks of a tool that moves the file by datagrams.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Buffers of the TCP connection between the ends of a tool, bytes: a
 * message has room in it at once. */
inline constexpr uint32_t TOOL_CONTROL_WINDOW = 16 << 20;

/** @ingroup gridftp @brief Packets of a file that a tool can count, and list in a message. */
inline constexpr int64_t MOST_TOOL_PACKETS = 100'000'000;

/** @ingroup gridftp @param scenario resolved @param index of a session with such a tool @param
 * files of it, which outlive the ends @return what the tool is to do */
ToolTransfer MakeToolTransfer(const Scenario& scenario, size_t index, const ToolFiles& files);

/** @ingroup gridftp @param scenario resolved @param index of a session or, behind them, of a
 * background connection @return IP packet that most of its data packets are, bytes */
int64_t GetUsualBytes(const Scenario& scenario, size_t index);

/** @ingroup gridftp @param scenario resolved @param index of a session or, behind them, of a
 * background connection @return whether its data packets are datagrams */
bool SendsDatagrams(const Scenario& scenario, size_t index);

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_TRANSFER_H
