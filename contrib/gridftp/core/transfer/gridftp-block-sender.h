/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_SENDER_H
#define GRIDFTP_BLOCK_SENDER_H

#include "gridftp-block-scheduler.h"
#include "gridftp-data-host.h"
#include "gridftp-pair-connections.h"
#include "gridftp-start-jitter.h"
#include "gridftp-stripe-plan.h"
#include "gridftp-transfer-machine.h"
#include "gridftp-transfer-order.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The sending half of a data transfer process: opens data connections to the receiver, or to those
 * stripes of it that StripePlan names, and sends its part of a chunk over them in MODE E blocks.
 *
 * Contract: the owner calls the setters first, SetPeers() before the first Start() and whenever the
 * receiver listens elsewhere, then Start() and Finish() for each chunk. Between Start() and
 * Finish() the sender calls the owner once. It calls from an event, never from within a call of the
 * owner or a callback of a connection, so that the owner may close connections then.
 */
class BlockSender final : public TransferMachine
{
  public:
    /** Who uses a sender. */
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /** TCP has acknowledged every byte of the chunk. @param now current simulation time */
        virtual void HandleSent(Nanoseconds now) = 0;

        /** The transfer cannot go on. @param now current simulation time @param failure why */
        virtual void HandleSendFailed(Nanoseconds now, const TransferFailure& failure) = 0;
    };

    /** @param host where the connections begin; outlives it @param owner called; outlives it */
    BlockSender(DataHost& host, Owner& owner);

    ~BlockSender() override;

    /** @param jitter delay of new connections */
    void SetJitter(const StartJitter& jitter)
    {
        m_jitter = jitter;
    }

    /** Enlarges the send buffers of open connections. @param now current simulation time @param
     * bytes size; a buffer that is larger stays */
    void GrowSendBuffers(Nanoseconds now, uint64_t bytes);

    /** Closes the connections to earlier peers. @param now current simulation time @param peers
     * where the receivers listen, by stripe */
    void SetPeers(Nanoseconds now, const std::vector<HostPort>& peers);

    /** Begins a chunk: opens the connections that are missing, closes surplus ones. @param now
     * current simulation time @param order what to send; there are as many receivers as peers */
    void Start(Nanoseconds now, const SendOrder& order);

    /** Ends a chunk, after HandleSent() and the confirmation of the receiver, which arrives on the
     * control connection. @param now current simulation time @param
     * keep whether the connections stay open for the next one */
    void Finish(Nanoseconds now, bool keep);

    /** The host resets one of the connections; the owner learns of it as if the peer had done it.
     * @param now current simulation time @param connection index among the connections of all
     * stripes; no effect where there is none */
    void BreakConnection(Nanoseconds now, uint32_t connection);

    /** Gives up: closes all connections and does not call the owner. @param now current simulation
     * time */
    void Abort(Nanoseconds now);

    /** As Abort(), but resets the connections, so that nothing more is sent of what was written.
     * @param now current simulation time */
    void Reset(Nanoseconds now);

    /** @return counts of the connections to each receiver so far, in the order of StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return send buffers of its connections when the last chunk ended, bytes */
    const std::vector<uint64_t>& GetBufferSizes() const
    {
        return m_bufferSizes;
    }

    /** @return bytes of the current chunk that it sends */
    uint64_t GetBytes() const;

    /** @return for each receiver, from Start() to the last acknowledgement, ns; none where all
     * pairs of stripes have the same number of connections */
    std::vector<Nanoseconds> GetElapsedNs() const
    {
        return m_order.pairs.empty() ? std::vector<Nanoseconds>() : m_elapsedNs;
    }

  private:
    class Stream;

    // TransferMachine
    void ReportOutcome(Nanoseconds now, const std::optional<TransferFailure>& failure) override;
    void HandleOwnEvent(Nanoseconds now, TransferEvents::Kind kind, uint32_t serial) override;

    /** @param serial of a connection @return it; null: it is gone */
    Stream* Find(uint32_t serial) const;

    /** Closes all connections, the last one first. @param now current simulation time */
    void CloseAll(Nanoseconds now);

    /** Closes connections to a receiver. @param now current simulation time @param pair which of
     * its receivers @param count how many stay */
    void CloseFrom(Nanoseconds now, uint32_t pair, size_t count);

    /** Begins the chunk on the connections to a receiver. @param now current simulation time @param
     * pair which of its receivers */
    void StartPair(Nanoseconds now, uint32_t pair);

    /** @return index, among all pairs of stripes, of its first one */
    uint32_t GetFirstPair() const
    {
        return m_order.stripe * m_plan.GetReceiversOfSender();
    }

    /** @return connections of all pairs of stripes */
    PairConnections GetConnections() const
    {
        return {m_order.parallelism, m_order.pairs};
    }

    /** All bytes of a connection are acknowledged. @param now current simulation time @param pair
     * to which of its receivers it is */
    void HandleDrained(Nanoseconds now, uint32_t pair);

    Owner* m_owner;                           //!< called
    StartJitter m_jitter;                     //!< delay of new connections
    std::vector<HostPort> m_peers;            //!< where the receivers listen
    SendOrder m_order;                        //!< the current chunk
    uint32_t m_opening{0};                    //!< of the file, for it
    StripePlan m_plan{{}, {}, 1};             //!< which stripe sends what of it
    std::vector<BlockScheduler> m_schedulers; //!< of its blocks, by receiver
    uint32_t m_nextSerial{0};                 //!< of the next connection
    std::vector<uint64_t> m_bufferSizes;      //!< see GetBufferSizes()
    std::vector<size_t> m_undrained;      //!< connections with unacknowledged bytes, by receiver
    Nanoseconds m_startNs{0};             //!< when Start() was called
    std::vector<Nanoseconds> m_elapsedNs; //!< see GetElapsedNs()
    std::vector<ConnectionTotals> m_closedTotals; //!< of closed connections, by receiver
    /** The connections, by receiver. */
    std::vector<std::vector<std::unique_ptr<Stream>>> m_streams;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_SENDER_H
