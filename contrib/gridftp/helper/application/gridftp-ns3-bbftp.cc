/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp-application.h"
#include "gridftp-bbftp-host.h"
#include "gridftp-ns3-application.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-tool-files.h"

#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/type-id.h"

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
class Ns3Bbftp final : public Ns3Application, private BbftpHostUser
{
  public:
    /** @param context what it is given */
    explicit Ns3Bbftp(const Ns3ApplicationContext& context)
        : m_observer(context.observer),
          m_monitor(context.monitor),
          m_spec(&context.scenario->sessions[context.index])
    {
        const ToolFiles files(*context.scenario, context.index, context.hosts);
        SetUp(*m_client,
              MakeBbftpSettings(*context.scenario, context.index, BbftpRole::CLIENT, files));
        SetUp(*m_server,
              MakeBbftpSettings(*context.scenario, context.index, BbftpRole::SERVER, files));
        GetSender().SetMonitor(context.monitor);
        m_client->SetAttribute("Remote",
                               AddressValue(InetSocketAddress(context.server.address, BBFTP_PORT)));
        m_client->SetStartTime(NanoSeconds(m_spec->start));
        context.server.node->AddApplication(m_server);
        context.client.node->AddApplication(m_client);
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
        return m_client->GetHost() ? m_client->GetHost()->GetStreams() : 0;
    }

    void AddTo(TransferResult& result) const override
    {
        result.sessions.push_back(MakeBbftpResult(*m_spec,
                                                  *m_client->GetHost(),
                                                  *m_server->GetHost(),
                                                  m_outcome,
                                                  m_monitor));
    }

  private:
    /** @return the end that sends the file */
    BbftpApplication& GetSender() const
    {
        return m_spec->direction == Direction::UPLOAD ? static_cast<BbftpApplication&>(*m_client)
                                                      : static_cast<BbftpApplication&>(*m_server);
    }

    /** @param end of the session @param settings of it */
    void SetUp(BbftpApplication& end, const BbftpSettings& settings)
    {
        end.SetAttribute("DataTcp", TypeIdValue(*FindTcpVariant(settings.tcp)));
        end.SetBuffers(settings.buffers);
        end.SetSettings(settings);
        BbftpHostUser& user = *this;
        end.SetUser(user);
    }

    // BbftpHostUser

    void HandleBegun(Nanoseconds /* now */) override
    {
        m_observer->HandleTransferring();
    }

    void HandleMoved(Nanoseconds /* now */) override
    {
        const bool isUpload = m_spec->direction == Direction::UPLOAD;
        m_observer->HandlePart((isUpload ? m_server->GetHost() : m_client->GetHost())->GetBytes());
    }

    void HandleEnded(Nanoseconds now, BbftpRole role) override
    {
        BbftpHost& client = *m_client->GetHost();
        BbftpHost& server = *m_server->GetHost();
        const bool isClient = role == BbftpRole::CLIENT;
        if (EndBbftpSession(m_outcome, now, isClient ? client : server, isClient ? server : client))
        {
            m_observer->HandleEnded();
        }
    }

    Ns3ApplicationObserver* m_observer; //!< hears of its course
    const SessionMonitor* m_monitor;    //!< of its data connections, or null
    const SessionSpec* m_spec;          //!< its part of the scenario
    BbftpOutcome m_outcome;             //!< how it has ended
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
