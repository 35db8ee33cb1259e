/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_CONTROL_H
#define GRIDFTP_SEGMENT_CONTROL_H

#include "gridftp-segment-network.h"
#include "gridftp-segment-receiver.h"
#include "gridftp-segment-sender.h"
#include "gridftp-segment-time.h"

#include <cstdint>
#include <deque>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The control connection of a session of the segment engine: a full-duplex TCP connection, with the
 * handshake, the windows, the timers and the delayed ACKs that ns-3's has (NewReno, as the default
 * of Client and Server). Lines have their true lengths; what they say is a number.
 *
 * Each end has a clock of its own: the one at the receiving host of a single pair runs ahead, see
 * SegmentNetwork.
 */
class SegmentControl final : public SegmentSender::Port
{
  public:
    /** An end of it. */
    enum Side : uint32_t
    {
        CLIENT, //!< which connects
        SERVER, //!< which accepts
        SIDES   //!< how many there are
    };

    /** What happens later. */
    enum class Timer : uint32_t
    {
        SYN,   //!< there is no answer to a SYN or SYN-ACK
        SEND,  //!< what was written is to be sent
        ACK,   //!< an ACK was delayed long enough
        RETRY, //!< the retransmission timer may have expired
    };

    /** What it acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /**
         * Sends a packet to the other end.
         * @param from which end
         * @param now ns
         * @param bytes of the IP packet
         * @param kind of the packet
         * @param value its sequence numbers, see PacketKind
         * @param payload bytes behind the headers
         */
        virtual void SendControl(Side from,
                                 int64_t now,
                                 int64_t bytes,
                                 PacketKind kind,
                                 uint64_t value,
                                 uint32_t payload) = 0;

        /** Calls HandleTimer() later. @param side which end @param at ns @param timer which */
        virtual void ScheduleControl(Side side, int64_t at, Timer timer) = 0;

        /** The server has accepted. @param now ns */
        virtual void HandleAccepted(int64_t now) = 0;

        /** A line has come. @param to which end @param now ns @param message what it says */
        virtual void HandleLine(Side to, int64_t now, uint32_t message) = 0;

        /** It cannot go on. @param now ns @param reason for a person */
        virtual void HandleControlFailed(int64_t now, const char* reason) = 0;
    };

    /**
     * @param tcp its TCP; outlives it
     * @param port what it acts on; outlives it
     */
    SegmentControl(const SegmentTcp& tcp, Port& port);

    /** The client connects. @param now ns */
    void Connect(int64_t now);

    /**
     * An end writes a line.
     * @param from which end
     * @param now ns
     * @param bytes its length, at least 1
     * @param message what it says
     */
    void Write(Side from, int64_t now, uint32_t bytes, uint32_t message);

    /** The client closes, since the server has closed. */
    void Close();

    /** Nothing is sent any more. */
    void Stop()
    {
        m_stopped = true;
    }

    /** A packet arrives. @param to which end @param now ns @param packet of a control kind */
    void Receive(Side to, int64_t now, const SegmentPacket& packet);

    /** A timer. @param side which end's @param now ns @param timer which */
    void HandleTimer(Side side, int64_t now, Timer timer);

    // SegmentSender::Port
    void SendSegment(SegmentSender& sender, uint64_t start, uint32_t size) override;
    void ArmTimer(SegmentSender& sender) override;
    void HandleDrained(SegmentSender& sender) override;
    void HandleGaveUp(SegmentSender& sender) override;
    void HandleWindow(const SegmentSender& sender) override;

  private:
    /** A line on its way. */
    struct Line
    {
        uint64_t end;     //!< first byte of the stream behind it
        uint32_t message; //!< what it says
    };

    /** One end. */
    struct End
    {
        /** @param tcp its TCP @param port of its sender @param side which end it is */
        End(const SegmentTcp& tcp, SegmentSender::Port& port, Side side)
            : sender(tcp, port, side),
              receiver(tcp.delayedAck)
        {
        }

        SegmentSender sender;      //!< what it sends
        SegmentReceiver receiver;  //!< what it receives
        std::deque<Line> lines{};  //!< that it has written and the other end has not read
        int64_t nowNs{0};          //!< its clock
        bool connected{false};     //!< its handshake is done
        bool reading{false};       //!< it is working on what has come
        uint32_t synSent{0};       //!< SYNs or SYN-ACKs sent
        int64_t synSentNs{0};      //!< when the last one was
        int64_t synDueNs{NEVER};   //!< when the next one is
        int64_t sendDueNs{NEVER};  //!< when what was written is sent
        int64_t ackDueNs{NEVER};   //!< when a delayed ACK is sent
        int64_t retryDueNs{NEVER}; //!< when the retransmission timer is looked at
    };

    /** Sends a SYN or SYN-ACK. @param side which end */
    void SendSyn(Side side);

    /** Sends an ACK without data. @param side which end */
    void SendAck(Side side);

    /** Sends a packet without data. @param side which end @param kind of the packet */
    void SendBare(Side side, PacketKind kind);

    /** The answer to a SYN or SYN-ACK has come. @param end which end */
    void Establish(End& end);

    /** A segment or an ACK has come. @param side which end @param packet it */
    void ReceiveSegment(Side side, const SegmentPacket& packet);

    /** Hands lines over that are complete. @param side of which reader */
    void Read(Side side);

    /** Looks at the retransmission timer. @param end which end */
    void CheckRetry(End& end);

    Port* m_port;          //!< what it acts on
    End m_ends[SIDES];     //!< client and server
    bool m_closing{false}; //!< the client closes as soon as it has read
    bool m_stopped{false}; //!< see Stop()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_CONTROL_H
