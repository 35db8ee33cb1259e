/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINUX_SOCKET_H
#define GRIDFTP_LINUX_SOCKET_H

#include "gridftp-linux-receiver.h"
#include "gridftp-linux-segment.h"
#include "gridftp-linux-sender.h"
#include "gridftp-linux-settings.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One endpoint of a TCP connection as Linux has it: handshake, data both ways, timers and close. It
 * knows no network, no simulation and no other endpoint.
 *
 * Contract: the owner calls Connect() or Listen() once, Receive() for each segment that arrives,
 * Write(), Read() and Close() for the application, and HandleTimer() when GetDeadline() is reached;
 * each with times that never decrease. Abort() and Forget() end the connection at once; no call of
 * HandleFailed() follows. Segments leave by Port::Send(), within these calls.
 * A handler of Port may call Write(), Read() and Close() of the same socket; the owner destroys the
 * socket outside all calls. GetState() shows the peer's FIN and the end of the connection.
 * Port::HandleDeadline() reports a deadline that is earlier than all reported since the last
 * HandleTimer(). A later deadline is not reported: the owner calls HandleTimer() at the time that
 * was reported, and an early HandleTimer() only reports the next deadline.
 */
class LinuxSocket final : private LinuxSender::Port
{
  public:
    /** States of RFC 9293, Section 3.3.2. */
    enum class State : uint8_t
    {
        CLOSED,
        LISTEN,
        SYN_SENT,
        SYN_RECEIVED,
        ESTABLISHED,
        FIN_WAIT_1,
        FIN_WAIT_2,
        CLOSE_WAIT,
        CLOSING,
        LAST_ACK,
        TIME_WAIT
    };

    /** Why a connection has ended without being closed. */
    enum class Failure : uint8_t
    {
        REFUSED,   //!< a RST answers the SYN
        TIMED_OUT, //!< no answer, however often a segment was sent
        RESET      //!< a RST has come
    };

    /** What a socket acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /** A segment leaves. @param socket that sends @param segment the complete one, which is
         * valid until the call returns */
        virtual void Send(LinuxSocket& socket, const LinuxSegment& segment) = 0;

        /** GetDeadline() has become earlier. @param socket with this deadline */
        virtual void HandleDeadline(LinuxSocket& socket) = 0;

        /** The connection is established. @param socket whose @param now current time */
        virtual void HandleConnected(LinuxSocket& socket, Nanoseconds now) = 0;

        /** GetReadable() has grown, or the peer's FIN has come. @param socket whose @param now
         * current time */
        virtual void HandleReadable(LinuxSocket& socket, Nanoseconds now) = 0;

        /** Data written were acknowledged: there may be room to write. @param socket whose @param
         * now current time */
        virtual void HandleAcknowledged(LinuxSocket& socket, Nanoseconds now) = 0;

        /** The connection has ended without being closed. @param socket whose @param now current
         * time
         * @param failure why */
        virtual void HandleFailed(LinuxSocket& socket, Nanoseconds now, Failure failure) = 0;

        /** cwnd or ssthresh has changed; only after Observe(). @param socket whose @param now
         * current time */
        virtual void HandleWindow(const LinuxSocket& socket, Nanoseconds now) = 0;
    };

    /** @param settings of the host; must outlive the socket @param port of the owner; must outlive
     * the socket @param number seeds the random numbers of the socket */
    LinuxSocket(const LinuxSettings& settings, Port& port, uint32_t number = 0);

    /** Sends a SYN. @param now current time */
    void Connect(Nanoseconds now);

    /** Waits for a SYN. */
    void Listen();

    /** A segment arrives. @param now current time @param segment it */
    void Receive(Nanoseconds now, const LinuxSegment& segment);

    /** The application writes; allowed before the handshake is done. @param now current time @param
     * bytes at least 1, also more than GetWritable() */
    void Write(Nanoseconds now, uint64_t bytes);

    /** The application reads. @param now current time @param bytes at most GetReadable() */
    void Read(Nanoseconds now, uint64_t bytes);

    /** The application reads all data as soon as they come: the socket reads them itself, and need
     * not call Port::HandleReadable() before GetReceived() is @p received. The owner calls this
     * whenever it knows a new position at which it has to act. @param received bytes; 0: every call
     */
    void ReadAtOnce(uint64_t received)
    {
        m_readsUpTo = received;
    }

    /** The application closes: a FIN follows the last byte written, or a RST at once where data
     * wait that it has not read. @param now current time */
    void Close(Nanoseconds now);

    /** The application resets the connection (SO_LINGER of 0). @param now current time */
    void Abort(Nanoseconds now);

    /** The application and its host vanish: nothing is sent, and nothing that arrives is answered.
     */
    void Forget();

    /** @return when HandleTimer() has to be called, or LinuxReceiver::NEVER */
    Nanoseconds GetDeadline() const;

    /** GetDeadline() is reached. @param now current time */
    void HandleTimer(Nanoseconds now);

    /** TCP_NODELAY. @param isOff whether Nagle's algorithm is off, as it is by default here */
    void SetNoDelay(bool isOff)
    {
        m_sender.UseNagle(!isOff);
    }

    /** Port::HandleWindow() is called from now on. */
    void Observe()
    {
        m_sender.Observe();
    }

    /** @return bytes of the send buffer that are free */
    uint64_t GetWritable() const
    {
        return m_sender.GetWritable();
    }

    /** @return bytes that have come in order and wait for the application */
    uint64_t GetReadable() const
    {
        return m_receiver.GetReadable();
    }

    /** @return bytes of data received in order so far, without SYN and FIN */
    uint64_t GetReceived() const;

    /** @return bytes of data acknowledged so far, without SYN and FIN */
    uint64_t GetAcknowledged() const;

    /** @return state */
    State GetState() const
    {
        return m_state;
    }

    /** @return what sends */
    const LinuxSender& GetSender() const
    {
        return m_sender;
    }

    /** @return what receives */
    const LinuxReceiver& GetReceiver() const
    {
        return m_receiver;
    }

  private:
    // LinuxSender::Port
    LinuxSegment& Prepare(bool hasData) override;
    void Send(const LinuxSegment& segment) override;
    void HandleDeadline() override;
    void HandleTimedOut() override;
    void HandleWindow() override;

    /** Makes the header of a segment of an established connection. @param now current time @return
     * it, with all fields but `seq` and `size` */
    LinuxSegment& MakeHeader(Nanoseconds now);

    /** Sends a SYN, or a SYN-ACK. @param now current time */
    void SendSyn(Nanoseconds now);

    /** Sends an ACK without data. @param now current time */
    void SendAck(Nanoseconds now);

    /** Sends a RST. @param now current time @param seq its sequence number */
    void SendReset(Nanoseconds now, uint64_t seq);

    /** A segment comes that is of no connection: an ACK to a socket that listens, or anything to a
     * closed one. Sends a RST (RFC 9293, Sections 3.10.7.1 and 3.10.7.2; tcp_v4_send_reset). @param
     * segment that came, no RST */
    void Refuse(const LinuxSegment& segment);

    /** A SYN comes to a socket that listens. @param now current time @param segment it */
    void ReceiveSyn(Nanoseconds now, const LinuxSegment& segment);

    /** The answer to the SYN comes. @param now current time @param segment it */
    void ReceiveSynAck(Nanoseconds now, const LinuxSegment& segment);

    /** ReceiveEstablished() of an ACK for which LinuxSender::IsPlain() holds. @param now current
     * time
     * @param segment it */
    void ReceivePlainAck(Nanoseconds now, const LinuxSegment& segment);

    /** ReceiveEstablished() of data, for the sending half of which LinuxSender::IsIdle() holds.
     * @param now current time @param segment it */
    void ReceiveData(Nanoseconds now, const LinuxSegment& segment);

    /** A segment comes to an established connection. @param now current time @param segment it */
    void ReceiveEstablished(Nanoseconds now, const LinuxSegment& segment);

    /** The handshake is done. @param now current time @param window of the peer, bytes */
    void Establish(Nanoseconds now, uint64_t window);

    /** The FIN is acknowledged, or the peer's FIN has come. @param now current time */
    void CheckClose(Nanoseconds now);

    /** The connection ends. @param now current time @param failure why */
    void Fail(Nanoseconds now, Failure failure);

    /** The timer of the SYN expires. @param now current time */
    void RepeatSyn(Nanoseconds now);

    /** @return whether data and ACKs are exchanged */
    bool IsSynchronized() const
    {
        return m_state >= State::ESTABLISHED;
    }

    const LinuxSettings& m_settings;                   //!< of the host
    Port& m_port;                                      //!< what it acts on
    State m_state{State::CLOSED};                      //!< state of the connection
    LinuxSegment m_leaving;                            //!< segment that leaves
    LinuxSender m_sender;                              //!< what sends
    LinuxReceiver m_receiver;                          //!< what receives
    Nanoseconds m_synSentAt{0};                        //!< when the SYN was sent last
    Nanoseconds m_synDeadline{LinuxReceiver::NEVER};   //!< when it is sent again
    Nanoseconds m_shownDeadline{LinuxReceiver::NEVER}; //!< earliest one reported
    uint32_t m_synsSent{0};                            //!< SYNs sent
    uint32_t m_peerMss{0};                             //!< MSS of the peer's SYN
    uint64_t m_readsUpTo{0};                           //!< of ReadAtOnce()
    bool m_isActive{false};                            //!< it has sent the first SYN
    bool m_hasSack{false};                             //!< both permit SACK
    bool m_hasTimestamp{false};                        //!< both use timestamps
    bool m_hasEcn{false};                              //!< both use ECN
    bool m_isClosed{false};                            //!< the application has closed
    bool m_isFinShown{false};                          //!< the application knows of the peer's FIN
    bool m_isForgotten{false};                         //!< see Forget()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SOCKET_H
