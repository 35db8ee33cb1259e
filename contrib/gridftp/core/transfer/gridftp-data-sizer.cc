/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sizer.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace ns3::gridftp
{

static_assert(ModeEHeader::SIZE == DATA_SIZING_BYTES);

void
DataSizer::HandleRead(Nanoseconds now, uint64_t bytes)
{
    if (!m_sizing.IsOn())
    {
        return;
    }
    m_read += bytes;
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        Send(now, m_sizing.Begin(now, m_stream->GetReceiveBuffer()));
    }
}

void
DataSizer::HandleAlarm(Nanoseconds now)
{
    if (m_sizing.GetAlarm() != now)
    {
        return; // of a chunk that has ended
    }
    const uint64_t bytes = m_stream->GetReceiveBuffer();
    const auto decision = m_sizing.HandleAlarm(now, m_read, bytes);
    if (decision.bufferBytes > bytes)
    {
        m_stream->SetReceiveBuffer(decision.bufferBytes);
    }
    Send(now, decision.message);
}

void
DataSizer::End()
{
    m_sizing.End();
    m_hasBegun = false;
    m_read = 0;
}

void
DataSizer::Send(Nanoseconds now, const std::optional<SizingMessage>& message)
{
    m_events->Schedule(now, *m_sizing.GetAlarm(), TransferEvents::ALARM, m_serial);
    if (message)
    {
        m_stream->Say(now, ModeEHeader::SetBuffer(message->id, message->bytes).ToBytes());
    }
}

std::vector<SizingMessage>
SizingReader::Feed(const ArrivedBytes& bytes)
{
    std::vector<SizingMessage> messages;
    for (uint64_t at = 0; at < bytes.GetSize() && m_error.empty();)
    {
        const auto taken = static_cast<uint32_t>(
            std::min<uint64_t>(bytes.GetSize() - at, ModeEHeader::SIZE - m_fill));
        bytes.Copy(at, std::span(m_header).subspan(m_fill, taken));
        at += taken;
        m_fill += taken;
        if (m_fill < ModeEHeader::SIZE)
        {
            break;
        }
        m_fill = 0;
        const auto header = ModeEHeader::FromBytes(m_header);
        if (header.GetDescriptor() != ModeEHeader::SET_BUFFER)
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
