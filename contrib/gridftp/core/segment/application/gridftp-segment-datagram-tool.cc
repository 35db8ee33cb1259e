/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-assigned-ports.h"
#include "gridftp-control-script.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-connection.h"
#include "gridftp-segment-datagrams.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-files.h"
#include "gridftp-tool-kind.h"
#include "gridftp-tool-transfer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
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
class DatagramToolApplication final : public SegmentApplication,
                                      private EventTarget,
                                      private DatagramFlow::User,
                                      private TcpConnection::User
{
  public:
    /** @param context what it is given */
    explicit DatagramToolApplication(const ApplicationContext& context)
        : m_context(context),
          m_spec(&context.scenario->sessions[context.index]),
          m_kind(FindToolKind(m_spec->tool)),
          m_path(context.data.front()),
          m_tcp(MakeSegmentTcp(*context.scenario,
                               m_spec->hostTcp,
                               "newreno",
                               {.window = TOOL_CONTROL_WINDOW})),
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
        ScheduleFaults(now);
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
            : m_tool(&tool),
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
            m_tool->Connect(m_side, now);
        }

        void Say(Nanoseconds now, std::span<const uint8_t> bytes) override
        {
            // ns-3's socket sends a nanosecond after it was written to, with all that was
            const Nanoseconds at = std::max(now, m_freeNs);
            m_freeNs = at + 1;
            m_unsaid.emplace_back(bytes.begin(), bytes.end());
            if (at == now)
            {
                return WriteNext(now);
            }
            m_clock->Schedule(at, *this, TIMERS);
        }

        void Finish(Nanoseconds now, const std::string& reason) override
        {
            m_tool->Finish(now, reason);
        }

        void HandleStored(Nanoseconds now) override
        {
            m_tool->HandleStored(now);
        }

      private:
        static constexpr uint32_t TIMERS = ToolEnd::TIMERS; //!< behind the ids of its timers

        void HandleEvent(Nanoseconds now, uint32_t timer) override
        {
            if (timer == TIMERS)
            {
                return WriteNext(now);
            }
            if (m_tool->m_isOn)
            {
                m_tool->m_ends[m_side]->HandleTimer(now, timer);
            }
        }

        /** Writes what is next to the TCP connection. @param now of the simulation */
        void WriteNext(Nanoseconds now)
        {
            m_tool->Write(m_side, now, std::move(m_unsaid.front()));
            m_unsaid.pop_front();
        }

        DatagramToolApplication* m_tool;           //!< whose
        DatagramFlow* m_flow;                      //!< its sockets
        ToolSide m_side;                           //!< which end
        Nanoseconds m_sentNs{0};                   //!< when it has sent last
        HostClock* m_clock;                        //!< its own
        std::array<Alarm, TIMERS> m_alarms;        //!< of its timers
        std::deque<std::vector<uint8_t>> m_unsaid; //!< writes to the TCP connection to come
        Nanoseconds m_freeNs{0};                   //!< when it may write to that again
    };

    /** Bytes on their way by TCP. */
    struct Message
    {
        uint64_t end;               //!< first byte of the stream behind it
        std::vector<uint8_t> bytes; //!< they
    };

    /** @param end of the TCP connection @return the side that it is of */
    ToolSide SideOf(TcpConnection::End end) const
    {
        return end == TcpConnection::ACTIVE ? m_opener : static_cast<ToolSide>(1 - m_opener);
    }

    /** @param side one of both @return its end of the TCP connection */
    TcpConnection::End EndOf(ToolSide side) const
    {
        return side == m_opener ? TcpConnection::ACTIVE : TcpConnection::PASSIVE;
    }

    /** Opens the TCP connection. @param side that does @param now of the simulation */
    void Connect(ToolSide side, Nanoseconds now)
    {
        m_opener = side;
        m_connection = &TcpConnection::Make(*m_context.flows,
                                            {.tcp = &m_tcp,
                                             .path = side == SENDER ? m_path : m_path.GetReverse(),
                                             .ways = TcpConnection::Ways::TWO,
                                             .port = TOOL_PORT,
                                             .user = this,
                                             .refusals = &m_never,
                                             .holdsSmall = true});
        m_connection->Connect(now);
    }

    /** Writes to the TCP connection. @param side that does @param now of the simulation @param
     * bytes what */
    void Write(ToolSide side, Nanoseconds now, std::vector<uint8_t> bytes)
    {
        if (!m_connection || !m_isOn)
        {
            return; // nobody has connected, or it is over
        }
        const TcpConnection::End end = EndOf(side);
        m_connection->Write(end, now, bytes.size());
        m_messages[side].push_back({m_connection->GetWritten(end), std::move(bytes)});
    }

    /** Has the server reset the TCP connection when it is to. @param now of the simulation */
    void ScheduleFaults(Nanoseconds now)
    {
        const auto& faults = m_context.scenario->faults;
        for (uint32_t i = 0; i < faults.size(); ++i)
        {
            if (faults[i].kind == FaultKind::CONTROL_RESET &&
                faults[i].session == m_context.index && faults[i].at > now)
            {
                m_path.clocks[GetServer()]->Schedule(faults[i].at, *this, i);
            }
        }
    }

    // EventTarget: a fault
    void HandleEvent(Nanoseconds now, uint32_t /* fault */) override
    {
        if (m_isOn && m_connection && m_connection->IsThere(EndOf(GetServer())))
        {
            m_ends[GetServer()]->HandleLost(now);
        }
    }

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
        if (!reason.empty() && m_connection)
        {
            m_connection->Reset(TcpConnection::PASSIVE, now);
            m_connection->Reset(TcpConnection::ACTIVE, now);
            m_connection->Stop();
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

    // TcpConnection::User

    void HandleConnected(TcpConnection& /* connection */, Nanoseconds now) override
    {
        if (m_isOn)
        {
            m_ends[m_opener]->HandleConnected(now);
        }
    }

    void HandleAccepted(TcpConnection& /* connection */, Nanoseconds now) override
    {
        if (m_isOn)
        {
            m_ends[1 - m_opener]->HandleConnected(now);
        }
    }

    void HandleDelivered(TcpConnection& connection, TcpConnection::End to, Nanoseconds now) override
    {
        auto& messages = m_messages[1 - SideOf(to)];
        const uint64_t next = connection.GetReceived(to);
        while (!messages.empty() && messages.front().end <= next)
        {
            const Message message = std::move(messages.front());
            messages.pop_front();
            if (m_isOn)
            {
                m_ends[SideOf(to)]->HandleBytes(now, message.bytes);
            }
        }
    }

    void HandleFailed(TcpConnection& /* connection */,
                      Nanoseconds now,
                      TcpConnection::Failure /* failure */) override
    {
        if (m_isOn)
        {
            m_ends[m_opener]->HandleLost(now);
        }
    }

    void HandleReset(TcpConnection& /* connection */,
                     TcpConnection::End to,
                     Nanoseconds now) override
    {
        if (m_isOn)
        {
            m_ends[SideOf(to)]->HandleLost(now);
        }
    }

    ApplicationContext m_context;           //!< what it is given
    const SessionSpec* m_spec;              //!< its part of the scenario
    const ToolKind* m_kind;                 //!< its tool
    FlowPath m_path;                        //!< from the sender, end 0, to the receiver
    SegmentTcp m_tcp;                       //!< of the connection between the ends
    Outages m_never;                        //!< whoever connects is accepted
    DatagramFlow* m_flow;                   //!< what carries the datagrams
    ToolFiles m_files;                      //!< what reads and writes of the file take
    std::array<Host, SIDES> m_hosts;        //!< of the ends
    std::unique_ptr<ToolEnd> m_ends[SIDES]; //!< they
    TcpConnection* m_connection{nullptr};   //!< between them, once one has connected
    ToolSide m_opener{RECEIVER};            //!< which has
    std::deque<Message> m_messages[SIDES];  //!< written and not read yet, by writer
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
