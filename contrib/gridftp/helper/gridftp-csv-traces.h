/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CSV_TRACES_H
#define GRIDFTP_CSV_TRACES_H

#include "gridftp-expected.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/queue.h"
#include "ns3/simple-ref-count.h"
#include "ns3/socket.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Writes the traces of a run as CSV files in one folder:
 *
 * - cwnd.csv: time_s, session, chunk, connection, cwnd_bytes, ssthresh_bytes; a row at each change;
 * - queue.csv: time_s, packets; packets waiting at the bottleneck, a row at each change;
 * - drops.csv: time_s, session, chunk, connection, sequence; packets its queue refused, with the
 *   number of the first payload byte on that connection (empty fields: not a data connection).
 */
class CsvTraces
{
  public:
    CsvTraces();
    ~CsvTraces();

    CsvTraces(const CsvTraces&) = delete;
    CsvTraces& operator=(const CsvTraces&) = delete;

    /**
     * Opens the files.
     * @param folder made if it is missing
     * @return nothing, or why the files cannot be written
     */
    Done Open(const std::string& folder);

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
     * Closes the files.
     * @return nothing, or that something could not be written
     */
    Done Close();

  private:
    class Connection;

    /** The length changes. @param before packets waiting @param now packets waiting */
    void HandleLength(uint32_t before, uint32_t now);

    /** The queue refuses a packet. @param packet with its PPP, IP and TCP header */
    void HandleDrop(Ptr<const Packet> packet);

    std::string m_folder;                                                   //!< where the files are
    std::ofstream m_cwnd;                                                   //!< cwnd.csv
    std::ofstream m_queue;                                                  //!< queue.csv
    std::ofstream m_drops;                                                  //!< drops.csv
    std::map<std::pair<uint32_t, uint16_t>, Ptr<Connection>> m_connections; //!< by address and port
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CSV_TRACES_H
