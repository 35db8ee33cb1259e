/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONTROL_CHANNEL_H
#define GRIDFTP_SEGMENT_CONTROL_CHANNEL_H

#include "gridftp-control-text.h"
#include "gridftp-middlebox.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-connection.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The control connection of a session of the segment engine: a TCP connection of two ways that
 * carries lines. Lines have their true lengths; what they say is a number.
 */
class SegmentControlChannel final : private TcpConnection::User
{
  public:
    /** The client's end, which connects. */
    static constexpr auto CLIENT = TcpConnection::ACTIVE;
    /** The server's end. */
    static constexpr auto SERVER = TcpConnection::PASSIVE;

    /** Who talks over it. */
    class User
    {
      public:
        virtual ~User() = default;

        /** The client is connected. @param now of the simulation */
        virtual void HandleControlConnected(Nanoseconds /* now */)
        {
        }

        /** The server has accepted. @param now of the simulation */
        virtual void HandleControlAccepted(Nanoseconds now) = 0;

        /** A line has come. @param to which end @param now of the simulation @param message what it
         * says */
        virtual void HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message) = 0;

        /** It cannot go on. @param now of the simulation @param reason for a person */
        virtual void HandleControlFailed(Nanoseconds now, const char* reason) = 0;

        /** The server has lost it. @param now of the simulation */
        virtual void HandleControlLost(Nanoseconds /* now */)
        {
        }
    };

    /**
     * @param flows the table of its connection; outlives it
     * @param tcp its TCP; outlives it
     * @param path from the client, end 0, to the server
     * @param user who talks over it; outlives it
     * @param refusals when the server's host accepts nobody, of one that something may go wrong
     * with, else null; outlives it
     * @param rules when a middlebox forgets it
     * @param closesApart see TcpConnection::Use
     * @param port where the server listens
     */
    SegmentControlChannel(FlowTable& flows,
                          const SegmentTcp& tcp,
                          const FlowPath& path,
                          User& user,
                          const Outages* refusals = nullptr,
                          std::vector<IdleRule> rules = {},
                          bool closesApart = false,
                          uint16_t port = CONTROL_PORT);

    SegmentControlChannel(const SegmentControlChannel&) = delete;
    SegmentControlChannel& operator=(const SegmentControlChannel&) = delete;

    /** The client connects. @param now of the simulation */
    void Connect(Nanoseconds now)
    {
        m_connection->Connect(now);
    }

    /**
     * An end writes a line.
     * @param from which end
     * @param now of the simulation
     * @param bytes its length, at least 1
     * @param message what it says
     */
    void Write(TcpConnection::End from, Nanoseconds now, uint32_t bytes, uint32_t message);

    /** The client closes, since the server has closed. */
    void Close()
    {
        m_connection->CloseAfterReading();
    }

    /** The server closes behind what it has written. @param now of the simulation */
    void CloseServer(Nanoseconds now)
    {
        m_connection->ClosePassive(now);
    }

    /** The client closes, whatever the server does. @param now of the simulation */
    void Leave(Nanoseconds now)
    {
        m_connection->Leave(now);
    }

    /** An end resets it. @param end which @param now of the simulation */
    void Reset(TcpConnection::End end, Nanoseconds now)
    {
        m_connection->Reset(end, now);
    }

    /** @return whether the server's host knows of it */
    bool IsKnown() const
    {
        return m_connection->IsKnown();
    }

    /** @return what carries the lines */
    TcpConnection& GetConnection() const
    {
        return *m_connection;
    }

    /** @param state gets the lines on their way */
    void AddState(SegmentState& state) const;

    /** Nothing is sent any more. */
    void Stop()
    {
        m_connection->Stop();
    }

  private:
    /** A line on its way. */
    struct Line
    {
        uint64_t end;     //!< first byte of the stream behind it
        uint32_t message; //!< what it says
    };

    // TcpConnection::User
    void HandleConnected(TcpConnection& connection, Nanoseconds now) override;
    void HandleAccepted(TcpConnection& connection, Nanoseconds now) override;
    void HandleDelivered(TcpConnection& connection,
                         TcpConnection::End to,
                         Nanoseconds now) override;
    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override;
    void HandleReset(TcpConnection& connection, TcpConnection::End to, Nanoseconds now) override;

    User* m_user;                                  //!< who talks over it
    MiddleboxEntry m_entry;                        //!< of the connection in a middlebox
    TcpConnection* m_connection;                   //!< what carries the lines
    std::deque<Line> m_lines[TcpConnection::ENDS]; //!< written and not read yet, by writer
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONTROL_CHANNEL_H
