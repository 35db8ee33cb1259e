/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-middlebox-model.h"

#include "gridftp-assigned-numbers.h"

#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(MiddleboxModel);

namespace
{

/** Discards what one of two models does; the second one does not see what the first one does. */
class ModelPair : public ErrorModel
{
  public:
    /** @param first asked first @param second asked then */
    ModelPair(Ptr<ErrorModel> first, Ptr<ErrorModel> second)
        : m_first(first),
          m_second(second)
    {
    }

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        return m_first->IsCorrupt(packet) || m_second->IsCorrupt(packet);
    }

    void DoReset() override
    {
    }

    Ptr<ErrorModel> m_first;  //!< asked first
    Ptr<ErrorModel> m_second; //!< asked then
};

} // namespace

TypeId
MiddleboxModel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::MiddleboxModel")
                            .SetParent<ErrorModel>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<MiddleboxModel>();
    return tid;
}

void
MiddleboxModel::Configure(const InetSocketAddress& server, const std::vector<IdleRule>& rules)
{
    m_address = server.GetIpv4();
    m_port = server.GetPort();
    m_rules = rules;
}

void
MiddleboxModel::Install(Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const Ptr<NetDevice> device = node->GetDevice(i);
        PointerValue now;
        if (!device->GetAttributeFailSafe("ReceiveErrorModel", now))
        {
            continue; // the loopback device
        }
        const auto before = now.Get<ErrorModel>();
        const Ptr<ErrorModel> all =
            before ? Ptr<ErrorModel>(CreateObject<ModelPair>(before, Ptr<ErrorModel>(this)))
                   : Ptr<ErrorModel>(this);
        device->SetAttribute("ReceiveErrorModel", PointerValue(all));
    }
}

bool
MiddleboxModel::DoCorrupt(Ptr<Packet> packet)
{
    constexpr uint32_t PPP_BYTES = 2;
    const Ptr<Packet> rest = packet->Copy();
    rest->RemoveAtStart(PPP_BYTES);
    Ipv4Header ip;
    TcpHeader tcp;
    if (rest->RemoveHeader(ip) == 0 || ip.GetProtocol() != IP_PROTOCOL_TCP)
    {
        return false;
    }
    rest->PeekHeader(tcp);
    const bool isToServer = ip.GetDestination() == m_address && tcp.GetDestinationPort() == m_port;
    const bool isFromServer = ip.GetSource() == m_address && tcp.GetSourcePort() == m_port;
    if (!isToServer && !isFromServer)
    {
        return false;
    }
    const auto client = isToServer ? std::pair(ip.GetSource(), tcp.GetSourcePort())
                                   : std::pair(ip.GetDestination(), tcp.GetDestinationPort());
    auto& entry = m_entries.try_emplace(client, MiddleboxEntry(m_rules)).first->second;
    return entry.Discards(Simulator::Now().GetNanoSeconds());
}

void
MiddleboxModel::DoReset()
{
}

} // namespace ns3::gridftp
