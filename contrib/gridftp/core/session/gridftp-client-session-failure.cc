/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-session.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * What a client does when it cannot go on: it ends what is under way at its servers.
 */

namespace ns3::gridftp
{

bool
ClientSession::IsReplyDue() const
{
    return std::ranges::any_of(m_dialogues, [](const auto& each) { return each.repliesDue > 0; });
}

void
ClientSession::GiveUp(Nanoseconds now, const std::string& reason)
{
    if (!std::exchange(m_hasGivenUp, true))
    {
        m_reason = reason;
        m_script.Clear();
        if (m_settings.direction != Direction::THIRD_PARTY || m_settings.resets)
        {
            return Fail(now, m_reason);
        }
        for (auto& dialogue : m_dialogues)
        {
            AbortTransfer(now, dialogue);
        }
    }
    if (!IsReplyDue())
    {
        Fail(now, m_reason);
    }
}

void
ClientSession::AbortTransfer(Nanoseconds now, Dialogue& dialogue)
{
    if (dialogue.sent.HasTransfer())
    {
        dialogue.repliesDue = dialogue.sent.GetSize() + 1; // each of them is answered, and ABOR
        m_lastLine = dialogue.lastSent = now;
        dialogue.control->Send(now, FormatCommand({Verb::ABOR, ""}));
        return;
    }
    dialogue.isWaiting = dialogue.isConnected = false;
    dialogue.control->Close(now);
}

void
ClientSession::HandleReplyAfterFailure(Nanoseconds now, Peer peer)
{
    Dialogue& dialogue = Of(peer);
    if (dialogue.repliesDue > 0 && --dialogue.repliesDue == 0)
    {
        dialogue.isWaiting = false;
        dialogue.control->Close(now);
        GiveUp(now, m_reason);
    }
}

void
ClientSession::HandleTransferFailed(Nanoseconds now, const TransferFailure& failure)
{
    constexpr int ABORTED = 426;
    const std::string reason = failure.reason + " (" + std::to_string(failure.code) + ")";
    if (failure.code == ABORTED && m_settings.direction == Direction::UPLOAD && !m_hasGivenUp &&
        m_settings.data.stallTimeout > 0 && m_ownFailure.empty() &&
        Of(Peer::RECEIVER).sent.HasTransfer())
    {
        m_ownFailure = reason; // the server, which reset the connection, reports why
        m_ownDue = now + LAST_WORD_NS;
        m_replyCheck.Cancel();
        ScheduleCheck(now, LAST_WORD_NS);
        return m_data.Reset(now);
    }
    Fail(now, reason);
}

void
ClientSession::Fail(Nanoseconds now, const std::string& reason)
{
    if (m_isTransferring && m_settings.direction == Direction::DOWNLOAD)
    {
        m_held = m_data.FindRanges(now);
    }
    if (m_settings.resets)
    {
        for (auto& dialogue : m_dialogues)
        {
            dialogue.control->Reset(now);
        }
        m_data.Kill(now);
    }
    m_data.Reset(now);
    Abort(now);
    if (Owner* const owner = std::exchange(m_owner, nullptr))
    {
        owner->HandleFailed(now, reason);
    }
}

void
ClientSession::Abort(Nanoseconds now)
{
    m_hasGivenUp = true;
    m_script.Clear();
    m_isTransferring = false;
    m_replyCheck.Cancel();
    m_rateCheck.Cancel();
    m_computed.Cancel();
    m_ownChecksum.Cancel();
    m_sizer.End();
    m_data.Abort(now);
    for (auto& dialogue : m_dialogues)
    {
        dialogue.isWaiting = dialogue.isConnected = false;
        dialogue.repliesDue = 0;
        dialogue.sent.Clear();
        dialogue.keepalive.Cancel();
        dialogue.control->Close(now);
    }
}

void
ClientSession::HandleRangeMarker(const Reply& reply)
{
    const auto ranges = ParseRangeMarkerReply(reply);
    if (ranges && m_isTransferring && m_settings.resets)
    {
        const FileChunk& part = m_pipeline.GetFirst().part;
        m_held = ClipRanges(MergeRanges(*ranges), {part.offset, part.GetEnd()});
    }
}

bool
ClientSession::IsKeepaliveReply(const Dialogue& dialogue, const Reply& reply)
{
    // A command without a reply was sent after the NOOP, or is a transfer, which 200 does not
    // answer
    constexpr int OKAY = 200;
    return dialogue.keepalivesDue > 0 && reply.code == OKAY;
}

void
ClientSession::KeepAlive(Nanoseconds now, Peer peer)
{
    Dialogue& dialogue = Of(peer);
    if (!dialogue.isConnected || m_hasGivenUp)
    {
        return;
    }
    const bool isDue = now - dialogue.lastSent >= m_settings.keepalive;
    const bool waits = !dialogue.sent.IsEmpty() && !IsTransferVerb(dialogue.sent.GetFirst().verb);
    const Nanoseconds next =
        isDue ? m_settings.keepalive : dialogue.lastSent + m_settings.keepalive - now;
    if (isDue && dialogue.isGreeted && !waits)
    {
        ++dialogue.keepalivesDue;
        dialogue.lastSent = now;
        dialogue.control->Send(now, FormatCommand({Verb::NOOP, ""}));
    }
    dialogue.keepalive.Set(now, now + next);
}

uint64_t
ClientSession::GetMoved(Nanoseconds now) const
{
    return m_settings.direction == Direction::DOWNLOAD
               ? m_data.GetLocal().GetReceiver().GetAllStoredBytes(now)
               : m_floor.GetMarked();
}

void
ClientSession::CheckRate(Nanoseconds now)
{
    if (m_hasGivenUp)
    {
        return;
    }
    if (m_floor.IsTooSlow(GetMoved(now)))
    {
        return GiveUp(now, MakeSlowReason(m_settings.minRateBps, m_floor.GetPeriodNs()));
    }
    m_rateCheck.Set(now, now + m_settings.minRatePeriod);
}

void
ClientSession::ScheduleCheck(Nanoseconds now, Nanoseconds later)
{
    if (m_settings.data.stallTimeout > 0)
    {
        m_replyCheck.Set(now, now + later);
    }
}

bool
ClientSession::IsWaiting() const
{
    const bool isReceiving =
        m_isTransferring && m_settings.direction == Direction::DOWNLOAD && m_pipeline.IsReceiving();
    return !isReceiving && std::ranges::any_of(m_dialogues, &Dialogue::isWaiting);
}

void
ClientSession::CheckReplies(Nanoseconds now)
{
    const Nanoseconds limit = GetReplyLimit();
    const Nanoseconds due = m_ownFailure.empty() ? m_lastLine + limit : m_ownDue;
    const Nanoseconds left = due - now;
    if (!IsWaiting() || left > 0)
    {
        return ScheduleCheck(now, left > 0 ? left : limit);
    }
    if (m_hasGivenUp)
    {
        return Fail(now, m_reason);
    }
    GiveUp(now, MakeStallReason());
    if (m_hasGivenUp && IsReplyDue())
    {
        ScheduleCheck(now, limit);
    }
}

Nanoseconds
ClientSession::GetReplyLimit() const
{
    const auto awaitsChecksum = [](const Dialogue& dialogue) {
        return !dialogue.sent.IsEmpty() && dialogue.sent.GetFirst().verb == Verb::CKSM;
    };
    const Nanoseconds limit = m_settings.data.stallTimeout;
    return std::ranges::any_of(m_dialogues, awaitsChecksum) ? limit + m_checksumPatience : limit;
}

std::string
ClientSession::MakeStallReason() const
{
    const int64_t limitNs = GetReplyLimit();
    if (!m_ownFailure.empty())
    {
        return m_ownFailure;
    }
    for (const Peer peer : ListPeers(m_settings.direction))
    {
        const Dialogue& dialogue = Of(peer);
        if (dialogue.isWaiting)
        {
            return NameControlFailure(
                m_settings.direction,
                peer,
                dialogue.isGreeted ? MakeNoReplyReason(dialogue.sent.GetFirst().verb, limitNs)
                                   : MakeNoGreetingReason(limitNs));
        }
    }
    return MakeNoReplyReason(Verb::NOOP, limitNs);
}

} // namespace ns3::gridftp
