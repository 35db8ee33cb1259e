/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a client does when it cannot go on, or is not to: it ends what is under way at its servers.
 */

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClientFailure");

bool
ClientProtocolInterpreter::IsOwed() const
{
    return std::ranges::any_of(m_dialogues, [](const auto& each) { return each.owed > 0; });
}

void
ClientProtocolInterpreter::GiveUp(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    if (!std::exchange(m_givesUp, true))
    {
        m_reason = reason;
        m_script.Clear();
        if (m_settings.direction != Direction::THIRD_PARTY)
        {
            return Fail(m_reason);
        }
        for (auto& dialogue : m_dialogues)
        {
            AbortTransfer(dialogue);
        }
    }
    if (!IsOwed())
    {
        Fail(m_reason);
    }
}

void
ClientProtocolInterpreter::AbortTransfer(Dialogue& dialogue)
{
    if (dialogue.owed > 0)
    {
        ++dialogue.owed;
        dialogue.control->Send(FormatCommand({Verb::ABOR, ""}));
        return;
    }
    dialogue.waiting = dialogue.connected = false;
    dialogue.control->Close();
}

void
ClientProtocolInterpreter::HandleReplyWhileGivingUp(Peer peer, const Reply& reply)
{
    NS_LOG_FUNCTION(this << reply.code);
    Dialogue& dialogue = Of(peer);
    if (dialogue.owed > 0 && --dialogue.owed == 0)
    {
        dialogue.waiting = false;
        dialogue.control->Close();
        GiveUp(m_reason);
    }
}

void
ClientProtocolInterpreter::HandleTransferFailed(int code, std::string reason)
{
    Fail(reason + " (" + std::to_string(code) + ")");
}

void
ClientProtocolInterpreter::Fail(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    const auto failed = m_failed;
    m_data.Reset();
    Abort();
    m_failed = FailedCallback();
    if (!failed.IsNull())
    {
        failed(reason);
    }
}

void
ClientProtocolInterpreter::Abort()
{
    m_givesUp = true;
    m_script.Clear();
    m_transferring = false;
    m_sizer.End();
    m_data.Abort();
    for (auto& dialogue : m_dialogues)
    {
        dialogue.waiting = dialogue.connected = false;
        dialogue.owed = 0;
        dialogue.control->Close();
    }
}

} // namespace ns3::gridftp
