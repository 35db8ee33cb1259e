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
        interpreter->Reset();
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
        interpreter->Reset();
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
        interpreter->FallSilent(m_silentUntil);
    }
}

void
Server::RefuseClients(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_refusesUntil = EndAfter(duration);
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->RefuseClients(m_refusesUntil);
    }
}

void
Server::LoseReplies(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_repliesUntil = std::max(m_repliesUntil, EndAfter(duration));
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->LoseReplies(m_repliesUntil);
    }
}

void
Server::AcceptForeign(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    if (!m_interpreters.empty())
    {
        m_interpreters.back()->GetDataTransfer()->GetReceiver()->GetMachine().AcceptForeign(
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
        interpreter->GetDataTransfer()->Die(m_dataDeadUntil);
    }
}

void
Server::BreakAccepted(Ptr<Socket> socket)
{
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetDataTransfer()->GetReceiver()->BreakConnection(socket);
    }
}

void
Server::BreakOpened(uint32_t connection)
{
    for (const auto& interpreter : m_interpreters)
    {
        interpreter->GetDataTransfer()->GetSender()->GetMachine().BreakConnection(
            GetSimulationTime(),
            connection);
    }
}

uint64_t
Server::GetStoredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& interpreter : m_interpreters)
    {
        bytes += interpreter->GetDataTransfer()->GetReceiver()->GetMachine().GetAllStoredBytes(
            GetSimulationTime());
    }
    return bytes;
}

} // namespace ns3::gridftp
