/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-assigned-ports.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-datagrams.h"
#include "gridftp-segment-streams.h"
#include "gridftp-tool-control.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-files.h"
#include "gridftp-tool-kind.h"
#include "gridftp-tool-transfer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A session whose tool moves the file by datagrams: gives both ends their hosts.
 */

namespace ns3::gridftp
{

namespace
{

/** The ends, as the path of the data counts them. */
enum ToolSide : uint32_t
{
    SENDER,
    RECEIVER,
    SIDES
};

/** @copydoc MakeDatagramToolApplication */
class DatagramToolApplication final : public SegmentApplication, private DatagramFlow::User
{
  public:
    /** @param context what it is given */
    explicit DatagramToolApplication(const ApplicationContext& context)
        : m_context(context),
          m_spec(&context.scenario->sessions[context.index]),
          m_kind(FindToolKind(m_spec->tool)),
          m_path(context.data.front()),
          m_streams(*context.flows, m_path, *context.scenario, m_spec->hostTcp),
          m_flow(&DatagramFlow::Make(*context.flows, m_path, *m_kind, *this)),
          m_files(*context.scenario, context.index, context.hosts),
          m_hosts{Host(*this, SENDER), Host(*this, RECEIVER)}
    {
        const ToolTransfer transfer = MakeToolTransfer(*context.scenario, context.index, m_files);
        m_isStored = !m_kind->storesBehind || !transfer.sink.IsTimed();
        m_flow->SetUsualPayload(m_kind->dataBytes(transfer.values) - m_kind->dataHeaderBytes);
        m_ends[SENDER] = m_kind->makeSender(transfer, m_hosts[SENDER]);
        m_ends[RECEIVER] = m_kind->makeReceiver(transfer, m_hosts[RECEIVER]);
    }

    void Start(Nanoseconds now) override
    {
        m_isOn = true;
        m_startNs = now;
        m_context.observer->HandleTransferring(now);
        m_hosts[GetServer()].control.ScheduleResets(now, *m_context.scenario, m_context.index);
        m_hosts[RECEIVER].control.Start(now, TOOL_PORT, *m_ends[RECEIVER]);
        m_hosts[SENDER].control.Start(now, TOOL_PORT, *m_ends[SENDER]);
        // The one that only waits is the one that the other one finds there
        m_ends[RECEIVER]->Start(now);
        m_ends[SENDER]->Start(now);
    }

    void Fail(Nanoseconds now, const std::string& reason) override
    {
        Finish(now, reason);
    }

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override
    {
        static const std::vector<uint32_t> noPairs;
        static const std::vector<ChunkRecord> noRecords;
        const bool isBefore = m_startNs == NEVER;
        const bool isOver = m_endNs != NEVER;
        return {.state = isBefore           ? SessionState::WAITING
                         : !isOver          ? SessionState::TRANSFERRING
                         : m_reason.empty() ? SessionState::DONE
                                            : SessionState::FAILED,
                .reason = m_reason,
                .transferring = !isBefore && !isOver,
                .chunkStartNs = isBefore ? 0 : m_startNs,
                .pairs = &noPairs,
                .records = &noRecords,
                .totals = {},
                .movedBytes = m_ends[RECEIVER]->GetCounts().bytes,
                .endNs = isOver ? m_endNs : -1};
    }

    FlowView GetFlow(Nanoseconds /* now */) const override
    {
        return {.receivedBytes = m_ends[RECEIVER]->GetCounts().bytes, .active = m_isOn};
    }

    void AddTo(Nanoseconds now, TransferResult& result) const override
    {
        SessionResult& part = result.sessions.emplace_back();
        part.tool = m_spec->tool;
        part.udp = MakeDatagramResult(m_ends[SENDER]->GetCounts(), m_ends[RECEIVER]->GetCounts());
        part.storage = MakeStorageResult(m_files.GetStorage(false), m_files.GetStorage(true));
        part.bytes = m_ends[RECEIVER]->GetCounts().bytes;
        part.reason = m_endNs == NEVER ? "it is not over" : m_reason;
        if (m_startNs != NEVER)
        {
            part.startNs = m_startNs;
            part.durationNs = std::min(now, m_endNs) - m_startNs;
        }
    }

  private:
    /** The host of an end. */
    class Host final : public ToolPort, private EventTarget
    {
      public:
        /** @param tool whose @param side which end */
        Host(DatagramToolApplication& tool, ToolSide side)
            : control(tool.m_streams.GetHost(side)),
              m_tool(&tool),
              m_flow(tool.m_flow),
              m_side(side),
              m_clock(tool.m_path.clocks[side])
        {
            for (uint32_t timer = 0; timer < TIMERS; ++timer)
            {
                m_alarms[timer].SetTarget(*this, timer);
            }
        }

        Nanoseconds GetSilence(Nanoseconds now) const override
        {
            return m_flow->GetSilence(m_side, now);
        }

        void SendData(Nanoseconds now, const DataDatagram& datagram) override
        {
            m_sentNs = now;
            m_flow->SendData(m_side, now, datagram);
        }

        void SendReport(Nanoseconds now, ReportDatagram report) override
        {
            m_flow->SendReport(m_side, now, std::move(report));
        }

        void SetTimer(uint32_t timer, Nanoseconds at) override
        {
            m_clock->SetAlarm(m_alarms[timer], at, m_sentNs);
        }

        void Connect(Nanoseconds now) override
        {
            control.Connect(now);
        }

        void Say(Nanoseconds now, std::span<const uint8_t> bytes) override
        {
            control.Say(now, bytes);
        }

        void Finish(Nanoseconds now, const std::string& reason) override
        {
            m_tool->Finish(now, reason);
        }

        void HandleStored(Nanoseconds now) override
        {
            m_tool->HandleStored(now);
        }

        ToolControl control; //!< its TCP connection

      private:
        static constexpr uint32_t TIMERS = ToolEnd::TIMERS;

        void HandleEvent(Nanoseconds now, uint32_t timer) override
        {
            if (m_tool->m_isOn)
            {
                m_tool->m_ends[m_side]->HandleTimer(now, timer);
            }
        }

        DatagramToolApplication* m_tool;    //!< whose
        DatagramFlow* m_flow;               //!< its sockets
        ToolSide m_side;                    //!< which end
        Nanoseconds m_sentNs{0};            //!< when it has sent last
        HostClock* m_clock;                 //!< its own
        std::array<Alarm, TIMERS> m_alarms; //!< of its timers
    };

    /** @return the side that is the server */
    ToolSide GetServer() const
    {
        return m_spec->direction == Direction::UPLOAD ? RECEIVER : SENDER;
    }

    /** It is over. @param now of the simulation @param reason why it has failed, or empty */
    void Finish(Nanoseconds now, const std::string& reason)
    {
        if (m_endNs != NEVER)
        {
            return;
        }
        if (reason.empty() && !m_isStored)
        {
            m_isSent = true;
            return;
        }
        m_isOn = false;
        m_endNs = now;
        m_reason = reason;
        for (Host& host : m_hosts)
        {
            host.control.Stop(now, !reason.empty());
        }
        m_context.observer->HandlePart(now);
        m_context.observer->HandleEnded(now);
    }

    /** All of the file is stored. @param now of the simulation */
    void HandleStored(Nanoseconds now)
    {
        m_isStored = true;
        if (m_isSent)
        {
            Finish(now, "");
        }
    }

    // DatagramFlow::User

    void HandleData(uint32_t to, Nanoseconds now, const DataDatagram& datagram) override
    {
        if (m_isOn) [[likely]]
        {
            m_ends[to]->HandleData(now, datagram);
        }
    }

    void HandleReport(uint32_t to, Nanoseconds now, const ReportDatagram& report) override
    {
        if (m_isOn)
        {
            m_ends[to]->HandleReport(now, report);
        }
    }

    ApplicationContext m_context;           //!< what it is given
    const SessionSpec* m_spec;              //!< its part of the scenario
    const ToolKind* m_kind;                 //!< its tool
    FlowPath m_path;                        //!< from the sender, end 0, to the receiver
    SegmentStreamHosts m_streams;           //!< TCP of both hosts
    DatagramFlow* m_flow;                   //!< what carries the datagrams
    ToolFiles m_files;                      //!< what reads and writes of the file take
    std::array<Host, SIDES> m_hosts;        //!< of the ends
    std::unique_ptr<ToolEnd> m_ends[SIDES]; //!< they
    bool m_isOn{false};                     //!< started, and not over
    bool m_isStored{true};                  //!< the receiver has stored the file, or does not
                                            //!< report that
    bool m_isSent{false};                   //!< the end that sends is done before that
    int64_t m_startNs{NEVER};               //!< when it started
    int64_t m_endNs{NEVER};                 //!< when it was over
    std::string m_reason;                   //!< why it has failed
};

} // namespace

std::unique_ptr<SegmentApplication>
MakeDatagramToolApplication(const ApplicationContext& context)
{
    return std::make_unique<DatagramToolApplication>(context);
}

} // namespace ns3::gridftp
