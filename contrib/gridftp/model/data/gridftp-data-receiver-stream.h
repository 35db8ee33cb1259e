/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_RECEIVER_STREAM_H
#define GRIDFTP_DATA_RECEIVER_STREAM_H

#include "gridftp-block-reader.h"
#include "gridftp-block-writes.h"
#include "gridftp-connection-sizer.h"
#include "gridftp-data-receiver.h"
#include "gridftp-host-processor.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"

#include <deque>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One data connection of a DataReceiver.
 */
class DataReceiver::Stream : public SimpleRefCount<DataReceiver::Stream>, public BlockReader::Sink
{
  public:
    /**
     * @param owner whose stream it is; outlives the connection, see Close()
     * @param socket the connection
     */
    Stream(DataReceiver& owner, Ptr<Socket> socket)
        : m_owner(owner),
          m_socket(socket),
          m_segmentBytes(GetTcpSegmentBytes(socket)),
          m_sizer(socket, MakeBufferSettings(owner.m_buffers, m_segmentBytes)),
          m_reader(*this, m_sizer.IsOn()),
          m_writes(FindSinkStages(owner.m_node, owner.m_buffers))
    {
        m_writes.Begin(owner.m_order.offset, owner.m_opening);
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
        // The callbacks hold the stream, so that it outlives its own last callback.
        const Ptr<Stream> self(this);
        m_security.Configure(owner.m_security, true, DataSecurity::SaidCallback());
        if (!m_security.IsDone())
        {
            socket->SetSendCallback(MakeCallback(&Stream::HandleRoom, self));
        }
        socket->SetRecvCallback(MakeCallback(&Stream::HandleRead, self));
        socket->SetCloseCallbacks(MakeCallback(&Stream::HandlePeerClose, self),
                                  MakeCallback(&Stream::HandleError, self));
    }

    ~Stream() override
    {
        // The event knows the stream, but does not hold it: it would hold itself
        m_restEvent.Cancel();
        m_endEvent.Cancel();
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /** Gets ready for another chunk on the same connection; reads what came before its turn. */
    void NextTransfer()
    {
        m_reader.NextTransfer();
        m_writes.Begin(m_owner.m_order.offset, m_owner.m_opening);
        m_storing.clear();
        m_begun = false;
        HandleRead(m_socket);
        if (m_peerClosed)
        {
            HandlePeerClose(m_socket);
        }
    }

    /** @return whether the connection is open */
    bool IsOpen() const
    {
        return m_socket != nullptr;
    }

    /** @param bytes size of its receive buffer from now on */
    void SetReceiveBuffer(uint64_t bytes)
    {
        if (m_socket)
        {
            SetTcpReceiveBuffer(m_socket, bytes);
        }
    }

    /** @return bytes of the chunk that it has stored, where storage takes time */
    uint64_t GetStoredBytes()
    {
        return m_writes.GetStored(Simulator::Now().GetNanoSeconds());
    }

    /** @return whether it has carried something of the chunk */
    bool HasBegun() const
    {
        return m_begun;
    }

    /** @return size of its receive buffer, at last, bytes */
    uint64_t GetBufferSize() const
    {
        const auto window = static_cast<uint64_t>(m_owner.m_buffers.window);
        return m_socket ? GetTcpReceiveBuffer(m_socket, window) : m_lastBufferSize;
    }

    /** Counts its receive buffer while it is open. @param tally where */
    void Count(BufferTally& tally) const
    {
        if (m_socket)
        {
            CountTcpBuffer(m_socket, tally);
            tally.Add(m_sizer.GetMeasured());
        }
    }

    /** Closes the connection; nothing is called back any more. */
    void Close()
    {
        const Ptr<Stream> self(this);
        if (const auto socket = Release())
        {
            socket->Close();
        }
    }

    /** Resets the connection; nothing is called back any more. */
    void Reset()
    {
        const Ptr<Stream> self(this);
        if (const auto socket = Release())
        {
            ResetTcpConnection(socket);
        }
    }

    /** @param socket any @return whether that is the connection */
    bool Has(const Ptr<Socket>& socket) const
    {
        return m_socket == socket;
    }

    /** The connection is reset from within its host. */
    void Break();

    /** Notes what is stored by now, where the owner does. */
    void NoteStored();

    // BlockReader::Sink
    void OnData(uint64_t offset, uint64_t length) override
    {
        m_owner.m_bytes += length;
        if (offset != m_runOffset + m_runLength)
        {
            FlushRun();
            m_runOffset = offset;
        }
        m_runLength += length;
    }

    void OnEndOfFile(uint64_t eodCount) override
    {
        m_owner.m_endsNeeded = eodCount;
    }

    void OnAcknowledgement() override
    {
        m_sizer.HandleAcknowledgement();
    }

    void OnBlock(uint64_t offset, uint64_t length) override
    {
        if (m_writes.IsTimed())
        {
            m_writes.Write(Simulator::Now().GetNanoSeconds(), offset, length);
        }
        if (m_owner.m_notesRanges && m_writes.IsTimed())
        {
            m_storing.push_back({m_writes.GetLastNs(), offset, length});
        }
    }

    void OnEndOfData() override
    {
        m_sizer.End();
        FlushRun();
        const int64_t ns = m_writes.GetLastNs() - Simulator::Now().GetNanoSeconds();
        if (ns > 0)
        {
            m_endEvent = Simulator::Schedule(NanoSeconds(ns), [this] { HandleStored(); });
            return;
        }
        HandleStored();
    }

  private:
    /** A block on its way to storage. */
    struct Storing
    {
        int64_t doneNs;  //!< when it is stored
        uint64_t offset; //!< in the chunk
        uint64_t length; //!< bytes
    };

    /** Notes a range that is stored. @param offset of it in the chunk @param length bytes */
    void Note(uint64_t offset, uint64_t length);

    /** All that it carries of the chunk is there, and stored. */
    void HandleStored()
    {
        ++m_owner.m_endsOfData;
        m_owner.CheckComplete();
    }

    /** @return whether something of the chunk has yet to come, or to be stored */
    bool IsWanting() const
    {
        return !m_reader.IsAtEndOfData() || m_endEvent.IsPending();
    }

    /** Reads nothing for a time. @param ns how long */
    void Rest(int64_t ns)
    {
        m_restEvent = Simulator::Schedule(NanoSeconds(ns), [this] { HandleRead(m_socket); });
    }

    /** Lets go of the socket. @return the socket, null where there is none */
    Ptr<Socket> Release()
    {
        if (m_socket)
        {
            m_restEvent.Cancel();
            m_endEvent.Cancel();
            m_security.Stop();
            m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
            Count(m_owner.m_closedBuffers);
            m_lastBufferSize = GetBufferSize();
            m_sizer.Stop();
            m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
            m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                        MakeNullCallback<void, Ptr<Socket>>());
        }
        return std::exchange(m_socket, nullptr);
    }

    /** Accounts for the run of bytes that came without a gap. */
    void FlushRun()
    {
        if (m_runLength > 0)
        {
            m_owner.AddRange(m_runOffset, m_runLength);
            if (m_owner.m_notesRanges && !m_writes.IsTimed())
            {
                Note(m_runOffset, m_runLength);
            }
        }
        m_runLength = 0;
    }

    /** @return most bytes to read at once now */
    uint32_t GetMostBytes() const;

    /** Data has come. @param socket the socket */
    void HandleRead(Ptr<Socket> socket);

    /** Room has become free. @param socket the socket @param room bytes */
    void HandleRoom(Ptr<Socket> socket, uint32_t room);

    /** The peer has closed. @param socket the socket */
    void HandlePeerClose(Ptr<Socket> socket);

    /** The connection has failed. @param socket the socket */
    void HandleError(Ptr<Socket> socket);

    DataReceiver& m_owner;         //!< whose stream it is
    Ptr<Socket> m_socket;          //!< the connection, null when closed
    uint32_t m_segmentBytes;       //!< most bytes to read at once
    ConnectionSizer m_sizer;       //!< sizes the receive buffer by SBUFs on the connection
    BlockReader m_reader;          //!< takes the blocks apart
    DataSecurity m_security;       //!< before the first block
    BlockWrites m_writes;          //!< blocks on their way to storage
    std::deque<Storing> m_storing; //!< the same, where they are noted, in order
    uint64_t m_runOffset{0};       //!< first byte of the run
    uint64_t m_runLength{0};       //!< its length so far, bytes
    uint64_t m_lastBufferSize{0};  //!< of its receive buffer, when the connection was closed
    EventId m_restEvent;           //!< until it reads again
    EventId m_endEvent;            //!< until all of the chunk is stored
    bool m_begun{false};           //!< something of this chunk has come
    bool m_peerClosed{false};      //!< the peer has closed, and there is something left to read
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_RECEIVER_STREAM_H
