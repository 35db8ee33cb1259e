/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-scoreboard-repair.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/tcp-tx-item.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace ns3::gridftp
{

namespace
{

/**
 * @brief Give access to a private member: an explicit instantiation may name it.
 * @tparam Tag by which a function Access() finds it
 * @tparam MEMBER pointer to the member
 */
template <typename Tag, auto MEMBER>
struct Access
{
    /// @return the pointer
    friend constexpr auto Find(Tag)
    {
        return MEMBER;
    }
};

// NOLINTBEGIN: a tag for each member, and the function that finds it
struct SentList
{
    friend constexpr auto Find(SentList);
};

struct SentSize
{
    friend constexpr auto Find(SentSize);
};

struct Highest
{
    friend constexpr auto Find(Highest);
};

struct LostOut
{
    friend constexpr auto Find(LostOut);
};

struct Retrans
{
    friend constexpr auto Find(Retrans);
};

struct Lost
{
    friend constexpr auto Find(Lost);
};

// NOLINTEND

template struct Access<SentList, &TcpTxBuffer::m_sentList>;
template struct Access<SentSize, &TcpTxBuffer::m_sentSize>;
template struct Access<Highest, &TcpTxBuffer::m_highestSack>;
template struct Access<LostOut, &TcpTxBuffer::m_lostOut>;
template struct Access<Retrans, &TcpTxBuffer::m_retrans>;
template struct Access<Lost, &TcpTxItem::m_lost>;

/// What Update() is about to do.
class Forecast
{
  public:
    /// @param buffer of the socket
    explicit Forecast(TcpTxBuffer& buffer)
        : m_buffer(&buffer)
    {
        const auto& highest = buffer.*Find(Highest());
        if (highest.first != GetItems().end())
        {
            m_highest = highest.second;
        }
    }

    /// A block is looked at. @param block it @return whether Update() looks at more blocks
    bool Take(const TcpOptionSack::SackBlock& block)
    {
        SequenceNumber32 begin = m_buffer->HeadSequence();
        if (begin + m_buffer->*Find(SentSize()) < block.first)
        {
            return false;
        }
        for (TcpTxItem* item : GetItems())
        {
            const SequenceNumber32 end = begin + item->GetSeqSize();
            if (end > block.second)
            {
                break;
            }
            if (begin >= block.first && !item->IsSacked() && m_reported.insert(item).second)
            {
                Report(*item, begin);
            }
            begin = end;
        }
        return true;
    }

    /// All blocks are looked at.
    void MarkLost()
    {
        if (m_reported.empty())
        {
            return;
        }
        SequenceNumber32 begin = m_buffer->HeadSequence();
        for (TcpTxItem* item : GetItems())
        {
            if (begin >= *m_highest)
            {
                return;
            }
            if (item->m_retrans && !item->IsSacked() && item->GetLastSent() < m_newest)
            {
                Forget(*item);
                bool& isLost = item->*Find(Lost());
                m_buffer->*Find(LostOut()) += isLost ? 0 : item->GetSeqSize();
                isLost = true;
            }
            begin += item->GetSeqSize();
        }
    }

  private:
    /// @return segments in flight
    const std::list<TcpTxItem*>& GetItems() const
    {
        return m_buffer->*Find(SentList());
    }

    /// A block reports a segment for the first time. @param item the segment @param begin its first
    /// byte
    void Report(TcpTxItem& item, SequenceNumber32 begin)
    {
        Forget(item);
        m_newest = std::max(m_newest, item.GetLastSent());
        if (!m_highest || *m_highest <= begin + item.GetSeqSize())
        {
            m_highest = begin;
        }
    }

    /// A segment no longer counts as sent again. @param item the segment
    void Forget(TcpTxItem& item)
    {
        m_buffer->*Find(Retrans()) -= item.m_retrans ? item.GetSeqSize() : 0;
        item.m_retrans = false;
    }

    TcpTxBuffer* m_buffer;                           //!< of the socket
    std::unordered_set<const TcpTxItem*> m_reported; //!< segments that are reported now
    std::optional<SequenceNumber32> m_highest;       //!< the highest one, and those before
    Time m_newest{Time::Min()};                      //!< when the last of them was sent
};

} // namespace

void
RepairScoreboard(TcpTxBuffer& buffer, const TcpOptionSack::SackList& blocks)
{
    Forecast forecast(buffer);
    for (const auto& block : blocks)
    {
        if (!forecast.Take(block))
        {
            return; // Update() then marks nothing as lost
        }
    }
    forecast.MarkLost();
}

bool
HasRepairedScoreboard()
{
    constexpr uint32_t BYTES = 1000;
    constexpr uint32_t SEGMENTS = 3;
    auto buffer = CreateObject<TcpTxBuffer>();
    buffer->SetMaxBufferSize(SEGMENTS * BYTES);
    buffer->SetSegmentSize(BYTES);
    buffer->SetDupAckThresh(3);
    buffer->SetSackEnabled(true);
    buffer->SetHeadSequence(SequenceNumber32(1));
    buffer->Add(Create<Packet>(SEGMENTS * BYTES));
    for (uint32_t i = 0; i < SEGMENTS; ++i)
    {
        buffer->CopyFromSequence(BYTES, SequenceNumber32(1 + i * BYTES));
    }
    const SequenceNumber32 second(1 + BYTES);
    buffer->CopyFromSequence(BYTES, second);
    buffer->Update({{second, second + BYTES}}, MakeNullCallback<void, TcpTxItem*>());
    return buffer->GetRetransmitsCount() == 0;
}

} // namespace ns3::gridftp
