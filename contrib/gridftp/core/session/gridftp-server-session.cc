/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-server-session.h"

#include "gridftp-checksum-text.h"
#include "gridftp-protection-text.h"
#include "gridftp-stall-text.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t PATIENCE = 4; // stall timeouts: a live client gives up before its server does
constexpr uint64_t MOST_WAITING_BYTES = 1 << 20; // of commands

/** @param line of a client, or why it is none @return its command, or why there is none */
TextResult<Command>
ParseLine(const TextResult<std::string>& line)
{
    return line ? ParseCommand(*line) : TextResult<Command>(line.GetError());
}

/** @param command that waits, or why there is none @return bytes of memory that it needs, about */
uint64_t
CountMemory(const TextResult<Command>& command)
{
    return sizeof(command) + (command ? command->argument.size() : command.GetError().text.size());
}

/** @return whether a command is one of some */
bool
IsOneOf(const TextResult<Command>& command, std::initializer_list<Verb> verbs)
{
    return command && std::ranges::find(verbs, command->verb) != verbs.end();
}

} // namespace

ServerSession::ServerSession(const ChannelHosts& hosts, StateHandler handler)
    : m_host(hosts.control),
      m_stateHandler(std::move(handler)),
      m_data(hosts)
{
    m_control = ControlChannel::Make(
        {.line = [this](Nanoseconds now, const Line& line) { HandleLine(now, line); },
         .closed = [this](Nanoseconds now, StreamLoss /* loss */) { End(now); }});
    m_requestDone.Bind(m_host, [this](Nanoseconds now) {
        BeginTransfer(now);
        HandleWaiting(now);
    });
    m_computed.Bind(m_host, [this](Nanoseconds now) {
        AnswerSecurity(now);
        HandleWaiting(now);
    });
    m_checksum.Bind(m_host, [this](Nanoseconds now, const TextResult<uint32_t>& value) {
        Say(now, value ? MakeChecksumReply(*value) : MakeReply(value.GetError()));
        HandleWaiting(now);
    });
}

ServerSession::~ServerSession() = default;

StreamUser&
ServerSession::Start(Nanoseconds now, const ServerSettings& settings, ByteStream& stream)
{
    m_begin = now;
    m_settings = settings;
    m_data.Configure(settings.data, settings.remote, *this);
    m_sizer.Configure(m_host,
                      m_data.GetLocal().GetReceiver(),
                      [this](Nanoseconds at, const SizingMessage& message) {
                          Say(at, MakeSizingReply(SIZING_NOTICE, message));
                      });
    m_control->Accept(stream);
    m_idle.Configure(
        m_host,
        settings.data.stallTimeout * PATIENCE,
        [this](Nanoseconds /* at */) { return m_heard; },
        [this](Nanoseconds at) { HandleIdle(at); });
    m_idle.Start(now);
    if (now >= m_silentUntil)
    {
        Say(now, MakeGreeting("server"));
    }
    return *m_control;
}

void
ServerSession::Dispose(Nanoseconds now)
{
    m_sizer.End();
    m_idle.Stop();
    m_checksum.Cancel();
    m_computed.Cancel();
    m_requestDone.Cancel();
    m_control->Close(now);
    m_data.Dispose(now);
    if (m_settings.files)
    {
        m_settings.files->DropFiles();
    }
}

BufferTally
ServerSession::GetBufferTally() const
{
    BufferTally tally = m_data.GetLocal().GetReceiver().GetBufferTally();
    tally.Add(m_sizer.GetMeasured());
    return tally;
}

void
ServerSession::SetState(Nanoseconds now, ServerState state)
{
    m_state = state;
    m_stateHandler(state);
    if (state == ServerState::CLOSED)
    {
        m_checksum.Cancel();
        m_computed.Cancel();
        m_idle.Stop();
        m_end = now;
        m_requestDone.Cancel();
    }
}

void
ServerSession::Say(Nanoseconds now, const Reply& reply)
{
    m_control->Send(now, FormatReply(reply));
}

void
ServerSession::HandleLine(Nanoseconds now, const Line& line)
{
    ++m_heard;
    if (now < m_silentUntil)
    {
        return;
    }
    m_waiting.push_back(ParseLine(line));
    m_waitingBytes += CountMemory(m_waiting.back());
    HandleWaiting(now);
    if (m_waitingBytes > MOST_WAITING_BYTES)
    {
        Close(now, {421, {"Too many commands wait."}});
    }
}

void
ServerSession::HandleWaiting(Nanoseconds now)
{
    // What a command brings about may continue here: the loop that runs handles the others, too
    if (std::exchange(m_isHandling, true))
    {
        return;
    }
    for (auto next = FindNext(); next != m_waiting.end(); next = FindNext())
    {
        const auto command = *next;
        m_waiting.erase(next);
        m_waitingBytes -= CountMemory(command);
        Answer(now, command);
    }
    m_isHandling = false;
}

std::deque<TextResult<Command>>::const_iterator
ServerSession::FindNext() const
{
    if (m_data.IsAwaited() || m_computed.IsSet() || m_requestDone.IsSet() ||
        m_checksum.IsRunning() || m_state == ServerState::CLOSED)
    {
        return m_waiting.end();
    }
    const bool isBusy = m_state == ServerState::TRANSFERRING;
    if (!isBusy || (!m_waiting.empty() && IsOneOf(m_waiting.front(), {Verb::NOOP})))
    {
        return m_waiting.begin();
    }
    return std::ranges::find_if(m_waiting, [](const auto& command) {
        return IsOneOf(command, {Verb::QUIT, Verb::ABOR, Verb::SBUF});
    });
}

void
ServerSession::Answer(Nanoseconds now, const TextResult<Command>& command)
{
    if (!command)
    {
        return Say(now, MakeReply(command.GetError()));
    }
    const bool isKnown = !m_settings.security.IsControlSecured() || m_security.IsDone();
    if (m_state < ServerState::READY && !IsAllowed(*command))
    {
        Say(now,
            isKnown ? Reply{530, {"Please login with USER and PASS."}}
                    : MakeUnauthenticatedReply());
    }
    else if (m_state == ServerState::TRANSFERRING && command->verb == Verb::SBUF &&
             !IsSizing(*command))
    {
        Say(now, MakeBusyReply()); // it would apply to the connections that are open
    }
    else
    {
        Execute(now, *command);
    }
}

void
ServerSession::End(Nanoseconds now)
{
    m_data.Kill(now);
    DropTransfer(now);
    SetState(now, ServerState::CLOSED);
}

void
ServerSession::Reset(Nanoseconds now)
{
    if (m_state != ServerState::CLOSED)
    {
        m_control->Reset(now);
        End(now);
    }
}

void
ServerSession::Close(Nanoseconds now, const Reply& reply)
{
    if (m_state != ServerState::CLOSED)
    {
        Say(now, reply);
        m_control->Close(now);
        End(now);
    }
}

void
ServerSession::HandleIdle(Nanoseconds now)
{
    if (m_state == ServerState::TRANSFERRING || m_requestDone.IsSet() || m_checksum.IsRunning())
    {
        return m_idle.Start(now); // its data transfer processes have limits of their own
    }
    Close(now, MakeIdleReply(m_idle.GetLimit()));
}

void
ServerSession::Execute(Nanoseconds now, const Command& command)
{
    switch (command.verb)
    {
    case Verb::AUTH:
    case Verb::ADAT:
        return ExecuteSecurity(now, command);
    case Verb::DCAU:
        return ExecuteDataSecurity(now, command);
    case Verb::USER:
    case Verb::PASS:
        return ExecuteLogin(now, command);
    case Verb::SITE:
        return ExecuteSite(now, command);
    case Verb::SBUF:
        return ExecuteSetBuffer(now, command);
    case Verb::TYPE:
        return ExecuteLetter(now, command, "I");
    case Verb::MODE:
        return ExecuteLetter(now, command, "E");
    case Verb::ALLO:
        return ExecuteAllocate(now, command);
    case Verb::OPTS:
        return ExecuteOptions(now, command);
    case Verb::REST:
        return ExecuteRestart(now, command);
    case Verb::PASV:
    case Verb::SPAS:
        return ExecutePassive(now, command);
    case Verb::PORT:
    case Verb::SPOR:
        return ExecutePort(now, command);
    case Verb::STOR:
    case Verb::ESTO:
    case Verb::RETR:
    case Verb::ERET:
        return ExecuteTransfer(now, command);
    case Verb::PBSZ:
        return ExecuteProtectionBuffer(now, command);
    case Verb::PROT:
        return ExecuteProtection(now, command);
    case Verb::SIZE:
        return ExecuteSize(now, command);
    case Verb::CKSM:
        return ExecuteChecksum(now, command);
    case Verb::ABOR:
        return ExecuteAbort(now, command);
    case Verb::QUIT:
        return ExecuteQuit(now, command);
    case Verb::FEAT:
    case Verb::NOOP:
        return Say(now, MakeReply(command));
    default:
        return Say(now, {502, {std::string(VerbName(command.verb)) + " is not implemented."}});
    }
}

void
ServerSession::ExecuteLogin(Nanoseconds now, const Command& command)
{
    if (command.verb == Verb::USER)
    {
        m_user = command.argument;
        SetState(now, ServerState::AWAITING_PASSWORD);
        Say(now, MakeReply(command));
    }
    else if (m_state != ServerState::AWAITING_PASSWORD)
    {
        Say(now, {503, {"Login with USER first."}});
    }
    else
    {
        SetState(now, ServerState::READY);
        Say(now, MakeLoginReply(m_user));
    }
}

void
ServerSession::ExecuteSize(Nanoseconds now, const Command& command)
{
    const auto size = m_settings.files->FindSize(command.argument);
    Say(now, size ? MakeSizeReply(*size) : MakeReply(size.GetError()));
}

void
ServerSession::ExecuteChecksum(Nanoseconds now, const Command& command)
{
    const auto order = ParseChecksumOrder(command.argument);
    if (!order)
    {
        return Say(now, MakeReply(order.GetError()));
    }
    auto checksum = m_settings.files->MakeChecksum(order->path, order->offset, order->length);
    if (!checksum)
    {
        return Say(now, MakeReply(checksum.GetError()));
    }
    m_checksum.Start(now, std::move(*checksum), m_settings.data.buffers.processing.checksumRate);
}

void
ServerSession::ExecuteSite(Nanoseconds now, const Command& command)
{
    const auto site = ParseSite(command.argument);
    if (site && site->size > LARGEST_BUFFER)
    {
        return Say(now, {501, {"Buffer size out of range: " + std::to_string(site->size)}});
    }
    if (site && site->verb == SiteVerb::STORBUFSIZE)
    {
        m_data.SetReceiveWindow(static_cast<uint32_t>(site->size));
    }
    if (site && site->verb == SiteVerb::RETRBUFSIZE)
    {
        m_data.SetSendWindow(static_cast<uint32_t>(site->size));
    }
    Say(now, MakeReply(command));
}

void
ServerSession::ExecuteLetter(Nanoseconds now, const Command& command, std::string_view implemented)
{
    const auto letter = ParseLetter(command.argument, implemented);
    Say(now, letter ? MakeReply(command) : MakeReply(letter.GetError()));
}

void
ServerSession::ExecuteAllocate(Nanoseconds now, const Command& command)
{
    const auto bytes = ParseNumber(command.argument);
    if (!bytes)
    {
        return Say(now, MakeReply(bytes.GetError()));
    }
    m_allocated = *bytes;
    Say(now, MakeReply(command));
}

void
ServerSession::ExecuteOptions(Nanoseconds now, const Command& command)
{
    const auto options = ParseRetrieveOptions(command.argument);
    if (!options)
    {
        return Say(now, MakeReply(options.GetError()));
    }
    const uint32_t most = m_settings.mostParallelism;
    if (options->parallelism.starting > most ||
        std::ranges::any_of(options->pairs, [most](uint32_t n) { return n > most; }))
    {
        return Say(now, {501, {"At most " + std::to_string(most) + " connections are allowed."}});
    }
    m_options = *options;
    Say(now, MakeReply(command));
}

void
ServerSession::ExecuteProtectionBuffer(Nanoseconds now, const Command& command)
{
    const auto bytes = ParseProtectionBuffer(command.argument);
    m_hasPbsz = m_hasPbsz || static_cast<bool>(bytes);
    Say(now, bytes ? MakeReply(command) : MakeReply(bytes.GetError()));
}

void
ServerSession::ExecuteProtection(Nanoseconds now, const Command& command)
{
    const auto protection = ParseProtection(command.argument);
    if (!protection)
    {
        return Say(now, MakeReply(protection.GetError()));
    }
    if (!m_hasPbsz)
    {
        return Say(now, {503, {"Use PBSZ first."}});
    }
    m_data.SetProtection(*protection);
    Say(now, MakeReply(command));
}

void
ServerSession::ExecuteAbort(Nanoseconds now, const Command& command)
{
    DropTransfer(now);
    if (m_state == ServerState::TRANSFERRING)
    {
        SetState(now, ServerState::READY);
        Say(now, MakeAbortedReply());
    }
    Say(now, MakeReply(command));
}

void
ServerSession::ExecuteQuit(Nanoseconds now, const Command& command)
{
    Say(now, MakeReply(command));
    m_sizer.End();
    m_data.Abort(now);
    m_settings.files->DropFiles();
    m_control->Close(now);
    SetState(now, ServerState::CLOSED);
}

} // namespace ns3::gridftp
