/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENDPOINT_CLIENT_H
#define GRIDFTP_ENDPOINT_CLIENT_H

#include "gridftp-expected.h"
#include "gridftp-file-descriptor.h"
#include "gridftp-posix-host.h"
#include "gridftp-stored-file.h"
#include "gridftp-transfer-client.h"
#include "gridftp-transfer-journal.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Progress of an EndpointClient. */
struct EndpointProgress
{
    uint64_t movedBytes{0};          //!< of the file so far, as far as the client knows
    std::optional<uint64_t> bytes{}; //!< size of the file; none: not known yet
    uint32_t parallelism{0};         //!< N of the present chunk
};

/** @ingroup gridftp @brief Settings of an EndpointClient. */
struct EndpointClientSettings
{
    TransferClientSettings transfer{}; //!< servers, paths, direction, tuner and so on; `restart` is
                                       //!< not used
    std::string localPath{};           //!< of the file on this host; not with third-party transfers
    std::string journal{};             //!< file that records what the receiver has; empty: none

    /** Called for each chunk that is complete; may be empty. @param record of it */
    std::function<void(const ChunkRecord& record)> chunkHandler{};

    /** Called after a failure that another attempt follows, before the wait; may be empty. @param
     * restart why, and when */
    std::function<void(const RestartResult& restart)> restartHandler{};
};

/**
 * @ingroup gridftp
 * A GridFTP client on real sockets: moves one file with a TransferClient.
 *
 * A file that it stores has its final name when it is complete, and not before. With a journal, the
 * data of an attempt that did not complete are kept, and a later client with the same journal
 * continues there, also if the process was killed.
 *
 * Contract: its owner makes it, calls Start() and, if that returns no error, PosixLoop::Run(),
 * which returns when the client is done, has failed or was stopped. The loop outlives it.
 */
class EndpointClient final : private TransferClient::Owner, private EventTarget
{
  public:
    /** @param loop of the process @param settings as given by the user */
    EndpointClient(PosixLoop& loop, const EndpointClientSettings& settings);
    ~EndpointClient() override;

    EndpointClient(const EndpointClient&) = delete;
    EndpointClient& operator=(const EndpointClient&) = delete;

    /** Opens the local file and the journal, and connects. @return nothing, or what the system
     * refuses, one line */
    Done Start();

    /** Stops, as at Ctrl-C. */
    void Stop();

    /** @return the client */
    const TransferClient& GetClient() const
    {
        return m_client;
    }

    /** @return after PosixLoop::Run(): why it failed, one line; empty: the file is complete */
    std::string GetFailure() const;

    /** @return how far it is */
    EndpointProgress GetProgress() const;

  private:
    /** Hosts of an attempt. */
    struct Attempt
    {
        /** @param loop of the process @param settings of the hosts */
        Attempt(PosixLoop& loop, const PosixHostSettings& settings)
            : control(loop, settings),
              sender(loop, settings),
              receiver(loop, settings)
        {
        }

        PosixHost control;  //!< of control connections
        PosixHost sender;   //!< of data connections on which it sends
        PosixHost receiver; //!< of data connections on which it receives
    };

    // TransferClient::Owner
    ChannelHosts MakeChannels(Nanoseconds now) override;
    void HandleSession(ClientSession& session) override;
    Expected<FileSequence> FindFiles(Nanoseconds now, std::optional<uint64_t> fileBytes) override;
    void HandleState(Nanoseconds now, ClientState state) override;
    void HandleParallelism(uint32_t parallelism) override;
    void HandleChunkCompleted(Nanoseconds now, const ChunkRecord& record) override;

    // EventTarget: the journal is due
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    /** @return direction of the data */
    Direction GetDirection() const
    {
        return m_settings.transfer.session.direction;
    }

    /** Opens the local file that is sent. @return nothing, or what the system refuses */
    Done OpenSource();

    /** Opens the local file that is stored. @param continues whether an earlier process has stored
     * a part of it @return nothing, or what the system refuses */
    Done OpenSink(bool continues);

    /** @param offset of a range of the local file @param bytes in it @return its checksum, or why
     * there is none */
    TextResult<std::unique_ptr<FileChecksum>> MakeChecksum(uint64_t offset, uint64_t bytes) const;

    /** @return the transfer, for the journal */
    std::string NameTransfer() const;

    /** @return ranges of the file that the receiver has by now, as far as the client knows */
    MarkerRanges FindHeld() const;

    /** Writes the journal, if there is one. @return nothing, or what the system refuses */
    Done WriteJournal() const;

    /** Fails because of this host. @param done nothing, or what the system refuses */
    void Check(const Done& done);

    /** Gives the stored file its final name, and removes the journal. */
    void Complete();

    PosixLoop& m_loop;                                //!< of the process
    EndpointClientSettings m_settings;                //!< of it
    PosixHostSettings m_hosts;                        //!< of each attempt
    PosixHost m_timers;                               //!< of the client's timers
    std::vector<std::unique_ptr<Attempt>> m_attempts; //!< hosts of all attempts
    FileDescriptor m_source;                          //!< local file that is sent, or none
    std::unique_ptr<StoredFile> m_sink;               //!< local file that is stored; null: none
    std::optional<uint64_t> m_bytes;                  //!< size of the file; none: not known yet
    int64_t m_sourceTime{0};                          //!< modification of the file that is sent, ns
    TransferJournal m_journal{"", ""};                //!< of the transfer
    TransferJournal::Entry m_begin;                   //!< of the journal at the beginning
    std::string m_failure;                            //!< failure of this host, such as of its disk
    bool m_isMoved{false};                            //!< all data are at the receiver
    bool m_isStopped{false};                          //!< see Stop()
    uint32_t m_parallelism{0};                        //!< N of the present chunk
    TransferClient m_client;                          //!< moves the file
};

} // namespace ns3::gridftp

#endif // GRIDFTP_ENDPOINT_CLIENT_H
