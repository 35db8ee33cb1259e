/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-host-processor.h"
#include "gridftp-server-protocol-interpreter.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

/**
 * @file
 * @ingroup gridftp
 * How a server makes sure of its client (RFC 2228), and of what it costs.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServerSecurity");

bool
ServerProtocolInterpreter::IsWelcome(const Command& command) const
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
ServerProtocolInterpreter::RefuseClients(Time until)
{
    NS_LOG_FUNCTION(this << until);
    m_refusesUntil = until;
}

void
ServerProtocolInterpreter::ExecuteSecurity(const Command& command)
{
    if (!m_settings.security.IsControlSecured())
    {
        return Say(MakeReply(MakeNotImplemented(command.verb)));
    }
    if (m_security.IsDone())
    {
        return Say({503, {"You are known already."}});
    }
    if (command.verb == Verb::ADAT && Simulator::Now() < m_refusesUntil)
    {
        return Say(MakeAuthenticationRefusal());
    }
    const auto answer = m_security.Accept(command);
    const Time cpu =
        HostProcessor::Ask(m_settings.data.node, GetCpuWork(m_settings.security, answer.work));
    if (!cpu.IsStrictlyPositive())
    {
        return AnswerSecurity(answer.reply);
    }
    m_computed = Simulator::Schedule(cpu, [this, reply = answer.reply] {
        AnswerSecurity(reply);
        HandleLines();
    });
}

void
ServerProtocolInterpreter::AnswerSecurity(const Reply& reply)
{
    Say(reply);
    if (m_security.IsDone())
    {
        m_control->Protect(ArmourSide::SERVER);
    }
}

void
ServerProtocolInterpreter::ExecuteDataSecurity(const Command& command)
{
    if (!m_settings.security.IsControlSecured())
    {
        return Say(MakeReply(MakeNotImplemented(command.verb)));
    }
    const auto mode = ParseLetter(command.argument, "NA");
    if (!mode)
    {
        return Say(MakeReply(mode.GetError()));
    }
    Say(MakeReply(command));
}

} // namespace ns3::gridftp
