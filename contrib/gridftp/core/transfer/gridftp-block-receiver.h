/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_RECEIVER_H
#define GRIDFTP_BLOCK_RECEIVER_H

#include "gridftp-buffer-tally.h"
#include "gridftp-byte-ranges.h"
#include "gridftp-data-host.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-transfer-machine.h"
#include "gridftp-transfer-order.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The file that a receiver writes, where data have content. */
class ReceivedFile
{
  public:
    virtual ~ReceivedFile() = default;

    /** Data have arrived; they may overlap others, which is an error that the receiver reports
     * later. @param place of the first byte in the file @param bytes that were read from a
     * connection @param position of the first byte in them @param length bytes, at least 1 @return
     * whether they are stored; else the receiver fails, and does not count them */
    virtual bool Store(uint64_t place,
                       const ArrivedBytes& bytes,
                       uint64_t position,
                       uint64_t length) = 0;
};

/**
 * @ingroup gridftp
 * The receiving half of a data transfer process: listens for data connections and accounts for
 * every byte of a chunk. A chunk is complete when as many EODs have arrived as the EOF announced,
 * and the ranges cover it exactly, each byte once.
 *
 * Contract: the owner calls the setters first, Listen() whenever a new address is agreed, then
 * Expect() and Finish() for each chunk. Between those the receiver calls the owner once. It calls
 * from an event, never from within a call of the owner or a callback of a connection, so that the
 * owner may close connections then.
 */
class BlockReceiver final : public TransferMachine, private DataListenUser
{
  public:
    /** Who uses a receiver. */
    class Owner
    {
      public:
        virtual ~Owner() = default;

        /** The chunk is complete. @param now current simulation time */
        virtual void HandleReceived(Nanoseconds now) = 0;

        /** The transfer cannot go on. @param now current simulation time @param failure why */
        virtual void HandleReceiveFailed(Nanoseconds now, const TransferFailure& failure) = 0;
    };

    /** @param host where the connections end; outlives it @param owner called; outlives it */
    BlockReceiver(DataHost& host, Owner& owner);

    ~BlockReceiver() override;

    /** @param file that data are stored in from now on, outlives them; null: they are counted only,
     * as in a simulation */
    void SetFile(ReceivedFile* file)
    {
        m_file = file;
    }

    /** @return receive buffer of its first connection, or of the next one where there is none,
     * bytes */
    uint64_t GetReceiveBuffer() const;

    /** @param bytes receive buffer of all connections from now on, at least 1 */
    void SetReceiveBuffer(uint64_t bytes);

    /** @return receive buffers of its connections so far, where buffers are dynamic */
    BufferTally GetBufferTally() const;

    /** @return receive buffers of the connections of the chunk that Finish() ended last, at that
     * time, bytes */
    const std::vector<uint64_t>& GetBufferSizes() const
    {
        return m_bufferSizes;
    }

    /** Listens on a new port; closes an earlier listener and its connections. @param now current
     * simulation time @return the port; none where none is free */
    std::optional<uint16_t> Listen(Nanoseconds now);

    /** Begins a chunk. Where other stripes receive parts of it, too, it does not know which ones:
     * then no byte may arrive twice or from beyond the chunk, and the owner of all stripes checks
     * the rest. @param now current simulation time @param order the chunk */
    void Expect(Nanoseconds now, const ReceiveOrder& order);

    /** Ends a chunk. @param keep whether the connections stay open for the next one */
    void Finish(bool keep);

    /** Records from now on which bytes have arrived, for GetRanges(). */
    void RecordRanges()
    {
        m_recordsRanges = true;
    }

    /** @param now current simulation time @return of the file: what of the chunk has arrived, or is
     * stored where storage takes time, without what was held before; see RecordRanges() */
    MarkerRanges GetRanges(Nanoseconds now);

    /** @return bytes of the chunk that have arrived so far */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @param now current simulation time @return bytes of the chunk that are stored so far: those
     * that have arrived, where storage costs nothing */
    uint64_t GetStoredBytes(Nanoseconds now) const;

    /** Reads what has arrived and is not read yet: some drivers read no earlier than they are asked
     * to. @param now current simulation time */
    void ReadArrived(Nanoseconds now) const;

    /** @param now current simulation time @return GetStoredBytes(), summed over all chunks,
     * complete or not */
    uint64_t GetAllStoredBytes(Nanoseconds now) const
    {
        return m_earlierBytes + GetStoredBytes(now);
    }

    /** @param now current simulation time @return whether its storage has requests that it has not
     * served */
    bool IsStoring(Nanoseconds now) const;

    /** The host resets one of the connections; the owner learns of it as if the peer had done it.
     * @param now current simulation time @param stream the connection; no effect where it is not
     * one of this receiver */
    void BreakConnection(Nanoseconds now, const DataStream& stream);

    /** A foreign host connects, if there is a listener. The connection is accepted, carries
     * nothing, and is closed later, which ends the transfer that is under way then. @param now
     * current simulation time @param closedAt when it is closed; not later than now: never */
    void AcceptForeign(Nanoseconds now, Nanoseconds closedAt);

    /** Gives up: closes the listener and all connections, and does not call the owner. @param now
     * current simulation time */
    void Abort(Nanoseconds now);

    /** As Abort(), but resets the connections. @param now current simulation time */
    void Reset(Nanoseconds now);

  private:
    class Stream;

    // TransferMachine
    void ReportOutcome(Nanoseconds now, const std::optional<TransferFailure>& failure) override;
    void HandleOwnEvent(Nanoseconds now, TransferEvents::Kind kind, uint32_t serial) override;

    // DataListenUser
    DataStreamUser* HandleDataAccepted(Nanoseconds now, DataStream& stream) override;

    /** A range has arrived as a whole. @param now current simulation time @param offset of its
     * first byte @param length bytes */
    void AddRange(Nanoseconds now, uint64_t offset, uint64_t length);

    /** An EOD or the EOF has arrived: checks whether that was all. @param now current simulation
     * time */
    void CheckComplete(Nanoseconds now);

    /** A connection has closed. If none is left, the missing ends of data will not arrive, since a
     * sender keeps its connections until all of them have opened. @param now current simulation
     * time */
    void CheckStarved(Nanoseconds now);

    /** The transfer cannot go on. @param now current simulation time @param reason for people */
    void Fail(Nanoseconds now, const std::string& reason);

    /** Closes all connections. @param now current simulation time */
    void CloseStreams(Nanoseconds now);

    /** Closes the listener. */
    void CloseListener();

    Owner* m_owner;                                 //!< called
    ReceivedFile* m_file{nullptr};                  //!< see SetFile()
    BufferTally m_closedBuffers;                    //!< of closed connections
    std::vector<uint64_t> m_bufferSizes;            //!< see GetBufferSizes()
    bool m_isListening{false};                      //!< data connections may arrive
    std::vector<std::unique_ptr<Stream>> m_streams; //!< connections, open or closed by the peer
    uint32_t m_nextSerial{0};                       //!< of the next connection
    bool m_isActive{false};                         //!< a chunk is under way
    ReceiveOrder m_order;                           //!< the chunk
    uint32_t m_opening{0};                          //!< of the file, for it
    ByteRanges m_ranges;                            //!< what has arrived of it, in whole runs
    uint64_t m_bytes{0};                            //!< of it that have arrived
    uint64_t m_closedBytes{0};                      //!< of it that closed connections have stored
    uint64_t m_earlierBytes{0};                     //!< stored of earlier chunks
    bool m_recordsRanges{false};                    //!< see RecordRanges()
    MarkerRanges m_stored;                          //!< of the chunk, see GetRanges()
    uint64_t m_endsOfData{0};                       //!< EODs that have arrived
    std::optional<uint64_t> m_endsNeeded;           //!< EODs to expect; none: the EOF is missing
    bool m_isComplete{false};                       //!< all of the chunk has arrived
    uint32_t m_foreign{0}; //!< serial number; of foreign connections so far
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_RECEIVER_H
