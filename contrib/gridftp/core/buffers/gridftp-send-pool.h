/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEND_POOL_H
#define GRIDFTP_SEND_POOL_H

#include <cstdint>
#include <set>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Memory that the send buffers of all connections of a host share: automatic TCP buffer tuning
 * (Semke, Mahdavi and Mathis, SIGCOMM 1998). Both engines have one for each host that sends.
 *
 * - A connection wants a buffer between twice and four times of what it may have in flight, the
 *   smaller one of cwnd and the receiver's window: what is in flight, and as much that waits. In
 *   between nothing changes, so that a cwnd that saws does not have the buffer saw.
 * - Where all they want is more than the pool, they get max-min fair shares: whoever wants less
 * than the fair share gets what it wants, and what that leaves is shared equally by the others.
 * - A connection always gets two segments, even beyond the pool.
 *
 * Somebody else's share only changes the buffer of a connection when its own next ACK comes.
 */
class SendPool
{
  public:
    /** A connection of the host. */
    using Member = uint32_t;

    /** Most that a send buffer gets, bytes. */
    static constexpr uint64_t MOST_BYTES = uint64_t{1} << 31;

    /** What a new connection wants, bytes: as in Linux (the second number of tcp_wmem). */
    static constexpr uint64_t FIRST_BYTES = 16384;

    /** @param bytes of the pool @param segmentBytes MSS */
    SendPool(uint64_t bytes, uint64_t segmentBytes);

    /** A connection is established. @return it */
    Member Join();

    /** A connection is closed. @param member it, which may be another one from now on */
    void Leave(Member member);

    /**
     * An ACK has come to a connection.
     * @param member it
     * @param window that it may have in flight, bytes
     */
    void Follow(Member member, uint64_t window);

    /** @param member a connection @return its share: how large its send buffer is to be, bytes */
    uint64_t GetShare(Member member) const;

  private:
    /** @return what a connection gets that wants more, bytes */
    uint64_t GetLevel() const;

    /** A connection wants something. @param bytes it */
    void Add(uint64_t bytes);

    /** It does no longer. @param bytes it */
    void Remove(uint64_t bytes);

    /** Finds out who gets less than it wants. */
    void Settle();

    uint64_t m_bytes;                  //!< of the pool
    uint64_t m_least;                  //!< what a connection always gets, bytes
    std::vector<uint64_t> m_wanted;    //!< by member, bytes; 0: it has left
    std::vector<Member> m_left;        //!< those that have left
    std::multiset<uint64_t> m_content; //!< what those want who get it, bytes
    std::multiset<uint64_t> m_greedy;  //!< what those want who get less, bytes
    uint64_t m_contentBytes{0};        //!< all of m_content
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEND_POOL_H
