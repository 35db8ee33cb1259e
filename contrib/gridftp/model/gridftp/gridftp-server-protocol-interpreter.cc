/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-protocol-interpreter.h"

#include "gridftp-stripe-text.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <utility>

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
    : m_control(CreateObject<ControlChannel>())
{
}

void
ServerProtocolInterpreter::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_sizer.End();
    m_control->Dispose();
    m_data.Dispose();
    m_settings.data.node = nullptr;
    Object::DoDispose();
}

void
ServerProtocolInterpreter::Start(const ServerSettings& settings, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_settings = settings;
    m_data.Configure(settings.data, *this);
    m_sizer.Configure(m_data.GetLocal()->GetReceiver(),
                      BufferSizer::TellCallback([this](const SizingMessage& message) {
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

Ptr<LocalDataTransfer>
ServerProtocolInterpreter::GetDataTransfer() const
{
    return m_data.GetLocal();
}

BufferTally
ServerProtocolInterpreter::GetBufferTally() const
{
    BufferTally tally = m_data.GetLocal()->GetReceiver()->GetBufferTally();
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
    m_sizer.End();
    m_data.Reset();
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
        m_data.SetReceiveWindow(static_cast<uint32_t>(site->size));
    }
    if (site && site->verb == SiteVerb::RETRBUFSIZE)
    {
        m_data.SetSendWindow(static_cast<uint32_t>(site->size));
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
    m_data.Listen(m_control->GetLocalAddress());
}

void
ServerProtocolInterpreter::HandleListening(const std::vector<HostPort>& listeners)
{
    m_listening = !listeners.empty();
    Say(m_listening ? MakePassiveReply(listeners.front())
                    : Reply{425, {"Cannot listen for data connections."}});
}

void
ServerProtocolInterpreter::ExecutePort(const Command& command)
{
    const auto peer = ParseHostPort(command.argument);
    if (!peer)
    {
        return Say(MakeReply(peer.GetError()));
    }
    m_data.SetPeers({*peer});
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
    m_transfer = command;
    SetState(ServerState::TRANSFERRING);
    m_data.Receive(std::exchange(m_allocated, std::nullopt));
}

void
ServerProtocolInterpreter::HandleReady()
{
    Say(MakeReply(m_transfer));
    if (m_receives)
    {
        m_sizer.Begin();
    }
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
    m_transfer = command;
    SetState(ServerState::TRANSFERRING);
    m_data.Send({.chunk = m_retrieved++,
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
    m_sizer.End();
    m_data.Abort();
    m_control->Close();
    SetState(ServerState::CLOSED);
}

void
ServerProtocolInterpreter::HandleDone()
{
    if (m_receives)
    {
        SayStored();
    }
    // The client closes the data connections or sends more over them, as it likes.
    m_data.Finish(true);
    SetState(ServerState::READY);
    Say({226, {"Transfer Complete."}});
}

void
ServerProtocolInterpreter::SayStored()
{
    m_sizer.End();
    uint64_t end = m_storeOffset;
    for (uint32_t stripe = 0; stripe < m_data.GetBytes().size(); ++stripe)
    {
        HandleBytes(stripe, m_data.GetBytes()[stripe]);
        end += m_data.GetBytes()[stripe];
    }
    Say(MakeRangeMarkerReply({{m_storeOffset, end}}));
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
ServerProtocolInterpreter::HandleBytes(uint32_t stripe, uint64_t bytes)
{
    constexpr int64_t MILLISECONDS_PER_DECISECOND = 100;
    const int64_t now = Simulator::Now().GetMilliSeconds();
    Say(MakePerfMarkerReply(
        {.timestampDeciseconds = static_cast<uint64_t>(now / MILLISECONDS_PER_DECISECOND),
         .stripeIndex = stripe,
         .stripeBytes = bytes,
         .stripeCount = static_cast<uint32_t>(m_data.GetBytes().size())}));
}

} // namespace ns3::gridftp
