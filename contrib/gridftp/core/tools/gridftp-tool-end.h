/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_END_H
#define GRIDFTP_TOOL_END_H

#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The two ends of a tool that moves a file by datagrams: what they do is here, once; each engine
 * gives them a host, with a clock, a UDP socket and a TCP connection to the other end.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A datagram with file data. */
struct DataDatagram
{
    uint32_t number{0};  //!< sequence number, as the tool counts them
    uint32_t stamp{0};   //!< what else its header says, as the tool means it
    uint32_t payload{0}; //!< file bytes in it
};

/** @ingroup gridftp @brief A datagram without file data: what the ends tell each other. */
struct ReportDatagram
{
    uint32_t type{0};              //!< which kind of report, as the tool numbers them
    uint32_t info{0};              //!< its first number, as the tool means it
    std::vector<uint32_t> words{}; //!< what stands behind its header, 32 bits each
};

/** @ingroup gridftp @brief What an end of a tool can do: its host. */
class ToolPort
{
  public:
    static constexpr Nanoseconds NOT_AT_ALL = INT64_MAX; //!< when a timer expires that is not set

    virtual ~ToolPort() = default;

    /**
     * An end that knows what it sends when may do so ahead of the time, as long as nobody can tell
     * it anything meanwhile; not one whose transfer may be over by then, as it counts what it
     * sends.
     * @param now of the simulation
     * @return until when nothing is told to this end but that the timer of this moment expires
     *         again, ns; now, where the host cannot say
     */
    virtual Nanoseconds GetSilence(Nanoseconds now) const
    {
        return now;
    }

    /** Sends a datagram with file data to the other end. @param now of the simulation, or a later
     * time before that of GetSilence() @param datagram it */
    virtual void SendData(Nanoseconds now, const DataDatagram& datagram) = 0;

    /** Sends a report to the other end. @param now of the simulation @param report it */
    virtual void SendReport(Nanoseconds now, ReportDatagram report) = 0;

    /**
     * Starts a timer, or starts it anew; it expires once.
     * @param timer its number, below ToolEnd::TIMERS
     * @param at when it expires, ns, not in the past, or NOT_AT_ALL
     */
    virtual void SetTimer(uint32_t timer, Nanoseconds at) = 0;

    /** Opens the TCP connection; the other end accepts it. @param now of the simulation */
    virtual void Connect(Nanoseconds now) = 0;

    /** Writes to the TCP connection, which has room for it. @param now of the simulation @param
     * bytes what */
    virtual void Say(Nanoseconds now, std::span<const uint8_t> bytes) = 0;

    /** The transfer is over: told once, by the end whose user waits for it, or by either where it
     * cannot go on. @param now of the simulation @param reason why it has failed, for a person;
     * empty: the file is complete. What TCP has
     * not sent yet it still sends */
    virtual void Finish(Nanoseconds now, const std::string& reason) = 0;

    /** All of the file is stored, where ToolKind::storesBehind. Called once, by the end that
     * receives: the transfer is over when both this and Finish() have been called. @param now of
     * the simulation */
    virtual void HandleStored(Nanoseconds /* now */)
    {
    }
};

/** @ingroup gridftp @brief What an end of a tool has counted. */
struct ToolCounts
{
    uint64_t packets{0};            //!< datagrams with file data sent, those sent again included
    uint64_t retransmissions{0};    //!< those of them that were sent before
    uint64_t duplicates{0};         //!< those that came and were there already
    uint64_t reports{0};            //!< datagrams without file data sent
    uint64_t bytes{0};              //!< file bytes that have come, each once
    std::vector<uint64_t> blasts{}; //!< of a tool that sends in rounds: packets of each

    /** Where storing takes time: datagrams with file data that the receiver had no room for, as its
     * program was storing earlier ones. */
    std::optional<uint64_t> overflows{};
};

/**
 * @ingroup gridftp
 * One end of a tool's transfer, on whichever engine.
 *
 * Contract: Start() is called once, at the beginning of the session, for the end that only waits
 * before the other one. From then on it acts on what it is told. Nothing is called any more after
 * ToolPort::Finish(), and an end may be told of everything at any time: what it cannot use it
 * ignores, as a host has to.
 */
class ToolEnd
{
  public:
    static constexpr uint32_t TIMERS = 4; //!< timers that an end may have

    virtual ~ToolEnd() = default;

    /** @param now of the simulation */
    virtual void Start(Nanoseconds now) = 0;

    /** A datagram with file data has come. @param now of the simulation @param datagram it */
    virtual void HandleData(Nanoseconds now, const DataDatagram& datagram);

    /** A report has come. @param now of the simulation @param report it */
    virtual void HandleReport(Nanoseconds now, const ReportDatagram& report);

    /** A timer expires. @param now of the simulation @param timer its number */
    virtual void HandleTimer(Nanoseconds now, uint32_t timer);

    /** The TCP connection is there, at this end. @param now of the simulation */
    virtual void HandleConnected(Nanoseconds now);

    /** Bytes have come by the TCP connection, in order; a message may come in pieces. @param now of
     * the simulation @param bytes they */
    virtual void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes);

    /** The TCP connection is lost: refused, reset, given up, or closed by the other end. @param now
     * of the simulation */
    virtual void HandleLost(Nanoseconds now);

    /** @return what it has counted until now */
    virtual const ToolCounts& GetCounts() const = 0;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_END_H
