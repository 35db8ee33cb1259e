/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_GRIDFTP_H
#define GRIDFTP_SEGMENT_GRIDFTP_H

#include "gridftp-segment-application.h"
#include "gridftp-segment-chunk-skipping.h"
#include "gridftp-segment-gridftp-server.h"
#include "gridftp-segment-nodes.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-transfer-client.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A session of GridFTP on the segment engine: a TransferClient, its servers and its data transfer
 * processes, on SegmentNodes. Engine ns3 has the same applications, see MakeNs3Session().
 */
class SegmentGridFtpSession final : public SegmentApplication,
                                    private TransferClient::Owner,
                                    private EventTarget
{
  public:
    /** @param context what it is given */
    explicit SegmentGridFtpSession(const ApplicationContext& context);

    void Start(Nanoseconds now) override
    {
        for (auto& server : m_servers)
        {
            server.Start(now);
        }
        for (auto& process : m_processes)
        {
            process.Start(now);
        }
        ScheduleFaults(now);
        m_maySkip = m_context.fastForward->IsOn() &&
                    SegmentChunkSkipping::MayHelp(*m_context.scenario, MakeDataTcp());
        m_client->Start(now, MakeSettings());
    }

    void Fail(Nanoseconds now, const std::string& reason) override
    {
        m_client->Stop(now, reason);
    }

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override;

    FlowView GetFlow(Nanoseconds now) const override
    {
        const bool hasBegun = m_isTransferring || !m_client->GetChunks().empty();
        return {.receivedBytes = CountReceived(now),
                .active = m_client->GetState() == ClientState::TRANSFERRING && hasBegun};
    }

    void AddTo(Nanoseconds now, TransferResult& result) const override;

  private:
    /** @return whether two servers move the data */
    bool IsThirdParty() const
    {
        return m_spec->direction == Direction::THIRD_PARTY;
    }

    // EventTarget: a fault begins
    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        Strike(now, m_context.scenario->faults[id]);
    }

    /** Schedules all faults of the session. @param now current simulation time */
    void ScheduleFaults(Nanoseconds now);

    /** A fault begins. @param now current simulation time @param fault which */
    void Strike(Nanoseconds now, const FaultSpec& fault);

    /** A data transfer process dies. @param now current simulation time @param fault which */
    void KillDataTransfer(Nanoseconds now, const FaultSpec& fault);

    /** A foreign host connects to a receiver. @param now current simulation time @param fault which
     */
    void AcceptForeign(Nanoseconds now, const FaultSpec& fault);

    /** A data connection is reset. @param now current simulation time @param fault which */
    void BreakConnection(Nanoseconds now, const FaultSpec& fault);

    /** @return all data transfer processes that there are now */
    std::vector<LocalDataTransfer*> ListDataTransfers();

    /** Adds all hosts, and the paths between them. */
    void AddNodes();

    /** Adds the hosts of stripes. @param receives at the end that receives @param head node of its
     * protocol interpreter */
    void AddEnd(bool receives, uint32_t head);

    /** Makes the servers. */
    void AddServers();

    /** Makes data transfer processes on hosts of their own. @param nodes of them */
    void AddProcesses(const std::vector<uint32_t>& nodes);

    /** @param cpu of a host, or null @return the host */
    SegmentNode MakeNode(HostCpuPtr cpu);

    /** A host moves data. @param node of it @param receives whether it receives @param stripe its
     * index at this end */
    void SetEnd(SegmentNode& node, bool receives, uint32_t stripe) const;

    /** @param nodes of data transfer processes @return where these listen */
    std::vector<HostPort> ListProcesses(const std::vector<uint32_t>& nodes) const;

    /** @return settings of data connections */
    DataTransferSettings MakeData() const;

    /** @param receives whether the server receives data @return its settings */
    ServerSettings MakeServerSettings(bool receives) const;

    /** @return TCP of data connections */
    SegmentTcp MakeDataTcp() const
    {
        return MakeSegmentTcp(*m_context.scenario, m_spec->hostTcp, m_spec->tcp, m_spec->buffers);
    }

    /** @return settings of the client */
    TransferClientSettings MakeSettings();

    /** @return settings of each attempt of the client */
    ClientSettings MakeSessionSettings() const;

    /** @param now current simulation time @return bytes that all receivers have stored */
    uint64_t GetStoredBytes(Nanoseconds now) const;

    /** @param now current time of the simulation, which hosts may be ahead of @return bytes that
     * have arrived by then, without those that a new attempt has repeated. Nothing is read for
     * that, as the time is no event of the hosts */
    uint64_t CountReceived(Nanoseconds now) const;

    /** A new attempt begins: what has arrived and is not held arrives again. */
    void CountRepeated();

    /** @return counts of the data connections of each pair of stripes */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return counts of all data connections */
    ConnectionTotals GetTotals() const;

    /** @return receive buffers of all data connections */
    BufferTally GetBufferTally() const;

    /** Adds what each pair of stripes moved. @param session gets it @param totals of the pairs */
    void AddStripesTo(SessionResult& session, const std::vector<ConnectionTotals>& totals) const;

    // TransferClient::Owner
    ChannelHosts MakeChannels(Nanoseconds /* now */) override
    {
        return {*m_control, m_nodes.MakeHost(m_clientNode), m_nodes.MakeHost(m_clientNode)};
    }

    Expected<FileSequence> FindFiles(Nanoseconds /* now */,
                                     std::optional<uint64_t> /* fileBytes */) override
    {
        return m_files;
    }

    void HandleState(Nanoseconds now, ClientState state) override
    {
        if (state == ClientState::DONE || state == ClientState::FAILED)
        {
            m_isTransferring = false;
            m_endedBytes = GetStoredBytes(now);
            m_context.observer->HandleEnded(now);
        }
    }

    void HandleParallelism(uint32_t parallelism) override
    {
        m_parallelism = parallelism;
    }

    void HandleChunkStarted(uint64_t index) override
    {
        m_isTransferring = true;
        if (m_client->GetRestarts().size() != m_restarts)
        {
            m_restarts = m_client->GetRestarts().size();
            CountRepeated();
        }
        if (index == 0 && !std::exchange(m_hasBegun, true))
        {
            m_context.observer->HandleTransferring(m_client->GetSession()->GetChunkTimes().start);
        }
    }

    void HandleChunkCompleted(Nanoseconds now, const ChunkRecord& /* record */) override
    {
        m_isTransferring = false;
        m_context.observer->HandlePart(now);
        if (!IsThirdParty())
        {
            m_context.observer->HandleBehindPart(now);
        }
    }

    void HandleBetweenChunks(Nanoseconds now) override;

    std::optional<std::vector<ConnectionTotals>> CountSenders() override
    {
        return GetPairTotals();
    }

    ApplicationContext m_context;               //!< what it is given
    const SessionSpec* m_spec;                  //!< its part of the scenario
    StripePlan m_plan;                          //!< which stripe has which part
    std::shared_ptr<Storage> m_source;          //!< of the nodes that send; null: free
    std::shared_ptr<Storage> m_sink;            //!< of the nodes that receive; null: free
    FileSequence m_files;                       //!< what it moves
    SegmentNodes m_nodes;                       //!< its hosts
    uint32_t m_nodeCount{0};                    //!< of them
    uint32_t m_clientNode{0};                   //!< of the client
    HostPort m_server;                          //!< of the server; third party: that receives
    HostPort m_sender;                          //!< third party: of the server that sends
    std::vector<uint32_t> m_senders;            //!< nodes of stripes that send
    std::vector<uint32_t> m_receivers;          //!< nodes of stripes that receive
    std::vector<uint32_t> m_serverNodes;        //!< of the servers
    std::vector<uint32_t> m_addresses;          //!< of nodes, by index
    std::deque<SegmentGridFtpServer> m_servers; //!< third party: the one that receives first
    std::deque<SegmentDataTransferProcess> m_processes; //!< on nodes of their own
    DataHost* m_control{nullptr};                       //!< of the client
    std::unique_ptr<TransferClient> m_client;           //!< the client
    uint32_t m_parallelism{0};                          //!< N of the next chunk
    bool m_isTransferring{false};                       //!< a chunk is under way
    bool m_hasBegun{false};                             //!< with its first chunk
    std::optional<uint64_t> m_endedBytes;               //!< that were stored when it ended
    size_t m_restarts{0};                               //!< attempts after the first so far
    uint64_t m_repeated{0};                             //!< see CountRepeated()
    bool m_maySkip{false};                              //!< SegmentChunkSkipping::MayHelp()
    std::optional<SegmentChunkSkipping> m_skipping;     //!< of chunks that recur
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_GRIDFTP_H
