/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-protocol-interpreter.h"

#include "gridftp-protection-text.h"
#include "gridftp-stall-text.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <initializer_list>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpServerProtocolInterpreter");

NS_OBJECT_ENSURE_REGISTERED(ServerProtocolInterpreter);

namespace
{

constexpr int64_t PATIENCE = 4; // stall timeouts: a live client gives up before its server does
constexpr uint64_t LARGEST_BUFFER = 1ULL << 30; // window scaling reaches no further, RFC 7323

/** @return whether a line says one of some verbs */
bool
IsOneOf(const TextResult<std::string>& line, std::initializer_list<Verb> verbs)
{
    const auto command = line ? ParseCommand(*line) : TextResult<Command>(line.GetError());
    return command && std::ranges::find(verbs, command->verb) != verbs.end();
}

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
                            "State of the control connection.",
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
    m_idle.Stop();
    Simulator::Remove(m_computed);
    m_delayEvent.Cancel();
    m_control->Dispose();
    m_data.Dispose();
    m_settings.data.node = nullptr;
    Object::DoDispose();
}

void
ServerProtocolInterpreter::Start(const ServerSettings& settings, Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_begin = Simulator::Now();
    m_settings = settings;
    m_data.Configure(settings.data, settings.apart, *this);
    m_sizer.Configure(m_data.GetLocal()->GetReceiver(),
                      BufferSizer::TellCallback([this](const SizingMessage& message) {
                          Say(MakeSizingReply(SIZING_NOTICE, message));
                      }));
    m_control->Attach(socket,
                      MakeCallback(&ServerProtocolInterpreter::HandleLine, this),
                      MakeCallback(&ServerProtocolInterpreter::HandleClosed, this));
    m_idle.Configure(
        settings.data.stallTimeout * PATIENCE,
        [this] { return m_heard; },
        [this] { HandleIdle(); });
    m_idle.Start();
    if (Simulator::Now() >= m_silentUntil)
    {
        Say(MakeGreeting("server"));
    }
}

ServerState
ServerProtocolInterpreter::GetState() const
{
    return m_state;
}

ServerSpan
ServerProtocolInterpreter::GetSpan() const
{
    const Time end = m_state == ServerState::CLOSED ? m_end : Simulator::Now();
    return {m_begin.GetNanoSeconds(), end.GetNanoSeconds()};
}

Ptr<LocalDataTransfer>
ServerProtocolInterpreter::GetDataTransfer() const
{
    return m_data.GetLocal();
}

BufferTally
ServerProtocolInterpreter::GetBufferTally() const
{
    BufferTally tally = m_data.GetLocal()->GetReceiver()->GetMachine().GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

void
ServerProtocolInterpreter::SetState(ServerState state)
{
    NS_ASSERT_MSG(m_state != ServerState::CLOSED, "a closed control connection stays closed");
    m_state = state;
    if (state == ServerState::CLOSED)
    {
        Simulator::Remove(m_computed);
        m_idle.Stop();
        m_end = Simulator::Now();
        m_delayEvent.Cancel();
    }
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
    ++m_heard;
    if (Simulator::Now() < m_silentUntil)
    {
        return;
    }
    m_lines.push_back(line);
    HandleLines();
}

void
ServerProtocolInterpreter::HandleLines()
{
    for (auto next = FindTurn(); next != m_lines.end(); next = FindTurn())
    {
        const auto line = *next;
        m_lines.erase(next);
        Answer(line);
    }
}

std::deque<TextResult<std::string>>::const_iterator
ServerProtocolInterpreter::FindTurn() const
{
    if (m_data.IsAwaited() || m_computed.IsPending() || m_delayEvent.IsPending() ||
        m_state == ServerState::CLOSED)
    {
        return m_lines.end();
    }
    const bool isBusy = m_state == ServerState::TRANSFERRING;
    if (!isBusy || (!m_lines.empty() && IsOneOf(m_lines.front(), {Verb::NOOP})))
    {
        return m_lines.begin();
    }
    return std::ranges::find_if(m_lines, [](const auto& line) {
        return IsOneOf(line, {Verb::QUIT, Verb::ABOR, Verb::SBUF});
    });
}

void
ServerProtocolInterpreter::Answer(const TextResult<std::string>& line)
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
    const bool isKnown = !m_settings.security.IsControlSecured() || m_security.IsDone();
    if (m_state < ServerState::READY && !IsWelcome(*command))
    {
        Say(isKnown ? Reply{530, {"Please login with USER and PASS."}}
                    : MakeUnauthenticatedReply());
    }
    else if (m_state == ServerState::TRANSFERRING && command->verb == Verb::SBUF &&
             !IsSizing(*command))
    {
        Say(MakeBusyReply()); // it would be for the connections that are there
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
    End();
}

void
ServerProtocolInterpreter::End()
{
    m_data.Kill();
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
        End();
    }
}

void
ServerProtocolInterpreter::FallSilent(Time until)
{
    NS_LOG_FUNCTION(this << until);
    m_silentUntil = until;
}

void
ServerProtocolInterpreter::HandleIdle()
{
    if (m_state == ServerState::TRANSFERRING || m_delayEvent.IsPending())
    {
        return m_idle.Start(); // its data transfer processes have limits of their own
    }
    Say(MakeIdleReply(m_idle.GetLimit().GetNanoSeconds()));
    m_control->Close();
    End();
}

void
ServerProtocolInterpreter::Execute(const Command& command)
{
    switch (command.verb)
    {
    case Verb::AUTH:
    case Verb::ADAT:
        return ExecuteSecurity(command);
    case Verb::DCAU:
        return ExecuteDataSecurity(command);
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
    case Verb::REST:
        return ExecuteRestart(command);
    case Verb::PASV:
    case Verb::SPAS:
        return ExecutePassive(command);
    case Verb::PORT:
    case Verb::SPOR:
        return ExecutePort(command);
    case Verb::STOR:
    case Verb::ESTO:
    case Verb::RETR:
    case Verb::ERET:
        return ExecuteTransfer(command);
    case Verb::PBSZ:
        return ExecuteProtectionBuffer(command);
    case Verb::PROT:
        return ExecuteProtection(command);
    case Verb::SIZE:
        return Say(MakeSizeReply(m_settings.fileBytes));
    case Verb::ABOR:
        return ExecuteAbort(command);
    case Verb::QUIT:
        return ExecuteQuit(command);
    case Verb::FEAT:
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
    const auto options = ParseRetrieveOptions(command.argument);
    if (!options)
    {
        return Say(MakeReply(options.GetError()));
    }
    m_options = *options;
    Say(MakeReply(command));
}

void
ServerProtocolInterpreter::ExecuteProtectionBuffer(const Command& command)
{
    const auto bytes = ParseProtectionBuffer(command.argument);
    m_hasPbsz = m_hasPbsz || static_cast<bool>(bytes);
    Say(bytes ? MakeReply(command) : MakeReply(bytes.GetError()));
}

void
ServerProtocolInterpreter::ExecuteProtection(const Command& command)
{
    const auto protection = ParseProtection(command.argument);
    if (!protection)
    {
        return Say(MakeReply(protection.GetError()));
    }
    if (!m_hasPbsz)
    {
        return Say({503, {"Use PBSZ first."}});
    }
    m_data.SetProtection(*protection);
    Say(MakeReply(command));
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

} // namespace ns3::gridftp
