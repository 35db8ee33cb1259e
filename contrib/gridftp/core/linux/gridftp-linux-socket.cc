/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-socket.h"

#include "gridftp-linux-receiver-fast.h"
#include "gridftp-linux-sender-fast.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

constexpr Nanoseconds SYN_TIMEOUT = 1000 * LINUX_MS; //!< TCP_TIMEOUT_INIT
constexpr uint32_t LINEAR_SYNS = 4;                  //!< tcp_syn_linear_timeouts
constexpr uint32_t TIMESTAMP_BYTES = 12;             //!< the option, padded

} // namespace

LinuxSocket::LinuxSocket(const LinuxSettings& settings, Port& port, uint32_t number)
    : m_settings(settings),
      m_port(port),
      m_sender(settings, *this, number),
      m_receiver(settings)
{
}

void
LinuxSocket::Connect(Nanoseconds now)
{
    m_isActive = true;
    m_state = State::SYN_SENT;
    SendSyn(now);
}

void
LinuxSocket::Listen()
{
    m_state = State::LISTEN;
}

void
LinuxSocket::Receive(Nanoseconds now, const LinuxSegment& segment)
{
    constexpr uint8_t KINDS =
        LinuxSegment::SYN | LinuxSegment::ACK | LinuxSegment::FIN | LinuxSegment::RST;
    if (m_state == State::ESTABLISHED && (segment.flags & KINDS) == LinuxSegment::ACK) [[likely]]
    {
        if (segment.size == 0 && m_sender.IsPlain(segment)) [[likely]]
        {
            return ReceivePlainAck(now, segment);
        }
        if (segment.size > 0 && m_sender.IsIdle(segment)) [[likely]]
        {
            m_sender.HandleIdleAck(now, segment);
            return ReceiveData(now, segment);
        }
    }
    if (segment.Has(LinuxSegment::RST)) [[unlikely]]
    {
        if (m_state != State::LISTEN && m_state != State::CLOSED)
        {
            Fail(now, m_state == State::SYN_SENT ? Failure::REFUSED : Failure::RESET);
        }
        return;
    }
    switch (m_state)
    {
    case State::CLOSED:
        return m_isForgotten ? void() : Refuse(segment);
    case State::LISTEN:
        return ReceiveSyn(now, segment);
    case State::SYN_SENT:
        return ReceiveSynAck(now, segment);
    case State::SYN_RECEIVED:
        if (segment.Has(LinuxSegment::SYN))
        {
            return SendSyn(now); // the SYN-ACK was lost
        }
        if (!segment.Has(LinuxSegment::ACK) || segment.ack < 1)
        {
            return;
        }
        Establish(now, segment.window);
        m_port.HandleConnected(*this, now);
        if (!IsSynchronized())
        {
            return;
        }
        break;
    default:
        break;
    }
    ReceiveEstablished(now, segment);
}

void
LinuxSocket::ReceiveSyn(Nanoseconds now, const LinuxSegment& segment)
{
    if (segment.Has(LinuxSegment::ACK))
    {
        return Refuse(segment);
    }
    if (!segment.Has(LinuxSegment::SYN))
    {
        return;
    }
    m_hasSack = m_settings.sack && segment.hasSack;
    m_hasTimestamp = m_settings.timestamps && segment.hasTimestamp;
    m_hasEcn = m_settings.ecn && segment.Has(LinuxSegment::ECE) && segment.Has(LinuxSegment::CWR);
    m_peerMss = segment.mss;
    LinuxSegment syn = segment;
    syn.size = 0; // without TCP Fast Open the data wait for the handshake: they are sent again
    m_receiver.Open(now, syn, m_hasSack, m_hasTimestamp);
    m_state = State::SYN_RECEIVED;
    SendSyn(now);
}

void
LinuxSocket::ReceiveSynAck(Nanoseconds now, const LinuxSegment& segment)
{
    if (!segment.Has(LinuxSegment::SYN) || !segment.Has(LinuxSegment::ACK))
    {
        return;
    }
    m_hasSack = m_settings.sack && segment.hasSack;
    m_hasTimestamp = m_settings.timestamps && segment.hasTimestamp;
    m_hasEcn = m_settings.ecn && segment.Has(LinuxSegment::ECE);
    m_peerMss = segment.mss;
    m_receiver.Open(now, segment, m_hasSack, m_hasTimestamp);
    Establish(now, segment.window);
    m_port.HandleConnected(*this, now);
    if (m_state != State::CLOSED)
    {
        m_sender.Push(now);
        SendAck(now);
        HandleDeadline();
    }
}

void
LinuxSocket::Establish(Nanoseconds now, uint64_t window)
{
    m_state = m_isClosed ? State::FIN_WAIT_1 : State::ESTABLISHED;
    m_synDeadline = LinuxReceiver::NEVER;
    const uint32_t mss = std::min(m_settings.mss, m_peerMss > 0 ? m_peerMss : m_settings.mss);
    m_sender.Open(now,
                  {.mss = mss - (m_hasTimestamp ? TIMESTAMP_BYTES : 0),
                   .window = window,
                   .rttUs = m_synsSent == 1 ? (now - m_synSentAt) / 1000 : -1,
                   .hasSack = m_hasSack,
                   .hasTimestamp = m_hasTimestamp,
                   .hasEcn = m_hasEcn});
}

inline LinuxSegment&
LinuxSocket::MakeHeader(Nanoseconds now)
{
    LinuxSegment& segment = m_leaving;
    segment.Clear();
    segment.flags = LinuxSegment::ACK;
    if (m_hasTimestamp) [[likely]]
    {
        segment.hasTimestamp = true;
        segment.tsVal = LinuxSender::GetTimestamp(now);
    }
    m_receiver.Fill(now, segment);
    return segment;
}

void
LinuxSocket::SendAck(Nanoseconds now)
{
    LinuxSegment& segment = MakeHeader(now);
    segment.seq = m_sender.GetWindow().sndNxt;
    m_port.Send(*this, segment);
}

void
LinuxSocket::Read(Nanoseconds now, uint64_t bytes)
{
    if (m_receiver.Read(now, bytes) && IsSynchronized()) [[unlikely]]
    {
        SendAck(now);
    }
}

inline void
LinuxSocket::ReceivePlainAck(Nanoseconds now, const LinuxSegment& segment)
{
    m_sender.HandlePlainAck(now, segment);
    const bool isProbe = m_receiver.ReceiveAck(now, segment);
    m_sender.Push(now);
    if (isProbe) [[unlikely]]
    {
        SendAck(now);
    }
    if (IsSynchronized()) [[likely]]
    {
        m_port.HandleAcknowledged(*this, now);
    }
    if (m_receiver.HasFin()) [[unlikely]]
    {
        CheckClose(now);
    }
}

inline void
LinuxSocket::ReceiveData(Nanoseconds now, const LinuxSegment& segment)
{
    const bool isNew = m_receiver.Receive(now, segment);
    if (m_receiver.DecideAck(now, m_sender.GetWindow().srttUs8))
    {
        SendAck(now);
    }
    // GetNext() is GetReceived() and 1 for the SYN
    if (isNew && m_receiver.GetNext() <= m_readsUpTo) [[likely]]
    {
        Read(now, m_receiver.GetReadable());
    }
    else if (isNew)
    {
        m_isFinShown = m_isFinShown || m_receiver.HasFin();
        m_port.HandleReadable(*this, now);
    }
    if (m_receiver.HasFin()) [[unlikely]]
    {
        CheckClose(now);
    }
    if (m_receiver.GetDeadline() < m_shownDeadline) [[unlikely]]
    {
        HandleDeadline();
    }
}

void
LinuxSocket::ReceiveEstablished(Nanoseconds now, const LinuxSegment& segment)
{
    if (segment.Has(LinuxSegment::SYN)) [[unlikely]]
    {
        return SendAck(now); // a SYN-ACK that was sent again: our ACK was lost
    }
    if (!segment.Has(LinuxSegment::ACK)) [[unlikely]]
    {
        return; // every segment but a SYN has one (RFC 9293, Section 3.10.7.4)
    }
    if (segment.ack > m_sender.GetWindow().sndNxt) [[unlikely]]
    {
        return SendAck(now); // what was never sent: nothing of the segment is used (RFC 5961)
    }
    const bool isAdvance = m_sender.HandleAck(now, segment);
    const bool hasData = segment.size > 0 || segment.Has(LinuxSegment::FIN);
    if (!hasData) [[likely]]
    {
        const bool isProbe = m_receiver.ReceiveAck(now, segment);
        m_sender.Push(now);
        if (isProbe) [[unlikely]]
        {
            SendAck(now); // a probe of the window, or of whether the connection is alive
        }
    }
    else
    {
        const bool hadFin = m_receiver.HasFin();
        const bool isNew = m_receiver.Receive(now, segment);
        m_sender.Push(now);
        // Nothing is left to be sent that could carry the ACK (tcp_fin)
        const bool endsClose = m_isClosed && !hadFin && m_receiver.HasFin();
        if (m_receiver.DecideAck(now, m_sender.GetWindow().srttUs8) || endsClose)
        {
            SendAck(now);
        }
        if (isNew && (m_receiver.GetReadable() > 0 || (m_receiver.HasFin() && !m_isFinShown)))
        {
            m_isFinShown = m_isFinShown || m_receiver.HasFin();
            m_port.HandleReadable(*this, now);
        }
    }
    if (isAdvance && IsSynchronized())
    {
        m_port.HandleAcknowledged(*this, now);
    }
    if (m_state != State::ESTABLISHED || m_receiver.HasFin()) [[unlikely]]
    {
        CheckClose(now);
    }
    if (m_receiver.GetDeadline() < m_shownDeadline) [[unlikely]]
    {
        HandleDeadline(); // the sender reports its own
    }
}

void
LinuxSocket::CheckClose(Nanoseconds now)
{
    const bool isFinAcked = m_sender.IsFinAcknowledged();
    const bool hasFin = m_receiver.HasFin();
    switch (m_state)
    {
    case State::ESTABLISHED:
        m_state = hasFin ? State::CLOSE_WAIT : m_state;
        return;
    case State::FIN_WAIT_1:
        m_state = isFinAcked ? State::FIN_WAIT_2 : hasFin ? State::CLOSING : m_state;
        if (m_state == State::FIN_WAIT_2)
        {
            CheckClose(now);
        }
        return;
    case State::FIN_WAIT_2:
        m_state = hasFin ? State::TIME_WAIT : m_state;
        return;
    case State::CLOSING:
        m_state = isFinAcked ? State::TIME_WAIT : m_state;
        return;
    case State::LAST_ACK:
        m_state = isFinAcked ? State::CLOSED : m_state;
        return;
    default:
        return;
    }
}

void
LinuxSocket::Write(Nanoseconds now, uint64_t bytes)
{
    m_sender.Write(now, bytes);
    if (IsSynchronized())
    {
        m_sender.Push(now);
        HandleDeadline();
    }
}

void
LinuxSocket::Close(Nanoseconds now)
{
    if (m_isClosed)
    {
        return;
    }
    m_isClosed = true;
    if (m_state == State::LISTEN || m_state == State::SYN_SENT)
    {
        m_state = State::CLOSED;
        m_synDeadline = LinuxReceiver::NEVER;
        return;
    }
    if (m_state == State::CLOSED)
    {
        return;
    }
    if (m_receiver.GetReadable() > 0 && IsSynchronized())
    {
        return Abort(now); // data that nobody will read: the peer has to know (RFC 2525, 2.17)
    }
    m_sender.Finish();
    if (IsSynchronized())
    {
        m_state = m_state == State::CLOSE_WAIT ? State::LAST_ACK : State::FIN_WAIT_1;
        m_sender.Push(now);
        HandleDeadline();
    }
}

void
LinuxSocket::Abort(Nanoseconds now)
{
    if (IsSynchronized() || m_state == State::SYN_RECEIVED)
    {
        SendReset(now, m_sender.GetWindow().sndNxt);
    }
    m_state = State::CLOSED;
    m_synDeadline = LinuxReceiver::NEVER;
    m_sender.Stop();
}

void
LinuxSocket::Forget()
{
    m_isForgotten = true;
    m_state = State::CLOSED;
    m_synDeadline = LinuxReceiver::NEVER;
    m_sender.Stop();
}

void
LinuxSocket::Fail(Nanoseconds now, Failure failure)
{
    m_state = State::CLOSED;
    m_synDeadline = LinuxReceiver::NEVER;
    m_sender.Stop();
    m_port.HandleFailed(*this, now, failure);
}

Nanoseconds
LinuxSocket::GetDeadline() const
{
    if (m_state == State::CLOSED)
    {
        return LinuxReceiver::NEVER;
    }
    return std::min({m_synDeadline, m_sender.GetDeadline(), m_receiver.GetDeadline()});
}

void
LinuxSocket::HandleTimer(Nanoseconds now)
{
    m_shownDeadline = LinuxReceiver::NEVER;
    if (m_state == State::CLOSED)
    {
        return;
    }
    if (m_synDeadline <= now)
    {
        RepeatSyn(now);
    }
    if (m_receiver.GetDeadline() <= now && m_receiver.HandleDeadline(now))
    {
        SendAck(now);
    }
    if (m_sender.GetDeadline() <= now)
    {
        m_sender.HandleDeadline(now);
    }
    HandleDeadline();
}

void
LinuxSocket::RepeatSyn(Nanoseconds now)
{
    if (m_synsSent > m_settings.synRetries + (m_isActive ? LINEAR_SYNS : 0))
    {
        return Fail(now, Failure::TIMED_OUT);
    }
    if (m_isActive)
    {
        m_sender.CountSynTimeout(); // the timer of a SYN-ACK is another one, which counts nothing
    }
    SendSyn(now);
}

void
LinuxSocket::SendSyn(Nanoseconds now)
{
    const uint32_t doublings =
        m_isActive ? (m_synsSent > LINEAR_SYNS ? m_synsSent - LINEAR_SYNS : 0) : m_synsSent;
    const Nanoseconds timeout = std::min(SYN_TIMEOUT << std::min(doublings, 7U), m_settings.maxRto);
    ++m_synsSent;
    m_synSentAt = now;
    m_synDeadline = now + timeout;
    LinuxSegment& segment = m_leaving;
    segment.Clear();
    segment.flags = LinuxSegment::SYN;
    segment.mss = m_settings.mss;
    if (m_state == State::SYN_SENT)
    {
        segment.hasSack = m_settings.sack;
        segment.hasTimestamp = m_settings.timestamps;
        segment.flags |= m_settings.ecn ? LinuxSegment::ECE | LinuxSegment::CWR : 0;
    }
    else
    {
        segment.flags |= LinuxSegment::ACK;
        segment.hasSack = m_hasSack;
        segment.hasTimestamp = m_hasTimestamp;
        segment.flags |= m_hasEcn ? LinuxSegment::ECE : 0;
    }
    if (segment.hasTimestamp)
    {
        segment.tsVal = LinuxSender::GetTimestamp(now);
    }
    m_receiver.Fill(now, segment);
    m_port.Send(*this, segment);
    HandleDeadline();
}

void
LinuxSocket::SendReset(Nanoseconds now, uint64_t seq)
{
    LinuxSegment& segment = MakeHeader(now);
    segment.flags |= LinuxSegment::RST;
    segment.seq = seq;
    m_port.Send(*this, segment);
}

void
LinuxSocket::Refuse(const LinuxSegment& segment)
{
    LinuxSegment& reset = m_leaving;
    reset.Clear();
    reset.flags = LinuxSegment::RST;
    if (segment.Has(LinuxSegment::ACK))
    {
        reset.seq = segment.ack;
    }
    else
    {
        reset.flags |= LinuxSegment::ACK;
        reset.ack = segment.GetEnd();
    }
    m_port.Send(*this, reset);
}

uint64_t
LinuxSocket::GetReceived() const
{
    const uint64_t next = m_receiver.GetNext();
    return next == 0 ? 0 : next - 1 - (m_receiver.HasFin() ? 1 : 0);
}

uint64_t
LinuxSocket::GetAcknowledged() const
{
    return m_sender.GetAcknowledged() - 1 - (m_sender.IsFinAcknowledged() ? 1 : 0);
}

// LinuxSender::Port

LinuxSegment&
LinuxSocket::Prepare(bool hasData)
{
    const Nanoseconds now = m_sender.GetWindow().now;
    LinuxSegment& segment = MakeHeader(now);
    if (hasData)
    {
        m_receiver.HandleDataSent(now);
    }
    return segment;
}

void
LinuxSocket::Send(const LinuxSegment& segment)
{
    m_port.Send(*this, segment);
}

void
LinuxSocket::HandleDeadline()
{
    const Nanoseconds deadline = GetDeadline();
    if (deadline < m_shownDeadline)
    {
        m_shownDeadline = deadline;
        m_port.HandleDeadline(*this);
    }
}

void
LinuxSocket::HandleTimedOut()
{
    Fail(m_sender.GetWindow().now, Failure::TIMED_OUT);
}

void
LinuxSocket::HandleWindow()
{
    m_port.HandleWindow(*this, m_sender.GetWindow().now);
}

} // namespace ns3::gridftp
