/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_GATE_H
#define GRIDFTP_HOST_GATE_H

#include "gridftp-host-stack.h"

#include "ns3/event-id.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

class LeanNetDevice;

/**
 * @ingroup gridftp
 * What is between a LeanNetDevice and the protocols of its node, where packets wait for the CPU of
 * the host.
 */
class HostGate : public Object, private HostStack<Ptr<Packet>>::User
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** Its host is set by Install(). */
    HostGate();
    ~HostGate() override;

    /** Called once. @param device whose frames pass it @param host what it is like */
    void Install(Ptr<LeanNetDevice> device, const HostPtr& host);

    /** The node sends a frame. @param frame with its PPP header */
    void Leave(Ptr<Packet> frame);

    /** A frame has come. @param frame with its PPP header */
    void Arrive(Ptr<Packet> frame);

  private:
    void DoDispose() override;

    // HostStack::User
    void SetTimer(Nanoseconds now, uint32_t timer, Nanoseconds at) override;
    void PassUp(Nanoseconds now, Ptr<Packet> frame) override;
    void PassDown(Nanoseconds now, Ptr<Packet> frame) override;
    void Refuse(Nanoseconds now, Ptr<Packet> frame) override;

    /** A timer has expired. @param timer which */
    void HandleTimer(uint32_t timer);

    Ptr<LeanNetDevice> m_device;                     //!< whose frames pass it
    std::unique_ptr<HostStack<Ptr<Packet>>> m_stack; //!< what happens to them
    std::vector<EventId> m_timers;                   //!< of the stack
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_GATE_H
