/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BYTE_RANGES_H
#define GRIDFTP_BYTE_RANGES_H

#include <cstdint>
#include <map>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Which bytes of a file have arrived: a set of disjoint ranges [begin, end), kept merged.
 *
 * A byte that arrives twice is refused, since MODE E says where each byte belongs and a correct
 * transfer carries each exactly once (GFD.20, extended block mode).
 */
class ByteRanges
{
  public:
    /**
     * Notes the arrival of a range. Extending the range touched last costs O(1), anything else
     * O(log ranges).
     *
     * @param offset of the first byte
     * @param length in bytes; 0 changes nothing
     * @return false, with nothing noted, when a byte of it was there already or its end is beyond
     *         2^64 - 1
     */
    bool Add(uint64_t offset, uint64_t length);

    /** @return how many bytes have arrived */
    uint64_t GetBytes() const;

    /** @return of how many disjoint ranges they consist */
    uint64_t GetRangeCount() const;

    /**
     * @param offset of the first byte
     * @param length in bytes
     * @return whether exactly this range has arrived, no byte less and none more
     */
    bool IsExactly(uint64_t offset, uint64_t length) const;

    /** Forgets everything. */
    void Clear();

  private:
    using Map = std::map<uint64_t, uint64_t>; //!< begin to end

    /**
     * Joins the range at @p it with its neighbour behind it when the two touch.
     * @param it a range
     */
    void MergeWithNext(Map::iterator it);

    Map m_ranges;            //!< disjoint, not touching
    Map::iterator m_last{};  //!< the range extended last
    bool m_hasLast{false};   //!< whether m_last is one
    uint64_t m_lastLimit{0}; //!< where the range after m_last begins
    uint64_t m_bytes{0};     //!< sum of the lengths
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BYTE_RANGES_H
