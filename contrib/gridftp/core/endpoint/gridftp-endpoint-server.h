/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENDPOINT_SERVER_H
#define GRIDFTP_ENDPOINT_SERVER_H

#include "gridftp-expected.h"
#include "gridftp-folder-files.h"
#include "gridftp-posix-host.h"
#include "gridftp-server-session.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Settings of an EndpointServer. */
struct EndpointServerSettings
{
    uint32_t address{PosixHostSettings::LOOPBACK}; //!< IPv4 on which it listens, host byte order
    uint16_t port{CONTROL_PORT};                   //!< of control connections; 0: any free one
    size_t mostSessions{256};                      //!< control connections at a time
    size_t mostDataConnections{256};               //!< of each session, in each direction
    bool allowsOtherHosts{false};                  //!< data connections may go to other hosts than
                                                   //!< the client's, as third-party transfers need
    ServerSettings session{};                      //!< of each session; it sets files, epoch, peers
                                                   //!< and modules itself

    /** Writes a line of the log; may be empty. @param line without a newline */
    std::function<void(const std::string& line)> log{};
};

/**
 * @ingroup gridftp
 * A GridFTP server on real sockets: anonymous FTP and MODE E over IPv4, for the files of one
 * folder. Each control connection has a ServerSession. Beyond the limit of sessions a client gets
 * reply 421.
 *
 * Contract: its owner makes it, calls Listen(), and then PosixLoop::Run(). Loop and folder outlive
 * it.
 */
class EndpointServer final : private ListenUser, private EventTarget
{
  public:
    /** @param loop of the process @param folder that it offers @param settings of it */
    EndpointServer(PosixLoop& loop,
                   const ServedFolder& folder,
                   const EndpointServerSettings& settings);
    ~EndpointServer() override;

    EndpointServer(const EndpointServer&) = delete;
    EndpointServer& operator=(const EndpointServer&) = delete;

    /** Listens for control connections. @return the port, or what the system refuses */
    Expected<uint16_t> Listen();

    /** Ends all sessions with reply 421, and listens no more. */
    void Stop();

    /** @return control connections that are open */
    size_t CountSessions() const
    {
        return m_sessions.size();
    }

  private:
    class Session;

    // ListenUser
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t port, ByteStream& stream) override;

    // EventTarget: sessions that are closed are destroyed
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** Writes a line of the log. @param line without a newline */
    void Log(const std::string& line) const;

    PosixLoop& m_loop;                                //!< of the process
    const ServedFolder& m_folder;                     //!< that it offers
    EndpointServerSettings m_settings;                //!< of it
    PosixHost m_control;                              //!< of control connections
    std::vector<std::unique_ptr<Session>> m_sessions; //!< open, or closed and to be destroyed
    uint64_t m_accepted{0};                           //!< sessions so far
    StreamUser m_nobody;                              //!< user of connections beyond the limit
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ENDPOINT_SERVER_H
