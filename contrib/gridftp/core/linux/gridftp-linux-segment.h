/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SEGMENT_H
#define GRIDFTP_LINUX_SEGMENT_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A range of a byte stream: RFC 2018 names its borders left and right
 * edge. */
struct LinuxRange
{
    uint64_t start; //!< first byte
    uint64_t end;   //!< first byte behind the range
};

/**
 * @ingroup gridftp
 * Fields of a TCP segment between two LinuxSockets, without its SACK blocks: with their meaning,
 * without their encoding. Sequence numbers are positions of the byte stream that never wrap: the
 * SYN has position 0, the first byte of data 1, the FIN the position behind the last byte.
 */
struct LinuxHeader
{
    uint64_t seq{0};          //!< position of the SYN, of the first byte, or of the FIN
    uint64_t ack{0};          //!< next position that the sender of this segment expects
    uint64_t window{0};       //!< receive window, bytes, scaled already
    uint32_t size{0};         //!< bytes of data
    uint32_t tsVal{0};        //!< TSval (RFC 7323), ms
    uint32_t tsEcr{0};        //!< TSecr; 0: none
    uint8_t flags{0};         //!< those of LinuxSegment
    uint8_t blocks{0};        //!< how many SACK blocks there are
    bool isEct{false};        //!< IP header: ECN-capable transport
    bool isCe{false};         //!< IP header: congestion experienced
    bool hasSack{false};      //!< SYN: SACK permitted
    bool hasTimestamp{false}; //!< the timestamps option is there
    uint32_t mss{0};          //!< SYN: maximum segment size, bytes, without options
};

/** @ingroup gridftp @brief A TCP segment between two LinuxSockets. */
struct LinuxSegment : LinuxHeader
{
    static constexpr uint8_t SYN = 1;  //!< flag: opens the connection
    static constexpr uint8_t ACK = 2;  //!< flag: `ack` is valid
    static constexpr uint8_t FIN = 4;  //!< flag: the sender has no more data
    static constexpr uint8_t RST = 8;  //!< flag: ends the connection at once
    static constexpr uint8_t PSH = 16; //!< flag: the sender has nothing to send behind it
    static constexpr uint8_t ECE = 32; //!< flag: RFC 3168, congestion was experienced
    static constexpr uint8_t CWR = 64; //!< flag: RFC 3168, cwnd was reduced

    static constexpr uint32_t MOST_BLOCKS = 4; //!< SACK blocks that fit into the options

    std::array<LinuxRange, MOST_BLOCKS>
        sack; //!< the first `blocks` are valid; a DSACK is the first

    /** Makes it a segment without flags, data and options. */
    void Clear()
    {
        static_cast<LinuxHeader&>(*this) = {};
    }

    /** Becomes a copy, without SACK blocks that are not valid. @param other segment to copy */
    void Copy(const LinuxSegment& other)
    {
        static_cast<LinuxHeader&>(*this) = other;
        std::copy_n(other.sack.begin(), blocks, sack.begin());
    }

    /** @return the position behind the segment */
    uint64_t GetEnd() const
    {
        return seq + size + ((flags & (SYN | FIN)) != 0 ? 1 : 0);
    }

    /** @param flag one of those above @return whether it is set */
    bool Has(uint8_t flag) const
    {
        return (flags & flag) != 0;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SEGMENT_H
