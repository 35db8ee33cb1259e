/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-session.h"
#include "gridftp-stripe-text.h"

#include <utility>

/**
 * @file
 * @ingroup gridftp
 * A session: its servers, and what it has DTPs do.
 */

namespace ns3::gridftp
{

namespace
{

/** What ends a transfer well. */
Reply
MakeCompleteReply()
{
    return {226, {"Transfer Complete."}};
}

} // namespace

void
SegmentSession::HandleCommand(SegmentServer& server, Nanoseconds now, bool isAbort)
{
    if (isAbort)
    {
        return ExecuteAbort(server, now);
    }
    Execute(server, now);
}

void
SegmentSession::Execute(SegmentServer& server, Nanoseconds now)
{
    SegmentDtpGroup& dtps = GetEnd(server);
    switch (server.GetAsked().verb)
    {
    case Verb::AUTH:
    case Verb::ADAT:
        return Authenticate(server, now);
    case Verb::USER:
        server.SetUserName(server.GetAsked().argument);
        break;
    case Verb::PASV:
    case Verb::SPAS:
        server.SetDropped(false);
        CloseIdle(FindTry(server), Peer::SENDER, now);
        return dtps.Listen(now, static_cast<uint32_t>(m_spec->buffers.window));
    case Verb::PORT:
        server.SetDropped(false);
        CloseIdle(FindTry(server), Peer::RECEIVER, now);
        dtps.Finish(now, true);
        break;
    case Verb::ESTO:
        if (server.IsDropped())
        {
            return server.Say(now, {425, {"Use PASV first."}});
        }
        server.SetBusy(true);
        FindTry(server).reports = 0;
        dtps.Receive(now, server.GetChunk(), m_left);
        return BeginSizing(now);
    case Verb::ERET:
        if (server.IsDropped())
        {
            return server.Say(now, {425, {"Use PORT first."}});
        }
        server.SetBusy(true);
        return StartSending(now, server.GetChunk());
    case Verb::QUIT:
        server.Say(now, MakeAnswer(server));
        server.HandleGoodbye(now);
        return dtps.End(now);
    default:
        break;
    }
    server.Say(now, MakeAnswer(server));
}

void
SegmentSession::StartSending(Nanoseconds now, const Block& chunk)
{
    GetData()
        .GetEnd(Peer::SENDER)
        .Send(now,
              {.offset = chunk.offset,
               .length = chunk.length,
               .senders = static_cast<uint32_t>(m_spec->stripes.senders),
               .layout = m_spec->stripeLayout,
               .blockBytes = static_cast<uint64_t>(m_spec->stripeBlock),
               .parallelism = m_parallelism,
               .window = static_cast<uint32_t>(m_spec->buffers.window),
               .receivers = GetData().GetEnd(Peer::RECEIVER).GetAddresses(),
               .held = m_left,
               .pairs = m_pairTuning.GetParallelism()});
}

Reply
SegmentSession::MakeAnswer(const SegmentServer& server) const
{
    switch (server.GetAsked().verb)
    {
    case Verb::PASS:
        return MakeLoginReply(server.GetUserName());
    case Verb::SIZE:
        return MakeSizeReply(m_files.GetMostBytes());
    case Verb::PASV:
        return MakePassiveReply(GetData().GetEnd(Peer::RECEIVER).GetAddresses().front());
    case Verb::SPAS:
        return MakeStripedPassiveReply(GetData().GetEnd(Peer::RECEIVER).GetAddresses());
    default:
        return MakeReply(server.GetAsked());
    }
}

void
SegmentSession::ExecuteAbort(SegmentServer& server, Nanoseconds now)
{
    const bool wasBusy = server.IsBusy();
    DropTransfer(server, now);
    if (wasBusy)
    {
        server.Say(now, MakeAbortedReply());
    }
    server.Say(now, MakeReply({Verb::ABOR, ""}));
    server.ExecuteWaiting(now);
}

void
SegmentSession::FailTransfer(SegmentServer& server,
                             Nanoseconds now,
                             int code,
                             const std::string& reason)
{
    const bool isAwaited = server.IsBusy() || (server.IsAsked() && !server.IsDelayed());
    DropTransfer(server, now);
    if (isAwaited)
    {
        server.SetRefusal(reason);
        server.Say(now, {code, {reason}});
    }
    server.ExecuteWaiting(now);
}

void
SegmentSession::DropTransfer(SegmentServer& server, Nanoseconds now)
{
    server.SetBusy(false);
    server.SetDropped(true);
    if (server.GetPeer() == Peer::RECEIVER)
    {
        EndSizing();
    }
    GetEnd(server).Abort(now);
    ResetIdle(FindTry(server), true, now);
}

void
SegmentSession::HandleListening(SegmentDtpGroup& group, Nanoseconds now)
{
    if (group.IsOfServer())
    {
        SegmentServer& server = GetServer(group);
        return server.Say(now, MakeAnswer(server));
    }
    if (IsOver() || m_isPaused)
    {
        return;
    }
    ScriptChunk(true);
    if (!m_isScripting)
    {
        Advance(now);
    }
}

void
SegmentSession::HandleReady(SegmentDtpGroup& group, Nanoseconds now)
{
    if (group.IsOfServer())
    {
        SegmentServer& server = GetServer(group);
        server.Say(now, MakeAnswer(server));
    }
}

void
SegmentSession::HandleBytes(SegmentDtpGroup& group,
                            Nanoseconds now,
                            uint32_t stripe,
                            uint64_t bytes)
{
    if (group.IsOfServer() && GetServer(group).IsBusy())
    {
        const auto count = static_cast<uint32_t>(m_spec->stripes.receivers);
        const auto decisecond = static_cast<uint64_t>(GetShownNs(now) / DECISECOND_NS);
        const Reply marker = MakePerfMarkerReply({decisecond, stripe, bytes, count});
        GetServer(group).AddProgress(stripe, bytes);
        if (m_spec->retries > 0)
        {
            return SayRanges(group, now, FormatReply(marker));
        }
        GetServer(group).Say(now, marker);
    }
}

void
SegmentSession::HandleDone(SegmentDtpGroup& group, Nanoseconds now)
{
    if (!group.IsOfServer())
    {
        if (!m_pipeline.AwaitsOwnEnd())
        {
            return; // an upload is over with reply 226
        }
        m_heardNs = now;
        return IsOver() ? void() : HandleReceived(now);
    }
    SegmentServer& server = GetServer(group);
    if (group.GetPeer() == Peer::RECEIVER)
    {
        return HandleStored(group, now);
    }
    group.Finish(now, false);
    server.SetBusy(false);
    const std::vector<int64_t> elapsedNs = group.GetElapsedNs();
    if (server.LosesReplies(now))
    {
        server.HandleLostReply();
    }
    else
    {
        server.Say(now, elapsedNs.empty() ? MakeCompleteReply() : MakePairTimesReply(elapsedNs));
    }
    if (server.IsHolding())
    {
        // Not within the ACK that has told of it: what it sends next leaves after all of that
        const bool isSecond = IsThirdParty();
        const FlowPath& path = isSecond ? m_context.senderPath : m_context.path;
        path.clocks[SegmentControlChannel::SERVER]->Schedule(
            now,
            *this,
            HELD + TIMERS * static_cast<uint32_t>(Peer::SENDER));
    }
}

void
SegmentSession::HandleReceived(Nanoseconds now)
{
    m_pipeline.HandleReceived(m_dataTcp.kernel && IsDownload() ? int64_t{now} : -1);
    m_windowBytes = GetWindow();
    ExpectNext(now);
    if (m_pipeline.IsFirstComplete())
    {
        FinishChunks(now);
    }
}

void
SegmentSession::HandleStored(SegmentDtpGroup& group, Nanoseconds now)
{
    EndSizing();
    const auto decisecond = static_cast<uint64_t>(GetShownNs(now) / DECISECOND_NS);
    const auto count = static_cast<uint32_t>(group.GetBytes().size());
    std::string text;
    uint64_t chunk = CountBytes(m_left);
    for (uint32_t i = 0; i < count; ++i)
    {
        text += FormatReply(MakePerfMarkerReply({decisecond, i, group.GetBytes()[i], count}));
        chunk += group.GetBytes()[i];
        GetServer(group).AddProgress(i, group.GetBytes()[i]);
    }
    SegmentServer& server = GetServer(group);
    const uint64_t offset = server.GetChunk().offset;
    text += FormatReply(MakeRangeMarkerReply({{offset, offset + chunk}}));
    server.SetBusy(false);
    // Written one after the other, they leave together
    const Reply complete = MakeCompleteReply();
    if (!server.LosesReplies(now))
    {
        server.Say(now, static_cast<uint32_t>(complete.code), text + FormatReply(complete));
    }
    else
    {
        server.SayMarker(now, text, {{offset, offset + chunk}});
        server.HandleLostReply();
    }
    group.Finish(now, false);
    server.ExecuteWaiting(now);
}

void
SegmentSession::HandleDtpFailed(SegmentDtpGroup& group,
                                Nanoseconds now,
                                int code,
                                const std::string& reason)
{
    if (group.IsOfServer())
    {
        return FailTransfer(GetServer(group), now, code, reason);
    }
    FailOwnEnd(now, code, reason + " (" + std::to_string(code) + ")");
}

} // namespace ns3::gridftp
