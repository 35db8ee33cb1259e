/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender-fast.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: the states of loss recovery (tcp_fastretrans_alert of net/ipv4/tcp_input.c).
 */

namespace ns3::gridftp
{

void
LinuxSender::SetState(LinuxCaState next)
{
    m_control->HandleState(m_window, next);
    m_window.state = next;
}

uint32_t
LinuxSender::GetCurrentSsthresh() const
{
    // In recovery cwnd is lower than what it will be; else three quarters of cwnd were reached
    return IsReducing() ? m_window.ssthresh
                        : std::max(m_window.ssthresh, m_window.cwnd / 2 + m_window.cwnd / 4);
}

void
LinuxSender::ProcessState(AckState& state, uint32_t duplicates, Resend& resend)
{
    if (m_window.packetsOut == 0 && m_window.sackedOut > 0)
    {
        m_window.sackedOut = 0;
    }
    if (state.isEcho)
    {
        m_priorSsthresh = 0; // the reduction is required
    }
    if (state.isReneging && state.isAdvance)
    {
        // The receiver may have dropped SACKed data. Further ACKs show whether it has
        const Nanoseconds delay = std::max(ToTicks(m_window.srttUs8 >> 4), ToTicks(10'000));
        SetTimer(Timer::RETRANSMISSION, delay);
        state.setsTimer = false;
        return;
    }
    if (m_window.state == LinuxCaState::OPEN)
    {
        m_retransStampAt = -1;
    }
    else if (m_window.sndUna >= m_highSeq)
    {
        if (m_window.state == LinuxCaState::CWR && m_window.sndUna != m_highSeq)
        {
            EndReduction();
            SetState(LinuxCaState::OPEN);
        }
        else if (m_window.state == LinuxCaState::RECOVERY)
        {
            m_window.sackedOut = m_hasSack ? m_window.sackedOut : 0;
            if (TryUndoRecovery())
            {
                return;
            }
            EndReduction();
        }
    }
    if (m_window.state == LinuxCaState::RECOVERY)
    {
        if (ProcessRecovery(state, duplicates))
        {
            return;
        }
        resend = Resend::LOST;
        return;
    }
    if (m_window.state == LinuxCaState::LOSS)
    {
        ProcessLoss(state, duplicates, resend);
        FindLosses(state);
        if (m_window.state != LinuxCaState::OPEN && !state.isLostRetrans)
        {
            return;
        }
    }
    if (!m_hasSack)
    {
        m_window.sackedOut = state.isAdvance ? 0 : m_window.sackedOut;
        AddRenoSack(duplicates, state);
    }
    if (m_window.state <= LinuxCaState::DISORDER)
    {
        TryUndoDsack();
    }
    FindLosses(state);
    if (m_window.lostOut == 0)
    {
        TryToOpen(state);
        return;
    }
    EnterRecovery(state.isEcho);
    resend = Resend::LOST;
}

bool
LinuxSender::ProcessRecovery(AckState& state, uint32_t duplicates)
{
    if (!state.isAdvance)
    {
        if (!m_hasSack)
        {
            AddRenoSack(duplicates, state);
        }
    }
    else
    {
        bool isDone = false;
        if (TryUndoPartial(state, isDone) && isDone)
        {
            return true;
        }
    }
    if (TryUndoDsack())
    {
        TryKeepOpen();
    }
    FindLosses(state);
    if (m_window.state != LinuxCaState::RECOVERY)
    {
        if (m_window.lostOut == 0)
        {
            return true;
        }
        EnterRecovery(state.isEcho);
    }
    return false;
}

void
LinuxSender::ProcessLoss(const AckState& state, uint32_t duplicates, Resend& resend)
{
    const bool isRecovered = m_window.sndUna >= m_highSeq;
    if (state.isAdvance && TryUndoLoss(false))
    {
        return;
    }
    if (m_isFrto)
    {
        // RFC 5682, Section 3.1, with SACK. Step 3.b: data sent once were delivered
        if (state.isOriginalAcked && TryUndoLoss(true))
        {
            return;
        }
        if (m_window.sndNxt > m_highSeq)
        {
            if (state.isDataSacked || duplicates > 0)
            {
                m_isFrto = false; // step 3.a: the loss was real
            }
        }
        else if (state.isAdvance && !isRecovered)
        {
            m_highSeq = m_window.sndNxt;
            if (m_window.sndNxt < m_written && m_window.sndUna + m_peerWindow > m_window.sndNxt)
            {
                resend = Resend::NEW; // step 2.b
                return;
            }
            m_isFrto = false;
        }
    }
    if (isRecovered)
    {
        TryUndoRecovery();
        return;
    }
    if (!m_hasSack)
    {
        if (m_window.sndNxt > m_highSeq && duplicates > 0)
        {
            AddRenoSack(duplicates, state);
        }
        else if (state.isAdvance)
        {
            m_window.sackedOut = 0;
        }
    }
    resend = Resend::LOST;
}

void
LinuxSender::FindLosses(AckState& state)
{
    if (m_queue.IsEmpty())
    {
        return;
    }
    if (!m_hasSack)
    {
        MarkHeadLost(state.isAdvance);
        return;
    }
    const uint32_t prior = m_window.retransOut;
    if (MarkLostByTime())
    {
        state.setsTimer = false;
    }
    state.isLostRetrans = state.isLostRetrans || prior > m_window.retransOut;
}

void
LinuxSender::MarkHeadLost(bool isAdvance)
{
    const bool isEntering =
        m_window.state < LinuxCaState::RECOVERY && m_window.sackedOut >= m_reordering;
    if ((isEntering || (m_window.state == LinuxCaState::RECOVERY && isAdvance)) &&
        !m_queue.Front().Has(LinuxSentSegment::LOST))
    {
        MarkLost(m_queue.GetBegin());
    }
}

void
LinuxSender::LimitRenoSacked(uint32_t acked)
{
    const uint32_t holes = std::min(std::max(m_window.lostOut, 1U), m_window.packetsOut);
    if (m_window.sackedOut + holes > m_window.packetsOut)
    {
        m_window.sackedOut = m_window.packetsOut - holes;
        m_reordering = std::min(m_window.packetsOut + acked, 300U);
        ++m_reorderingSeen;
    }
}

void
LinuxSender::AddRenoSack(uint32_t duplicates, const AckState& state)
{
    if (duplicates == 0)
    {
        return;
    }
    const uint32_t prior = m_window.sackedOut;
    m_window.sackedOut += duplicates;
    LimitRenoSacked(0);
    if (m_window.sackedOut > prior)
    {
        CountDelivered(m_window.sackedOut - prior, state);
    }
}

void
LinuxSender::RemoveRenoSacks(uint32_t acked, const AckState& state)
{
    if (acked > 0)
    {
        // One of the segments was the hole, duplicate ACKs have counted the others
        const uint32_t sacked = m_window.sackedOut;
        CountDelivered(acked > sacked + 1 ? acked - sacked : 1, state);
        m_window.sackedOut = acked - 1 >= sacked ? 0 : sacked - (acked - 1);
    }
    LimitRenoSacked(acked);
}

void
LinuxSender::MarkLost(uint32_t number)
{
    using Sent = LinuxSentSegment;
    Sent& sent = m_queue.At(number);
    if (sent.Has(Sent::SACKED))
    {
        return;
    }
    if (static_cast<int32_t>(number - m_resendHint) < 0)
    {
        m_resendHint = number;
    }
    if (!sent.Has(Sent::LOST))
    {
        ++m_window.lostOut;
        sent.flags |= Sent::LOST;
    }
    else if (sent.Has(Sent::RETRANSMITTED))
    {
        sent.flags &= static_cast<uint8_t>(~Sent::RETRANSMITTED);
        --m_window.retransOut;
    }
    else
    {
        return;
    }
    ++m_window.lost;
    m_control->HandleLost(m_window,
                          {.lostBefore = sent.lost,
                           .inFlight = sent.inFlight,
                           .isAppLimited = sent.Has(Sent::APP_LIMITED),
                           .hasSample = !sent.Has(Sent::COUNTED)});
}

void
LinuxSender::InitUndo()
{
    m_undoMarker = m_window.sndUna;
    m_undoRetrans = m_window.retransOut > 0 ? static_cast<int32_t>(m_window.retransOut) : -1;
}

void
LinuxSender::EnterRecovery(bool isEcho)
{
    m_priorSsthresh = 0;
    InitUndo();
    if (!IsReducing())
    {
        if (!isEcho)
        {
            m_priorSsthresh = GetCurrentSsthresh();
        }
        InitReduction();
    }
    SetState(LinuxCaState::RECOVERY);
}

void
LinuxSender::EnterCwr()
{
    m_priorSsthresh = 0;
    if (m_window.state < LinuxCaState::CWR)
    {
        m_undoMarker = 0;
        InitReduction();
        SetState(LinuxCaState::CWR);
    }
}

void
LinuxSender::InitReduction()
{
    m_highSeq = m_window.sndNxt;
    m_probeHighSeq = 0;
    m_window.cwndCount = 0;
    m_window.priorCwnd = m_window.cwnd;
    m_prrDelivered = 0;
    m_prrOut = 0;
    m_window.ssthresh = m_control->GetSsthresh(m_window);
    m_queuesCwr = m_hasEcn;
}

void
LinuxSender::ReduceCwnd(int32_t delivered, uint32_t lost, bool isAdvance)
{
    if (delivered <= 0 || m_window.priorCwnd == 0)
    {
        return;
    }
    const auto inFlight = static_cast<int64_t>(m_window.GetInFlight());
    const int64_t delta = static_cast<int64_t>(m_window.ssthresh) - inFlight;
    m_prrDelivered += static_cast<uint32_t>(delivered);
    int64_t count = 0;
    if (delta < 0)
    {
        const uint64_t dividend =
            static_cast<uint64_t>(m_window.ssthresh) * m_prrDelivered + m_window.priorCwnd - 1;
        count = static_cast<int64_t>(dividend / m_window.priorCwnd) - m_prrOut;
    }
    else
    {
        count = std::max<int64_t>(static_cast<int64_t>(m_prrDelivered) - m_prrOut, delivered);
        count += isAdvance && lost == 0 ? 1 : 0;
        count = std::min(delta, count);
    }
    count = std::max<int64_t>(count, m_prrOut > 0 ? 0 : 1);
    SetCwnd(static_cast<uint32_t>(inFlight + count));
}

void
LinuxSender::EndReduction()
{
    if (m_hasControl)
    {
        return;
    }
    if (m_window.ssthresh < LinuxWindow::NO_SSTHRESH &&
        (m_window.state == LinuxCaState::CWR || m_undoMarker > 0))
    {
        SetCwnd(m_window.ssthresh);
        m_cwndStampAt = m_window.now;
    }
    m_control->HandleEvent(m_window, LinuxCaEvent::COMPLETE_CWR);
}

bool
LinuxSender::IsPacketDelayed() const
{
    return m_retransStampAt >= 0 && m_tsEcr != 0 &&
           static_cast<int32_t>(m_tsEcr - GetTimestamp(m_retransStampAt)) < 0;
}

bool
LinuxSender::IsSpuriousRetransmission(const LinuxSentSegment& sent) const
{
    return sent.WasRetransmitted() && m_tsEcr != 0 &&
           static_cast<int32_t>(m_tsEcr - GetTimestamp(sent.sentAt)) < 0;
}

bool
LinuxSender::MayUndo() const
{
    return m_undoMarker > 0 && (m_undoRetrans == 0 || IsPacketDelayed());
}

void
LinuxSender::UndoReduction(bool unmarksLost)
{
    if (unmarksLost)
    {
        for (uint32_t number = m_queue.GetBegin(); number != m_queue.GetEnd(); ++number)
        {
            m_queue.At(number).flags &= static_cast<uint8_t>(~LinuxSentSegment::LOST);
        }
        m_window.lostOut = 0;
        m_resendHint = m_queue.GetBegin();
    }
    if (m_priorSsthresh > 0)
    {
        SetCwnd(m_control->GetUndoCwnd(m_window));
        if (m_priorSsthresh > m_window.ssthresh)
        {
            m_window.ssthresh = m_priorSsthresh;
            m_queuesCwr = false;
        }
    }
    m_cwndStampAt = m_window.now;
    m_undoMarker = 0;
    m_rackHasAdvanced = true;
}

bool
LinuxSender::WasAnythingRetransmitted() const
{
    return m_window.retransOut > 0 ||
           (!m_queue.IsEmpty() && m_queue.Front().Has(LinuxSentSegment::EVER_RETRANSMITTED));
}

bool
LinuxSender::HoldsState()
{
    // Without SACK the state lasts until something above m_highSeq is acknowledged (RFC 6582)
    if (m_window.sndUna == m_highSeq && !m_hasSack)
    {
        if (!WasAnythingRetransmitted())
        {
            m_retransStampAt = -1;
        }
        return true;
    }
    return false;
}

bool
LinuxSender::TryUndoRecovery()
{
    if (MayUndo())
    {
        UndoReduction(false);
    }
    else if (m_rackPersist > 0)
    {
        --m_rackPersist;
    }
    if (HoldsState())
    {
        return true;
    }
    SetState(LinuxCaState::OPEN);
    m_isReneg = false;
    return false;
}

bool
LinuxSender::TryUndoDsack()
{
    if (m_undoMarker == 0 || m_undoRetrans != 0)
    {
        return false;
    }
    m_rackPersist = std::min(RACK_PERSIST, m_rackPersist + 1);
    UndoReduction(false);
    return true;
}

bool
LinuxSender::TryUndoLoss(bool isFrto)
{
    if (!isFrto && !MayUndo())
    {
        return false;
    }
    UndoReduction(true);
    m_retransmits = 0;
    if (HoldsState())
    {
        return true;
    }
    if (isFrto || m_hasSack)
    {
        SetState(LinuxCaState::OPEN);
        m_isReneg = false;
    }
    return true;
}

bool
LinuxSender::TryUndoPartial(const AckState& state, bool& isDone)
{
    if (m_undoMarker == 0 || !IsPacketDelayed())
    {
        return false;
    }
    CheckReordering(state.priorUna);
    if (m_window.retransOut > 0)
    {
        isDone = true; // new data go on, but nothing more is marked lost
        return true;
    }
    if (!WasAnythingRetransmitted())
    {
        m_retransStampAt = -1;
    }
    UndoReduction(true);
    TryKeepOpen();
    return true;
}

void
LinuxSender::TryKeepOpen()
{
    const bool isDoubtful = m_window.sackedOut + m_window.lostOut > 0 || WasAnythingRetransmitted();
    const LinuxCaState next = isDoubtful ? LinuxCaState::DISORDER : LinuxCaState::OPEN;
    if (m_window.state != next)
    {
        SetState(next);
        m_highSeq = m_window.sndNxt;
    }
}

void
LinuxSender::TryToOpen(const AckState& state)
{
    if (!WasAnythingRetransmitted())
    {
        m_retransStampAt = -1;
    }
    if (state.isEcho)
    {
        EnterCwr();
    }
    if (m_window.state != LinuxCaState::CWR)
    {
        TryKeepOpen();
    }
}

void
LinuxSender::ProcessProbeAck(uint64_t ack, AckState& state)
{
    if (ack < m_probeHighSeq)
    {
        return;
    }
    if (!m_probeRetransmits || state.isDsackOfProbe)
    {
        m_probeHighSeq = 0; // the probe was new data, or both the original and the probe arrived
    }
    else if (ack > m_probeHighSeq)
    {
        // The probe has repaired a loss: cwnd is reduced
        InitReduction();
        SetState(LinuxCaState::CWR);
        EndReduction();
        TryKeepOpen();
        m_control->HandleEvent(m_window, LinuxCaEvent::TLP_RECOVERY);
    }
    else if (!state.isAdvance && !state.IsNoDuplicate() && !state.isDataSacked)
    {
        m_probeHighSeq = 0;
    }
    else
    {
        state.rate.isAckingTlp = true; // of the original, or of the probe
    }
}

} // namespace ns3::gridftp
