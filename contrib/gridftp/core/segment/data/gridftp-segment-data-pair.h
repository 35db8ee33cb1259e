/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_PAIR_H
#define GRIDFTP_SEGMENT_DATA_PAIR_H

#include "gridftp-block-scheduler.h"
#include "gridftp-block-stages.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-data-connections.h"
#include "gridftp-segment-data-security.h"
#include "gridftp-segment-data-sizing.h"
#include "gridftp-segment-sources.h"
#include "gridftp-segment-storage-sink.h"
#include "gridftp-send-pool.h"
#include "gridftp-start-jitter.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The data connections of a session between one host that sends and one that receives, and what of
 * a chunk goes over them.
 */
class SegmentDataPair final : private EventTarget,
                              private TcpConnection::User,
                              private SegmentDataSecurity::User
{
  public:
    /** What happens at the end that sends. */
    class Sender
    {
      public:
        virtual ~Sender() = default;

        /** All that the connections had is acknowledged. @param now of the simulation */
        virtual void HandleDrained(Nanoseconds now) = 0;

        /** A connection cannot go on. @param now of the simulation @param connection its number
         * @param isRefused nobody has accepted it */
        virtual void HandleDataFailed(Nanoseconds now, uint32_t connection, bool isRefused) = 0;
    };

    /** What happens at the end that receives. */
    class Receiver
    {
      public:
        virtual ~Receiver() = default;

        /** The end of data of each of the connections has come. @param now of the simulation */
        virtual void HandleArrived(Nanoseconds now) = 0;

        /** A connection has been reset. @param now of the simulation @param hasArrived its end of
         * data has come */
        virtual void HandleDataReset(Nanoseconds now, bool hasArrived) = 0;
    };

    /** What it is given; all that is pointed to outlives it. */
    struct Settings
    {
        const SessionSpec* spec{nullptr}; //!< the session
        const SegmentTcp* tcp{nullptr};   //!< of its data connections
        FlowTable* flows{nullptr};        //!< the table that they are in
        uint32_t session{0};              //!< index in the scenario
        uint32_t pair{0};                 //!< index among the session's
        FlowPath path;                    //!< from the host that sends to the one that receives
        StartJitter jitter;               //!< how late connections start
        SendPool* pool{nullptr};          //!< of the host that sends, where it has one
        BlockStages source;               //!< what blocks pass at the host that sends
        BlockStages sink;                 //!< what they pass at the one that receives
        const Outages* refusals{nullptr}; //!< when the host that receives accepts none, or null
        bool isVaried{false};             //!< packets overtake others on the path
        bool closesApart{false}; //!< its connections close packet by packet, where they are of one
                                 //!< way: the packets that close them hold up others
    };

    /** @param settings what it is given */
    explicit SegmentDataPair(const Settings& settings);

    SegmentDataPair(const SegmentDataPair&) = delete;
    SegmentDataPair& operator=(const SegmentDataPair&) = delete;

    /** @param sender hears of the one end @param receiver hears of the other; both outlive it */
    void SetEnds(Sender& sender, Receiver& receiver)
    {
        m_sender = &sender;
        m_receiver = &receiver;
    }

    /** @return clock of the host that sends */
    HostClock& GetSenderClock() const
    {
        return *m_settings.path.clocks[TcpConnection::ACTIVE];
    }

    /** @return clock of the host that receives */
    HostClock& GetReceiverClock() const
    {
        return *m_settings.path.clocks[TcpConnection::PASSIVE];
    }

    // The end that sends

    /** A chunk, and what of it goes over the connections. */
    struct Part
    {
        uint32_t chunk{0};       //!< index
        uint64_t offset{0};      //!< of the chunk in the file
        StripeRanges ranges;     //!< what of it
        uint32_t parallelism{1}; //!< N
        uint32_t first{0};       //!< number of the first connection
        uint32_t opening{0};     //!< of the file, see OpenSource()
    };

    /** A transfer command has the file opened at its host, for all pairs there. @return the opening
     */
    uint32_t OpenSource() const
    {
        return m_settings.source.storage.Open();
    }

    /** Begins with a chunk. @param now of the simulation @param part what */
    void Send(Nanoseconds now, const Part& part);

    /** @return how many connections it has opened since this was asked last */
    uint32_t TakeOpened()
    {
        return std::exchange(m_opened, 0);
    }

    /** Nothing more of the chunk is sent. */
    void EndSources()
    {
        m_data.EndSources();
    }

    /** The end that sends closes the connections. @param now of the simulation */
    void Close(Nanoseconds now)
    {
        if (std::exchange(m_kept, 0) > 0)
        {
            m_data.Close(0, now);
        }
    }

    // The end that receives

    /** OpenSource() at this end. @return the opening */
    uint32_t OpenSink() const
    {
        return m_settings.sink.storage.Open();
    }

    /** It waits for the next chunk from now on. The order to do so may come behind the first data
     * of the chunk, or even behind all of them: what has arrived counts. @param opening of the
     * file, see OpenSink() @return whether all of the chunk has arrived */
    bool Expect(uint32_t opening);

    /** @return a free TCP port of the host that receives; 0 if no router hashes flows */
    uint16_t TakePort()
    {
        return m_settings.flows->TakePort(m_settings.path, TcpConnection::PASSIVE);
    }

    /** @param port TCP port where the host that receives listens from now on */
    void SetPort(uint16_t port)
    {
        m_port = port;
    }

    /** @param isDeaf it accepts no connections from now on, or again */
    void SetDeaf(bool isDeaf)
    {
        m_isDeaf = isDeaf;
    }

    /** It closes the connections that are open. @param now of the simulation */
    void ClosePassive(Nanoseconds now)
    {
        m_data.ClosePassive(now);
    }

    /** It accepts no others behind those that are there. */
    void StopListening()
    {
        m_data.StopListening();
    }

    /** @param now of the simulation @return file bytes of the chunk that it has read */
    uint64_t GetRead(Nanoseconds now) const;

    /** @param now of the simulation @return file bytes of the chunk that are stored */
    uint64_t GetStored(Nanoseconds now);

    /** @param now of the simulation @param ranges gets what of the file is stored of the chunk,
     * where the client may begin anew */
    void AddStored(Nanoseconds now, MarkerRanges& ranges);

    /** @return from Send() to the last acknowledgement of the last chunk, ns */
    int64_t GetElapsedNs() const
    {
        return m_elapsedNs;
    }

    /** @return file bytes of the chunk under way */
    uint64_t GetChunkBytes() const
    {
        return m_scheduler->GetRanges().GetBytes();
    }

    /** No buffer is sized by SBUFs on the connections any more. */
    void EndDataSizings();

    // Both

    /** An end resets the connections. @param end which @param now of the simulation */
    void Reset(TcpConnection::End end, Nanoseconds now)
    {
        m_data.Reset(end, now);
    }

    /** An end resets one of them, if it has it, and takes that as it takes a reset of the other
     * end's. @param end which @param connection its number @param now of the simulation */
    void ResetOne(TcpConnection::End end, uint32_t connection, Nanoseconds now);

    /** @return its connections */
    const DataConnections& GetData() const
    {
        return m_data;
    }

    /** DataConnections::CountSkipped(). @param totals of connections that there were */
    void CountSkipped(const ConnectionTotals& totals)
    {
        m_data.CountSkipped(totals);
    }

    /** @return receive buffers, and what was measured of them */
    BufferTally GetBuffers() const;

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // TcpConnection::User
    void HandleConnected(TcpConnection& connection, Nanoseconds now) override;
    void HandleAccepted(TcpConnection& connection, Nanoseconds now) override;
    void HandleDelivered(TcpConnection& connection,
                         TcpConnection::End to,
                         Nanoseconds now) override;
    void HandleRead(TcpConnection& connection, Nanoseconds now) override;
    void HandleDrained(TcpConnection& connection, Nanoseconds now) override;
    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override;
    void HandleReset(TcpConnection& connection, TcpConnection::End to, Nanoseconds now) override;

    // SegmentDataSecurity::User
    void HandleSecured(TcpConnection& connection, Nanoseconds now) override;

    /** @return whether its connections begin with a handshake */
    bool IsSecured() const
    {
        return !m_handshake.empty();
    }

    /** @return whether their buffers are sized by SBUFs on them */
    bool IsSized() const
    {
        return m_settings.tcp->buffers.GetChannel() == SizingChannel::DATA;
    }

    /** @param index of a connection @return the handshake on it */
    SegmentDataSecurity& GetSecurity(uint32_t index);

    /** The first chunk begins on a connection, behind a handshake where there is one. @param index
     * of it @param now of the simulation */
    void BeginFirst(uint32_t index, Nanoseconds now);

    /** Begins the chunk on a connection. @param index of it @param now of the simulation @param
     * isKept it is open from the chunk before */
    void StartConnection(uint32_t index, Nanoseconds now, bool isKept);

    /** Opens a connection. @param index of it @param now of the simulation @return the connection
     */
    TcpConnection& Open(uint32_t index, Nanoseconds now);

    /** @return whether the chunk that is expected is not sent yet */
    bool IsExpected() const
    {
        return m_expectedChunks > m_sentChunks;
    }

    /** Has the blocks of a connection pass what takes time at both ends. @param index of it @param
     * source of its blocks */
    void UseStages(uint32_t index, BlockSource& source);

    /** @param index of a connection @return its receiving end; null where blocks take no time there
     */
    SegmentStorageSink* GetSink(uint32_t index);

    /** @param connection one of them @return its index */
    uint32_t IndexOf(const TcpConnection& connection) const;

    /** @param index of a connection @param now of the simulation @return file bytes of the chunk
     * that are stored of what it carries */
    uint64_t GetStoredOf(uint32_t index, Nanoseconds now);

    /** @param index of a connection @return what sizes its buffer by SBUFs on it */
    SegmentDataSizing& GetDataSizing(uint32_t index);

    Settings m_settings;                          //!< what it is given
    Handshake m_handshake;                        //!< of its connections; empty: none
    Sender* m_sender{nullptr};                    //!< hears of the end that sends
    Receiver* m_receiver{nullptr};                //!< hears of the end that receives
    DataConnections m_data;                       //!< the connections
    std::deque<SegmentDataSizing> m_dataSizings;  //!< by connection, where SBUFs are on them
    std::deque<SegmentDataSecurity> m_securities; //!< by connection, where there are handshakes
    std::optional<BlockScheduler> m_scheduler;    //!< of the last chunk
    std::deque<SegmentStorageSink> m_sinks;       //!< by connection, where storing takes time
    std::deque<BlockSource> m_sources;            //!< of the last chunk, by connection
    std::deque<std::vector<Block>> m_blocks;      //!< likewise, where the client may begin anew
    std::vector<bool> m_hasArrived;               //!< by connection: its end of data has
    uint32_t m_arrived{0};                        //!< how many have
    uint32_t m_undrained{0};                      //!< connections of which not all is acknowledged
    int64_t m_sentNs{0};                          //!< when Send() was called
    int64_t m_elapsedNs{0};                       //!< see GetElapsedNs()
    uint32_t m_chunk{0};                          //!< index of the last chunk
    uint64_t m_offset{0};                         //!< of that in the file
    uint32_t m_sourceOpening{0};                  //!< of the file, for the last chunk
    uint32_t m_sinkOpening{0};                    //!< likewise
    uint32_t m_firstConnection{0};                //!< number of the first one
    uint32_t m_kept{0};                           //!< connections open from the chunk before
    uint32_t m_opened{0};                         //!< see TakeOpened()
    uint64_t m_sentChunks{0};                     //!< calls of Send()
    uint64_t m_expectedChunks{0};                 //!< calls of Expect()
    uint16_t m_port{0};                           //!< see SetPort()
    bool m_isDeaf{false};                         //!< see SetDeaf()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_PAIR_H
