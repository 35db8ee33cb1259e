/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-application.h"

#include "gridftp-scenario-applications.h"
#include "gridftp-tool-kind.h"

#include "ns3/abort.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

/**
 * @name Kinds of applications
 * Each is in its own gridftp-ns3-<name>.cc.
 * @{
 */
std::unique_ptr<Ns3Application> MakeNs3Session(const Ns3ApplicationContext& context);
std::unique_ptr<Ns3Application> MakeNs3Background(const Ns3ApplicationContext& context);
std::unique_ptr<Ns3Application> MakeNs3Load(const Ns3ApplicationContext& context);
std::unique_ptr<Ns3Application> MakeNs3Bbftp(const Ns3ApplicationContext& context);
std::unique_ptr<Ns3Application> MakeNs3Datagrams(const Ns3ApplicationContext& context);

/** @} */

namespace
{

/** A kind of application. */
struct Ns3ApplicationKind
{
    std::string_view name; //!< as in ScenarioApplication

    /** Makes one. */
    std::unique_ptr<Ns3Application> (*make)(const Ns3ApplicationContext& context);
};

/** The one place that lists them. */
constexpr std::array KINDS{Ns3ApplicationKind{GRIDFTP_APPLICATION, &MakeNs3Session},
                           Ns3ApplicationKind{BACKGROUND_APPLICATION, &MakeNs3Background},
                           Ns3ApplicationKind{LOAD_APPLICATION, &MakeNs3Load},
                           Ns3ApplicationKind{"bbftp", &MakeNs3Bbftp}};

} // namespace

uint32_t
Ns3Application::GetParallelism() const
{
    return 0;
}

std::unique_ptr<Ns3Application>
MakeNs3Application(std::string_view kind, const Ns3ApplicationContext& context)
{
    if (const ToolKind* tool = FindToolKind(kind); tool && tool->IsOfDatagrams())
    {
        return MakeNs3Datagrams(context);
    }
    const auto* const it = std::ranges::find(KINDS, kind, &Ns3ApplicationKind::name);
    NS_ABORT_MSG_IF(it == KINDS.end(), "engine ns3 has no application '" << kind << "'");
    return it->make(context);
}

} // namespace ns3::gridftp
