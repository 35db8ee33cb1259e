/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-session.h"

/**
 * @file
 * @ingroup gridftp
 * How a server authenticates its client (RFC 2228), and what that costs.
 */

namespace ns3::gridftp
{

bool
ServerSession::IsAllowed(const Command& command) const
{
    switch (command.verb)
    {
    case Verb::AUTH:
    case Verb::ADAT:
    case Verb::QUIT:
    case Verb::NOOP:
    case Verb::FEAT:
        return true;
    case Verb::USER:
    case Verb::PASS:
        return !m_settings.security.IsControlSecured() || m_security.IsDone();
    default:
        return false;
    }
}

void
ServerSession::ExecuteSecurity(Nanoseconds now, const Command& command)
{
    if (!m_settings.security.IsControlSecured())
    {
        return Say(now, MakeReply(MakeNotImplemented(command.verb)));
    }
    if (m_security.IsDone())
    {
        return Say(now, {503, {"You are known already."}});
    }
    if (command.verb == Verb::ADAT && now < m_refusesUntil)
    {
        return Say(now, MakeAuthenticationRefusal());
    }
    const auto answer = m_security.Accept(command);
    m_securityReply = answer.reply;
    const Nanoseconds at = m_host.AskCpu(now, GetCpuWork(m_settings.security, answer.work));
    if (at <= now)
    {
        return AnswerSecurity(now);
    }
    m_computed.Set(now, at);
}

void
ServerSession::AnswerSecurity(Nanoseconds now)
{
    Say(now, m_securityReply);
    if (m_security.IsDone())
    {
        m_control->Protect(ArmourSide::SERVER);
    }
}

void
ServerSession::ExecuteDataSecurity(Nanoseconds now, const Command& command)
{
    if (!m_settings.security.IsControlSecured())
    {
        return Say(now, MakeReply(MakeNotImplemented(command.verb)));
    }
    const auto mode = ParseLetter(command.argument, "NA");
    if (!mode)
    {
        return Say(now, MakeReply(mode.GetError()));
    }
    Say(now, MakeReply(command));
}

} // namespace ns3::gridftp
