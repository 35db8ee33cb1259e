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
 * each with times that never decrease. All that leaves goes to Port::Send(), from within these
 * calls. Port::HandleDeadline() is called when GetDeadline() has become earlier; a later deadline is
 * not reported, and calling HandleTimer() too early does nothing.
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
        REFUSED,  //!< a RST answers the SYN
        TIMED_OUT, //!< no answer, however often a segment was sent
        RESET     //!< a RST has come
    };

    /** What a socket acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /** A segment leaves. @param socket whose @param segment complete */
        virtual void Send(LinuxSocket& socket, const LinuxSegment& segment) = 0;

        /** GetDeadline() has become earlier. @param socket whose */
        virtual void HandleDeadline(LinuxSocket& socket) = 0;

        /** The connection is established. @param socket whose @param now current time */
        virtual void HandleConnected(LinuxSocket& socket, Nanoseconds now) = 0;

        /** GetReadable() has grown, or the peer's FIN has come. @param socket whose @param now current
         * time */
        virtual void HandleReadable(LinuxSocket& socket, Nanoseconds now) = 0;

        /** Data written were acknowledged: there may be room to write. @param socket whose @param now
         * current time */
        virtual void HandleAcknowledged(LinuxSocket& socket, Nanoseconds now) = 0;

        /** The connection has ended without being closed. @param socket whose @param now current time
         * @param failure why */
        virtual void HandleFailed(LinuxSocket& socket, Nanoseconds now, Failure failure) = 0;

        /** cwnd or ssthresh has changed; only after Observe(). @param socket whose @param now current
         * time */
        virtual void HandleWindow(const LinuxSocket& socket, Nanoseconds now) = 0;
    };

    /** @param settings outlive it @param port outlives it */
    LinuxSocket(const LinuxSettings& settings, Port& port);

    /** Sends a SYN. @param now current time */
    void Connect(Nanoseconds now);

    /** Waits for a SYN. */
    void Listen();

    /** A segment arrives. @param now current time @param segment it */
    void Receive(Nanoseconds now, const LinuxSegment& segment);

    /** The application writes; allowed before the handshake is done. @param now current time @param
     * bytes at least 1; GetWritable() advises, and does not limit */
    void Write(Nanoseconds now, uint64_t bytes);

    /** The application reads. @param now current time @param bytes at most GetReadable() */
    void Read(Nanoseconds now, uint64_t bytes);

    /** The application closes: a FIN follows the last byte written. @param now current time */
    void Close(Nanoseconds now);

    /** The application resets the connection (SO_LINGER of 0). @param now current time */
    void Abort(Nanoseconds now);

    /** @return when HandleTimer() has to be called, or LinuxReceiver::NEVER */
    Nanoseconds GetDeadline() const;

    /** GetDeadline() is reached. @param now current time */
    void HandleTimer(Nanoseconds now);

    /** TCP_NODELAY. @param isOff whether Nagle's algorithm is off, as it is by default here */
    void SetNoDelay(bool isOff);

    /** Port::HandleWindow() is called from now on. */
    void Observe();

    /** @return bytes of the send buffer that are free */
    uint64_t GetWritable() const;

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
    // (members follow with the implementation)
    const LinuxSettings& m_settings;
    Port& m_port;
    State m_state{State::CLOSED};
    LinuxSender m_sender;
    LinuxReceiver m_receiver;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINUX_SOCKET_H
