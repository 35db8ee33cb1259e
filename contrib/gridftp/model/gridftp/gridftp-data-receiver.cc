/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-receiver.h"

#include "gridftp-block-reader.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataReceiver");

NS_OBJECT_ENSURE_REGISTERED(DataReceiver);

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
          m_socket(socket)
    {
        UintegerValue segment;
        socket->GetAttribute("SegmentSize", segment);
        m_segmentBytes = static_cast<uint32_t>(segment.Get());
        socket->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeNullCallback<void, Ptr<Socket>, const Address&>());
        // The callbacks hold the stream, so that it outlives its own last callback.
        const Ptr<Stream> self(this);
        socket->SetRecvCallback(MakeCallback(&Stream::HandleRead, self));
        socket->SetCloseCallbacks(MakeCallback(&Stream::HandlePeerClose, self),
                                  MakeCallback(&Stream::HandleError, self));
    }

    ~Stream() override
    {
        // The event knows the stream, but does not hold it: it would hold itself
        m_restEvent.Cancel();
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /** Gets ready for another chunk on the same connection; reads what came before its turn. */
    void NextTransfer()
    {
        m_reader.NextTransfer();
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

    void OnEndOfData() override
    {
        FlushRun();
        ++m_owner.m_endsOfData;
        m_owner.CheckComplete();
    }

  private:
    /** Lets go of the socket. @return the socket, null where there is none */
    Ptr<Socket> Release()
    {
        if (m_socket)
        {
            m_restEvent.Cancel();
            Count(m_owner.m_closedBuffers);
            m_lastBufferSize = GetBufferSize();
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
        }
        m_runLength = 0;
    }

    /** Data has come. @param socket the socket */
    void HandleRead(Ptr<Socket> socket);

    /** The peer has closed. @param socket the socket */
    void HandlePeerClose(Ptr<Socket> socket);

    /** The connection has failed. @param socket the socket */
    void HandleError(Ptr<Socket> socket);

    DataReceiver& m_owner;        //!< whose stream it is
    Ptr<Socket> m_socket;         //!< the connection, null when closed
    BlockReader m_reader{*this};  //!< takes the blocks apart
    uint64_t m_runOffset{0};      //!< first byte of the run
    uint64_t m_runLength{0};      //!< its length so far, bytes
    uint32_t m_segmentBytes{0};   //!< most bytes to read at once
    EventId m_restEvent;          //!< until it reads again
    uint64_t m_lastBufferSize{0}; //!< of its receive buffer, when the connection was closed
    bool m_begun{false};          //!< something of this chunk has come
    bool m_peerClosed{false};     //!< the peer has closed, and there is something left to read
};

void
DataReceiver::Stream::HandleRead(Ptr<Socket> socket)
{
    // What comes before its chunk is announced waits in the socket.
    while (m_socket && m_owner.m_active && !m_restEvent.IsPending())
    {
        // A segment at a time: joined with others, a packet's virtual payload would become real.
        const auto packet = socket->Recv(m_segmentBytes, 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        if (const auto rate = static_cast<uint64_t>(m_owner.m_buffers.readRate); rate > 0)
        {
            m_restEvent = Simulator::Schedule(NanoSeconds(GetWorkNs(packet->GetSize(), rate)),
                                              [this] { HandleRead(m_socket); });
        }
        m_begun = true;
        if (!m_reader.Feed(packet))
        {
            m_owner.Fail(426, "data connection: " + m_reader.GetError());
            return;
        }
    }
}

void
DataReceiver::Stream::HandlePeerClose(Ptr<Socket> socket)
{
    m_peerClosed = !m_owner.m_active && socket->GetRxAvailable() > 0;
    if (m_peerClosed)
    {
        return;
    }
    // A sender that wants fewer connections than for the last chunk closes some without a word.
    const bool early = m_owner.m_active && m_begun && !m_reader.IsAtEndOfData();
    socket
        ->ShutdownSend(); // or else ns-3 sends an ACK behind the FIN, which looks like a duplicate
    Close();
    if (early)
    {
        m_owner.Fail(426, "data connection closed before its end of data");
    }
    m_owner.CheckStarved();
}

void
DataReceiver::Stream::HandleError(Ptr<Socket> /* socket */)
{
    const bool early = m_owner.m_active && !m_reader.IsAtEndOfData();
    Close();
    if (early)
    {
        m_owner.Fail(426, "data connection was reset");
    }
}

TypeId
DataReceiver::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataReceiver")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataReceiver>()
                            .AddTraceSource("Accepted",
                                            "A data connection has been accepted.",
                                            MakeTraceSourceAccessor(&DataReceiver::m_accepted),
                                            "ns3::gridftp::DataReceiver::AcceptedTracedCallback");
    return tid;
}

DataReceiver::DataReceiver() = default;

DataReceiver::~DataReceiver() = default;

void
DataReceiver::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    m_completed = CompletedCallback();
    m_failed = FailedCallback();
    m_node = nullptr;
    Object::DoDispose();
}

void
DataReceiver::Configure(Ptr<Node> node, TypeId tcp)
{
    m_node = node;
    m_tcp = tcp;
}

void
DataReceiver::SetCallbacks(CompletedCallback completed, FailedCallback failed)
{
    m_completed = completed;
    m_failed = failed;
}

void
DataReceiver::SetWindow(uint32_t windowBytes)
{
    m_buffers.window = windowBytes;
}

void
DataReceiver::SetBuffers(const BufferSpec& buffers)
{
    m_buffers = buffers;
}

const BufferSpec&
DataReceiver::GetBuffers() const
{
    return m_buffers;
}

uint64_t
DataReceiver::GetReceiveBuffer() const
{
    const auto open = std::ranges::find_if(m_streams, &Stream::IsOpen);
    const auto window = static_cast<uint64_t>(m_buffers.window);
    return open == m_streams.end() ? window : (*open)->GetBufferSize();
}

void
DataReceiver::SetReceiveBuffer(uint64_t bytes)
{
    for (const auto& stream : m_streams)
    {
        stream->SetReceiveBuffer(bytes);
    }
}

std::vector<uint64_t>
DataReceiver::GetBufferSizes() const
{
    std::vector<uint64_t> sizes;
    for (const auto& stream : m_streams)
    {
        if (stream->HasBegun())
        {
            sizes.push_back(stream->GetBufferSize());
        }
    }
    return sizes;
}

BufferTally
DataReceiver::GetBufferTally() const
{
    BufferTally all = m_closedBuffers;
    for (const auto& stream : m_streams)
    {
        stream->Count(all);
    }
    return all;
}

std::optional<uint16_t>
DataReceiver::Listen()
{
    CloseStreams();
    CloseListener();
    m_listener = CreateTcpSocket(m_node, m_tcp);
    SetTcpBuffers(m_listener, m_buffers);
    if (m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 0)) != 0 ||
        m_listener->Listen() != 0)
    {
        CloseListener();
        return std::nullopt;
    }
    // A connection under way has a copy of this, and may outlive the listener and its owner.
    m_listener->SetAcceptCallback(
        MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
        MakeCallback(&DataReceiver::HandleAccept, Ptr<DataReceiver>(this)));
    Address address;
    m_listener->GetSockName(address);
    m_port = InetSocketAddress::ConvertFrom(address).GetPort();
    return m_port;
}

void
DataReceiver::Expect(std::optional<uint64_t> bytes)
{
    NS_LOG_FUNCTION(this);
    m_active = true;
    m_expected = bytes;
    m_ranges.Clear();
    m_bytes = 0;
    m_endsOfData = 0;
    m_endsNeeded.reset();
    std::erase_if(m_streams, [](const Ptr<Stream>& stream) { return !stream->IsOpen(); });
    for (const auto& stream : m_streams)
    {
        stream->NextTransfer();
    }
}

void
DataReceiver::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
    m_active = false;
    if (!keep)
    {
        // The sender closes first; what it does not close goes with the next Listen().
        CloseListener();
    }
}

void
DataReceiver::Abort()
{
    m_notifyEvent.Cancel();
    m_active = false;
    CloseStreams();
    CloseListener();
}

void
DataReceiver::Reset()
{
    for (const auto& stream : m_streams)
    {
        stream->Reset();
    }
    Abort();
}

uint64_t
DataReceiver::GetBytes() const
{
    return m_bytes;
}

void
DataReceiver::HandleAccept(Ptr<Socket> socket, const Address& /* from */)
{
    NS_LOG_FUNCTION(this << socket);
    Address local;
    socket->GetSockName(local);
    if (!m_listener || InetSocketAddress::ConvertFrom(local).GetPort() != m_port)
    {
        ResetAcceptedConnection(socket); // in its handshake when its listener was closed
        return;
    }
    m_streams.push_back(Create<Stream>(*this, socket));
    m_accepted(socket);
}

void
DataReceiver::AddRange(uint64_t offset, uint64_t length)
{
    if (!m_ranges.Add(offset, length))
    {
        Fail(426,
             "bytes within " + std::to_string(offset) + " and " + std::to_string(offset + length) +
                 " arrived twice");
    }
}

void
DataReceiver::CheckComplete()
{
    if (!m_active || !m_endsNeeded || m_endsOfData < *m_endsNeeded || m_notifyEvent.IsPending())
    {
        return;
    }
    if (m_endsOfData > *m_endsNeeded)
    {
        Fail(426, "more ends of data than announced");
        return;
    }
    const uint64_t wanted = m_expected.value_or(m_ranges.GetBytes());
    if (!m_ranges.IsExactly(0, wanted))
    {
        Fail(426,
             std::to_string(m_ranges.GetBytes()) + " of " + std::to_string(wanted) +
                 " bytes arrived in " + std::to_string(m_ranges.GetRangeCount()) + " ranges");
        return;
    }
    m_notifyEvent = Simulator::ScheduleNow(&DataReceiver::NotifyCompleted, this);
}

void
DataReceiver::CheckStarved()
{
    const auto isOpen = [](const Ptr<Stream>& stream) { return stream->IsOpen(); };
    if (m_endsOfData > 0 && std::none_of(m_streams.begin(), m_streams.end(), isOpen))
    {
        Fail(426,
             "all data connections closed after " + std::to_string(m_endsOfData) + " of " +
                 (m_endsNeeded ? std::to_string(*m_endsNeeded) : "an unknown number of") +
                 " ends of data");
    }
}

void
DataReceiver::NotifyCompleted()
{
    if (!m_completed.IsNull())
    {
        m_completed();
    }
}

void
DataReceiver::Fail(int code, const std::string& reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    if (m_active && !m_notifyEvent.IsPending())
    {
        m_active = false;
        m_notifyEvent = Simulator::ScheduleNow(&DataReceiver::NotifyFailed, this, code, reason);
    }
}

void
DataReceiver::NotifyFailed(int code, const std::string& reason)
{
    if (!m_failed.IsNull())
    {
        m_failed(code, reason);
    }
}

void
DataReceiver::CloseStreams()
{
    for (const auto& stream : m_streams)
    {
        stream->Close();
    }
    m_streams.clear();
}

void
DataReceiver::CloseListener()
{
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener->Close();
        m_listener = nullptr;
    }
}

} // namespace ns3::gridftp
