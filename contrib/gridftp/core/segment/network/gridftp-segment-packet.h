/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_PACKET_H
#define GRIDFTP_SEGMENT_PACKET_H

#include <cstdint>

/**
 * @file
 * @ingroup gridftp
 * The segment engine's packets, and how to see them on their way.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a packet of the segment engine is. */
enum class PacketKind : uint8_t
{
    DATA,            //!< a segment; owner: connection, value: first byte
    ACK,             //!< owner: connection, value: first byte missing
    SYN,             //!< owner: connection
    SYN_ACK,         //!< owner: connection
    FIN,             //!< owner: pair of hosts, value: when it was sent, payload: timeout, us
    FIN_ACK,         //!< owner: pair of hosts
    CONTROL,         //!< segment or ACK of a control connection; owner: session, value: both
                     //!< numbers, see SegmentControl
    CONTROL_SYN,     //!< owner: session
    CONTROL_SYN_ACK, //!< owner: session
    CONTROL_FIN,     //!< owner: session, value: as CONTROL
    WITHOUT_EFFECT   //!< only takes its time on the links
};

/**
 * @ingroup gridftp
 * A packet: who it is for, and what is in it. Two words, so that it travels in registers.
 */
class SegmentPacket
{
  public:
    /** None. */
    SegmentPacket() = default;

    /**
     * @param kind what it is
     * @param owner see PacketKind
     * @param value see PacketKind
     * @param payload bytes behind the headers, below 2^24
     */
    SegmentPacket(PacketKind kind, uint32_t owner, uint64_t value = 0, uint32_t payload = 0)
        : m_value(value),
          m_rest(owner | static_cast<uint64_t>(payload) << PAYLOAD_SHIFT |
                 static_cast<uint64_t>(kind) << KIND_SHIFT)
    {
    }

    /** @return what it is */
    PacketKind GetKind() const
    {
        return static_cast<PacketKind>(m_rest >> KIND_SHIFT);
    }

    /** @return see PacketKind */
    uint32_t GetOwner() const
    {
        return static_cast<uint32_t>(m_rest);
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

  private:
    static constexpr unsigned PAYLOAD_SHIFT = 32;                        //!< behind the owner
    static constexpr unsigned PAYLOAD_BITS = 24;                         //!< more than a packet has
    static constexpr unsigned KIND_SHIFT = PAYLOAD_SHIFT + PAYLOAD_BITS; //!< the last byte

    uint64_t m_value{0}; //!< value
    uint64_t m_rest{0};  //!< owner, payload, kind
};

/** @ingroup gridftp @brief Where a packet is on the dumbbell. Forward: with the data. */
enum class PacketPlace : uint8_t
{
    SENDER_OUT,      //!< from the sending host to its router
    FORWARD_QUEUE,   //!< waits for the bottleneck
    FORWARD,         //!< on the bottleneck
    RECEIVER_IN,     //!< from the router to the receiving host
    RECEIVER_OUT,    //!< from the receiving host to its router
    REVERSE_QUEUE,   //!< waits for the bottleneck
    REVERSE,         //!< on the bottleneck
    SENDER_IN,       //!< from the router to the sending host
    FORWARD_REFUSED, //!< the queue is full
    FORWARD_LOST,    //!< lost behind the queue
    REVERSE_REFUSED  //!< the queue is full
};

/** @ingroup gridftp @brief A packet at one place of the dumbbell. */
struct PacketStay
{
    PacketPlace place;    //!< where
    int64_t beginNs;      //!< since when: on a link, since its transmission began
    int64_t endNs;        //!< until when, known beforehand: on a link, when it has arrived
    SegmentPacket packet; //!< which
};

/** @ingroup gridftp @brief Sees every packet at every place. */
class PacketWatcher
{
  public:
    virtual ~PacketWatcher() = default;

    /** @param stay told as soon as it is known, which may be before it begins */
    virtual void HandleStay(const PacketStay& stay) = 0;
};

/** @ingroup gridftp @brief Bytes of an IPv4 and a TCP header, without options. */
inline constexpr int64_t HEADER_BYTES = 40;

/** @ingroup gridftp @brief What a SYN adds to them: the window scale option, padded. */
inline constexpr int64_t SYN_OPTION_BYTES = 4;

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_PACKET_H
