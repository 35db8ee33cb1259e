/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-protocol-interpreter.h"
#include "gridftp-simulation-time.h"

/**
 * @file
 * @ingroup gridftp
 * What a server makes of SBUF, before a transfer and while data flow.
 */

namespace ns3::gridftp
{

void
ServerProtocolInterpreter::ExecuteSetBuffer(const Command& command)
{
    if (IsSizing(command))
    {
        return ExecuteSizing(command);
    }
    const auto size = ParseBufferSize(command.argument);
    if (!size)
    {
        return Say(MakeReply(size.GetError()));
    }
    m_data.SetReceiveWindow(static_cast<uint32_t>(*size));
    m_data.SetSendWindow(static_cast<uint32_t>(*size));
    Say(MakeReply(command));
}

bool
ServerProtocolInterpreter::IsSizing(const Command& command) const
{
    const BufferPolicyKind* policy = FindBufferPolicy(m_settings.data.buffers.policy);
    const bool knows = policy && policy->channel == SizingChannel::CONTROL &&
                       m_settings.data.buffers.peer == SizingPeer::DRS;
    // Before a transfer it has one number, while data flow two
    return knows && command.verb == Verb::SBUF &&
           (m_state == ServerState::TRANSFERRING ||
            command.argument.find(' ') != std::string::npos);
}

void
ServerProtocolInterpreter::ExecuteSizing(const Command& command)
{
    if (m_receives)
    {
        const auto echo = ParseSizing(command.argument);
        if (!echo)
        {
            return Say(MakeReply(echo.GetError()));
        }
        return Say(m_sizer.HandleAnswer(echo->id) ? MakeSizingReply(SIZING_ANSWER, *echo)
                                                  : MakeUnknownSizingReply(*echo));
    }
    const auto granted =
        m_sizing.Accept(command.argument, MakeBufferSettings(m_settings.data.buffers, 1));
    if (!granted)
    {
        return Say(MakeReply(granted.GetError()));
    }
    if (m_settings.data.buffers.sendBuffer == 0)
    {
        m_data.GetLocal()->GetSender()->GetMachine().GrowSendBuffers(GetSimulationTime(),
                                                                     granted->bytes);
    }
    Say(MakeSizingReply(SIZING_ANSWER, *granted));
}

} // namespace ns3::gridftp
