/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RBUDP_H
#define GRIDFTP_RBUDP_H

#include "gridftp-blast-sender.h"
#include "gridftp-datagram-intake.h"
#include "gridftp-file-request.h"
#include "gridftp-loss-bitmap.h"
#include "gridftp-mapped-file.h"
#include "gridftp-send-gate.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Reliable Blast UDP (E. He, J. Leigh, O. Yu and T. DeFanti, "Reliable Blast UDP: Predictable High
 * Performance Bulk Data Transfer", IEEE Cluster 2002), as its program in QUANTA does it: the file
 * goes by UDP at a constant rate; then the receiver says by TCP what is missing, which goes as the
 * next blast, until nothing is.
 *
 * The end that receives connects, asks for the file, and is told its size. A blast ends with a mark
 * over TCP, and is answered with a bitmap of the whole file.
 *
 * Both ends have the file mapped into memory. The sender waits for blocks that are still to be
 * read, and catches up afterwards. The receiver takes a mark when no datagram waits in its socket
 * any more; while it waits for the file system, a full socket drops datagrams, which the next blast
 * brings again.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What both ends of an RBUDP transfer say over TCP. */
struct RbudpText
{
    static constexpr uint32_t MARK_BYTES = 8; //!< of the mark at the end of a blast

    /** @param packets of a file @return bytes of a bitmap: its first one, and a bit for each packet
     */
    static uint32_t GetBitmapBytes(uint32_t packets)
    {
        return packets / 8 + 2;
    }

    /** @param round from 0 @return the mark at the end of its blast */
    static std::vector<uint8_t> MakeMark(uint32_t round);

    /** @param arrived what has come @return the bitmap: first whether all has, then a bit for each
     * packet, the first in the lowest bit */
    static std::vector<uint8_t> MakeBitmap(const LossBitmap& arrived);
};

/** @ingroup gridftp @brief The end of RBUDP that sends: blast, mark, bitmap, blast, ... */
class RbudpSender final : public ToolEnd
{
  public:
    /** @param transfer what it moves @param port its host; outlives it */
    RbudpSender(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    /** Blasts in a row of which nothing arrives, after which it gives up. */
    static constexpr uint32_t MOST_IDLE_BLASTS = 16;

  private:
    /** What it waits for. */
    enum class State
    {
        REQUEST, //!< who asks for the file
        BLAST,   //!< the time of the next packet
        BITMAP,  //!< what has come of the blast
        DONE     //!< nothing
    };

    /** Begins to send what has not come. @param now of the simulation */
    void BeginBlast(Nanoseconds now);

    /** A bitmap has come. @param now of the simulation @param bitmap it */
    void TakeBitmap(Nanoseconds now, std::span<const uint8_t> bitmap);

    /** It cannot go on. @param now of the simulation @param reason for a person */
    void Fail(Nanoseconds now, const std::string& reason);

    uint64_t m_bytes;         //!< of the file
    PacketFile m_file;        //!< it
    ToolPort* m_port;         //!< its host
    SendGate m_gate;          //!< its socket
    MappedFile m_mapped;      //!< the file in memory
    BlastSender m_blast;      //!< the blast under way
    LossBitmap m_arrived;     //!< as far as the receiver has said
    MessageBuffer m_read;     //!< what has come
    State m_state{};          //!< what it waits for
    uint32_t m_round{0};      //!< of the blast under way
    uint32_t m_idleBlasts{0}; //!< of which nothing has arrived, in a row
    ToolCounts m_counts;      //!< what it has sent
};

/** @ingroup gridftp @brief The end of RBUDP that receives, which asks for the file. */
class RbudpReceiver final : public ToolEnd
{
  public:
    /** @param transfer what it gets @param port its host; outlives it */
    RbudpReceiver(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleConnected(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleData(Nanoseconds now, const DataDatagram& datagram) override;
    void HandleLost(Nanoseconds now) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    void HandleTimer(Nanoseconds now, uint32_t timer) override;

  private:
    /** The program has a datagram of the file. @param datagram it */
    void Store(const DataDatagram& datagram);

    /** The program goes on with what has come. @param now of the simulation */
    void Proceed(Nanoseconds now);

    /** Answers the marks that have come. @param now of the simulation */
    void TakeMarks(Nanoseconds now);

    /** It is over. @param now of the simulation @param reason why it has failed, or empty */
    void End(Nanoseconds now, const std::string& reason);

    uint32_t m_payload;                     //!< of a full packet
    ToolPort* m_port;                       //!< its host
    BlockStages m_sink;                     //!< what blocks of the file pass
    int64_t m_roomBytes;                    //!< of its UDP socket
    std::optional<DatagramIntake> m_intake; //!< once it knows the file, where storing takes time
    MessageBuffer m_read;                   //!< what has come by TCP
    std::optional<PacketFile> m_file;       //!< the file, once it knows how large it is
    std::optional<LossBitmap> m_arrived;    //!< what has come of it
    uint32_t m_round{0};                    //!< of the next mark
    bool m_isOver{false};                   //!< complete or failed
    ToolCounts m_counts;                    //!< what it has got
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RBUDP_H
