/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-processing-kind.h"

namespace ns3::gridftp
{

namespace
{

constexpr double MOST_BYTES = 1e15;

/** @ingroup gridftp @brief First byte of the part, bytes. */
constexpr ProcessingParameter PART_OFFSET{.name = "offset",
                                          .key = "offset_bytes",
                                          .defaultText = "0B",
                                          .help = "first byte of the part",
                                          .dimension = Dimension::BYTES,
                                          .maximum = MOST_BYTES};

/** @ingroup gridftp @brief How much of the file, bytes. */
constexpr ProcessingParameter PART_LENGTH{.name = "length",
                                          .key = "length_bytes",
                                          .defaultText = "0B",
                                          .help = "bytes of the part",
                                          .dimension = Dimension::BYTES,
                                          .maximum = MOST_BYTES,
                                          .isRequired = true};

} // namespace

ProcessingKind
DeclarePartialProcessing()
{
    return {
        .name = "partial",
        .help = "a part of the file, to the same offset of the destination file",
        .parameters = {&PART_OFFSET, &PART_LENGTH},
        .region = [](const NamedValues& values, uint64_t /* fileBytes */) -> MarkerRange {
            const auto begin = static_cast<uint64_t>(PART_OFFSET.CountOf(values));
            return {begin, begin + static_cast<uint64_t>(PART_LENGTH.CountOf(values))};
        },
    };
}

} // namespace ns3::gridftp
