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
 * Records that are found by a number, in one block of memory, which grows to the largest number of
 * records at a time and never shrinks. A new record takes the place of one that was released, if
 * there is any.
 *
 * Contract: the caller that adds a record releases its number exactly once. A reference is valid
 * until the next Add().
 *
 * @tparam T a copyable record
 */
template <typename T>
class RecordPool
{
  public:
    /** @param record to be stored @return its number, until it is released */
    uint32_t Add(T record)
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

    /** @param number of a record that is stored @return the record */
    T& Get(uint32_t number)
    {
        return m_records[number];
    }

    /** @param number of a record that is stored @return the record */
    const T& Get(uint32_t number) const
    {
        return m_records[number];
    }

    /** @param number of a record that is stored, which may belong to another record from now on */
    void Release(uint32_t number)
    {
        m_free.push_back(number);
    }

    /** @return records stored now */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_records.size() - m_free.size());
    }

  private:
    std::vector<T> m_records;     //!< by number
    std::vector<uint32_t> m_free; //!< numbers of released records, the next one last
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECORD_POOL_H
