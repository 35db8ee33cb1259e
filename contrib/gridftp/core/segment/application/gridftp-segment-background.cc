/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-assigned-ports.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-connection.h"

/**
 * @file
 * @ingroup gridftp
 * Plain TCP next to the sessions: one connection that always has data to send.
 */

namespace ns3::gridftp
{

namespace
{

/** Data without an end. */
class EndlessSource final : public ByteSource
{
  public:
    uint64_t Write(uint64_t room) override
    {
        return room;
    }

    bool IsExhausted() const override
    {
        return false;
    }
};

/** @copydoc MakeBackgroundApplication */
class BackgroundApplication final : public SegmentApplication,
                                    private EventTarget,
                                    private TcpConnection::User
{
  public:
    /** @param context what it is given */
    explicit BackgroundApplication(const ApplicationContext& context)
        : m_spec(&context.scenario->background[context.index - context.scenario->sessions.size()]),
          m_tcp(MakeSegmentTcp(*context.scenario, m_spec->hostTcp, m_spec->tcp, m_spec->buffers)),
          m_flows(context.flows),
          m_monitor(context.monitor)
    {
        m_use = {.tcp = &m_tcp,
                 .path = context.data.front(),
                 .answersFin = IsToServer(m_spec->direction),
                 .closesApart = context.scenario->path.variation.IsSet() ||
                                HasActiveQueue(context.scenario->path) ||
                                HasTwoDirections(*context.scenario),
                 .meetsLate = context.scenario->path.variation.IsSet(),
                 .port = BACKGROUND_PORT,
                 .user = this,
                 .label = ConnectionLabel{.session = context.index},
                 .logsDelivery = true};
    }

    void Start(Nanoseconds now) override
    {
        m_connection = &TcpConnection::Make(*m_flows, m_use);
        m_connection->Begin(m_source, now);
        m_connection->Connect(now);
        if (m_spec->stop > 0)
        {
            m_use.path.clocks[TcpConnection::ACTIVE]->Schedule(m_spec->stop, *this, 0);
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
        const bool hasStopped = m_endNs != NEVER || !m_reason.empty();
        return {.receivedBytes = GetReceived(now), .active = now >= m_spec->start && !hasStopped};
    }

    void AddTo(Nanoseconds now, TransferResult& result) const override
    {
        BackgroundResult& part = result.background.emplace_back();
        part.startNs = m_spec->start;
        part.endNs = std::max(m_spec->start, m_endNs == NEVER ? now : m_endNs);
        part.tcp = {m_connection ? m_connection->GetTotals(TcpConnection::ACTIVE)
                                 : ConnectionTotals(),
                    static_cast<uint64_t>(m_spec->buffers.window)};
        part.tcp.detail = m_monitor ? std::optional(m_monitor->MakeDetail()) : std::nullopt;
        part.reason = m_reason;
        part.bytes = GetReceived(now);
    }

  private:
    /** @param now of the simulation @return payload that has come, bytes */
    uint64_t GetReceived(Nanoseconds now) const
    {
        const bool isUnderWay = m_connection && m_endNs == NEVER;
        return isUnderWay ? m_connection->GetDelivered(now) : m_bytes;
    }

    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        m_endNs = now;
        m_bytes = m_connection->GetDelivered(now);
        m_connection->Abort(now);
    }

    void HandleFailed(TcpConnection& /* connection */,
                      Nanoseconds /* now */,
                      TcpConnection::Failure failure) override
    {
        m_reason = failure == TcpConnection::Failure::REFUSED
                       ? "the connection was refused"
                       : "the connection was reset or gave up its retries";
        m_connection->Stop();
    }

    const BackgroundSpec* m_spec;         //!< its part of the scenario
    SegmentTcp m_tcp;                     //!< of its connection
    TcpConnection::Use m_use;             //!< what the connection is
    EndlessSource m_source;               //!< its data
    FlowTable* m_flows;                   //!< of the simulation
    TcpConnection* m_connection{nullptr}; //!< the one; null before the start
    const SessionMonitor* m_monitor;      //!< of the one, or null
    int64_t m_endNs{NEVER};               //!< when it stopped
    uint64_t m_bytes{0};                  //!< that had arrived then
    std::string m_reason;                 //!< why it has failed
};

} // namespace

std::unique_ptr<SegmentApplication>
MakeBackgroundApplication(const ApplicationContext& context)
{
    return std::make_unique<BackgroundApplication>(context);
}

} // namespace ns3::gridftp
