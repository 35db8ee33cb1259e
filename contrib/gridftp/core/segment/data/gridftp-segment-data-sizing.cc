/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-data-sizing.h"

namespace ns3::gridftp
{

static_assert(BLOCK_HEADER_BYTES == DATA_SIZING_BYTES);

void
SegmentDataSizing::Renew(TcpConnection& connection)
{
    m_before = GetMeasured();
    m_sizing = DataChannelSizing(m_settings);
    m_connection = static_cast<ClassicConnection*>(&connection); // others size themselves
    m_underWay.clear();
    m_taken = m_skipped = 0;
    m_owed = 0;
}

void
SegmentDataSizing::Begin(BlockSource& source)
{
    m_begin = m_connection->GetSender().GetBuffer().GetWritten(); // perhaps not acknowledged yet
    m_begun = false;
    m_headers = 0;
    m_acknowledgements.clear();
    source.Observe(*this);
}

uint64_t
SegmentDataSizing::GetRead() const
{
    return m_connection->GetWindow()->GetRead() - m_begin;
}

void
SegmentDataSizing::HandleRead(Nanoseconds now)
{
    const uint64_t read = GetRead();
    if (read == 0)
    {
        return;
    }
    if (!m_begun)
    {
        m_begun = true;
        Tell(now, m_sizing.Begin(now, m_connection->GetWindow()->GetSize()));
    }
    while (!m_acknowledgements.empty() && m_acknowledgements.front() <= read)
    {
        m_acknowledgements.pop_front();
        m_sizing.HandleAcknowledgement(now);
    }
    const SegmentSendBuffer& written = m_connection->GetSender().GetBuffer();
    if (m_connection->GetWindow()->GetRead() >= written.GetEnd())
    {
        End();
    }
}

void
SegmentDataSizing::HandleSizings(Nanoseconds now)
{
    const uint64_t come = m_connection->GetReceiver(TcpConnection::ACTIVE).GetNext() - m_skipped;
    const uint64_t complete = come / DATA_SIZING_BYTES;
    for (; m_taken < complete; ++m_taken)
    {
        const SizingMessage message = m_underWay.front();
        m_underWay.pop_front();
        ++m_owed;
        m_connection->GrowSendBuffer(now, GetSendBufferAskedFor(m_settings, message));
    }
}

void
SegmentDataSizing::End()
{
    m_sizing.End();
}

MeasuredRtt
SegmentDataSizing::GetMeasured() const
{
    MeasuredRtt all = m_before;
    all.Add(m_sizing.GetMeasured());
    return all;
}

void
SegmentDataSizing::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (m_sizing.GetAlarm() != now)
    {
        return; // of a chunk that has ended
    }
    const uint64_t bytes = m_connection->GetWindow()->GetSize();
    const auto decision = m_sizing.HandleAlarm(now, GetRead(), bytes);
    if (decision.bufferBytes > bytes)
    {
        m_connection->ResizeWindow(now, decision.bufferBytes);
    }
    Tell(now, decision.message);
}

void
SegmentDataSizing::HandleHeader(uint64_t payload)
{
    ++m_headers;
    if (m_owed > 0)
    {
        --m_owed;
        m_acknowledgements.push_back(payload + m_headers * BLOCK_HEADER_BYTES);
    }
}

void
SegmentDataSizing::Tell(Nanoseconds now, const std::optional<SizingMessage>& message)
{
    HostClock& clock = *m_connection->GetUse().path.clocks[TcpConnection::PASSIVE];
    clock.Schedule(*m_sizing.GetAlarm(), *this, 0);
    if (message)
    {
        m_underWay.push_back(*message);
        m_connection->Write(TcpConnection::PASSIVE, now, DATA_SIZING_BYTES);
    }
}

} // namespace ns3::gridftp
