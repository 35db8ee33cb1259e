/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_CONNECTIONS_H
#define GRIDFTP_SEGMENT_DATA_CONNECTIONS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"
#include "gridftp-segment-connection.h"

#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The data connections of an application, by index, and what they did. */
class DataConnections
{
  public:
    /** @param flows the table that they are in; outlives it */
    explicit DataConnections(FlowTable& flows)
        : m_flows(&flows)
    {
    }

    /** @param index of a connection @return whether there is one, not closed */
    bool IsOpen(uint32_t index) const
    {
        return index < m_connections.size() && m_open[index];
    }

    /**
     * @param index of a connection that is not open, at most one beyond the last one
     * @param use what it is to be
     * @param now of the simulation
     * @return a new connection in its place
     */
    TcpConnection& Open(uint32_t index, const TcpConnection::Use& use, Nanoseconds now);

    /** @param index of a connection @return the connection */
    TcpConnection& Get(uint32_t index) const
    {
        return *m_connections[index];
    }

    /** @return all of them, those that are closed, too */
    const std::vector<TcpConnection*>& GetAll() const
    {
        return m_connections;
    }

    /** Sends nothing more of their sources. */
    void EndSources();

    /** Closes connections. @param from the first @param now of the simulation */
    void Close(uint32_t from, Nanoseconds now);

    /** Closes one, without a word. @param index which */
    void Stop(uint32_t index);

    /** Ends one at both ends. @param index which @param now of the simulation */
    void Abort(uint32_t index, Nanoseconds now);

    /** One has been accepted. @param connection which */
    void HandleAccepted(TcpConnection& connection);

    /** The accepting ends of those that are open close. @param now of the simulation */
    void ClosePassive(Nanoseconds now);

    /** The accepting end listens no more: what comes late to those that have closed is reset. */
    void StopListening();

    /** One end resets those that are open, see TcpConnection::Reset(). @param end which @param now
     * of the simulation */
    void Reset(TcpConnection::End end, Nanoseconds now);

    /** One end resets one that it has. @param index which @param end which @param now of the
     * simulation @return whether it has it */
    bool ResetOne(uint32_t index, TcpConnection::End end, Nanoseconds now);

    /** The end that connects has been told that one was reset. @param index which */
    void HandleReset(uint32_t index);

    /** There were more of them, which are closed. @param totals of these */
    void CountSkipped(const ConnectionTotals& totals)
    {
        m_closed.Add(totals);
    }

    /** @return counts of all of them, since the first one */
    ConnectionTotals GetTotals() const;

    /** @return receive buffers of all of them whose windows move, since the first one */
    BufferTally GetBuffers() const;

    /** @param now of the simulation @return bytes that have arrived in order over those of now */
    uint64_t GetDelivered(Nanoseconds now) const;

  private:
    /** Counts one that the end that connects closes now. @param index which */
    void Count(uint32_t index);

    /** @param use what it is to be @param now of the simulation @return one beside that which still
     * closes apart: none of these is taken before nothing of it can come any more */
    TcpConnection* OpenBeside(const TcpConnection::Use& use, Nanoseconds now);

    /** @return all of them as the accepting end has them: in the order in which it has accepted
     * them, then those that it has not yet */
    std::vector<TcpConnection*> ListAtPassive() const;

    /** @param connection one of them @return its index */
    uint32_t IndexOf(const TcpConnection* connection) const;

    FlowTable* m_flows;                        //!< the table that they are in
    std::vector<TcpConnection*> m_connections; //!< by index
    std::vector<TcpConnection*> m_accepted;    //!< in the order in which they were
    std::vector<TcpConnection*> m_past;        //!< that close apart, and were replaced
    std::vector<bool> m_open;                  //!< by index: the end that connects has not closed
    ConnectionTotals m_closed;                 //!< counts of those closed already
    BufferTally m_closedBuffers;               //!< receive buffers of those closed already
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_CONNECTIONS_H
