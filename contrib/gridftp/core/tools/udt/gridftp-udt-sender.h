/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_SENDER_H
#define GRIDFTP_UDT_SENDER_H

#include "gridftp-blast-sender.h"
#include "gridftp-send-gate.h"
#include "gridftp-sequence-window.h"
#include "gridftp-tool-end.h"
#include "gridftp-tool-kind.h"
#include "gridftp-udt-parameters.h"
#include "gridftp-udt-rate-control.h"
#include "gridftp-udt-timers.h"
#include "gridftp-udt-wire.h"

#include <cstdint>
#include <optional>
#include <string>

/**
 * @file
 * @ingroup gridftp
 * The end of UDT that sends (Y. Gu and R. Grossman, "UDT: UDP-based data transfer for high-speed
 * wide area networks", Computer Networks 51, 2007; draft-gg-udt-03), with the behaviour of version
 * 4.11.
 *
 * It connects, and its user waits: the transfer is what lies between the first request for a
 * connection and the ACK of the last packet. How large the file is both ends know beforehand, as
 * those of UDT's own appclient and appserver do.
 *
 * Where reading the file takes time, it does so as sendfile() of the library (CUDT::sendfile() in
 * core.cpp): one thread reads a block of 364,000 bytes, UdtWire::BLOCK_PACKETS of the usual size,
 * whenever the send buffer has room for a packet. Packets of a block may leave when all of it is
 * read. While the send buffer is empty, an expiry of the EXP timer is a keep-alive and no loss.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The end of UDT that sends; it connects. */
class UdtSender final : public ToolEnd
{
  public:
    /** @param transfer what it moves @param port its host; outlives it */
    UdtSender(const ToolTransfer& transfer, ToolPort& port);

    void Start(Nanoseconds now) override;
    void HandleReport(Nanoseconds now, const ReportDatagram& report) override;
    void HandleTimer(Nanoseconds now, uint32_t timer) override;

    const ToolCounts& GetCounts() const override
    {
        return m_counts;
    }

    /** @return its rate and window; null: it is not connected */
    const UdtRateControl* GetRateControl() const
    {
        return m_control ? &*m_control : nullptr;
    }

    static constexpr Nanoseconds REQUEST_EVERY_NS = 250'000'000; //!< while no answer comes
    static constexpr Nanoseconds GIVE_UP_NS = 3'000'000'000;     //!< without a connection

    /** Expiries in a row without a new acknowledgement, after which it gives up although the other
     * end is there. Not of the program, which would go on for ever. */
    static constexpr uint32_t MOST_IDLE_EXPIRIES = 64;

    static constexpr uint32_t SEND_TIMER = 0; //!< the next packet
    static constexpr uint32_t LOOK_TIMER = 1; //!< the next request, or look at the EXP timer
    static constexpr uint32_t READ_TIMER = 2; //!< a block of the file is read

  private:
    /** What it does. */
    enum class State
    {
        CLOSED,  //!< nothing yet
        ASKING,  //!< asks for a connection
        SENDING, //!< sends
        DONE     //!< nothing any more
    };

    /** What a NAK says. */
    struct Losses
    {
        bool isWhole{true};  //!< it names a packet, and the end of every range
        bool isOfSent{true}; //!< all of them have been sent
        uint32_t count{0};   //!< packets
    };

    /** @name Handshake
     * @{ */
    /** Asks for a connection. @param now of the simulation */
    void Ask(Nanoseconds now);
    /** @param now of the simulation @param report a handshake */
    void TakeAnswer(Nanoseconds now, const ReportDatagram& report);
    /** It is connected. @param now of the simulation @param said by the other end */
    void Open(Nanoseconds now, const UdtHandshake& said);
    /** @} */

    /** @name Reports
     * @{ */
    /** @param now of the simulation @param report an ACK */
    void TakeAck(Nanoseconds now, const ReportDatagram& report);
    /** An ACK with more than its number. @param now of the simulation @param report it */
    void TakeFullAck(Nanoseconds now, const ReportDatagram& report);
    /** What an ACK tells of the path. @param report it */
    void LearnPath(const ReportDatagram& report);
    /** @param now of the simulation @param report a NAK */
    void TakeNak(Nanoseconds now, const ReportDatagram& report);
    /** @param report a NAK @return what it says */
    Losses FindLosses(const ReportDatagram& report) const;
    /** Nothing has been heard for long. @param now of the simulation */
    void Expire(Nanoseconds now);
    /** @} */

    /** Sends what is due, and sets the time of the next packet. @param now of the simulation */
    void SendDue(Nanoseconds now);

    /** @return whether there is a packet to send now */
    bool HasNext() const
    {
        return m_lost.GetMarked() > 0 || (m_next < m_packets && m_next < m_limit);
    }

    /** Sends the next packet, which there is. @param now of the simulation @return when the one
     * behind it is due, ns */
    Nanoseconds SendNext(Nanoseconds now);

    /** The windows have changed: how far new packets may go. */
    void SetLimit();

    /** Reads on where nothing is being read, as far as the send buffer has room. @param now of the
     * simulation */
    void ReadOn(Nanoseconds now);

    /** @param now of the simulation @return whether the block that is being read is there */
    bool IsBlockThere(Nanoseconds now) const
    {
        return m_reading > 0 && m_readyNs <= now;
    }

    /** The block that was read is there. Comes before all else of the same moment. @param now of
     * the simulation */
    void TakeBlock(Nanoseconds now);

    /** @param now of the simulation @param report to the other end */
    void Say(Nanoseconds now, ReportDatagram report);

    /** It is over. @param now of the simulation @param reason why it has failed, or empty */
    void End(Nanoseconds now, const std::string& reason);

    UdtSettings m_settings;                  //!< of the tool
    uint64_t m_key;                          //!< of its random numbers
    PacketFile m_file;                       //!< the file
    uint64_t m_packetsOfFile;                //!< however many
    uint32_t m_packets;                      //!< of the file
    int64_t m_extraBytes;                    //!< around a payload on the link
    ToolPort* m_port;                        //!< its host
    SendGate m_gate;                         //!< its socket
    UdtPacer m_pacer;                        //!< its thread
    State m_state{State::CLOSED};            //!< what it does
    Nanoseconds m_openNs{0};                 //!< when it began
    UdtHandshake m_request;                  //!< what it asks
    std::optional<UdtRateControl> m_control; //!< once it is connected
    UdtRoundTrip m_roundTrip;                //!< as ACKs tell
    UdtExpiry m_expiry;                      //!< since when nothing has come
    SequenceWindow m_lost;                   //!< to be sent again
    uint32_t m_next{0};                      //!< never sent
    uint32_t m_limit{0};                     //!< new packets are below it
    BlockStages m_source;                    //!< what blocks of the file pass
    uint32_t m_loaded{0};                    //!< all packets before it are read
    uint32_t m_reading{0};                   //!< packets of the block that is being read
    Nanoseconds m_readyNs{0};                //!< when that is there
    uint32_t m_acked{0};                     //!< all before it are acknowledged, by light ACKs, too
    uint32_t m_freed{0};                     //!< all before it have left the send buffer
    int64_t m_flow{0};                       //!< packets that the receiver takes, from m_acked on
    int64_t m_speed{16};                     //!< of arrivals, packets/s, smoothed
    int64_t m_capacity{1};                   //!< of the path, packets/s, smoothed
    Nanoseconds m_freezeNs{0};               //!< pause behind the next packet
    bool m_isScheduled{false};               //!< the next packet has its time
    Nanoseconds m_dueNs{0};                  //!< when
    uint32_t m_idleExpiries{0};              //!< since something new was acknowledged
    ToolCounts m_counts;                     //!< what it has sent
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_SENDER_H
