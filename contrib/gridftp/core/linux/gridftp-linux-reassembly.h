/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_REASSEMBLY_H
#define GRIDFTP_LINUX_REASSEMBLY_H

#include "gridftp-linux-segment.h"

#include <array>
#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Data that wait in the receive buffer for those before them. */
struct LinuxHeldRange
{
    uint64_t start{0};    //!< first position
    uint64_t end{0};      //!< first position behind the range
    uint64_t memory{0};   //!< bytes of memory that its segments take
    uint64_t segments{0}; //!< how many segments it consists of
};

/**
 * @ingroup gridftp
 * The out-of-order queue of a LinuxReceiver and the SACK and DSACK blocks that report it (RFC 2018,
 * 2883), as tcp_data_queue_ofo(), tcp_ofo_queue() and tcp_sack_*() of net/ipv4/tcp_input.c do it.
 *
 * Contract: the LinuxReceiver calls Advance() for data at GetNext(), Insert() for data behind it,
 * and then Take() for each range that has become in order. It counts the memory: Insert() returns
 * what the queue takes, Prune() what it gives back.
 */
class LinuxReassembly
{
  public:
    /** Result of Insert(). */
    struct Insertion
    {
        bool isQueued{false};    //!< false: all of it was there
        bool mustFlush{false};   //!< an ACK has to leave before its SACK block is stored
        uint64_t freedMemory{0}; //!< bytes of memory of segments that the new one replaces
    };

    /** @param next first position expected @param hasSack SACK is permitted @param hasDsack DSACK
     * blocks are sent @param mostBlocks SACK blocks that fit into an ACK */
    void Open(uint64_t next, bool hasSack, bool hasDsack, uint32_t mostBlocks);

    /** @return next position expected */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** @return whether no data are out of order */
    bool IsEmpty() const
    {
        return m_ranges.empty();
    }

    /** @return whether SACK is permitted */
    bool HasSack() const
    {
        return m_hasSack;
    }

    /** @return first position behind all data; IsEmpty() is false */
    uint64_t GetHighest() const
    {
        return m_ranges.back().end;
    }

    /** @return whether GetNext() lies in the first range, or at its start */
    bool HasReady() const
    {
        return !m_ranges.empty() && m_ranges.front().start <= m_next;
    }

    /** Data at GetNext() have come. @param end position behind them */
    void Advance(uint64_t end)
    {
        m_next = end;
    }

    /** Removes the first range, advances GetNext() to its end, and reports data that came twice as
     * DSACK. HasReady() is true. @param high GetNext() behind Advance() @return the range, without
     * data before the old GetNext(); start equals end: it has no others */
    LinuxHeldRange Take(uint64_t high);

    /** Behind Advance() and Take(): forgets SACK blocks that GetNext() covers. */
    void RemoveBlocks();

    /** Stores data behind GetNext(). @param segment them @param memory bytes of memory that they
     * take
     * @param isCompressing whether an ACK waits: if the blocks that a sender needs do not fit into
     * it any more, the new block is stored behind the next Fill() only @return what happened */
    Insertion Insert(const LinuxSegment& segment, uint64_t memory, bool isCompressing);

    /** Data have come twice: the next ACK reports them. @param start first position @param end
     * first position behind them */
    void SetDsack(uint64_t start, uint64_t end);

    /** Another segment with data comes: an ACK that waits reports no DSACK of an earlier one. */
    void ForgetDsack()
    {
        m_isDsack = false;
    }

    /** Drops segments from the end of the queue, not those before a position; forgets all SACK
     * blocks if it drops one. @param from position @param memory at least these bytes of memory, if
     * there are so many @return bytes of memory that it dropped */
    uint64_t Prune(uint64_t from, uint64_t memory);

    /** Compacts the segments (tcp_collapse_ofo_queue). @param bytes of data in a unit of memory
     * @param memory bytes of memory of the unit @return bytes of memory that this gives back */
    uint64_t Collapse(uint64_t bytes, uint64_t memory);

    /** Drops all data and blocks, a DSACK, too: the FIN has come. @return bytes of memory that they
     * took */
    uint64_t Clear();

    /** Writes the blocks into a segment that leaves; a DSACK is reported once. @param segment to
     * complete */
    void Fill(LinuxSegment& segment)
    {
        if (m_blockCount > 0 || m_isDsack) [[unlikely]]
        {
            FillBlocks(segment);
        }
    }

  private:
    /** Blocks that are remembered (TCP_NUM_SACKS). */
    static constexpr uint32_t BLOCKS = 4;

    /** Grows a range by one that touches it. @param range to grow @param start first position
     * @param end position behind the other @return whether they touch */
    static bool Extend(LinuxRange& range, uint64_t start, uint64_t end);

    void ExtendDsack(uint64_t start, uint64_t end);
    bool AddBlock(uint64_t start, uint64_t end, bool isCompressing);
    void MergeBlocks();
    void RemoveBlock(uint32_t index);
    void FillBlocks(LinuxSegment& segment);
    uint64_t Absorb(std::deque<LinuxHeldRange>::iterator range, const LinuxSegment& segment);
    void MergeNext(std::deque<LinuxHeldRange>::iterator range);

    uint64_t m_next{0};                      //!< next position expected (rcv_nxt)
    std::deque<LinuxHeldRange> m_ranges;     //!< sorted, disjoint, not adjacent
    uint32_t m_blockCount{0};                //!< how many of m_blocks are valid
    uint32_t m_mostBlocks{0};                //!< that fit into an ACK
    bool m_hasSack{false};                   //!< SACK is permitted
    bool m_hasDsack{false};                  //!< DSACK blocks are sent
    bool m_isDsack{false};                   //!< m_dsack has to be reported
    bool m_isDeferred{false};                //!< m_deferred is stored behind the next ACK
    LinuxRange m_deferred;                   //!< a SACK block
    LinuxRange m_dsack;                      //!< data that came twice
    std::array<LinuxRange, BLOCKS> m_blocks; //!< the one changed last is the first
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_REASSEMBLY_H
