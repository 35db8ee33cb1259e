/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-dtp-link.h"

#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr uint64_t ABORTED = 426;

/** @return whether the PI closes the connection behind a command */
bool
IsLast(const DtpCommand& command)
{
    return command.verb == DtpVerb::ABORT || command.verb == DtpVerb::END;
}

} // namespace

SegmentDtpLink::SegmentDtpLink(const Settings& settings)
    : m_settings(settings),
      m_channel(*settings.flows,
                *settings.tcp,
                settings.path,
                *this,
                settings.refusals,
                {},
                true,
                DTP_PORT)
{
}

void
SegmentDtpLink::Order(Nanoseconds now, const DtpCommand& command)
{
    const bool begins = command.verb == DtpVerb::LISTEN || command.verb == DtpVerb::RECEIVE ||
                        command.verb == DtpVerb::SEND;
    if (!m_isOpening && !begins)
    {
        return; // it has done nothing that could be ended
    }
    if (m_hasLeft && m_failure.empty())
    {
        m_failure = "its control connection is closed";
    }
    if (!m_failure.empty())
    {
        return begins ? TellFailure(now) : void();
    }
    m_orders.push_back(command);
    if (m_isConnected)
    {
        Say(now, command);
        if (IsLast(command))
        {
            m_hasLeft = true;
            m_channel.Leave(now); // the FIN goes with the line
        }
    }
    else if (!m_isOpening)
    {
        m_isOpening = true;
        m_channel.Connect(now);
    }
}

void
SegmentDtpLink::Say(Nanoseconds now, const DtpCommand& command)
{
    const auto bytes = static_cast<uint32_t>(FormatDtpCommand(command).size());
    m_channel.Write(SegmentControlChannel::CLIENT, now, bytes, 0);
}

void
SegmentDtpLink::HandleControlConnected(Nanoseconds now)
{
    m_isConnected = true;
    for (const auto& command : m_orders)
    {
        Say(now, command);
    }
}

void
SegmentDtpLink::HandleControlAccepted(Nanoseconds /* now */)
{
}

void
SegmentDtpLink::HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t /* message */)
{
    if (to == SegmentControlChannel::SERVER)
    {
        const DtpCommand command = std::move(m_orders.front());
        m_orders.pop_front();
        m_settings.dtp->Order(now, command);
        m_isAlone = m_isAlone || IsLast(command);
        if (command.verb == DtpVerb::END)
        {
            m_channel.CloseServer(now); // else it answers the FIN
        }
        return;
    }
    const DtpNotice notice = std::move(m_notices.front());
    m_notices.pop_front();
    m_settings.user->HandleNotice(m_settings.stripe, now, notice);
}

void
SegmentDtpLink::HandleNotice(uint32_t /* stripe */, Nanoseconds now, const DtpNotice& notice)
{
    if (m_isAlone)
    {
        return;
    }
    m_notices.push_back(notice);
    const auto bytes = static_cast<uint32_t>(FormatDtpNotice(notice).size());
    m_channel.Write(SegmentControlChannel::SERVER, now, bytes, 0);
}

void
SegmentDtpLink::HandleControlFailed(Nanoseconds now, const char* reason)
{
    m_failure = m_isConnected ? reason : "its control connection was refused";
    m_isConnected = false;
    TellFailure(now);
}

void
SegmentDtpLink::TellFailure(Nanoseconds now)
{
    m_settings.user->HandleNotice(
        m_settings.stripe,
        now,
        {DtpEvent::FAIL,
         ABORTED,
         "stripe " + std::to_string(m_settings.stripe) + ": " + m_failure});
}

void
SegmentDtpLink::HandleControlLost(Nanoseconds now)
{
    m_isAlone = true;
    m_settings.dtp->Order(now, {.verb = DtpVerb::ABORT});
}

void
SegmentDtpLink::Drop(Nanoseconds now)
{
    if (m_isOpening && m_failure.empty())
    {
        m_channel.Reset(SegmentControlChannel::CLIENT, now);
    }
    m_isConnected = false;
    m_failure = "control connection failed";
}

void
SegmentDtpLink::Die(Nanoseconds now)
{
    if (m_channel.IsKnown())
    {
        m_isAlone = true;
        m_channel.Reset(SegmentControlChannel::SERVER, now);
    }
}

} // namespace ns3::gridftp
