/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender-fast.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: what an ACK means (tcp_ack of net/ipv4/tcp_input.c, and tcp_rate.c).
 */

namespace ns3::gridftp
{

bool
LinuxSender::HandleAck(Nanoseconds now, const LinuxSegment& segment)
{
    m_window.now = now;
    const uint64_t ack = segment.ack;
    if (ack > m_window.sndNxt)
    {
        return false; // of what was never sent
    }
    if (IsPlain(segment))
    {
        HandlePlainAck(now, segment);
        return true;
    }
    if (IsIdle(segment))
    {
        HandleIdleAck(now, segment);
        return false;
    }
    m_tsEcr = segment.hasTimestamp ? segment.tsEcr : 0;
    AckState state;
    state.priorUna = m_window.sndUna;
    state.rate.priorInFlight = m_window.GetInFlight();
    const uint64_t priorDelivered = m_window.delivered;
    const uint64_t priorLost = m_window.lost;
    Resend resend = Resend::NONE;
    if (ack < m_window.sndUna)
    {
        HandleOldAck(segment, state);
        return false;
    }
    state.isAdvance = ack > m_window.sndUna;
    m_retransmits = state.isAdvance ? 0 : m_retransmits;
    const uint64_t priorHighest = m_hasSack ? GetHighestSacked() : m_window.sndUna;
    const bool hadPackets = m_window.packetsOut > 0;
    state.hasData = segment.size > 0 || segment.Has(LinuxSegment::FIN);
    UpdatePeerWindow(segment, state);
    if (segment.blocks > 0 && m_hasSack)
    {
        TagSacked(segment, state);
    }
    state.isEcho = m_hasEcn && segment.Has(LinuxSegment::ECE);
    if (state.sackDelivered > 0)
    {
        CountDelivered(state.sackDelivered, state);
    }
    m_probesOut = 0;
    if (!hadPackets)
    {
        if (state.isDsack)
        {
            ProcessState(state, 0, resend);
        }
        HandleWindowOfIdle();
        if (m_probeHighSeq > 0)
        {
            ProcessProbeAck(ack, state);
        }
        return true;
    }
    CleanQueue(state, priorHighest);
    UpdateReorderingWindow(state.rate.priorDelivered);
    if (m_probeHighSeq > 0)
    {
        ProcessProbeAck(ack, state);
    }
    const bool isAlert = state.isDataSacked || state.isEcho || state.isDsack;
    if (!state.IsNoDuplicate() || isAlert || m_window.state != LinuxCaState::OPEN)
    {
        const bool isDuplicate = !state.isAdvance && !state.IsNoDuplicate() && !state.isDsack;
        ProcessState(state, isDuplicate ? 1 : 0, resend);
    }
    if (state.setsTimer)
    {
        SetTransmitTimer();
    }
    const auto delivered = static_cast<uint32_t>(m_window.delivered - priorDelivered);
    CompleteRate(state, delivered, static_cast<uint32_t>(m_window.lost - priorLost));
    ControlCongestion(state, delivered);
    ResendAfterAck(resend);
    if (state.isAdvance && m_window.GetInFlight() < m_window.cwnd)
    {
        ExpandSendBuffer();
    }
    return true;
}

void
LinuxSender::ControlPlain(const LinuxSentSegment& last,
                          int64_t lastUs,
                          uint32_t acked,
                          uint32_t priorInFlight,
                          bool isDelayed)
{
    LinuxRateSample rate;
    rate.priorInFlight = priorInFlight;
    rate.isAckDelayed = isDelayed;
    rate.priorDelivered = last.delivered;
    rate.delivered = static_cast<int64_t>(m_window.delivered - last.delivered);
    rate.rttUs = lastUs;
    rate.priorDeliveredAt = last.deliveredAt;
    rate.lost = static_cast<uint32_t>(m_window.lost - last.lost);
    rate.txInFlight = last.inFlight;
    rate.deliveredCe = static_cast<int64_t>(m_window.deliveredCe) - last.deliveredCe;
    rate.isAppLimited = last.Has(LinuxSentSegment::APP_LIMITED);
    rate.ackedSacked = acked;
    rate.intervalUs =
        std::max((last.sentAt - last.firstSentAt) / 1000, GetUsSince(last.deliveredAt));
    rate.intervalUs = rate.intervalUs < int64_t{m_window.minRttUs} ? -1 : rate.intervalUs;
    m_control->Control(m_window, rate);
}

void
LinuxSender::HandleOldAck(const LinuxSegment& segment, AckState& state)
{
    if (segment.blocks == 0 || !m_hasSack)
    {
        return;
    }
    Resend resend = Resend::NONE;
    TagSacked(segment, state);
    CountDelivered(state.sackDelivered, state);
    ProcessState(state, 0, resend);
    ResendAfterAck(resend);
}

void
LinuxSender::ResendAfterAck(Resend resend)
{
    if (resend == Resend::NONE)
    {
        return;
    }
    if (resend == Resend::NEW)
    {
        SendNew(false);
        if (m_window.sndNxt > m_highSeq)
        {
            return;
        }
        m_isFrto = false;
    }
    ResendLost();
}

void
LinuxSender::UpdatePeerWindow(const LinuxSegment& segment, AckState& state)
{
    const uint64_t window = segment.window;
    if (segment.ack > m_window.sndUna || segment.seq > m_windowSeq ||
        (segment.seq == m_windowSeq && (window > m_peerWindow || window == 0)))
    {
        state.isWindowUpdate = true;
        m_windowSeq = segment.seq;
        if (m_peerWindow != window)
        {
            SetPeerWindow(window);
        }
    }
    m_window.sndUna = segment.ack;
}

void
LinuxSender::SetPeerWindow(uint64_t window)
{
    m_peerWindow = window;
    m_maxPeerWindow = std::max(m_maxPeerWindow, window);
    if (m_window.sndNxt < m_written)
    {
        CheckIdle();
    }
}

void
LinuxSender::CleanQueue(AckState& state, uint64_t priorHighest)
{
    using Sent = LinuxSentSegment;
    const uint32_t priorSacked = m_window.sackedOut;
    Nanoseconds firstAckedAt = -1;
    Nanoseconds lastAckedAt = -1;
    uint64_t reordered = m_window.sndNxt;
    uint32_t acked = 0;
    bool isWhole = true;
    while (!m_queue.IsEmpty())
    {
        Sent& sent = m_queue.Front();
        if (sent.end > m_window.sndUna)
        {
            isWhole = sent.start >= m_window.sndUna;
            break;
        }
        if (sent.WasRetransmitted()) [[unlikely]]
        {
            m_window.retransOut -= sent.Has(Sent::RETRANSMITTED) ? 1 : 0;
            state.isRetransAcked = true;
        }
        else if (!sent.Has(Sent::SACKED)) [[likely]]
        {
            lastAckedAt = sent.sentAt;
            firstAckedAt = firstAckedAt < 0 ? lastAckedAt : firstAckedAt;
            reordered = std::min(reordered, sent.start);
            state.isOriginalAcked = state.isOriginalAcked || sent.end <= m_highSeq;
        }
        if (sent.Has(Sent::SACKED)) [[unlikely]]
        {
            --m_window.sackedOut;
        }
        else if (m_hasSack) [[likely]]
        {
            CountDelivered(1, state);
            if (!IsSpuriousRetransmission(sent))
            {
                AdvanceRack(sent);
            }
        }
        m_window.lostOut -= sent.Has(Sent::LOST) ? 1 : 0;
        --m_window.packetsOut;
        ++acked;
        state.isDataAcked = true;
        NoteDelivered(sent, state);
        m_queue.Pop();
    }
    state.isReneging = !m_queue.IsEmpty() && m_queue.Front().Has(Sent::SACKED);
    int64_t sequenceUs = -1;
    int64_t congestionUs = -1;
    if (firstAckedAt >= 0 && !state.isRetransAcked)
    {
        sequenceUs = GetUsSince(firstAckedAt);
        congestionUs = GetUsSince(lastAckedAt);
        const bool isShort = m_window.sndUna - state.priorUna < m_window.mss;
        const bool isAlert = state.isDataSacked || state.isEcho || state.isDsack;
        state.maybeDelayed = acked == 1 && isWhole && priorSacked == 0 && isShort && !isAlert &&
                             state.rate.priorDelivered + 1 == m_window.delivered;
    }
    int64_t sackUs = -1;
    if (state.firstSackedAt >= 0)
    {
        sackUs = GetUsSince(state.firstSackedAt);
        congestionUs = GetUsSince(state.lastSackedAt);
    }
    const bool hasSample = TakeRtt(state, sequenceUs, sackUs, congestionUs);
    if (state.isDataAcked)
    {
        state.setsTimer = true;
        if (!m_hasSack)
        {
            RemoveRenoSacks(acked, state);
            state.isOriginalAcked = state.isOriginalAcked && !state.isRetransAcked;
        }
        else if (reordered < priorHighest)
        {
            CheckReordering(reordered);
        }
    }
    else if (hasSample && sackUs >= 0 && !m_queue.IsEmpty() &&
             sackUs > GetUsSince(m_queue.Front().sentAt))
    {
        state.setsTimer = true; // else the timeout would be put off again and again in recovery
    }
    m_control->HandleAcked(m_window, {.rttUs = state.rate.rttUs});
}

bool
LinuxSender::TakeRtt(AckState& state, int64_t sequenceUs, int64_t sackUs, int64_t congestionUs)
{
    if (sequenceUs < 0)
    {
        sequenceUs = sackUs;
    }
    if (sequenceUs < 0 && m_tsEcr != 0 && state.isDataAcked)
    {
        const uint32_t delta = GetTimestamp(m_window.now) - m_tsEcr;
        sequenceUs = congestionUs = std::max<int64_t>(delta, 1) * 1000;
    }
    state.rate.rttUs = congestionUs;
    if (sequenceUs < 0)
    {
        return false;
    }
    AddRtt(sequenceUs, congestionUs, state.maybeDelayed);
    return true;
}

void
LinuxSender::NoteDelivered(LinuxSentSegment& sent, AckState& state) const
{
    using Sent = LinuxSentSegment;
    if (sent.Has(Sent::COUNTED))
    {
        return;
    }
    if (state.rateSentAt < 0 || sent.sentAt > state.rateSentAt ||
        (sent.sentAt == state.rateSentAt && sent.end > state.rateEnd))
    {
        state.rate.priorDelivered = sent.delivered;
        state.rate.priorDeliveredAt = sent.deliveredAt;
        state.rate.deliveredCe = sent.deliveredCe;
        state.rate.lost = static_cast<uint32_t>(m_window.lost - sent.lost);
        state.rate.txInFlight = sent.inFlight;
        state.rate.isAppLimited = sent.Has(Sent::APP_LIMITED);
        state.rateSentAt = sent.sentAt;
        state.rateEnd = sent.end;
        state.rate.intervalUs = (sent.sentAt - sent.firstSentAt) / 1000;
    }
    if (sent.Has(Sent::SACKED))
    {
        sent.flags |= Sent::COUNTED; // not a second time when it is acknowledged cumulatively
    }
}

void
LinuxSender::CompleteRate(AckState& state, uint32_t delivered, uint32_t lost)
{
    LinuxRateSample& rate = state.rate;
    if (m_window.appLimited > 0 && m_window.delivered > m_window.appLimited)
    {
        m_window.appLimited = 0;
    }
    if (state.rateSentAt >= 0)
    {
        m_firstSentAt = state.rateSentAt;
    }
    if (delivered > 0)
    {
        m_window.deliveredAt = m_window.now;
    }
    rate.ackedSacked = delivered;
    rate.losses = lost;
    rate.isAckDelayed = state.maybeDelayed;
    rate.isEce = state.isEcho;
    rate.delivered = -1;
    if (state.rateSentAt < 0 || m_isReneg)
    {
        rate.intervalUs = -1;
        return;
    }
    rate.delivered = static_cast<int64_t>(m_window.delivered - rate.priorDelivered);
    rate.deliveredCe = static_cast<int64_t>(m_window.deliveredCe) - rate.deliveredCe;
    // The longer one of the phases of sending and of acknowledging
    rate.intervalUs = std::max(rate.intervalUs, GetUsSince(rate.priorDeliveredAt));
    if (rate.intervalUs < static_cast<int64_t>(m_window.minRttUs))
    {
        rate.intervalUs = -1; // a segment and its retransmission were mixed up
    }
}

void
LinuxSender::ControlCongestion(const AckState& state, uint32_t delivered)
{
    if (m_hasControl)
    {
        m_control->Control(m_window, state.rate);
        return;
    }
    if (IsReducing())
    {
        ReduceCwnd(static_cast<int32_t>(delivered), state.rate.losses, state.isAdvance);
    }
    else if (m_reordering > m_settings.reordering ? state.isDataAcked || state.isDataSacked
                                                  : state.isDataAcked)
    {
        m_control->Increase(m_window, delivered);
        m_cwndStampAt = m_window.now;
    }
    UpdatePacingRate();
}

} // namespace ns3::gridftp
