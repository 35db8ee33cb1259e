/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_SERVICE_H
#define GRIDFTP_DATA_TRANSFER_SERVICE_H

#include "gridftp-control-channel.h"
#include "gridftp-data-transfer-group.h"
#include "gridftp-dtp-text.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Settings of a DataTransferService. */
struct DataTransferServiceSettings
{
    DataTransferSettings data{}; //!< of data connections
    Layout layout{};             //!< which connection carries which block
    uint64_t blockBytes{1};      //!< payload of a block
};

/**
 * @ingroup gridftp
 * The peer of a RemoteDataTransfer: executes the orders of a protocol interpreter on another host,
 * and reports the results. If the connection between them ends without END, it releases everything.
 *
 * Contract: the owner makes one for each accepted connection, and calls Start() once. The hosts
 * outlive it.
 */
class DataTransferService final : private DataTransferOwner
{
  public:
    /** @param hosts of the session */
    explicit DataTransferService(const ChannelHosts& hosts);
    ~DataTransferService() override;

    /** Begins. @param settings of it @param stream the accepted connection @return who uses the
     * stream */
    StreamUser& Start(const DataTransferServiceSettings& settings, ByteStream& stream);

    /** Its process is killed: resets all its connections. @param now current simulation time */
    void Reset(Nanoseconds now);

    /** Releases all connections and timers. @param now current simulation time */
    void Dispose(Nanoseconds now);

    /** @return what executes the orders */
    LocalDataTransfer& GetDataTransfer()
    {
        return m_data;
    }

    /** @return what executes the orders */
    const LocalDataTransfer& GetDataTransfer() const
    {
        return m_data;
    }

  private:
    // DataTransferOwner
    void HandleListening(Nanoseconds now,
                         uint32_t stripe,
                         const std::optional<HostPort>& listener) override;
    void HandleReady(Nanoseconds now, uint32_t stripe) override;
    void HandleBytes(Nanoseconds now,
                     uint32_t stripe,
                     uint64_t bytes,
                     const MarkerRanges& ranges) override;
    void HandleDone(Nanoseconds now,
                    uint32_t stripe,
                    uint64_t bytes,
                    const std::vector<int64_t>& elapsedNs) override;
    void HandleFailed(Nanoseconds now, uint32_t stripe, const TransferFailure& failure) override;

    /** Reports something. @param now current simulation time @param notice what */
    void Report(Nanoseconds now, const DtpNotice& notice);

    /** A line has arrived. @param now current simulation time @param line or why it is none */
    void HandleLine(Nanoseconds now, const TextResult<std::string>& line);

    /** Executes an order. @param now current simulation time @param command the order */
    void Execute(Nanoseconds now, const DtpCommand& command);

    /** Sends its part of a chunk. @param now current simulation time @param order the chunk */
    void ExecuteSend(Nanoseconds now, const DtpOrder& order);

    DataTransferServiceSettings m_settings;    //!< of it
    std::shared_ptr<ControlChannel> m_control; //!< the connection
    LocalDataTransfer m_data;                  //!< executes the orders
    uint64_t m_sent{0};                        //!< chunks begun, for the random start jitter
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_SERVICE_H
