/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-csv-traces.h"

#include "gridftp-assigned-numbers.h"
#include "gridftp-host-rows.h"
#include "gridftp-tcp-socket-guarded.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/ppp-header.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What is known of one data connection.
 */
class CsvTraces::Connection : public SimpleRefCount<CsvTraces::Connection>
{
  public:
    /** @param label which connection @param files where its windows go @param buffers and its
     * buffers @param rtt and its RTT */
    Connection(const ConnectionLabel& label, TraceFiles& files, BufferRows& buffers, RttRows& rtt)
        : m_label(label),
          m_files(files),
          m_buffers(buffers),
          m_rtt(rtt)
    {
    }

    /** @return which connection */
    const ConnectionLabel& GetLabel() const
    {
        return m_label;
    }

    /** cwnd changes. @param now the new one */
    void HandleCwnd(uint32_t /* before */, uint32_t now)
    {
        m_cwnd = now;
        WriteRow();
    }

    /** ssthresh changes. @param now the new one */
    void HandleSsthresh(uint32_t /* before */, uint32_t now)
    {
        // A new socket sets it to what stands for none
        const bool isNew = m_ssthresh != now;
        m_ssthresh = now;
        if (isNew)
        {
            WriteRow();
        }
    }

    /** The buffers of the sending socket change. @param state the new one */
    void HandleSending(const BufferState& state)
    {
        m_buffers.AddSend(Simulator::Now().GetNanoSeconds(), m_label, *state.send);
    }

    /** The buffers of the receiving socket change. @param state the new one */
    void HandleReceiving(const BufferState& state)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_buffers.AddReceive(now, now, m_label, *state.receive);
    }

    /** The RTT estimator has taken a sample. @param sample RTT @param smoothed SRTT */
    void HandleSample(Time sample, Time smoothed)
    {
        if (!m_isClosing)
        {
            m_rtt.AddSample(Simulator::Now().GetNanoSeconds(),
                            m_label,
                            sample.GetNanoSeconds(),
                            smoothed.GetNanoSeconds());
        }
    }

    /** The state changes. @param now the new one */
    void HandleState(TcpSocket::TcpStates_t /* before */, TcpSocket::TcpStates_t now)
    {
        m_isClosing = m_isClosing || now > TcpSocket::ESTABLISHED;
    }

    /** A segment comes: a FIN, with which an ACK that was delayed may come, begins the close.
     * @param header of the segment */
    void HandleRx(Ptr<const Packet> /* packet */,
                  const TcpHeader& header,
                  Ptr<const TcpSocketBase> /* socket */)
    {
        m_isClosing = m_isClosing || (header.GetFlags() & TcpHeader::FIN) != 0;
    }

    /** The RTO changes: while it closes, it is that of the FIN. @param now the new one */
    void HandleRto(Time /* before */, Time now)
    {
        if (!m_isClosing)
        {
            m_rtt.AddRto(Simulator::Now().GetNanoSeconds(), m_label, now.GetNanoSeconds());
        }
    }

  private:
    /** Writes a row of cwnd.csv. */
    void WriteRow()
    {
        m_files.AddWindow(Simulator::Now().GetNanoSeconds(),
                          m_label,
                          m_cwnd,
                          m_ssthresh == UINT32_MAX ? std::nullopt
                                                   : std::optional<uint64_t>(m_ssthresh));
    }

    ConnectionLabel m_label;         //!< which connection
    TraceFiles& m_files;             //!< where its windows go
    BufferRows& m_buffers;           //!< where its buffers go
    RttRows& m_rtt;                  //!< where its RTT goes
    bool m_isClosing{false};         //!< either end closes: rtt.csv has no more rows
    uint32_t m_cwnd{0};              //!< bytes
    uint32_t m_ssthresh{UINT32_MAX}; //!< bytes; the largest number: not set yet
};

CsvTraces::CsvTraces() = default;

CsvTraces::~CsvTraces() = default;

Done
CsvTraces::Open(const std::string& folder)
{
    return m_files.Open(folder);
}

void
CsvTraces::AddHosts(const Scenario& scenario, const TransferResult& result)
{
    AddHostRows(scenario, result, m_files);
}

Done
CsvTraces::Close()
{
    m_buffers.End(Simulator::Now().GetNanoSeconds());
    m_rtt.End();
    return m_files.Close();
}

void
CsvTraces::ObserveQueue(Ptr<Queue<Packet>> queue)
{
    queue->TraceConnectWithoutContext("PacketsInQueue",
                                      MakeCallback(&CsvTraces::HandleLength, this));
    queue->TraceConnectWithoutContext("Drop", MakeCallback(&CsvTraces::HandleDrop, this));
}

void
CsvTraces::ObserveConnection(uint32_t session,
                             Ptr<Socket> socket,
                             uint64_t chunk,
                             uint32_t connection)
{
    const ConnectionLabel label{session, static_cast<uint32_t>(chunk), connection};
    auto observed = Create<Connection>(label, m_files, m_buffers, m_rtt);
    socket->TraceConnectWithoutContext("CongestionWindow",
                                       MakeCallback(&Connection::HandleCwnd, observed));
    socket->TraceConnectWithoutContext("SlowStartThreshold",
                                       MakeCallback(&Connection::HandleSsthresh, observed));
    socket->TraceConnectWithoutContext("State", MakeCallback(&Connection::HandleState, observed));
    socket->TraceConnectWithoutContext("RTO", MakeCallback(&Connection::HandleRto, observed));
    socket->TraceConnectWithoutContext("Rx", MakeCallback(&Connection::HandleRx, observed));
    if (const auto guarded = DynamicCast<TcpSocketGuarded>(socket))
    {
        guarded->WatchRtt(MakeCallback(&Connection::HandleSample, observed));
    }
    // False where it is no TcpSocketRightSizing
    socket->TraceConnectWithoutContext("Buffers",
                                       MakeCallback(&Connection::HandleSending, observed));
    // The socket has its port already, its address only once it connects: a host has just one.
    Address local;
    socket->GetSockName(local);
    const auto host = socket->GetNode()->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    m_connections[{host.Get(), InetSocketAddress::ConvertFrom(local).GetPort()}] = observed;
}

void
CsvTraces::ObserveReceiver(Ptr<Socket> socket)
{
    Address peer;
    socket->GetPeerName(peer);
    const auto sender = InetSocketAddress::ConvertFrom(peer);
    const auto it = m_connections.find({sender.GetIpv4().Get(), sender.GetPort()});
    if (it != m_connections.end())
    {
        socket->TraceConnectWithoutContext("Buffers",
                                           MakeCallback(&Connection::HandleReceiving, it->second));
    }
}

void
CsvTraces::HandleLength(uint32_t /* before */, uint32_t now)
{
    m_files.AddQueue(Simulator::Now().GetNanoSeconds(), now);
}

void
CsvTraces::HandleDrop(Ptr<const Packet> packet)
{
    auto copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    TcpHeader tcp;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    std::optional<ConnectionLabel> label;
    std::optional<uint64_t> sequence;
    if (ip.GetProtocol() != IP_PROTOCOL_TCP)
    {
        return m_files.AddDrop(Simulator::Now().GetNanoSeconds(), label, sequence);
    }
    copy->RemoveHeader(tcp);
    const auto it = m_connections.find({ip.GetSource().Get(), tcp.GetSourcePort()});
    if (it != m_connections.end())
    {
        label = it->second->GetLabel();
        if (copy->GetSize() > 0)
        {
            // ns-3 counts sequence numbers from 0 and the SYN takes the first.
            sequence = tcp.GetSequenceNumber().GetValue() - 1;
        }
    }
    m_files.AddDrop(Simulator::Now().GetNanoSeconds(), label, sequence);
}

} // namespace ns3::gridftp
