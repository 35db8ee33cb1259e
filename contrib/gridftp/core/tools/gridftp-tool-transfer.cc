/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tool-transfer.h"

#include "gridftp-random.h"

namespace ns3::gridftp
{

namespace
{

/** @return the tool of a session that moves its file by datagrams; else null */
const ToolKind*
FindDatagramTool(const Scenario& scenario, size_t index)
{
    if (index >= scenario.sessions.size())
    {
        return nullptr;
    }
    const ToolKind* kind = FindToolKind(scenario.sessions[index].tool);
    return kind && kind->IsOfDatagrams() ? kind : nullptr;
}

} // namespace

ToolTransfer
MakeToolTransfer(const Scenario& scenario, size_t index, const ToolFiles& files)
{
    const SessionSpec& session = scenario.sessions[index];
    const ToolKind* kind = FindDatagramTool(scenario, index);
    const bool fromClient = session.direction == Direction::UPLOAD;
    return {.values = session.toolValues,
            .bytes = static_cast<uint64_t>(session.fileSize),
            .linkRateBps = fromClient ? session.accessBandwidth : scenario.path.accessBandwidth,
            .linkExtraBytes =
                kind->dataHeaderBytes + DATAGRAM_HEADER_BYTES + scenario.path.linkHeader,
            .randomKey = KeyedRandom({static_cast<uint64_t>(scenario.measure.seed),
                                      static_cast<uint64_t>(scenario.measure.run),
                                      index}),
            .source = files.Open(false),
            .sink = files.Open(true)};
}

int64_t
GetUsualBytes(const Scenario& scenario, size_t index)
{
    const ToolKind* kind = FindDatagramTool(scenario, index);
    return kind ? kind->dataBytes(scenario.sessions[index].toolValues) + DATAGRAM_HEADER_BYTES
                : scenario.path.packetSize;
}

bool
SendsDatagrams(const Scenario& scenario, size_t index)
{
    const size_t sessions = scenario.sessions.size();
    return index < sessions ? FindDatagramTool(scenario, index) != nullptr
                            : scenario.background[index - sessions].load > 0;
}

} // namespace ns3::gridftp
