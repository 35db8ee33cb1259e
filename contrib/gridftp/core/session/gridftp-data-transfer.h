/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_H
#define GRIDFTP_DATA_TRANSFER_H

#include "gridftp-control-text.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-transfer-order.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The owner of a data transfer process: its protocol interpreter, or the service that represents
 * that on another host.
 *
 * Contract: see DataTransfer, which calls it.
 */
class DataTransferOwner
{
  public:
    virtual ~DataTransferOwner() = default;

    /** Answers DataTransfer::Listen(). @param now current simulation time @param stripe which data
     * transfer process @param listener where it listens; none: no port is free */
    virtual void HandleListening(Nanoseconds now,
                                 uint32_t stripe,
                                 const std::optional<HostPort>& listener) = 0;

    /** Answers DataTransfer::Receive() or Send(): the process is ready. @param now current
     * simulation time @param stripe which data transfer process */
    virtual void HandleReady(Nanoseconds now, uint32_t stripe) = 0;

    /** A marker interval has passed while it receives. @param now current simulation time @param
     * stripe which data transfer process @param bytes that it has stored of the chunk so far @param
     * ranges of the file that it has stored, where it records them, without what was held before */
    virtual void HandleBytes(Nanoseconds now,
                             uint32_t stripe,
                             uint64_t bytes,
                             const MarkerRanges& ranges) = 0;

    /** Its part of a chunk is complete: every byte that it sent is acknowledged, or all has been
     * received. @param now current simulation time @param stripe which data transfer process @param
     * bytes of its part @param elapsedNs of its pairs of stripes, where it sends and pairs have
     * numbers of connections of their own: from Send() to the last acknowledgement, ns */
    virtual void HandleDone(Nanoseconds now,
                            uint32_t stripe,
                            uint64_t bytes,
                            const std::vector<int64_t>& elapsedNs) = 0;

    /** It cannot go on. @param now current simulation time @param stripe which data transfer
     * process @param failure code of the reply, and why */
    virtual void HandleFailed(Nanoseconds now, uint32_t stripe, const TransferFailure& failure) = 0;
};

/**
 * @ingroup gridftp
 * A data transfer process (DTP) as its protocol interpreter (PI) uses it, on the same host or on
 * another one (Allcock et al., Section 5): listens, receives and sends.
 *
 * Contract: between Receive() or Send() and Finish() it calls HandleReady() of its owner once, then
 * HandleDone() or HandleFailed() once. It may call its owner inside these functions.
 */
class DataTransfer
{
  public:
    virtual ~DataTransfer() = default;

    /** @param bytes W of data connections on which it receives, after the next Listen() */
    virtual void SetReceiveWindow(uint32_t bytes) = 0;

    /** @param bytes W of data connections on which it sends, opened from now on */
    virtual void SetSendWindow(uint32_t bytes) = 0;

    /** Listens on a new port; closes an earlier listener and its connections. @param now current
     * simulation time @param own IPv4 address of the PI's host that other hosts use, host byte
     * order
     */
    virtual void Listen(Nanoseconds now, uint32_t own) = 0;

    /** Sets the receivers. Connections to other ones are closed, by a DTP on another host at
     * Send().
     * @param now current simulation time @param peers where they listen, by stripe */
    virtual void SetPeers(Nanoseconds now, const std::vector<HostPort>& peers) = 0;

    /** Receives its part of a chunk. @param now current simulation time @param order the chunk */
    virtual void Receive(Nanoseconds now, const ReceiveOrder& order) = 0;

    /** Sends its part of a chunk. @param now current simulation time @param order the chunk */
    virtual void Send(Nanoseconds now, const SendOrder& order) = 0;

    /** The chunk is over. @param now current simulation time @param keep whether its connections
     * stay open for the next one */
    virtual void Finish(Nanoseconds now, bool keep) = 0;

    /** No other chunk follows: a DTP on another host closes all connections. @param now current
     * simulation time */
    virtual void End(Nanoseconds /* now */)
    {
    }

    /** Closes all connections, and does not call its owner. @param now current simulation time */
    virtual void Abort(Nanoseconds now) = 0;

    /** Resets its data connections, and does not call its owner. @param now current simulation time
     */
    virtual void Reset(Nanoseconds now) = 0;

    /** As Reset(); the connection to a DTP on another host is reset, too. @param now current
     * simulation time */
    virtual void Kill(Nanoseconds now)
    {
        Reset(now);
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_H
