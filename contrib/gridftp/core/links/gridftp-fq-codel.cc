/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fq-codel.h"

#include <array>
#include <bit>
#include <cstddef>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t SEED = 0x8BADF00D; // of ns-3's hashes
constexpr size_t TUPLE_BYTES = 17;    // with a perturbation of 4 bytes
constexpr size_t WORD_BYTES = 4;      // that MurmurHash3 takes at once

/** @param word of the input @return it mixed, as MurmurHash3 does before it is added */
uint32_t
MixWord(uint32_t word)
{
    return std::rotl(word * 0xcc9e2d51U, 15) * 0x1b873593U;
}

/** @param hash of all the input @return it with all bits mixed, the end of MurmurHash3 */
uint32_t
MixAll(uint32_t hash)
{
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
    return hash ^ (hash >> 16);
}

} // namespace

uint32_t
HashFlow(const FlowTuple& flow)
{
    std::array<uint8_t, TUPLE_BYTES> bytes{}; // the perturbation, 0, is at the end
    size_t count = 0;
    const auto add = [&](uint32_t number, unsigned size) {
        for (unsigned i = size; i > 0; --i)
        {
            bytes[count++] = static_cast<uint8_t>(number >> (8 * (i - 1)));
        }
    };
    add(flow.source, 4);
    add(flow.destination, 4);
    add(flow.protocol, 1);
    add(flow.sourcePort, 2);
    add(flow.destinationPort, 2);
    uint32_t hash = SEED;
    size_t at = 0;
    for (; at + WORD_BYTES <= TUPLE_BYTES; at += WORD_BYTES)
    {
        const uint32_t word = bytes[at] | uint32_t{bytes[at + 1]} << 8 |
                              uint32_t{bytes[at + 2]} << 16 | uint32_t{bytes[at + 3]} << 24;
        hash = std::rotl(hash ^ MixWord(word), 13) * 5 + 0xe6546b64U;
    }
    hash ^= MixWord(bytes[at]); // one byte is left
    return MixAll(hash ^ static_cast<uint32_t>(TUPLE_BYTES));
}

uint32_t
FqCodelQueue::FindFlow(uint32_t hash)
{
    const auto bucket = static_cast<uint32_t>(hash % static_cast<uint64_t>(m_spec.flows));
    const auto [found, isNew] = m_index.try_emplace(bucket, static_cast<uint32_t>(m_flows.size()));
    if (isNew)
    {
        m_flows.emplace_back();
    }
    return found->second;
}

bool
FqCodelQueue::DoEnqueue(int64_t /* nowNs */, QueuedPacket packet)
{
    const uint32_t index = FindFlow(packet.flowHash);
    Flow& flow = m_flows[index];
    if (!flow.isListed)
    {
        flow.isListed = true;
        flow.deficit = m_spec.quantum;
        m_new.push_back(index);
    }
    if (flow.fifo.GetLength() >= m_mostPackets)
    {
        return false;
    }
    flow.fifo.Push(packet);
    if (++m_length > m_mostPackets)
    {
        DropFromLongest();
    }
    return true;
}

std::optional<bool>
FqCodelQueue::FindNext()
{
    for (auto* const list : {&m_new, &m_old})
    {
        while (!list->empty())
        {
            const uint32_t index = list->front();
            if (m_flows[index].deficit > 0)
            {
                return list == &m_new;
            }
            m_flows[index].deficit += m_spec.quantum;
            list->pop_front();
            m_old.push_back(index);
        }
    }
    return std::nullopt;
}

std::optional<QueuedPacket>
FqCodelQueue::DoDequeue(int64_t nowNs)
{
    while (const auto isNew = FindNext())
    {
        auto& list = *isNew ? m_new : m_old;
        const uint32_t index = list.front();
        Flow& flow = m_flows[index];
        const size_t before = GetDrops().size();
        const auto packet = flow.fifo.Pop(nowNs, m_codel, GetDrops());
        m_length -= GetDrops().size() - before;
        if (packet)
        {
            --m_length;
            flow.deficit -= packet->bytes;
            return packet;
        }
        list.pop_front();
        if (*isNew)
        {
            m_old.push_back(index);
        }
        else
        {
            flow.isListed = false;
        }
    }
    return std::nullopt;
}

void
FqCodelQueue::DropFromLongest()
{
    constexpr uint64_t MOST = 64; // packets dropped at once, RFC 8290, section 4.1
    CodelFifo* longest = nullptr;
    for (auto& flow : m_flows)
    {
        if (!longest || flow.fifo.GetBytes() > longest->GetBytes())
        {
            longest = &flow.fifo;
        }
    }
    const uint64_t enough = longest->GetBytes() / 2;
    uint64_t bytes = 0;
    for (uint64_t count = 0; count < MOST && (count == 0 || bytes < enough); ++count)
    {
        GetDrops().push_back(longest->PopFront());
        bytes += GetDrops().back().bytes;
        --m_length;
    }
}

} // namespace ns3::gridftp
