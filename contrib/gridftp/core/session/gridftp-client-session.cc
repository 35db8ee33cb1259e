/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-session.h"

#include "gridftp-control-script.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** @param verb PASV or SPAS @param reply to it @return where the server listens, or why it says
 * nothing of it */
TextResult<std::vector<HostPort>>
ParseListeners(Verb verb, const Reply& reply)
{
    if (verb == Verb::SPAS)
    {
        return ParseStripedPassiveReply(reply);
    }
    const auto listener = ParsePassiveReply(reply);
    if (!listener)
    {
        return listener.GetError();
    }
    return std::vector<HostPort>{*listener};
}

} // namespace

ClientSession::ClientSession(const ChannelHosts& hosts, Owner& owner)
    : m_hosts(hosts),
      m_owner(&owner),
      m_data(hosts)
{
    for (size_t i = 0; i < PEERS; ++i)
    {
        const auto peer = static_cast<Peer>(i);
        m_dialogues[i].control = ControlChannel::Make(
            {.line =
                 [this, peer](Nanoseconds now, const TextResult<std::string>& line) {
                     HandleLine(now, GetPresentRole(peer), line);
                 },
             .closed =
                 [this, peer](Nanoseconds now, StreamLoss loss) {
                     HandleClosed(now, GetPresentRole(peer), MakeLossReason(loss));
                 }});
        m_dialogues[i].keepalive.Bind(hosts.control,
                                      [this, peer](Nanoseconds now) { KeepAlive(now, peer); });
    }
    m_replyCheck.Bind(hosts.control, [this](Nanoseconds now) { CheckReplies(now); });
    m_rateCheck.Bind(hosts.control, [this](Nanoseconds now) { CheckRate(now); });
    m_computed.Bind(hosts.control, [this](Nanoseconds now) { SendComputed(now); });
    m_ownChecksum.Bind(hosts.control, [this](Nanoseconds now, const TextResult<uint32_t>& value) {
        HandleOwnChecksum(now, value);
    });
}

ClientSession::~ClientSession() = default;

void
ClientSession::Dispose(Nanoseconds now)
{
    Abort(now);
    m_data.Dispose(now);
    m_owner = nullptr;
}

void
ClientSession::Start(Nanoseconds now, const ClientSettings& settings)
{
    m_settings = settings;
    m_pipeline = ChunkPipeline(settings.direction);
    m_floor = RateFloor(settings.minRateBps, settings.minRatePeriod);
    m_data.Configure(settings.data, settings.remote, *this);
    m_sizer.Configure(m_hosts.control,
                      m_data.GetLocal().GetReceiver(),
                      [this](Nanoseconds at, const SizingMessage& message) {
                          SendSizing(at, Peer::SENDER, message);
                      });
    LoginOrder login = MakeLoginOrder(settings.data.buffers, settings.security);
    login.path = IsThirdParty() ? settings.senderPath : settings.path;
    m_script.AddLogin(settings.direction, login);
    ScheduleCheck(now, settings.data.stallTimeout);
    Advance(now);
}

void
ClientSession::Connect(Nanoseconds now, Peer peer)
{
    Dialogue& dialogue = Of(peer);
    dialogue.responses = ResponseTimes(m_settings.rttSamples);
    dialogue.isConnected = true;
    dialogue.isWaiting = true; // for the greeting
    m_lastLine = dialogue.lastSent = now;
    if (m_settings.keepalive > 0)
    {
        dialogue.keepalive.Set(now, now + m_settings.keepalive);
    }
    const bool isSecond = IsThirdParty() && peer == Peer::SENDER;
    dialogue.control->Connect(now,
                              m_hosts.control,
                              isSecond ? m_settings.sender : m_settings.server,
                              m_settings.controlTcp);
}

void
ClientSession::Quit(Nanoseconds now)
{
    m_rateCheck.Cancel();
    if (m_settings.checksSize && m_settings.direction != Direction::DOWNLOAD)
    {
        m_fileBytes.reset();
        m_script.AddSize(Peer::RECEIVER, m_settings.path);
    }
    m_script.AddQuit(m_settings.direction);
    Advance(now);
}

BufferTally
ClientSession::GetBufferTally() const
{
    BufferTally tally = m_data.GetLocal().GetReceiver().GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

bool
ClientSession::IsStepOver() const
{
    const auto isAnswered = [](const auto& each) { return each.sent.IsEmpty(); };
    return m_script.IsEmpty() && m_pipeline.IsEmpty() && !m_ownChecksum.IsRunning() &&
           std::ranges::all_of(m_dialogues, isAnswered);
}

void
ClientSession::Advance(Nanoseconds now)
{
    if (IsStepOver())
    {
        m_owner->HandleReady(now);
        return;
    }
    while (!m_script.IsEmpty() && SendNext(now) && MaySendMore())
    {
    }
}

bool
ClientSession::MaySendMore() const
{
    // Both servers of a third-party transfer compute their checksums at the same time
    return IsPipelining() || (!m_script.IsEmpty() && m_script.GetNext().command.verb == Verb::CKSM);
}

bool
ClientSession::SendNext(Nanoseconds now)
{
    const Peer peer = m_script.GetNext().peer;
    if (!Of(peer).isConnected)
    {
        if (GetAheadState().isQuiet) // else a reply continues here
        {
            Connect(now, peer); // the greeting continues here
        }
        return false;
    }
    const CpuWork work = GetCpuWork(m_settings.security, m_script.GetNext().work);
    if (work.GetSum() > 0)
    {
        if (GetAheadState().isQuiet) // else a reply continues here
        {
            m_computed.Set(now, m_hosts.control.AskCpu(now, work));
        }
        return false;
    }
    const auto line =
        IsPipelining() ? m_script.TakeAhead(GetAheadState()) : std::optional(m_script.Take());
    if (line)
    {
        Send(now, *line);
    }
    return line.has_value();
}

void
ClientSession::SendComputed(Nanoseconds now)
{
    if (!m_script.IsEmpty()) // it has not given up in the meantime
    {
        Send(now, m_script.Take());
    }
}

AheadState
ClientSession::GetAheadState() const
{
    AheadState state{.maySend = m_pipeline.MaySend()};
    for (const auto& dialogue : m_dialogues)
    {
        state.isQuiet = state.isQuiet && dialogue.sent.IsEmpty();
        state.isBarred = state.isBarred || dialogue.sent.IsBarred();
    }
    return state;
}

void
ClientSession::Send(Nanoseconds now, const ScriptLine& line)
{
    Dialogue& dialogue = Of(line.peer);
    m_lastLine = dialogue.lastSent = now;
    dialogue.sent.Say(line.command, now);
    dialogue.isWaiting = true;
    const bool wasTransferring = m_isTransferring;
    if (IsTransferVerb(line.command.verb))
    {
        m_pipeline.HandleSaid(line.command.verb);
        BeginChunk(now);
        ExpectNext(now);
    }
    dialogue.control->Send(now, FormatCommand(line.command));
    const bool begins = m_isTransferring && !wasTransferring;
    if (begins && m_settings.opensEarly)
    {
        OpenChunk(now);
    }
    if (begins && m_settings.direction == Direction::DOWNLOAD)
    {
        m_sizer.Begin(now);
    }
}

void
ClientSession::HandleLine(Nanoseconds now, Peer peer, const TextResult<std::string>& line)
{
    const std::string server(GetPeerName(m_settings.direction, peer));
    const Nanoseconds before = std::exchange(m_lastLine, now);
    if (!line)
    {
        constexpr int LINE_TOO_LONG = 500;
        const bool isLong = line.GetError().code == LINE_TOO_LONG;
        return GiveUp(now,
                      "the " + server + " sent a line that is " +
                          (isLong ? "too long" : "not protected"));
    }
    const auto reply = Of(peer).replies.Feed(*line);
    if (!reply)
    {
        return;
    }
    if (!*reply)
    {
        return GiveUp(now, "the " + server + " sent no reply but '" + *line + "'");
    }
    if (IsKeepaliveReply(Of(peer), **reply))
    {
        --Of(peer).keepalivesDue;
        m_lastLine = before; // it says nothing of what is under way
        return;
    }
    HandleReply(now, peer, **reply);
}

void
ClientSession::HandleClosed(Nanoseconds now, Peer peer, const std::string& reason)
{
    Dialogue& dialogue = Of(peer);
    dialogue.isWaiting = dialogue.isConnected = false;
    dialogue.repliesDue = 0;
    dialogue.sent.Clear();
    dialogue.control->Close(now);
    GiveUp(now, NameControlFailure(m_settings.direction, peer, reason));
}

void
ClientSession::HandleReply(Nanoseconds now, Peer peer, const Reply& reply)
{
    Dialogue& dialogue = Of(peer);
    if (HandleSizing(now, peer, reply))
    {
        return;
    }
    if (!dialogue.isWaiting)
    {
        return; // no reply is due; a server may still send 421
    }
    constexpr int FIRST_FINAL = 200;
    constexpr int FIRST_REFUSAL = 400;
    if (reply.code < FIRST_FINAL)
    {
        return HandlePreliminary(now, peer, reply);
    }
    if (m_hasGivenUp)
    {
        return HandleReplyAfterFailure(now, peer);
    }
    const bool isGreeting = dialogue.sent.IsEmpty();
    const SaidCommand sent = isGreeting ? SaidCommand() : dialogue.sent.TakeAnswered();
    if (reply.code >= FIRST_REFUSAL)
    {
        if (!m_ownFailure.empty() && reply.lines.front() == MakeResetReason())
        {
            return GiveUp(now, m_ownFailure); // it learned that from this client
        }
        return GiveUp(now,
                      "the " + std::string(GetPeerName(m_settings.direction, peer)) + " answered " +
                          std::to_string(reply.code) + " " + reply.lines.front());
    }
    dialogue.isWaiting = !dialogue.sent.IsEmpty();
    dialogue.isGreeted = true;
    isGreeting ? Advance(now) : HandleFinal(now, peer, sent, reply);
}

void
ClientSession::HandlePreliminary(Nanoseconds now, Peer peer, const Reply& reply)
{
    constexpr int BEGINNING = 150;
    constexpr int RANGES = 111;
    constexpr int PERFORMANCE = 112;
    if (reply.code == PERFORMANCE && peer == Peer::RECEIVER)
    {
        if (const auto marker = ParsePerfMarkerReply(reply))
        {
            m_floor.HandleMarker(static_cast<uint32_t>(marker->stripeIndex), marker->stripeBytes);
        }
    }
    if (reply.code == RANGES && peer == Peer::RECEIVER)
    {
        HandleRangeMarker(reply);
    }
    const bool begins = m_isTransferring && reply.code == BEGINNING && peer == Peer::RECEIVER;
    if (begins && !m_hasGivenUp && !m_settings.opensEarly)
    {
        OpenChunk(now);
    }
}

void
ClientSession::HandleFinal(Nanoseconds now, Peer peer, const SaidCommand& sent, const Reply& reply)
{
    constexpr int AUTHENTICATED = 235;
    Dialogue& dialogue = Of(peer);
    const Verb verb = sent.command.verb;
    if (IsTransferVerb(verb))
    {
        if (peer == Peer::SENDER && !TakePairTimes(now, reply))
        {
            return;
        }
        m_pipeline.HandleConfirmed(peer, now);
        return FinishChunks(now);
    }
    if (reply.code == AUTHENTICATED && verb == Verb::ADAT)
    {
        dialogue.control->Protect(ArmourSide::CLIENT);
    }
    if (sent.isSample)
    {
        dialogue.responses.Add(now - sent.saidNs);
        dialogue.chunkResponses.push_back(now - sent.saidNs);
    }
    if ((verb == Verb::PASV || verb == Verb::SPAS) && !HandlePassive(now, verb, reply))
    {
        return;
    }
    if (verb == Verb::SIZE)
    {
        const auto size = ParseNumber(reply.lines.front());
        m_fileBytes = size ? std::optional(*size) : std::nullopt;
    }
    if (verb == Verb::CKSM && !HandleChecksumReply(now, peer, reply))
    {
        return;
    }
    if (verb == Verb::QUIT)
    {
        dialogue.control->Close(now);
        if (m_script.IsEmpty())
        {
            m_replyCheck.Cancel();
            m_data.End(now);
        }
    }
    Advance(now);
}

bool
ClientSession::HandlePassive(Nanoseconds now, Verb verb, const Reply& reply)
{
    const auto listeners = ParseListeners(verb, reply);
    if (!listeners)
    {
        GiveUp(now, "the reply to " + std::string(VerbName(verb)) + " names no address");
        return false;
    }
    m_script.SetListeners(*listeners);
    m_data.SetPeers(now, *listeners);
    return true;
}

} // namespace ns3::gridftp
