/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-host.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-streams.h"
#include "gridftp-tool-files.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A session whose tool is bbFTP: both BbftpHosts on the hosts of the segment engine.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeBbftpApplication */
class BbftpApplication final : public SegmentApplication, private BbftpHostUser
{
  public:
    /** @param context what it is given */
    explicit BbftpApplication(const ApplicationContext& context)
        : m_spec(&context.scenario->sessions[context.index]),
          m_observer(context.observer),
          m_monitor(context.monitor),
          m_streams(*context.flows, context.path, *context.scenario, m_spec->hostTcp),
          m_files(*context.scenario, context.index, context.hosts),
          m_client(Settings(context, BbftpRole::CLIENT), m_streams.GetHost(0), *this),
          m_server(Settings(context, BbftpRole::SERVER), m_streams.GetHost(1), *this)
    {
    }

    void Start(Nanoseconds now) override
    {
        m_state = SessionState::LOGGING_IN;
        m_server.Start(now);
        m_client.Start(now);
    }

    void Fail(Nanoseconds now, const std::string& reason) override
    {
        if (!m_outcome.isOver)
        {
            m_client.Abandon(now);
            m_server.Abandon(now);
            m_outcome = {.isOver = true, .reason = reason, .failedNs = now};
            Finish(now);
        }
    }

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override
    {
        static const std::vector<uint32_t> noPairs;
        static const std::vector<ChunkRecord> noRecords;
        const bool isTransferring = m_state == SessionState::TRANSFERRING;
        return {.state = m_state,
                .reason = m_outcome.reason,
                .transferring = isTransferring,
                .chunkStartNs = m_client.GetSpan().beginNs.value_or(0),
                .parallelism = m_client.GetStreams(),
                .pairs = &noPairs,
                .records = &noRecords,
                .totals = (IsUpload() ? m_client : m_server).GetTotals(),
                .movedBytes = GetReceiver().GetBytes(),
                .endNs =
                    isTransferring ? -1 : m_outcome.failedNs.value_or(m_client.GetSpan().endNs)};
    }

    FlowView GetFlow(Nanoseconds /* now */) const override
    {
        return {.receivedBytes = GetReceiver().GetBytes(),
                .active = m_state == SessionState::TRANSFERRING};
    }

    void AddTo(Nanoseconds /* now */, TransferResult& result) const override
    {
        result.sessions.push_back(
            MakeBbftpResult(*m_spec, m_client, m_server, m_outcome, m_monitor));
    }

  private:
    // BbftpHostUser

    void HandleBegun(Nanoseconds now) override
    {
        m_state = SessionState::TRANSFERRING;
        m_observer->HandleTransferring(now);
    }

    void HandleMoved(Nanoseconds now) override
    {
        m_state = SessionState::QUITTING;
        m_observer->HandlePart(now);
    }

    void HandleEnded(Nanoseconds now, BbftpRole role) override
    {
        const bool isClient = role == BbftpRole::CLIENT;
        BbftpHost& ended = isClient ? m_client : m_server;
        BbftpHost& other = isClient ? m_server : m_client;
        if (EndBbftpSession(m_outcome, now, ended, other))
        {
            Finish(now);
        }
    }

    /** The session has ended. @param now current simulation time */
    void Finish(Nanoseconds now)
    {
        m_state = m_outcome.reason.empty() ? SessionState::DONE : SessionState::FAILED;
        m_observer->HandleEnded(now);
    }

    /** @param context of the session @param role of a host @return its settings */
    BbftpSettings Settings(const ApplicationContext& context, BbftpRole role) const
    {
        return MakeBbftpSettings(*context.scenario, context.index, role, m_files);
    }

    /** @return whether the client sends the file */
    bool IsUpload() const
    {
        return m_client.GetSettings().transfer.isUpload;
    }

    /** @return the host that receives the file */
    const BbftpHost& GetReceiver() const
    {
        return IsUpload() ? m_server : m_client;
    }

    const SessionSpec* m_spec;                   //!< its part of the scenario
    ApplicationObserver* m_observer;             //!< hears of its course
    const SessionMonitor* m_monitor;             //!< of its data connections, or null
    SegmentStreamHosts m_streams;                //!< both hosts
    ToolFiles m_files;                           //!< what reads and writes of the file cost
    BbftpHost m_client;                          //!< the end that connects
    BbftpHost m_server;                          //!< the end that accepts
    SessionState m_state{SessionState::WAITING}; //!< what it is doing
    BbftpOutcome m_outcome;                      //!< how it has ended
};

} // namespace

std::unique_ptr<SegmentApplication>
MakeBbftpApplication(const ApplicationContext& context)
{
    return std::make_unique<BbftpApplication>(context);
}

} // namespace ns3::gridftp
