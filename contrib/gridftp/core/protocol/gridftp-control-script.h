/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_SCRIPT_H
#define GRIDFTP_CONTROL_SCRIPT_H

#include "gridftp-control-text.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What a client says, in which order: as the Grid Community Toolkit 6.2 client does, observed. Both
 * engines follow it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The file that every transfer moves. */
inline constexpr std::string_view FILE_PATH = "/data/file";

/**
 * @ingroup gridftp
 * TCP window of control connections, bytes: like a real client's, it does not follow the buffers
 * asked for the data connections, however small.
 */
inline constexpr uint32_t CONTROL_WINDOW = 65536;

/**
 * @ingroup gridftp
 * @param verb a command
 * @return whether its response time is a sample of R: the server answers it at once (Ito et al.,
 *         Sec. 3.3)
 */
bool IsTimedVerb(Verb verb);

/**
 * @ingroup gridftp
 * @param direction which way the file goes
 * @param windowBytes W, asked of the server
 * @return the commands from USER to the setting of the server's socket buffer
 */
std::vector<Command> LoginCommands(Direction direction, uint64_t windowBytes);

/** @ingroup gridftp @brief What the commands of one chunk depend on. */
struct ChunkOrder
{
    Direction direction{};   //!< which way the file goes
    uint64_t offset{0};      //!< of the first byte in the file
    uint64_t bytes{0};       //!< of the chunk
    uint32_t parallelism{1}; //!< N
    bool newAddress{true};   //!< data connections need an address agreed first
    HostPort listener;       //!< where the client listens (download with a new address)
};

/**
 * @ingroup gridftp
 * @param order the chunk
 * @return its commands; the last one, ESTO or ERET, starts the transfer. An upload with a new
 *         address begins with PASV, whose reply names where the server listens
 */
std::vector<Command> ChunkCommands(const ChunkOrder& order);

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_SCRIPT_H
