/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DTP_H
#define GRIDFTP_SEGMENT_DTP_H

#include "gridftp-dtp-text.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-segment-data-pair.h"
#include "gridftp-storage.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Data transfer processes (DTPs, Allcock et al., Section 5): what has the data connections of a
 * host, and does what a protocol interpreter (PI) says.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Between two reports of a DTP that receives, and so between two 112
 * markers, ns (Server's attribute MarkerInterval). */
inline constexpr int64_t MARKER_INTERVAL_NS = 5'000'000'000;

/** @ingroup gridftp @brief The first free port of a host in engine ns3: it gives lines their
 * lengths.
 */
inline constexpr uint16_t FIRST_PORT = 49153;

/** @ingroup gridftp @brief A DTP, as its PI has it: on the same host, or on another one. */
class SegmentDtp
{
  public:
    /** Who hears of it. */
    class User
    {
      public:
        virtual ~User() = default;

        /** It tells something. @param stripe which it is @param now of the simulation @param notice
         * what */
        virtual void HandleNotice(uint32_t stripe, Nanoseconds now, const DtpNotice& notice) = 0;
    };

    virtual ~SegmentDtp() = default;

    /** It is told to do something. @param now of the simulation @param command what */
    virtual void Order(Nanoseconds now, const DtpCommand& command) = 0;

    /** Its PI lets go of it without a word: it lets go of everything. @param now of the simulation
     */
    virtual void Drop(Nanoseconds now) = 0;
};

/** @ingroup gridftp @brief A DTP that sends. */
class SegmentSendingDtp final : public SegmentDtp,
                                private EventTarget,
                                private SegmentDataPair::Sender
{
  public:
    /**
     * @param stripe which it is
     * @param closesAtEnd it closes its connections at the goodbye; else the other end does
     */
    SegmentSendingDtp(uint32_t stripe, bool closesAtEnd)
        : m_stripe(stripe),
          m_closesAtEnd(closesAtEnd)
    {
    }

    /** @param outages in which it is dead @param chunk that it sends first, counted from 0 */
    void Begin(const Outages& outages, uint32_t chunk)
    {
        m_outages = outages;
        m_chunks = chunk;
    }

    /** @param chunk that it sends next, counted from 0 */
    void SetChunk(uint32_t chunk)
    {
        m_chunks = chunk;
    }

    /** It is killed. @param now of the simulation @param tells its PI hears of it at once */
    void Die(Nanoseconds now, bool tells);

    /** @param pair of its data connections, by receiver; outlives it */
    void Add(SegmentDataPair& pair)
    {
        m_pairs.push_back(&pair);
    }

    /** @return what Add() has told of */
    const std::vector<SegmentDataPair*>& GetPairs() const
    {
        return m_pairs;
    }

    /** @return who hears of its connections */
    SegmentDataPair::Sender& GetSender()
    {
        return *this;
    }

    /** @param user hears of it; outlives it */
    void SetUser(User& user)
    {
        m_user = &user;
    }

    // SegmentDtp
    void Order(Nanoseconds now, const DtpCommand& command) override;

    void Drop(Nanoseconds now) override
    {
        Abort(now);
    }

    /** A chunk is skipped, which would have gone as the last one. */
    void SkipChunk()
    {
        ++m_chunks;
    }

    /** @param state gets what is under way */
    void AddState(SegmentState& state) const
    {
        state.Add(m_undrained);
        state.Add(m_isBusy);
        state.Add(m_done.has_value());
    }

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // SegmentDataPair::Sender
    void HandleDrained(Nanoseconds now) override;
    void HandleDataFailed(Nanoseconds now, uint32_t connection, bool isRefused) override;

    /** Sends. @param now of the simulation @param order what */
    void Send(Nanoseconds now, const DtpOrder& order);

    /** Nothing more of the chunk is sent. */
    void EndSources();

    /** Closes its connections. @param now of the simulation */
    void Close(Nanoseconds now);

    /** Resets its connections. @param now of the simulation */
    void Abort(Nanoseconds now);

    uint32_t m_stripe;                     //!< which it is
    bool m_closesAtEnd;                    //!< see the constructor
    User* m_user{nullptr};                 //!< hears of it
    std::vector<SegmentDataPair*> m_pairs; //!< its data connections, by receiver
    std::vector<HostPort> m_receivers;     //!< where they go to
    Outages m_outages;                     //!< see Begin()
    uint32_t m_chunks{0};                  //!< sent so far, the one under way included
    uint32_t m_undrained{0};               //!< pairs of which not all is acknowledged
    bool m_tellsTimes{false};              //!< of pairs, with the end of the chunk
    std::optional<DtpNotice> m_done;       //!< its PI is about to hear it
    bool m_isBusy{false};                  //!< a chunk is under way
};

/** @ingroup gridftp @brief A DTP that receives. */
class SegmentReceivingDtp final : public SegmentDtp,
                                  private EventTarget,
                                  private SegmentDataPair::Receiver
{
  public:
    /** @param stripe which it is @param reports it tells every now and then what it has */
    SegmentReceivingDtp(uint32_t stripe, bool reports)
        : m_stripe(stripe),
          m_reports(reports)
    {
    }

    /** @param pair of its data connections, by sender; outlives it */
    void Add(SegmentDataPair& pair)
    {
        m_pairs.push_back(&pair);
    }

    /** @return who hears of its connections */
    SegmentDataPair::Receiver& GetReceiver()
    {
        return *this;
    }

    /** @param user hears of it; outlives it */
    void SetUser(User& user)
    {
        m_user = &user;
    }

    /** What is said to it before all. */
    struct Beginning
    {
        Outages outages{};            //!< in which it is dead
        uint32_t ports{0};            //!< how many free ports of its host have been taken before
        int64_t limitNs{NEVER};       //!< how long it waits for data
        bool tellsRanges{false};      //!< its reports tell what of the file is stored
        const Storage* sink{nullptr}; //!< what it writes to; null: that takes no time
    };

    /** @param beginning what it has to know */
    void Begin(const Beginning& beginning)
    {
        m_beginning = beginning;
        m_ports = beginning.ports;
    }

    /** @return how many free ports of its host have been taken: each time it listens it takes one
     */
    uint32_t GetPorts() const
    {
        return m_ports;
    }

    /** @param count of free ports of its host that others have taken */
    void SkipPorts(uint32_t count)
    {
        m_ports += count;
    }

    /** It is killed. @param now of the simulation @param tells its PI hears of it at once */
    void Die(Nanoseconds now, bool tells);

    /**
     * A foreign host connects, if it listens: the connection is accepted, carries nothing, and is
     * closed later, which ends the transfer that is under way then. So does the GridFTP server of
     * the Grid Community Toolkit (globus_l_ftp_eb_read_header_callback() of
     * globus_ftp_control_data.c): a connection without its end of data ends the transfer.
     * @param at when it is closed, ns; NEVER: not at all
     */
    void AcceptForeign(int64_t at);

    /** @param now of the simulation @return ranges of the file that it has stored of the chunk, in
     * any order; where the client may begin anew */
    MarkerRanges GetRanges(Nanoseconds now) const;

    /** @param now of the simulation @return file bytes that it has stored of all chunks */
    uint64_t GetTaken(Nanoseconds now) const
    {
        return m_taken + (m_isBusy ? GetStored(now) : 0);
    }

    /** @param now of the simulation, which its host may be ahead of @return file bytes that it had
     * stored of all chunks by then, as far as FlowObserver::WantsDeliveries() tells */
    uint64_t GetReceived(Nanoseconds now) const
    {
        return m_completeNs > now
                   ? m_taken - m_completeBytes + std::min(m_completeBytes, GetStored(now))
                   : GetTaken(now);
    }

    /** @param now of the simulation @return file bytes of the chunk that it has stored */
    uint64_t GetStored(Nanoseconds now) const;

    // SegmentDtp
    void Order(Nanoseconds now, const DtpCommand& command) override;

    void Drop(Nanoseconds now) override
    {
        Abort(now);
    }

    /** SegmentSendingDtp::SkipChunk(), at this end, on a port of its own. @param bytes of it */
    void SkipChunk(uint64_t bytes)
    {
        ++m_ports;
        m_taken += bytes;
    }

    /** @param state gets what is under way */
    void AddState(SegmentState& state) const
    {
        state.Add(m_arrived);
        state.AddTime(m_reportDueNs);
        state.AddTime(m_lookDueNs);
        state.Add(m_isBusy);
        state.Add(m_isKilled);
        state.Add(m_done.has_value());
    }

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // SegmentDataPair::Receiver
    void HandleArrived(Nanoseconds now) override;
    void HandleDataReset(Nanoseconds now, bool hasArrived) override;

    /** All of the chunk has arrived, and its order has come. @param now current simulation time */
    void HandleAllArrived(Nanoseconds now);

    /** Waits for connections. @param now of the simulation */
    void Listen(Nanoseconds now);

    /** Receives. @param now of the simulation @param held ranges of the file that are there already
     */
    void Receive(Nanoseconds now, const MarkerRanges& held);

    /** Looks whether anything has come. @param now of the simulation */
    void Look(Nanoseconds now);

    /** It waits for data from now on. @param now of the simulation */
    void ScheduleLook(Nanoseconds now);

    /** It has begun to send or to receive, and cannot go on. @param now of the simulation @param
     * notice why */
    void Fail(Nanoseconds now, const DtpNotice& notice);

    /** Foreign hosts close connections. @param now of the simulation */
    void CloseForeign(Nanoseconds now);

    /** @param now of the simulation @return why nothing has come for so long */
    std::string NameStall(Nanoseconds now) const;

    /** Closes its connections. @param now of the simulation */
    void Close(Nanoseconds now);

    /** Resets its connections, and accepts no others. @param now of the simulation */
    void Abort(Nanoseconds now);

    /** It takes nothing more. @param now current simulation time */
    void StopReceiving(Nanoseconds now);

    /** It lets go of all its connections. @param now current simulation time */
    void ResetAll(Nanoseconds now);

    /** The next report. @param at when */
    void ScheduleReport(Nanoseconds at);

    uint32_t m_stripe;                     //!< which it is
    bool m_reports;                        //!< see the constructor
    User* m_user{nullptr};                 //!< hears of it
    std::vector<SegmentDataPair*> m_pairs; //!< its data connections, by sender
    uint32_t m_ports{0};                   //!< see GetPorts()
    uint32_t m_arrived{0};                 //!< pairs of which all has arrived
    int64_t m_reportDueNs{NEVER};          //!< when the next report is
    std::optional<DtpNotice> m_done;       //!< its PI is about to hear it
    Beginning m_beginning;                 //!< see Begin()
    MarkerRanges m_held;                   //!< of the file, there before the chunk
    int64_t m_lookDueNs{NEVER};            //!< when it looks at what has come
    uint64_t m_seen{0};                    //!< what had come then
    uint32_t m_idle{0};                    //!< looks that found nothing new
    uint64_t m_taken{0};                   //!< file bytes of the chunks before
    int64_t m_completeNs{0};               //!< when the last of these was complete
    uint64_t m_completeBytes{0};           //!< bytes of that one
    std::vector<int64_t> m_foreign;        //!< when foreign connections are closed
    bool m_isListening{false};             //!< others may connect
    bool m_isKilled{false};                //!< and has not listened since
    bool m_isBusy{false};                  //!< a chunk is under way
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DTP_H
