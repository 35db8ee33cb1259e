/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"

#include "gridftp-control-script.h"
#include "gridftp-host-processor.h"
#include "gridftp-stall-text.h"
#include "gridftp-tcp-variant.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClientProtocolInterpreter");

NS_OBJECT_ENSURE_REGISTERED(ClientProtocolInterpreter);

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

TypeId
ClientProtocolInterpreter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::ClientProtocolInterpreter")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<ClientProtocolInterpreter>();
    return tid;
}

ClientProtocolInterpreter::ClientProtocolInterpreter()
{
    for (auto& dialogue : m_dialogues)
    {
        dialogue.control = CreateObject<ControlChannel>();
    }
}

void
ClientProtocolInterpreter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    for (auto& dialogue : m_dialogues)
    {
        dialogue.control->Dispose();
    }
    m_data.Dispose();
    m_ready = ReadyCallback();
    m_started = StartedCallback();
    m_failed = FailedCallback();
    m_settings.data.node = nullptr;
    Object::DoDispose();
}

void
ClientProtocolInterpreter::Start(const ClientSettings& settings,
                                 ReadyCallback ready,
                                 StartedCallback started,
                                 FailedCallback failed)
{
    NS_LOG_FUNCTION(this);
    m_settings = settings;
    m_pipeline = ChunkPipeline(settings.direction);
    m_floor = RateFloor(settings.minRateBps, settings.minRatePeriod.GetNanoSeconds());
    m_ready = ready;
    m_started = started;
    m_failed = failed;
    m_data.Configure(settings.data, settings.apart, *this);
    m_sizer.Configure(m_data.GetLocal()->GetReceiver(),
                      BufferSizer::TellCallback([this](const SizingMessage& message) {
                          SaySizing(Peer::SENDER, message);
                      }));
    m_script.AddLogin(settings.direction, MakeLoginOrder(settings.data.buffers, settings.security));
    ScheduleLook(settings.data.stallTimeout);
    Advance();
}

void
ClientProtocolInterpreter::Connect(Peer peer)
{
    Dialogue& dialogue = Of(peer);
    dialogue.responses = ResponseTimes(m_settings.rttSamples);
    dialogue.connected = true;
    dialogue.waiting = true; // the greeting
    m_lastWord = dialogue.lastSaid = Simulator::Now();
    if (!m_settings.keepalive.IsZero())
    {
        dialogue.alive = Simulator::Schedule(m_settings.keepalive,
                                             &ClientProtocolInterpreter::KeepAlive,
                                             this,
                                             peer);
    }
    auto socket = CreateTcpSocket(m_settings.data.node, m_settings.controlTcp);
    SetTcpWindow(socket, CONTROL_WINDOW);
    dialogue.control->Attach(
        socket,
        ControlChannel::LineCallback([this, peer](const TextResult<std::string>& line) {
            HandleLine(GetPeerNow(peer), line);
        }),
        ControlChannel::ClosedCallback(
            [this, peer](const std::string& reason) { HandleClosed(GetPeerNow(peer), reason); }));
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               Callback<void, Ptr<Socket>>([this, peer](Ptr<Socket> refused) {
                                   HandleRefused(peer, refused);
                               }));
    const bool isSecond = IsThirdParty() && peer == Peer::SENDER;
    const Address& server = isSecond ? m_settings.sender : m_settings.server;
    if (socket->Bind() != 0 || socket->Connect(server) != 0)
    {
        GiveUp("cannot open the control connection");
    }
}

void
ClientProtocolInterpreter::Quit()
{
    Simulator::Remove(m_rateLook);
    m_script.AddQuit(m_settings.direction);
    Advance();
}

const ChunkTimes&
ClientProtocolInterpreter::GetChunkTimes() const
{
    return m_times;
}

Ptr<LocalDataTransfer>
ClientProtocolInterpreter::GetDataTransfer() const
{
    return m_data.GetLocal();
}

BufferTally
ClientProtocolInterpreter::GetBufferTally() const
{
    BufferTally tally = m_data.GetLocal()->GetReceiver()->GetMachine().GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

bool
ClientProtocolInterpreter::IsStepOver() const
{
    const auto isAnswered = [](const auto& each) { return each.said.IsEmpty(); };
    return m_script.IsEmpty() && m_pipeline.IsEmpty() &&
           std::ranges::all_of(m_dialogues, isAnswered);
}

void
ClientProtocolInterpreter::Advance()
{
    if (IsStepOver())
    {
        m_ready();
        return;
    }
    while (!m_script.IsEmpty() && SayNext() && IsPipelining())
    {
    }
}

bool
ClientProtocolInterpreter::SayNext()
{
    const Peer peer = m_script.GetNext().peer;
    if (!Of(peer).connected)
    {
        if (GetAheadState().isQuiet) // else its turn comes with a reply
        {
            Connect(peer); // its greeting goes on
        }
        return false;
    }
    const CpuWork work = GetCpuWork(m_settings.security, m_script.GetNext().work);
    if (work.GetSum() > 0)
    {
        if (GetAheadState().isQuiet) // else its turn comes with a reply
        {
            m_computed = Simulator::Schedule(HostProcessor::Ask(m_settings.data.node, work),
                                             &ClientProtocolInterpreter::SayComputed,
                                             this);
        }
        return false;
    }
    const auto line =
        IsPipelining() ? m_script.TakeAhead(GetAheadState()) : std::optional(m_script.Take());
    if (line)
    {
        Say(*line);
    }
    return line.has_value();
}

void
ClientProtocolInterpreter::SayComputed()
{
    if (!m_script.IsEmpty()) // it has not given up meanwhile
    {
        Say(m_script.Take());
    }
}

AheadState
ClientProtocolInterpreter::GetAheadState() const
{
    AheadState state{.maySend = m_pipeline.MaySend()};
    for (const auto& dialogue : m_dialogues)
    {
        state.isQuiet = state.isQuiet && dialogue.said.IsEmpty();
        state.isBarred = state.isBarred || dialogue.said.IsBarred();
    }
    return state;
}

void
ClientProtocolInterpreter::Say(const ScriptLine& line)
{
    Dialogue& dialogue = Of(line.peer);
    m_lastWord = dialogue.lastSaid = Simulator::Now();
    dialogue.said.Say(line.command, m_lastWord.GetNanoSeconds());
    dialogue.waiting = true;
    const bool wasTransferring = m_transferring;
    if (IsTransferVerb(line.command.verb))
    {
        m_pipeline.HandleSaid(line.command.verb);
        BeginChunk();
        ExpectNext();
    }
    dialogue.control->Send(FormatCommand(line.command));
    const bool begins = m_transferring && !wasTransferring;
    if (begins && m_settings.direction == Direction::DOWNLOAD)
    {
        m_sizer.Begin();
    }
}

void
ClientProtocolInterpreter::HandleRefused(Peer peer, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    // ns-3 goes on with the socket after this call, which gives it up: something has to keep it.
    Simulator::ScheduleNow([socket] {});
    HandleClosed(peer, "the control connection was refused");
}

void
ClientProtocolInterpreter::HandleLine(Peer peer, const TextResult<std::string>& line)
{
    const std::string server(GetPeerName(m_settings.direction, peer));
    const Time before = std::exchange(m_lastWord, Simulator::Now());
    if (!line)
    {
        constexpr int LINE_TOO_LONG = 500;
        const bool isLong = line.GetError().code == LINE_TOO_LONG;
        return GiveUp("the " + server + " sent a line that is " +
                      (isLong ? "too long" : "not protected"));
    }
    const auto reply = Of(peer).replies.Feed(*line);
    if (!reply)
    {
        return;
    }
    if (!*reply)
    {
        return GiveUp("the " + server + " sent no reply but '" + *line + "'");
    }
    if (IsAlive(Of(peer), **reply))
    {
        --Of(peer).alivesOwed;
        m_lastWord = before; // it says nothing of what is under way
        return;
    }
    HandleReply(peer, **reply);
}

void
ClientProtocolInterpreter::HandleClosed(Peer peer, const std::string& reason)
{
    Dialogue& dialogue = Of(peer);
    dialogue.waiting = dialogue.connected = false;
    dialogue.owed = 0;
    dialogue.said.Clear();
    dialogue.control->Close();
    GiveUp(NameControlFailure(m_settings.direction, peer, reason));
}

void
ClientProtocolInterpreter::HandleReply(Peer peer, const Reply& reply)
{
    NS_LOG_FUNCTION(this << reply.code);
    Dialogue& dialogue = Of(peer);
    if (HandleSizing(peer, reply))
    {
        return;
    }
    if (!dialogue.waiting)
    {
        return; // nothing was asked; a server may still say goodbye
    }
    constexpr int FIRST_FINAL = 200;
    constexpr int FIRST_REFUSAL = 400;
    if (reply.code < FIRST_FINAL)
    {
        return HandlePreliminary(peer, reply);
    }
    if (m_givesUp)
    {
        return HandleReplyWhileGivingUp(peer, reply);
    }
    const bool isGreeting = dialogue.said.IsEmpty();
    const SaidCommand said = isGreeting ? SaidCommand() : dialogue.said.TakeAnswered();
    if (reply.code >= FIRST_REFUSAL)
    {
        if (!m_ownFailure.empty() && reply.lines.front() == MakeResetReason())
        {
            return GiveUp(m_ownFailure); // it has heard of that from here
        }
        return GiveUp("the " + std::string(GetPeerName(m_settings.direction, peer)) + " answered " +
                      std::to_string(reply.code) + " " + reply.lines.front());
    }
    dialogue.waiting = !dialogue.said.IsEmpty();
    dialogue.greeted = true;
    isGreeting ? Advance() : HandleFinal(peer, said, reply);
}

void
ClientProtocolInterpreter::HandlePreliminary(Peer peer, const Reply& reply)
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
    const bool begins = m_transferring && reply.code == BEGINNING && peer == Peer::RECEIVER;
    if (!begins || m_givesUp)
    {
        return;
    }
    const PipelinedChunk* chunk = m_pipeline.HandleOpened();
    if (!chunk)
    {
        return;
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_data.Send(MakeSendOrder(*chunk));
    }
    else
    {
        Advance(); // to ERET
    }
}

void
ClientProtocolInterpreter::HandleFinal(Peer peer, const SaidCommand& said, const Reply& reply)
{
    constexpr int AUTHENTICATED = 235;
    Dialogue& dialogue = Of(peer);
    const Verb verb = said.command.verb;
    if (IsTransferVerb(verb))
    {
        if (peer == Peer::SENDER && !TakePairTimes(reply))
        {
            return;
        }
        m_pipeline.HandleConfirmed(peer, Simulator::Now().GetNanoSeconds());
        return FinishChunks();
    }
    if (reply.code == AUTHENTICATED && verb == Verb::ADAT)
    {
        dialogue.control->Protect(ArmourSide::CLIENT);
    }
    if (said.isSample)
    {
        dialogue.responses.Add(Simulator::Now().GetNanoSeconds() - said.saidNs);
    }
    if ((verb == Verb::PASV || verb == Verb::SPAS) && !HandlePassive(verb, reply))
    {
        return;
    }
    if (verb == Verb::QUIT)
    {
        dialogue.control->Close();
        if (m_script.IsEmpty())
        {
            Simulator::Remove(m_look);
            m_data.End();
        }
    }
    Advance();
}

bool
ClientProtocolInterpreter::HandlePassive(Verb verb, const Reply& reply)
{
    const auto listeners = ParseListeners(verb, reply);
    if (!listeners)
    {
        GiveUp("the reply to " + std::string(VerbName(verb)) + " names no address");
        return false;
    }
    m_script.SetListeners(*listeners);
    m_data.SetPeers(*listeners);
    return true;
}

} // namespace ns3::gridftp
