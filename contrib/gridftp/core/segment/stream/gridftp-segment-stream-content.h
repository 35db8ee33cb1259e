/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STREAM_CONTENT_H
#define GRIDFTP_SEGMENT_STREAM_CONTENT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Those bytes of one direction of a connection that have content, such as headers of blocks:
 * packets of the segment engine carry sequence numbers and no bytes.
 *
 * Contract: the driver calls Append() in the order of the stream, and Release() behind what the
 * application has read.
 */
class SegmentStreamContent
{
  public:
    /** @param begin position of the first byte in the stream @param bytes content, copied */
    void Append(uint64_t begin, std::span<const uint8_t> bytes)
    {
        if (m_runs.size() == m_first)
        {
            m_runs.clear();
            m_bytes.clear();
            m_first = m_next = 0;
        }
        m_runs.push_back({begin, bytes.size(), m_bytes.size()});
        m_total += bytes.size();
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }

    /** @param begin position of the first byte in the stream, not before what was released @param
     * to where; bytes without content are set to 0 */
    void Copy(uint64_t begin, std::span<uint8_t> to) const
    {
        const uint64_t end = begin + to.size();
        uint64_t done = begin; // before it all is set
        for (size_t i = FindRun(begin); i < m_runs.size() && m_runs[i].begin < end; ++i)
        {
            const Run& run = m_runs[i];
            const uint64_t first = std::max(begin, run.begin);
            const uint64_t last = std::min(end, run.GetEnd());
            std::fill_n(to.begin() + static_cast<std::ptrdiff_t>(done - begin),
                        first - done,
                        uint8_t{0});
            std::copy_n(m_bytes.begin() +
                            static_cast<std::ptrdiff_t>(run.place + first - run.begin),
                        last - first,
                        to.begin() + static_cast<std::ptrdiff_t>(first - begin));
            done = last;
        }
        std::fill(to.begin() + static_cast<std::ptrdiff_t>(done - begin), to.end(), uint8_t{0});
    }

    /** @param end position behind what the application has read */
    void Release(uint64_t end)
    {
        while (m_first < m_runs.size() && m_runs[m_first].GetEnd() <= end)
        {
            ++m_first;
        }
        m_next = m_first;
        if (m_first > MOST_RELEASED)
        {
            Compact();
        }
    }

    /** @param end position in the stream @return bytes with content before it; of those that are
     * released all count */
    uint64_t CountBefore(uint64_t end) const
    {
        uint64_t count = m_total;
        for (size_t i = m_runs.size(); i > m_first && m_runs[i - 1].GetEnd() > end; --i)
        {
            const Run& run = m_runs[i - 1];
            count -= run.GetEnd() - std::max(end, run.begin);
        }
        return count;
    }

  private:
    /** Bytes with content, without a gap. */
    struct Run
    {
        uint64_t begin; //!< position of the first one in the stream
        uint64_t bytes; //!< how many
        size_t place;   //!< of the first one in m_bytes

        /** @return position behind the last one */
        uint64_t GetEnd() const
        {
            return begin + bytes;
        }
    };

    static constexpr size_t MOST_RELEASED = 4096; //!< runs that are released and still stored

    /** @param position in the stream @return index of the first run that ends behind it */
    size_t FindRun(uint64_t position) const
    {
        // Applications read in order: the search goes on where it ended last
        if (m_next > m_first && m_runs[m_next - 1].GetEnd() > position)
        {
            m_next = m_first;
        }
        while (m_next < m_runs.size() && m_runs[m_next].GetEnd() <= position)
        {
            ++m_next;
        }
        return m_next;
    }

    /** Forgets what is released. */
    void Compact()
    {
        const size_t place = m_first < m_runs.size() ? m_runs[m_first].place : m_bytes.size();
        m_runs.erase(m_runs.begin(), m_runs.begin() + static_cast<std::ptrdiff_t>(m_first));
        m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(place));
        for (Run& run : m_runs)
        {
            run.place -= place;
        }
        m_first = m_next = 0;
    }

    std::vector<Run> m_runs;      //!< in order
    std::vector<uint8_t> m_bytes; //!< of all runs
    uint64_t m_total{0};          //!< bytes of all runs, released ones included
    size_t m_first{0};            //!< first run that is not released
    mutable size_t m_next{0};     //!< where FindRun() ended last
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STREAM_CONTENT_H
