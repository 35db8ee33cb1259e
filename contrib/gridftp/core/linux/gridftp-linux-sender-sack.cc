/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-linux-sender.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * LinuxSender: SACK and DSACK blocks (RFC 2018, 2883; tcp_sacktag_write_queue of
 * net/ipv4/tcp_input.c).
 */

namespace ns3::gridftp
{

bool
LinuxSender::CheckDsack(const LinuxSegment& segment, AckState& state)
{
    const LinuxRange& first = segment.sack[0];
    const bool isBelowAck = first.start < segment.ack;
    const bool isInsideSecond = segment.blocks > 1 && first.end <= segment.sack[1].end &&
                                first.start >= segment.sack[1].start;
    if ((!isBelowAck && !isInsideSecond) || first.start >= first.end)
    {
        return false;
    }
    const uint64_t bytes = first.end - first.start;
    if (bytes > m_maxPeerWindow)
    {
        return false;
    }
    uint32_t segments = 1;
    if (bytes > m_window.mss)
    {
        segments = static_cast<uint32_t>((bytes + m_window.mss - 1) / m_window.mss);
    }
    else if (m_probeHighSeq > 0 && m_probeHighSeq == first.end)
    {
        state.isDsackOfProbe = true;
    }
    m_dsackSegments += segments;
    if (m_dsackSegments > m_counts.retransmissions)
    {
        return false; // more than was ever sent again
    }
    m_rackSawDsack = m_rackSawDsack || (m_reorderingSeen > 0 && !state.isDsackOfProbe);
    state.isDsack = true;
    state.sackDelivered += segments;
    if (m_undoMarker > 0 && m_undoRetrans > 0 && first.end <= state.priorUna &&
        first.end > m_undoMarker)
    {
        m_undoRetrans = std::max(0, m_undoRetrans - static_cast<int32_t>(segments));
    }
    return true;
}

bool
LinuxSender::IsValid(const LinuxRange& block, bool isDsack) const
{
    if (block.end > m_window.sndNxt || block.start >= block.end)
    {
        return false;
    }
    if (block.start > m_window.sndUna)
    {
        return true;
    }
    if (!isDsack || m_undoMarker == 0 || block.end > m_window.sndUna)
    {
        return false;
    }
    if (block.start >= m_undoMarker)
    {
        return true;
    }
    return block.end > m_undoMarker && block.start + m_maxPeerWindow >= block.end;
}

void
LinuxSender::TagSacked(const LinuxSegment& segment, AckState& state)
{
    state.reordered = m_window.sndNxt;
    if (m_window.sackedOut == 0)
    {
        m_highestSacked = 0;
        m_sackCached = 0;
    }
    const bool hasDsack = CheckDsack(segment, state);
    if (m_window.packetsOut == 0 || segment.ack + m_maxPeerWindow < state.priorUna)
    {
        return;
    }
    std::array<LinuxRange, LinuxSegment::MOST_BLOCKS> blocks;
    uint32_t used = 0;
    uint64_t dsackStart = 0;
    bool isDsackUsed = false;
    for (uint32_t i = 0; i < segment.blocks; ++i)
    {
        const LinuxRange& block = segment.sack[i];
        const bool isDsack = i == 0 && hasDsack;
        if (!IsValid(block, isDsack) || block.end <= state.priorUna)
        {
            continue;
        }
        if (isDsack)
        {
            isDsackUsed = true;
            dsackStart = block.start;
        }
        uint32_t place = used++;
        for (; place > 0 && blocks[place - 1].start > block.start; --place)
        {
            blocks[place] = blocks[place - 1];
        }
        blocks[place] = block;
    }
    const LinuxRange dsack = segment.sack[0];
    for (uint32_t i = 0; i < used; ++i)
    {
        const LinuxRange& block = blocks[i];
        const bool isDsack = isDsackUsed && block.start == dsackStart && block.end == dsack.end;
        if (isDsack)
        {
            TagRange(block.start, block.end, block, true, state);
            continue;
        }
        // What the blocks of the last ACK covered is tagged already
        uint64_t from = block.start;
        for (uint32_t c = 0; c < m_sackCached && from < block.end; ++c)
        {
            const LinuxRange& cached = m_sackCache[c];
            if (cached.end <= from)
            {
                continue;
            }
            if (cached.start >= block.end)
            {
                break;
            }
            if (cached.start > from)
            {
                TagRange(from, cached.start, block, false, state);
            }
            from = cached.end;
        }
        if (from < block.end)
        {
            TagRange(from, block.end, block, false, state);
        }
    }
    m_sackCache = blocks;
    m_sackCached = used;
    if (m_window.state != LinuxCaState::LOSS || m_undoMarker > 0)
    {
        CheckReordering(state.reordered);
    }
}

void
LinuxSender::TagRange(uint64_t from,
                      uint64_t to,
                      const LinuxRange& block,
                      bool isDsack,
                      AckState& state)
{
    if (m_queue.IsEmpty() || to <= m_queue.Front().start)
    {
        return;
    }
    const uint32_t end = m_queue.GetEnd();
    for (uint32_t number = m_queue.Find(from); number != end; ++number)
    {
        const LinuxSentSegment& sent = m_queue.At(number);
        if (sent.start >= to)
        {
            return;
        }
        if (sent.start >= block.start && sent.end <= block.end)
        {
            TagOne(number, isDsack, state);
        }
    }
}

void
LinuxSender::TagOne(uint32_t number, bool isDsack, AckState& state)
{
    using Sent = LinuxSentSegment;
    Sent& sent = m_queue.At(number);
    if (isDsack && sent.WasRetransmitted())
    {
        if (m_undoMarker > 0 && m_undoRetrans > 0 && sent.end > m_undoMarker)
        {
            --m_undoRetrans;
        }
        if (sent.Has(Sent::SACKED))
        {
            state.reordered = std::min(state.reordered, sent.start);
        }
    }
    if (sent.end <= m_window.sndUna)
    {
        return;
    }
    if (!sent.Has(Sent::SACKED))
    {
        AdvanceRack(sent);
        if (sent.Has(Sent::RETRANSMITTED))
        {
            if (sent.Has(Sent::LOST))
            {
                sent.flags &= static_cast<uint8_t>(~(Sent::LOST | Sent::RETRANSMITTED));
                --m_window.lostOut;
                --m_window.retransOut;
            }
        }
        else
        {
            if (!sent.WasRetransmitted())
            {
                if (sent.start < GetHighestSacked())
                {
                    state.reordered = std::min(state.reordered, sent.start);
                }
                state.isOriginalAcked = state.isOriginalAcked || sent.end <= m_highSeq;
                state.firstSackedAt = state.firstSackedAt < 0 ? sent.sentAt : state.firstSackedAt;
                state.lastSackedAt = sent.sentAt;
            }
            if (sent.Has(Sent::LOST))
            {
                sent.flags &= static_cast<uint8_t>(~Sent::LOST);
                --m_window.lostOut;
            }
        }
        sent.flags |= Sent::SACKED;
        state.isDataSacked = true;
        ++m_window.sackedOut;
        ++state.sackDelivered;
    }
    if (isDsack && sent.Has(Sent::RETRANSMITTED))
    {
        sent.flags &= static_cast<uint8_t>(~Sent::RETRANSMITTED);
        --m_window.retransOut;
    }
    NoteDelivered(sent, state);
    m_queue.Unlist(number);
    m_highestSacked = std::max(m_highestSacked, sent.end);
}

void
LinuxSender::CheckReordering(uint64_t low)
{
    const uint64_t highest = GetHighestSacked();
    if (low >= highest)
    {
        return;
    }
    const uint64_t metric = highest - low;
    const uint64_t mss = m_window.mss;
    if (metric > m_reordering * mss)
    {
        constexpr uint64_t MOST = 300; // tcp_max_reordering
        m_reordering = static_cast<uint32_t>(std::min((metric + mss - 1) / mss, MOST));
    }
    ++m_reorderingSeen;
}

} // namespace ns3::gridftp
