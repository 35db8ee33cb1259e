/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-settings.h"
#include "gridftp-congestion-control.h"
#include "gridftp-ns3-attributes.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-option.h"
#include "gridftp-tcp-defaults.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-tuning-parameter.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/global-value.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * @file
 * @ingroup gridftp
 * Engine ns3: what of a scenario only ns-3 can check, and the defaults of the process.
 */

namespace ns3::gridftp
{

namespace
{

/** Applies one "ns3::Type::Attribute=Value". */
bool
SetAttribute(const std::string& assignment)
{
    const auto equals = assignment.find('=');
    return equals != std::string::npos && equals + 1 < assignment.size() &&
           Config::SetDefaultFailSafe(assignment.substr(0, equals),
                                      StringValue(assignment.substr(equals + 1)));
}

/** Whether the attribute just set is a time below zero, which ns-3 takes and nothing can use. */
bool
IsNegativeTime(const std::string& assignment)
{
    const auto name = assignment.substr(0, assignment.find('='));
    const auto colons = name.rfind("::");
    TypeId::AttributeInformation info;
    TypeId::LookupByName(name.substr(0, colons))
        .LookupAttributeByName(name.substr(colons + 2), &info);
    const auto time = DynamicCast<const TimeValue>(info.initialValue);
    return time && time->Get().IsStrictlyNegative();
}

/**
 * Tries the last assignment in a process of its own, on a transfer of one byte: ns-3 ends the
 * process, in place of saying so, where a text is no value of the attribute's kind or the value is
 * one that its models cannot use.
 */
bool
IsAccepted(Scenario scenario)
{
    const pid_t child = fork();
    if (child == 0)
    {
        constexpr unsigned int PATIENCE_S = 10;
        const rlimit none{};
        setrlimit(RLIMIT_CORE, &none);
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        alarm(PATIENCE_S);
        const std::string& assignment = scenario.measure.attributes.back();
        if (!SetAttribute(assignment) || IsNegativeTime(assignment))
        {
            _exit(1);
        }
        scenario.path.randomLoss = 0;
        for (auto& session : scenario.sessions)
        {
            session.fileSize = 1;
            session.tuning.Set(PARALLELISM.name, 1);
            session.tuning.Set(INITIAL_PARALLELISM.name, 1);
            session.start = 0;
        }
        scenario.background.clear();
        scenario.faults.clear();
        RunOnNs3(scenario, {});
        _exit(0);
    }
    int status = 1;
    return waitpid(child, &status, 0) == child && status == 0;
}

/** @param shown where it is named @return that there is no such TCP */
Error
UnknownTcp(const std::string& shown)
{
    std::string names;
    for (const auto& control : GetCongestionControls())
    {
        names += std::string(control.name) + ", ";
    }
    return Error{shown + " is unknown; allowed: " + names +
                 "or the TypeId of an ns-3 TcpCongestionOps such as ns3::TcpVegas"};
}

/** Whether there is a TCP, with such buffers. */
Done
CheckTcp(const std::string& name, const BufferSpec& buffers, const std::string& shown)
{
    const auto variant = FindTcpVariant(name);
    if (!variant)
    {
        return UnknownTcp(shown);
    }
    if (MakeBufferSettings(buffers, 1).AreSized() && !MayMoveBuffers(*variant))
    {
        return Error{shown + " has buffers of one size only; allowed with --buffers=" +
                     std::string(GetBufferPolicies().front().name) +
                     " and --sink=memory, neither --read-rate nor --send-pool, or a TCP that is a "
                     "TcpCongestionOps"};
    }
    return std::monostate{};
}

} // namespace

Done
CheckNs3Scenario(const Scenario& scenario)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        const SessionSpec& session = scenario.sessions[i];
        const std::string word = "tcp=" + session.tcp;
        const auto shown = i == 0 ? Printable("--" + word) : "--session '" + Printable(word) + "'";
        if (auto done = CheckTcp(session.tcp, session.buffers, shown); !done)
        {
            return done;
        }
    }
    for (const auto& background : scenario.background)
    {
        const auto shown = "--background '" + Printable("tcp=" + background.tcp) + "'";
        if (auto done = CheckTcp(background.tcp, background.buffers, shown); !done)
        {
            return done;
        }
    }
    Scenario trial = scenario;
    trial.measure.attributes.clear();
    for (const auto& assignment : scenario.measure.attributes)
    {
        const auto owner = FindAttributeOwner(assignment.substr(0, assignment.find('=')));
        if (!owner.empty())
        {
            return Error{
                Printable("--set=" + assignment) +
                " would have no effect, as the scenario sets it; allowed: " + std::string(owner)};
        }
        trial.measure.attributes.push_back(assignment);
        if (!IsAccepted(trial) || !SetAttribute(assignment))
        {
            return Error{Printable("--set=" + assignment) +
                         " names no ns-3 attribute, or not a value of use to it; allowed: "
                         "ns3::Type::Attribute=VALUE"};
        }
    }
    return std::monostate{};
}

void
ApplyNs3Defaults(const Scenario& scenario, bool checksums)
{
    RngSeedManager::SetSeed(static_cast<uint32_t>(scenario.measure.seed));
    RngSeedManager::SetRun(static_cast<uint64_t>(scenario.measure.run));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(checksums));
    ObjectFactory scheduler;
    scheduler.SetTypeId(scenario.measure.links == LinkKind::LEAN ? "ns3::gridftp::LeanScheduler"
                                                                 : "ns3::PriorityQueueScheduler");
    Simulator::SetScheduler(scheduler);

    TcpDefaults tcp;
    tcp.segmentSize = static_cast<uint32_t>(GetSegmentBytes(scenario));
    tcp.window = static_cast<uint32_t>(scenario.sessions.front().buffers.window);
    tcp.initialWindow = static_cast<uint32_t>(scenario.tcp.initialWindow);
    tcp.minRto = NanoSeconds(scenario.tcp.minRto);
    tcp.delayedAck = static_cast<uint32_t>(scenario.tcp.delayedAck);
    tcp.sack = scenario.tcp.sack;
    tcp.timestamps = scenario.tcp.timestamps;
    tcp.limitedTransmit = scenario.tcp.limitedTransmit;
    tcp.Apply();
    for (const auto& assignment : scenario.measure.attributes)
    {
        SetAttribute(assignment);
    }
}

} // namespace ns3::gridftp
