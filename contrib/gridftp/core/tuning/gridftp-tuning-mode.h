/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNING_MODE_H
#define GRIDFTP_TUNING_MODE_H

#include "gridftp-expected.h"
#include "gridftp-named-values.h"
#include "gridftp-tuning-context.h"
#include "gridftp-tuning-parameter.h"
#include "gridftp-tuning-policy.h"

#include <memory>
#include <span>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * How figures draw what belongs to a tuner, as data: nothing in core draws.
 *
 * Where tuners coincide, as they do when a transfer starts, all are to stay visible: one that comes
 * later in GetTuningModes() is drawn on top, with a more open line and a smaller marker.
 */
struct TunerLook
{
    std::string_view color;         //!< "#rrggbb", told apart by colour-blind readers
    std::string_view marker;        //!< circle "o", square "s", diamonds "D", "d", pentagon "p",
                                    //!< hexagon "h", triangles "^", "v", "<", ">"
    double markerSize{0};           //!< points
    std::span<const double> dashes; //!< of the line: on, off, on, ... points; none: a solid one
};

/** @ingroup gridftp @brief What a policy is made of. */
enum class TuningNeed
{
    NUMBERS, //!< its parameters
    LIST,    //!< them, and N of each chunk
    PROGRAM  //!< them, and a program that it asks
};

/**
 * @ingroup gridftp
 * A tuner as its source file declares it. All else follows from this: the word of --mode, options
 * with their checks and help, what --describe and a result say, the attributes of its ns-3 type,
 * the fields of the lab, names and looks in figures.
 */
struct TuningMode
{
    std::string_view name;    //!< as in --mode=NAME; ns-3's type is this in CamelCase and "Tuner"
    std::string_view label;   //!< what readers call it, in figures and sentences
    std::string_view help;    //!< one line
    TunerLook look;           //!< in figures
    std::string_view refines; //!< the mode before it that it goes on
                              //!< from and whose parameters it takes,
                              //!< if any: the parent of its ns-3 type
    std::span<const TuningParameter* const> parameters; //!< all that it takes

    /** Makes the policy. @param values of the parameters, within their ranges @return the policy */
    std::unique_ptr<TuningPolicy> (*make)(const NamedValues& values);

    /** In its place, for a mode that needs more than numbers; else null. @param values of the
     * parameters, within their ranges @param context what it has beside them @return the policy, or
     * why there is none */
    Expected<std::unique_ptr<TuningPolicy>> (*makeWith)(const NamedValues& values,
                                                        const TuningContext& context){nullptr};

    TuningNeed need{TuningNeed::NUMBERS}; //!< what it is made of

    /** @return whether it asks a program */
    bool IsExternal() const
    {
        return need == TuningNeed::PROGRAM;
    }

    /** @param parameter any @return whether this mode takes it */
    bool Takes(const TuningParameter& parameter) const;
};

/**
 * @ingroup gridftp
 * @return all modes, in the order of --help
 */
std::span<const TuningMode> GetTuningModes();

/**
 * @ingroup gridftp
 * @param name as in --mode=NAME
 * @return the mode, or null
 */
const TuningMode* FindTuningMode(std::string_view name);

/**
 * @ingroup gridftp
 * @return the parameters of all modes, each once, in the order of --help: those that are not one
 *         tuner's alone, then each tuner's own
 */
std::span<const TuningParameter* const> GetTuningParameters();

/**
 * @ingroup gridftp
 * @param name as in --mode=NAME
 * @param values of its parameters; others may be there, too
 * @param context of a mode that needs more than numbers
 * @return the policy, or what is wrong
 */
Expected<std::unique_ptr<TuningPolicy>> MakeTuningPolicy(std::string_view name,
                                                         const NamedValues& values,
                                                         const TuningContext& context = {});

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNING_MODE_H
