/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client-protocol-interpreter.h"

#include "gridftp-control-script.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpClientProtocolInterpreter");

NS_OBJECT_ENSURE_REGISTERED(ClientProtocolInterpreter);

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
    : m_control(CreateObject<ControlChannel>()),
      m_sender(CreateObject<DataSender>()),
      m_receiver(CreateObject<DataReceiver>())
{
}

void
ClientProtocolInterpreter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    m_control->Dispose();
    m_sender->Dispose();
    m_receiver->Dispose();
    m_ready = ReadyCallback();
    m_started = StartedCallback();
    m_failed = FailedCallback();
    m_settings.node = nullptr;
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
    m_responses = ResponseTimes(settings.rttSamples);
    const auto dataFailed = MakeCallback(&ClientProtocolInterpreter::HandleDataFailed, this);
    m_sender->Configure(settings.node, settings.dataTcp, settings.jitter);
    m_sender->SetBuffers(settings.buffers);
    m_sender->SetCallbacks(DataSender::DrainedCallback(), dataFailed);
    m_receiver->Configure(settings.node, settings.dataTcp);
    m_receiver->SetBuffers(settings.buffers);
    m_receiver->SetCallbacks(MakeCallback(&ClientProtocolInterpreter::HandleReceived, this),
                             dataFailed);

    for (auto& command :
         LoginCommands(settings.direction, static_cast<uint64_t>(settings.buffers.window)))
    {
        m_script.push_back(std::move(command));
    }
    m_waiting = true; // the greeting
    auto socket = CreateTcpSocket(settings.node, settings.controlTcp);
    SetTcpWindow(socket, CONTROL_WINDOW);
    m_control->Attach(socket,
                      MakeCallback(&ClientProtocolInterpreter::HandleLine, this),
                      MakeCallback(&ClientProtocolInterpreter::HandleClosed, this));
    socket->SetConnectCallback(MakeCallback(&ClientProtocolInterpreter::HandleConnected, this),
                               MakeCallback(&ClientProtocolInterpreter::HandleRefused, this));
    if (socket->Bind() != 0 || socket->Connect(settings.server) != 0)
    {
        Fail("cannot open the control connection");
    }
}

void
ClientProtocolInterpreter::Transfer(uint64_t chunk,
                                    uint64_t offset,
                                    uint64_t bytes,
                                    uint32_t parallelism)
{
    NS_LOG_FUNCTION(this << chunk << offset << bytes << parallelism);
    const bool upload = m_settings.direction == Direction::UPLOAD;
    ChunkOrder order{.direction = m_settings.direction,
                     .offset = offset,
                     .bytes = bytes,
                     .parallelism = parallelism,
                     .newAddress = !m_hasAddress || m_settings.channels == DataChannels::FRESH,
                     .listener = {}};
    if (!upload && order.newAddress)
    {
        const auto port = m_receiver->Listen();
        if (!port)
        {
            return Fail("cannot listen for data connections");
        }
        order.listener = {m_control->GetLocalAddress().Get(), *port};
    }
    m_order = {.chunk = chunk,
               .bytes = bytes,
               .parallelism = parallelism,
               .layout = m_settings.layout,
               .blockBytes = m_settings.blockBytes};
    m_hasAddress = true;
    m_confirmed = false;
    m_received = upload;
    for (auto& command : ChunkCommands(order))
    {
        m_script.push_back(std::move(command));
    }
    Advance();
}

void
ClientProtocolInterpreter::Quit()
{
    m_script.push_back({Verb::QUIT, ""});
    Advance();
}

void
ClientProtocolInterpreter::Abort()
{
    m_script.clear();
    m_waiting = false;
    m_transferring = false;
    m_sender->Abort();
    m_receiver->Abort();
    m_control->Close();
}

const ChunkTimes&
ClientProtocolInterpreter::GetChunkTimes() const
{
    return m_times;
}

Ptr<DataSender>
ClientProtocolInterpreter::GetSender() const
{
    return m_sender;
}

Ptr<DataReceiver>
ClientProtocolInterpreter::GetReceiver() const
{
    return m_receiver;
}

void
ClientProtocolInterpreter::Advance()
{
    if (m_script.empty())
    {
        m_ready();
        return;
    }
    m_command = std::move(m_script.front());
    m_script.pop_front();
    m_said = Simulator::Now();
    m_waiting = true;
    if (m_command.verb == Verb::ESTO || m_command.verb == Verb::ERET)
    {
        m_transferring = true;
        m_times.start = m_said;
        m_times.rttS = m_responses.GetMeanS();
        if (m_command.verb == Verb::ERET)
        {
            m_receiver->Expect(m_order.bytes);
        }
        m_started();
    }
    m_control->Send(FormatCommand(m_command));
}

void
ClientProtocolInterpreter::HandleConnected(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
}

void
ClientProtocolInterpreter::HandleRefused(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    // ns-3 goes on with the socket after this call, which gives it up: something has to keep it.
    Simulator::ScheduleNow([socket] {});
    Fail("the control connection was refused");
}

void
ClientProtocolInterpreter::HandleLine(const TextResult<std::string>& line)
{
    if (!line)
    {
        return Fail("the server sent a line that is too long");
    }
    const auto reply = m_replies.Feed(*line);
    if (!reply)
    {
        return;
    }
    if (!*reply)
    {
        return Fail("the server sent no reply but '" + *line + "'");
    }
    HandleReply(**reply);
}

void
ClientProtocolInterpreter::HandleClosed(std::string reason)
{
    Fail(reason);
}

void
ClientProtocolInterpreter::HandleReply(const Reply& reply)
{
    NS_LOG_FUNCTION(this << reply.code);
    if (!m_waiting)
    {
        return; // nothing was asked; a server may still say goodbye
    }
    constexpr int FIRST_FINAL = 200;
    constexpr int FIRST_REFUSAL = 400;
    if (reply.code >= FIRST_REFUSAL)
    {
        return Fail("the server answered " + std::to_string(reply.code) + " " +
                    reply.lines.front());
    }
    if (reply.code < FIRST_FINAL)
    {
        return HandlePreliminary(reply);
    }
    HandleFinal(reply);
}

void
ClientProtocolInterpreter::HandlePreliminary(const Reply& reply)
{
    constexpr int BEGINNING = 150;
    if (m_transferring && reply.code == BEGINNING && m_settings.direction == Direction::UPLOAD)
    {
        m_sender->Start(m_order);
    }
}

void
ClientProtocolInterpreter::HandleFinal(const Reply& reply)
{
    constexpr int GREETING = 220;
    m_waiting = false;
    if (m_transferring)
    {
        m_times.end = Simulator::Now();
        m_confirmed = true;
        return FinishChunk();
    }
    if (reply.code != GREETING && IsTimedVerb(m_command.verb))
    {
        m_responses.Add((Simulator::Now() - m_said).GetNanoSeconds());
    }
    if (m_command.verb == Verb::PASV && !HandlePassive(reply))
    {
        return;
    }
    if (m_command.verb == Verb::QUIT)
    {
        m_control->Close();
    }
    Advance();
}

bool
ClientProtocolInterpreter::HandlePassive(const Reply& reply)
{
    const auto listener = ParsePassiveReply(reply);
    if (!listener)
    {
        Fail("the reply to PASV names no address");
        return false;
    }
    m_sender->SetPeer(InetSocketAddress(Ipv4Address(listener->address), listener->port));
    return true;
}

void
ClientProtocolInterpreter::FinishChunk()
{
    if (!m_confirmed || !m_received)
    {
        return;
    }
    const bool keep = m_settings.channels == DataChannels::CACHED;
    m_transferring = false;
    m_sender->Finish(keep);
    m_receiver->Finish(keep);
    Advance();
}

void
ClientProtocolInterpreter::HandleReceived()
{
    m_received = true;
    FinishChunk();
}

void
ClientProtocolInterpreter::HandleDataFailed(int code, std::string reason)
{
    Fail(reason + " (" + std::to_string(code) + ")");
}

void
ClientProtocolInterpreter::Fail(const std::string& reason)
{
    NS_LOG_FUNCTION(this << reason);
    const auto failed = m_failed;
    Abort();
    m_failed = FailedCallback();
    if (!failed.IsNull())
    {
        failed(reason);
    }
}

} // namespace ns3::gridftp
