/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RATE_LIMITER_H
#define GRIDFTP_RATE_LIMITER_H

#include "gridftp-ring.h"

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * What limits the rate of a host that its links do not limit, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a limit does to a packet that exceeds it. */
enum class LimitKind
{
    POLICER, //!< drops it (RFC 2475, Section 2.3.3.4)
    SHAPER   //!< has it wait (RFC 2475, Section 2.3.3.3)
};

/** @ingroup gridftp @brief A limit on the rate of IP packets: a token bucket. */
struct RateLimit
{
    int64_t rateBps{};      //!< of the tokens, bit/s of IP packets; 0: there is no limit
    LimitKind kind{};       //!< what it does
    int64_t burstBytes{};   //!< depth of the bucket: most tokens that it holds
    int64_t queuePackets{}; //!< of a shaper: most packets waiting, DropTail

    /** @return whether there is one */
    bool IsSet() const
    {
        return rateBps > 0;
    }
};

/**
 * @ingroup gridftp
 * A token bucket (RFC 2697, Section 3, with one bucket): full in the beginning, it fills at a
 * constant rate up to its depth, and a packet goes when it holds as many tokens as the packet has
 * bytes, which it takes out.
 *
 * Counted in 1e-9 bit, of which a rate in bit/s brings a whole number every nanosecond, so that
 * nothing is rounded but the moment at which a packet that waits goes: the first whole nanosecond
 * in which there are tokens enough.
 */
class RateLimiter
{
  public:
    /** What Pass() gives for a packet that is dropped. */
    static constexpr int64_t REFUSED = -1;

    /** Largest RateLimit::burstBytes: the bucket is counted in 64 bits. */
    static constexpr int64_t MOST_BURST_BYTES = 1'000'000'000;

    /** Largest RateLimit::rateBps: far beyond it the tokens of a nanosecond would be those of a
     * small packet, which could pass in the nanosecond of the one before it. */
    static constexpr int64_t MOST_RATE_BPS = 100'000'000'000;

    /** @param limit that it keeps; one that is set */
    explicit RateLimiter(const RateLimit& limit);

    /**
     * A packet comes.
     * @param nowNs when, not before an earlier call's, ns
     * @param bytes of the IP packet
     * @return when it goes on, ns, in the order of the calls: at once, or of a shaper later; or
     *         REFUSED where a policer has no tokens for it, where a shaper's queue is full, or
     *         where the bucket is too small for it
     */
    int64_t Pass(int64_t nowNs, int64_t bytes);

    /** @return packets that it refused */
    uint64_t GetDrops() const
    {
        return m_drops;
    }

  private:
    /** Lets the bucket fill. @param nowNs until when, not before the last one, ns */
    void Fill(int64_t nowNs);

    /** @return REFUSED, which is counted */
    int64_t Refuse();

    int64_t m_rateBps;        //!< of the tokens: 1e-9 bit a ns
    LimitKind m_kind;         //!< what it does
    int64_t m_depth;          //!< of the bucket, 1e-9 bit
    uint64_t m_queuePackets;  //!< of a shaper
    int64_t m_level;          //!< tokens, 1e-9 bit
    int64_t m_filledNs{0};    //!< until when it has filled; of a shaper when the last one goes
    Ring<int64_t> m_releases; //!< of a shaper: when those that wait go
    uint64_t m_drops{0};      //!< see GetDrops()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RATE_LIMITER_H
