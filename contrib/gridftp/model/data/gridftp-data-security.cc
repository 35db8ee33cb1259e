/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-security.h"

#include "gridftp-host-processor.h"

#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataSecurity");

void
DataSecurity::Configure(const DataSecuritySettings& settings, bool isAcceptor, SaidCallback said)
{
    m_security = settings.security;
    m_progress = HandshakeProgress(settings.handshake, isAcceptor);
    m_said = said;
}

void
DataSecurity::Begin(Ptr<Socket> socket)
{
    m_socket = socket;
    Say();
}

void
DataSecurity::HandleRead(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_socket = socket;
    while (const uint32_t missing = m_progress.GetMissing())
    {
        const auto packet = socket->Recv(missing, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        m_progress.Read(packet->GetSize());
        Say();
    }
}

void
DataSecurity::HandleRoom()
{
    if (m_unsent > 0)
    {
        Write(0);
    }
}

void
DataSecurity::Stop()
{
    m_computed.Cancel();
    m_socket = nullptr;
    m_said = SaidCallback();
    m_unsent = 0;
}

void
DataSecurity::Say()
{
    const auto message = m_progress.Take();
    if (!message)
    {
        return;
    }
    const Time cpu = HostProcessor::Ask(m_socket->GetNode(), GetCpuWork(m_security, message->work));
    if (!cpu.IsStrictlyPositive())
    {
        return Write(message->bytes);
    }
    const uint32_t bytes = message->bytes;
    m_computed = Simulator::Schedule(cpu, [this, bytes] { Write(bytes); });
}

void
DataSecurity::Write(uint32_t bytes)
{
    m_unsent += bytes;
    while (m_unsent > 0)
    {
        const uint32_t room = std::min(m_unsent, m_socket->GetTxAvailable());
        if (room == 0 || m_socket->Send(Create<Packet>(room)) < 0)
        {
            return; // HandleRoom() goes on
        }
        m_unsent -= room;
    }
    if (m_progress.IsDone() && !m_said.IsNull())
    {
        const auto said = m_said;
        m_said = SaidCallback();
        said();
    }
}

} // namespace ns3::gridftp
