/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONNECTION_MONITOR_H
#define GRIDFTP_CONNECTION_MONITOR_H

#include "gridftp-delay-tally.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes times nanoseconds: 64 bits hold 300 MB of cwnd for a minute. */
__extension__ using ByteNanoseconds = unsigned __int128;

/**
 * @ingroup gridftp
 * What the data connections of one number did: the one of a session that stays open, or those of
 * all chunks that had this number where each chunk opens new ones. All of it are sums, so that
 * repeated chunks can be added without simulating them.
 */
struct ConnectionRow
{
    uint64_t opened{0};         //!< connections whose handshake was completed
    uint64_t bytes{0};          //!< payload acknowledged, headers of MODE E blocks included
    ConnectionTotals totals;    //!< segments, retransmissions and timeouts
    int64_t openNs{0};          //!< from the handshake to the last acknowledgement of data
    ByteNanoseconds cwndNs = 0; //!< integral of cwnd over that time
    DelaySum rtt;               //!< round-trip times that its RTT estimator took

    /** @param other what is added */
    void Add(const ConnectionRow& other);

    /** @param before the same row earlier @return what was added since; its extremes are those of
     * all samples */
    ConnectionRow operator-(const ConnectionRow& before) const;
};

/**
 * @ingroup gridftp
 * The data connections of one session or background connection, by number, and the round-trip times
 * of all of them.
 *
 * Contract: an engine makes one for each session where --detail=on asks for it; ConnectionMonitor
 * adds to it while the session runs, and the engine reads it when it writes chunks and results.
 */
class SessionMonitor
{
  public:
    /** What was measured of the connections of a chunk. */
    struct Chunk
    {
        std::optional<double> meanRttS; //!< mean of their round-trip times, s; none without any
        std::optional<double> jain;     //!< Jain's index of their goodput; none without any data
    };

    /** @param number of a connection, as the traces count them @return its row, made if need be; it
     * stays where it is */
    ConnectionRow& GetRow(uint32_t number);

    /** @return rows by number; those that never opened are all zero */
    const std::deque<ConnectionRow>& GetRows() const
    {
        return m_rows;
    }

    /** @return round-trip times of all connections */
    const DelayHistogram& GetRtt() const
    {
        return m_rtt;
    }

    /** @param ns a round-trip time that an RTT estimator took */
    void AddSample(int64_t ns)
    {
        m_rtt.Add(ns);
    }

    /** A chunk is complete. @return what was measured since the last call */
    Chunk TakeChunk();

    /** Connections were not simulated that did what others had done. @param others these */
    void Add(const SessionMonitor& others);

    /** @param before the same monitor earlier @return what was added since */
    SessionMonitor operator-(const SessionMonitor& before) const;

    /** @return what results contain of it */
    TcpDetail MakeDetail() const;

  private:
    /** Connections of a chunk, or of all of them. */
    struct Shares
    {
        uint64_t bytes{0}; //!< of all connections
        double sum{0};     //!< of their goodput, bytes per ns
        double squares{0}; //!< of that
        uint32_t count{0}; //!< connections with data

        /** @param row of one more connection */
        void Add(const ConnectionRow& row);

        /** @return Jain's fairness index; none without data */
        std::optional<double> GetJain() const;
    };

    std::deque<ConnectionRow> m_rows;    //!< see GetRows()
    DelayHistogram m_rtt;                //!< see GetRtt()
    std::vector<ConnectionRow> m_before; //!< m_rows at the last TakeChunk()
    DelaySum m_rttBefore;                //!< of m_rtt, then
    double m_jainBytes{0};               //!< of all chunks, Jain's index times bytes
    uint64_t m_chunkBytes{0};            //!< of all chunks
};

/**
 * @ingroup gridftp
 * Adds what one data connection does to its row of a SessionMonitor.
 *
 * Contract: the sender of the connection calls it, in the order of time: Begin() before the
 * handshake, Open() when that is completed, and the others until its application closes the
 * connection. A monitor without a session does nothing.
 */
class ConnectionMonitor
{
  public:
    /** @param session that it adds to, outlives it; null: none @param number of the connection */
    void Begin(SessionMonitor* session, uint32_t number);

    /** @return whether it adds to a session */
    bool IsOn() const
    {
        return m_session != nullptr;
    }

    /** The handshake is completed. @param now current simulation time @param cwnd bytes */
    void Open(Nanoseconds now, uint64_t cwnd);

    /** @param now current simulation time @param cwnd from now on, bytes */
    void SetCwnd(Nanoseconds now, uint64_t cwnd);

    /** An ACK of new data has come. @param now current simulation time @param bytes of the stream
     * that are acknowledged */
    void Acknowledge(Nanoseconds now, uint64_t bytes);

    /** The RTT estimator has taken a sample. @param ns round-trip time */
    void AddSample(int64_t ns)
    {
        if (m_session)
        {
            m_session->AddSample(ns);
            m_row->rtt.Add(ns);
        }
    }

    /** A data segment is sent. @param isAgain it was sent before */
    void CountSegment(bool isAgain)
    {
        if (m_session)
        {
            ++(isAgain ? m_row->totals.retransmissions : m_row->totals.segments);
        }
    }

    /** The retransmission timer has expired. */
    void CountTimeout()
    {
        if (m_session)
        {
            ++m_row->totals.timeouts;
        }
    }

    /** The application closes the connection: nothing counts any more. */
    void End()
    {
        m_session = nullptr;
    }

  private:
    /** Adds the time since m_sinceNs to the integral. @param now current simulation time */
    void Integrate(Nanoseconds now);

    SessionMonitor* m_session{nullptr}; //!< that it adds to
    ConnectionRow* m_row{nullptr};      //!< in that
    bool m_isOpen{false};               //!< Open() was called
    uint64_t m_cwnd{0};                 //!< bytes
    uint64_t m_acknowledged{0};         //!< bytes of the stream
    int64_t m_openedNs{0};              //!< handshake, or last acknowledgement
    int64_t m_sinceNs{0};               //!< up to when cwnd is integrated
    ByteNanoseconds m_integral = 0;     //!< from m_openedNs to m_sinceNs
};

/** @ingroup gridftp @brief A SessionMonitor for each session and background, by index. */
using SessionMonitors = std::vector<std::unique_ptr<SessionMonitor>>;

/** @ingroup gridftp @param scenario resolved @return monitors of all its sessions and backgrounds;
 * empty where results need none */
SessionMonitors MakeSessionMonitors(const Scenario& scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_CONNECTION_MONITOR_H
