/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-csv-traces.h"

#include "gridftp-option.h"
#include "gridftp-quantity.h"

#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/ppp-header.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"

#include <filesystem>
#include <system_error>

namespace ns3::gridftp
{

namespace
{
std::string
NowText()
{
    return FormatReal(static_cast<double>(Simulator::Now().GetNanoSeconds()) / 1e9);
}
} // namespace

/**
 * @ingroup gridftp
 * What is known of one data connection.
 */
class CsvTraces::Connection : public SimpleRefCount<CsvTraces::Connection>
{
  public:
    /** @param labels session, chunk and connection @param file where its windows go */
    Connection(std::string labels, std::ofstream& file)
        : m_labels(std::move(labels)),
          m_file(file)
    {
    }

    /** @return session, chunk and connection, comma separated */
    const std::string& GetLabels() const
    {
        return m_labels;
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
        m_ssthresh = now;
        WriteRow();
    }

  private:
    /** Writes a row of cwnd.csv. */
    void WriteRow()
    {
        m_file << NowText() << ',' << m_labels << ',' << m_cwnd << ',';
        if (m_ssthresh != UINT32_MAX)
        {
            m_file << m_ssthresh;
        }
        m_file << '\n';
    }

    std::string m_labels;            //!< session, chunk and connection
    std::ofstream& m_file;           //!< cwnd.csv
    uint32_t m_cwnd{0};              //!< bytes
    uint32_t m_ssthresh{UINT32_MAX}; //!< bytes; the largest number: not set yet
};

CsvTraces::CsvTraces() = default;

CsvTraces::~CsvTraces() = default;

Done
CsvTraces::Open(const std::string& folder)
{
    m_folder = folder;
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    m_cwnd.open(folder + "/cwnd.csv");
    m_queue.open(folder + "/queue.csv");
    m_drops.open(folder + "/drops.csv");
    if (failure || !m_cwnd || !m_queue || !m_drops)
    {
        return Error{Printable("--trace=" + folder) +
                     " cannot be written; allowed: a writable folder"};
    }
    m_cwnd << "time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes\n";
    m_queue << "time_s,packets\n";
    m_drops << "time_s,session,chunk,connection,sequence\n";
    return std::monostate{};
}

void
CsvTraces::ObserveQueue(Ptr<Queue<Packet>> queue)
{
    queue->TraceConnectWithoutContext("PacketsInQueue",
                                      MakeCallback(&CsvTraces::HandleLength, this));
    queue->TraceConnectWithoutContext("DropBeforeEnqueue",
                                      MakeCallback(&CsvTraces::HandleDrop, this));
}

void
CsvTraces::ObserveConnection(uint32_t session,
                             Ptr<Socket> socket,
                             uint64_t chunk,
                             uint32_t connection)
{
    auto observed = Create<Connection>(std::to_string(session) + ',' + std::to_string(chunk) + ',' +
                                           std::to_string(connection),
                                       m_cwnd);
    socket->TraceConnectWithoutContext("CongestionWindow",
                                       MakeCallback(&Connection::HandleCwnd, observed));
    socket->TraceConnectWithoutContext("SlowStartThreshold",
                                       MakeCallback(&Connection::HandleSsthresh, observed));
    // The socket has its port already, its address only once it connects: a host has just one.
    Address local;
    socket->GetSockName(local);
    const auto host = socket->GetNode()->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    m_connections[{host.Get(), InetSocketAddress::ConvertFrom(local).GetPort()}] = observed;
}

void
CsvTraces::HandleLength(uint32_t /* before */, uint32_t now)
{
    m_queue << NowText() << ',' << now << '\n';
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
    copy->RemoveHeader(tcp);
    m_drops << NowText() << ',';
    const auto it = m_connections.find({ip.GetSource().Get(), tcp.GetSourcePort()});
    if (it == m_connections.end())
    {
        m_drops << ",,,\n";
        return;
    }
    // ns-3 counts sequence numbers from 0 and the SYN takes the first.
    m_drops << it->second->GetLabels() << ',' << tcp.GetSequenceNumber().GetValue() - 1 << '\n';
}

Done
CsvTraces::Close()
{
    for (auto* file : {&m_cwnd, &m_queue, &m_drops})
    {
        file->close();
        if (!*file)
        {
            return Error{Printable("--trace=" + m_folder) + ": not everything could be written"};
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
