/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_SOCKET_GUARDED_H
#define GRIDFTP_TCP_SOCKET_GUARDED_H

#include "ns3/tcp-socket-base.h"

#include <type_traits>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Gives a subclass of TcpSocketBase its own TypeId, on every ns-3 from 3.44 on.
 *
 * ns-3 3.44's TcpSocketBase overrides GetInstanceTypeId() to name itself, which would hide the
 * TypeId (and so the attributes) of a subclass; later versions do not, and make the method of
 * Object final. Object's answer is the right one on both: CreateObject() and ObjectFactory set it,
 * and the copy constructor carries it over to an accepted connection.
 *
 * This primary template serves the later versions: nothing to do.
 *
 * @tparam Base ns3::TcpSocketBase; a parameter so that the specialisation below is compiled only
 *         where it is used
 * @tparam NamesItself whether Base overrides GetInstanceTypeId()
 */
template <typename Base, bool NamesItself>
class TcpSocketOfOwnType : public Base
{
};

/**
 * @ingroup gridftp
 * @brief The same where TcpSocketBase names itself (ns-3 3.44).
 * @tparam Base ns3::TcpSocketBase
 */
template <typename Base>
class TcpSocketOfOwnType<Base, true> : public Base
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        return Object::GetInstanceTypeId();
    }
};

/// Whether this ns-3's TcpSocketBase overrides GetInstanceTypeId().
inline constexpr bool TCP_SOCKET_BASE_NAMES_ITSELF =
    std::is_same_v<decltype(&TcpSocketBase::GetInstanceTypeId), TypeId (TcpSocketBase::*)() const>;

/**
 * @ingroup gridftp
 * @brief ns-3's TCP socket, segment for segment, where ns-3's does not abort or stall.
 *
 * What is sent, when, and every window are those of ns3::TcpSocketBase with the same congestion
 * algorithm; `--tcp=newreno` is this class with ns3::TcpNewReno. It differs in eleven places only:
 *
 * - With neither SACK nor limited transmit, TcpSocketBase::SendPendingData() asserts that nothing
 *   is sent in CA_DISORDER (after the first and second duplicate ACK). A sender with a full window
 *   never does. A sender limited by its application does, as soon as it writes with room in its
 *   window, and ends the process. Here such a write waits for the next ACK or timeout, at most
 *   one RTO away, since data is in flight.
 * - TcpSocketBase::PeerClose() ignores a segment with a FIN that starts below RCV.NXT, all of it,
 *   without an ACK. Such a segment comes where the last, short segments of a connection were
 *   acknowledged in part, the ACK was lost, and they are sent again as one: the connection then
 *   repeats it until its retries are used up. Here the octets already received are trimmed
 *   (RFC 793, p. 69).
 * - TcpSocketBase takes the time from the first SYN to the answer to a later one for a sample of
 *   the RTT. A lost SYN, sent again after 3 s, makes the first RTO 9 s, six of them 9 minutes. Here
 *   a SYN sent twice gives no sample (Karn's algorithm; RFC 6298, Section 3), unless there are
 *   timestamps.
 * - An accepted connection does not note that the segment which completes the handshake, the ACK
 *   or, where that is lost, the first data, acknowledged its SYN. Until another segment comes, it
 *   asserts that what it writes ends a byte before the window does, a last segment counted as all
 *   that the window would let through. So an answer that fills a window of whole segments, or has
 *   its last segment where the window has no room for a full one, ends the process. Here that
 *   acknowledgement counts (RFC 793, p. 72).
 * - The congestion algorithm of an accepted connection is a copy of its listener's, and some copy
 *   constructors leave attributes out, which then are zero or whatever was in memory: TcpCubic's
 *   TcpFriendliness (RFC 9438, Section 4.3), and from ns-3 3.47 on BetaLoss and BetaEcn of
 *   TcpNewReno and TcpLinuxReno, so that a loss leaves an ssthresh of two segments. It matters
 *   where the accepting end sends. Here all of them are copied.
 * - TcpSocketBase answers nothing to a SYN-ACK once it is connected, but forgets its windows. Where
 *   the handshake's last ACK was lost, and the side that connected waits for the other to speak
 *   first, as an FTP client does, both then wait for ever. Here such a SYN-ACK is acknowledged
 *   (RFC 793, p. 69), unless data that is outstanding will do so.
 * - TcpSocketBase tells its application of a RST as it does of a FIN, while the connection still is
 *   as it was, so that closing it then sends a FIN to nobody. Here an established connection is
 *   gone first, and then tells of an error (RFC 793, p. 70). A RST that answers a SYN, or comes to
 * a listener, it takes for a window of zero bytes, whose probe ends the process. Here the former
 *   refuses the connection (p. 67), and the latter is ignored (p. 65).
 * - With SACK, TcpTxBuffer of ns-3 up to 3.48 counts a segment that was sent again and is reported
 *   by a SACK block as in flight until all before it has arrived (ns-3's issue 1190), and finds a
 *   segment that was sent again and lost again only by a timeout (issue 1349). Here both are as in
 *   later versions, see RepairScoreboard(). An end that has closed looks up the blocks of an ACK
 * that others have overtaken in a list that may be empty, which ends the process. Here it ignores
 * them.
 * - With ECN, TcpSocketBase compares the sequence numbers of the last mark, echo and CWR with those
 *   of segments that may be more than 2 GiB further on, and then ignores marks and echoes for as
 *   many bytes. Here they stay near. An end that has closed behind the other one, or at the same
 *   time, takes an ACK with ECE for an illegal one and resets the connection. Here it takes it for
 *   an ACK (RFC 3168, Section 6.1.3, has ECE in any ACK).
 * - With ECN and SACK, duplicate ACKs count on in CA_CWR, which three of them do not leave. The ACK
 *   that ends CA_CWR, if it counts as a duplicate as well, then fails an assertion, which ends the
 *   process. Here the count begins anew, as it does where CA_RECOVERY ends.
 * - A listener notes the timestamp of each SYN, and connections that it accepts begin with the
 *   largest of all: a SYN that others have overtaken is not echoed. Here a connection echoes its
 * own SYN (RFC 7323, Section 4.3).
 */
class TcpSocketGuarded : public TcpSocketOfOwnType<TcpSocketBase, TCP_SOCKET_BASE_NAMES_ITSELF>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TcpSocketGuarded() = default;

    /**
     * @brief What the sockets of accepted connections are copied with.
     * @param other the socket
     */
    TcpSocketGuarded(const TcpSocketGuarded& other);

    TcpSocketGuarded& operator=(const TcpSocketGuarded&) = delete;

    /**
     * @brief Have it hold back short segments. Before it connects or listens; connections accepted
     * do the same.
     *
     * A segment shorter than MSS that is sent for the first time then waits until no other such
     * segment is unacknowledged: Nagle's algorithm (RFC 896) as Minshall has it
     * (draft-minshall-nagle-01) and as Linux does, whose last short segment does not wait for the
     * full ones in front of it. What TcpSocketBase does without TcpNoDelay waits for these, too,
     * and holds back a short segment that is lost, which then never comes.
     */
    void HoldSmall();

    /**
     * @brief Report each RTT sample of its estimator, of any type. Those it takes anyway: nothing
     * else changes. May be called several times, by several observers.
     * @param sample called with the sample and the smoothed RTT behind it
     */
    void WatchRtt(Callback<void, Time, Time> sample);

    /**
     * @brief Report each retransmission timeout. The RTO of the trace source shows none once it has
     * reached 60 s, where it is no longer doubled.
     * @param timeout called before a segment is sent again because of it; replaces an earlier one
     */
    void WatchTimeouts(Callback<void> timeout);

    /**
     * @brief Get the congestion window.
     * @return bytes
     */
    uint32_t GetCwnd() const;

  protected:
    // Inherited from TcpSocketBase
    Ptr<TcpSocketBase> Fork() override;
    uint32_t AvailableWindow() const override;
    void DoForwardUp(Ptr<Packet> packet,
                     const Address& fromAddress,
                     const Address& toAddress) override;
    void ReceivedAck(Ptr<Packet> packet, const TcpHeader& tcpHeader) override;
    void ReTxTimeout() override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void UpdateRttHistory(const SequenceNumber32& seq, uint32_t sz, bool isRetransmission) override;

  private:
    /**
     * @brief Take off a segment what is received already.
     * @param packet the segment, header included; unchanged unless RCV.NXT lies within it
     */
    void TrimFront(Ptr<Packet> packet) const;

    /**
     * @brief A RST has come.
     * @param packet the segment, header included
     * @param fromAddress the other end
     * @param toAddress this end
     */
    void TakeReset(Ptr<Packet> packet, const Address& fromAddress, const Address& toAddress);

    /// @brief A SYN-ACK has come, and the connection is established.
    void AnswerSynAck();

    /**
     * @brief Take the ECN flags off a segment.
     * @param packet the segment, header included
     */
    static void DropEcnFlags(Ptr<Packet> packet);

    /**
     * @brief Whether the next segment has to wait, see HoldSmall().
     * @return true if so
     */
    bool IsHeld() const;

    bool m_holdsSmall{false};       //!< see HoldSmall()
    SequenceNumber32 m_smallEnd{0}; //!< behind the last segment shorter than MSS
    Callback<void> m_timeout;       //!< see WatchTimeouts(); of this socket, not of its copies
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_SOCKET_GUARDED_H
