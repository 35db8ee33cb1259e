/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_PAIR_H
#define GRIDFTP_TCP_PAIR_H

#include "gridftp-tcp-defaults.h"

#include "ns3/error-model.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/test.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Loses chosen transmissions of chosen segments. (ns-3's sequence numbers start with 0 for the SYN
 * and 1 for data.)
 */
class SegmentDropper : public ErrorModel
{
  public:
    /**
     * @param seq sequence number of a data segment
     * @param nth which transmission of it, from 1
     */
    void DropData(uint32_t seq, uint32_t nth = 1);

    /**
     * @param ack number acknowledged by a segment without data; 0 for a SYN
     * @param nth which such segment, from 1
     */
    void DropAck(uint32_t ack, uint32_t nth = 1);

  private:
    /// Whether there are data, and the number that goes with that.
    using Kind = std::pair<bool, uint32_t>;

    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    std::set<std::pair<Kind, uint32_t>> m_drops; //!< which, and the how manieth of it, to be lost
    std::map<Kind, uint32_t> m_seen;             //!< transmissions so far
};

/**
 * @ingroup gridftp
 * Two hosts, one link of 1 Gbit/s and 50 ms, one connection: what leaves the sender, by round
 * trips.
 *
 * Sending 20 segments takes 0.2 ms, so everything sent in answer to the ACKs of one round trip
 * leaves within a fraction of a millisecond of each other, and "round 3" is whatever leaves
 * around 300 ms after the connection stands.
 */
class TcpPair
{
  public:
    /// The round trip: all that the tests' hand-made tables know of time.
    static constexpr uint32_t ROUND_MS = 100;

    /// @return what these tables presuppose
    static TcpDefaults GetDefaults();

    /**
     * @param tcp name of the TCP, as FindTcpVariant() knows it
     * @param defaults applied before any socket exists
     */
    TcpPair(const std::string& tcp, const TcpDefaults& defaults);

    ~TcpPair();

    TcpPair(const TcpPair&) = delete;
    TcpPair& operator=(const TcpPair&) = delete;

    /**
     * @brief Connect, and send while there is room in the send buffer.
     * @param bytes how much in all
     */
    void Start(uint64_t bytes);

    /**
     * @brief Write once more, during a round.
     * @param round the round
     * @param afterMs how long after its beginning, ms
     * @param bytes how much
     * @param close whether to close then
     */
    void WriteIn(uint32_t round, uint32_t afterMs, uint32_t bytes, bool close = false);

    /// @param rounds run until the end of that round
    void RunRounds(uint32_t rounds);

    /**
     * @brief What the sender sent.
     * @return like "0: 1 2 3 | 1: 4 5 2r": by round, the numbers of the segments (from 1), with r
     *         where not for the first time
     */
    std::string Sent() const;

    /**
     * @brief How the sender's windows changed.
     * @return like "1: c3000 i3000 | 2: s2000": by round, the new values of cwnd, of the inflated
     *         cwnd and of ssthresh, bytes
     */
    std::string Windows() const;

    Ptr<SegmentDropper> toReceiver; //!< loses what the sender sends
    Ptr<SegmentDropper> toSender;   //!< loses what the receiver sends
    NodeContainer nodes;            //!< sender, receiver
    Ptr<TcpSocketBase> sender;      //!< the connecting socket
    Ptr<TcpSocketBase> receiver;    //!< the accepted one, once there
    uint64_t received{0};           //!< by the receiving application, bytes
    uint32_t maxFlight{0};          //!< most that was outstanding, bytes
    bool failed{false};             //!< the sender gave up
    bool closed{false};             //!< the receiver saw the end
    std::vector<uint32_t>
        ipSizes;           //!< of the packets with data put on the link by the sender, bytes
    uint32_t fragments{0}; //!< IP fragments among these
    std::vector<uint32_t> payloads; //!< of the data segments, bytes

  private:
    /// @return the current round
    uint32_t Round() const;

    /// Write while the send buffer has room.
    void Fill();

    /**
     * @param packet payload
     * @param header TCP header
     * @param socket the sender
     */
    void OnSent(Ptr<const Packet> packet, const TcpHeader& header, Ptr<const TcpSocketBase> socket);

    /// @param packet put on the link by the sender, from the PPP header on
    void OnLink(Ptr<const Packet> packet);

    /// @param socket the receiver, with something to read
    void OnReceived(Ptr<Socket> socket);

    /// Connect the sockets' callbacks and traces.
    void Observe();

    /**
     * @param log where to
     * @param what to be added in the current round
     */
    void Note(std::map<uint32_t, std::string>& log, const std::string& what) const;

    /**
     * @param log a log
     * @return it as one line
     */
    static std::string Line(const std::map<uint32_t, std::string>& log);

    uint32_t m_segmentSize;                    //!< SMSS, bytes
    uint64_t m_left{0};                        //!< bytes not written yet
    Time m_established;                        //!< the beginning of round 0
    Ptr<Socket> m_listener;                    //!< the server's
    Address m_server;                          //!< where it listens
    std::set<uint32_t> m_sentOnce;             //!< sequence numbers sent so far
    std::map<uint32_t, std::string> m_sent;    //!< by round
    std::map<uint32_t, std::string> m_windows; //!< by round
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_PAIR_H
