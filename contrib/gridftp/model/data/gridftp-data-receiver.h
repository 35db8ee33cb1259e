/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_RECEIVER_H
#define GRIDFTP_DATA_RECEIVER_H

#include "gridftp-buffer-settings.h"
#include "gridftp-buffer-tally.h"
#include "gridftp-byte-ranges.h"
#include "gridftp-data-security.h"
#include "gridftp-marker-ranges.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a data transfer process has to receive. */
struct ReceiveOrder
{
    std::optional<uint64_t> bytes; //!< of the chunk, of all stripes; none: as many as come, without
                                   //!< a gap
    uint64_t offset{0};            //!< of the chunk in the file, for its storage
    uint32_t stripe{0};            //!< which of those that receive it is
    uint32_t receivers{1};         //!< how many there are
    MarkerRanges held{};           //!< of the file, of MergeRanges(): what has come before, and
                                   //!< does not come again (REST)
};

/**
 * @ingroup gridftp
 * The receiving half of a data transfer process: listens for data connections and accounts for
 * every byte of a chunk.
 *
 * Used by the server in an upload and by the client in a download. The owner calls Configure()
 * once, Listen() whenever a new address is agreed, then Expect() and Finish() for each chunk. A
 * chunk is complete when as many EODs have come as the EOF said and the ranges cover it exactly,
 * each byte once; then Completed is called back, or Failed once if that cannot be reached any more.
 */
class DataReceiver : public Object
{
  public:
    /** The chunk is complete. */
    using CompletedCallback = Callback<void>;

    /** The transfer cannot go on: reply code (425 or 426) and reason. */
    using FailedCallback = Callback<void, int, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    DataReceiver();
    ~DataReceiver() override;

    /**
     * @param node where the connections end
     * @param tcp TCP variant of the connections, see CreateTcpSocket()
     */
    void Configure(Ptr<Node> node, TypeId tcp);

    /**
     * @param completed called when the chunk is complete
     * @param failed called when it cannot go on
     */
    void SetCallbacks(CompletedCallback completed, FailedCallback failed);

    /** @param security of connections accepted from now on, before their first block */
    void SetSecurity(const DataSecuritySettings& security);

    /** @param windowBytes W of connections accepted after the next Listen() */
    void SetWindow(uint32_t windowBytes);

    /** @return receive buffers of its connections so far, where windows move */
    BufferTally GetBufferTally() const;

    /** @return receive buffers of the connections of the chunk that Finish() ended last, then,
     * bytes
     */
    const std::vector<uint64_t>& GetBufferSizes() const;

    /** @param buffers of connections accepted after the next Listen(), window included */
    void SetBuffers(const BufferSpec& buffers);

    /** @param processing of what comes over connections accepted from now on */
    void SetProcessing(const ProcessingSpec& processing);

    /** @return buffers of its connections, as set */
    const BufferSpec& GetBuffers() const;

    /** @return receive buffer of its first connection, or of the next one where there is none,
     * bytes */
    uint64_t GetReceiveBuffer() const;

    /** Sets the receive buffer of all connections. @param bytes size, at least 1 */
    void SetReceiveBuffer(uint64_t bytes);

    /**
     * Listens on a new port; closes an earlier listener and its connections.
     * @return the port, or none when there is no free one
     */
    std::optional<uint16_t> Listen();

    /**
     * Begins a chunk. Where others receive parts of it, too, nobody says which ones: no byte may
     * come twice or from beyond the chunk, and all else is for whoever knows of all of them.
     * @param order the chunk
     */
    void Expect(const ReceiveOrder& order);

    /**
     * Ends a chunk.
     * @param keep whether the connections stay open for the next one
     */
    void Finish(bool keep);

    /** Notes from now on which bytes have come, for GetRanges(). */
    void NoteRanges();

    /** @return of the file: what of the chunk has come, or is stored where storage takes time,
     * without what was held before; see NoteRanges() */
    MarkerRanges GetRanges();

    /** @return GetStoredBytes(), summed over all chunks, complete or not */
    uint64_t GetAllStoredBytes() const
    {
        return m_earlierBytes + GetStoredBytes();
    }

    /**
     * One of its connections is reset from within its host, which its owner hears of as if the
     * peer had done it.
     * @param socket the connection
     */
    void BreakConnection(Ptr<Socket> socket);

    /** @return whether its storage has requests that it has not served */
    bool IsStoring() const;

    /**
     * A foreign host connects, if there is a listener: the connection is accepted, carries nothing,
     * and is closed later, which ends the transfer that is under way then.
     * @param duration after which it is closed; 0: never
     */
    void AcceptForeign(Time duration);

    /** Gives up: closes the listener and all connections, calls nothing back. */
    void Abort();

    /** Abort() at once: resets the connections. */
    void Reset();

    /** @return bytes of the chunk that have come so far */
    uint64_t GetBytes() const;

    /** @return bytes of the chunk that are stored so far: those that have come, where storage costs
     * nothing */
    uint64_t GetStoredBytes() const;

    /**
     * A data connection has been accepted.
     * @param socket the connection
     */
    typedef void (*AcceptedTracedCallback)(Ptr<Socket> socket);

  protected:
    void DoDispose() override;

  private:
    class Stream;
    friend class Stream;

    /**
     * A data connection has been accepted.
     * @param socket the connection
     * @param from its other end
     */
    void HandleAccept(Ptr<Socket> socket, const Address& from);

    /**
     * A range has come whole.
     * @param offset of its first byte
     * @param length bytes
     */
    void AddRange(uint64_t offset, uint64_t length);

    /** An EOD or the EOF has come: maybe that was all. */
    void CheckComplete();

    /**
     * A connection has closed: where none is left and ends of data are missing, they will not come,
     * since a sender keeps its connections until all of them have opened.
     */
    void CheckStarved();

    /** Tells the owner that the chunk is complete. */
    void NotifyCompleted();

    /**
     * The transfer cannot go on.
     * @param code reply code
     * @param reason for a person
     */
    void Fail(int code, const std::string& reason);

    /**
     * Tells the owner that the transfer cannot go on.
     * @param code reply code
     * @param reason for a person
     */
    void NotifyFailed(int code, const std::string& reason);

    /** Closes all connections. */
    void CloseStreams();

    /** Closes the listener. */
    void CloseListener();

    Ptr<Node> m_node;                       //!< where the connections end
    TypeId m_tcp;                           //!< their TCP
    BufferSpec m_buffers;                   //!< of its connections
    DataSecuritySettings m_security;        //!< see SetSecurity()
    BufferTally m_closedBuffers;            //!< of those that are closed
    std::vector<uint64_t> m_bufferSizes;    //!< see GetBufferSizes()
    CompletedCallback m_completed;          //!< owner's callback
    FailedCallback m_failed;                //!< owner's callback
    Ptr<Socket> m_listener;                 //!< where data connections arrive
    uint16_t m_port{0};                     //!< of the listener
    std::vector<Ptr<Stream>> m_streams;     //!< the connections, open or closed by the peer
    bool m_active{false};                   //!< a chunk is under way
    ReceiveOrder m_order;                   //!< the chunk
    uint32_t m_opening{0};                  //!< of the file, for it
    ByteRanges m_ranges;                    //!< what has come of it, in whole runs
    uint64_t m_bytes{0};                    //!< what has come of it, in bytes
    uint64_t m_closedBytes{0};              //!< what closed connections have stored of it
    uint64_t m_earlierBytes{0};             //!< what is stored of chunks before
    bool m_notesRanges{false};              //!< see NoteRanges()
    MarkerRanges m_stored;                  //!< of the chunk, see GetRanges()
    uint64_t m_endsOfData{0};               //!< EODs seen
    std::optional<uint64_t> m_endsNeeded;   //!< EODs to see, once the EOF has come
    bool m_isComplete{false};               //!< all of the chunk has come
    EventId m_notifyEvent;                  //!< a callback to the owner under way
    std::vector<EventId> m_foreign;         //!< ends of foreign connections
    TracedCallback<Ptr<Socket>> m_accepted; //!< a data connection has been accepted
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_RECEIVER_H
