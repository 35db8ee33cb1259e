/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-pipelining.h"

#include "gridftp-buffer-policy.h"
#include "gridftp-option-row.h"
#include "gridftp-processing-kind.h"
#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t MOST_AHEAD = 1000;

/** @return what of a session does not go with pipelining, and what does; empty: all does */
std::string
FindObstacle(const Scenario& scenario, size_t index)
{
    const SessionSpec& session = scenario.sessions[index];
    if (session.dataChannels != DataChannels::CACHED)
    {
        return "needs data connections that stay open; allowed with it: data-channels=cached";
    }
    const TuningMode* mode = FindTuningMode(session.mode);
    if (!mode || !mode->Takes(PARALLELISM))
    {
        return "requests chunks before the previous ones are measured; allowed with it: mode=fixed";
    }
    if (session.stripes.IsStriped())
    {
        return "needs one host at each endpoint; allowed with it: stripes=1x1";
    }
    if (session.retries > 0 || !session.restart.empty())
    {
        return "is not for a client with retries or a restart; allowed with it: retries=0, "
               "restart=none";
    }
    if (NeedsApplications(session.buffers.policy))
    {
        return "needs buffers that TCP sizes; allowed with it: not buffers=" +
               session.buffers.policy;
    }
    // A server goes on to the next chunk when TCP has delivered this one, stored or not
    if (session.direction == Direction::DOWNLOAD && session.buffers.readRate > 0)
    {
        return "of a download needs a client that reads without limit; allowed with it: "
               "read-rate=0Mbps";
    }
    if (session.direction == Direction::DOWNLOAD && session.buffers.sink.IsTimed())
    {
        return "of a download needs a client that stores without delay; allowed with it: "
               "sink=memory";
    }
    const ProcessingSpec& processing = session.buffers.processing;
    if (processing.module != IDENTITY_MODULE || processing.IsTimed(false) || session.requestCpu > 0)
    {
        return "needs hosts that store and send files unchanged and without delay; allowed with "
               "it: processing=identity, cpu-rate=0Mbps, protection=clear, request-cpu=0ms";
    }
    const auto isHere = [index](const FaultSpec& fault) {
        return !IsOfBottleneck(fault.kind) && fault.session == static_cast<int64_t>(index);
    };
    if (std::ranges::any_of(scenario.faults, isHere))
    {
        return "is not for a session with faults; allowed with it: faults of the bottleneck";
    }
    return "";
}

} // namespace

void
AddPipeliningRow(std::vector<Option>& rows)
{
    rows.push_back(WholeRow("pipelining",
                            "pipelining",
                            OptionScope::SESSION,
                            Dimension::COUNT,
                            "1",
                            {1, MOST_AHEAD},
                            BindMember<&SessionSpec::pipelining>(),
                            "transfers requested at a time before replies, including the active "
                            "one"));
}

Done
CheckPipelining(const Scenario& scenario,
                size_t index,
                const std::function<std::string(const std::string&)>& quote)
{
    const SessionSpec& session = scenario.sessions[index];
    if (session.pipelining <= 1)
    {
        return std::monostate{};
    }
    if (const std::string obstacle = FindObstacle(scenario, index); !obstacle.empty())
    {
        return Error{quote("pipelining=" + std::to_string(session.pipelining)) + " " + obstacle};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
