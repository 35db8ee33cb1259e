/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-send-pool.h"

#include <algorithm>
#include <iterator>

namespace ns3::gridftp
{

SendPool::SendPool(uint64_t bytes, uint64_t segmentBytes)
    : m_bytes(bytes),
      m_least(2 * segmentBytes)
{
}

SendPool::Member
SendPool::Join()
{
    auto member = static_cast<Member>(m_wanted.size());
    if (m_left.empty())
    {
        m_wanted.push_back(0);
    }
    else
    {
        member = m_left.back();
        m_left.pop_back();
    }
    m_wanted[member] = std::max(FIRST_BYTES, m_least);
    Add(m_wanted[member]);
    return member;
}

void
SendPool::Leave(Member member)
{
    Remove(m_wanted[member]);
    m_wanted[member] = 0;
    m_left.push_back(member);
}

void
SendPool::Follow(Member member, uint64_t window)
{
    constexpr uint64_t LEAST_WINDOWS = 2;
    constexpr uint64_t MOST_WINDOWS = 4;
    const uint64_t before = m_wanted[member];
    const uint64_t wanted = std::clamp(before, LEAST_WINDOWS * window, MOST_WINDOWS * window);
    m_wanted[member] = std::clamp(wanted, m_least, MOST_BYTES);
    if (m_wanted[member] != before)
    {
        Remove(before);
        Add(m_wanted[member]);
    }
}

uint64_t
SendPool::GetShare(Member member) const
{
    return m_greedy.empty() ? m_wanted[member]
                            : std::max(m_least, std::min(m_wanted[member], GetLevel()));
}

uint64_t
SendPool::GetLevel() const
{
    return m_contentBytes < m_bytes ? (m_bytes - m_contentBytes) / m_greedy.size() : 0;
}

void
SendPool::Add(uint64_t bytes)
{
    m_content.insert(bytes);
    m_contentBytes += bytes;
    Settle();
}

void
SendPool::Remove(uint64_t bytes)
{
    const auto greedy = m_greedy.find(bytes);
    if (greedy != m_greedy.end())
    {
        m_greedy.erase(greedy);
    }
    else
    {
        m_content.erase(m_content.find(bytes));
        m_contentBytes -= bytes;
    }
    Settle();
}

void
SendPool::Settle()
{
    // Whoever wants least gets it first; so those who do not are the ones who want most
    while (!m_greedy.empty() && *m_greedy.begin() <= GetLevel())
    {
        m_content.insert(*m_greedy.begin());
        m_contentBytes += *m_greedy.begin();
        m_greedy.erase(m_greedy.begin());
    }
    while (!m_content.empty() &&
           (m_greedy.empty() ? m_contentBytes > m_bytes : *m_content.rbegin() > GetLevel()))
    {
        const auto most = std::prev(m_content.end());
        m_contentBytes -= *most;
        m_greedy.insert(*most);
        m_content.erase(most);
    }
}

} // namespace ns3::gridftp
