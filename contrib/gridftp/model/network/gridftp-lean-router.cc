/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-lean-router.h"

#include "ns3/boolean.h"
#include "ns3/header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"

#include <array>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(LeanRouter);

namespace
{

/** PPP and IPv4 header as they are on the link: reading and writing all the fields takes longer. */
class RawFrameHeader : public Header
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::gridftp::RawFrameHeader")
                                .SetParent<Header>()
                                .SetGroupName("GridFtp")
                                .AddConstructor<RawFrameHeader>();
        return tid;
    }

    TypeId GetInstanceTypeId() const override
    {
        return GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return BYTES;
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes.data(), BYTES);
    }

    uint32_t Deserialize(Buffer::Iterator start) override
    {
        start.Read(m_bytes.data(), BYTES);
        return BYTES;
    }

    void Print(std::ostream& os) const override
    {
        os << "ttl " << +m_bytes[TTL];
    }

    /** @return whether it is IPv4 (RFC 1661, RFC 1332) without options (RFC 791, Section 3.1) */
    bool IsPlain() const
    {
        return m_bytes[0] == 0x00 && m_bytes[1] == 0x21 && m_bytes[IP] == 0x45;
    }

    /** @return destination address */
    Ipv4Address GetDestination() const
    {
        const uint8_t* at = &m_bytes[IP + 16];
        return Ipv4Address((uint32_t{at[0]} << 24) | (uint32_t{at[1]} << 16) |
                           (uint32_t{at[2]} << 8) | at[3]);
    }

    /** @return time to live */
    uint8_t GetTtl() const
    {
        return m_bytes[TTL];
    }

    /** One hop further. @param checksum whether there is one */
    void DecrementTtl(bool checksum)
    {
        --m_bytes[TTL];
        if (checksum)
        {
            // One's complement of the one's complement sum of all other words (RFC 791).
            m_bytes[CHECKSUM] = m_bytes[CHECKSUM + 1] = 0;
            uint32_t sum = 0;
            for (uint32_t i = IP; i < BYTES; i += 2)
            {
                sum += (uint32_t{m_bytes[i]} << 8) | m_bytes[i + 1];
            }
            sum = (sum & 0xffff) + (sum >> 16);
            sum = ~(sum + (sum >> 16));
            m_bytes[CHECKSUM] = static_cast<uint8_t>(sum >> 8);
            m_bytes[CHECKSUM + 1] = static_cast<uint8_t>(sum);
        }
    }

  private:
    static constexpr uint32_t IP = 2;             //!< where the IP header begins
    static constexpr uint32_t TTL = IP + 8;       //!< where the TTL is
    static constexpr uint32_t CHECKSUM = IP + 10; //!< where the checksum is
    static constexpr uint32_t BYTES = IP + 20;    //!< both headers

    std::array<uint8_t, BYTES> m_bytes{}; //!< both headers
};

constexpr uint32_t PPP_BYTES = 2;

} // namespace

TypeId
LeanRouter::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::LeanRouter")
                            .SetParent<LeanFrameSink>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<LeanRouter>();
    return tid;
}

void
LeanRouter::DoInitialize()
{
    BooleanValue forwards;
    GetObject<Ipv4>()->GetAttribute("IpForward", forwards);
    m_forwards = forwards.Get();
    m_checksums = Node::ChecksumEnabled();
    LeanFrameSink::DoInitialize();
}

void
LeanRouter::DoDispose()
{
    m_routes.clear();
    LeanFrameSink::DoDispose();
}

void
LeanRouter::AddRoute(Ipv4Address destination, Ptr<LeanNetDevice> device)
{
    m_routes[destination.Get()] = device;
}

Ptr<LeanNetDevice>
LeanRouter::Find(Ipv4Address destination, uint32_t bytes) const
{
    const auto route = m_routes.find(destination.Get());
    return route != m_routes.end() && bytes <= route->second->GetMtu() ? route->second : nullptr;
}

bool
LeanRouter::TakeFrame(const Ptr<Packet>& frame)
{
    RawFrameHeader header;
    if (!m_forwards || frame->GetSize() < header.GetSerializedSize())
    {
        return false;
    }
    const uint32_t bytes = frame->GetSize() - PPP_BYTES;
    frame->RemoveHeader(header);
    const auto device =
        header.IsPlain() && header.GetTtl() > 1 ? Find(header.GetDestination(), bytes) : nullptr;
    if (!device)
    {
        frame->AddHeader(header);
        return false;
    }
    header.DecrementTtl(m_checksums);
    frame->AddHeader(header);
    device->SendFrame(frame);
    return true;
}

} // namespace ns3::gridftp
