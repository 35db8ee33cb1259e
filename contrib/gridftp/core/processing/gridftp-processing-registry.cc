/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-stages.h"
#include "gridftp-processing-kind.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

/**
 * @name Modules of the data processing stage
 * Each is declared in its own gridftp-processing-<name>.cc. Why they are named here and do not
 * register themselves stands in gridftp-tuning-registry.cc.
 * @{
 */
ProcessingKind DeclareIdentityProcessing();
ProcessingKind DeclarePartialProcessing();
ProcessingKind DeclareScaleProcessing();

/** @} */

namespace
{

/** The one place that lists the kinds. */
constexpr std::array DECLARATIONS{
    &DeclareIdentityProcessing,
    &DeclarePartialProcessing,
    &DeclareScaleProcessing,
};

} // namespace

bool
ProcessingKind::Takes(const ProcessingParameter& parameter) const
{
    return std::ranges::find(parameters, &parameter) != parameters.end();
}

std::span<const ProcessingKind>
GetProcessingKinds()
{
    static const std::vector<ProcessingKind> kinds = [] {
        std::vector<ProcessingKind> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return kinds;
}

const ProcessingKind*
FindProcessingKind(std::string_view name)
{
    const auto kinds = GetProcessingKinds();
    const auto it = std::ranges::find(kinds, name, &ProcessingKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

std::span<const ProcessingParameter* const>
GetProcessingParameters()
{
    static const std::vector<const ProcessingParameter*> parameters = [] {
        std::vector<const ProcessingParameter*> all;
        for (const auto& kind : GetProcessingKinds())
        {
            for (const auto* own : kind.parameters)
            {
                if (std::ranges::find(all, own) == all.end())
                {
                    all.push_back(own);
                }
            }
        }
        return all;
    }();
    return parameters;
}

FileMap
MakeFileMap(const ProcessingSpec& spec, bool receives)
{
    const ProcessingKind* kind =
        spec.HasModule(receives) ? FindProcessingKind(spec.module) : nullptr;
    return kind && kind->map ? kind->map(spec.values, static_cast<uint64_t>(spec.fileBytes))
                             : FileMap();
}

MarkerRange
FindRegion(const ProcessingSpec& spec, uint64_t fileBytes)
{
    const ProcessingKind* kind = FindProcessingKind(spec.module);
    if (kind && kind->region)
    {
        return kind->region(spec.values, fileBytes);
    }
    return {0, MakeFileMap(spec, false).ToOutput(fileBytes)};
}

std::optional<MarkerRange>
FindPart(const SessionSpec& session)
{
    const ProcessingSpec& spec = session.buffers.processing;
    const ProcessingKind* kind = FindProcessingKind(spec.module);
    if (!kind || (!kind->map && !kind->region))
    {
        return std::nullopt;
    }
    return FindRegion(spec, static_cast<uint64_t>(session.fileSize));
}

void
ResolveProcessing(SessionSpec& session)
{
    ProcessingSpec& spec = session.buffers.processing;
    const ProcessingKind* kind = FindProcessingKind(spec.module);
    if (!kind || !kind->map)
    {
        spec.moduleAt = ModuleEnd::NONE;
        return;
    }
    const bool isUpload = session.direction == Direction::UPLOAD;
    spec.moduleAt = isUpload ? ModuleEnd::RECEIVER : ModuleEnd::SENDER;
    spec.moduleRate = kind->rate ? kind->rate(spec.values) : 0;
    spec.fileBytes = session.fileSize;
}

} // namespace ns3::gridftp
