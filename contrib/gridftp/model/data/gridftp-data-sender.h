/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_SENDER_H
#define GRIDFTP_DATA_SENDER_H

#include "gridftp-block-scheduler.h"
#include "gridftp-buffer-settings.h"
#include "gridftp-connection-observer.h"
#include "gridftp-data-security.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-pair-connections.h"
#include "gridftp-start-jitter.h"
#include "gridftp-stripe-plan.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/packet.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"
#include "ns3/type-id.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a data transfer process has to send. */
struct SendOrder
{
    uint64_t chunk{0};           //!< index, for the draw of the start jitter
    uint64_t offset{0};          //!< of the chunk in the file
    uint64_t bytes{1};           //!< of the chunk; offsets on the wire run from 0
    uint32_t parallelism{1};     //!< N connections to each receiver
    Layout layout{};             //!< who carries which block
    uint64_t blockBytes{1};      //!< payload of a block
    StripeLayout stripeLayout{}; //!< which stripe has which part of the chunk
    uint64_t stripeBlock{1};     //!< of a blocked layout, bytes
    StripeCounts stripes{};      //!< how many send and receive
    uint32_t stripe{0};          //!< which of those that send it is
    MarkerRanges held{};         //!< of the file, of MergeRanges(): what the receivers have (REST)
    std::vector<uint32_t> pairs{}; //!< N of each pair of stripes, of all that send, where they
                                   //!< differ
};

/**
 * @ingroup gridftp
 * Counts pair by pair.
 * @param sums by receiver
 * @param more of the same receivers; there may be more of them
 */
void AddPairTotals(std::vector<ConnectionTotals>& sums, const std::vector<ConnectionTotals>& more);

/**
 * @ingroup gridftp
 * The sending half of a data transfer process: opens data connections to the receiver, or to those
 * stripes of it that StripePlan says, and carries its part of a chunk over them in MODE E blocks.
 *
 * Used by the client in an upload and by the server in a download. The owner calls Configure()
 * once, SetPeers() before the first Start() and whenever the receiver listens elsewhere, then
 * Start() and Finish() for each chunk. Between Start() and Finish() it calls back Drained once,
 * when every byte is acknowledged, or Failed once.
 */
class DataSender : public Object
{
  public:
    /** Every byte of the chunk is acknowledged. */
    using DrainedCallback = Callback<void>;

    /** The transfer cannot go on: reply code (425 or 426) and reason. */
    using FailedCallback = Callback<void, int, std::string>;

    /** @return the TypeId */
    static TypeId GetTypeId();

    DataSender();
    ~DataSender() override;

    /**
     * @param node where the connections start
     * @param tcp TCP variant of the connections, see CreateTcpSocket()
     * @param jitter how late fresh connections start
     */
    void Configure(Ptr<Node> node, TypeId tcp, const StartJitter& jitter);

    /**
     * @param drained called when all is acknowledged
     * @param failed called when it cannot go on
     */
    void SetCallbacks(DrainedCallback drained, FailedCallback failed);

    /** @return send buffers of its connections when the last chunk ended, bytes */
    const std::vector<uint64_t>& GetBufferSizes() const;

    /** @param security of connections opened from now on, before their first block */
    void SetSecurity(const DataSecuritySettings& security);

    /** @param monitor gets what connections do that are opened from now on, outlives them; null:
     * nothing does */
    void SetMonitor(SessionMonitor* monitor);

    /** @param windowBytes W of connections opened from now on */
    void SetWindow(uint32_t windowBytes);

    /** @param buffers of connections opened from now on, window included */
    void SetBuffers(const BufferSpec& buffers);

    /** @param processing of what it sends from now on */
    void SetProcessing(const ProcessingSpec& processing);

    /** Sets the send buffer of all connections. @param bytes what is less than one has changes
     * nothing */
    void GrowSendBuffers(uint64_t bytes);

    /**
     * Closes the connections to earlier peers.
     * @param peers where the receiver listens, by stripe
     */
    void SetPeers(const std::vector<Address>& peers);

    /**
     * Begins a chunk: opens the connections that are missing, closes those too many.
     * @param order what to send; as many receive as there are peers
     */
    void Start(const SendOrder& order);

    /**
     * Ends a chunk, once the receiver has confirmed it.
     * @param keep whether the connections stay open for the next one
     */
    void Finish(bool keep);

    /**
     * One of its connections is reset from within its host, which its owner hears of as if the
     * peer had done it.
     * @param connection index among the connections of all stripes
     */
    void BreakConnection(uint32_t connection);

    /** Gives up: cancels what is scheduled, closes all connections, calls nothing back. */
    void Abort();

    /** Abort() at once: resets the connections, so that nothing of what was written is sent. */
    void Reset();

    /** @return counts over all connections so far */
    ConnectionTotals GetTotals() const;

    /** @return the same of the connections to each of its receivers, in the order of StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return bytes of the chunk under way that it sends */
    uint64_t GetBytes() const;

    /** @return to each receiver, from Start() to the last acknowledgement, ns; none where pairs of
     * stripes have no numbers of connections of their own */
    std::vector<int64_t> GetElapsedNs() const;

    /**
     * A data connection is about to connect; its socket is bound.
     * @param socket the sending socket
     * @param chunk index of the chunk it is opened for
     * @param connection index among the connections of all stripes
     */
    typedef void (*ConnectionTracedCallback)(Ptr<Socket> socket,
                                             uint64_t chunk,
                                             uint32_t connection);

  protected:
    void DoDispose() override;

  private:
    class Stream;

    /** Closes all streams. */
    void CloseAll();

    /**
     * Closes the streams to a receiver from @p count on.
     * @param pair which of its receivers
     * @param count how many stay
     */
    void CloseFrom(uint32_t pair, size_t count);

    /** Begins the chunk on the streams to a receiver. @param pair which of its receivers */
    void StartPair(uint32_t pair);

    /** @return index, among all pairs of stripes, of its first one */
    uint32_t GetFirstPair() const;

    /** @return connections of all pairs of stripes */
    PairConnections GetConnections() const
    {
        return {m_order.parallelism, m_order.pairs};
    }

    /** A stream has everything acknowledged. @param pair to which of its receivers */
    void HandleDrained(uint32_t pair);

    /** Tells the owner that every byte is acknowledged. */
    void NotifyDrained();

    /**
     * A connection is refused, reset or has given up.
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

    Ptr<Node> m_node;                         //!< where the connections start
    TypeId m_tcp;                             //!< their TCP
    StartJitter m_jitter;                     //!< how late they start
    BufferSpec m_buffers;                     //!< of its connections
    DataSecuritySettings m_security;          //!< see SetSecurity()
    SessionMonitor* m_monitor{nullptr};       //!< see SetMonitor()
    std::vector<Address> m_peers;             //!< where the receivers listen
    DrainedCallback m_drained;                //!< owner's callback
    FailedCallback m_failed;                  //!< owner's callback
    SendOrder m_order;                        //!< the chunk under way
    uint32_t m_opening{0};                    //!< of the file, for it
    StripePlan m_plan{{}, {}, 1};             //!< who sends what of it
    std::vector<BlockScheduler> m_schedulers; //!< deal its blocks, by receiver
    /** The connections, by receiver. */
    std::vector<std::vector<std::unique_ptr<Stream>>> m_streams;
    std::vector<uint64_t> m_bufferSizes; //!< see GetBufferSizes()
    std::vector<size_t> m_undrained;     //!< how many have not everything acknowledged, by receiver
    int64_t m_startNs{0};                //!< when Start() was called
    std::vector<int64_t> m_elapsedNs;    //!< see GetElapsedNs()
    EventId m_notifyEvent;               //!< a callback to the owner under way
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_opened; //!< a connection is about to connect
    std::vector<ConnectionTotals> m_closedTotals; //!< of connections closed already, by receiver
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_SENDER_H
