/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LOSS_BITMAP_H
#define GRIDFTP_LOSS_BITMAP_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which packets of a file have come: a bit each. */
class LossBitmap
{
  public:
    /** @param packets of the file, counted from 0; none has come */
    explicit LossBitmap(uint32_t packets);

    /** @return packets of the file */
    uint32_t GetPackets() const
    {
        return m_packets;
    }

    /** @return those that have not come */
    uint32_t GetMissing() const
    {
        return m_missing;
    }

    /** @param packet any number @return whether it is one of the file that has come */
    bool Has(uint32_t packet) const
    {
        return packet < m_packets && (m_words[packet / BITS] >> packet % BITS & 1) != 0;
    }

    /** A packet has come. @param packet of the file @return whether that is new */
    bool Add(uint32_t packet)
    {
        uint64_t& word = m_words[packet / BITS];
        const uint64_t bit = uint64_t{1} << packet % BITS;
        if (word & bit)
        {
            return false;
        }
        word |= bit;
        --m_missing;
        return true;
    }

    /** @param from any number @return the first packet from there on that has not come, or
     * GetPackets() */
    uint32_t FindMissing(uint32_t from) const
    {
        return from >= m_packets || !Has(from) ? std::min(from, m_packets)
                                               : FindMissingBehind(from);
    }

    /** @param index of a byte @return eight packets, the first in the lowest bit; those behind the
     * file count as come */
    uint8_t GetByte(uint32_t index) const;

  private:
    /** FindMissing() of a packet that has come. @param from which @return the same */
    uint32_t FindMissingBehind(uint32_t from) const;

    static constexpr uint32_t BITS = 64; //!< of a word

    uint32_t m_packets;            //!< of the file
    uint32_t m_missing;            //!< not come
    std::vector<uint64_t> m_words; //!< those that have come; bits behind the file are set
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LOSS_BITMAP_H
