/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINK_SCHEDULE_H
#define GRIDFTP_LINK_SCHEDULE_H

#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Links whose rate and delay change, for both engines.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a link can carry in some time, exactly: rates are whole numbers of bit/s, times of ns. Sums
 * and differences are modulo 2^64 bits, which 1 Tbit/s takes 213 days to carry.
 */
struct LinkCapacity
{
    uint64_t bits{0};     //!< whole bits
    uint64_t nanobits{0}; //!< what is left of one, in 1e-9 bit; below 1e9

    /** @param rateBps bit/s @param ns a time @return what the rate carries in that time */
    static LinkCapacity Of(int64_t rateBps, int64_t ns);

    /** @param other another one @return both together */
    LinkCapacity operator+(const LinkCapacity& other) const;

    /** @param other a part of it @return the rest */
    LinkCapacity operator-(const LinkCapacity& other) const;

    /** @return bits */
    double GetBits() const;
};

/** @ingroup gridftp @brief What a link is like from some moment on. */
struct LinkRow
{
    int64_t startNs{}; //!< since when, ns
    int64_t rateBps{}; //!< bit/s; 0: it stands still
    int64_t delayNs{}; //!< of propagation, ns

    /** @param other another row @return whether they are the same */
    bool operator==(const LinkRow& other) const = default;
};

/**
 * @ingroup gridftp
 * Rate and propagation delay of a link over time.
 *
 * A packet is transmitted at the rate that there is at each moment, so that its transmission takes
 * as long as the integral of the rate takes to reach its bits; while the rate is 0 it stands still.
 * It then propagates with the delay that there is when its last bit leaves. Nothing overtakes on a
 * link (ScheduledLink). So what a link has carried while it was busy is the integral of its rate.
 */
class LinkSchedule
{
  public:
    /** The link does not change. */
    LinkSchedule() = default;

    /**
     * @param rows the first one from time 0 on, each later than the one before; in the last one,
     *        or with a period in any, the rate is above 0
     * @param periodNs when the rows begin again, later than the last one, ns; 0: the last one holds
     */
    explicit LinkSchedule(std::vector<LinkRow> rows, int64_t periodNs = 0);

    /** @return whether the link does not change */
    bool IsEmpty() const
    {
        return m_rows.empty();
    }

    /** @return all rows */
    const std::vector<LinkRow>& GetRows() const
    {
        return m_rows;
    }

    /** @return when they begin again, ns; 0: never */
    int64_t GetPeriodNs() const
    {
        return m_periodNs;
    }

    /** @return the largest rate, bit/s */
    int64_t GetMostRate() const;

    /** @return the least delay, ns */
    int64_t GetLeastDelay() const;

    /** @param atNs a time @return the row of that time */
    const LinkRow& At(int64_t atNs) const
    {
        return m_rows[FindRow(atNs)];
    }

    /**
     * @param startNs when a transmission starts
     * @param bytes of the packet, link header included
     * @return when it ends, to the nearest ns
     */
    int64_t GetEnd(int64_t startNs, int64_t bytes) const;

    /** @param fromNs a time @param toNs not before it @return what it can carry between them */
    LinkCapacity GetCapacity(int64_t fromNs, int64_t toNs) const;

  private:
    /** @param atNs a time @return index of its row */
    size_t FindRow(int64_t atNs) const;

    /** @param toNs a time @return what it can carry from time 0 to then */
    LinkCapacity Integrate(int64_t toNs) const;

    std::vector<LinkRow> m_rows;          //!< in the order of time
    std::vector<LinkCapacity> m_capacity; //!< of each row, what is carried before it; of all
    int64_t m_periodNs{0};                //!< see GetPeriodNs()
};

/** @ingroup gridftp @brief When a packet is where on a link. */
struct LinkCrossing
{
    int64_t endNs;     //!< its transmission ends
    int64_t arrivalNs; //!< it has arrived whole at the other end
};

/** @ingroup gridftp @brief A link with a schedule, and the packets that cross it one by one. */
class ScheduledLink
{
  public:
    /** @param schedule of the link, not empty; copied */
    explicit ScheduledLink(LinkSchedule schedule);

    /**
     * The next packet.
     * @param startNs when its transmission starts: not before that of the one before has ended
     * @param bytes of it, link header included
     * @return when it is where; it does not arrive before the one before it does, however much
     *         the delay has fallen
     */
    LinkCrossing Cross(int64_t startNs, int64_t bytes);

    /** @return of the link */
    const LinkSchedule& GetSchedule() const
    {
        return m_schedule;
    }

  private:
    LinkSchedule m_schedule; //!< of the link
    int64_t m_arrivalNs{0};  //!< of the last packet
};

/**
 * @ingroup gridftp
 * @param carried by a link
 * @param offered what it could have carried
 * @return the one over the other; 0 where it could carry nothing
 */
double GetUtilisation(const LinkCapacity& carried, const LinkCapacity& offered);

} // namespace ns3::gridftp

#endif // GRIDFTP_LINK_SCHEDULE_H
