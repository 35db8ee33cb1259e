/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-lean-net-device.h"

#include "gridftp-host-gate.h"
#include "gridftp-lean-channel.h"
#include "gridftp-lean-scheduler.h"
#include "gridftp-random-loss-model.h"

#include "ns3/boolean.h"
#include "ns3/event-impl.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(LeanFrameSink);
NS_OBJECT_ENSURE_REGISTERED(LeanNetDevice);

namespace
{

constexpr uint16_t ETHER_IPV4 = 0x0800;
constexpr uint16_t ETHER_IPV6 = 0x86dd;
constexpr uint16_t PPP_IPV4 = 0x0021;
constexpr uint16_t PPP_IPV6 = 0x0057;
constexpr uint16_t PPP_BYTES = 2;

/** An arrival. A class of its own is one allocation; what MakeEvent() makes is several. */
class Arrival : public EventImpl
{
  public:
    /** @param device where @param frame what */
    Arrival(Ptr<LeanNetDevice> device, Ptr<Packet> frame)
        : m_device(std::move(device)),
          m_frame(std::move(frame))
    {
    }

  private:
    void Notify() override
    {
        m_device->Receive(std::move(m_frame));
    }

    Ptr<LeanNetDevice> m_device; //!< where
    Ptr<Packet> m_frame;         //!< what
};

/** Tells a trace source of a frame, at no cost where nobody listens. */
void
Show(const TracedCallback<Ptr<const Packet>>& source, const Ptr<Packet>& frame)
{
    if (!source.IsEmpty())
    {
        source(frame);
    }
}

} // namespace

TypeId
LeanFrameSink::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::LeanFrameSink").SetParent<Object>().SetGroupName("GridFtp");
    return tid;
}

TypeId
LeanNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::gridftp::LeanNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("GridFtp")
            .AddConstructor<LeanNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet, without the PPP header, bytes.",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&LeanNetDevice::SetMtu, &LeanNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute(
                "DataRate",
                "Rate of the link.",
                DataRateValue(DataRate("100Mbps")),
                MakeDataRateAccessor(&LeanNetDevice::SetDataRate, &LeanNetDevice::GetDataRate),
                MakeDataRateChecker())
            .AddAttribute("LinkHeader",
                          "Header that the link adds to an IP packet, bytes. It takes transmission "
                          "time only: frames always have the PPP header.",
                          UintegerValue(PPP_BYTES),
                          MakeUintegerAccessor(&LeanNetDevice::m_linkHeader),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("ReceiveErrorModel",
                          "Error model that loses some of the arriving packets.",
                          PointerValue(),
                          MakePointerAccessor(&LeanNetDevice::m_errors),
                          MakePointerChecker<ErrorModel>())
            .AddAttribute("TxQueue",
                          "Queue of waiting packets.",
                          PointerValue(),
                          MakePointerAccessor(&LeanNetDevice::m_queue),
                          MakePointerChecker<Queue<Packet>>())
            .AddAttribute("IdleBypass",
                          "Whether a packet that meets an idle link bypasses the queue; its traces "
                          "and counters then miss the packet.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&LeanNetDevice::m_idleBypass),
                          MakeBooleanChecker())
            .AddTraceSource("MacTx",
                            "The node hands a packet over.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_macTx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "The queue refuses a packet.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRxDrop",
                            "The host refuses an arriving packet.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_macRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A packet begins to leave.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_phyTxBegin),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A packet has arrived whole.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_phyRxEnd),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "The error model loses a packet.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_phyRxDrop),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A packet begins to leave or has arrived: for captures.",
                            MakeTraceSourceAccessor(&LeanNetDevice::m_promiscSniffer),
                            "ns3::Packet::TracedCallback");
    return tid;
}

LeanNetDevice::LeanNetDevice() = default;

LeanNetDevice::~LeanNetDevice() = default;

void
LeanNetDevice::DoDispose()
{
    m_node = nullptr;
    m_channel = nullptr;
    m_peer = nullptr;
    m_sink = nullptr;
    if (const auto gate = std::exchange(m_gate, nullptr))
    {
        gate->Dispose();
    }
    m_errors = nullptr;
    m_queue = nullptr;
    NetDevice::DoDispose();
}

void
LeanNetDevice::Attach(Ptr<LeanChannel> channel, Ptr<LeanNetDevice> peer, std::size_t end)
{
    m_channel = channel;
    m_peer = peer;
    m_end = end;
    m_linkChange();
}

void
LeanNetDevice::SetFrameSink(Ptr<LeanFrameSink> sink)
{
    m_sink = sink;
}

void
LeanNetDevice::SetGate(Ptr<HostGate> gate)
{
    m_gate = gate;
}

void
LeanNetDevice::ShowRefused(Ptr<const Packet> frame)
{
    m_macRxDrop(frame);
}

void
LeanNetDevice::SetSchedule(const LinkSchedule& schedule)
{
    m_scheduled = std::make_unique<ScheduledLink>(schedule);
}

void
LeanNetDevice::SetVariation(const DelayVariation& variation)
{
    m_variation = std::make_unique<DelayVariation>(variation);
}

void
LeanNetDevice::AlwaysComplete()
{
    m_alwaysCompletes = true;
}

int64_t
LeanNetDevice::AssignStreams(int64_t stream)
{
    if (!m_variation)
    {
        return 0;
    }
    *m_variation = m_variation->InStream(static_cast<uint64_t>(stream));
    return 1;
}

void
LeanNetDevice::SetLimit(const RateLimit& limit)
{
    m_limiter = std::make_unique<RateLimiter>(limit);
}

uint64_t
LeanNetDevice::GetLimitDrops() const
{
    return m_limiter ? m_limiter->GetDrops() : 0;
}

Ptr<Queue<Packet>>
LeanNetDevice::GetQueue() const
{
    return m_queue;
}

bool
LeanNetDevice::Send(Ptr<Packet> packet, const Address& /* to */, uint16_t protocol)
{
    NS_ASSERT_MSG(protocol == ETHER_IPV4 || protocol == ETHER_IPV6, "neither IPv4 nor IPv6");
    if (!IsLinkUp())
    {
        m_macTxDrop(packet);
        return false;
    }
    PppHeader ppp;
    ppp.SetProtocol(protocol == ETHER_IPV4 ? PPP_IPV4 : PPP_IPV6);
    packet->AddHeader(ppp);
    return SendFrame(std::move(packet));
}

bool
LeanNetDevice::SendIpv4(Ptr<Packet> packet)
{
    PppHeader ppp;
    ppp.SetProtocol(PPP_IPV4);
    packet->AddHeader(ppp);
    return SendFrame(std::move(packet));
}

bool
LeanNetDevice::SendFrame(Ptr<Packet> frame)
{
    Show(m_macTx, frame);
    if (m_gate)
    {
        m_gate->Leave(std::move(frame));
        return true;
    }
    return PassDown(std::move(frame));
}

bool
LeanNetDevice::PassDown(Ptr<Packet> frame)
{
    return m_limiter ? SendLimited(std::move(frame)) : Accept(std::move(frame));
}

bool
LeanNetDevice::SendLimited(Ptr<Packet> frame)
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const int64_t at = m_limiter->Pass(now, frame->GetSize() - PPP_BYTES);
    if (at == RateLimiter::REFUSED)
    {
        m_macTxDrop(frame);
        return false;
    }
    if (at == now)
    {
        return Accept(std::move(frame));
    }
    Simulator::Schedule(NanoSeconds(at - now), &LeanNetDevice::Accept, this, std::move(frame));
    return true;
}

bool
LeanNetDevice::Accept(Ptr<Packet> frame)
{
    const bool idle = IsIdle();
    if (idle && m_idleBypass)
    {
        Transmit(std::move(frame));
        return true;
    }
    if (!m_queue->Enqueue(frame))
    {
        m_macTxDrop(frame);
        return false;
    }
    if (idle)
    {
        frame = nullptr;
        Transmit(m_queue->Dequeue());
    }
    else if (!m_completePending)
    {
        LeanScheduler::GetActive()->SetNextRank(m_completeRank);
        ScheduleComplete(m_busyUntil - Simulator::Now());
    }
    return true;
}

bool
LeanNetDevice::IsIdle() const
{
    if (m_completePending)
    {
        return false;
    }
    const Time now = Simulator::Now();
    if (now != m_busyUntil)
    {
        return now > m_busyUntil;
    }
    // The link falls free in this very nanosecond: in the event that was left out. Is it over?
    const auto* scheduler = LeanScheduler::GetActive();
    return !scheduler || scheduler->GetCurrentRank() > m_completeRank;
}

void
LeanNetDevice::Transmit(Ptr<Packet> frame)
{
    Show(m_promiscSniffer, frame);
    Show(m_phyTxBegin, frame);
    const auto [duration, arrival] = TimeFrame(frame->GetSize());
    const Time now = Simulator::Now();
    m_busyUntil = now + duration;
    const auto* scheduler = LeanScheduler::GetActive();
    if (!scheduler || m_alwaysCompletes || !m_queue->IsEmpty())
    {
        ScheduleComplete(duration);
    }
    if (m_variation)
    {
        const int64_t at = m_variation->Vary(now.GetNanoSeconds(),
                                             m_busyUntil.GetNanoSeconds(),
                                             (now + arrival).GetNanoSeconds());
        Simulator::ScheduleWithContext(m_peer->m_node->GetId(),
                                       NanoSeconds(at) - now,
                                       &LeanNetDevice::ReceiveVaried,
                                       m_peer,
                                       std::move(frame),
                                       now);
    }
    else
    {
        Simulator::ScheduleWithContext(m_peer->m_node->GetId(),
                                       arrival,
                                       new Arrival(m_peer, std::move(frame)));
    }
    if (scheduler)
    {
        m_completeRank = scheduler->GetRankBeforeLast();
    }
}

LeanNetDevice::Timing
LeanNetDevice::TimeFrame(uint32_t bytes)
{
    bytes = bytes - PPP_BYTES + m_linkHeader;
    if (m_scheduled)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        const LinkCrossing crossing = m_scheduled->Cross(now, bytes);
        return {NanoSeconds(crossing.endNs - now), NanoSeconds(crossing.arrivalNs - now)};
    }
    const Time duration = GetTransmissionTime(bytes);
    return {duration, duration + m_channel->GetDelay(m_end)};
}

void
LeanNetDevice::ScheduleComplete(const Time& delay)
{
    m_completePending = true;
    Simulator::Schedule(delay, &LeanNetDevice::Complete, this);
}

void
LeanNetDevice::Complete()
{
    m_completePending = false;
    if (Ptr<Packet> frame = m_queue->Dequeue())
    {
        Transmit(std::move(frame));
    }
}

void
LeanNetDevice::ReceiveVaried(Ptr<Packet> frame, Time begin)
{
    if (const auto model = DynamicCast<RandomLossModel>(m_errors))
    {
        model->SetNextBegin(begin);
    }
    Receive(std::move(frame));
}

void
LeanNetDevice::Receive(Ptr<Packet> frame)
{
    // Whoever was shown it on its way and has kept it must not see it change.
    if (frame->GetReferenceCount() > 1)
    {
        frame = frame->Copy();
    }
    if (m_errors && m_errors->IsCorrupt(frame))
    {
        m_phyRxDrop(frame);
        return;
    }
    if (!m_promiscSniffer.IsEmpty() || !m_phyRxEnd.IsEmpty())
    {
        const Ptr<const Packet> shown = frame->Copy();
        m_promiscSniffer(shown);
        m_phyRxEnd(shown);
    }
    if (m_gate)
    {
        return m_gate->Arrive(std::move(frame));
    }
    PassUp(std::move(frame));
}

void
LeanNetDevice::PassUp(Ptr<Packet> frame)
{
    if (m_sink && m_sink->TakeFrame(frame))
    {
        return;
    }
    PppHeader ppp;
    frame->RemoveHeader(ppp);
    const uint16_t protocol = ppp.GetProtocol() == PPP_IPV4 ? ETHER_IPV4 : ETHER_IPV6;
    const Address from = m_peer->GetAddress();
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, frame, protocol, from, GetAddress(), NetDevice::PACKET_HOST);
    }
    m_receive(this, frame, protocol, from);
}

Time
LeanNetDevice::GetTransmissionTime(uint32_t bytes)
{
    // Most packets of one direction are of the same size.
    if (bytes != m_timedBytes)
    {
        m_timedBytes = bytes;
        m_timed = m_rate.CalculateBytesTxTime(bytes);
    }
    return m_timed;
}

void
LeanNetDevice::SetDataRate(DataRate rate)
{
    m_rate = rate;
    m_timedBytes = 0;
    m_timed = Time();
}

DataRate
LeanNetDevice::GetDataRate() const
{
    return m_rate;
}

} // namespace ns3::gridftp
