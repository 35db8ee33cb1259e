/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-protocol-interpreter.h"

#include "gridftp-stripe-text.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServerProtocolInterpreter");

NS_OBJECT_ENSURE_REGISTERED(ServerProtocolInterpreter);

namespace
{
constexpr uint64_t LARGEST_BUFFER = 1ULL << 30; // window scaling reaches no further, RFC 7323
} // namespace

TypeId
ServerProtocolInterpreter::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::ServerProtocolInterpreter")
            .SetParent<Object>()
            .SetGroupName("GridFtp")
            .AddConstructor<ServerProtocolInterpreter>()
            .AddTraceSource("State",
                            "What the control connection is doing.",
                            MakeTraceSourceAccessor(&ServerProtocolInterpreter::m_state),
                            "ns3::gridftp::ServerProtocolInterpreter::StateTracedCallback");
    return tid;
}

ServerProtocolInterpreter::ServerProtocolInterpreter()
    : m_control(CreateObject<ControlChannel>()),
      m_receiver(CreateObject<DataReceiver>()),
      m_sender(CreateObject<DataSender>())
{
}

void
ServerProtocolInterpreter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_markerEvent.Cancel();
    m_sizer.End();
    m_control->Dispose();
    m_receiver->Dispose();
    m_sender->Dispose();
    m_settings.node = nullptr;
    Object::DoDispose();
}

void
ServerProtocolInterpreter::Start(const ServerSettings& settings, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_settings = settings;
    m_receiver->Configure(settings.node, settings.dataTcp);
    m_receiver->SetBuffers(settings.buffers);
    m_receiver->SetCallbacks(MakeCallback(&ServerProtocolInterpreter::HandleReceived, this),
                             MakeCallback(&ServerProtocolInterpreter::HandleTransferFailed, this));
    m_sender->Configure(settings.node, settings.dataTcp, settings.jitter);
    m_sender->SetBuffers(settings.buffers);
    m_sender->SetCallbacks(MakeCallback(&ServerProtocolInterpreter::HandleSent, this),
                           MakeCallback(&ServerProtocolInterpreter::HandleTransferFailed, this));
    m_sizer.Configure(m_receiver, BufferSizer::TellCallback([this](const SizingMessage& message) {
                          Say(MakeSizingReply(SIZING_NOTICE, message));
                      }));
    m_control->Attach(socket,
                      MakeCallback(&ServerProtocolInterpreter::HandleLine, this),
                      MakeCallback(&ServerProtocolInterpreter::HandleClosed, this));
    Say(MakeGreeting("server"));
}

ServerState
ServerProtocolInterpreter::GetState() const
{
    return m_state;
}

Ptr<DataSender>
ServerProtocolInterpreter::GetSender() const
{
    return m_sender;
}

Ptr<DataReceiver>
ServerProtocolInterpreter::GetReceiver() const
{
    return m_receiver;
}

BufferTally
ServerProtocolInterpreter::GetBufferTally() const
{
    BufferTally tally = m_receiver->GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

void
ServerProtocolInterpreter::SetState(ServerState state)
{
    NS_ASSERT_MSG(m_state != ServerState::CLOSED, "a closed control connection stays closed");
    m_state = state;
}

void
ServerProtocolInterpreter::Say(const Reply& reply)
{
    NS_LOG_FUNCTION(this << reply.code);
    m_control->Send(FormatReply(reply));
}

void
ServerProtocolInterpreter::HandleLine(const TextResult<std::string>& line)
{
    if (!line)
    {
        Say(MakeReply(line.GetError()));
        return;
    }
    const auto command = ParseCommand(*line);
    if (!command)
    {
        Say(MakeReply(command.GetError()));
        return;
    }
    const bool welcome = command->verb == Verb::USER || command->verb == Verb::PASS ||
                         command->verb == Verb::QUIT || command->verb == Verb::NOOP ||
                         command->verb == Verb::FEAT;
    if (m_state < ServerState::READY && !welcome)
    {
        Say({530, {"Please login with USER and PASS."}});
    }
    else if (m_state == ServerState::TRANSFERRING && command->verb != Verb::QUIT &&
             command->verb != Verb::NOOP && command->verb != Verb::ABOR && !IsSizing(*command))
    {
        Say(MakeBusyReply());
    }
    else
    {
        Execute(*command);
    }
}

void
ServerProtocolInterpreter::HandleClosed(std::string reason)
{
    NS_LOG_FUNCTION(this << reason);
    DropTransfer();
    SetState(ServerState::CLOSED);
}

void
ServerProtocolInterpreter::Reset()
{
    NS_LOG_FUNCTION(this);
    if (m_state != ServerState::CLOSED)
    {
        m_control->Reset();
        DropTransfer();
        SetState(ServerState::CLOSED);
    }
}

void
ServerProtocolInterpreter::DropTransfer()
{
    m_markerEvent.Cancel();
    m_sizer.End();
    m_receiver->Reset();
    m_sender->Reset();
    m_listening = false;
    m_hasPeer = false;
}

void
ServerProtocolInterpreter::Execute(const Command& command)
{
    switch (command.verb)
    {
    case Verb::USER:
    case Verb::PASS:
        return ExecuteLogin(command);
    case Verb::SITE:
        return ExecuteSite(command);
    case Verb::SBUF:
        return ExecuteSetBuffer(command);
    case Verb::TYPE:
        return ExecuteLetter(command, "I");
    case Verb::MODE:
        return ExecuteLetter(command, "E");
    case Verb::ALLO:
        return ExecuteAllocate(command);
    case Verb::OPTS:
        return ExecuteOptions(command);
    case Verb::PASV:
        return ExecutePassive();
    case Verb::PORT:
        return ExecutePort(command);
    case Verb::STOR:
    case Verb::ESTO:
        return ExecuteStore(command);
    case Verb::RETR:
    case Verb::ERET:
        return ExecuteRetrieve(command);
    case Verb::SIZE:
        return Say(MakeSizeReply(m_settings.fileBytes));
    case Verb::ABOR:
        return ExecuteAbort(command);
    case Verb::QUIT:
        return ExecuteQuit(command);
    case Verb::FEAT:
    case Verb::PBSZ:
    case Verb::NOOP:
        return Say(MakeReply(command));
    default:
        return Say({502, {std::string(VerbName(command.verb)) + " is not implemented."}});
    }
}

void
ServerProtocolInterpreter::ExecuteLogin(const Command& command)
{
    if (command.verb == Verb::USER)
    {
        m_user = command.argument;
        SetState(ServerState::AWAITING_PASSWORD);
        Say(MakeReply(command));
    }
    else if (m_state != ServerState::AWAITING_PASSWORD)
    {
        Say({503, {"Login with USER first."}});
    }
    else
    {
        SetState(ServerState::READY);
        Say(MakeLoginReply(m_user));
    }
}

void
ServerProtocolInterpreter::ExecuteSite(const Command& command)
{
    const auto site = ParseSite(command.argument);
    if (site && site->size > LARGEST_BUFFER)
    {
        return Say({501, {"Buffer size out of range: " + std::to_string(site->size)}});
    }
    if (site && site->verb == SiteVerb::STORBUFSIZE)
    {
        m_receiver->SetWindow(static_cast<uint32_t>(site->size));
    }
    if (site && site->verb == SiteVerb::RETRBUFSIZE)
    {
        m_sender->SetWindow(static_cast<uint32_t>(site->size));
    }
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteLetter(const Command& command, std::string_view implemented)
{
    const auto letter = ParseLetter(command.argument, implemented);
    Say(letter ? MakeReply(command) : MakeReply(letter.GetError()));
}

void
ServerProtocolInterpreter::ExecuteAllocate(const Command& command)
{
    const auto bytes = ParseNumber(command.argument);
    if (!bytes)
    {
        return Say(MakeReply(bytes.GetError()));
    }
    m_allocated = *bytes;
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteOptions(const Command& command)
{
    const auto option = ParseRetrieveOptions(command.argument);
    if (!option)
    {
        return Say(MakeReply(option.GetError()));
    }
    m_parallelism = option->parallelism.starting;
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecutePassive()
{
    const auto port = m_receiver->Listen();
    m_listening = port.has_value();
    if (!port)
    {
        return Say({425, {"Cannot listen for data connections."}});
    }
    Say(MakePassiveReply({m_control->GetLocalAddress().Get(), *port}));
}

void
ServerProtocolInterpreter::ExecutePort(const Command& command)
{
    const auto peer = ParseHostPort(command.argument);
    if (!peer)
    {
        return Say(MakeReply(peer.GetError()));
    }
    m_sender->SetPeer(InetSocketAddress(Ipv4Address(peer->address), peer->port));
    m_hasPeer = true;
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteStore(const Command& command)
{
    m_storeOffset = 0;
    if (command.verb == Verb::ESTO)
    {
        const auto store = ParseAdjustedStore(command.argument);
        if (!store)
        {
            return Say(MakeReply(store.GetError()));
        }
        m_storeOffset = store->offset;
    }
    if (!m_listening)
    {
        return Say({425, {"Use PASV first."}});
    }
    m_receives = true;
    m_receiver->Expect(m_allocated, m_storeOffset);
    m_allocated.reset();
    SetState(ServerState::TRANSFERRING);
    Say(MakeReply(command));
    if (!m_settings.markerInterval.IsZero())
    {
        m_markerEvent = Simulator::Schedule(m_settings.markerInterval,
                                            &ServerProtocolInterpreter::SendMarker,
                                            this);
    }
    m_sizer.Begin();
}

void
ServerProtocolInterpreter::ExecuteRetrieve(const Command& command)
{
    PartialRetrieve part{0, m_settings.fileBytes, ""};
    if (command.verb == Verb::ERET)
    {
        const auto parsed = ParsePartialRetrieve(command.argument);
        if (!parsed)
        {
            return Say(MakeReply(parsed.GetError()));
        }
        part = *parsed;
    }
    if (part.length == 0 || part.offset > m_settings.fileBytes ||
        part.length > m_settings.fileBytes - part.offset)
    {
        return Say({550, {"The file has " + std::to_string(m_settings.fileBytes) + " bytes."}});
    }
    if (!m_hasPeer)
    {
        return Say({425, {"Use PORT first."}});
    }
    m_receives = false;
    SetState(ServerState::TRANSFERRING);
    Say(MakeReply(command));
    m_sender->Start({.chunk = m_retrieved++,
                     .offset = part.offset,
                     .bytes = part.length,
                     .parallelism = m_parallelism,
                     .layout = m_settings.layout,
                     .blockBytes = m_settings.blockBytes});
}

void
ServerProtocolInterpreter::ExecuteAbort(const Command& command)
{
    DropTransfer();
    if (m_state == ServerState::TRANSFERRING)
    {
        SetState(ServerState::READY);
        Say(MakeAbortedReply());
    }
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteQuit(const Command& command)
{
    Say(MakeReply(command));
    m_markerEvent.Cancel();
    m_sizer.End();
    m_receiver->Abort();
    m_sender->Abort();
    m_control->Close();
    SetState(ServerState::CLOSED);
}

void
ServerProtocolInterpreter::HandleReceived()
{
    m_markerEvent.Cancel();
    m_sizer.End();
    SayPerfMarker();
    const uint64_t end = m_storeOffset + m_receiver->GetBytes();
    Say(MakeRangeMarkerReply({{m_storeOffset, end}}));
    // The client closes the data connections or sends more over them, as it likes.
    m_receiver->Finish(true);
    SetState(ServerState::READY);
    Say({226, {"Transfer Complete."}});
}

void
ServerProtocolInterpreter::HandleSent()
{
    m_sender->Finish(true);
    SetState(ServerState::READY);
    Say({226, {"Transfer Complete."}});
}

void
ServerProtocolInterpreter::HandleTransferFailed(int code, std::string reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    DropTransfer();
    if (m_state == ServerState::TRANSFERRING)
    {
        SetState(ServerState::READY);
        Say({code, {reason}});
    }
}

void
ServerProtocolInterpreter::SendMarker()
{
    SayPerfMarker();
    m_markerEvent = Simulator::Schedule(m_settings.markerInterval,
                                        &ServerProtocolInterpreter::SendMarker,
                                        this);
}

void
ServerProtocolInterpreter::SayPerfMarker()
{
    constexpr int64_t MILLISECONDS_PER_DECISECOND = 100;
    const int64_t now = Simulator::Now().GetMilliSeconds();
    Say(MakePerfMarkerReply(
        {.timestampDeciseconds = static_cast<uint64_t>(now / MILLISECONDS_PER_DECISECOND),
         .stripeIndex = 0,
         .stripeBytes = m_receiver->GetStoredBytes(),
         .stripeCount = 1}));
}

} // namespace ns3::gridftp
