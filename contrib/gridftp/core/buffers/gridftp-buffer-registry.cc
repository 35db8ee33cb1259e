/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ns3::gridftp
{

/**
 * @name Policies for buffers
 * Each is declared in its own gridftp-buffer-<name>.cc. Why they are named here and do not register
 * themselves stands in gridftp-tuning-registry.cc.
 * @{
 */
BufferPolicyKind DeclareFixedBuffers();
BufferPolicyKind DeclareDrsKernel();
BufferPolicyKind DeclareLinuxReceiver();
BufferPolicyKind DeclareDrsFtp();
BufferPolicyKind DeclareDrsGridftp();

/** @} */

namespace
{

/** The one place that lists the policies. */
constexpr std::array DECLARATIONS{
    &DeclareFixedBuffers,
    &DeclareDrsKernel,
    &DeclareLinuxReceiver,
    &DeclareDrsFtp,
    &DeclareDrsGridftp,
};

} // namespace

std::span<const BufferPolicyKind>
GetBufferPolicies()
{
    static const std::vector<BufferPolicyKind> kinds = [] {
        std::vector<BufferPolicyKind> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return kinds;
}

const BufferPolicyKind*
FindBufferPolicy(std::string_view name)
{
    const auto kinds = GetBufferPolicies();
    const auto it = std::ranges::find(kinds, name, &BufferPolicyKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

bool
NeedsApplications(std::string_view name)
{
    const BufferPolicyKind* kind = FindBufferPolicy(name);
    return kind && kind->channel != SizingChannel::NONE;
}

} // namespace ns3::gridftp
