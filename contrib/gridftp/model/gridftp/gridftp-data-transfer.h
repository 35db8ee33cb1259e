/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_TRANSFER_H
#define GRIDFTP_DATA_TRANSFER_H

#include "gridftp-control-text.h"
#include "gridftp-data-receiver.h"
#include "gridftp-data-sender.h"

#include "ns3/ipv4-address.h"
#include "ns3/object.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Hears of a data transfer process: the protocol interpreter that it works for, or what speaks for
 * that on another node.
 */
class DataTransferOwner
{
  public:
    virtual ~DataTransferOwner() = default;

    /**
     * Listen() is answered.
     * @param stripe which data transfer process
     * @param listener where it listens; none where no port is free
     */
    virtual void HandleListening(uint32_t stripe, const std::optional<HostPort>& listener) = 0;

    /** Receive() or Send() is answered: it is ready. @param stripe which data transfer process */
    virtual void HandleReady(uint32_t stripe) = 0;

    /**
     * Some time of a transfer has passed.
     * @param stripe which data transfer process
     * @param bytes that it has received so far
     * @param ranges of the file that it has stored, where it is to tell them, without what was held
     *        before
     */
    virtual void HandleBytes(uint32_t stripe, uint64_t bytes, const MarkerRanges& ranges) = 0;

    /**
     * Its part of a transfer is over: every byte sent is acknowledged, or all has been received.
     * @param stripe which data transfer process
     * @param bytes of its part
     * @param elapsedNs of its pairs, where it sends and they have numbers of connections of their
     *        own: from Send() to the last acknowledgement, ns
     */
    virtual void HandleDone(uint32_t stripe,
                            uint64_t bytes,
                            const std::vector<int64_t>& elapsedNs) = 0;

    /**
     * It cannot go on.
     * @param stripe which data transfer process
     * @param code reply code, 425 or 426
     * @param reason for a person
     */
    virtual void HandleFailed(uint32_t stripe, int code, const std::string& reason) = 0;
};

/**
 * @ingroup gridftp
 * A data transfer process (DTP) as its protocol interpreter (PI) sees it, on its own node or apart
 * (Allcock et al., Section 5): it listens, receives and sends, and tells its owner.
 *
 * Between Receive() or Send() and Finish() it calls back HandleReady() once, then
 * HandleDone() or HandleFailed() once.
 */
class DataTransfer : public Object
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** @param bytes W of data connections on which it receives, after the next Listen() */
    virtual void SetReceiveWindow(uint32_t bytes) = 0;

    /** @param bytes W of data connections on which it sends, opened from now on */
    virtual void SetSendWindow(uint32_t bytes) = 0;

    /** Listens on a new port; what listened or was connected before is closed. @param own address
     * under which others reach the PI's node */
    virtual void Listen(Ipv4Address own) = 0;

    /** @param peers where the receivers listen, by stripe; connections to others are closed, of one
     * that is apart by Send() */
    virtual void SetPeers(const std::vector<HostPort>& peers) = 0;

    /** Receives its part of a chunk. @param order the chunk */
    virtual void Receive(const ReceiveOrder& order) = 0;

    /** Sends its part of a chunk. @param order the chunk */
    virtual void Send(const SendOrder& order) = 0;

    /** The chunk is over. @param keep whether the connections stay open for
     * the next one */
    virtual void Finish(bool keep) = 0;

    /** Nothing more comes: one that is apart closes all connections. */
    virtual void End()
    {
    }

    /** Closes all connections and calls nothing back. */
    virtual void Abort() = 0;

    /** Gives up the chunk under way: resets its data connections and calls nothing back. */
    virtual void Reset() = 0;

    /** Reset(), by one who does not say goodbye: the connection to one that is apart is reset. */
    virtual void Kill()
    {
        Reset();
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_TRANSFER_H
