/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @name Tuners
 * Each is declared in its own gridftp-tuning-<name>.cc.
 *
 * They are named here, and do not register themselves, for three reasons: a linker drops from a
 * static library what nothing names, and with it an object that would register; types of ns-3 are
 * made from this list while the program loads, when an object of another file may not have been
 * made; and the order of --help is that of this list, whatever order files are linked in.
 * @{
 */
TuningMode DeclareMi();
TuningMode DeclareMiPlus();
TuningMode DeclareAimd();
TuningMode DeclareFixed();
TuningMode DeclareByHand();
TuningMode DeclareApt();
TuningMode DeclareFalcon();
TuningMode DeclareCurveFit();
TuningMode DeclareDirectSearch();
TuningMode DeclareFts();
TuningMode DeclareExternal();

/** @} */

namespace
{

/** The one place that lists the tuners. */
constexpr std::array DECLARATIONS{
    &DeclareMi,
    &DeclareMiPlus,
    &DeclareAimd,
    &DeclareFixed,
    &DeclareByHand,
    &DeclareApt,
    &DeclareFalcon,
    &DeclareCurveFit,
    &DeclareDirectSearch,
    &DeclareFts,
    &DeclareExternal,
};

/** Those that are not one tuner's alone, or that others than tuners ask for by name. */
constexpr std::array SHARED{
    &PARALLELISM,
    &INITIAL_PARALLELISM,
    &MAX_PARALLELISM,
    &ETA,
    &GAMMA,
};

} // namespace

bool
TuningMode::Takes(const TuningParameter& parameter) const
{
    return std::ranges::any_of(parameters, [&parameter](const TuningParameter* taken) {
        return taken->name == parameter.name;
    });
}

std::span<const TuningMode>
GetTuningModes()
{
    static const std::vector<TuningMode> modes = [] {
        std::vector<TuningMode> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return modes;
}

const TuningMode*
FindTuningMode(std::string_view name)
{
    const auto modes = GetTuningModes();
    const auto it = std::ranges::find(modes, name, &TuningMode::name);
    return it == modes.end() ? nullptr : &*it;
}

std::span<const TuningParameter* const>
GetTuningParameters()
{
    static const std::vector<const TuningParameter*> parameters = [] {
        std::vector<const TuningParameter*> all(SHARED.begin(), SHARED.end());
        for (const auto& mode : GetTuningModes())
        {
            for (const auto* own : mode.parameters)
            {
                if (std::ranges::find(all, own->name, &TuningParameter::name) == all.end())
                {
                    all.push_back(own);
                }
            }
        }
        return all;
    }();
    return parameters;
}

Expected<std::unique_ptr<TuningPolicy>>
MakeTuningPolicy(std::string_view name, const NamedValues& values, const TuningContext& context)
{
    const TuningMode* mode = FindTuningMode(name);
    if (!mode)
    {
        return Error{"mode '" + std::string(name) + "' is unknown"};
    }
    for (const auto* parameter : mode->parameters)
    {
        if (auto checked = parameter->Check(values); !checked)
        {
            return checked.GetError();
        }
    }
    const uint32_t first = INITIAL_PARALLELISM.CountOf(values);
    const uint32_t most = MAX_PARALLELISM.CountOf(values);
    if (mode->Takes(INITIAL_PARALLELISM) && mode->Takes(MAX_PARALLELISM) && first > most)
    {
        return Error{"initial parallelism " + std::to_string(first) +
                     " is not within 1 and the maximum of " + std::to_string(most)};
    }
    return mode->makeWith ? mode->makeWith(values, context) : mode->make(values);
}

} // namespace ns3::gridftp
