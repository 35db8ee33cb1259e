/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-pair.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The guarded socket sends what ns-3's own does.
class TcpGuardedIsStockTest : public TestCase
{
  public:
    TcpGuardedIsStockTest()
        : TestCase("TCP guards: same segments as ns-3's own socket")
    {
    }

  private:
    /**
     * @param tcp the TCP
     * @param seed of what is lost: each of the first 100 transmissions with probability 0.1
     * @param sack with SACK
     * @return what was sent, and the windows
     */
    std::string Run(const std::string& tcp, uint32_t seed, bool sack)
    {
        RngSeedManager::SetRun(seed);
        auto defaults = TcpPair::GetDefaults();
        defaults.minRto = MilliSeconds(200);
        defaults.sack = sack;
        TcpPair pair(tcp, defaults);
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t segment = 0; segment < 100; segment++)
        {
            // A lost SYN-ACK would make a difference, on purpose: no ACK of number 1
            for (uint32_t nth = 1; nth <= 2; nth++)
            {
                if (random->GetValue() < 0.1)
                {
                    pair.toReceiver->DropData(segment * 1000 + 1, nth);
                }
                if (segment > 0 && random->GetValue() < 0.1)
                {
                    pair.toSender->DropAck(segment * 1000 + 1, nth);
                }
            }
        }
        pair.Start(200000);
        pair.RunRounds(200);
        NS_TEST_EXPECT_MSG_EQ(pair.received, 200000, tcp << " all arrived, seed " << seed);
        return pair.Sent() + pair.Windows();
    }

    void DoRun() override
    {
        for (const bool sack : {false, true})
        {
            for (uint32_t seed = 1; seed <= 10; seed++)
            {
                NS_TEST_EXPECT_MSG_EQ(Run("newreno", seed, sack),
                                      Run("ns3::TcpSocketBase", seed, sack),
                                      "seed " << seed << (sack ? ", SACK" : ""));
            }
        }
        RngSeedManager::SetRun(1);
    }
};

/// A FIN on a segment of which the receiver has a part already.
class TcpFinOverlapTest : public TestCase
{
  public:
    TcpFinOverlapTest()
        : TestCase("TCP guards: a FIN segment received in part before")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno"})
        {
            // 100 bytes, their ACK lost. 10 ms later 100 bytes and the FIN, lost. After the RTO the
            // sender puts all 200 and the FIN in one segment, from 1 on, and the receiver expects
            // 101. ns-3's own receiver ignores it, each time.
            TcpPair pair(tcp, TcpPair::GetDefaults());
            pair.toSender->DropAck(101);
            pair.toReceiver->DropData(101);
            pair.Start(100);
            pair.WriteIn(0, 10, 100, true);
            pair.RunRounds(20);
            NS_TEST_EXPECT_MSG_EQ(pair.received, 200, tcp << ": all arrived");
            NS_TEST_EXPECT_MSG_EQ(pair.closed, true, tcp << ": the end seen");
            NS_TEST_ASSERT_MSG_EQ(pair.payloads.size(), 3, tcp << ": data segments");
            NS_TEST_EXPECT_MSG_EQ(pair.payloads.back(), 200, tcp << ": sent again as one");
        }
    }
};

/// A connection whose first SYN, or SYN-ACK, is lost.
class TcpLostSynTest : public TestCase
{
  public:
    TcpLostSynTest()
        : TestCase("TCP guards: no RTT from a SYN sent twice")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno"})
        {
            for (const bool answer : {false, true})
            {
                // Connected after 3 s, without a sample: RTO is ns-3's initial estimate of the RTT,
                // 1 s, and 1 ms of clock granularity: so in round 10. (ns-3's own socket: 3.1 s and
                // 4 * 1.55 s, in round 93.)
                TcpPair pair(tcp, TcpPair::GetDefaults());
                if (answer)
                {
                    pair.toSender->DropAck(1);
                }
                else
                {
                    pair.toReceiver->DropAck(0);
                }
                pair.toReceiver->DropData(1);
                pair.Start(1000);
                pair.RunRounds(130);
                NS_TEST_EXPECT_MSG_EQ(pair.Sent(), "0: 1 | 10: 1r", tcp);
            }
        }
    }
};

/// A connection whose handshake loses its last ACK, while the side that connected stays silent.
class TcpLostAcceptTest : public TestCase
{
  public:
    TcpLostAcceptTest()
        : TestCase("TCP guards: a SYN-ACK that comes once more is acknowledged")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno", "ns3::TcpSocketBase"})
        {
            TcpPair pair(tcp, TcpPair::GetDefaults());
            pair.toReceiver->DropAck(1);
            pair.Start(0);
            pair.RunRounds(25);
            NS_TEST_EXPECT_MSG_EQ((pair.receiver == nullptr), true, tcp << ": waits for the ACK");
            pair.RunRounds(35); // the SYN-ACK comes again after 3 s
            const bool isStock = tcp == "ns3::TcpSocketBase";
            NS_TEST_EXPECT_MSG_EQ((pair.receiver == nullptr), isStock, tcp << ": accepted");
        }
    }
};

/// An accepted connection that answers what completed its handshake by a window of data.
class TcpAnswerAtOnceTest : public TestCase
{
  public:
    TcpAnswerAtOnceTest()
        : TestCase("TCP guards: an answer to the first segment fills the window")
    {
    }

  private:
    using Arrived = std::vector<uint32_t>; //!< bytes in all, by round trips

    /**
     * @param tcp the TCP
     * @param lost whether the handshake's last ACK is, so that data complete it
     * @param window of each end, bytes
     * @param bytes of the answer
     * @return what of it has come after one round trip and after two
     */
    Arrived Run(const std::string& tcp, bool lost, uint32_t window, uint32_t bytes)
    {
        auto defaults = TcpPair::GetDefaults();
        defaults.window = window;
        TcpPair pair(tcp, defaults);
        uint32_t answered = 0;
        pair.sender->SetRecvCallback(Callback<void, Ptr<Socket>>([&answered](Ptr<Socket> from) {
            for (auto p = from->Recv(); p && p->GetSize() > 0; p = from->Recv())
            {
                answered += p->GetSize();
            }
        }));
        if (lost)
        {
            pair.toReceiver->DropAck(1);
        }
        pair.Start(lost ? 300 : 0);
        pair.RunRounds(0);
        NS_TEST_EXPECT_MSG_EQ(pair.received, (lost ? 300 : 0), "what completed the handshake");
        pair.receiver->Send(Create<Packet>(bytes), 0);
        Arrived arrived;
        for (uint32_t i = 0; i < 2; i++)
        {
            Simulator::Stop(MilliSeconds(TcpPair::ROUND_MS));
            Simulator::Run();
            arrived.push_back(answered);
        }
        return arrived;
    }

    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno"})
        {
            for (const bool lost : {false, true})
            {
                // ns-3's own socket aborts in each: what it knows of the window ends a byte early
                const auto what = tcp + (lost ? ", completed by data" : ", completed by an ACK");
                NS_TEST_EXPECT_MSG_EQ((Run(tcp, lost, 3500, 3200) == Arrived{3200, 3200}),
                                      true,
                                      what << ": 200 bytes where there is room for 500");
                NS_TEST_EXPECT_MSG_EQ((Run(tcp, lost, 3000, 5000) == Arrived{3000, 5000}),
                                      true,
                                      what << ": no more than the window before the first ACK");
            }
        }
    }
};

/// Congestion algorithms at the accepting end.
class TcpAcceptedControlTest : public TestCase
{
  public:
    TcpAcceptedControlTest()
        : TestCase("TCP guards: the congestion algorithm of an accepted connection is its "
                   "listener's")
    {
    }

  private:
    /**
     * @param tcp the TCP
     * @return the congestion algorithm of a connection that is accepted
     */
    static Ptr<TcpCongestionOps> Accepted(const std::string& tcp)
    {
        TcpPair pair(tcp, TcpPair::GetDefaults());
        pair.Start(0);
        pair.RunRounds(0);
        PointerValue control;
        pair.receiver->GetAttribute("CongestionOps", control);
        return control.Get<TcpCongestionOps>();
    }

    void DoRun() override
    {
        // What ns-3's own copy has is what was in memory: right for one of the two, by chance
        for (const bool isFriendly : {false, true, false, true})
        {
            Config::SetDefault("ns3::TcpCubic::TcpFriendliness", BooleanValue(isFriendly));
            BooleanValue accepted;
            Accepted("cubic")->GetAttribute("TcpFriendliness", accepted);
            NS_TEST_EXPECT_MSG_EQ(accepted.Get(), isFriendly, "as set");
        }
        for (const std::string tcp : {"newreno", "ns3::TcpLinuxReno"})
        {
            DoubleValue beta(0.5);
            // There from ns-3 3.47 on, and then zero, or what was in memory
            Accepted(tcp)->GetAttributeFailSafe("BetaLoss", beta);
            NS_TEST_EXPECT_MSG_EQ(beta.Get(), 0.5, tcp << ": ns-3's default");
        }
    }
};

/// Nagle's algorithm with Minshall's modification.
class TcpNagleTest : public TestCase
{
  public:
    TcpNagleTest()
        : TestCase("TCP guards: with Nagle's algorithm a short segment waits for another short one")
    {
    }

  private:
    /**
     * @param tcp the TCP
     * @param isHeld whether short segments are held
     * @param isLost whether the first segment is lost
     * @param bytes that are written first, before 152 in round 0
     * @return what was sent
     */
    std::string Run(const std::string& tcp, bool isHeld, bool isLost, uint32_t bytes)
    {
        TcpPair pair(tcp, TcpPair::GetDefaults());
        if (isHeld)
        {
            HoldSmallSegments(pair.sender);
        }
        if (isLost)
        {
            pair.toReceiver->DropData(1);
        }
        pair.Start(bytes);
        pair.WriteIn(0, 10, 152);
        pair.RunRounds(30);
        NS_TEST_EXPECT_MSG_EQ(pair.received, bytes + 152, tcp << ": all arrived");
        return pair.Sent();
    }

    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno", "cubic"})
        {
            NS_TEST_EXPECT_MSG_EQ(Run(tcp, false, false, 8), "0: 1 1", tcp << ": none waits");
            NS_TEST_EXPECT_MSG_EQ(Run(tcp, true, false, 8), "0: 1 | 1: 1", tcp << ": held");
            NS_TEST_EXPECT_MSG_EQ(Run(tcp, true, false, 1000), "0: 1 2", tcp << ": full ones");
            NS_TEST_EXPECT_MSG_EQ(Run(tcp, true, false, 1008), "0: 1 2 | 1: 2", tcp << ": held");
            // ns-3's own socket holds back what is lost, too, and sends nothing any more
            NS_TEST_EXPECT_MSG_EQ(Run(tcp, true, true, 8), "0: 1 | 10: 1r | 11: 1", tcp);
        }
    }
};

/// Marks all packets that may be marked, as a queue would.
class MarkingModel : public ErrorModel
{
  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        PppHeader ppp;
        Ipv4Header ip;
        packet->RemoveHeader(ppp);
        packet->RemoveHeader(ip);
        if (ip.GetEcn() == Ipv4Header::ECN_ECT0)
        {
            ip.SetEcn(Ipv4Header::ECN_CE);
        }
        packet->AddHeader(ip);
        packet->AddHeader(ppp);
        return false;
    }

    void DoReset() override
    {
    }
};

/// An ACK with ECE comes to an end that has closed behind the other one (LAST-ACK).
class TcpEchoAfterCloseTest : public TestCase
{
  public:
    TcpEchoAfterCloseTest()
        : TestCase("TCP guards: ECE ends no connection that closes")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string tcp : {"reno", "newreno"})
        {
            // The receiver closes in round 1, and hears of nothing but marks. The sender closes
            // behind that, while its last segments are under way. ns-3's own socket answers the
            // first ACK of them with a RST, since it carries ECE.
            auto defaults = TcpPair::GetDefaults();
            defaults.ecn = true;
            TcpPair pair(tcp, defaults);
            pair.nodes.Get(1)->GetDevice(0)->SetAttribute(
                "ReceiveErrorModel",
                PointerValue(CreateObject<MarkingModel>()));
            m_echoes = m_resets = 0;
            using Trace =
                Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>;
            const Trace count(
                [this](Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>) {
                    m_resets += (header.GetFlags() & TcpHeader::RST) != 0 ? 1 : 0;
                });
            const Trace countEchoes(
                [this](Ptr<const Packet>, const TcpHeader& header, Ptr<const TcpSocketBase>) {
                    const bool hasEcho = (header.GetFlags() & TcpHeader::ECE) != 0;
                    m_echoes += hasEcho ? 1 : 0;
                });
            pair.sender->TraceConnectWithoutContext("Tx", count);
            pair.sender->TraceConnectWithoutContext("Rx", countEchoes);
            pair.Start(8000);
            Simulator::Schedule(MilliSeconds(160), [&pair] { pair.receiver->Close(); });
            pair.WriteIn(1, 20, 1000, true);
            pair.RunRounds(20);
            NS_TEST_EXPECT_MSG_EQ(pair.received, 9000, tcp << ": all arrived");
            NS_TEST_EXPECT_MSG_GT(m_echoes, 0, tcp << ": ACKs with ECE");
            NS_TEST_EXPECT_MSG_EQ(m_resets, 0, tcp);
        }
    }

    uint32_t m_echoes{0}; //!< ACKs with ECE that have come to the sender
    uint32_t m_resets{0}; //!< RSTs that it has sent
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TcpGuardedIsStockTest,
            new TcpFinOverlapTest,
            new TcpLostSynTest,
            new TcpLostAcceptTest,
            new TcpAnswerAtOnceTest,
            new TcpAcceptedControlTest,
            new TcpNagleTest,
            new TcpEchoAfterCloseTest};
});

} // namespace ns3::gridftp
