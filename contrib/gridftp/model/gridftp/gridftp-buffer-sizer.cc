/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-sizer.h"

#include "gridftp-simulation-time.h"

#include "ns3/simulator.h"

namespace ns3::gridftp
{

BufferSizer::~BufferSizer()
{
    m_alarmEvent.Cancel();
}

void
BufferSizer::Configure(Ptr<DataReceiver> receiver, TellCallback tell)
{
    constexpr uint64_t ANY = 1; // it does not look at segments
    m_receiver = receiver;
    m_tell = tell;
    const auto settings = MakeBufferSettings(receiver->GetMachine().GetBuffers(), ANY);
    if (settings.GetChannel() == SizingChannel::CONTROL)
    {
        m_sizing.emplace(settings);
    }
}

void
BufferSizer::Begin()
{
    if (m_sizing)
    {
        Tell(m_sizing->Begin(GetSimulationTime(), m_receiver->GetMachine().GetReceiveBuffer()));
    }
}

void
BufferSizer::HandleAlarm()
{
    const uint64_t bytes = m_receiver->GetMachine().GetReceiveBuffer();
    const auto decision =
        m_sizing->HandleAlarm(GetSimulationTime(), m_receiver->GetMachine().GetBytes(), bytes);
    if (decision.bufferBytes > bytes)
    {
        m_receiver->GetMachine().SetReceiveBuffer(decision.bufferBytes);
    }
    Tell(decision.message);
}

void
BufferSizer::Tell(const std::optional<SizingMessage>& message)
{
    const Time alarm = NanoSeconds(*m_sizing->GetAlarm());
    m_alarmEvent = Simulator::Schedule(alarm - Simulator::Now(), &BufferSizer::HandleAlarm, this);
    if (message)
    {
        m_tell(*message);
    }
}

bool
BufferSizer::HandleAnswer(uint64_t id)
{
    return m_sizing && m_sizing->HandleAnswer(GetSimulationTime(), id);
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
    m_alarmEvent.Cancel();
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
