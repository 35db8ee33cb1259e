/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_HOST_H
#define GRIDFTP_POSIX_HOST_H

#include "gridftp-data-host.h"
#include "gridftp-posix-host-state.h"
#include "gridftp-posix-listener.h"
#include "gridftp-posix-loop.h"
#include "gridftp-posix-socket.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

class PosixStream;

/** @ingroup gridftp @brief Addresses and limits of a PosixHost. */
struct PosixHostSettings
{
    static constexpr uint32_t LOOPBACK = 0x7f000001; //!< 127.0.0.1

    uint32_t address{LOOPBACK}; //!< IPv4, host byte order: listeners and connections are bound to
                                //!< it; 0: to all addresses of the host
    uint32_t peer{LOOPBACK};    //!< IPv4, host byte order: where Connect() goes
    size_t mostAccepted{1024};  //!< most connections that it has accepted and that are open; it
                                //!< closes others at once
};

/**
 * @ingroup gridftp
 * The driver of real sockets: the host of an application without I/O, with TCP of Linux over IPv4.
 * CPU and storage take as long as they take: AskCpu() returns at once, and no stage is timed.
 *
 * Memory: each connection that sends needs at most PosixOutbox::PORTION bytes, besides messages
 * that are not written yet. What a connection reads needs PosixHostState::READ_BYTES for all of
 * them. Closed connections keep a few hundred bytes until the host is destroyed, since an
 * application may ask for their counts.
 *
 * Contract: its owner makes one for each data transfer process or application, destroys the
 * application first, then the host, then the loop. The destructor closes all connections and drops
 * all events, and calls nobody. Streams, users and event targets are called from PosixLoop::Run().
 */
class PosixHost final : public DataHost, private PosixListener::Owner
{
  public:
    /** @param loop outlives it @param settings addresses and limits */
    explicit PosixHost(PosixLoop& loop, const PosixHostSettings& settings = {});

    ~PosixHost() override;

    PosixHost(const PosixHost&) = delete;
    PosixHost& operator=(const PosixHost&) = delete;

    /** @param file descriptor of what DataStream::SendPieces() sends from now on, open for pread(),
     * until the chunk is sent; not owned. -1: none */
    void SetSource(int file)
    {
        m_state.source = file;
    }

    /** @return what the system refused last, one line; empty: nothing so far */
    const std::string& GetError() const
    {
        return m_error;
    }

    /** @return open connections that it has accepted */
    size_t CountAccepted() const
    {
        return m_state.accepted;
    }

    /** @param stream of this host @return IPv4 address of its peer, host byte order; 0: the stream
     * is closed, or not of this host */
    uint32_t GetPeerAddress(const ByteStream& stream) const;

    /** Destroys a closed stream, whose counts nobody asks for any more. Not within a call of its
     * user. @param stream of this host; no effect where it is open */
    void Forget(const ByteStream& stream);

    // ApplicationHost
    /** As ApplicationHost::Connect(). Where the system refuses, such as an unknown congestion
     * control, the user is called with StreamLoss::REFUSED later, from the event loop. @param now
     * current time @param port of the peer @param terms of this endpoint @param user called from
     * now on @return this endpoint */
    ByteStream& Connect(Nanoseconds now,
                        uint16_t port,
                        const StreamTerms& terms,
                        StreamUser& user) override;
    /** As ApplicationHost::Listen(). @param now current time @param port 0: an ephemeral one @param
     * terms of this endpoint of each connection @param user called for each connection @return the
     * port; 0: the system refuses, see GetError() */
    uint16_t Listen(Nanoseconds now,
                    uint16_t port,
                    const StreamTerms& terms,
                    ListenUser& user) override;
    void StopListening() override;
    void Schedule(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;
    void ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override;

    // DataHost
    /** As Connect(), to any host. @param now current time @param to where the peer listens @param
     * terms of this endpoint @param user called from now on @return this endpoint */
    ByteStream& ConnectTo(Nanoseconds now,
                          const HostPort& to,
                          const StreamTerms& terms,
                          StreamUser& user) override;
    void SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target) override;
    void CancelAlarm(EventTarget& target) override;
    DataStream* OpenData(Nanoseconds now,
                         const HostPort& to,
                         const StreamTerms& terms,
                         DataStreamUser& user) override;
    std::optional<uint16_t> ListenForData(Nanoseconds now,
                                          const StreamTerms& terms,
                                          DataListenUser& user) override;
    Nanoseconds AskCpu(Nanoseconds now, const CpuWork& work) override;
    BlockStages FindSourceStages(const BufferSpec& buffers, uint64_t offset) override;
    BlockStages FindSinkStages(const BufferSpec& buffers) override;

  private:
    /** A listener and who uses it. */
    struct Listening
    {
        std::shared_ptr<PosixListener> listener; //!< accepts
        uint16_t port;                           //!< on which it listens
        StreamTerms terms;                       //!< of its connections
        ListenUser* user;                        //!< called for each of them, or null
        DataListenUser* dataUser;                //!< called for each data connection, or null
    };

    // PosixListener::Owner
    void HandleSocket(Nanoseconds now, const PosixListener& listener, PosixSocket socket) override;

    /** Listens. @param port 0: an ephemeral one @param terms of its connections @param user called
     * for each of them, or null @param dataUser called for each data connection, or null @return
     * the port; none: the system refuses */
    std::optional<uint16_t> Open(uint16_t port,
                                 const StreamTerms& terms,
                                 ListenUser* user,
                                 DataListenUser* dataUser);

    /** Begins to connect. @param to peer @param terms of this endpoint @param[out] socket the
     * socket
     * @return 0: it connects; else errno */
    int BeginConnect(const HostPort& to, const StreamTerms& terms, PosixSocket& socket);

    /** @param socket of a new connection @param terms of this endpoint @param isAccepted whether
     * this endpoint accepted it @return the endpoint */
    PosixStream& Add(PosixSocket socket, const StreamTerms& terms, bool isAccepted);

    PosixLoop& m_loop;                                   //!< event loop
    PosixHostSettings m_settings;                        //!< addresses and limits
    PosixHostState m_state;                              //!< for its connections
    std::string m_error;                                 //!< see GetError()
    std::vector<Listening> m_listening;                  //!< open listeners
    std::vector<std::unique_ptr<PosixStream>> m_streams; //!< all connections
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_HOST_H
