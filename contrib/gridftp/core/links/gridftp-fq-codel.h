/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FQ_CODEL_H
#define GRIDFTP_FQ_CODEL_H

#include "gridftp-codel.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * FQ-CoDel, for both engines.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The header fields of an IPv4 packet that FQ-CoDel hashes. */
struct FlowTuple
{
    uint32_t source{};          //!< IPv4 address
    uint32_t destination{};     //!< IPv4 address
    uint8_t protocol{};         //!< of the transport: 6 TCP, 17 UDP
    uint16_t sourcePort{};      //!< TCP or UDP port
    uint16_t destinationPort{}; //!< TCP or UDP port
};

/**
 * @ingroup gridftp
 * The hash of ns-3's Ipv4QueueDiscItem with perturbation 0: MurmurHash3 (32 bits for x86) of the
 * fields in network byte order.
 * @param flow the fields of a packet
 * @return the hash, QueuedPacket::flowHash
 */
uint32_t HashFlow(const FlowTuple& flow);

/** @ingroup gridftp @brief Parameters of FQ-CoDel, by the names of ns-3's FqCoDelQueueDisc. */
struct FqCodelSpec
{
    int64_t flows{};   //!< Flows: queues that flows are hashed to, at least 1
    int64_t quantum{}; //!< Quantum: bytes that a queue sends in a round, at least 1
};

/**
 * @ingroup gridftp
 * A CoDel queue for each flow, served by deficit round robin with priority for queues that have
 * just become active (RFC 8290), as ns-3's FqCoDelQueueDisc. When more than the limit waits,
 * packets are dropped from the head of the longest queue, until 64 packets or half its bytes are
 * gone. As in ns-3 a queue that has as many packets as the limit refuses further ones instead,
 * which happens where only one flow waits.
 */
class FqCodelQueue final : public ActiveQueue
{
  public:
    /** @param spec valid parameters @param codel of each queue @param mostPackets most packets that
     * wait in all of them */
    FqCodelQueue(const FqCodelSpec& spec, const CodelSpec& codel, uint64_t mostPackets)
        : m_spec(spec),
          m_codel(codel),
          m_mostPackets(mostPackets)
    {
    }

    uint64_t GetLength() const override
    {
        return m_length;
    }

  private:
    /** The queue of the flows that share a hash bucket. */
    struct Flow
    {
        CodelFifo fifo;       //!< its packets
        int64_t deficit{0};   //!< bytes that it may still send in this round
        bool isListed{false}; //!< it is in m_new or m_old
    };

    bool DoEnqueue(int64_t nowNs, QueuedPacket packet) override;
    std::optional<QueuedPacket> DoDequeue(int64_t nowNs) override;

    /** @param hash of a flow @return its queue, perhaps a new one: index in m_flows */
    uint32_t FindFlow(uint32_t hash);

    /** @return whether the next packet is from the front of m_new, else of m_old; queues without a
     * deficit have moved to the end of m_old; none where no queue is listed */
    std::optional<bool> FindNext();

    /** Drops packets of the longest queue. */
    void DropFromLongest();

    FqCodelSpec m_spec;                   //!< parameters
    CodelSpec m_codel;                    //!< of each queue
    uint64_t m_mostPackets;               //!< most packets that wait
    uint64_t m_length{0};                 //!< packets that wait
    std::vector<Flow> m_flows;            //!< in the order of their first packets
    std::map<uint32_t, uint32_t> m_index; //!< in m_flows, by hash
    std::deque<uint32_t> m_new;           //!< queues that have just become active, in m_flows
    std::deque<uint32_t> m_old;           //!< other active queues, in m_flows
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FQ_CODEL_H
