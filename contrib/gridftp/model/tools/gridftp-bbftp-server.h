/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_SERVER_H
#define GRIDFTP_BBFTP_SERVER_H

#include "gridftp-bbftp-application.h"
#include "gridftp-outage.h"

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The end of bbFTP that accepts, of one client. */
class BbftpServerApplication : public BbftpApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    BbftpServerApplication();
    ~BbftpServerApplication() override;

    /** @param resets when it resets its control connection, or one that it accepts */
    void SetResets(const Outages& resets);

    /** It resets its connections, if it has a control connection. */
    void Fail();

  private:
    // BbftpApplication
    std::unique_ptr<BbftpEnd> MakeEnd(const BbftpTransfer& transfer, BbftpPort& port) override;
    void Begin() override;
    void StopListening() override;

    // BbftpPort
    void ConnectControl(Nanoseconds now) override;
    std::vector<uint16_t> Listen(Nanoseconds now, uint32_t streams) override;
    void Connect(Nanoseconds now, uint32_t stream, uint16_t port) override;

    /** A control connection has come. @param socket it @param from its peer */
    void HandleControl(Ptr<Socket> socket, const Address& from);

    /** A data connection has come. @param socket it @param from its peer */
    void HandleData(Ptr<Socket> socket, const Address& from);

    /** Closes a listener. @param listener it */
    static void Drop(Ptr<Socket> listener);

    uint16_t m_port{0};                   //!< where it listens
    Outages m_resets;                     //!< see SetResets()
    Ptr<Socket> m_listener;               //!< of the control connection
    std::vector<Ptr<Socket>> m_listeners; //!< of data connections, by stream
    std::vector<uint16_t> m_ports;        //!< theirs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_SERVER_H
