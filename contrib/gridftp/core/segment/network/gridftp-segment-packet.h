/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_PACKET_H
#define GRIDFTP_SEGMENT_PACKET_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-state.h"

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * The segment engine's packets, and how to see them on their way.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a packet of the segment engine is. The network looks at none of it; values are for the flow
 * that the packet belongs to.
 */
enum class PacketKind : uint8_t
{
    DATA,           //!< a segment of a one-way connection; value: first byte
    ACK,            //!< of a one-way connection; value: first byte missing, payload: the window
                    //!< field, where windows move or a read is announced
    BOTH_DATA,      //!< DATA or an ACK of the end that connects, where the other one talks back;
                    //!< value: both numbers
    BOTH_ACK,       //!< ACK, perhaps with data, of the end that talks back; value: both numbers,
                    //!< payload: the window field and bytes of data
    PROBE,          //!< of a window; has a byte that is there already; value: as BOTH_DATA
    SEGMENT,        //!< of a LinuxConnection; value: where its header is
    SYN,            //!< asks for a connection
    SYN_ACK,        //!< grants it
    FIN,            //!< ends a one-way connection; of the end that connects value: when it is sent
                    //!< again, should it be lost, ns, payload: a number
    FIN_ACK,        //!< the same of the other end, in answer
    TALK,           //!< segment or ACK of a two-way connection; value: both numbers
    TALK_WINDOW,    //!< ACK of a two-way connection that announces a read; value: as TALK, payload:
                    //!< the window field
    TALK_FIN,       //!< ends a two-way connection; value: as TALK
    RESET,          //!< ends a connection at once; has no answer
    WITHOUT_EFFECT, //!< only takes its time on the links
    WITH_OPTIONS,   //!< any of the above with TCP options, or of a connection with ECN; value:
                    //!< number of its SegmentOptions, payload: see SegmentPacket::WithOptions()
    DATAGRAM,       //!< of a DatagramFlow, with file data; value: its number, and what else its
                    //!< header says
    REPORT          //!< of a DatagramFlow, without; value: where it keeps what is in it
    // At most 64: see SegmentPacket::KIND_SHIFT
};

/**
 * @ingroup gridftp
 * A packet: who it is for, and what is in it. Two words, so that it travels in registers.
 */
class SegmentPacket
{
  public:
    /** All but the value, for packets that differ in nothing else. */
    enum class Label : uint64_t
    {
    };

    /** None. */
    SegmentPacket() = default;

    /** @param label what it has in common with others @param value see PacketKind */
    SegmentPacket(Label label, uint64_t value)
        : m_value(value),
          m_rest(static_cast<uint64_t>(label))
    {
    }

    /**
     * @param kind what it is
     * @param address of the flow and its end, see GetFlow() and GetEnd()
     * @param value see PacketKind
     * @param payload bytes behind the headers, below 2^24
     */
    SegmentPacket(PacketKind kind, uint32_t address, uint64_t value = 0, uint32_t payload = 0)
        : m_value(value),
          m_rest(address | static_cast<uint64_t>(payload) << PAYLOAD_SHIFT |
                 static_cast<uint64_t>(kind) << KIND_SHIFT)
    {
    }

    /** @param flow index @param end of it, 0 or 1 @return the address of that end */
    static constexpr uint32_t AddressOf(uint32_t flow, uint32_t end)
    {
        return flow << 1 | end;
    }

    /**
     * @param kind what it is
     * @param address of the flow and its end
     * @param number of its SegmentOptions
     * @param bytes of its options, padded, below 256
     * @return a packet of PacketKind::WITH_OPTIONS
     */
    static SegmentPacket WithOptions(PacketKind kind,
                                     uint32_t address,
                                     uint32_t number,
                                     uint32_t bytes)
    {
        const uint32_t payload = static_cast<uint32_t>(kind) << OPTION_BITS | bytes;
        return {PacketKind::WITH_OPTIONS, address, number, payload};
    }

    /** @return what it is, with or without options */
    PacketKind GetContent() const
    {
        return GetKind() == PacketKind::WITH_OPTIONS
                   ? static_cast<PacketKind>(GetPayload() >> OPTION_BITS)
                   : GetKind();
    }

    /** @return bytes of TCP options, but for those of a SYN without SegmentOptions */
    uint32_t GetOptionBytes() const
    {
        return GetKind() == PacketKind::WITH_OPTIONS ? GetPayload() & ((1U << OPTION_BITS) - 1) : 0;
    }

    /** @return address of the flow and its end, see AddressOf() */
    uint32_t GetAddress() const
    {
        return static_cast<uint32_t>(m_rest);
    }

    /** @return all but the value */
    Label GetLabel() const
    {
        return static_cast<Label>(m_rest);
    }

    /** @return what it is */
    PacketKind GetKind() const
    {
        return static_cast<PacketKind>(m_rest >> KIND_SHIFT);
    }

    /** @return index of the flow that it belongs to */
    uint32_t GetFlow() const
    {
        return static_cast<uint32_t>(m_rest) >> 1;
    }

    /** @return the end of the flow that it goes to, 0 or 1 */
    uint32_t GetEnd() const
    {
        return static_cast<uint32_t>(m_rest) & 1;
    }

    /** @return see PacketKind */
    uint64_t GetValue() const
    {
        return m_value;
    }

    /** @return bytes behind the headers */
    uint32_t GetPayload() const
    {
        return static_cast<uint32_t>(m_rest >> PAYLOAD_SHIFT) & ((1U << PAYLOAD_BITS) - 1);
    }

    /**
     * @name ECN field of the IP header (RFC 3168, section 5)
     * The transport that sends a packet calls SetEct(), a queue discipline calls Mark(), the
     * transport that receives the packet reads IsMarked(). A packet is Not-ECT until SetEct(). The
     * field is part of GetLabel(), so that a transport can store a label that is ECT.
     * @{
     */

    /** Makes the packet ECT(0): queues may mark it instead of dropping it. */
    void SetEct()
    {
        m_rest |= ECT_BIT;
    }

    /** @return whether queues may mark it: the field is ECT(0) or CE */
    bool IsEct() const
    {
        return (m_rest & ECT_BIT) != 0;
    }

    /** Sets the field to CE where IsEct(); other packets stay as they are. @return IsEct() */
    bool Mark()
    {
        m_rest |= IsEct() ? CE_BIT : 0;
        return IsEct();
    }

    /** @return whether the field is CE */
    bool IsMarked() const
    {
        return (m_rest & CE_BIT) != 0;
    }

    /** @} */

  private:
    static constexpr unsigned PAYLOAD_SHIFT = 32;                       //!< behind the address
    static constexpr unsigned PAYLOAD_BITS = 24;                        //!< more than a packet has
    static constexpr unsigned ECN_SHIFT = PAYLOAD_SHIFT + PAYLOAD_BITS; //!< two bits
    static constexpr unsigned KIND_SHIFT = ECN_SHIFT + 2;               //!< the last six bits
    static constexpr unsigned OPTION_BITS = 8; //!< of a payload: bytes of options
    static constexpr uint64_t ECT_BIT = uint64_t{1} << ECN_SHIFT;      //!< ECT(0) or CE
    static constexpr uint64_t CE_BIT = uint64_t{1} << (ECN_SHIFT + 1); //!< CE

    uint64_t m_value{0}; //!< value
    uint64_t m_rest{0};  //!< address, payload, ECN field, kind
};

/** @ingroup gridftp @brief Where a packet is at a link. */
enum class LinkPlace : uint8_t
{
    QUEUE,   //!< waits for it
    LINK,    //!< on it
    REFUSED, //!< its queue is full
    LOST     //!< lost behind the queue
};

/** @ingroup gridftp @brief A packet at one link. */
struct LinkStay
{
    uint32_t link;        //!< index in the topology
    LinkPlace place;      //!< where there
    int64_t beginNs;      //!< since when: on the link, since its transmission began
    int64_t endNs;        //!< until when, known beforehand: on the link, when it has arrived; in an
                          //!< ActiveQueue NEVER first, see NetworkObserver
    SegmentPacket packet; //!< which
};

/** @ingroup gridftp @brief Sees every packet at every link. */
class NetworkObserver
{
  public:
    virtual ~NetworkObserver() = default;

    /**
     * Contract: the network calls this as soon as a stay is known, which may be before it begins.
     * How long a packet waits in an ActiveQueue is known when it leaves: such a stay is reported
     * when it begins, with LinkStay::endNs NEVER, and again when it ends.
     * @param stay of a packet
     */
    virtual void HandleStay(const LinkStay& stay) = 0;
};

/** @ingroup gridftp @brief To whom the network gives what becomes of packets. */
class PacketHandler
{
  public:
    virtual ~PacketHandler() = default;

    /** A packet is at the end of its route. @param at when @param packet which */
    virtual void HandleArrival(Nanoseconds at, SegmentPacket packet) = 0;

    /** HandleArrival() of a PacketKind::DATAGRAM. @param at when @param packet which */
    virtual void HandleDatagram(Nanoseconds at, SegmentPacket packet) = 0;

    /**
     * A packet does not get through.
     * @param link that it has come to, index in the topology
     * @param at when
     * @param packet which
     * @param refused by the queue; else lost behind it
     */
    virtual void HandleDrop(uint32_t link, Nanoseconds at, SegmentPacket packet, bool refused) = 0;

    /** @param packet on its way @param state gets it */
    virtual void AddState(SegmentPacket packet, SegmentState& state) const = 0;

    /** @param packet on its way @return HashFlow() of it; 0 if no router hashes flows */
    virtual uint32_t GetFlowHash(SegmentPacket /* packet */) const
    {
        return 0;
    }
};

/** @ingroup gridftp @brief Bytes of an IPv4 and a TCP header, without options. */
inline constexpr int64_t HEADER_BYTES = 40;

/** @ingroup gridftp @brief What a SYN adds to them: the window scale option, padded. */
inline constexpr int64_t SYN_OPTION_BYTES = 4;

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_PACKET_H
