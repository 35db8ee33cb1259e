/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-transfer-machine.h"

#include <utility>

namespace ns3::gridftp
{

void
TransferMachine::ScheduleOutcome(Nanoseconds now, std::optional<TransferFailure> failure)
{
    if (!m_isOutcomeDue)
    {
        m_isOutcomeDue = true;
        m_failure = std::move(failure);
        m_events.Schedule(now, now, TransferEvents::OUTCOME, ++m_outcome);
    }
}

void
TransferMachine::HandleEvent(Nanoseconds now, uint32_t id)
{
    const auto kind = TransferEvents::GetKind(id);
    const uint32_t serial = TransferEvents::GetSerial(id);
    if (kind != TransferEvents::OUTCOME)
    {
        return HandleOwnEvent(now, kind, serial);
    }
    if (m_isOutcomeDue && serial == m_outcome) // else it was cancelled
    {
        m_isOutcomeDue = false;
        ReportOutcome(now, std::exchange(m_failure, std::nullopt));
    }
}

} // namespace ns3::gridftp
