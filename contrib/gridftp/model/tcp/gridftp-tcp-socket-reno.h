/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_SOCKET_RENO_H
#define GRIDFTP_TCP_SOCKET_RENO_H

#include "gridftp-tcp-socket-right-sizing.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief TCP Reno: fast retransmit and fast recovery as RFC 2581, Section 3.2, has them.
 *
 * ns-3's TcpSocketBase is NewReno (RFC 6582) whatever the congestion algorithm in it: it stays in
 * fast recovery until all data that was outstanding at its start is acknowledged, and sends the
 * next hole again at every partial ACK. Reno leaves at the first ACK of new data and does not
 * look for further holes. They have to be found by three more duplicate ACKs each, and as Reno's
 * window by then rarely lets enough of them arise, several losses in one window usually end in a
 * timeout.
 *
 * The rules, step by step (RFC 2581, Section 3.2; FlightSize is what was sent and not yet
 * acknowledged, the one lost included):
 *
 * -# third duplicate ACK: ssthresh = max(FlightSize / 2, 2 SMSS);
 * -# the segment that seems lost is sent again; cwnd = ssthresh + 3 SMSS;
 * -# each further duplicate ACK: cwnd += SMSS;
 * -# new segments are sent where min(cwnd, rwnd) allows;
 * -# the next ACK of new data, whether it acknowledges all or a part: cwnd = ssthresh. It counts
 *    as no growth.
 *
 * As everywhere in ns-3, the inflated window of steps 2 to 4 is the trace CongestionWindowInflated;
 * CongestionWindow stays at ssthresh.
 *
 * After a timeout everything sent is sent again from the lowest unacknowledged segment on, as far
 * as cwnd, grown from one segment, allows. After an idle time longer than RTO cwnd starts from the
 * initial window again (RFC 2581, Section 4.1), as data connections find it that are kept from one
 * chunk to the next.
 *
 * Where stock ns-3 counts otherwise (without SACK), and this class does not:
 *
 * - The stock socket takes one segment, not three, off its estimate of data in flight for the
 *   first three duplicate ACKs, and so sends its first new segment in recovery two duplicate ACKs
 *   later than step 2 allows.
 * - It computes ssthresh from one segment less than FlightSize.
 * - It subtracts the segments that duplicate ACKs announce from what is in flight, where the RFC
 *   adds them to cwnd. So the receiver's window does not limit it (step 4), and at that window's
 *   edge it may send a segment shorter than SMSS.
 * - Its cwnd grows on the very ACK that ends recovery, and does not grow on the one that
 *   acknowledges all that a timeout found outstanding.
 * - At a timeout during recovery it computes ssthresh from what these subtractions left, often
 *   nothing, where the RFC has FlightSize.
 * - It does not enter fast recovery before everything outstanding at the last timeout is
 *   acknowledged, and after a timeout does not count duplicate ACKs at all. RFC 2581 has no such
 *   rule; it is the attribute AvoidMultipleFastRetransmits here.
 * - It sends nothing on the first two duplicate ACKs, even where the window has room. Here an
 *   application's write is sent as step 4 and Section 3.1 have it. CongState therefore goes from
 *   CA_OPEN to CA_RECOVERY directly; CA_DISORDER does not occur.
 * - It keeps cwnd over any idle time.
 *
 * What remains of ns-3's ways:
 *
 * - In a run of timeouts, and at a fast retransmit while lost data is still being sent again,
 *   FlightSize counts what was sent since the timeout, not what was sent before it. So a segment
 *   that times out twice leaves ssthresh at 2 SMSS, as in 4.4BSD; RFC 2581 says "no more than"
 *   FlightSize / 2, and RFC 5681 would keep the first value.
 * - An exponentially backed-off RTO collapses at the first ACK of new data, without waiting for
 *   the next valid sample of the RTT (RFC 2988, Section 5, leaves it to that sample).
 * - A fast retransmit does not restart the retransmission timer (RFC 2988 does not ask for it;
 *   4.4BSD and ns-2 do restart it).
 *
 * Limited transmit (RFC 3042; attribute LimitedTransmit of TcpSocketBase, which is on by default
 * and not part of Reno) sends one new segment on each of the first two duplicate ACKs, beyond
 * cwnd; these are not counted in step 1 (RFC 5681, Section 3.2).
 *
 * These rules hold where SACK is off on either side. With SACK, after an ECN echo (CA_CWR), and
 * for a congestion algorithm that governs cwnd by itself (TcpCongestionOps::HasCongControl()),
 * the class is ns-3's own socket.
 */
class TcpSocketReno : public TcpSocketRightSizing
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    // Inherited from TcpSocketBase
    Ptr<TcpSocketBase> Fork() override;
    uint32_t Window() const override;
    uint32_t SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck) override;
    void ProcessAck(const SequenceNumber32& ackNumber,
                    bool scoreboardUpdated,
                    uint32_t currentDelivered,
                    const SequenceNumber32& oldHeadSequence,
                    bool receivedData) override;

  private:
    /**
     * @brief Whether Reno's rules hold now, or ns-3's own.
     * @return true for Reno's
     */
    bool FollowsReno() const;

    /**
     * @brief An ACK of new data: ends fast recovery, or opens the window.
     * @param ackNumber the ACK
     * @param bytesAcked what it newly acknowledges, bytes
     */
    void AckOfNewData(const SequenceNumber32& ackNumber, uint32_t bytesAcked);

    /// A duplicate ACK: counted, starting or inflating fast recovery.
    void DuplicateAck();

    /**
     * @brief Whether three duplicate ACKs start fast recovery now.
     * @return false where AvoidMultipleFastRetransmits forbids it
     */
    bool MayFastRetransmit() const;

    /// Steps 1 and 2: the third duplicate ACK.
    void EnterFastRecovery();

    /// Step 5: the first ACK of new data.
    void LeaveFastRecovery();

    /**
     * @brief Change the state of the congestion machine and tell the congestion algorithm.
     * @param state the state
     */
    void ChangeCongState(TcpSocketState::TcpCongState_t state);

    bool m_avoidMultipleFastRetransmits{false}; //!< the attribute
    uint32_t m_flightAtFirstDupAck{0};          //!< FlightSize before limited transmit, bytes
    Time m_lastDataSent{Time::Max()};           //!< when data were last sent
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_SOCKET_RENO_H
