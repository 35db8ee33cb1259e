/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_STREAM_H
#define GRIDFTP_POSIX_STREAM_H

#include "gridftp-application-host.h"
#include "gridftp-data-stream.h"
#include "gridftp-posix-figures.h"
#include "gridftp-posix-host-state.h"
#include "gridftp-posix-inbox.h"
#include "gridftp-posix-loop.h"
#include "gridftp-posix-outbox.h"
#include "gridftp-posix-socket.h"
#include "gridftp-posix-watcher.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One endpoint of a TCP connection over a socket of Linux. PosixHost makes it and owns it.
 *
 * It calls its user from the event loop only, never from within a call of the user. Therefore an
 * error of Say(), SendPieces() or Resume() is reported later, at the same time of the loop. Bytes
 * arrive with content. A sink that is not timed reads at most PosixHostState::READ_BYTES at once.
 *
 * A peer that does not read what Say() sends is lost when MOST_WAITING bytes wait for it.
 *
 * The user learns of the peer's FIN when all that arrived before was read. Where its sink does not
 * read, it learns of the FIN at once if nothing is unread. A RST takes effect at once; bytes that
 * are not read yet are discarded.
 */
class PosixStream final : public DataStream, private PosixWatcher, private EventTarget
{
  public:
    /** @param host what it shares with other connections; outlives it @param socket connecting, or
     * accepted @param terms of this endpoint @param isAccepted whether this endpoint accepted the
     * connection, which is established then */
    PosixStream(PosixHostState& host,
                PosixSocket socket,
                const StreamTerms& terms,
                bool isAccepted);

    ~PosixStream() override;

    PosixStream(const PosixStream&) = delete;
    PosixStream& operator=(const PosixStream&) = delete;

    /** @param user called from now on; outlives the connection */
    void SetUser(StreamUser& user)
    {
        SetUsers(&user, nullptr);
        Watch();
    }

    /** @param user of a data connection, called from now on; outlives the connection */
    void SetDataUser(DataStreamUser& user)
    {
        m_isData = true;
        SetUsers(&user, &user);
        Watch();
    }

    /** The host could not begin to connect: the user is called with StreamLoss::REFUSED. */
    void Refuse()
    {
        LoseLater(StreamLoss::REFUSED);
    }

    /** @return whether the socket is in use */
    bool IsOpen() const
    {
        return m_socket.IsOpen();
    }

    /** @return whether the host may destroy it: a data connection that its user has closed or
     * reset, outside of its own callbacks. The user of one that was lost closes it later */
    bool MayForget() const
    {
        return m_isReleased && m_isData && m_depth == 0;
    }

    // ByteStream
    void Say(Nanoseconds now, std::span<const uint8_t> bytes) override;

    void DropMessages() override
    {
        m_outbox.DropMessages();
    }

    /** Sends zeros, since a StreamSource has no content. @param now current time @param source of
     * the data */
    void Send(Nanoseconds /* now */, StreamSource& source) override
    {
        Begin(source, std::nullopt);
    }

    void Close(Nanoseconds /* now */) override
    {
        m_isReleased = true;
        Shut(false);
    }

    void Reset(Nanoseconds /* now */) override
    {
        m_isReleased = true;
        Shut(true);
    }

    ConnectionTotals GetTotals() const override
    {
        return m_figures.GetTotals(m_socket);
    }

    uint32_t GetLocalAddress() const override
    {
        return IsOpen() ? m_socket.GetLocalAddress() : 0;
    }

    /** @return IPv4 address of the peer, host byte order; 0: closed */
    uint32_t GetPeerAddress() const
    {
        return IsOpen() ? m_socket.GetPeerAddress() : 0;
    }

    // DataStream
    /** As DataStream::SendPieces(). The payload comes from PosixHost::SetSource(). Where that file
     * cannot be read or is too short, the connection is reset, and the user is called with
     * StreamLoss::FAILED. @param now current time @param source of the bytes */
    void SendPieces(Nanoseconds /* now */, PieceSource& source) override
    {
        Begin(source, m_host.source);
    }

    void Resume(Nanoseconds /* now */) override
    {
        Watch(); // the event loop reports what has arrived
    }

    uint64_t GetUnread() const override
    {
        return IsOpen() ? m_socket.GetUnread() : 0;
    }

    uint64_t GetSegmentBytes() const override
    {
        return m_figures.GetSegmentBytes(m_socket);
    }

    uint64_t GetSendBuffer() const override
    {
        return m_figures.GetSendBuffer(m_socket);
    }

    void GrowSendBuffer(Nanoseconds now, uint64_t bytes) override;

    uint64_t GetReceiveBuffer() const override
    {
        return m_figures.GetReceiveBuffer(m_socket);
    }

    void SetReceiveBuffer(uint64_t bytes) override
    {
        if (IsOpen())
        {
            m_socket.SetReceiveBuffer(bytes);
        }
    }

    void CountBuffer(BufferTally& tally) const override
    {
        m_figures.Count(GetNow(), m_socket, tally);
    }

  private:
    static constexpr size_t MOST_WAITING = 4 << 20; //!< bytes of messages

    /** What its events are for. */
    enum Event : uint32_t
    {
        READ,  //!< the sink reads again
        WRITE, //!< the source has data again
        DRAIN, //!< all may be acknowledged
        LOSS   //!< the user learns of m_loss
    };

    // PosixWatcher
    void HandleReady(Nanoseconds now, uint32_t events) override;

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** @return whether the connection is open and established, and has no error */
    bool IsUsable() const
    {
        return IsOpen() && m_isConnected && !m_loss;
    }

    /** @return whether the application takes bytes now */
    bool IsReading() const
    {
        return IsUsable() && m_inbox.IsReading();
    }

    /** @return current time */
    Nanoseconds GetNow() const
    {
        return m_host.loop->GetNow();
    }

    /** @param at when @param event what for */
    void ScheduleOwn(Nanoseconds at, Event event)
    {
        m_host.loop->Schedule(at, *this, event, this);
    }

    /** The socket is established. */
    void Establish();

    /** The attempt to connect has ended. @param now current time @param events of epoll */
    void HandleConnecting(Nanoseconds now, uint32_t events);

    /** Reads what the application takes. @param now current time */
    void Read(Nanoseconds now);

    /** The peer has sent its FIN, and nothing is left to read. @param now current time */
    void HandleFin(Nanoseconds now);

    /** Begins to send. @param source of pieces @param file see PosixOutbox::Begin() */
    void Begin(PieceSource& source, std::optional<int> file);

    /** Writes as much as there is room for. @param now current time */
    void Write(Nanoseconds now);

    /** Reports, once, that all is acknowledged, or looks again later. @param now current time */
    void CheckDrained(Nanoseconds now);

    /** Chooses which events of the socket are reported. */
    void Watch();

    /** Ends the connection later, and does nothing for it until then. @param loss what the user
     * learns */
    void LoseLater(StreamLoss loss);

    /** Ends the connection, and calls the user. @param now current time @param loss how */
    void Lose(Nanoseconds now, StreamLoss loss);

    /** Closes the socket, and keeps the last counts. @param resets with a RST, else with a FIN */
    void Shut(bool resets);

    /** Sets who is called. @param user application @param dataUser the same, of a data connection;
     * else null */
    void SetUsers(StreamUser* user, DataStreamUser* dataUser);

    PosixHostState& m_host;              //!< shared
    PosixSocket m_socket;                //!< closed at the end of the connection
    StreamTerms m_terms;                 //!< of this endpoint
    bool m_isAccepted;                   //!< this endpoint accepted
    bool m_isConnected{false};           //!< the handshake is complete
    bool m_isData{false};                //!< a data connection
    bool m_isReleased{false};            //!< its user has closed or reset it
    uint32_t m_depth{0};                 //!< of its callbacks that are under way
    uint64_t m_watch{0};                 //!< serial number; 0: not watched
    uint32_t m_events{0};                //!< that are watched
    StreamUser* m_user{nullptr};         //!< its application
    DataStreamUser* m_dataUser{nullptr}; //!< the same, of a data connection with blocks
    PosixInbox m_inbox;                  //!< reads
    PosixOutbox m_outbox;                //!< writes
    PosixFigures m_figures;              //!< counts
    bool m_isBlocked{false};             //!< it writes when the socket has room
    bool m_isWriteTimed{false};          //!< an event WRITE is scheduled
    bool m_isDrainTimed{false};          //!< an event DRAIN is scheduled
    bool m_isDraining{false};            //!< HandleDrained() is due
    Nanoseconds m_drainPauseNs{0};       //!< until the next look
    bool m_isFinNoticed{false};          //!< the peer has sent its FIN
    std::optional<StreamLoss> m_loss;    //!< see LoseLater()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_STREAM_H
