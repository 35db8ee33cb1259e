/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_SECURITY_H
#define GRIDFTP_SEGMENT_DATA_SECURITY_H

#include "gridftp-handshake.h"
#include "gridftp-host-cpu.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-connection.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The handshake on a data connection of the segment engine, before its first block: both ends of
 * it, what DataSecurity is in engine ns3. Messages have their true lengths.
 */
class SegmentDataSecurity final : private EventTarget
{
  public:
    /** Who uses the connection. */
    class User
    {
      public:
        virtual ~User() = default;

        /** The end that connects has said its last word. @param connection which @param now of the
         * simulation */
        virtual void HandleSecured(TcpConnection& connection, Nanoseconds now) = 0;
    };

    /** What it is given; all that is pointed to outlives it. */
    struct Settings
    {
        const SecuritySpec* security{nullptr}; //!< of the session
        const Handshake* messages{nullptr};    //!< of the handshake
        HostCpu* cpus[TcpConnection::ENDS]{};  //!< of the hosts of both ends; null: nothing costs
                                               //!< CPU time there
    };

    /** @param settings what it is given @param user of the connection; outlives it */
    SegmentDataSecurity(const Settings& settings, User& user)
        : m_settings(settings),
          m_user(&user)
    {
    }

    SegmentDataSecurity(const SegmentDataSecurity&) = delete;
    SegmentDataSecurity& operator=(const SegmentDataSecurity&) = delete;

    /** It is of a new connection. @param connection which; outlives it */
    void Renew(TcpConnection& connection);

    /** @param end of the connection @return whether it has said and heard all */
    bool IsDone(TcpConnection::End end) const
    {
        return m_ends[end].progress.IsDone();
    }

    /** The end that connects has done so. @param now of the simulation */
    void HandleConnected(Nanoseconds now)
    {
        Say(TcpConnection::ACTIVE, now);
    }

    /** Something has come that is perhaps of the handshake. @param end where @param now of the
     * simulation */
    void HandleRead(TcpConnection::End end, Nanoseconds now);

    /** @param messages of a handshake @param end of a connection @return bytes that it sends */
    static uint64_t CountBytes(const Handshake& messages, TcpConnection::End end);

  private:
    /** An end. */
    struct Half
    {
        HandshakeProgress progress; //!< how far it has come
        uint64_t read{0};           //!< bytes of the handshake that it has read
        uint32_t bytes{0};          //!< that it says when it has computed
        int64_t dueNs{NEVER};       //!< when that is
    };

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** An end computes, and says, what it is its turn to say. @param end which @param now of the
     * simulation */
    void Say(TcpConnection::End end, Nanoseconds now);

    /** An end writes a message. @param end which @param now of the simulation @param bytes of it */
    void Write(TcpConnection::End end, Nanoseconds now, uint32_t bytes);

    Settings m_settings;                  //!< what it was given
    User* m_user;                         //!< of the connection
    TcpConnection* m_connection{nullptr}; //!< which
    Half m_ends[TcpConnection::ENDS];     //!< both
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_SECURITY_H
