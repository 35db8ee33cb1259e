/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONNECTION_ENDING_H
#define GRIDFTP_SEGMENT_CONNECTION_ENDING_H

#include "gridftp-nanoseconds.h"
#include "gridftp-segment-packet.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-time.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * How an end of a TcpConnection closes apart from the other one: the states of RFC 9293, Section
 * 3.3.2, with the FINs and ACKs that ns-3's TcpSocketBase sends in them, and sends again. All data
 * of the end have been sent before, and have arrived.
 *
 * Without hosts that cost something a packet of 40 bytes more or less is next to nothing, and
 * TcpConnection::Close() closes both ends at once. Where each packet takes the time of a CPU, it
 * holds up others, and is counted.
 */
class TcpEnding
{
  public:
    /** What a FIN, or an ACK behind one, says besides its numbers, as bits. */
    enum Flag : uint32_t
    {
        ACKNOWLEDGES = 1, //!< it acknowledges the other end's FIN
        IS_BEHIND = 2,    //!< its sequence number is the one behind its own end's FIN
        IS_OLD = 4, //!< a FIN that comes with data again: to an end that has closed it is no number
        ANSWERS_FIN = 8 //!< an ACK that answers a FIN, so that it carries no ECE (ns-3)
    };

    /** Its timers. */
    enum class Timer
    {
        FIN,     //!< there is no answer to the FIN
        LAST_ACK //!< nor to one that was an answer
    };

    /** The moment of something. */
    struct Moment
    {
        Nanoseconds now;     //!< of the simulation
        int64_t rtoNs;       //!< retransmission timeout, not backed off
        int64_t shortRtoNs;  //!< the same where it has no lower bound
        bool isTimerRunning; //!< that of data, which is the FIN's, too
    };

    /** What it acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /** It sends. @param end whose @param kind FIN, or FIN_ACK: an ACK @param flags of Flag */
        virtual void SendEnding(uint32_t end, PacketKind kind, uint32_t flags) = 0;

        /** Calls HandleTimer() once. @param end whose @param at when, ns @param timer which */
        virtual void ScheduleEnding(uint32_t end, Nanoseconds at, Timer timer) = 0;
    };

    /** @param port what it acts on; outlives it @param end which one it is, for the port's use */
    TcpEnding(Port& port, uint32_t end)
        : m_port(&port),
          m_end(end)
    {
    }

    /** @return whether it has not closed, and knows of no FIN */
    bool IsOpen() const
    {
        return m_stage == Stage::OPEN;
    }

    /** @return whether its application has closed it, even if the FIN is still to be sent */
    bool IsClosing() const
    {
        return m_isWithData || m_hasSentFin;
    }

    /** @return whether it takes data at the next expected byte only: RFC 9293's CLOSE-WAIT, CLOSING
     * and LAST-ACK, as ns-3 has them */
    bool TakesNextOnly() const
    {
        return m_stage == Stage::CLOSE_WAIT || m_stage == Stage::CLOSING ||
               m_stage == Stage::LAST_ACK;
    }

    /** @return how much the FIN of the other end adds to the number that is acknowledged: 0 or 1 */
    uint64_t CountMetFin() const
    {
        return m_hasMetFin ? 1 : 0;
    }

    /** @return how much its own FIN adds to the sequence number of an ACK that it sends: ns-3's
     * socket adds one for the FIN when it sends, in three states, and one when that is acknowledged
     */
    uint64_t CountSentFin() const
    {
        const bool isUnderWay =
            m_stage == Stage::FIN_WAIT_1 || m_stage == Stage::CLOSING || m_stage == Stage::LAST_ACK;
        return (isUnderWay ? 1 : 0) + (m_isAcknowledged ? 1 : 0);
    }

    /** @param now current simulation time, ns @return whether its host knows nothing more of it */
    bool IsClosed(Nanoseconds now) const
    {
        return m_stage == Stage::CLOSED || IsOver(now);
    }

    /** @return whether it is closing and takes ACKs of data */
    bool TakesAcks() const
    {
        return m_stage > Stage::OPEN && m_stage <= Stage::CLOSE_WAIT;
    }

    /** @return whether it has closed, and the other end has not */
    bool AwaitsFin() const
    {
        return m_stage == Stage::FIN_WAIT_1 || m_stage == Stage::FIN_WAIT_2;
    }

    /** @return whether all is said at this end */
    bool HasEnded() const
    {
        return m_endedNs != NEVER;
    }

    /** @param now of the simulation, ns @return whether it has ended so long ago that nothing of it
     * can be under way */
    bool IsOver(Nanoseconds now) const;

    /** Its application closes. @param moment when */
    void Close(const Moment& moment);

    /** Its application closes, and the FIN goes with the last segment, should that be sent again:
     * ns-3's socket takes what it has to send again for data that it has not sent yet, and looks no
     * more at its FIN when they turn out to have arrived. */
    void CloseWithData()
    {
        m_isWithData = m_stage == Stage::OPEN || m_stage == Stage::CLOSE_WAIT;
    }

    /** The last segment is sent again. @return whether a FIN goes with it */
    bool HandleLastSegment();

    /** All data is acknowledged, and was not yet. @param moment when */
    void HandleDrained(const Moment& moment);

    /**
     * A FIN has come.
     * @param moment when
     * @param flags of Flag
     * @param isAnswered the application closes at once, unless it has
     */
    void HandleFin(const Moment& moment, uint32_t flags, bool isAnswered);

    /** Of a connection of two ways: the other end's FIN has come, and all data before it. What is
     * sent from now on acknowledges it. */
    void MeetFin()
    {
        m_hasMetFin = true;
    }

    /** Behind MeetFin(): the application has closed while it read what came before the FIN. */
    void HandleBothClosed()
    {
        m_stage = Stage::CLOSING;
    }

    /** Behind MeetFin(): it passes the FIN on to the application, which may close now. */
    void PassFinOn()
    {
        m_stage = Stage::CLOSE_WAIT;
    }

    /** Behind PassFinOn(): it acknowledges the FIN. @param moment when */
    void AnswerFin(const Moment& moment);

    /** Behind PassFinOn(), where the application had shut down: its FIN, if it could be sent at
     * once, has acknowledged that of the other end. @param moment when */
    void AwaitLastAck(const Moment& moment);

    /** An ACK behind a FIN has come. @param moment when @param flags of Flag */
    void HandleAck(const Moment& moment, uint32_t flags);

    /** A reset has come. @param now of the simulation */
    void HandleReset(Nanoseconds now);

    /** It is reset by its own host, and gone. @param now of the simulation */
    void Drop(Nanoseconds now)
    {
        End(Stage::CLOSED, now);
    }

    /** A timer has expired. @param moment when @param timer which */
    void HandleTimer(const Moment& moment, Timer timer);

    /** Sends an ACK, which is behind its FIN or acknowledges the other one. @param more of Flag */
    void SendAck(uint32_t more = 0);

    /** The FIN is acknowledged, perhaps once more. @param moment when */
    void HandleFinAcknowledged(const Moment& moment);

    /** @param state gets all of it, but for how long ago all was said */
    void AddState(SegmentState& state) const;

  private:
    /** Where it is; in the order of TakesAcks(). */
    enum class Stage : uint8_t
    {
        OPEN,       //!< ESTABLISHED
        FIN_WAIT_1, //!< closed
        FIN_WAIT_2, //!< closed, and its FIN is acknowledged
        CLOSE_WAIT, //!< the other end has closed
        CLOSING,    //!< both have, before either knew
        LAST_ACK,   //!< closed behind the other one
        TIME_WAIT,  //!< all is said
        CLOSED      //!< forgotten
    };

    /** Sends the FIN. @param moment when */
    void SendFin(const Moment& moment);

    /** Sets the timer of the FIN. @param at when it expires @param isRepeat see m_isRepeat */
    void StartFinTimer(Nanoseconds at, bool isRepeat);

    /** Sets the timer of the last ACK. @param moment when @param retries see m_retries */
    void StartLastAckTimer(const Moment& moment, uint32_t retries);

    /** All is said. @param stage TIME_WAIT or CLOSED @param now of the simulation */
    void End(Stage stage, Nanoseconds now);

    Port* m_port;                  //!< what it acts on
    uint32_t m_end;                //!< for its use
    Stage m_stage{Stage::OPEN};    //!< where it is
    bool m_isWithData{false};      //!< see CloseWithData()
    bool m_hasSentFin{false};      //!< its own
    bool m_hasMetFin{false};       //!< the other end's has come
    bool m_isAcknowledged{false};  //!< its own FIN is
    bool m_isRepeat{false};        //!< the FIN's timer sends it whatever has come meanwhile
    uint32_t m_retries{0};         //!< FINs left before the last ACK is given up
    int64_t m_finDueNs{NEVER};     //!< when the FIN's timer expires
    int64_t m_lastAckDueNs{NEVER}; //!< when the last ACK's does
    int64_t m_endedNs{NEVER};      //!< when all was said
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONNECTION_ENDING_H
