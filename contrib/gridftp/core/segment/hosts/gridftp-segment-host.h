/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_HOST_H
#define GRIDFTP_SEGMENT_HOST_H

#include "gridftp-host-stack.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-network.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A host of engine segment whose packets wait for its CPU. */
class SegmentHost final : public PacketGate, private EventTarget, private HostStack<Transit>::User
{
  public:
    /** What is around it, which outlives it. */
    struct Surroundings
    {
        SegmentNetwork* network; //!< of its links
        EventQueue* events;      //!< of the simulation
        PacketHandler* flows;    //!< get its packets
        int64_t headerBytes;     //!< what links add to an IP packet
    };

    /** @param host what it is like @param around it */
    SegmentHost(const HostPtr& host, const Surroundings& around);

    // PacketGate
    void Leave(const Transit& transit) override;
    void Arrive(const Transit& transit) override;

  private:
    /** @param transit a packet @return bytes behind its TCP or UDP header */
    int64_t GetPayload(const Transit& transit) const;

    /** A flow of the table, which may be one connection after the other. */
    struct Flow
    {
        uint32_t number{0};    //!< of the connection that it is
        bool isOpening{false}; //!< nothing but SYNs have been seen of that
    };

    /** @param packet any @return a number of its flow, or connection, the same both ways */
    uint64_t FindFlow(SegmentPacket packet);

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // HostStack::User
    void SetTimer(Nanoseconds now, uint32_t timer, Nanoseconds at) override;
    void PassUp(Nanoseconds now, Transit transit) override;
    void PassDown(Nanoseconds now, Transit transit) override;
    void Refuse(Nanoseconds now, Transit transit) override;

    Surroundings m_around;       //!< see there
    HostStack<Transit> m_stack;  //!< what happens to packets
    std::vector<Alarm> m_alarms; //!< of its timers
    std::vector<Flow> m_flows;   //!< of connections, by index
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_HOST_H
