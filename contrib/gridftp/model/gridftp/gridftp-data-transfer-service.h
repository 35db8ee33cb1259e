/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_SERVICE_H
#define GRIDFTP_DATA_TRANSFER_SERVICE_H

#include "gridftp-control-channel.h"
#include "gridftp-data-transfer-local.h"
#include "gridftp-dtp-text.h"

#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a DataTransferProcess gives each of its protocol interpreters. */
struct DataTransferServiceSettings
{
    DataTransferSettings data; //!< of data connections
    Layout layout{};           //!< who carries which block
    uint64_t blockBytes{1};    //!< payload of a block
};

/**
 * @ingroup gridftp
 * The other end of a RemoteDataTransfer: does what its protocol interpreter says, and tells what
 * comes of it. Where the connection between them ends without END, it lets go of everything.
 */
class DataTransferService : public Object, private DataTransferOwner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    DataTransferService();

    /**
     * Takes over an accepted connection.
     * @param settings for it
     * @param socket the connection
     */
    void Start(const DataTransferServiceSettings& settings, Ptr<Socket> socket);

    /** Its process is killed: all its connections are reset. */
    void Reset();

    /** @return what it does, for its counts and traces */
    Ptr<LocalDataTransfer> GetDataTransfer() const
    {
        return m_data;
    }

  protected:
    void DoDispose() override;

  private:
    // DataTransferOwner
    void HandleListening(uint32_t stripe, const std::optional<HostPort>& listener) override;
    void HandleReady(uint32_t stripe) override;
    void HandleBytes(uint32_t stripe, uint64_t bytes, const MarkerRanges& ranges) override;
    void HandleDone(uint32_t stripe,
                    uint64_t bytes,
                    const std::vector<int64_t>& elapsedNs) override;
    void HandleFailed(uint32_t stripe, int code, const std::string& reason) override;

    /** Tells something. @param event what @param number see DtpEvent @param reason of a failure
     * @param ranges see DtpEvent */
    void Say(DtpEvent event,
             uint64_t number = 0,
             const std::string& reason = "",
             const MarkerRanges& ranges = {});

    /** A line has come. @param line the line, or why it is none */
    void HandleLine(const TextResult<std::string>& line);

    /** The connection is gone. @param reason for a person */
    void HandleClosed(std::string reason);

    /** Does what is said. @param command what */
    void Execute(const DtpCommand& command);

    /** Sends its part of a chunk. @param order what */
    void ExecuteSend(const DtpOrder& order);

    DataTransferServiceSettings m_settings; //!< for it
    Ptr<ControlChannel> m_control;          //!< the connection
    Ptr<LocalDataTransfer> m_data;          //!< does it
    uint64_t m_sent{0};                     //!< chunks begun, for the draw of the jitter
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_SERVICE_H
