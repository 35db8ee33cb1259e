/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BBFTP_CLIENT_H
#define GRIDFTP_BBFTP_CLIENT_H

#include "gridftp-bbftp-application.h"

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The end of bbFTP that connects, as soon as it starts. */
class BbftpClientApplication : public BbftpApplication
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param begun called when data connections are begun to be opened @param moved called when
     * all parts are done */
    void SetProgress(Told begun, Told moved);

    /** @return when data moved */
    BbftpSpan GetSpan() const;

    /** @return N; 0 before it is agreed */
    uint32_t GetStreams() const;

  private:
    // BbftpApplication
    std::unique_ptr<BbftpEnd> MakeEnd(const BbftpTransfer& transfer, BbftpPort& port) override;
    void Begin() override;

    // BbftpPort
    void ConnectControl(Nanoseconds now) override;
    std::vector<uint16_t> Listen(Nanoseconds now, uint32_t streams) override;
    void Connect(Nanoseconds now, uint32_t stream, uint16_t port) override;
    void HandleBegun(Nanoseconds now) override;
    void HandleMoved(Nanoseconds now) override;

    Address m_remote;               //!< where the server listens
    Told m_begun;                   //!< owner's callback
    Told m_moved;                   //!< owner's callback
    BbftpClient* m_client{nullptr}; //!< what decides; null before it starts
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BBFTP_CLIENT_H
