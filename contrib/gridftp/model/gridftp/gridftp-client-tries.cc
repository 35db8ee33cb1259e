/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"
#include "gridftp-simulation-time.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * The tries of a client: each has a protocol interpreter of its own, and with it connections and a
 * data transfer process of its own. What one leaves for the next is which bytes the receiver has.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClientTries");

void
Client::SetRestart(const MarkerRanges& ranges)
{
    m_restart = ranges;
}

void
Client::StartTry()
{
    NS_LOG_FUNCTION(this);
    SetState(ClientState::LOGGING_IN);
    if (m_interpreter)
    {
        m_earlier.push_back(m_interpreter);
    }
    m_interpreter = CreateObject<ClientProtocolInterpreter>();
    const auto data = m_interpreter->GetDataTransfer();
    data->Trace(
        MakeCallback(&TracedCallback<Ptr<Socket>, uint64_t, uint32_t>::operator(), &m_connection),
        MakeCallback(&TracedCallback<Ptr<Socket>>::operator(), &m_dataAccepted));
    data->StayDead(m_dataDeadUntil);
    m_interpreter->Start(MakeSettings(),
                         MakeCallback(&Client::HandleReady, this),
                         MakeCallback(&Client::HandleStarted, this),
                         MakeCallback(&Client::HandleFailed, this));
}

std::vector<Ptr<ClientProtocolInterpreter>>
Client::ListInterpreters() const
{
    auto all = m_earlier;
    if (m_interpreter)
    {
        all.push_back(m_interpreter);
    }
    return all;
}

void
Client::SkipHeldChunks()
{
    const auto findHeld = [this] {
        return ClipRanges(m_restart, {m_offset, m_offset + GetNextBytes()});
    };
    m_held = findHeld();
    while (m_offset < m_files->GetEnd() && CountBytes(m_held) == GetNextBytes())
    {
        m_offset += GetNextBytes();
        m_held = findHeld();
    }
}

MarkerRanges
Client::FindHeld() const
{
    MarkerRanges all = m_restart;
    const uint64_t begin = m_files ? m_files->GetBegin() : 0;
    all.push_back({begin, m_asked.empty() ? m_offset : m_asked.front().offset});
    all.insert(all.end(), m_held.begin(), m_held.end());
    return MergeRanges(std::move(all));
}

void
Client::HandleFailed(std::string reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (m_state == ClientState::TRANSFERRING)
    {
        m_held = m_interpreter->GetHeld();
    }
    const auto waitNs = m_schedule.Fail(CountBytes(FindHeld()));
    if (!waitNs)
    {
        m_reason = std::move(reason);
        return SetState(ClientState::FAILED);
    }
    m_offset = m_asked.empty() ? m_offset : m_asked.front().offset;
    m_asked.clear();
    m_restarts.push_back({.timeNs = Simulator::Now().GetNanoSeconds(),
                          .reason = std::move(reason),
                          .heldBytes = CountBytes(m_held),
                          .waitNs = *waitNs});
    SetState(ClientState::WAITING);
    m_nextTry = Simulator::Schedule(NanoSeconds(*waitNs), &Client::StartTry, this);
}

void
Client::KillDataTransfer(Time duration)
{
    NS_LOG_FUNCTION(this << duration);
    m_dataDeadUntil = duration.IsZero() ? Time::Max() : Simulator::Now() + duration;
    if (m_interpreter)
    {
        m_interpreter->GetDataTransfer()->Die(m_dataDeadUntil);
    }
}

void
Client::AcceptForeign(Time duration)
{
    if (m_interpreter)
    {
        m_interpreter->GetDataTransfer()->GetReceiver()->GetMachine().AcceptForeign(
            GetSimulationTime(),
            GetSimulationTime() + duration.GetNanoSeconds());
    }
}

void
Client::BreakAccepted(Ptr<Socket> socket)
{
    if (m_interpreter)
    {
        m_interpreter->GetDataTransfer()->GetReceiver()->BreakConnection(socket);
    }
}

void
Client::BreakOpened(uint32_t connection)
{
    if (m_interpreter)
    {
        m_interpreter->GetDataTransfer()->GetSender()->GetMachine().BreakConnection(
            GetSimulationTime(),
            connection);
    }
}

uint64_t
Client::GetStoredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& interpreter : ListInterpreters())
    {
        bytes += interpreter->GetDataTransfer()->GetReceiver()->GetMachine().GetAllStoredBytes(
            GetSimulationTime());
    }
    return bytes;
}

} // namespace ns3::gridftp
