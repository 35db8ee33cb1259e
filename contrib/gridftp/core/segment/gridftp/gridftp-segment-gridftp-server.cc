/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-gridftp-server.h"

#include "gridftp-control-script.h"
#include "gridftp-control-text.h"
#include "gridftp-dtp-text.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** @param nodes of a session @param node one of them @param control host of connections that carry
 * lines @return the hosts of a session there */
ChannelHosts
MakeChannels(SegmentNodes& nodes, uint32_t node, DataHost& control)
{
    return {control, nodes.MakeHost(node), nodes.MakeHost(node)};
}

} // namespace

// The server

SegmentGridFtpServer::SegmentGridFtpServer(SegmentNodes& nodes,
                                           uint32_t node,
                                           const ServerSettings& settings,
                                           uint64_t fileBytes)
    : m_nodes(&nodes),
      m_node(node),
      m_files(fileBytes),
      m_settings(settings),
      m_control(&nodes.MakeHost(node))
{
    m_settings.files = &m_files;
    m_revival.Bind(*m_control, [this](Nanoseconds now) { Start(now); });
}

void
SegmentGridFtpServer::Start(Nanoseconds now)
{
    m_control->Listen(now, CONTROL_PORT, StreamTerms::OfLines(CONTROL_TCP, CONTROL_WINDOW), *this);
}

StreamUser*
SegmentGridFtpServer::HandleAccepted(Nanoseconds now, uint16_t /* port */, ByteStream& stream)
{
    if (now < m_failsUntil || std::exchange(m_failsNext, false))
    {
        return nullptr;
    }
    m_sessions.push_back(std::make_unique<ServerSession>(MakeChannels(*m_nodes, m_node, *m_control),
                                                         [](ServerState /* state */) {}));
    ServerSession& session = *m_sessions.back();
    session.FallSilent(m_silentUntil);
    session.RefuseClients(m_refusesUntil);
    session.LoseReplies(m_repliesUntil);
    StreamUser& user = session.Start(now, m_settings, stream);
    session.GetDataTransfer().StayDead(m_dataDeadUntil);
    return &user;
}

void
SegmentGridFtpServer::Strike(Nanoseconds now, const FaultSpec& fault)
{
    const Nanoseconds until = fault.GetEndNs();
    switch (fault.kind)
    {
    case FaultKind::CONTROL_RESET:
        if (fault.IsOnce())
        {
            return ResetOnce(now);
        }
        m_failsUntil = until;
        return Reset(now);
    case FaultKind::SERVER_DIES:
        return Die(now, until);
    case FaultKind::SERVER_SILENT:
        m_silentUntil = until;
        break;
    case FaultKind::AUTH_REFUSED:
        m_refusesUntil = until;
        break;
    case FaultKind::REPLY_LOST:
        m_repliesUntil = std::max(m_repliesUntil, until);
        break;
    case FaultKind::DTP_DIES:
        m_dataDeadUntil = until;
        break;
    case FaultKind::FOREIGN:
        if (!m_sessions.empty())
        {
            m_sessions.back()->GetDataTransfer().GetReceiver().AcceptForeign(now, until);
        }
        return;
    default:
        return;
    }
    for (const auto& session : m_sessions)
    {
        session->FallSilent(m_silentUntil);
        session->RefuseClients(m_refusesUntil);
        session->LoseReplies(m_repliesUntil);
        if (fault.kind == FaultKind::DTP_DIES)
        {
            session->GetDataTransfer().Die(now, until);
        }
    }
}

void
SegmentGridFtpServer::Reset(Nanoseconds now)
{
    for (const auto& session : m_sessions)
    {
        session->Reset(now);
    }
}

void
SegmentGridFtpServer::ResetOnce(Nanoseconds now)
{
    const auto isOpen = [](const auto& session) {
        return session->GetState() != ServerState::CLOSED;
    };
    m_failsNext = m_failsNext || std::ranges::none_of(m_sessions, isOpen);
    Reset(now);
}

void
SegmentGridFtpServer::Die(Nanoseconds now, Nanoseconds until)
{
    m_failsUntil = until;
    Reset(now);
    m_control->StopListening();
    m_revival.Cancel();
    if (until < NEVER)
    {
        m_revival.Set(now, until);
    }
}

// A data transfer process

SegmentDataTransferProcess::SegmentDataTransferProcess(SegmentNodes& nodes,
                                                       uint32_t node,
                                                       const DataTransferServiceSettings& settings)
    : m_nodes(&nodes),
      m_node(node),
      m_settings(settings),
      m_control(&nodes.MakeHost(node))
{
    m_revival.Bind(*m_control, [this](Nanoseconds now) { Start(now); });
}

void
SegmentDataTransferProcess::Die(Nanoseconds now, Nanoseconds until)
{
    for (const auto& service : m_services)
    {
        service->Reset(now);
    }
    m_control->StopListening();
    m_revival.Cancel();
    if (until < NEVER)
    {
        m_revival.Set(now, until);
    }
}

void
SegmentDataTransferProcess::Start(Nanoseconds now)
{
    m_control->Listen(now, DTP_PORT, StreamTerms::OfLines(CONTROL_TCP, CONTROL_WINDOW), *this);
}

StreamUser*
SegmentDataTransferProcess::HandleAccepted(Nanoseconds /* now */,
                                           uint16_t /* port */,
                                           ByteStream& stream)
{
    m_services.push_back(
        std::make_unique<DataTransferService>(MakeChannels(*m_nodes, m_node, *m_control)));
    return &m_services.back()->Start(m_settings, stream);
}

} // namespace ns3::gridftp
