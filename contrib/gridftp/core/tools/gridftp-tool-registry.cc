/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario-applications.h"
#include "gridftp-tool-kind.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

/**
 * @name Tools beside GridFTP
 * Each is declared in its own gridftp-tool-<name>.cc. Why they are named here and do not register
 * themselves stands in gridftp-tuning-registry.cc.
 * @{
 */
ToolKind DeclareRbudp();
ToolKind DeclareBbftp();
ToolKind DeclareUdt();
ToolKind DeclareFobs();

/** @} */

namespace
{

/** GridFTP has the options of a session that have no prefix. */
ToolKind
DeclareGridftp()
{
    return {.name = GRIDFTP_APPLICATION,
            .help = "GridFTP: chunks over parallel TCP connections, tuned by --mode"};
}

/** The one place that lists the tools. */
constexpr std::array DECLARATIONS{
    &DeclareGridftp,
    &DeclareRbudp,
    &DeclareBbftp,
    &DeclareUdt,
    &DeclareFobs,
};

} // namespace

bool
ToolKind::Takes(const ToolParameter& parameter) const
{
    return std::ranges::find(parameters, &parameter) != parameters.end();
}

std::span<const ToolKind>
GetToolKinds()
{
    static const std::vector<ToolKind> kinds = [] {
        std::vector<ToolKind> made;
        for (const auto declare : DECLARATIONS)
        {
            made.push_back(declare());
        }
        return made;
    }();
    return kinds;
}

const ToolKind*
FindToolKind(std::string_view name)
{
    const auto kinds = GetToolKinds();
    const auto it = std::ranges::find(kinds, name, &ToolKind::name);
    return it == kinds.end() ? nullptr : &*it;
}

std::span<const ToolParameter* const>
GetToolParameters()
{
    static const std::vector<const ToolParameter*> parameters = [] {
        std::vector<const ToolParameter*> all;
        for (const auto& kind : GetToolKinds())
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

} // namespace ns3::gridftp
