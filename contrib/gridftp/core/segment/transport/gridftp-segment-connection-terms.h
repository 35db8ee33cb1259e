/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONNECTION_TERMS_H
#define GRIDFTP_SEGMENT_CONNECTION_TERMS_H

#include "gridftp-connection-label.h"
#include "gridftp-middlebox.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-outage.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-send-pool.h"

#include <cstdint>
#include <optional>

namespace ns3::gridftp
{

class TcpConnection;

/**
 * @ingroup gridftp
 * @param low bits of a number
 * @param bits how many
 * @param near a number less than half of what these count away from it
 * @return the number
 */
constexpr uint64_t
UnwrapNumber(uint64_t low, unsigned bits, uint64_t near)
{
    const uint64_t size = uint64_t{1} << bits;
    const uint64_t ahead = (low - near) & (size - 1);
    return ahead < size / 2 ? near + ahead : near + ahead - size;
}

/**
 * @ingroup gridftp
 * The numbers of a packet of two ways: the low bits of the sequence number and of what it
 * acknowledges. No window is as large as half of what these count, so that the rest follows from
 * what its receiver has.
 */
struct TalkNumbers
{
    static constexpr unsigned BITS = 32; //!< of each

    /** @param start first byte of the packet @param ack first byte that its sender misses @return
     * both, as SegmentPacket::GetValue() */
    static constexpr uint64_t Pack(uint64_t start, uint64_t ack)
    {
        return static_cast<uint32_t>(start) | ack << BITS;
    }

    /** @param packed both @param near a number near the start @return the start */
    static constexpr uint64_t GetStart(uint64_t packed, uint64_t near)
    {
        return UnwrapNumber(static_cast<uint32_t>(packed), BITS, near);
    }

    /** @param packed both @param near a number near what is acknowledged @return that */
    static constexpr uint64_t GetAck(uint64_t packed, uint64_t near)
    {
        return UnwrapNumber(packed >> BITS, BITS, near);
    }
};

/**
 * @ingroup gridftp
 * What the application of the end without the source does with what it reads, where that takes
 * time: the counterpart of ByteSource.
 */
class ByteSink
{
  public:
    virtual ~ByteSink() = default;

    /** @param now of the simulation @return when it reads again; not after now: it does */
    virtual Nanoseconds GetNextNs(Nanoseconds now) = 0;

    /** @return most bytes that it reads at a time, at least 1 */
    virtual uint64_t GetRoom() const = 0;

    /** It has read. @param now of the simulation @param bytes from 1 to GetRoom() */
    virtual void Take(Nanoseconds now, uint64_t bytes) = 0;
};

/**
 * @ingroup gridftp
 * What a TcpConnection and who uses it say to each other: the words for its ends and its failures,
 * what it is asked to be, and what it tells.
 */
struct TcpConnectionTerms
{
    /** An end of a connection. */
    enum End : uint32_t
    {
        ACTIVE,  //!< which connects
        PASSIVE, //!< which accepts
        ENDS     //!< how many there are
    };

    /** @param end of a connection @return the other one */
    static constexpr End Other(End end)
    {
        return end == ACTIVE ? PASSIVE : ACTIVE;
    }

    /** Which ends send data. */
    enum class Ways
    {
        ONE,  //!< the one that connects
        BACK, //!< as ONE, and the one that accepts talks back: a few bytes now and then
        TWO   //!< both
    };

    /** Why a connection cannot go on. */
    enum class Failure
    {
        REFUSED, //!< no answer to any SYN, or a RST
        GAVE_UP  //!< no answer to a segment, however often it was sent
    };

    /** Who uses a connection. Does nothing unless it says otherwise. */
    class User
    {
      public:
        virtual ~User() = default;

        /** A SYN has arrived. @param connection which @return whether anybody listens there; else
         * the connection is refused */
        virtual bool IsListening(TcpConnection& /* connection */)
        {
            return true;
        }

        /** Of two ways, and with a preamble: the end that connects has done so. @param connection
         * which @param now of the simulation there */
        virtual void HandleConnected(TcpConnection& /* connection */, Nanoseconds /* now */)
        {
        }

        /** The end that accepts has done so. @param connection which @param now of the simulation
         * there */
        virtual void HandleAccepted(TcpConnection& /* connection */, Nanoseconds /* now */)
        {
        }

        /**
         * Bytes have arrived: of two ways, any; of one way, the last ones that the source had; of
         * one that talks back, also any of those that come back.
         * @param connection which
         * @param to which end
         * @param now of the simulation there
         */
        virtual void HandleDelivered(TcpConnection& /* connection */,
                                     End /* to */,
                                     Nanoseconds /* now */)
        {
        }

        /** Of a connection that talks back: the end that accepts has read. @param connection which
         * @param now of the simulation there */
        virtual void HandleRead(TcpConnection& /* connection */, Nanoseconds /* now */)
        {
        }

        /** All that the source had is acknowledged. @param connection which @param now of the
         * simulation */
        virtual void HandleDrained(TcpConnection& /* connection */, Nanoseconds /* now */)
        {
        }

        /** It cannot go on. @param connection which @param now of the simulation @param failure why
         */
        virtual void HandleFailed(TcpConnection& /* connection */,
                                  Nanoseconds /* now */,
                                  Failure /* failure */)
        {
        }

        /**
         * A FIN has arrived at an end that is open, where each end closes by itself.
         * @param connection which
         * @param to the end
         * @param now of the simulation there
         * @return of one way: whether the application of the end closes at once. Of two ways the
         * end has closed before this is called
         */
        virtual bool HandlePeerClosed(TcpConnection& /* connection */,
                                      End to,
                                      Nanoseconds /* now */)
        {
            return to == PASSIVE;
        }

        /** The other end has reset it. @param connection which @param to the end that is told, and
         * gone now @param now of the simulation */
        virtual void HandleReset(TcpConnection& /* connection */,
                                 End /* to */,
                                 Nanoseconds /* now */)
        {
        }
    };

    /** What a connection is, and for whom. */
    struct Use
    {
        const SegmentTcp* tcp{nullptr}; //!< its TCP; outlives it
        FlowPath path;                  //!< its hosts
        Ways ways{Ways::ONE};           //!< which ends send
        End source{ACTIVE};             //!< of two ways: which end has the source
        bool answersFin{false};         //!< the end that accepts closes when the other does
        bool acksAgain{false};          //!< with an ACK behind its FIN, as ns-3's socket
                                        //!< has it that is closed when it hears of the FIN
        bool meetsFin{false};           //!< it may close while a FIN is under way to it
        bool closesApart{false}; //!< each end closes by itself, packet by packet, see TcpEnding.
                                 //!< The three above then mean nothing
        bool hasListener{false}; //!< behind a connection that has closed apart there is who accepts
                                 //!< others, and ignores what comes late; else that is reset
        bool meetsLate{false};   //!< packets overtake others, so that some may come long after it
                                 //!< has closed
        uint16_t port{0};        //!< where the end that accepts listens
        User* user{nullptr};     //!< who uses it; outlives it
        std::optional<ConnectionLabel> label{}; //!< of a data connection
        bool logsDelivery{false};               //!< GetDelivered() is asked at any time
        SendPool* pool{nullptr};                //!< what the send buffer is taken from; outlives it
        ByteSink* sink{nullptr};                //!< who reads what the source sends, where that
                                                //!< takes time, which needs windows that move;
                                                //!< outlives it. Of two ways its user hears nothing
                                                //!< of what the sink reads
        const Outages* refusals{nullptr};       //!< when nobody accepts; outlives it; of two ways,
                                                //!< an end that gives up is then alone with that
        MiddleboxEntry* entry{nullptr};         //!< of it in a middlebox, of two ways; outlives it
        bool reportsOpening{false};             //!< User::HandleConnected() of one way, too
        bool holdsSmall{false};                 //!< Nagle's algorithm, see
                                                //!< SegmentSender::HoldSmall(); else TCP_NODELAY
        uint64_t preamble{0}; //!< of a connection that talks back: bytes that are written before
                              //!< its first source begins, and read at once
    };
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONNECTION_TERMS_H
