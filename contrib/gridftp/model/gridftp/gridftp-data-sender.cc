/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-sender.h"

#include "gridftp-block-header.h"
#include "gridftp-tcp-reset.h"
#include "gridftp-tcp-variant.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::gridftp
{

NS_LOG_COMPONENT_DEFINE("GridFtpDataSender");

NS_OBJECT_ENSURE_REGISTERED(DataSender);

/**
 * @ingroup gridftp
 * One data connection of a DataSender.
 */
class DataSender::Stream
{
  public:
    /**
     * @param owner whose stream it is; outlives it
     * @param index among the streams
     */
    Stream(DataSender& owner, uint32_t index)
        : m_owner(owner),
          m_index(index)
    {
    }

    ~Stream()
    {
        Close();
    }

    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /** Opens the connection, now or later. @param delay how much later */
    void OpenAfter(Time delay);

    /** Begins a chunk. */
    void Begin();

    /** Ends a chunk: from here on the peer may close the connection. */
    void End()
    {
        m_active = false;
    }

    /** Closes the connection. */
    void Close();

    /** Resets the connection. */
    void Reset();

    /** @param bytes size of its send buffer from now on, unless it is larger */
    void GrowSendBuffer(uint64_t bytes);

    /** @return size of its send buffer, bytes; 0 where there is no connection */
    uint64_t GetBufferSize() const
    {
        return m_socket ? GetTcpSendBuffer(m_socket) : 0;
    }

    /** @return counts of its socket */
    const ConnectionTotals& GetTotals() const
    {
        return m_observer->GetTotals();
    }

  private:
    /** Lets go of the socket. @return the socket, null where there is none */
    Ptr<Socket> Release();

    /** Makes the socket and connects. */
    void Open();

    /** Writes blocks while the socket has room. */
    void Fill();

    /** Takes the next block, or ends the data, when nothing is left to write. */
    void Refill();

    /**
     * Writes one packet of at most @p room bytes.
     * @param room of the send buffer, at least 1
     * @return whether the socket took it
     */
    bool Write(uint32_t room);

    /** Tells the owner, once, when all is acknowledged. */
    void CheckDrained();

    /** The connection is up. @param socket the socket */
    void HandleConnected(Ptr<Socket> socket);

    /** The connection is refused. @param socket the socket */
    void HandleRefused(Ptr<Socket> socket);

    /** Room has become free. @param socket the socket @param room bytes */
    void HandleRoom(Ptr<Socket> socket, uint32_t room);

    /** The peer has closed. @param socket the socket */
    void HandlePeerClose(Ptr<Socket> socket);

    /** The connection has failed. @param socket the socket */
    void HandleError(Ptr<Socket> socket);

    DataSender& m_owner;                                              //!< whose stream it is
    uint32_t m_index;                                                 //!< among the streams
    Ptr<Socket> m_socket;                                             //!< the connection
    EventId m_openEvent;                                              //!< a late start
    Ptr<ConnectionObserver> m_observer{Create<ConnectionObserver>()}; //!< counts
    BufferSettings m_buffers;                                         //!< of its socket
    EventId m_restEvent;                                              //!< until it writes again
    bool m_connected{false};                                          //!< handshake done
    bool m_active{false};                                             //!< a chunk is under way
    Ptr<Packet> m_header;  //!< rest of a header still to be written, null if none
    uint64_t m_payload{0}; //!< payload bytes of the block still to be written
    bool m_ended{false};   //!< EOD taken
    bool m_drained{false}; //!< all acknowledged
};

void
DataSender::Stream::OpenAfter(Time delay)
{
    if (delay.IsZero())
    {
        Open();
    }
    else
    {
        m_openEvent = Simulator::Schedule(delay, &Stream::Open, this);
    }
}

void
DataSender::Stream::Open()
{
    m_socket = CreateTcpSocket(m_owner.m_node, m_owner.m_tcp);
    m_buffers = SetTcpBuffers(m_socket, m_owner.m_buffers);
    m_observer->Observe(m_socket);
    m_socket->SetConnectCallback(MakeCallback(&Stream::HandleConnected, this),
                                 MakeCallback(&Stream::HandleRefused, this));
    m_socket->SetSendCallback(MakeCallback(&Stream::HandleRoom, this));
    m_socket->SetCloseCallbacks(MakeCallback(&Stream::HandlePeerClose, this),
                                MakeCallback(&Stream::HandleError, this));
    const bool bound = m_socket->Bind() == 0;
    m_owner.m_opened(m_socket, m_owner.m_order.chunk, m_index);
    if (!bound || m_socket->Connect(m_owner.m_peer) != 0)
    {
        m_owner.Fail(425, "cannot open data connection " + std::to_string(m_index));
    }
}

void
DataSender::Stream::Begin()
{
    m_active = true;
    m_ended = false;
    m_drained = false;
    if (m_connected)
    {
        Fill();
    }
}

void
DataSender::Stream::Close()
{
    if (const auto socket = Release())
    {
        socket->Close();
    }
}

void
DataSender::Stream::Reset()
{
    if (const auto socket = Release())
    {
        ResetTcpConnection(socket);
    }
}

void
DataSender::Stream::GrowSendBuffer(uint64_t bytes)
{
    if (!m_socket || bytes <= GetTcpSendBuffer(m_socket))
    {
        return;
    }
    GrowTcpSendBuffer(m_socket, bytes);
    if (m_connected)
    {
        Fill();
    }
}

Ptr<Socket>
DataSender::Stream::Release()
{
    m_openEvent.Cancel();
    m_restEvent.Cancel();
    if (!m_socket)
    {
        return nullptr;
    }
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    return std::exchange(m_socket, nullptr);
}

void
DataSender::Stream::Fill()
{
    while (m_active && !(m_ended && !m_header) && !m_restEvent.IsPending())
    {
        const uint32_t room = m_socket->GetTxAvailable();
        if (room < GetWriteBatch(GetTcpSendBuffer(m_socket)))
        {
            return;
        }
        Refill();
        const bool rests = m_buffers.writeRate > 0;
        const auto most = static_cast<uint32_t>(m_buffers.segmentBytes);
        if (!Write(rests ? std::min(room, most) : room))
        {
            return;
        }
        if (rests)
        {
            const uint32_t written = room - m_socket->GetTxAvailable();
            m_restEvent = Simulator::Schedule(NanoSeconds(GetWorkNs(written, m_buffers.writeRate)),
                                              &Stream::Fill,
                                              this);
        }
    }
}

void
DataSender::Stream::Refill()
{
    if (m_header || m_payload > 0)
    {
        return;
    }
    const Block block = m_owner.m_scheduler->Next(m_index);
    BlockHeader header = BlockHeader::Data(block.offset, block.length);
    if (block.length == 0)
    {
        m_ended = true;
        header = m_index == 0 ? BlockHeader::EndOfDataAndFile(m_owner.m_order.parallelism)
                              : BlockHeader::EndOfData();
    }
    m_payload = block.length;
    m_header = Create<Packet>();
    m_header->AddHeader(header);
}

bool
DataSender::Stream::Write(uint32_t room)
{
    const uint32_t headerSize = m_header ? m_header->GetSize() : 0;
    if (headerSize > room)
    {
        // Not even the header fits: the socket refuses a write larger than its room as a whole.
        if (m_socket->Send(m_header->CreateFragment(0, room)) < 0)
        {
            return false;
        }
        m_header->RemoveAtStart(room);
        return true;
    }
    const auto size = static_cast<uint32_t>(std::min<uint64_t>(room - headerSize, m_payload));
    auto packet = Create<Packet>(size);
    if (m_header)
    {
        auto whole = m_header->Copy();
        whole->AddAtEnd(packet);
        packet = whole;
    }
    if (m_socket->Send(packet) < 0)
    {
        return false;
    }
    m_header = nullptr;
    m_payload -= size;
    return true;
}

void
DataSender::Stream::CheckDrained()
{
    if (m_active && m_ended && !m_header && !m_drained &&
        m_socket->GetTxAvailable() == GetTcpSendBuffer(m_socket))
    {
        m_drained = true;
        m_owner.HandleDrained();
    }
}

void
DataSender::Stream::HandleConnected(Ptr<Socket> /* socket */)
{
    NS_LOG_FUNCTION(this << m_index);
    m_connected = true;
    Fill();
}

void
DataSender::Stream::HandleRefused(Ptr<Socket> /* socket */)
{
    m_owner.Fail(425, "data connection " + std::to_string(m_index) + " was refused");
}

void
DataSender::Stream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    if (!m_ended || m_header)
    {
        Fill();
        return;
    }
    CheckDrained();
}

void
DataSender::Stream::HandlePeerClose(Ptr<Socket> /* socket */)
{
    if (m_active)
    {
        m_owner.Fail(426, "data connection " + std::to_string(m_index) + " was closed by the peer");
    }
}

void
DataSender::Stream::HandleError(Ptr<Socket> /* socket */)
{
    m_owner.Fail(m_connected ? 426 : 425,
                 "data connection " + std::to_string(m_index) +
                     (m_connected ? " was reset or gave up its retries" : " was refused"));
}

TypeId
DataSender::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::DataSender")
                            .SetParent<Object>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<DataSender>()
                            .AddTraceSource("Connection",
                                            "A data connection is about to connect.",
                                            MakeTraceSourceAccessor(&DataSender::m_opened),
                                            "ns3::gridftp::DataSender::ConnectionTracedCallback");
    return tid;
}

DataSender::DataSender() = default;

DataSender::~DataSender() = default;

void
DataSender::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Abort();
    m_drained = DrainedCallback();
    m_failed = FailedCallback();
    m_node = nullptr;
    Object::DoDispose();
}

void
DataSender::Configure(Ptr<Node> node, TypeId tcp, const StartJitter& jitter)
{
    m_node = node;
    m_tcp = tcp;
    m_jitter = jitter;
}

void
DataSender::SetCallbacks(DrainedCallback drained, FailedCallback failed)
{
    m_drained = drained;
    m_failed = failed;
}

const std::vector<uint64_t>&
DataSender::GetBufferSizes() const
{
    return m_bufferSizes;
}

void
DataSender::SetWindow(uint32_t windowBytes)
{
    m_buffers.window = windowBytes;
}

void
DataSender::SetBuffers(const BufferSpec& buffers)
{
    m_buffers = buffers;
}

void
DataSender::GrowSendBuffers(uint64_t bytes)
{
    for (const auto& stream : m_streams)
    {
        stream->GrowSendBuffer(bytes);
    }
}

void
DataSender::SetPeer(const Address& peer)
{
    if (peer != m_peer)
    {
        CloseFrom(0);
        m_peer = peer;
    }
}

void
DataSender::Start(const SendOrder& order)
{
    NS_LOG_FUNCTION(this << order.chunk << order.bytes << order.parallelism);
    m_order = order;
    m_scheduler.emplace(order.layout, 0, order.bytes, order.parallelism, order.blockBytes);
    m_drainedStreams = 0;
    CloseFrom(order.parallelism);
    const auto kept = static_cast<uint32_t>(m_streams.size());
    for (uint32_t i = kept; i < order.parallelism; ++i)
    {
        m_streams.push_back(std::make_unique<Stream>(*this, i));
    }
    for (uint32_t i = 0; i < m_streams.size(); ++i)
    {
        m_streams[i]->Begin();
        if (i >= kept)
        {
            m_streams[i]->OpenAfter(NanoSeconds(m_jitter.Draw(order.chunk, i)));
        }
    }
}

void
DataSender::Finish(bool keep)
{
    NS_LOG_FUNCTION(this << keep);
    m_scheduler.reset();
    m_bufferSizes.clear();
    for (const auto& stream : m_streams)
    {
        m_bufferSizes.push_back(stream->GetBufferSize());
        stream->End();
    }
    if (!keep)
    {
        CloseFrom(0);
    }
}

void
DataSender::Abort()
{
    m_notifyEvent.Cancel();
    m_scheduler.reset();
    CloseFrom(0);
}

void
DataSender::Reset()
{
    for (const auto& stream : m_streams)
    {
        stream->Reset();
    }
    Abort();
}

void
DataSender::CloseFrom(size_t count)
{
    while (m_streams.size() > count)
    {
        const auto& totals = m_streams.back()->GetTotals();
        m_closedTotals.segments += totals.segments;
        m_closedTotals.retransmissions += totals.retransmissions;
        m_closedTotals.timeouts += totals.timeouts;
        m_streams.pop_back();
    }
}

ConnectionTotals
DataSender::GetTotals() const
{
    ConnectionTotals sum = m_closedTotals;
    for (const auto& stream : m_streams)
    {
        sum.segments += stream->GetTotals().segments;
        sum.retransmissions += stream->GetTotals().retransmissions;
        sum.timeouts += stream->GetTotals().timeouts;
    }
    return sum;
}

// The owner closes connections when it is told something, so it is told from the event loop, never
// from within a connection's own callback.

void
DataSender::HandleDrained()
{
    if (++m_drainedStreams == m_order.parallelism && !m_notifyEvent.IsPending())
    {
        m_notifyEvent = Simulator::ScheduleNow(&DataSender::NotifyDrained, this);
    }
}

void
DataSender::NotifyDrained()
{
    if (!m_drained.IsNull())
    {
        m_drained();
    }
}

void
DataSender::Fail(int code, const std::string& reason)
{
    NS_LOG_FUNCTION(this << code << reason);
    if (!m_notifyEvent.IsPending())
    {
        m_notifyEvent = Simulator::ScheduleNow(&DataSender::NotifyFailed, this, code, reason);
    }
}

void
DataSender::NotifyFailed(int code, const std::string& reason)
{
    if (!m_failed.IsNull())
    {
        m_failed(code, reason);
    }
}

} // namespace ns3::gridftp
