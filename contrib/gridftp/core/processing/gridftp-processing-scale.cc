/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-processing-kind.h"

namespace ns3::gridftp
{

namespace
{

/** @ingroup gridftp @brief Bytes that it makes of one. */
constexpr ProcessingParameter SCALE_RATIO{.name = "ratio",
                                          .key = "ratio",
                                          .defaultText = "1",
                                          .help = "output bytes per input byte",
                                          .isReal = true,
                                          .minimum = 0.001,
                                          .maximum = 1000,
                                          .isSaid = true};

/** @ingroup gridftp @brief How fast a CPU does it, bit/s of what it is given. */
constexpr ProcessingParameter SCALE_RATE{.name = "rate",
                                         .key = "rate_bps",
                                         .defaultText = "0Mbps",
                                         .help =
                                             "rate at which a CPU processes bytes; 0Mbps: no limit",
                                         .dimension = Dimension::RATE,
                                         .maximum = 1e15};

} // namespace

ProcessingKind
DeclareScaleProcessing()
{
    return {
        .name = "scale",
        .help = "output bytes in a fixed ratio to input bytes, such as compression",
        .parameters = {&SCALE_RATIO, &SCALE_RATE},
        .map = [](const NamedValues& values, uint64_t fileBytes) -> FileMap {
            const double units = SCALE_RATIO.Of(values) * static_cast<double>(FileMap::UNIT);
            return {.ratio = static_cast<uint64_t>(units + 0.5), .inputBytes = fileBytes};
        },
        .rate = [](const NamedValues& values) { return SCALE_RATE.CountOf(values); },
    };
}

} // namespace ns3::gridftp
