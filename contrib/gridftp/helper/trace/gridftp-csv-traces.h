/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CSV_TRACES_H
#define GRIDFTP_CSV_TRACES_H

#include "gridftp-buffer-rows.h"
#include "gridftp-expected.h"
#include "gridftp-result.h"
#include "gridftp-rtt-rows.h"
#include "gridftp-scenario.h"
#include "gridftp-trace-files.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Writes to TraceFiles what happens at a queue and at sockets: a row of cwnd.csv at each change of
 * a window, one of queue.csv at each change of the queue, one of drops.csv for each packet that it
 * refuses, one of buffers.csv at each change of a buffer; of sockets that are no
 * TcpSocketRightSizing, which have none of the latter, not.
 */
class CsvTraces
{
  public:
    CsvTraces();
    ~CsvTraces();

    CsvTraces(const CsvTraces&) = delete;
    CsvTraces& operator=(const CsvTraces&) = delete;

    /** @return nothing, or why the files cannot be written @param folder where */
    Done Open(const std::string& folder);

    /** Writes what hosts did in each second. @param scenario resolved @param result of it */
    void AddHosts(const Scenario& scenario, const TransferResult& result);

    /** The simulation has ended. @return nothing, or that not everything could be written */
    Done Close();

    /**
     * Traces the queue of the bottleneck.
     * @param queue where the data enters it
     */
    void ObserveQueue(Ptr<Queue<Packet>> queue);

    /**
     * Traces a data connection.
     * @param session index of the session
     * @param socket its sending socket, bound
     * @param chunk index of the chunk it is opened for
     * @param connection index among the connections
     */
    void ObserveConnection(uint32_t session,
                           Ptr<Socket> socket,
                           uint64_t chunk,
                           uint32_t connection);

    /**
     * Traces the receive buffer of a data connection, of one observed with its sending socket.
     * @param socket which has accepted it
     */
    void ObserveReceiver(Ptr<Socket> socket);

  private:
    class Connection;

    /** The length changes. @param before packets waiting @param now packets waiting */
    void HandleLength(uint32_t before, uint32_t now);

    /** The queue refuses a packet. @param packet with its PPP, IP and TCP header */
    void HandleDrop(Ptr<const Packet> packet);

    TraceFiles m_files;                                                     //!< what is written
    BufferRows m_buffers{m_files};                                          //!< of buffers.csv
    RttRows m_rtt{m_files};                                                 //!< of rtt.csv
    std::map<std::pair<uint32_t, uint16_t>, Ptr<Connection>> m_connections; //!< by address and port
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CSV_TRACES_H
