/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"

#include "gridftp-control-script.h"
#include "gridftp-host-processor.h"
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
    m_lastWord = Simulator::Now();
    auto socket = CreateTcpSocket(m_settings.data.node, m_settings.controlTcp);
    SetTcpWindow(socket, CONTROL_WINDOW);
    dialogue.control->Attach(
        socket,
        ControlChannel::LineCallback(
            [this, peer](const TextResult<std::string>& line) { HandleLine(peer, line); }),
        ControlChannel::ClosedCallback(
            [this, peer](const std::string& reason) { HandleClosed(peer, reason); }));
    socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                               Callback<void, Ptr<Socket>>([this, peer](Ptr<Socket> refused) {
                                   HandleRefused(peer, refused);
                               }));
    const bool isSecond = m_settings.direction == Direction::THIRD_PARTY && peer == Peer::SENDER;
    const Address& server = isSecond ? m_settings.sender : m_settings.server;
    if (socket->Bind() != 0 || socket->Connect(server) != 0)
    {
        GiveUp("cannot open the control connection");
    }
}

void
ClientProtocolInterpreter::Transfer(uint64_t chunk,
                                    uint64_t offset,
                                    uint64_t bytes,
                                    uint32_t parallelism,
                                    const MarkerRanges& held,
                                    const std::vector<uint32_t>& pairs)
{
    NS_LOG_FUNCTION(this << chunk << offset << bytes << parallelism);
    m_chunk = {
        .direction = m_settings.direction,
        .offset = offset,
        .bytes = bytes,
        .parallelism = parallelism,
        .newAddress = !m_hasAddress || m_settings.channels == DataChannels::FRESH,
        .isStriped = m_settings.isStriped,
        .stripe = {m_settings.stripeLayout,
                   m_settings.stripeLayout == StripeLayout::BLOCKED ? m_settings.stripeBlock : 0},
        .listeners = {},
        .held = held,
        .retrieve = GetModuleOf(m_settings.data.buffers.processing, false),
        .store = GetModuleOf(m_settings.data.buffers.processing, true),
        .pairs = pairs};
    m_held = held;
    m_order = {.chunk = chunk,
               .offset = offset,
               .bytes = bytes,
               .parallelism = parallelism,
               .layout = m_settings.layout,
               .blockBytes = m_settings.blockBytes,
               .stripeLayout = m_settings.stripeLayout,
               .stripeBlock = m_settings.stripeBlock,
               .held = held,
               .pairs = pairs};
    m_hasAddress = true;
    m_confirmed = false;
    m_hasOwnEnd = !AwaitsOwnEnd();
    if (m_settings.direction == Direction::DOWNLOAD && m_chunk.newAddress)
    {
        return m_data.Listen(Of(Peer::SENDER).control->GetLocalAddress());
    }
    m_script.AddChunk(m_chunk);
    Advance();
}

void
ClientProtocolInterpreter::HandleListening(const std::vector<HostPort>& listeners)
{
    if (listeners.empty())
    {
        return GiveUp("cannot listen for data connections");
    }
    m_chunk.listeners = listeners;
    m_script.AddChunk(m_chunk);
    Advance();
}

void
ClientProtocolInterpreter::Quit()
{
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
    BufferTally tally = m_data.GetLocal()->GetReceiver()->GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

void
ClientProtocolInterpreter::Advance()
{
    if (m_script.IsEmpty())
    {
        m_ready();
        return;
    }
    const Peer peer = m_script.GetNext().peer;
    if (!Of(peer).connected)
    {
        return Connect(peer); // its greeting goes on
    }
    const Time cpu = HostProcessor::Ask(m_settings.data.node,
                                        GetCpuWork(m_settings.security, m_script.GetNext().work));
    if (cpu.IsStrictlyPositive())
    {
        m_computed = Simulator::Schedule(cpu, &ClientProtocolInterpreter::SayNext, this);
        return;
    }
    SayNext();
}

void
ClientProtocolInterpreter::SayNext()
{
    if (!m_script.IsEmpty()) // it has not given up meanwhile
    {
        Say(m_script.Take());
    }
}

void
ClientProtocolInterpreter::Say(const ScriptLine& line)
{
    Dialogue& dialogue = Of(line.peer);
    dialogue.command = line.command;
    dialogue.waiting = true;
    m_said = m_lastWord = Simulator::Now();
    bool begins = false;
    if (IsTransferVerb(line.command.verb))
    {
        dialogue.owed = 1;
        begins = !std::exchange(m_transferring, true);
        if (begins)
        {
            m_times.start = m_said;
            m_times.rttS = std::max(m_dialogues.front().responses.GetMeanS(),
                                    m_dialogues.back().responses.GetMeanS());
            if (m_settings.direction == Direction::DOWNLOAD)
            {
                m_data.Receive(
                    {.bytes = m_order.bytes, .offset = m_order.offset, .held = m_order.held});
            }
            m_started();
        }
    }
    dialogue.control->Send(FormatCommand(line.command));
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
    m_lastWord = Simulator::Now();
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
    HandleReply(peer, **reply);
}

void
ClientProtocolInterpreter::HandleClosed(Peer peer, const std::string& reason)
{
    Dialogue& dialogue = Of(peer);
    dialogue.waiting = dialogue.connected = false;
    dialogue.owed = 0;
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
    if (reply.code >= FIRST_REFUSAL)
    {
        dialogue.owed = 0;
        return GiveUp("the " + std::string(GetPeerName(m_settings.direction, peer)) + " answered " +
                      std::to_string(reply.code) + " " + reply.lines.front());
    }
    HandleFinal(peer, reply);
}

void
ClientProtocolInterpreter::HandlePreliminary(Peer peer, const Reply& reply)
{
    constexpr int BEGINNING = 150;
    constexpr int RANGES = 111;
    if (reply.code == RANGES && peer == Peer::RECEIVER)
    {
        HandleRangeMarker(reply);
    }
    const bool begins = m_transferring && reply.code == BEGINNING && peer == Peer::RECEIVER;
    if (!begins || m_givesUp)
    {
        return;
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_data.Send(m_order);
    }
    else
    {
        Advance(); // to ERET
    }
}

void
ClientProtocolInterpreter::HandleFinal(Peer peer, const Reply& reply)
{
    constexpr int GREETING = 220;
    constexpr int AUTHENTICATED = 235;
    Dialogue& dialogue = Of(peer);
    dialogue.waiting = false;
    dialogue.greeted = true;
    if (dialogue.owed > 0)
    {
        dialogue.owed = 0;
        m_times.end = Simulator::Now();
        if (peer == Peer::SENDER && !TakePairTimes(reply))
        {
            return;
        }
        m_confirmed = !IsOwed();
        return FinishChunk();
    }
    const Verb verb = dialogue.command.verb;
    if (reply.code == AUTHENTICATED && verb == Verb::ADAT)
    {
        dialogue.control->Protect(ArmourSide::CLIENT);
    }
    if (reply.code != GREETING && IsTimedVerb(verb))
    {
        dialogue.responses.Add((Simulator::Now() - m_said).GetNanoSeconds());
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

bool
ClientProtocolInterpreter::TakePairTimes(const Reply& reply)
{
    if (m_order.pairs.empty())
    {
        return true;
    }
    const auto times = ParsePairTimesReply(reply);
    if (!times || times->size() != m_order.pairs.size())
    {
        GiveUp("the " + std::string(GetPeerName(m_settings.direction, Peer::SENDER)) +
               " does not tell the times of pairs of stripes");
        return false;
    }
    m_times.elapsedNs = *times;
    return true;
}

void
ClientProtocolInterpreter::FinishChunk()
{
    if (!m_confirmed || !m_hasOwnEnd)
    {
        return;
    }
    const bool keep = m_settings.channels == DataChannels::CACHED;
    m_held.clear();
    m_transferring = false;
    m_sizer.End();
    m_data.Finish(keep);
    Advance();
}

void
ClientProtocolInterpreter::HandleDone()
{
    if (!AwaitsOwnEnd())
    {
        return; // an upload is over with reply 226
    }
    if (m_settings.direction == Direction::UPLOAD)
    {
        m_times.elapsedNs = m_data.GetElapsedNs();
    }
    m_hasOwnEnd = true;
    m_lastWord = Simulator::Now();
    FinishChunk();
}

} // namespace ns3::gridftp
