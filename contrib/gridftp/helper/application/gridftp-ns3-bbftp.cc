/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-client.h"
#include "gridftp-bbftp-server.h"
#include "gridftp-ns3-application.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-tool-files.h"

#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <optional>

/**
 * @file
 * @ingroup gridftp
 * A session whose tool is bbFTP: a client that moves one file, and its server.
 */

namespace ns3::gridftp
{

namespace
{

/** @copydoc MakeNs3Bbftp */
class Ns3Bbftp final : public Ns3Application
{
  public:
    /** @param context what it is given */
    explicit Ns3Bbftp(const Ns3ApplicationContext& context)
        : m_observer(context.observer),
          m_spec(&context.scenario->sessions[context.index]),
          m_buffers(GetBbftpBuffers(*context.scenario, *m_spec)),
          m_files(*context.scenario, context.index, context.hosts)
    {
        for (const Ptr<BbftpApplication>& end :
             {Ptr<BbftpApplication>(m_client), Ptr<BbftpApplication>(m_server)})
        {
            end->SetAttribute("DataTcp", TypeIdValue(*FindTcpVariant(m_spec->tcp)));
            end->SetBuffers(m_buffers);
            end->SetTransfer(MakeBbftpTransfer(*context.scenario, *m_spec));
            end->SetFiles(m_files);
        }
        m_client->SetAttribute("Remote",
                               AddressValue(InetSocketAddress(context.server.address, BBFTP_PORT)));
        GetSender().SetMonitor(context.monitor);
        m_client->SetStartTime(NanoSeconds(m_spec->start));
        m_client->SetProgress(
            BbftpApplication::Told([this] { m_observer->HandleTransferring(); }),
            BbftpApplication::Told([this] { m_observer->HandlePart(GetReceiver().GetBytes()); }));
        m_client->SetEnded(BbftpApplication::Told([this] { HandleEnded(m_client); }));
        m_server->SetEnded(BbftpApplication::Told([this] { HandleEnded(m_server); }));
        context.server.node->AddApplication(m_server);
        context.client.node->AddApplication(m_client);
        ScheduleFaults(context);
        if (context.traces)
        {
            const Callback<void, Ptr<Socket>, uint32_t> observe(
                [traces = context.traces, index = context.index](Ptr<Socket> socket,
                                                                 uint32_t stream) {
                    traces->ObserveConnection(index, socket, 0, stream);
                });
            GetSender().TraceConnectWithoutContext("Data", observe);
        }
    }

    bool IsAwaited() const override
    {
        return true;
    }

    uint32_t GetParallelism() const override
    {
        return m_client->GetStreams();
    }

    void AddTo(TransferResult& result) const override
    {
        const BbftpSpan span = m_client->GetSpan();
        const auto window = static_cast<uint64_t>(m_buffers.window);
        SessionResult& part = result.sessions.emplace_back();
        part.tool = m_spec->tool;
        part.bytes = GetReceiver().GetBytes();
        part.startNs = span.beginNs;
        part.durationNs = span.GetDurationNs(m_failedNs);
        part.tcp = {GetSender().GetTotals(), window};
        if (const auto* monitor = GetSender().GetMonitor())
        {
            part.tcp->detail = monitor->MakeDetail();
        }
        part.buffers = MakeBufferResult({}, window);
        part.storage = MakeStorageResult(m_files.GetStorage(false), m_files.GetStorage(true));
        part.parallelism = m_client->GetStreams();
        part.reason = m_isOver ? m_reason : "not ended";
    }

  private:
    /** @return the end that sends */
    BbftpApplication& GetSender() const
    {
        return GetEnd(m_spec->direction == Direction::UPLOAD);
    }

    /** @return the end that receives */
    BbftpApplication& GetReceiver() const
    {
        return GetEnd(m_spec->direction != Direction::UPLOAD);
    }

    /** @param isClient which end @return it */
    BbftpApplication& GetEnd(bool isClient) const
    {
        return isClient ? static_cast<BbftpApplication&>(*m_client)
                        : static_cast<BbftpApplication&>(*m_server);
    }

    /** Has things go wrong when they are to. @param context of the session */
    void ScheduleFaults(const Ns3ApplicationContext& context)
    {
        m_server->SetResets(ListOutages(*context.scenario,
                                        FaultKind::CONTROL_RESET,
                                        {context.index, m_spec->direction == Direction::UPLOAD}));
        for (const auto& fault : context.scenario->faults)
        {
            if (fault.session != context.index || fault.at <= m_spec->start)
            {
                continue;
            }
            if (fault.kind == FaultKind::CONTROL_RESET)
            {
                Simulator::Schedule(NanoSeconds(fault.at), &BbftpServerApplication::Fail, m_server);
            }
            else if (fault.kind == FaultKind::DATA_RESET)
            {
                Simulator::Schedule(NanoSeconds(fault.at), [this, &fault] {
                    GetEnd(fault.server == FaultServer::CLIENT)
                        .BreakConnection(static_cast<uint32_t>(fault.connection));
                });
            }
        }
    }

    /** An end is done, or has failed, which ends the session unless the server alone is done.
     * @param end which */
    void HandleEnded(Ptr<BbftpApplication> end)
    {
        const bool hasFailed = !end->GetReason().empty();
        if (m_isOver || (!hasFailed && end == m_server))
        {
            return;
        }
        m_isOver = true;
        m_reason = end->GetReason();
        if (hasFailed)
        {
            m_failedNs = Simulator::Now().GetNanoSeconds();
            GetEnd(end == m_server).Abandon();
        }
        m_observer->HandleEnded();
    }

    Ns3ApplicationObserver* m_observer; //!< hears of its course
    const SessionSpec* m_spec;          //!< its part of the scenario
    BufferSpec m_buffers;               //!< of its data connections
    ToolFiles m_files;                  //!< what reads and writes of the file take
    bool m_isOver{false};               //!< it has ended
    std::string m_reason;               //!< why it has failed
    std::optional<int64_t> m_failedNs;  //!< when it has
    Ptr<BbftpClientApplication> m_client{CreateObject<BbftpClientApplication>()}; //!< one end
    Ptr<BbftpServerApplication> m_server{CreateObject<BbftpServerApplication>()}; //!< the other
};

} // namespace

/** @ingroup gridftp @param context of a session @return a bbFTP client and its server */
std::unique_ptr<Ns3Application>
MakeNs3Bbftp(const Ns3ApplicationContext& context)
{
    return std::make_unique<Ns3Bbftp>(context);
}

} // namespace ns3::gridftp
