/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MIDDLEBOX_H
#define GRIDFTP_MIDDLEBOX_H

#include "gridftp-outage.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Middleboxes that discard packets without an answer: firewalls and NATs that forget idle
 * connections (RFC 5382, Section 5), and routers that neither fragment nor report (RFC 2923,
 * Section 2.1). Both engines ask the same objects.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief When a middlebox forgets connections that carry no packet. */
struct IdleRule
{
    Outage when{};     //!< the middlebox forgets connections in this time only
    int64_t idleNs{0}; //!< without a packet in either direction, ns
};

/**
 * @ingroup gridftp
 * The entry of one connection in the table of a middlebox.
 *
 * Contract: its owner asks Discards() once for each packet of the connection that arrives at either
 * host, in the order of time. After the first packet that finds no entry, no packet passes any
 * more. A new connection has an entry of its own.
 */
class MiddleboxEntry
{
  public:
    /** @param rules of the middlebox; none: the entry stays for ever */
    explicit MiddleboxEntry(std::vector<IdleRule> rules)
        : m_rules(std::move(rules))
    {
    }

    /** @param now ns @return whether the packet is discarded; else it renews the entry */
    bool Discards(int64_t now)
    {
        const auto isForgotten = [this, now](const IdleRule& rule) {
            const int64_t at = std::max(m_lastNs + rule.idleNs, rule.when.beginNs);
            return at <= now && at < rule.when.endNs;
        };
        m_isCut = m_isCut || (m_lastNs >= 0 && std::ranges::any_of(m_rules, isForgotten));
        m_lastNs = now;
        return m_isCut;
    }

  private:
    std::vector<IdleRule> m_rules; //!< of the middlebox
    int64_t m_lastNs{-1};          //!< when the last packet came, ns; below 0: none has
    bool m_isCut{false};           //!< the entry is gone
};

/** @ingroup gridftp @brief A time in which a link loses every packet above a size. */
struct SizeHole
{
    Outage when{};        //!< the time
    int64_t mostBytes{0}; //!< the largest IP packet that passes
};

/** @ingroup gridftp @param holes of a link @param now ns @param bytes of an IP packet @return
 * whether the link loses it */
inline bool
IsTooLarge(const std::vector<SizeHole>& holes, int64_t now, int64_t bytes)
{
    return std::ranges::any_of(holes, [now, bytes](const SizeHole& hole) {
        return bytes > hole.mostBytes && hole.when.beginNs <= now && now < hole.when.endNs;
    });
}

} // namespace ns3::gridftp

#endif // GRIDFTP_MIDDLEBOX_H
