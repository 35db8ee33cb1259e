/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECORD_POOL_H
#define GRIDFTP_RECORD_POOL_H

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Records that are named by numbers, in one block of memory that grows and never shrinks. Numbers of
 * released records are used again.
 *
 * Contract: a number is valid from Add() to Release(); a reference, until the next Add().
 *
 * @tparam T a copyable record
 */
template <typename T>
class RecordPool
{
  public:
    /** @param record to store @return its number */
    uint32_t Add(const T& record)
    {
        if (m_free.empty())
        {
            m_records.push_back(record);
            return static_cast<uint32_t>(m_records.size() - 1);
        }
        const uint32_t number = m_free.back();
        m_free.pop_back();
        m_records[number] = record;
        return number;
    }

    /** @param number of a record @return it */
    const T& Get(uint32_t number) const
    {
        return m_records[number];
    }

    /** @param number of a record @return it */
    T& Get(uint32_t number)
    {
        return m_records[number];
    }

    /** The record is no longer needed. @param number of it */
    void Release(uint32_t number)
    {
        m_free.push_back(number);
    }

    /** @return how many records are stored */
    size_t GetSize() const
    {
        return m_records.size() - m_free.size();
    }

  private:
    std::vector<T> m_records;     //!< by number
    std::vector<uint32_t> m_free; //!< numbers of released records
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECORD_POOL_H
