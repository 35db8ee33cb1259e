/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-endpoint-server.h"

#include <algorithm>
#include <ctime>

namespace ns3::gridftp
{

namespace
{

constexpr uint16_t FIRST_FREE_PORT = 1024; // lower ones belong to services (RFC 2577, Section 3)
constexpr size_t MOST_ON_HOLD = 64;        // connections beyond the limit that are being refused

/** @return Unix time, ns */
Nanoseconds
ReadUnixTime()
{
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

} // namespace

/** @ingroup gridftp @brief A session of an EndpointServer, with its hosts and its files. */
class EndpointServer::Session
{
  public:
    /** @param server it belongs to @param number of it, for the log @param stream accepted control
     * connection */
    Session(EndpointServer& server, uint64_t number, ByteStream& stream)
        : m_server(server),
          m_stream(stream),
          m_sender(server.m_loop, MakeHostSettings(server)),
          m_receiver(server.m_loop, MakeHostSettings(server)),
          m_files(server.m_folder, m_sender),
          m_session({server.m_control, m_sender, m_receiver},
                    [this](ServerState state) { HandleState(state); }),
          m_name("client " + std::to_string(number))
    {
        m_files.SetReceiver(m_session.GetDataTransfer().GetReceiver());
    }

    /** @param now current time @return who uses the control connection */
    StreamUser& Start(Nanoseconds now)
    {
        ServerSettings settings = m_server.m_settings.session;
        settings.files = &m_files;
        settings.hasModules = false;
        settings.leastPort = FIRST_FREE_PORT;
        settings.mostParallelism = static_cast<uint32_t>(m_server.m_settings.mostDataConnections);
        if (!m_server.m_settings.allowsOtherHosts)
        {
            settings.onlyPeer = m_server.m_control.GetPeerAddress(m_stream);
        }
        settings.epoch = ReadUnixTime() - now;
        return m_session.Start(now, settings, m_stream);
    }

    /** @return the session */
    ServerSession& Get()
    {
        return m_session;
    }

    /** @return its control connection */
    ByteStream& GetStream() const
    {
        return m_stream;
    }

    /** @return name of it in the log */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** @return whether it may be destroyed */
    bool IsClosed() const
    {
        return m_session.GetState() == ServerState::CLOSED;
    }

  private:
    /** @param server it belongs to @return settings of its hosts */
    static PosixHostSettings MakeHostSettings(const EndpointServer& server)
    {
        return {.address = server.m_settings.address,
                .peer = server.m_settings.address,
                .mostAccepted = server.m_settings.mostDataConnections};
    }

    /** Its state has changed. @param state the new one */
    void HandleState(ServerState state)
    {
        if (state == ServerState::CLOSED)
        {
            m_server.Log(m_name + " has left");
            m_server.m_loop.Schedule(m_server.m_loop.GetNow(), m_server, 0, &m_server);
        }
    }

    EndpointServer& m_server; //!< it belongs to
    ByteStream& m_stream;     //!< its control connection
    PosixHost m_sender;       //!< of data connections on which it sends
    PosixHost m_receiver;     //!< of data connections on which it receives
    FolderFiles m_files;      //!< that it opens
    ServerSession m_session;  //!< the session
    std::string m_name;       //!< in the log
};

EndpointServer::EndpointServer(PosixLoop& loop,
                               const ServedFolder& folder,
                               const EndpointServerSettings& settings)
    : m_loop(loop),
      m_folder(folder),
      m_settings(settings),
      m_control(loop,
                {.address = settings.address,
                 .peer = settings.address,
                 .mostAccepted = settings.mostSessions + MOST_ON_HOLD})
{
}

EndpointServer::~EndpointServer()
{
    for (const auto& session : m_sessions)
    {
        session->Get().Dispose(m_loop.GetNow());
    }
    m_loop.Drop(this);
}

void
EndpointServer::Log(const std::string& line) const
{
    if (m_settings.log)
    {
        m_settings.log(line);
    }
}

Expected<uint16_t>
EndpointServer::Listen()
{
    const uint16_t port =
        m_control.Listen(m_loop.GetNow(), m_settings.port, StreamTerms::OfLines("", 0), *this);
    if (port == 0)
    {
        return Error{"port " + std::to_string(m_settings.port) + ": " + m_control.GetError()};
    }
    return port;
}

void
EndpointServer::Stop()
{
    m_control.StopListening();
    for (const auto& session : m_sessions)
    {
        session->Get().Close(m_loop.GetNow(), {421, {"The server stops."}});
    }
}

StreamUser*
EndpointServer::HandleAccepted(Nanoseconds now, uint16_t /* port */, ByteStream& stream)
{
    if (m_sessions.size() >= m_settings.mostSessions)
    {
        static constexpr std::string_view BUSY = "421 Too many clients, try again later.\r\n";
        stream.Say(now, {reinterpret_cast<const uint8_t*>(BUSY.data()), BUSY.size()});
        stream.Close(now);
        Log("a client was refused: " + std::to_string(m_sessions.size()) + " are there");
        return &m_nobody;
    }
    m_sessions.push_back(std::make_unique<Session>(*this, ++m_accepted, stream));
    Log(m_sessions.back()->GetName() + " has connected");
    return &m_sessions.back()->Start(now);
}

void
EndpointServer::HandleEvent(Nanoseconds now, uint32_t /* id */)
{
    for (const auto& session : m_sessions)
    {
        if (session->IsClosed())
        {
            session->Get().Dispose(now);
            m_control.Forget(session->GetStream());
        }
    }
    std::erase_if(m_sessions, [](const auto& session) { return session->IsClosed(); });
}

} // namespace ns3::gridftp
