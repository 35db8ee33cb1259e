/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_WIRE_H
#define GRIDFTP_UDT_WIRE_H

#include "gridftp-tool-end.h"

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

/**
 * @file
 * @ingroup gridftp
 * What UDT puts in its datagrams (draft-gg-udt-03, Section 2): a header of four words of 32 bits in
 * network order, and behind it file data or, in a report, further words.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Kinds of UDT's reports, as in ReportDatagram::type. */
enum class UdtReport : uint32_t
{
    HANDSHAKE = 0,  //!< UdtHandshake
    KEEP_ALIVE = 1, //!< nothing: only that the end is there
    ACK = 2,        //!< info: its own number, 0 of a light one; words: see UdtAck
    NAK = 3,        //!< words: a packet, or two for a range, the first with its top bit set
    DELAY = 4,      //!< nothing: the round-trip time grows
    SHUTDOWN = 5,   //!< nothing: the connection is closed
    ACK2 = 6        //!< info: the number of the ACK that has come
};

/** @ingroup gridftp @brief The words of an ACK: 1 of a light one, else 4 or 6. */
struct UdtAck
{
    static constexpr uint32_t NEXT = 0;      //!< all packets before this one have come
    static constexpr uint32_t RTT = 1;       //!< round-trip time, microseconds
    static constexpr uint32_t VARIATION = 2; //!< of the round-trip time, microseconds
    static constexpr uint32_t ROOM = 3;      //!< of the receive buffer, packets
    static constexpr uint32_t SPEED = 4;     //!< at which packets come, packets/s
    static constexpr uint32_t CAPACITY = 5;  //!< of the path, packets/s

    static constexpr uint32_t LIGHT_WORDS = 1; //!< of a light ACK
    static constexpr uint32_t SHORT_WORDS = 4; //!< of one soon after another one
    static constexpr uint32_t FULL_WORDS = 6;  //!< of a full one
};

/** @ingroup gridftp @brief What a handshake says. */
struct UdtHandshake
{
    uint32_t version{4}; //!< of UDT
    uint32_t kind{1};    //!< of socket: 1, a stream
    uint32_t first{0};   //!< sequence number of the first packet
    uint32_t mss{0};     //!< largest packet with its IP header, bytes
    uint32_t flight{0};  //!< packets that the end would take at once
    uint32_t type{0};    //!< REQUEST, CONNECT or REFUSED
    uint32_t socket{0};  //!< number of the socket of the end
    uint32_t cookie{0};  //!< of the end that listens; 0: not known yet

    static constexpr uint32_t REQUEST = 1;          //!< for a cookie, and the answer
    static constexpr uint32_t CONNECT = UINT32_MAX; //!< with the cookie, and the answer
    static constexpr uint32_t REFUSED = 1002;       //!< the answer to one that cannot be
    static constexpr uint32_t SENDER_SOCKET = 1;    //!< of the end that connects
    static constexpr uint32_t RECEIVER_SOCKET = 2;  //!< of the connection at the other end
    static constexpr uint32_t WORDS = 12;           //!< of a handshake

    /** @return the report that says this */
    ReportDatagram ToReport() const;

    /** @param report a handshake @return what it says; none: it has not as many words */
    static std::optional<UdtHandshake> FromReport(const ReportDatagram& report);
};

/** @ingroup gridftp @brief What UDT's datagrams look like; see ToolKind. */
struct UdtWire
{
    static constexpr uint32_t HEADER_BYTES = 16;  //!< of every datagram
    static constexpr uint32_t NUMBERS = 1U << 31; //!< sequence numbers that there are

    /** Packets of a block, which is a message for UDT: its program sends a file in blocks of
     * 364,000 bytes. */
    static constexpr uint32_t BLOCK_PACKETS = 250;

    /** In DataDatagram::stamp: this packet is the last one of its block. The other bits are the
     * microseconds since the socket was made. */
    static constexpr uint32_t END_OF_BLOCK = 1U << 31;

    /** @param report any @return its UDP payload: what has nothing to say has one word of it */
    static uint32_t GetReportBytes(const ReportDatagram& report);

    /** @param datagram with file data @param header where its header goes */
    static void WriteData(const DataDatagram& datagram, std::span<uint8_t> header);

    /** @param report any @param bytes where it goes, as many as GetReportBytes() says */
    static void WriteReport(const ReportDatagram& report, std::span<uint8_t> bytes);

    /** @param front of a datagram @param size of all of it @return what it is; none: no UDT */
    static std::optional<std::variant<DataDatagram, ReportDatagram>> Read(
        std::span<const uint8_t> front,
        uint32_t size);
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_WIRE_H
