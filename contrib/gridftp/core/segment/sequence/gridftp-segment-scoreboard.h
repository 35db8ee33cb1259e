/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SCOREBOARD_H
#define GRIDFTP_SEGMENT_SCOREBOARD_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a sender knows of each segment it has sent and that is not acknowledged, while some of them
 * seem lost: by the same rules as ns-3's TcpTxBuffer without SACK, so that both engines send the
 * same segments again, at the same boundaries.
 *
 * A sender that misses nothing has no use for it: what is in flight is then what was sent less what
 * is acknowledged.
 */
class SegmentScoreboard
{
  public:
    /** @return whether it is in use */
    bool IsActive() const
    {
        return m_active;
    }

    /** Begins with nothing in it. */
    void Activate();

    /** Ends. */
    void Deactivate();

    /** @return whether no segment is marked in any way */
    bool IsUnmarked() const
    {
        return m_lostBytes == 0 && m_againBytes == 0 && m_sackedBytes == 0;
    }

    /**
     * A segment is sent for the first time.
     * @param start its first byte in the stream
     * @param size bytes
     */
    void Append(uint64_t start, uint32_t size);

    /**
     * Everything below a byte is acknowledged.
     * @param ack the byte
     * @return bytes of the segments that are acknowledged as a whole by this
     */
    uint64_t Discard(uint64_t ack);

    /** The first segment is lost. */
    void MarkHeadLost();

    /** All segments are lost: a timeout. */
    void MarkAllLost();

    /** One segment, which it is a guess, has reached the receiver: a duplicate ACK (NewReno). */
    void AddGuess();

    /** @return bytes marked lost */
    uint64_t GetLostBytes() const
    {
        return m_lostBytes;
    }

    /** @param sentBytes sent and not acknowledged @return bytes in flight */
    uint64_t GetFlight(uint64_t sentBytes) const
    {
        return sentBytes - m_lostBytes - m_sackedBytes + m_againBytes;
    }

    /** @return first byte of the first segment that is lost and not sent again yet */
    std::optional<uint64_t> FindLost();

    /**
     * ns-3's TcpTxBuffer::IsLost() for the first segment: guesses that outlived a recovery say so.
     * @return whether the first segment seems lost
     */
    bool IsHeadLost() const;

    /**
     * Sends a segment again, cut or joined to what fits.
     * @param start its first byte
     * @param bytes most that fit
     * @return its size
     */
    uint32_t SendAgain(uint64_t start, uint32_t bytes);

  private:
    /** A segment. */
    struct Item
    {
        uint64_t start; //!< first byte
        uint32_t size;  //!< bytes
        bool lost;      //!< seems lost
        bool again;     //!< was sent again
        bool sacked;    //!< guessed to have arrived
    };

    /** @return segments */
    size_t GetSize() const
    {
        return m_items.size() - m_head;
    }

    /** @param index from the first on @return the segment */
    Item& At(size_t index)
    {
        return m_items[m_head + index];
    }

    /**
     * Takes bytes off what is counted.
     * @param item of which segment
     * @param bytes how many
     */
    void Uncount(const Item& item, uint32_t bytes);

    /** @param start of a segment, or within one, which is then cut @return its index */
    size_t FindOrCut(uint64_t start);

    /** Joins a segment with the one behind it. @param index of the segment */
    void Join(size_t index);

    /** Cuts a segment. @param index of the segment @param size of its first part, bytes */
    void Cut(size_t index, uint32_t size);

    bool m_active{false};                  //!< in use
    std::vector<Item> m_items;             //!< segments, in order; those before m_head are gone
    size_t m_head{0};                      //!< index of the first
    size_t m_search{0};                    //!< none before it is lost and not sent again
    uint64_t m_lostBytes{0};               //!< marked lost
    uint64_t m_againBytes{0};              //!< marked sent again
    uint64_t m_sackedBytes{0};             //!< guessed to have arrived
    std::optional<uint64_t> m_highestSack; //!< start of the last one guessed
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SCOREBOARD_H
