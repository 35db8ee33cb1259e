/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-load.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-datagrams.h"

#include <algorithm>
#include <array>

/**
 * @file
 * @ingroup gridftp
 * Cross traffic of a given load.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeLoadApplication */
class LoadApplication final : public SegmentApplication,
                              private ToolPort,
                              private EventTarget,
                              private DatagramFlow::User
{
  public:
    /** @param context what it is given */
    explicit LoadApplication(const ApplicationContext& context)
        : m_spec(&context.scenario->background[context.index - context.scenario->sessions.size()]),
          m_path(context.data.front()),
          m_flow(&DatagramFlow::Make(*context.flows, m_path, GetLoadKind(), *this)),
          m_source(MakeLoadTransfer(*context.scenario, context.index), *this)
    {
        const ToolKind& kind = GetLoadKind();
        const ToolTransfer transfer = MakeLoadTransfer(*context.scenario, context.index);
        m_flow->SetUsualPayload(kind.dataBytes(transfer.values) - kind.dataHeaderBytes);
        for (uint32_t timer = 0; timer < ToolEnd::TIMERS; ++timer)
        {
            m_alarms[timer].SetTarget(*this, timer);
        }
    }

    void Start(Nanoseconds now) override
    {
        m_source.Start(now);
        if (m_spec->stop > 0)
        {
            m_path.clocks[0]->Schedule(m_spec->stop, *this, STOP);
        }
    }

    void Fail(Nanoseconds /* now */, const std::string& /* reason */) override
    {
        // The simulation is over because of a session
    }

    bool IsAwaited() const override
    {
        return false;
    }

    FlowView GetFlow(Nanoseconds now) const override
    {
        return {.receivedBytes = m_sink.GetCounts().bytes,
                .active = now >= m_spec->start && (m_spec->stop == 0 || now < m_spec->stop)};
    }

    void AddTo(Nanoseconds now, TransferResult& result) const override
    {
        BackgroundResult& part = result.background.emplace_back();
        part.startNs = m_spec->start;
        part.endNs = std::max(m_spec->start, m_spec->stop > 0 ? std::min(m_spec->stop, now) : now);
        part.bytes = m_sink.GetCounts().bytes;
        part.udp = MakeDatagramResult(m_source.GetCounts(), m_sink.GetCounts());
    }

  private:
    static constexpr uint32_t STOP = ToolEnd::TIMERS; //!< behind the ids of the source's timers

    void SendData(Nanoseconds now, const DataDatagram& datagram) override
    {
        m_flow->SendData(0, now, datagram);
    }

    void SetTimer(uint32_t timer, Nanoseconds at) override
    {
        m_path.clocks[0]->SetAlarm(m_alarms[timer], at);
    }

    /** @name What a source has no use for
     * @{ */
    void SendReport(Nanoseconds /* now */, ReportDatagram /* report */) override
    {
    }

    void Connect(Nanoseconds /* now */) override
    {
    }

    void Say(Nanoseconds /* now */, std::span<const uint8_t> /* bytes */) override
    {
    }

    void Finish(Nanoseconds /* now */, const std::string& /* reason */) override
    {
    }

    /** @} */

    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        if (id == STOP)
        {
            m_source.HandleLost(now);
            m_sink.HandleLost(now);
            return;
        }
        m_source.HandleTimer(now, id);
    }

    void HandleData(uint32_t /* to */, Nanoseconds now, const DataDatagram& datagram) override
    {
        m_sink.HandleData(now, datagram);
    }

    void HandleReport(uint32_t /* to */,
                      Nanoseconds /* now */,
                      const ReportDatagram& /* report */) override
    {
    }

    const BackgroundSpec* m_spec;                //!< its part of the scenario
    FlowPath m_path;                             //!< from the source, end 0, to the sink
    DatagramFlow* m_flow;                        //!< what carries the datagrams
    LoadSource m_source;                         //!< what sends
    LoadSink m_sink;                             //!< what counts
    std::array<Alarm, ToolEnd::TIMERS> m_alarms; //!< of the source's timers
};

} // namespace

std::unique_ptr<SegmentApplication>
MakeLoadApplication(const ApplicationContext& context)
{
    return std::make_unique<LoadApplication>(context);
}

} // namespace ns3::gridftp
