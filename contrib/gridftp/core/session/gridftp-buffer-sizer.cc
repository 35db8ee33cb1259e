/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-sizer.h"

#include <utility>

namespace ns3::gridftp
{

void
BufferSizer::Configure(DataHost& host, BlockReceiver& receiver, SendHandler send)
{
    constexpr uint64_t ANY = 1; // ApplicationSizing does not depend on the size of segments
    m_receiver = &receiver;
    m_send = std::move(send);
    m_alarm.Bind(host, [this](Nanoseconds now) { HandleAlarm(now); });
    const auto settings = MakeBufferSettings(receiver.GetBuffers(), ANY);
    if (settings.GetChannel() == SizingChannel::CONTROL)
    {
        m_sizing.emplace(settings);
    }
}

void
BufferSizer::Begin(Nanoseconds now)
{
    if (m_sizing)
    {
        Continue(now, m_sizing->Begin(now, m_receiver->GetReceiveBuffer()));
    }
}

void
BufferSizer::HandleAlarm(Nanoseconds now)
{
    const uint64_t bytes = m_receiver->GetReceiveBuffer();
    m_receiver->ReadArrived(now);
    const auto decision = m_sizing->HandleAlarm(now, m_receiver->GetBytes(), bytes);
    if (decision.bufferBytes > bytes)
    {
        m_receiver->SetReceiveBuffer(decision.bufferBytes);
    }
    Continue(now, decision.message);
}

void
BufferSizer::Continue(Nanoseconds now, const std::optional<SizingMessage>& message)
{
    m_alarm.Set(now, *m_sizing->GetAlarm());
    if (message)
    {
        m_send(now, *message);
    }
}

bool
BufferSizer::HandleAnswer(Nanoseconds now, uint64_t id)
{
    return m_sizing && m_sizing->HandleAnswer(now, id);
}

void
BufferSizer::HandleRefusal()
{
    if (m_sizing)
    {
        m_sizing->HandleRefusal();
    }
}

void
BufferSizer::End()
{
    m_alarm.Cancel();
    if (m_sizing)
    {
        m_sizing->End();
    }
}

MeasuredRtt
BufferSizer::GetMeasured() const
{
    return m_sizing ? m_sizing->GetMeasured() : MeasuredRtt();
}

} // namespace ns3::gridftp
