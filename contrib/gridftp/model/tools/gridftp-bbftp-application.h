/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_APPLICATION_H
#define GRIDFTP_BBFTP_APPLICATION_H

#include "gridftp-bbftp-host.h"
#include "gridftp-buffered-application.h"
#include "gridftp-socket-host.h"

#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/ptr.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One end of bbFTP as an ns-3 application: runs a BbftpHost on a SocketHost. Helpers make a
 * BbftpClientApplication or a BbftpServerApplication.
 */
class BbftpApplication : public BufferedApplication, private BbftpHostUser
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    BbftpApplication();
    ~BbftpApplication() override;

    /** @param settings of this host; its TCP, buffers and port are those of the attributes. Before
     * it starts */
    void SetSettings(const BbftpSettings& settings);

    /** @param user called from now on; outlives it. Before it starts */
    void SetUser(BbftpHostUser& user);

    /** @return bbFTP at this host, made when the simulation begins; null before */
    BbftpHost* GetHost() const
    {
        return m_host.get();
    }

    /**
     * A data connection is about to connect, or has been accepted.
     * @param socket of this end
     * @param stream index of the connection
     */
    typedef void (*DataTracedCallback)(Ptr<Socket> socket, uint32_t stream);

  protected:
    void DoDispose() override;
    void DoInitialize() override;

    /** @return address of the peer; any, where this end only accepts */
    virtual Ipv4Address GetPeer() const = 0;

    /** @return port of the server's control connection */
    virtual uint16_t GetPort() const = 0;

  private:
    void StartApplication() override;
    void StopApplication() override;

    // BbftpHostUser
    void HandleBegun(Nanoseconds now) override;
    void HandleMoved(Nanoseconds now) override;
    void HandleEnded(Nanoseconds now, BbftpRole role) override;

    TypeId m_dataTcp;                                  //!< TCP of data connections
    BbftpSettings m_settings;                          //!< see SetSettings()
    BbftpHostUser* m_user{nullptr};                    //!< see SetUser()
    Ptr<SocketHost> m_sockets;                         //!< null before the simulation begins
    std::unique_ptr<BbftpHost> m_host;                 //!< see GetHost()
    TracedCallback<Ptr<Socket>, uint32_t> m_dataTrace; //!< see DataTracedCallback
};

/** @ingroup gridftp @brief The end of bbFTP that connects, as soon as it starts. */
class BbftpClientApplication : public BbftpApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  private:
    Ipv4Address GetPeer() const override;
    uint16_t GetPort() const override;

    Address m_remote; //!< where the server listens
};

/** @ingroup gridftp @brief The end of bbFTP that accepts, of one client. */
class BbftpServerApplication : public BbftpApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

  private:
    Ipv4Address GetPeer() const override;
    uint16_t GetPort() const override;

    uint16_t m_port{0}; //!< where it listens
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_APPLICATION_H
