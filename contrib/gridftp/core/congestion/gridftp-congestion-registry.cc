/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-congestion-control.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ns3::gridftp
{

/**
 * @name Congestion controls
 * Each is declared in its own gridftp-congestion-<name>.cc. Why they are named here and do not
 * register themselves stands in gridftp-tuning-registry.cc.
 * @{
 */
CongestionControlKind DeclareReno();
CongestionControlKind DeclareNewReno();
CongestionControlKind DeclareHighSpeed();
CongestionControlKind DeclareCubic();

/** @} */

namespace
{

/** The one place that lists the congestion controls. */
constexpr std::array DECLARATIONS{
    &DeclareReno,
    &DeclareNewReno,
    &DeclareHighSpeed,
    &DeclareCubic,
};

} // namespace

std::span<const CongestionControlKind>
GetCongestionControls()
{
    static const std::vector<CongestionControlKind> kinds = [] {
        std::vector<CongestionControlKind> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return kinds;
}

const CongestionControlKind*
FindCongestionControl(std::string_view name)
{
    const auto kinds = GetCongestionControls();
    const auto it = std::ranges::find(kinds, name, &CongestionControlKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

} // namespace ns3::gridftp
