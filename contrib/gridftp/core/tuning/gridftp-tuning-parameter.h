/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_PARAMETER_H
#define GRIDFTP_TUNING_PARAMETER_H

#include "gridftp-expected.h"
#include "gridftp-named-values.h"
#include "gridftp-quantity.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * Parameters of tuners: how one is declared, and those that are not one tuner's alone.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Declares a parameter. Its option, its key in a result, its attribute in ns-3, the checks of its
 * range and the modes named in its help follow from this; its value is in a NamedValues.
 */
struct TuningParameter
{
    std::string_view name;        //!< as in --name=VALUE; ns-3's attribute is this in CamelCase
    std::string_view key;         //!< as in JSON, with the SI unit
    std::string_view defaultText; //!< as a person would write it
    std::string_view help;        //!< one line

    Dimension dimension{Dimension::REAL}; //!< of what its value counts, in smallest units
    double minimum{0};                    //!< least value
    double maximum{0};                    //!< largest value
    bool openMinimum{false};              //!< the least value itself is excluded
    bool openMaximum{false};              //!< the largest value itself is excluded

    std::span<const std::string_view> choices{}; //!< if any, its value is one of these words
    bool helpTellsModes{false};                  //!< the help says itself which modes it is for

    /** @return whether it is a number without fractions */
    bool IsWhole() const
    {
        return dimension != Dimension::REAL;
    }

    /** @param values of a session @return its own */
    double Of(const NamedValues& values) const
    {
        return values.Get(name);
    }

    /** @param values of a session @return its own, a number of connections */
    uint32_t CountOf(const NamedValues& values) const
    {
        return static_cast<uint32_t>(Of(values));
    }

    /** @param values of a session @return nothing, or that its own is out of range */
    Done Check(const NamedValues& values) const;
};

/** @ingroup gridftp @brief A host has 16,384 ephemeral ports, the control connection takes one. */
inline constexpr double MOST_CONNECTIONS = 16000;

/** @ingroup gridftp @brief N where no tuner changes it. */
inline constexpr TuningParameter PARALLELISM{.name = "parallelism",
                                             .key = "parallelism",
                                             .defaultText = "1",
                                             .help = "N of --mode=fixed",
                                             .dimension = Dimension::COUNT,
                                             .minimum = 1,
                                             .maximum = MOST_CONNECTIONS,
                                             .helpTellsModes = true};

/** @ingroup gridftp @brief N0, Eq. (3), (6), (9). */
inline constexpr TuningParameter INITIAL_PARALLELISM{.name = "initial-parallelism",
                                                     .key = "initial_parallelism",
                                                     .defaultText = "1",
                                                     .help = "N0, connections of the first chunk",
                                                     .dimension = Dimension::COUNT,
                                                     .minimum = 1,
                                                     .maximum = MOST_CONNECTIONS};

/** @ingroup gridftp @brief The largest N that a tuner chooses. */
inline constexpr TuningParameter MAX_PARALLELISM{.name = "max-parallelism",
                                                 .key = "max_parallelism",
                                                 .defaultText = "1024",
                                                 .help = "N is never raised above this",
                                                 .dimension = Dimension::COUNT,
                                                 .minimum = 1,
                                                 .maximum = MOST_CONNECTIONS};

/** @ingroup gridftp @brief Share of N W / R that counts as window-limited, Eq. (4), (7), (10). */
inline constexpr TuningParameter ETA{.name = "eta",
                                     .key = "eta",
                                     .defaultText = "0.8",
                                     .help = "share of N W / R above which N grows",
                                     .minimum = 0,
                                     .maximum = 1,
                                     .openMinimum = true};

/** @ingroup gridftp @brief What N is multiplied by, Eq. (5), (8). */
inline constexpr TuningParameter GAMMA{.name = "gamma",
                                       .key = "gamma",
                                       .defaultText = "2",
                                       .help = "factor of increase",
                                       .minimum = 1,
                                       .maximum = 1024,
                                       .openMinimum = true};

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_PARAMETER_H
