/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-datagram-application.h"
#include "gridftp-load.h"
#include "gridftp-ns3-application.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * Cross traffic of a given load.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeNs3Load */
class Ns3Load final : public Ns3Application
{
  public:
    /** @param context what it is given */
    explicit Ns3Load(const Ns3ApplicationContext& context)
        : m_spec(&context.scenario->background[context.index - context.scenario->sessions.size()])
    {
        using Side = DatagramApplication::Side;
        const bool up = IsToServer(m_spec->direction);
        const Ns3Host& from = up ? context.client : context.server;
        const Ns3Host& to = up ? context.server : context.client;
        const ToolTransfer transfer = MakeLoadTransfer(*context.scenario, context.index);
        m_source->SetTransfer(GetLoadKind(), transfer, Side::SENDER);
        m_sink->SetTransfer(GetLoadKind(), transfer, Side::RECEIVER);
        Install(m_sink, to, from);
        Install(m_source, from, to);
    }

    bool IsAwaited() const override
    {
        return false;
    }

    void AddTo(TransferResult& result) const override
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        const int64_t stop = m_spec->stop == 0 ? now : std::min(m_spec->stop, now);
        BackgroundResult& part = result.background.emplace_back();
        part.startNs = m_spec->start;
        part.endNs = std::max(m_spec->start, stop);
        part.bytes = m_sink->GetCounts().bytes;
        part.udp = MakeDatagramResult(m_source->GetCounts(), m_sink->GetCounts());
    }

  private:
    /** Puts an end on its host. @param end which @param on its host @param peer of the other end */
    void Install(Ptr<DatagramApplication> end, const Ns3Host& on, const Ns3Host& peer)
    {
        end->SetAttribute("Remote", Ipv4AddressValue(peer.address));
        end->SetStartTime(NanoSeconds(m_spec->start));
        end->SetStopTime(NanoSeconds(m_spec->stop)); // 0: never
        on.node->AddApplication(end);
    }

    const BackgroundSpec* m_spec; //!< its part of the scenario
    Ptr<DatagramApplication> m_source{CreateObject<DatagramApplication>()}; //!< the sending end
    Ptr<DatagramApplication> m_sink{CreateObject<DatagramApplication>()};   //!< the receiving end
};

} // namespace

/** @ingroup gridftp @param context of a background with a load @return its source and its sink */
std::unique_ptr<Ns3Application>
MakeNs3Load(const Ns3ApplicationContext& context)
{
    return std::make_unique<Ns3Load>(context);
}

} // namespace ns3::gridftp
