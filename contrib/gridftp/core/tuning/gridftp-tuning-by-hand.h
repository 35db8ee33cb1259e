/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_BY_HAND_H
#define GRIDFTP_TUNING_BY_HAND_H

#include "gridftp-expected.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The option that has N of each chunk, for a mode that needs a list. */
inline constexpr std::string_view CHUNK_PARALLELISM = "chunk-parallelism";

/**
 * @ingroup gridftp
 * Reads the numbers of connections that a tuner by hand is given.
 *
 * @param text "N:N:...", a number for each chunk from the first one on
 * @param most the largest of them that is allowed
 * @return the numbers, at least one; or what is wrong, as the end of a sentence that begins with
 *         the text
 */
Expected<std::vector<uint32_t>> ReadChunkParallelism(std::string_view text, uint32_t most);

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_BY_HAND_H
