/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FOBS_WIRE_H
#define GRIDFTP_FOBS_WIRE_H

#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What is in the datagrams of FOBS. Its publications say what an acknowledgement tells and not how
 * it is laid out, and its program is gone: the layout is ours.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * An acknowledgement: what is missing of those packets that came since the one before.
 */
struct FobsAck
{
    uint32_t complete{0}; //!< all packets below this one have come
    uint32_t first{0};    //!< the packet of the lowest bit
    uint32_t received{0}; //!< datagrams with file data that have come until now
    uint32_t highest{0};  //!< as many had been sent when the youngest of those was

    std::vector<uint32_t> arrived{}; //!< a bit for each packet from `first` on: it has come

    /** @return it as a report */
    ReportDatagram ToReport() const;

    /** @param report any @return what it tells; none: it is no acknowledgement */
    static std::optional<FobsAck> FromReport(const ReportDatagram& report);
};

/** @ingroup gridftp @brief How the datagrams of FOBS look, in words of network byte order. */
struct FobsWire
{
    static constexpr uint32_t HEADER_BYTES = 8; //!< a packet's number, and how many were sent

    /** Packets that an acknowledgement has bits for, so that it fits into a datagram. */
    static constexpr uint32_t MOST_BITS = 8192;

    /** @param report any @return its UDP payload, bytes */
    static uint32_t GetReportBytes(const ReportDatagram& report);

    /** @param datagram with file data @param header of HEADER_BYTES */
    static void WriteData(const DataDatagram& datagram, std::span<uint8_t> header);

    /** @param report any @param bytes as many as GetReportBytes() says */
    static void WriteReport(const ReportDatagram& report, std::span<uint8_t> bytes);

    /** @param front of a datagram @param size of its UDP payload @return what it is; none: it makes
     * no sense */
    static std::optional<std::variant<DataDatagram, ReportDatagram>> Read(
        std::span<const uint8_t> front,
        uint32_t size);
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FOBS_WIRE_H
