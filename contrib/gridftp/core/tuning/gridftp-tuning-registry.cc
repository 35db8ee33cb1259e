/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-quantity.h"
#include "gridftp-tuning-makers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::gridftp
{

namespace
{

/** The one place that lists the policies. */
constexpr std::array MODES{
    TuningMode{"mi", "multiply N by gamma while the windows limit the goodput", &MakeMi},
    TuningMode{"mi-plus", "as mi, then the optimum of the fluid model", &MakeMiPlus},
    TuningMode{"aimd",
               "add alpha while the windows limit the goodput, else N (1 - beta)",
               &MakeAimd},
    TuningMode{"fixed", "the same number of connections throughout", &MakeFixed},
};

/**
 * @param value a number of connections, at least 1 and below 2^32
 * @return the whole number it stands for where it is one but for the error of its arithmetic:
 *   10 (1 - 0.7) is 3.0000000000000004 in binary, and not to be rounded up to 4
 */
double
Snap(double value)
{
    const auto nearest = static_cast<double>(static_cast<uint64_t>(value + 0.5));
    return std::abs(value - nearest) <= 1e-12 * value ? nearest : value;
}

} // namespace

std::span<const TuningMode>
GetTuningModes()
{
    return MODES;
}

Expected<std::unique_ptr<TuningPolicy>>
MakeTuningPolicy(std::string_view name, const TuningParameters& parameters)
{
    const auto it = std::find_if(MODES.begin(), MODES.end(), [name](const TuningMode& mode) {
        return mode.name == name;
    });
    if (it == MODES.end())
    {
        return Error{"mode '" + std::string(name) + "' is unknown"};
    }
    return it->make(parameters);
}

Done
CheckAdaptive(const TuningParameters& parameters)
{
    if (parameters.initialParallelism < 1 ||
        parameters.initialParallelism > parameters.maxParallelism)
    {
        return Error{"initial parallelism " + std::to_string(parameters.initialParallelism) +
                     " is not within 1 and the maximum of " +
                     std::to_string(parameters.maxParallelism)};
    }
    if (!(parameters.eta > 0 && parameters.eta <= 1))
    {
        return Error{"eta " + FormatReal(parameters.eta) + " is not above 0 and at most 1"};
    }
    return std::monostate{};
}

uint32_t
RoundUpParallelism(double value, uint32_t maxParallelism)
{
    const uint32_t down = RoundDownParallelism(value, maxParallelism);
    return down < maxParallelism && down < Snap(value) ? down + 1 : down;
}

uint32_t
RoundDownParallelism(double value, uint32_t maxParallelism)
{
    if (!(value >= 1))
    {
        return 1;
    }
    return value >= maxParallelism ? maxParallelism : static_cast<uint32_t>(Snap(value));
}

} // namespace ns3::gridftp
