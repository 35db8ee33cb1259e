/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRACE_ROWS_H
#define GRIDFTP_TRACE_ROWS_H

#include "gridftp-connection-label.h"
#include "gridftp-host.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-storage.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which trace. */
enum class Trace : uint8_t
{
    CWND,    //!< windows of the sending sockets
    QUEUE,   //!< packets waiting at the bottleneck
    DROPS,   //!< packets that its queue refused
    BUFFERS, //!< socket buffers of both ends, and the advertised window
    HOSTS,   //!< packets and storage of hosts, by second
    CORES,   //!< CPU time of hosts, by second
    RTT,     //!< RTT samples, smoothed RTT and RTO of the sending sockets
};

/** @ingroup gridftp @brief Which host of a session. */
struct HostPlace
{
    uint32_t session; //!< index
    bool receives;    //!< of the end that receives, else of the one that sends
    size_t host; //!< the first one is that of the protocol interpreter, those of stripes follow
};

/** @ingroup gridftp @brief The receiving end of a data connection at a moment. */
struct ReceiveBufferState
{
    uint64_t bytes{0};      //!< size of the receive buffer
    uint64_t advertised{0}; //!< window that the last ACK had, bytes
    uint64_t unread{0};     //!< bytes in it that the application has not taken

    bool operator==(const ReceiveBufferState&) const = default;
};

/** @ingroup gridftp @brief The sending end of a data connection at a moment. */
struct SendBufferState
{
    uint64_t bytes{0};  //!< size of the send buffer
    uint64_t unsent{0}; //!< bytes in it that have never been sent

    bool operator==(const SendBufferState&) const = default;
};

/** @ingroup gridftp @brief Both ends, as far as they are known. */
struct BufferState
{
    std::optional<ReceiveBufferState> receive; //!< of the end that receives
    std::optional<SendBufferState> send;       //!< of the end that sends

    bool operator==(const BufferState&) const = default;
};

/** @ingroup gridftp @brief The RTT estimator of a sending socket at a moment (RFC 6298). */
struct RttState
{
    std::optional<int64_t> sampleNs{}; //!< round-trip time measured at that moment, ns
    int64_t smoothedNs{0};             //!< SRTT, ns
    int64_t rtoNs{0};                  //!< retransmission timeout, backed off, ns

    bool operator==(const RttState&) const = default;
};

/** @ingroup gridftp @brief What stands of a trace before its first row. */
struct TraceName
{
    std::string_view file;   //!< name of its file
    std::string_view header; //!< its first line
};

/** @ingroup gridftp @brief By Trace; times in seconds, windows in bytes. */
inline constexpr std::array<TraceName, 7> TRACE_NAMES{{
    {"cwnd.csv", "time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes\n"},
    {"queue.csv", "time_s,packets\n"},
    {"drops.csv", "time_s,session,chunk,connection,sequence\n"},
    {"buffers.csv",
     "time_s,session,chunk,connection,receive_buffer_bytes,advertised_window_bytes,unread_bytes,"
     "send_buffer_bytes,unsent_bytes\n"},
    {"hosts.csv",
     "time_s,session,end,host,packets_in,packets_out,interrupts,backlog_drops,storage_requests,"
     "storage_bytes\n"},
    {"cores.csv", "time_s,session,end,host,core,busy_s\n"},
    {"rtt.csv", "time_s,session,chunk,connection,rtt_s,srtt_s,rto_s\n"},
}};

/**
 * @ingroup gridftp
 * The traces of a run as rows of CSV, the same for both engines and in the lab. Where they go is
 * for who derives from it.
 */
class TraceRows
{
  public:
    virtual ~TraceRows() = default;

    /**
     * A row of cwnd.csv.
     * @param now of the simulation
     * @param label which connection
     * @param cwnd bytes
     * @param ssthresh bytes; none while it is not set
     */
    void AddWindow(Nanoseconds now,
                   const ConnectionLabel& label,
                   uint64_t cwnd,
                   const std::optional<uint64_t>& ssthresh);

    /** A row of queue.csv. @param now of the simulation @param packets waiting */
    void AddQueue(Nanoseconds now, uint64_t packets);

    /**
     * A row of drops.csv.
     * @param now of the simulation
     * @param label which data connection, none for another
     * @param sequence first byte of its data in the stream, none where it had no data
     */
    void AddDrop(Nanoseconds now,
                 const std::optional<ConnectionLabel>& label,
                 const std::optional<uint64_t>& sequence);

    /**
     * A row of buffers.csv; see BufferRows.
     * @param now of the simulation
     * @param label which data connection
     * @param state of both ends; what is not known yet stays empty
     */
    void AddBuffers(Nanoseconds now, const ConnectionLabel& label, const BufferState& state);

    /**
     * A row of hosts.csv; see AddHostRows().
     * @param begin of the second
     * @param place which host
     * @param counts what it did; none where that is not counted
     * @param storage what its storage was asked for; none where that costs nothing
     */
    void AddHost(Nanoseconds begin,
                 const HostPlace& place,
                 const std::optional<HostCounts>& counts,
                 const std::optional<StorageSecond>& storage);

    /** A row of cores.csv. @param begin of the second @param place which host @param core which of
     * it @param busyNs how long it was busy in that second, ns */
    void AddCore(Nanoseconds begin, const HostPlace& place, size_t core, int64_t busyNs);

    /**
     * A row of rtt.csv; see RttRows.
     * @param now current simulation time
     * @param label which data connection
     * @param state of its RTT estimator
     */
    void AddRtt(Nanoseconds now, const ConnectionLabel& label, const RttState& state);

  private:
    /** @param now of the simulation @return whether rows of that time are wanted */
    virtual bool IsWanted(Nanoseconds now) = 0;

    /** @param trace which one @param row with the end of its line */
    virtual void Write(Trace trace, const std::string& row) = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRACE_ROWS_H
