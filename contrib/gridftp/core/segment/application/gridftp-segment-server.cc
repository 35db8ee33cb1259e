/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-server.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

namespace
{

// What a line to the server says; a line to the client says its code
constexpr uint32_t COMMAND = 0; // the command under way
constexpr uint32_t ABORT = 1;   // ABOR
constexpr uint32_t SIZING = 2;  // SBUF
constexpr uint32_t ALIVE = 3;   // NOOP

constexpr uint32_t SIZING_FLAG = 1U << 31; // beside the code of a line to the client: it says SBUF
constexpr uint32_t MARKER_FLAG = 1U << 30; // likewise: it ends with a restart marker
constexpr uint32_t ALIVE_FLAG = 1U << 29;  // likewise: it answers NOOP

constexpr uint32_t PERFORMANCE_MARKER = 112;

constexpr uint32_t FIRST_FINAL = 200;
constexpr uint32_t RANGE_MARKER = 111;
constexpr uint32_t AUTHENTICATED = 235;

/** @return whether a line to the client has performance markers */
bool
IsMarker(uint32_t message)
{
    constexpr uint32_t COMPLETE = 226; // with those of the end, where the server has received
    return message == PERFORMANCE_MARKER || message == COMPLETE || (message & MARKER_FLAG) != 0;
}

} // namespace

SegmentServer::SegmentServer(Peer peer,
                             int64_t rttSamples,
                             FlowTable& flows,
                             const SegmentTcp& tcp,
                             const FlowPath& path,
                             User& user,
                             ServerFaults& faults,
                             const RequestCost& cost)
    : m_peer(peer),
      m_user(&user),
      m_responses(static_cast<size_t>(rttSamples)),
      m_control(flows,
                tcp,
                path,
                *this,
                faults.isWatched ? &faults.deaths : nullptr,
                faults.idleRules,
                faults.closesApart),
      m_faults(&faults),
      m_clock(path.clocks[SegmentControlChannel::SERVER]),
      m_cost(cost)
{
}

void
SegmentServer::Connect(Nanoseconds now)
{
    m_connected = m_isAwaited = true;
    m_saidNs = now;
    m_control.Connect(now);
}

void
SegmentServer::Order(Nanoseconds now, Command command, const Block& chunk)
{
    m_owed += IsTransferVerb(command.verb) ? 1 : 0;
    m_isAwaited = true;
    Write(now, command, COMMAND);
    m_onWay.push_back({command, chunk});
    m_said.Say(std::move(command), now);
}

void
SegmentServer::Write(Nanoseconds now, const Command& command, uint32_t message)
{
    constexpr auto CLIENT = SegmentControlChannel::CLIENT;
    m_saidNs = now;
    m_control.Write(CLIENT, now, GetLength(CLIENT, FormatCommand(command)), message);
}

uint32_t
SegmentServer::GetLength(TcpConnection::End end, const std::string& text) const
{
    if (!m_isProtected[end])
    {
        return static_cast<uint32_t>(text.size());
    }
    const bool isClient = end == SegmentControlChannel::CLIENT;
    return static_cast<uint32_t>(
        GetWrappedLength(isClient ? ArmourSide::CLIENT : ArmourSide::SERVER, text));
}

void
SegmentServer::OrderAbort(Nanoseconds now)
{
    m_owed = static_cast<uint32_t>(m_said.GetSize()) + 1; // each is answered before it closes
    Write(now, {Verb::ABOR, ""}, ABORT);
}

void
SegmentServer::OrderSizing(Nanoseconds now, const SizingMessage& message)
{
    ++m_sizingsOwed;
    m_sizings[SegmentControlChannel::CLIENT].push_back(message);
    Write(now, MakeSizingCommand(message), SIZING);
}

Nanoseconds
SegmentServer::KeepAlive(Nanoseconds now, int64_t afterNs)
{
    const bool waits = !m_said.IsEmpty() && !IsTransferVerb(m_said.GetFirst().verb);
    const bool isDue = now - m_saidNs >= afterNs;
    if (isDue && m_connected && m_isGreeted && !waits)
    {
        Write(now, {Verb::NOOP, ""}, ALIVE);
    }
    return isDue ? now + afterNs : m_saidNs + afterNs;
}

void
SegmentServer::SaySizing(Nanoseconds now, int code, const SizingMessage& message)
{
    m_sizings[SegmentControlChannel::SERVER].push_back(message);
    const std::string text = FormatReply(MakeSizingReply(code, message));
    Say(now, SIZING_FLAG | static_cast<uint32_t>(code), text);
}

void
SegmentServer::Close()
{
    m_connected = false;
    m_control.Close();
}

void
SegmentServer::Leave(Nanoseconds now)
{
    m_connected = false;
    m_control.Leave(now);
}

void
SegmentServer::Stop(Nanoseconds now)
{
    m_endedNs = m_endedNs < 0 ? int64_t{now} : m_endedNs;
    m_connected = false;
    m_owed = 0;
    m_control.Stop();
}

void
SegmentServer::Drop(Nanoseconds now)
{
    if (m_connected)
    {
        m_control.Reset(SegmentControlChannel::CLIENT, now);
    }
    m_connected = m_isAwaited = false;
    m_owed = 0;
}

void
SegmentServer::SayMarker(Nanoseconds now, const std::string& text, MarkerRanges ranges)
{
    m_markers.push_back(std::move(ranges));
    Say(now, MARKER_FLAG | RANGE_MARKER, text);
}

void
SegmentServer::Say(Nanoseconds now, const Reply& reply)
{
    Say(now, static_cast<uint32_t>(reply.code), FormatReply(reply));
}

void
SegmentServer::Say(Nanoseconds now, uint32_t code, const std::string& text)
{
    if (m_isAlone)
    {
        return; // there is nobody to hear it
    }
    if (IsMarker(code))
    {
        m_progress.push_back(std::exchange(m_saying, {}));
    }
    m_isAsked = m_isAsked && (code & ~SIZING_FLAG & ~MARKER_FLAG) < FIRST_FINAL;
    constexpr auto SERVER = SegmentControlChannel::SERVER;
    m_control.Write(SERVER, now, GetLength(SERVER, text), code);
    m_isProtected[SERVER] = m_isProtected[SERVER] || code == AUTHENTICATED;
}

void
SegmentServer::SayAt(Nanoseconds now, Nanoseconds at, const Reply& reply)
{
    if (at <= now)
    {
        return Say(now, reply);
    }
    m_later = reply;
    m_laterNs = at;
    m_clock->Schedule(at, *this, 0);
}

void
SegmentServer::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    if (now == m_laterNs)
    {
        m_laterNs = NEVER;
        Say(now, m_later);
        ExecuteWaiting(now);
    }
    if (m_isDelayed && now == m_dueNs)
    {
        m_isDelayed = false;
        m_user->HandleCommand(*this, now, false);
        ExecuteWaiting(now);
    }
}

bool
SegmentServer::ResetControl(Nanoseconds now)
{
    if (!m_accepted || m_closed)
    {
        return false;
    }
    End(now);
    m_isAlone = true;
    Forget();
    m_control.Reset(SegmentControlChannel::SERVER, now);
    return true;
}

void
SegmentServer::Die(Nanoseconds now)
{
    m_isAsked = false;
    Forget();
    if (m_control.IsKnown())
    {
        End(now);
        m_isAlone = true;
        m_control.Reset(SegmentControlChannel::SERVER, now);
    }
}

void
SegmentServer::HandleControlLost(Nanoseconds now)
{
    End(now);
    m_isAlone = true;
    m_isAsked = false;
    Forget();
    m_user->HandleClientLost(*this, now);
}

void
SegmentServer::HandleControlAccepted(Nanoseconds now)
{
    m_accepted = true;
    m_acceptedNs = now;
    if (IsOut(m_faults->resets, now) || std::exchange(m_faults->resetsNext, false))
    {
        ResetControl(now);
        return;
    }
    if (IsOut(m_faults->silences, now))
    {
        return;
    }
    Say(now, MakeGreeting("server"));
}

void
SegmentServer::HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message)
{
    if (to == SegmentControlChannel::CLIENT)
    {
        return HandleReply(now, message);
    }
    Line line{message, {}, {}};
    if (message == SIZING)
    {
        line.sizing = TakeSizing(SegmentControlChannel::CLIENT);
    }
    if (message == COMMAND)
    {
        line.asked = std::move(m_onWay.front());
        m_onWay.pop_front();
    }
    if (!IsOut(m_faults->silences, now))
    {
        m_waiting.push_back(std::move(line));
        ExecuteWaiting(now);
    }
}

void
SegmentServer::Execute(Nanoseconds now, Line line)
{
    if (line.message == SIZING)
    {
        return m_user->HandleSizing(*this, now, line.sizing);
    }
    if (line.message == ALIVE)
    {
        if (m_isAlone)
        {
            return;
        }
        const std::string text = FormatReply(MakeReply({Verb::NOOP, ""}));
        constexpr auto SERVER = SegmentControlChannel::SERVER;
        return m_control.Write(SERVER, now, GetLength(SERVER, text), ALIVE_FLAG);
    }
    if (line.message == ABORT)
    {
        return m_user->HandleCommand(*this, now, true);
    }
    m_isAsked = true;
    m_asked = std::move(line.asked);
    if (m_cost.ns > 0 && IsTransferVerb(m_asked.command.verb))
    {
        m_isDelayed = true;
        m_dueNs = m_cost.cpu->Ask(now, {CpuUse::REQUESTS, m_cost.ns});
        return m_clock->Schedule(m_dueNs, *this, 0);
    }
    m_user->HandleCommand(*this, now, false);
}

void
SegmentServer::ExecuteWaiting(Nanoseconds now)
{
    // A command waits for the end of a transfer; what is of that, ABOR or SBUF, does not
    const auto hasTurn = [this](const Line& line) { return line.message != COMMAND || !m_busy; };
    while (!m_isDelayed && m_laterNs == NEVER)
    {
        const auto next = std::ranges::find_if(m_waiting, hasTurn);
        if (next == m_waiting.end())
        {
            return;
        }
        Line line = std::move(*next);
        m_waiting.erase(next);
        Execute(now, std::move(line));
    }
}

void
SegmentServer::HandleReply(Nanoseconds now, uint32_t message)
{
    if (message == ALIVE_FLAG)
    {
        return; // says nothing of what is under way
    }
    m_isGreeted = true;
    if (IsMarker(message))
    {
        TakeProgress();
    }
    if ((message & MARKER_FLAG) != 0)
    {
        const MarkerRanges ranges = std::move(m_markers.front());
        m_markers.pop_front();
        return m_user->HandleMarker(*this, now, ranges);
    }
    const auto code = static_cast<int>(message & ~SIZING_FLAG);
    const bool isSizing = (message & SIZING_FLAG) != 0;
    if (isSizing || (m_sizingsOwed > 0 && IsSizingRefusal(code)))
    {
        m_sizingsOwed -= code == SIZING_NOTICE ? 0 : 1;
        const auto said = isSizing ? TakeSizing(SegmentControlChannel::SERVER) : SizingMessage();
        return m_user->HandleSizingReply(*this, now, code, said);
    }
    m_isAwaited = m_isAwaited && (message < FIRST_FINAL || m_said.GetSize() > 1);
    m_isProtected[SegmentControlChannel::CLIENT] =
        m_isProtected[SegmentControlChannel::CLIENT] || code == static_cast<int>(AUTHENTICATED);
    m_user->HandleReply(*this, now, message);
}

void
SegmentServer::TakeProgress()
{
    for (const Progress& one : m_progress.front())
    {
        m_user->HandleProgress(one.stripe, one.bytes);
    }
    m_progress.pop_front();
}

SizingMessage
SegmentServer::TakeSizing(TcpConnection::End writer)
{
    const SizingMessage message = m_sizings[writer].front();
    m_sizings[writer].pop_front();
    return message;
}

void
SegmentServer::HandleControlFailed(Nanoseconds now, const char* reason)
{
    m_connected = false;
    m_owed = 0;
    m_user->HandleLost(*this, now, reason);
}

void
SegmentServer::AddState(SegmentState& state) const
{
    m_control.AddState(state);
    for (const size_t count : {m_said.GetSize(), m_onWay.size(), m_waiting.size()})
    {
        state.Add(count);
    }
    state.Add(m_owed);
    for (const bool flag : {m_connected, m_accepted, m_closed, m_isAwaited, m_isAsked})
    {
        state.Add(flag);
    }
    for (const bool flag : {m_isAlone, m_busy, m_isDelayed, m_isDropped})
    {
        state.Add(flag);
    }
    state.AddTime(m_dueNs);
    state.AddTime(m_laterNs);
}

} // namespace ns3::gridftp
