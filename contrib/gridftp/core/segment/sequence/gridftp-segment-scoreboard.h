/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SCOREBOARD_H
#define GRIDFTP_SEGMENT_SCOREBOARD_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-sack-blocks.h"

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
 *
 * With SACK (ActivateWithSack()) it is in use from the first segment to the last one, as
 * TcpTxBuffer's list of sent segments is: SACK blocks say which segments have arrived, and three of
 * them behind a segment that it is lost (RFC 6675). Where ns-3 3.44 counts or waits wrongly, it
 * follows later versions of ns-3: see Update().
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

    /** Begins with nothing in it, for a connection with SACK. */
    void ActivateWithSack();

    /** Ends. */
    void Deactivate();

    /** @return whether no segment is marked in any way */
    bool IsUnmarked() const
    {
        return m_lostBytes == 0 && m_againBytes == 0 && m_sackedBytes == 0;
    }

    /**
     * A segment was sent for the first time, without SACK.
     * @param start its first byte in the stream
     * @param size bytes
     */
    void Append(uint64_t start, uint32_t size);

    /**
     * A segment is sent for the first time, with SACK or without.
     * @param start its first byte in the stream
     * @param size bytes
     * @param now current simulation time
     */
    void Append(uint64_t start, uint32_t size, Nanoseconds now)
    {
        Append(start, size);
        if (m_hasSack) [[unlikely]]
        {
            m_sentNs.push_back(now);
        }
    }

    /**
     * Everything below a byte is acknowledged.
     * @param ack the byte
     * @return bytes of the segments that are acknowledged as a whole by this, without those that
     * SACK blocks have reported before
     */
    uint64_t Discard(uint64_t ack);

    /** The first segment is lost. */
    void MarkHeadLost();

    /** All segments are lost: a timeout. Those that SACK blocks have reported are not (RFC 6675,
     * Section 5.1). */
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
     * @param now current simulation time; counts with SACK alone
     * @return its size
     */
    uint32_t SendAgain(uint64_t start, uint32_t bytes, Nanoseconds now = 0);

    // With SACK: gridftp-segment-scoreboard-sack.cc

    /** What the blocks of an ACK have changed, bytes. */
    struct Reported
    {
        uint64_t bytes{0};     //!< of segments that no block reported before
        uint64_t delivered{0}; //!< of these, what counts as delivered: parts of a segment that was
                               //!< cut do not, unless they were sent again
    };

    /**
     * An ACK has come: marks the segments that its blocks contain as a whole, and what is lost.
     *
     * Two rules are those of ns-3 after release 3.48. A segment that was sent again and is reported
     * no longer counts as sent again (issue 1190): else it would count as in flight until all
     * before it has arrived. A segment that was sent again before another one that is reported now
     * is lost once more (issue 1349): else only the timeout would find it.
     *
     * @param blocks of the ACK, before Discard()
     * @return what has changed
     */
    Reported Update(const SackBlocks& blocks);

    /** @return first byte of the first segment below the highest block that is neither reported nor
     * sent again: rule 3 of RFC 6675's NextSeg() */
    std::optional<uint64_t> FindUnreported() const;

    /** @param end of a segment: first byte behind it @return whether there is such a segment, sent
     * again and not reported */
    bool IsSentAgain(uint64_t end) const;

  private:
    /** A segment. */
    struct Item
    {
        uint64_t start;          //!< first byte
        uint32_t size;           //!< bytes
        bool lost{false};        //!< seems lost
        bool again{false};       //!< was sent again
        bool sacked{false};      //!< guessed, or reported, to have arrived
        bool isUncounted{false}; //!< delivered, or part of a segment that was cut: its bytes do not
                                 //!< count as delivered when they are acknowledged

        /** @return first byte behind it */
        uint64_t GetEnd() const
        {
            return start + size;
        }
    };

    /** A segment that was sent again; with SACK. */
    struct Again
    {
        uint64_t start;     //!< first byte
        Nanoseconds sentNs; //!< when
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

    /** @param index from the first on, with SACK @return when the segment was sent last */
    Nanoseconds& SentNs(size_t index)
    {
        return m_sentNs[m_head + index];
    }

    /** FindLost() with SACK. @return see there */
    std::optional<uint64_t> FindLostWithSack();

    /** A segment was cut; with SACK. @param index of its first part */
    void HandleCut(size_t index);

    /** A segment was joined with the one behind it; with SACK. @param index of the segment */
    void HandleJoin(size_t index);

    /** @param byte of the stream @return index of the segment that ends behind it: of the first one
     * that does */
    size_t FindBehind(uint64_t byte) const;

    /** Update() of one block. @param block it @param reported counts @param newestNs when the last
     * of the segments was sent that no block reported before */
    void UpdateBlock(const SackBlock& block, Reported& reported, Nanoseconds& newestNs);

    /** Skips segments that the blocks of the last ACK have reported. @param index of a segment; of
     * the first one that ends behind such a block, if it contains the segment @return whether it
     * does */
    bool SkipKnown(size_t& index) const;

    /** A block reports a segment for the first time. @param item the segment */
    void Report(Item& item);

    /** Segments with three others reported behind them are lost. */
    void MarkLostBelow();

    /** Segments that were sent again before another one that has arrived are lost. @param newestNs
     * when that was sent */
    void MarkAgainLost(Nanoseconds newestNs);

    /** @param again a segment that was sent again @return its index; none: it has changed since */
    std::optional<size_t> FindAgain(const Again& again);

    /** A segment is lost, unless it was before. @param index of it */
    void MarkLost(size_t index);

    bool m_active{false};              //!< in use
    bool m_hasSack{false};             //!< see ActivateWithSack()
    std::vector<Item> m_items;         //!< segments, in order; those before m_head are gone
    std::vector<Nanoseconds> m_sentNs; //!< with SACK: when each of them was sent last
    size_t m_head{0};                  //!< index of the first
    size_t m_search{0};                //!< none before it is lost and not sent again
    uint64_t m_lostBytes{0};           //!< marked lost
    uint64_t m_againBytes{0};          //!< marked sent again
    uint64_t m_sackedBytes{0};         //!< guessed to have arrived
    std::optional<uint64_t>
        m_highestSack;          //!< start of the last one guessed, or the highest reported
    uint64_t m_lostBelow{0};    //!< all below is reported or lost
    std::vector<Again> m_again; //!< in the order of time; those that changed remain
    SackBlocks m_known;         //!< of the last ACK; none after segments were cut or joined
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SCOREBOARD_H
