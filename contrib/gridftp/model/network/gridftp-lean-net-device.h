/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LEAN_NET_DEVICE_H
#define GRIDFTP_LEAN_NET_DEVICE_H

#include "gridftp-delay-variation.h"
#include "gridftp-link-schedule.h"
#include "gridftp-rate-limiter.h"

#include "ns3/data-rate.h"
#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>

namespace ns3::gridftp
{

class HostGate;
class LeanChannel;

/**
 * @ingroup gridftp
 * Takes frames from a LeanNetDevice before the node's protocols do: the short way up.
 */
class LeanFrameSink : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /**
     * A frame has arrived.
     * @param frame with its PPP header; left as it was where it is not taken
     * @return whether it is taken; what is not goes the usual way
     */
    virtual bool TakeFrame(const Ptr<Packet>& frame) = 0;
};

/**
 * @ingroup gridftp
 * A device at one end of a link, as ns3::PointToPointNetDevice with as little work as possible:
 *
 * - the same DropTail queue, framing (two bytes of PPP) and times, to the nanosecond; on request
 *   frames take the time of another link header than PPP's;
 * - the sender's packet itself arrives, no copy of it;
 * - a LeanFrameSink may take what arrives on a shorter way than the node's protocol handlers;
 * - under a LeanScheduler the end of a transmission is an event only where a packet waits for it.
 *
 * The order of all events, those of the same nanosecond among them, is that of the point-to-point
 * device, and so is all that comes of them.
 */
class LeanNetDevice : public NetDevice
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    LeanNetDevice();
    ~LeanNetDevice() override;

    /**
     * Called by the channel.
     * @param channel what it is attached to
     * @param peer the device at the other end
     * @param end index of this device in the channel
     */
    void Attach(Ptr<LeanChannel> channel, Ptr<LeanNetDevice> peer, std::size_t end);

    /** @param sink gets what arrives, before the node's protocols; null: nobody */
    void SetFrameSink(Ptr<LeanFrameSink> sink);

    /** @param schedule of rate and delay, in place of the attribute and of the channel's delay */
    void SetSchedule(const LinkSchedule& schedule);

    /** @param variation of the delay of what leaves here: frames may overtake each other */
    void SetVariation(const DelayVariation& variation);

    /** Has the device ask the queue for a packet at the end of each transmission, also when none
     * waits, as the point-to-point device does; some queue disciplines change state then. */
    void AlwaysComplete();

    /** Takes the random numbers of SetVariation() from a stream. @param stream number of it @return
     * how many streams are used: 1 where the delay varies, else 0 */
    int64_t AssignStreams(int64_t stream);

    /** @param limit of the IP packets that leave here, in front of the queue */
    void SetLimit(const RateLimit& limit);

    /** @param gate that frames of the node pass; null: none */
    void SetGate(Ptr<HostGate> gate);

    /** What the gate lets out. @param frame with its PPP header @return whether it was not dropped
     */
    bool PassDown(Ptr<Packet> frame);

    /** What the gate lets in. @param frame with its PPP header */
    void PassUp(Ptr<Packet> frame);

    /** Shows a frame that the gate refuses, by MacRxDrop. @param frame it */
    void ShowRefused(Ptr<const Packet> frame);

    /** @return packets that the limit has refused; they are shown by MacTxDrop */
    uint64_t GetLimitDrops() const;

    /** @return the queue of packets that wait */
    Ptr<Queue<Packet>> GetQueue() const;

    /**
     * Adds the PPP header of an IPv4 packet and sends it.
     * @param packet with its IP header
     * @return whether it was not dropped
     */
    bool SendIpv4(Ptr<Packet> packet);

    /**
     * Sends a frame.
     * @param frame with its PPP header
     * @return whether it was not dropped
     */
    bool SendFrame(Ptr<Packet> frame);

    /**
     * A frame has arrived whole.
     * @param frame with its PPP header
     */
    void Receive(Ptr<Packet> frame);

    /**
     * Receive() of a frame that may have overtaken others, so that its loss depends on when it was
     * sent, see RandomLoss::IsLost().
     * @param frame with its PPP header
     * @param begin when its transmission began
     */
    void ReceiveVaried(Ptr<Packet> frame, Time begin);

    void SetIfIndex(uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& to, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& from,
                  const Address& to,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  private:
    void DoDispose() override;

    /** SendFrame() through the limit. @param frame with its PPP header @return whether it was not
     * dropped there or, where it did not wait, behind it */
    bool SendLimited(Ptr<Packet> frame);

    /** SendFrame() behind the limit. @param frame with its PPP header @return whether it was not
     * dropped */
    bool Accept(Ptr<Packet> frame);

    /** Puts a frame on the link. @param frame it */
    void Transmit(Ptr<Packet> frame);

    /** When a frame is where. */
    struct Timing
    {
        Time duration; //!< of its transmission
        Time arrival;  //!< from now until it has arrived
    };

    /** @param bytes of a frame whose transmission starts now, PPP header included @return when it
     * is where, but for m_variation */
    Timing TimeFrame(uint32_t bytes);

    /** @return whether nothing is being sent */
    bool IsIdle() const;

    /** The link will be free. @param delay from now */
    void ScheduleComplete(const Time& delay);

    /** The link is free: the next frame. */
    void Complete();

    /** @param rate of the link */
    void SetDataRate(DataRate rate);

    /** @return of the link */
    DataRate GetDataRate() const;

    /** @param bytes on the link, link header included @return how long they take */
    Time GetTransmissionTime(uint32_t bytes);

    DataRate m_rate;                             //!< of the link
    std::unique_ptr<ScheduledLink> m_scheduled;  //!< rate and delay over time; null: no change
    std::unique_ptr<DelayVariation> m_variation; //!< of the delay; null: it does not vary
    std::unique_ptr<RateLimiter> m_limiter;      //!< of IP packets; null: no limit
    Ptr<Queue<Packet>> m_queue;                  //!< what waits
    Ptr<ErrorModel> m_errors;                    //!< loses what arrives; null: nothing
    bool m_idleBypass{false};                    //!< see the attribute
    bool m_alwaysCompletes{false};               //!< see AlwaysComplete()
    uint16_t m_linkHeader{2};                    //!< what the link adds to an IP packet, bytes
    uint16_t m_mtu{1500};                        //!< largest packet without PPP header, bytes
    Mac48Address m_address;                      //!< of no use, yet every device has one
    Ptr<LeanChannel> m_channel;                  //!< the link
    std::size_t m_end{0};                        //!< index of this device in it
    Ptr<LeanNetDevice> m_peer;                   //!< at its other end
    Ptr<LeanFrameSink> m_sink;                   //!< gets what arrives first
    Ptr<HostGate> m_gate;                        //!< is passed both ways; null: none
    Ptr<Node> m_node;                            //!< whose device it is
    uint32_t m_index{0};                         //!< among the node's devices
    Time m_busyUntil{NanoSeconds(-1)};           //!< the link is free from then on
    bool m_completePending{false};               //!< whether that is an event
    uint64_t m_completeRank{0};                  //!< of that event, see LeanScheduler
    uint32_t m_timedBytes{0};                    //!< what GetTransmissionTime() was last asked for
    Time m_timed;                                //!< what it said
    ReceiveCallback m_receive;                   //!< the node's protocols
    PromiscReceiveCallback m_promiscReceive;     //!< those that listen to everything
    TracedCallback<> m_linkChange;               //!< the link comes up

    TracedCallback<Ptr<const Packet>> m_macTx;          //!< handed over by the node
    TracedCallback<Ptr<const Packet>> m_macTxDrop;      //!< refused by the queue
    TracedCallback<Ptr<const Packet>> m_macRxDrop;      //!< refused by the host
    TracedCallback<Ptr<const Packet>> m_phyTxBegin;     //!< begins to leave
    TracedCallback<Ptr<const Packet>> m_phyRxEnd;       //!< has come
    TracedCallback<Ptr<const Packet>> m_phyRxDrop;      //!< lost by the error model
    TracedCallback<Ptr<const Packet>> m_promiscSniffer; //!< for captures
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LEAN_NET_DEVICE_H
