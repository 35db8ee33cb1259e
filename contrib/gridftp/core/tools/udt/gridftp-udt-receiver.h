/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_RECEIVER_H
#define GRIDFTP_UDT_RECEIVER_H

#include "gridftp-blast-sender.h"
#include "gridftp-sequence-window.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"
#include "gridftp-udt-arrivals.h"
#include "gridftp-udt-parameters.h"
#include "gridftp-udt-timers.h"
#include "gridftp-udt-wire.h"

#include <array>
#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The receiver of UDT; it listens.
 *
 * A full ACK makes packets that have come in order readable. The application reads them at once,
 * yet after that ACK has announced the free buffer (sendCtrl() and processData() in core.cpp of UDT
 * 4.11). The flow window of a sender is therefore smaller than the buffer by what each ACK covers.
 *
 * Where storing takes time, the application is recvfile() of the library (CUDT::recvfile() in
 * core.cpp): it writes what is readable, up to 7,280,000 bytes at a time, and the packets leave the
 * buffer when all of that is written (CRcvBuffer::readBufferToFile() in buffer.cpp). Until then
 * they take room, which ACKs do not announce. When the buffer is full, packets that come are
 * dropped. Nothing announces the room that a write has freed but the next ACK: the sender, which is
 * allowed two packets at least, repeats them when its EXP timer expires.
 */
class UdtReceiver final : public ToolEnd
{
  public:
    /** @param transfer what it gets @param port its host; outlives it */
    UdtReceiver(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleData(Nanoseconds now, const DataDatagram& datagram) override;
    void HandleReport(Nanoseconds now, const ReportDatagram& report) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    static constexpr uint32_t LIGHT_EVERY = 64; //!< packets from one light ACK to the next

  private:
    /** What it does. */
    enum class State
    {
        LISTENING, //!< waits for a connection
        OPEN,      //!< is connected
        DONE       //!< nothing any more
    };

    /** What a full ACK said, until the answer to it comes. */
    struct SentAck
    {
        uint32_t number{0};    //!< its own
        uint32_t next{0};      //!< all packets before this one have come
        Nanoseconds sentNs{0}; //!< when
    };

    /** @param now of the simulation @param report a handshake */
    void Answer(Nanoseconds now, const ReportDatagram& report);

    /** A packet has come that the buffer has room for. @param now of the simulation @param datagram
     * it */
    void Store(Nanoseconds now, const DataDatagram& datagram);

    /** Sends an ACK where it is time for one. @param now of the simulation */
    void CheckAck(Nanoseconds now);

    /** A full ACK is due, which is left out where it would say nothing new. @param now of the
     * simulation */
    void SendAck(Nanoseconds now);

    /** @param now of the simulation @param number of the ACK that the sender has got */
    void TakeAck2(Nanoseconds now, uint32_t number);

    /** @return the first packet that has not come */
    uint32_t FindNext() const
    {
        return m_arrived.FindUnmarked(m_acked, m_end);
    }

    /** Writes what is readable, where nothing is being written. @param now of the simulation */
    void WriteOn(Nanoseconds now);

    /** @param now of the simulation @return whether what is being written is done */
    bool IsWritten(Nanoseconds now) const
    {
        return m_writing > 0 && m_writtenNs <= now;
    }

    /** What was being written is done. Comes before all else of the same moment. @param now of the
     * simulation */
    void TakeWritten(Nanoseconds now);

    /** @return packets that are acknowledged and that the application has not taken */
    uint32_t GetUnread() const
    {
        return m_sink.IsTimed() ? m_acked - m_written : 0;
    }

    /** @param now of the simulation @param report to the other end */
    void Say(Nanoseconds now, ReportDatagram report);

    /** It is over. @param now of the simulation @param reason why it has failed, or empty: the
     * sender tells its user */
    void End(Nanoseconds now, const std::string& reason);

    static constexpr uint32_t LOOK_TIMER = 0;   //!< without arrivals
    static constexpr uint32_t WRITE_TIMER = 1;  //!< a part of the file is written
    static constexpr uint32_t KEPT_ACKS = 1024; //!< that may be unanswered

    UdtSettings m_settings;                      //!< of the tool
    uint64_t m_bytes;                            //!< of the file
    PacketFile m_file;                           //!< it
    uint32_t m_packets;                          //!< of it
    uint32_t m_cookie;                           //!< that a sender has to know
    ToolPort* m_port;                            //!< its host
    State m_state{State::LISTENING};             //!< what it does
    SequenceWindow m_arrived;                    //!< from m_acked on
    UdtArrivals m_arrivals{0};                   //!< when packets came
    UdtDelayTrend m_trend;                       //!< of the round-trip time
    UdtRoundTrip m_roundTrip;                    //!< as ACK2 show
    UdtExpiry m_expiry;                          //!< since when nothing has come
    uint32_t m_end{0};                           //!< behind the last packet that has come
    uint32_t m_acked{0};                         //!< all before it are acknowledged, fully
    uint32_t m_confirmed{0};                     //!< what of that the sender knows
    BlockStages m_sink;                          //!< what blocks of the file pass
    uint32_t m_written{0};                       //!< all before it are written
    uint32_t m_writing{0};                       //!< packets behind it that are being written
    Nanoseconds m_writtenNs{0};                  //!< when these are
    uint32_t m_sinceAck{0};                      //!< packets since it was last time for an ACK
    uint32_t m_nextLight{LIGHT_EVERY};           //!< packets since then for the next light one
    Nanoseconds m_nextAckNs{0};                  //!< when it is time for an ACK
    Nanoseconds m_lastAckNs{-UDT_SYN_NS};        //!< when one with all words was sent
    Nanoseconds m_lastWarningNs{0};              //!< when it warned of a growing delay
    uint32_t m_ackNumber{0};                     //!< of the last ACK
    uint32_t m_answered{0};                      //!< of the last one that was answered
    std::array<SentAck, KEPT_ACKS> m_sentAcks{}; //!< by their numbers
    ToolCounts m_counts;                         //!< what it has got
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_RECEIVER_H
