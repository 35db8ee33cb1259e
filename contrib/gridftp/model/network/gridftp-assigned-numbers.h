/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ASSIGNED_NUMBERS_H
#define GRIDFTP_ASSIGNED_NUMBERS_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * Assigned numbers that the module needs. ns-3 has them, too, under names that differ from version
 * to version: the module compiles without warnings from ns-3.44 to ns-3's development tree.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief TCP in the protocol field of an IPv4 header (IANA). */
inline constexpr uint8_t IP_PROTOCOL_TCP = 6;

/** @ingroup gridftp @brief Link type of a pcap file whose frames have a PPP header (LINKTYPE_PPP).
 */
inline constexpr uint16_t LINK_TYPE_PPP = 9;

} // namespace ns3::gridftp

#endif // GRIDFTP_ASSIGNED_NUMBERS_H
