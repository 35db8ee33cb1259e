/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-session.h"

/**
 * @file
 * @ingroup gridftp
 * How a server executes SBUF, before a transfer and while data flow.
 */

namespace ns3::gridftp
{

void
ServerSession::ExecuteSetBuffer(Nanoseconds now, const Command& command)
{
    if (IsSizing(command))
    {
        return ExecuteSizing(now, command);
    }
    const auto size = ParseBufferSize(command.argument);
    if (!size)
    {
        return Say(now, MakeReply(size.GetError()));
    }
    if (*size > LARGEST_BUFFER)
    {
        return Say(now, {501, {"Buffer size out of range: " + std::to_string(*size)}});
    }
    m_data.SetReceiveWindow(static_cast<uint32_t>(*size));
    m_data.SetSendWindow(static_cast<uint32_t>(*size));
    Say(now, MakeReply(command));
}

bool
ServerSession::IsSizing(const Command& command) const
{
    const BufferPolicyKind* policy = FindBufferPolicy(m_settings.data.buffers.policy);
    const bool knows = policy && policy->channel == SizingChannel::CONTROL &&
                       m_settings.data.buffers.peer == SizingPeer::DRS;
    // Before a transfer SBUF has one number, while data flow two
    return knows && command.verb == Verb::SBUF &&
           (m_state == ServerState::TRANSFERRING ||
            command.argument.find(' ') != std::string::npos);
}

void
ServerSession::ExecuteSizing(Nanoseconds now, const Command& command)
{
    if (m_receives)
    {
        const auto echo = ParseSizing(command.argument);
        if (!echo)
        {
            return Say(now, MakeReply(echo.GetError()));
        }
        return Say(now,
                   m_sizer.HandleAnswer(now, echo->id) ? MakeSizingReply(SIZING_ANSWER, *echo)
                                                       : MakeUnknownSizingReply(*echo));
    }
    const auto granted =
        m_sizing.Accept(command.argument, MakeBufferSettings(m_settings.data.buffers, 1));
    if (!granted)
    {
        return Say(now, MakeReply(granted.GetError()));
    }
    if (m_settings.data.buffers.sendBuffer == 0)
    {
        m_data.GetLocal().GetSender().GrowSendBuffers(now, granted->bytes);
    }
    Say(now, MakeSizingReply(SIZING_ANSWER, *granted));
}

} // namespace ns3::gridftp
