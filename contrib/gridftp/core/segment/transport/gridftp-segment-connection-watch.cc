/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * A connection: what observers and results see of its sender.
 */

namespace ns3::gridftp
{

namespace
{

WindowView
GetWindowOf(const SegmentSender& sender)
{
    const bool isSet = sender.GetSsthresh() != SegmentSender::NO_SSTHRESH;
    return {.cwndBytes = sender.GetCwnd(),
            .ssthreshBytes = isSet ? std::optional(sender.GetSsthresh()) : std::nullopt,
            .receiverBytes = sender.GetReceiverWindow()};
}

} // namespace

void
ClassicConnection::Measure()
{
    if (m_use.label)
    {
        m_monitor.Begin(m_flows->FindMonitor(m_use.label->session), m_use.label->connection);
    }
}

void
ClassicConnection::Watch(End end)
{
    if (end == m_use.source && (m_monitor.IsOn() || m_showsRtt))
    {
        m_ends[end].sender.Watch(m_showsRtt);
    }
}

void
ClassicConnection::Observe()
{
    if (m_use.label)
    {
        m_ends[m_use.source].sender.Observe();
        m_showsRtt = m_flows->GetObserver() && m_flows->GetObserver()->WantsRtt();
        Watch(ACTIVE);
        if (m_ends[PASSIVE].connected)
        {
            Watch(PASSIVE);
        }
        m_traced = m_use.ways != Ways::TWO && m_flows->GetObserver() &&
                   m_flows->GetObserver()->WantsBuffers();
        m_special = m_window || m_use.pool || m_traced || m_use.tcp->announcesReads || m_hasOptions;
        m_flowing = m_flowing && !m_special;
        if (m_flows->GetObserver() && m_flows->GetObserver()->WantsDeliveries() && !m_logs)
        {
            m_logs = m_receiverClock->IsAhead();
            LogDelivery(m_receiverClock->GetNow());
        }
    }
}

void
ClassicConnection::HandleWindow(const SegmentSender& sender)
{
    const Nanoseconds now = m_ends[sender.GetId()].nowNs;
    if (m_monitor.IsOn())
    {
        m_monitor.SetCwnd(now, sender.GetCwnd());
    }
    if (auto* observer = m_flows->GetObserver())
    {
        observer->HandleWindow(now, *m_use.label, GetWindowOf(sender));
    }
}

SenderView
ClassicConnection::GetSenderView() const
{
    const SegmentSender& sender = m_ends[m_use.source].sender;
    const WindowView window = GetWindowOf(sender);
    return {.cwndBytes = window.cwndBytes,
            .ssthreshBytes = window.ssthreshBytes,
            .flightBytes = sender.GetFlight(),
            .acknowledgedBytes = sender.GetAcknowledged(),
            .state = sender.GetState(),
            .smoothedRttNs = sender.HasRttSample() ? sender.GetSmoothedRttNs() : 0};
}

void
ClassicConnection::HandleReport(const SegmentSender& sender,
                                SegmentSender::Report report,
                                int64_t value)
{
    if (!IsOpen())
    {
        return; // its application has closed it
    }
    const Nanoseconds now = m_ends[sender.GetId()].nowNs;
    switch (report)
    {
    case SegmentSender::Report::SENT:
    case SegmentSender::Report::SENT_AGAIN:
        return m_monitor.CountSegment(report == SegmentSender::Report::SENT_AGAIN);
    case SegmentSender::Report::ACKNOWLEDGED:
        return m_monitor.Acknowledge(now, sender.GetAcknowledged());
    case SegmentSender::Report::TIMEOUT:
        return m_monitor.CountTimeout();
    case SegmentSender::Report::SAMPLE:
        m_monitor.AddSample(value);
        return m_showsRtt ? m_flows->GetObserver()->HandleRttSample(now,
                                                                    *m_use.label,
                                                                    value,
                                                                    sender.GetSmoothedRttNs())
                          : void();
    case SegmentSender::Report::RTO:
        return m_showsRtt ? m_flows->GetObserver()->HandleRto(now, *m_use.label, value) : void();
    }
}

} // namespace ns3::gridftp
