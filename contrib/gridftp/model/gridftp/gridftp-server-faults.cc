/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server.h"
#include "gridftp-simulation-time.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * What can go wrong with a server.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServerFaults");

namespace
{

/** @param duration 0: for ever @return the end of what begins now */
Time
EndAfter(Time duration)
{
    return duration.IsZero() ? Time::Max() : Simulator::Now() + duration;
}

} // namespace

void
Server::Fail()
{
    NS_LOG_FUNCTION(this);
    m_failed = true;
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().Reset(GetSimulationTime());
    }
}

void
Server::FailOnce()
{
    NS_LOG_FUNCTION(this);
    const auto isOpen = [](const auto& interpreter) {
        return interpreter->GetState() != ServerState::CLOSED;
    };
    m_failsNext = m_failsNext || std::ranges::none_of(m_interpreters, isOpen);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().Reset(GetSimulationTime());
    }
}

void
Server::Recover()
{
    NS_LOG_FUNCTION(this);
    m_failed = false;
}

void
Server::Die(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    Fail();
    m_isDead = true;
    CloseListener();
    Simulator::Remove(m_revival);
    if (!duration.IsZero())
    {
        m_revival = Simulator::Schedule(duration, &Server::Revive, this);
    }
}

void
Server::Revive()
{
    NS_LOG_FUNCTION(this);
    m_failed = false;
    m_isDead = false;
    Listen();
}

void
Server::FallSilent(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_silentUntil = EndAfter(duration);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().FallSilent(m_silentUntil.GetNanoSeconds());
    }
}

void
Server::RefuseClients(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_refusesUntil = EndAfter(duration);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().RefuseClients(m_refusesUntil.GetNanoSeconds());
    }
}

void
Server::LoseReplies(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_repliesUntil = std::max(m_repliesUntil, EndAfter(duration));
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().LoseReplies(m_repliesUntil.GetNanoSeconds());
    }
}

void
Server::AcceptForeign(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    if (!m_interpreters.empty())
    {
        m_interpreters.back()->GetSession().GetDataTransfer().GetReceiver().AcceptForeign(
            GetSimulationTime(),
            GetSimulationTime() + duration.GetNanoSeconds());
    }
}

void
Server::KillDataTransfer(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_dataDeadUntil = EndAfter(duration);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().GetDataTransfer().Die(GetSimulationTime(),
                                                        m_dataDeadUntil.GetNanoSeconds());
    }
}

void
Server::BreakAccepted(Ptr<Socket> socket)
{
    for (const auto& interpreter : m_interpreters)
    {
        if (const DataStream* const stream = interpreter->GetSockets().FindAccepted(socket))
        {
            interpreter->GetSession().GetDataTransfer().GetReceiver().BreakConnection(
                GetSimulationTime(),
                *stream);
        }
    }
}

void
Server::BreakOpened(uint32_t connection)
{
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetSession().GetDataTransfer().GetSender().BreakConnection(GetSimulationTime(),
                                                                                connection);
    }
}

uint64_t
Server::GetStoredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& interpreter : m_interpreters)
    {
        bytes += interpreter->GetSession().GetDataTransfer().GetReceiver().GetAllStoredBytes(
            GetSimulationTime());
    }
    return bytes;
}

} // namespace ns3::gridftp
