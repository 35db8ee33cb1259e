/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-application.h"

#include "gridftp-scenario-applications.h"
#include "gridftp-tool-kind.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

namespace
{

/** The one place that lists them. */
constexpr std::array KINDS{ApplicationKind{GRIDFTP_APPLICATION, &MakeGridFtpApplication},
                           ApplicationKind{BACKGROUND_APPLICATION, &MakeBackgroundApplication},
                           ApplicationKind{LOAD_APPLICATION, &MakeLoadApplication},
                           ApplicationKind{"bbftp", &MakeBbftpApplication}};

} // namespace

SessionView
SegmentApplication::GetView() const
{
    return {};
}

std::span<const ApplicationKind>
GetApplicationKinds()
{
    return KINDS;
}

std::unique_ptr<SegmentApplication>
MakeApplication(std::string_view name, const ApplicationContext& context)
{
    if (const ToolKind* tool = FindToolKind(name); tool && tool->IsOfDatagrams())
    {
        return MakeDatagramToolApplication(context);
    }
    const auto kind = std::find_if(KINDS.begin(), KINDS.end(), [name](const ApplicationKind& kind) {
        return kind.name == name;
    });
    return kind->make(context);
}

} // namespace ns3::gridftp
