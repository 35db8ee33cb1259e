/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-connection-sizer.h"

#include "gridftp-tcp-variant.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

static_assert(BlockHeader::SIZE == DATA_SIZING_BYTES);

namespace
{

/** @return the time, ns */
int64_t
GetNow()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace

ConnectionSizer::ConnectionSizer(Ptr<Socket> socket, const BufferSettings& settings)
    : m_socket(socket),
      m_window(settings.window),
      m_sizing(settings)
{
}

ConnectionSizer::~ConnectionSizer()
{
    m_alarmEvent.Cancel();
}

void
ConnectionSizer::HandleRead(uint32_t bytes)
{
    if (!m_sizing.IsOn())
    {
        return;
    }
    m_read += bytes;
    if (!m_begun)
    {
        m_begun = true;
        Tell(m_sizing.Begin(GetNow(), GetTcpReceiveBuffer(m_socket, m_window)));
    }
}

void
ConnectionSizer::HandleAcknowledgement()
{
    m_sizing.HandleAcknowledgement(GetNow());
}

void
ConnectionSizer::End()
{
    m_alarmEvent.Cancel();
    m_sizing.End();
    m_begun = false;
    m_read = 0;
}

void
ConnectionSizer::Stop()
{
    End();
    m_socket = nullptr;
}

void
ConnectionSizer::HandleAlarm()
{
    const uint64_t bytes = GetTcpReceiveBuffer(m_socket, m_window);
    const auto decision = m_sizing.HandleAlarm(GetNow(), m_read, bytes);
    if (decision.bufferBytes > bytes)
    {
        SetTcpReceiveBuffer(m_socket, decision.bufferBytes);
    }
    Tell(decision.message);
}

void
ConnectionSizer::Tell(const std::optional<SizingMessage>& message)
{
    m_alarmEvent = Simulator::Schedule(NanoSeconds(*m_sizing.GetAlarm() - GetNow()),
                                       &ConnectionSizer::HandleAlarm,
                                       this);
    if (message)
    {
        auto packet = Create<Packet>();
        packet->AddHeader(BlockHeader::SetBuffer(message->id, message->bytes));
        m_socket->Send(packet);
    }
}

std::vector<SizingMessage>
SizingReader::Feed(Ptr<const Packet> packet)
{
    std::vector<SizingMessage> messages;
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    for (size_t at = 0; at < bytes.size() && m_error.empty();)
    {
        const size_t taken = std::min<size_t>(bytes.size() - at, BlockHeader::SIZE - m_fill);
        std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(at), taken, m_header.begin() + m_fill);
        at += taken;
        m_fill += static_cast<uint32_t>(taken);
        if (m_fill < BlockHeader::SIZE)
        {
            break;
        }
        m_fill = 0;
        const auto header = BlockHeader::FromBytes(m_header);
        if (header.GetDescriptor() != BlockHeader::SET_BUFFER)
        {
            m_error = "block descriptor " + std::to_string(header.GetDescriptor()) +
                      " comes from the receiver, only SBUF (2) may";
            break;
        }
        messages.push_back({header.GetOffset(), header.GetCount()});
    }
    return messages;
}

} // namespace ns3::gridftp
