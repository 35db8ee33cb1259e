/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEQUENCE_WINDOW_H
#define GRIDFTP_SEQUENCE_WINDOW_H

#include <bit>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Marks on the packets of a window that moves over a file: those that have come, or those that are
 * lost. A bit each, in a ring; nothing is allocated once it is made.
 */
class SequenceWindow
{
  public:
    /** @param span packets that the window has room for, at least 1; it begins at packet 0, and
     * none is marked */
    explicit SequenceWindow(uint32_t span)
        : m_span(span),
          m_words(std::bit_ceil((span + BITS - 1) / BITS + 1), 0),
          m_mask(static_cast<uint32_t>(m_words.size()) - 1)
    {
    }

    /** @return the first packet of the window */
    uint32_t GetBase() const
    {
        return m_base;
    }

    /** @return how many are marked */
    uint32_t GetMarked() const
    {
        return m_marked;
    }

    /** @param packet any number @return whether it is in the window */
    bool IsIn(uint32_t packet) const
    {
        return packet >= m_base && packet - m_base < m_span;
    }

    /** @param packet of the window @return whether it is marked */
    bool Has(uint32_t packet) const
    {
        return (m_words[packet / BITS & m_mask] >> packet % BITS & 1) != 0;
    }

    /** @param packet of the window, which is marked @return whether that is new */
    bool Mark(uint32_t packet)
    {
        uint64_t& word = m_words[packet / BITS & m_mask];
        const uint64_t bit = uint64_t{1} << packet % BITS;
        if (word & bit)
        {
            return false;
        }
        word |= bit;
        ++m_marked;
        return true;
    }

    /** Takes the mark off a packet. @param packet of the window */
    void Unmark(uint32_t packet)
    {
        uint64_t& word = m_words[packet / BITS & m_mask];
        const uint64_t bit = uint64_t{1} << packet % BITS;
        m_marked -= (word & bit) ? 1 : 0;
        word &= ~bit;
    }

    /** Marks packets. @param first of them @param last of them; those outside the window are left
     * out @return how many of the marks are new */
    uint32_t MarkRange(uint32_t first, uint32_t last);

    /** @param from a packet, not before the window @param end of the search @return the first one
     * from there on that is marked; end: there is none before it */
    uint32_t FindMarked(uint32_t from, uint32_t end) const
    {
        return Find(from, end, 0);
    }

    /** @param from a packet, not before the window @param end of the search @return the first one
     * from there on that is not marked; end: all before it are */
    uint32_t FindUnmarked(uint32_t from, uint32_t end) const
    {
        return Find(from, end, ~uint64_t{0});
    }

    /** Moves the window on; the marks of what is left behind are gone. @param base its new first
     * packet; one before the present one changes nothing */
    void MoveTo(uint32_t base);

  private:
    static constexpr uint32_t BITS = 64; //!< of a word

    /** @param from a packet @param end of the search @param flip all bits, where those without a
     * mark are looked for @return the first one found, or end */
    uint32_t Find(uint32_t from, uint32_t end, uint64_t flip) const;

    uint32_t m_span;               //!< packets of the window
    std::vector<uint64_t> m_words; //!< a power of two, more than the window needs
    uint32_t m_mask;               //!< their number less one
    uint32_t m_base{0};            //!< the first packet of the window
    uint32_t m_marked{0};          //!< in the window
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEQUENCE_WINDOW_H
