/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FOBS_H
#define GRIDFTP_FOBS_H

#include "gridftp-blast-sender.h"
#include "gridftp-datagram-intake.h"
#include "gridftp-file-request.h"
#include "gridftp-fobs-wire.h"
#include "gridftp-loss-bitmap.h"
#include "gridftp-mapped-file.h"
#include "gridftp-send-gate.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * FOBS (P. M. Dickens, "FOBS: A Lightweight Communication Protocol for Grid Computing", Euro-Par
 * 2003). The sender puts batches of packets on the network as fast as it can, and between two
 * batches looks for acknowledgements without waiting for one. It goes round the file: no packet is
 * sent again before all others that are not acknowledged were sent. The receiver acknowledges after
 * every so many datagrams, by UDP, with a bit for each packet, and says by TCP that it is complete.
 * The file is an object in memory at both ends, which here is a mapped file, as RBUDP has it.
 *
 * Its congestion control (P. M. Dickens and V. Kannan, 2004) tolerates a share of lost packets and
 * slows down above it. By how much is not told in what is left of it; here the rate shrinks by the
 * share that was lost, and grows by the tolerated one after an acknowledgement without more.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Whether FOBS adapts its rate, as --tool-fobs-control numbers it. */
enum class FobsControl
{
    OFF, //!< as fast as the host's link takes packets
    ON   //!< so that no more is lost than tolerated
};

/** @ingroup gridftp @brief How both ends of FOBS are set. */
struct FobsSettings
{
    uint32_t payload{1};           //!< file bytes in a full datagram
    int64_t sendBufferBytes{0};    //!< of the UDP socket that sends
    int64_t receiveBufferBytes{0}; //!< of the UDP socket that receives
    uint32_t batch{1};             //!< packets
    Nanoseconds periodNs{0};       //!< from batch to batch at least, ns
    uint32_t acknowledge{1};       //!< datagrams for an acknowledgement
    FobsControl control{};         //!< whether the rate adapts
    double toleratedLoss{0};       //!< share of packets
};

/** @ingroup gridftp @param values of the parameters @return them as settings */
FobsSettings MakeFobsSettings(const NamedValues& values);

/** @ingroup gridftp @brief The rate of a sender that is told how much is lost. */
class FobsRate
{
  public:
    /** @param settings of FOBS @param linkRateBps of the host that sends */
    FobsRate(const FobsSettings& settings, int64_t linkRateBps);

    /** An acknowledgement has come. @param ack it */
    void Take(const FobsAck& ack);

    /** @param bytes on the link @return how long until the next packet at least, ns */
    Nanoseconds GetGap(int64_t bytes) const;

    /** @return bit/s on the link */
    double GetRate() const
    {
        return m_rateBps;
    }

  private:
    bool m_adapts;          //!< whether it does
    double m_tolerated;     //!< share of lost packets
    double m_linkBps;       //!< fastest
    double m_rateBps;       //!< now
    uint32_t m_received{0}; //!< at the last acknowledgement
    uint32_t m_highest{0};  //!< likewise
};

/** @ingroup gridftp @brief The end of FOBS that sends. */
class FobsSender final : public ToolEnd
{
  public:
    /** @param transfer what it moves @param port its host; outlives it */
    FobsSender(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleReport(Nanoseconds now, const ReportDatagram& report) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    /** Without news from the receiver for so long it gives up, ns. */
    static constexpr Nanoseconds PATIENCE = 30'000'000'000;

  private:
    /** What it does. */
    enum class State
    {
        REQUEST, //!< waits for who asks for the file
        SENDS,   //!< goes round the file
        WAITS,   //!< all is acknowledged: waits for the last word
        DONE     //!< nothing
    };

    /** Sends a packet, whose time has come. @param now of the simulation */
    Nanoseconds SendNext(Nanoseconds now);

    /** @return the next packet in its round, or the number of packets: all are acknowledged */
    uint32_t FindNext();

    /** Takes what the acknowledgements that have come say. @param now of the simulation */
    void TakeAcks(Nanoseconds now);

    /** @param packet was acknowledged, any number @return whether that is new */
    bool Note(uint32_t packet);

    /** It cannot go on. @param now of the simulation @param reason for a person */
    void Fail(Nanoseconds now, const std::string& reason);

    FobsSettings m_settings;       //!< of it
    uint64_t m_bytes;              //!< of the file
    PacketFile m_file;             //!< it
    ToolPort* m_port;              //!< its host
    SendGate m_gate;               //!< its socket
    MappedFile m_mapped;           //!< the file in memory
    FobsRate m_rate;               //!< how fast
    int64_t m_extraBytes;          //!< around a payload on the link
    LossBitmap m_arrived;          //!< as far as the receiver has said
    MessageBuffer m_read;          //!< what has come by TCP
    std::vector<FobsAck> m_acks;   //!< that came within the batch
    State m_state{};               //!< what it does
    bool m_isFirstRound{true};     //!< no packet was sent before
    uint32_t m_next{0};            //!< packets from here on are to come in this round
    uint32_t m_complete{0};        //!< packets below are acknowledged
    uint32_t m_inBatch{0};         //!< packets of the batch that are sent
    Nanoseconds m_batchBeginNs{0}; //!< when its first one was
    ToolCounts m_counts;           //!< what it has sent
};

/** @ingroup gridftp @brief The end of FOBS that receives, which asks for the file. */
class FobsReceiver final : public ToolEnd
{
  public:
    /** @param transfer what it gets @param port its host; outlives it */
    FobsReceiver(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleConnected(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleData(Nanoseconds now, const DataDatagram& datagram) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    static constexpr uint32_t LAST_WORD_BYTES = 1; //!< said by TCP when the file is complete

  private:
    /** The program has a datagram of the file. @param now of the simulation @param datagram it */
    void Store(Nanoseconds now, const DataDatagram& datagram);

    /** The program goes on with what has come. @param now of the simulation */
    void Proceed(Nanoseconds now);

    /** Says what has come since the last time. @param now of the simulation */
    void Acknowledge(Nanoseconds now);

    /** It is over. @param now of the simulation @param reason why it has failed, or empty */
    void End(Nanoseconds now, const std::string& reason);

    FobsSettings m_settings;                //!< of it
    ToolPort* m_port;                       //!< its host
    MessageBuffer m_read;                   //!< what has come by TCP
    std::optional<PacketFile> m_file;       //!< the file, once it knows how large it is
    std::optional<LossBitmap> m_arrived;    //!< what has come of it
    BlockStages m_sink;                     //!< what blocks of the file pass
    std::optional<DatagramIntake> m_intake; //!< once it knows the file, where storing takes time
    uint32_t m_received{0};                 //!< datagrams with file data
    uint32_t m_highest{0};                  //!< sent until the youngest of them
    uint32_t m_waiting{0};                  //!< of them not acknowledged
    uint32_t m_first{0};                    //!< lowest number of those
    uint32_t m_last{0};                     //!< highest number of those
    bool m_isOver{false};                   //!< complete or failed
    ToolCounts m_counts;                    //!< what it has got
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FOBS_H
