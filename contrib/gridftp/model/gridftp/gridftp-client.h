/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CLIENT_H
#define GRIDFTP_CLIENT_H

#include "gridftp-secured-application.h"
#include "gridftp-session-sockets.h"
#include "gridftp-transfer-client.h"
#include "gridftp-tuner.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A GridFTP client on a node of ns-3: a TransferClient with attributes and trace sources.
 */
class Client : public SecuredApplication, private TransferClient::Owner
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    Client();
    ~Client() override;

    /** @param addresses of the DataTransferProcesses that it has in place of one on its node, by
     * stripe; before it starts */
    void SetDataTransferProcesses(const std::vector<Address>& addresses);

    /** @param files that it moves, in place of those of its attributes; before it starts */
    void SetFiles(FileSequence files)
    {
        m_files = std::move(files);
    }

    /** @return the files that are complete */
    const std::vector<FileRecord>& GetFiles() const;

    /** Counts over the data connections of each pair of stripes so far. */
    using SendersCallback = Callback<std::vector<ConnectionTotals>>;

    /** @param count what the hosts that send tell after each chunk, where others than the client
     * do; without it a tuner hears of no losses there (ChunkSample); before it starts */
    void SetSenders(SendersCallback count);

    /** @param ranges of the file, of MergeRanges(), that the receiver has already; before it starts
     */
    void SetRestart(const MarkerRanges& ranges)
    {
        m_restart = ranges;
    }

    /**
     * The data transfer process on its own node is killed.
     * @param duration after which it is there again; 0: never
     */
    void KillDataTransfer(Time duration);

    /**
     * A foreign host connects to its data port, if that is open, and closes.
     * @param duration after which it closes; 0: never
     */
    void AcceptForeign(Time duration);

    /**
     * A data connection that it has accepted is reset from within its host.
     * @param socket the connection
     */
    void BreakAccepted(Ptr<Socket> socket);

    /**
     * A data connection that it sends on is reset from within its host.
     * @param connection index among the connections of all stripes
     */
    void BreakOpened(uint32_t connection);

    /** @return bytes of chunks, complete or not, that it has stored on its own node */
    uint64_t GetStoredBytes() const;

    /** @return its new tries so far */
    const std::vector<RestartResult>& GetRestarts() const;

    /** @return of the file: what the receiver has, as far as it is known here */
    MarkerRanges FindHeld() const;

    /** @return what it is doing */
    ClientState GetState() const;

    /** @return why it failed; empty unless it did */
    const std::string& GetReason() const;

    /**
     * @return the record so far, with the reason while it is not done; the counts cover data
     *         connections on which it sends (upload)
     */
    SessionResult GetResult() const;

    /** @return counts over the data connections that it sent on (upload), by receiver, in the order
     * of StripePlan */
    std::vector<ConnectionTotals> GetPairTotals() const;

    /** @return receive buffers of data connections on which it receives (download) */
    BufferTally GetBufferTally() const;

    int64_t AssignStreams(int64_t stream) override;

    /**
     * The first transfer command of a chunk, ESTO or ERET, is about to be sent.
     * @param index of the chunk
     */
    typedef void (*StartedTracedCallback)(uint64_t index);

    /**
     * A chunk is complete and the parallelism adjusted.
     * @param record of the chunk
     */
    typedef void (*ChunkTracedCallback)(const ChunkRecord& record);

    /**
     * The state has changed.
     * @param before the old one
     * @param now the new one
     */
    typedef void (*StateTracedCallback)(ClientState before, ClientState now);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    // TransferClient::Owner
    ChannelHosts MakeChannels(Nanoseconds now) override;
    Expected<FileSequence> FindFiles(Nanoseconds now, std::optional<uint64_t> fileBytes) override;
    void HandleState(Nanoseconds now, ClientState state) override;
    void HandleParallelism(uint32_t parallelism) override;
    void HandleChunkStarted(uint64_t index) override;
    void HandleChunkCompleted(Nanoseconds now, const ChunkRecord& record) override;
    std::optional<std::vector<ConnectionTotals>> CountSenders() override;

    /** @return settings of the machine */
    TransferClientSettings MakeSettings() const;

    /** @return settings of its sessions */
    ClientSettings MakeSessionSettings() const;

    /** @return the files that its attributes specify */
    FileSequence MakeFiles() const;

    /** @return number of stripes */
    StripeCounts GetStripes() const
    {
        return {m_senders, m_receivers};
    }

    /** @return the data transfer process of the present attempt; null: there is none */
    LocalDataTransfer* GetDataTransfer() const;

    // Attributes
    Address m_remote;              //!< control port of the server
    Address m_sender;              //!< of the server that sends, third party
    TypeId m_controlTcp;           //!< TCP of control connections
    TypeId m_dataTcp;              //!< TCP of data connections
    Direction m_direction{};       //!< of the data
    DataChannels m_channels{};     //!< new data connections for each chunk, or persistent ones
    Layout m_layout{};             //!< which connection carries which block
    uint64_t m_fileBytes{0};       //!< size of a file
    uint32_t m_fileCount{0};       //!< number of files
    Time m_repeatFor;              //!< for how long it repeats them
    uint32_t m_pipelining{1};      //!< most chunks requested at a time
    uint64_t m_chunkBytes{0};      //!< X
    uint64_t m_blockBytes{0};      //!< payload of a block
    uint32_t m_senders{1};         //!< stripes that send
    uint32_t m_receivers{1};       //!< stripes that receive
    StripeTuning m_stripeTuning{}; //!< whether each pair of stripes has a policy of its own
    StripeLayout m_stripeLayout{}; //!< which stripe has which part
    uint64_t m_stripeBlock{0};     //!< of a blocked layout
    uint32_t m_rttSamples{0};      //!< M
    TunerWindow m_tunerWindow{};   //!< W that its tuner reads
    Time m_startJitter;            //!< random delay of data connections
    uint32_t m_retries{0};         //!< most new attempts
    Time m_retryWait;              //!< before the first one
    Time m_retryWaitMost;          //!< longest such wait
    Time m_stallTimeout;           //!< limit of its waits
    Time m_keepalive;              //!< idle time after which it sends NOOP
    uint64_t m_minRate{0};         //!< rate below which it gives up, bit/s
    Time m_minRatePeriod;          //!< over which that rate is the mean
    Ptr<Tuner> m_tuner;            //!< makes what decides N

    // Set by functions
    std::vector<HostPort> m_stripes;     //!< its DTPs on other hosts
    std::optional<FileSequence> m_files; //!< see SetFiles()
    SendersCallback m_senderTotals;      //!< see SetSenders()
    MarkerRanges m_restart;              //!< see SetRestart()
    uint64_t m_session{0};               //!< key of the random start jitter
    Time m_dataDeadUntil;                //!< see KillDataTransfer()

    Ptr<SocketHost> m_control;                               //!< of control connections and timers
    std::vector<std::unique_ptr<SessionSockets>> m_attempts; //!< data connections of all attempts
    std::unique_ptr<TransferClient> m_machine;               //!< the client; null: not started
    TracedValue<uint32_t> m_parallelism{0};                  //!< N
    TracedValue<ClientState> m_state{ClientState::IDLE};     //!< of the machine
    TracedCallback<Ptr<Socket>, uint64_t, uint32_t> m_connection; //!< it opens a data connection
    TracedCallback<Ptr<Socket>> m_dataAccepted;                   //!< it has accepted one
    TracedCallback<uint64_t> m_chunkStarted;                      //!< a chunk starts
    TracedCallback<const ChunkRecord&> m_chunkCompleted;          //!< a chunk is complete
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CLIENT_H
