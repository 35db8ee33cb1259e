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

bool
SegmentSession::ComputesNext(Nanoseconds now)
{
    const CpuWork work = GetCpuWork(m_spec->security, m_script.GetNext().work);
    if (work.GetSum() > 0 && GetAheadState().isQuiet) // else its turn comes with a reply
    {
        m_sayDueNs = AskFor(m_hosts.client.GetHead().get(), now, work);
        m_context.path.clocks[SegmentControlChannel::CLIENT]->Schedule(m_sayDueNs, *this, SAY);
    }
    return work.GetSum() > 0;
}

void
SegmentSession::SayComputed(Nanoseconds now)
{
    m_sayDueNs = NEVER;
    if (!IsOver() && !m_script.IsEmpty()) // it has not given up meanwhile
    {
        Say(now, m_script.Take());
    }
}

void
SegmentSession::Authenticate(SegmentServer& server, Nanoseconds now)
{
    const Command& command = server.GetAsked();
    const bool isRefused = command.verb == Verb::ADAT && server.RefusesClients(now);
    const auto answer = isRefused ? SecurityServer::Answer{MakeAuthenticationRefusal()}
                                  : server.GetSecurity().Accept(command);
    server.SetRefusal(answer.reply.lines.front());
    HostCpu* cpu = m_hosts.GetEnd(server.GetPeer() == Peer::RECEIVER).GetHead().get();
    server.SayAt(now, Compute(cpu, now, answer.work), answer.reply);
}

} // namespace ns3::gridftp
