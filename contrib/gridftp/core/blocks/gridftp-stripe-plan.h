/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_STRIPE_PLAN_H
#define GRIDFTP_STRIPE_PLAN_H

#include "gridftp-marker-ranges.h"
#include "gridftp-stripes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Which stripe sends which part of the file to which (Allcock et al., Section 5.1; GFD.20); both
 * engines follow it.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A range of the file. */
struct Block
{
    uint64_t offset{0}; //!< of the first byte
    uint64_t length{0}; //!< bytes; 0: none
};

/**
 * @ingroup gridftp
 * Ranges of a chunk, in order, one behind the other as if they were one: all of one length and at
 * one distance, but for the first one and the last one, which may be cut off.
 */
class StripeRanges
{
  public:
    /** No range. */
    StripeRanges() = default;

    /** One range. @param offset of its first byte @param bytes of it */
    StripeRanges(uint64_t offset, uint64_t bytes)
        : m_offset(offset),
          m_bytes(bytes),
          m_first(bytes)
    {
    }

    /**
     * @param first the first one
     * @param next where the second one begins
     * @param length of each but the first and the last, at least 1
     * @param distance from the begin of one of these to that of the next one
     * @param bytes of all of them
     */
    StripeRanges(const Block& first,
                 uint64_t next,
                 uint64_t length,
                 uint64_t distance,
                 uint64_t bytes)
        : m_offset(first.offset),
          m_bytes(bytes),
          m_first(std::min(first.length, bytes)),
          m_next(next),
          m_length(length),
          m_distance(distance)
    {
    }

    /** @return bytes of all of them */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return whether there is no more than one */
    bool IsContiguous() const
    {
        return m_first == m_bytes;
    }

    /**
     * @param held ranges of the file, of MergeRanges()
     * @param offset of the chunk in the file
     * @return what of them is in none of those ranges
     */
    StripeRanges Without(const MarkerRanges& held, uint64_t offset) const;

    /**
     * @param position byte of them, counted as if they were one; up to GetBytes()
     * @return what is left from there on of the range that it is in
     */
    Block Find(uint64_t position) const
    {
        if (position < m_first || m_first == m_bytes)
        {
            return {m_offset + position, m_first - position};
        }
        if (m_pieces) [[unlikely]]
        {
            return FindPiece(position);
        }
        const uint64_t behind = position - m_first;
        const uint64_t within = behind % m_length;
        return {m_next + behind / m_length * m_distance + within,
                std::min(m_length - within, m_bytes - position)};
    }

  private:
    /** One of several of any lengths. */
    struct Piece
    {
        uint64_t position; //!< bytes before it
        Block block;       //!< the range
    };

    /** Find() of several of any lengths. @param position byte of them @return what is left */
    Block FindPiece(uint64_t position) const;

    uint64_t m_offset{0};                                 //!< of the first one
    uint64_t m_bytes{0};                                  //!< of all of them
    uint64_t m_first{0};                                  //!< of the first one
    uint64_t m_next{0};                                   //!< where the second one begins
    uint64_t m_length{1};                                 //!< of the second one and those behind it
    uint64_t m_distance{1};                               //!< between the begins of these
    std::shared_ptr<const std::vector<Piece>> m_pieces{}; //!< all, where they are of any lengths
};

/** @ingroup gridftp @brief A sending and a receiving stripe with data connections between them. */
struct StripePair
{
    uint32_t sender{0};   //!< index of the stripe
    uint32_t receiver{0}; //!< index of the stripe

    bool operator==(const StripePair&) const = default;
};

/**
 * @ingroup gridftp
 * The stripes of a session, which of them have connections, and what goes over these.
 *
 * Where there are as many at both ends, each sends to the one of its number; else each to each, by
 * the offset in the file. Pairs are ordered by sender, then by receiver. Of a blocked layout, block
 * b of the file is sent by stripe b mod M, and of each to each received by stripe b mod N. Of a
 * partitioned one, each stripe sends one of M contiguous equal parts of a chunk, and of each to
 * each receives one of N (the first ones a byte longer where the chunk does not divide).
 */
class StripePlan
{
  public:
    /**
     * @param stripes how many
     * @param layout who has what
     * @param blockBytes of a blocked layout, at least 1
     */
    StripePlan(const StripeCounts& stripes, StripeLayout layout, uint64_t blockBytes);

    /** @return how many send */
    uint32_t GetSenders() const
    {
        return m_senders;
    }

    /** @return how many receive */
    uint32_t GetReceivers() const
    {
        return m_receivers;
    }

    /** @return whether each sends to the one of its number */
    bool IsOneToOne() const
    {
        return m_senders == m_receivers;
    }

    /** @return how many receivers each sender has; pairs of one sender follow one another */
    uint32_t GetReceiversOfSender() const
    {
        return IsOneToOne() ? 1 : m_receivers;
    }

    /** @return how many senders each receiver has */
    uint32_t GetSendersOfReceiver() const
    {
        return IsOneToOne() ? 1 : m_senders;
    }

    /** @return how many pairs there are */
    uint32_t GetPairs() const
    {
        return static_cast<uint32_t>(
            ns3::gridftp::GetPairs({.senders = m_senders, .receivers = m_receivers}));
    }

    /** @param pair index, below GetPairs() @return which stripes it is of */
    StripePair GetPair(uint32_t pair) const
    {
        return IsOneToOne() ? StripePair{pair, pair}
                            : StripePair{pair / m_receivers, pair % m_receivers};
    }

    /** @param stripes which have connections @return index of the pair */
    uint32_t FindPair(const StripePair& stripes) const
    {
        return IsOneToOne() ? stripes.sender : stripes.sender * m_receivers + stripes.receiver;
    }

    /** @param receiver a stripe @return the first of those that send to it, which says EOF */
    uint32_t GetFirstSender(uint32_t receiver) const
    {
        return IsOneToOne() ? receiver : 0;
    }

    /**
     * @param pair index of a pair
     * @param offset of a chunk in the file
     * @param length of the chunk, at least 1
     * @return what of the chunk goes over it, offsets counted from the chunk's first byte
     */
    StripeRanges GetRanges(uint32_t pair, uint64_t offset, uint64_t length) const;

    /** @param offset of a chunk in the file @param length of it, at least 1 @return bytes of it
     * that go over each pair */
    std::vector<uint64_t> ListBytes(uint64_t offset, uint64_t length) const;

  private:
    /** GetRanges() of a blocked layout. @param pair which stripes @param offset of a chunk @param
     * length of it @return the ranges */
    StripeRanges GetBlocks(const StripePair& pair, uint64_t offset, uint64_t length) const;

    uint32_t m_senders;    //!< M
    uint32_t m_receivers;  //!< N
    StripeLayout m_layout; //!< who has what
    uint64_t m_blockBytes; //!< of a blocked layout
};

/**
 * @ingroup gridftp
 * @param bytes that are cut into equal parts, the first ones a byte longer where they do not divide
 * @param parts how many
 * @param index of one
 * @return the part
 */
Block GetEqualPart(uint64_t bytes, uint64_t parts, uint64_t index);

} // namespace ns3::gridftp

#endif // GRIDFTP_STRIPE_PLAN_H
