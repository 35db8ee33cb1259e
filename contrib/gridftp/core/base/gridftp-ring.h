/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RING_H
#define GRIDFTP_RING_H

#include <cstddef>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A first-in-first-out queue in one block of memory, which grows and never shrinks.
 *
 * @tparam T a small, copyable record
 */
template <typename T>
class Ring
{
  public:
    /** @return whether there is nothing in it */
    bool IsEmpty() const
    {
        return m_begin == m_end;
    }

    /** @return how many there are */
    size_t GetSize() const
    {
        return m_end - m_begin;
    }

    /** @return the oldest; there must be one */
    T& Front()
    {
        return m_items[m_begin & m_mask];
    }

    /** @return the oldest; there must be one */
    const T& Front() const
    {
        return m_items[m_begin & m_mask];
    }

    /** @param index from the oldest on @return the record there */
    T& At(size_t index)
    {
        return m_items[(m_begin + index) & m_mask];
    }

    /** @param index from the oldest on @return the record there */
    const T& At(size_t index) const
    {
        return m_items[(m_begin + index) & m_mask];
    }

    /** @param item becomes the youngest */
    void Push(const T& item)
    {
        Add() = item;
    }

    /** @return a new youngest one, to be filled before the next call */
    T& Add()
    {
        if (m_end == m_limit) [[unlikely]]
        {
            FindRoom();
        }
        return m_items[m_end++ & m_mask];
    }

    /** Takes the oldest off. */
    void Pop()
    {
        ++m_begin;
    }

    /** @return how many were taken off */
    size_t GetPopCount() const
    {
        return m_begin;
    }

    /** @return how many were put in */
    size_t GetPushCount() const
    {
        return m_end;
    }

    /** Takes all off. */
    void Clear()
    {
        m_begin = m_end;
    }

  private:
    /** Makes use of what was taken off; where nothing was, there is no room. */
    void FindRoom()
    {
        m_limit = m_begin + m_items.size();
        if (m_end == m_limit)
        {
            Grow();
        }
    }

    /** Doubles the memory. */
    void Grow()
    {
        constexpr size_t LEAST = 16;
        std::vector<T> items(m_items.empty() ? LEAST : 2 * m_items.size());
        const size_t mask = items.size() - 1;
        for (size_t i = m_begin; i != m_end; ++i)
        {
            items[i & mask] = m_items[i & m_mask];
        }
        m_items = std::move(items);
        m_mask = mask;
        m_limit = m_begin + m_items.size();
    }

    std::vector<T> m_items; //!< a power of two of them
    size_t m_mask{0};       //!< their number less one
    size_t m_limit{0};      //!< m_end there: room has to be found
    size_t m_begin{0};      //!< counts what was taken off
    size_t m_end{0};        //!< counts what was put in
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RING_H
