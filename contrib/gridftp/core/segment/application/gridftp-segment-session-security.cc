/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: how its client and its servers make sure of each other, and what they compute for
 * that.
 */

namespace ns3::gridftp
{

Nanoseconds
SegmentSession::Compute(HostCpu* cpu, Nanoseconds now, HandshakeWork work) const
{
    return AskFor(cpu, now, GetCpuWork(m_spec->security, work));
}

void
SegmentSession::SayWhenComputed(Nanoseconds now)
{
    const Nanoseconds at = Compute(m_hosts.client.get(), now, m_script.GetNext().work);
    if (at <= now)
    {
        return Say(now);
    }
    m_sayDueNs = at;
    m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(at, *this, SAY);
}

void
SegmentSession::Say(Nanoseconds now)
{
    m_sayDueNs = NEVER;
    if (IsOver() || m_script.IsEmpty())
    {
        return; // it has given up meanwhile
    }
    ScriptLine line = m_script.Take();
    SegmentServer& server = GetServer(line.peer);
    m_saidNs = m_heardNs = now;
    const bool begins = IsTransferVerb(line.command.verb) && !m_transferring;
    if (begins)
    {
        BeginChunk(now);
    }
    server.Order(now, std::move(line.command));
    if (begins && IsDownload())
    {
        BeginSizing(now);
    }
}

void
SegmentSession::Authenticate(SegmentServer& server, Nanoseconds now)
{
    const Command& command = server.GetCommand();
    const bool isRefused = command.verb == Verb::ADAT && server.RefusesClients(now);
    const auto answer = isRefused ? SecurityServer::Answer{MakeAuthenticationRefusal()}
                                  : server.GetSecurity().Accept(command);
    server.SetRefusal(answer.reply.lines.front());
    HostCpu* cpu = m_hosts.GetEnd(server.GetPeer() == Peer::RECEIVER).GetHead().get();
    server.SayAt(now, Compute(cpu, now, answer.work), answer.reply);
}

} // namespace ns3::gridftp
