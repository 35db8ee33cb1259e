/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CHUNK_PIPELINE_H
#define GRIDFTP_CHUNK_PIPELINE_H

#include "gridftp-control-script.h"
#include "gridftp-file-set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A chunk that a client has begun to ask for, and what has come of it. */
struct PipelinedChunk
{
    uint64_t index{0};             //!< counted from 0
    FileChunk part;                //!< what of which file
    uint32_t parallelism{1};       //!< N
    std::vector<uint32_t> pairs{}; //!< N of each pair of stripes, where they differ
    MarkerRanges held{};           //!< of the file, within the chunk, that the receiver had before

    bool isSaid{false};                    //!< its first transfer command is
    bool hasBegun{false};                  //!< it is, and the chunks before are complete
    bool isOpened{false};                  //!< the receiving server has begun to receive it
    bool isExpected{false};                //!< download: the client receives it
    bool isReceived{false};                //!< its own end is done, see AwaitsOwnEnd()
    int64_t endNs{0};                      //!< when its last final reply came, or the last of its
                                           //!< data, see HandleReceived()
    std::array<bool, PEERS> isConfirmed{}; //!< by Peer: the final reply has come
};

/**
 * @ingroup gridftp
 * The chunks whose commands a client has said, or is about to, in order. The first is under way;
 * with pipelining others wait behind it, whose commands were said ahead of the replies to those
 * before. Both engines have it, and follow it.
 *
 * A chunk begins, and its T with it, when its first transfer command is said, or, said ahead, when
 * the chunk before is complete: so no time counts twice, and T of all chunks adds up to that of the
 * session. The client of a download waits for the data of the next chunk as soon as those of the
 * one before are there. It need not wait for reply 226, which comes by another connection and may
 * be late.
 */
class ChunkPipeline
{
  public:
    /** @param direction of the data */
    explicit ChunkPipeline(Direction direction)
        : m_direction(direction)
    {
    }

    /**
     * The next file goes in another direction, over the same control connection.
     * @param direction of its data; nothing is asked for now, and it is upload or download
     */
    void SetDirection(Direction direction)
    {
        m_direction = direction;
    }

    /** A chunk is to be asked for. @param chunk which */
    void Add(PipelinedChunk chunk);

    /** @return whether there is none */
    bool IsEmpty() const
    {
        return m_chunks.empty();
    }

    /** @return how many there are */
    size_t GetSize() const
    {
        return m_chunks.size();
    }

    /** @return the one under way; there must be one */
    const PipelinedChunk& GetFirst() const
    {
        return m_chunks.front();
    }

    /** @return the one that was added last; there must be one */
    const PipelinedChunk& GetLast() const
    {
        return m_chunks.back();
    }

    /** @return whether the one under way has begun */
    bool HasBegun() const
    {
        return !m_chunks.empty() && m_chunks.front().hasBegun;
    }

    /**
     * A transfer command is said.
     * @param verb ESTO or ERET
     * @return of which chunk: the first of which it was not said
     */
    const PipelinedChunk& HandleSaid(Verb verb);

    /** @return the one under way, if it begins now, which this does; else null */
    const PipelinedChunk* Begin();

    /** @return the chunk that the client receives from now on, if there is one, which this says;
     * else null */
    const PipelinedChunk* Expect();

    /** @return whether the client waits for data */
    bool IsReceiving() const;

    /** @return whether the chunk under way waits for the client's own end of the data, too: for all
     * that it receives, and for the times of pairs of stripes on which it sends */
    bool AwaitsOwnEnd() const;

    /**
     * The client's own end of the data is done with a chunk: all that it receives has come.
     * @param endNs the chunk ends then at the earliest, ns; below 0: with the final reply, as in
     * the papers. A receive buffer of several MB may hold data long after that reply.
     */
    void HandleReceived(int64_t endNs = -1);

    /** A receiving server says 150, for the oldest ESTO without its final reply. @return the chunk,
     * which it has begun to receive; null where it had said so */
    const PipelinedChunk* HandleOpened();

    /** @return whether the sender may be told of the next chunk: of a third-party transfer, when
     * the receiver has begun to receive it */
    bool MaySend() const
    {
        return m_direction != Direction::THIRD_PARTY || m_sent < m_opened;
    }

    /** A final reply to a transfer command has come. @param peer from which server @param nowNs of
     * the simulation */
    void HandleConfirmed(Peer peer, int64_t nowNs);

    /** @return whether all has come of the one under way: final replies, and data where the client
     * receives them */
    bool IsFirstComplete() const;

    /** @return the one under way, which is taken off; there must be one */
    PipelinedChunk TakeFirst();

    /** Nothing comes of any of them. */
    void Clear();

  private:
    Direction m_direction;               //!< of the data
    std::deque<PipelinedChunk> m_chunks; //!< the one under way first
    uint64_t m_opened{0};                //!< chunks that the receiver has begun to receive
    uint64_t m_sent{0};                  //!< chunks that the sender was told of
    uint64_t m_taken{0};                 //!< chunks that are complete
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CHUNK_PIPELINE_H
