/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"
#include "gridftp-simulation-time.h"
#include "gridftp-stall-text.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

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
        if (m_settings.direction != Direction::THIRD_PARTY || m_settings.resets)
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
    if (dialogue.said.HasTransfer())
    {
        dialogue.owed = dialogue.said.GetSize() + 1; // each is answered, and ABOR
        m_lastWord = dialogue.lastSaid = Simulator::Now();
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
    constexpr int ABORTED = 426;
    reason += " (" + std::to_string(code) + ")";
    if (code == ABORTED && m_settings.direction == Direction::UPLOAD && !m_givesUp &&
        m_settings.data.stallTimeout.IsStrictlyPositive() && m_ownFailure.empty() &&
        Of(Peer::RECEIVER).said.HasTransfer())
    {
        m_ownFailure = reason; // the server, which has reset the connection, says why
        m_ownDue = Simulator::Now() + NanoSeconds(LAST_WORD_NS);
        Simulator::Remove(m_look);
        ScheduleLook(NanoSeconds(LAST_WORD_NS));
        return m_data.Reset();
    }
    Fail(reason);
}

void
ClientProtocolInterpreter::Fail(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    const auto failed = m_failed;
    if (m_transferring && m_settings.direction == Direction::DOWNLOAD)
    {
        m_held = m_data.FindRanges();
    }
    if (m_settings.resets)
    {
        for (auto& dialogue : m_dialogues)
        {
            dialogue.control->Reset();
        }
        m_data.Kill();
    }
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
    Simulator::Remove(m_look);
    Simulator::Remove(m_rateLook);
    Simulator::Remove(m_computed);
    m_sizer.End();
    m_data.Abort();
    for (auto& dialogue : m_dialogues)
    {
        dialogue.waiting = dialogue.connected = false;
        dialogue.owed = 0;
        dialogue.said.Clear();
        Simulator::Remove(dialogue.alive);
        dialogue.control->Close();
    }
}

void
ClientProtocolInterpreter::HandleRangeMarker(const Reply& reply)
{
    const auto ranges = ParseRangeMarkerReply(reply);
    if (ranges && m_transferring && m_settings.resets)
    {
        const FileChunk& part = m_pipeline.GetFirst().part;
        m_held = ClipRanges(MergeRanges(*ranges), {part.offset, part.GetEnd()});
    }
}

bool
ClientProtocolInterpreter::IsAlive(const Dialogue& dialogue, const Reply& reply)
{
    // A command that waits was said behind the NOOP, or is a transfer, which 200 does not answer
    constexpr int OKAY = 200;
    return dialogue.alivesOwed > 0 && reply.code == OKAY;
}

void
ClientProtocolInterpreter::KeepAlive(Peer peer)
{
    Dialogue& dialogue = Of(peer);
    if (!dialogue.connected || m_givesUp)
    {
        return;
    }
    const Time now = Simulator::Now();
    const bool isDue = now - dialogue.lastSaid >= m_settings.keepalive;
    const bool waits = !dialogue.said.IsEmpty() && !IsTransferVerb(dialogue.said.GetFirst().verb);
    const Time next = isDue ? m_settings.keepalive : dialogue.lastSaid + m_settings.keepalive - now;
    if (isDue && dialogue.greeted && !waits)
    {
        ++dialogue.alivesOwed;
        dialogue.lastSaid = now;
        dialogue.control->Send(FormatCommand({Verb::NOOP, ""}));
    }
    dialogue.alive = Simulator::Schedule(next, &ClientProtocolInterpreter::KeepAlive, this, peer);
}

uint64_t
ClientProtocolInterpreter::GetMoved() const
{
    return m_settings.direction == Direction::DOWNLOAD
               ? m_data.GetLocal()->GetReceiver()->GetMachine().GetAllStoredBytes(
                     GetSimulationTime())
               : m_floor.GetMarked();
}

void
ClientProtocolInterpreter::CheckRate()
{
    if (m_givesUp)
    {
        return;
    }
    if (m_floor.IsTooSlow(GetMoved()))
    {
        return GiveUp(MakeSlowReason(m_settings.minRateBps, m_floor.GetPeriodNs()));
    }
    m_rateLook =
        Simulator::Schedule(m_settings.minRatePeriod, &ClientProtocolInterpreter::CheckRate, this);
}

void
ClientProtocolInterpreter::ScheduleLook(Time later)
{
    if (m_settings.data.stallTimeout.IsStrictlyPositive())
    {
        m_look = Simulator::Schedule(later, &ClientProtocolInterpreter::Look, this);
    }
}

bool
ClientProtocolInterpreter::IsWaiting() const
{
    const bool isReceiving =
        m_transferring && m_settings.direction == Direction::DOWNLOAD && m_pipeline.IsReceiving();
    return !isReceiving && std::ranges::any_of(m_dialogues, &Dialogue::waiting);
}

void
ClientProtocolInterpreter::Look()
{
    const Time limit = m_settings.data.stallTimeout;
    const Time due = m_ownFailure.empty() ? m_lastWord + limit : m_ownDue;
    const Time left = due - Simulator::Now();
    if (!IsWaiting() || left.IsStrictlyPositive())
    {
        return ScheduleLook(left.IsStrictlyPositive() ? left : limit);
    }
    if (m_givesUp)
    {
        return Fail(m_reason);
    }
    GiveUp(MakeStallReason());
    if (m_givesUp && IsOwed())
    {
        ScheduleLook(limit);
    }
}

std::string
ClientProtocolInterpreter::MakeStallReason() const
{
    const int64_t limitNs = m_settings.data.stallTimeout.GetNanoSeconds();
    if (!m_ownFailure.empty())
    {
        return m_ownFailure;
    }
    for (const Peer peer : ListPeers(m_settings.direction))
    {
        const Dialogue& dialogue = Of(peer);
        if (dialogue.waiting)
        {
            return NameControlFailure(
                m_settings.direction,
                peer,
                dialogue.greeted ? MakeNoReplyReason(dialogue.said.GetFirst().verb, limitNs)
                                 : MakeNoGreetingReason(limitNs));
        }
    }
    return MakeNoReplyReason(Verb::NOOP, limitNs);
}

} // namespace ns3::gridftp
