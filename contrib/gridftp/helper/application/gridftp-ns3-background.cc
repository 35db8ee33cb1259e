/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-background-sink.h"
#include "gridftp-background-source.h"
#include "gridftp-ns3-application.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * Plain TCP next to the sessions: one connection that always has data to send.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeNs3Background */
class Ns3Background final : public Ns3Application
{
  public:
    /** @param context what it is given */
    explicit Ns3Background(const Ns3ApplicationContext& context)
        : m_spec(&context.scenario->background[context.index - context.scenario->sessions.size()])
    {
        const bool up = IsToServer(m_spec->direction);
        const Ns3Host& from = up ? context.client : context.server;
        const Ns3Host& to = up ? context.server : context.client;
        for (const Ptr<Application>& end : {Ptr<Application>(m_source), Ptr<Application>(m_sink)})
        {
            end->SetAttribute("DataTcp", TypeIdValue(*FindTcpVariant(m_spec->tcp)));
            end->SetStopTime(NanoSeconds(m_spec->stop)); // 0: never
        }
        m_source->SetBuffers(m_spec->buffers);
        m_source->SetMonitor(context.monitor);
        m_sink->SetBuffers(m_spec->buffers);
        m_source->SetAttribute("Remote",
                               AddressValue(InetSocketAddress(to.address, BACKGROUND_PORT)));
        m_source->SetStartTime(NanoSeconds(m_spec->start));
        from.node->AddApplication(m_source);
        to.node->AddApplication(m_sink);
        if (context.traces)
        {
            const Callback<void, Ptr<Socket>> observe(
                [traces = context.traces, index = context.index](Ptr<Socket> socket) {
                    traces->ObserveConnection(index, socket, 0, 0);
                });
            m_source->TraceConnectWithoutContext("Connection", observe);
            m_sink->TraceConnectWithoutContext(
                "Accepted",
                MakeCallback(&CsvTraces::ObserveReceiver, context.traces));
        }
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
        part.bytes = m_sink->GetBytes();
        part.reason = m_source->GetReason();
        part.tcp = {m_source->GetTotals(), static_cast<uint64_t>(m_spec->buffers.window)};
        if (const auto* monitor = m_source->GetMonitor())
        {
            part.tcp.detail = monitor->MakeDetail();
        }
    }

  private:
    const BackgroundSpec* m_spec;                                     //!< its part of the scenario
    Ptr<BackgroundSource> m_source{CreateObject<BackgroundSource>()}; //!< the sending end
    Ptr<BackgroundSink> m_sink{CreateObject<BackgroundSink>()};       //!< the receiving end
};

} // namespace

/** @ingroup gridftp @param context of a background connection @return its source and its sink */
std::unique_ptr<Ns3Application>
MakeNs3Background(const Ns3ApplicationContext& context)
{
    return std::make_unique<Ns3Background>(context);
}

} // namespace ns3::gridftp
