/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-pair.h"
#include "gridftp-tcp-socket-reno.h"
#include "gridftp-tcp-variant.h"
#include "gridftp-test-cases.h"

#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"

#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Names of TCPs.
class TcpVariantNameTest : public TestCase
{
  public:
    TcpVariantNameTest()
        : TestCase("TCP variants: names")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(bool(FindTcpVariant("reno") == TcpSocketReno::GetTypeId()),
                              true,
                              "reno");
        NS_TEST_EXPECT_MSG_EQ(bool(FindTcpVariant("newreno") == TcpNewReno::GetTypeId()),
                              true,
                              "newreno");
        for (const std::string known :
             {"ns3::TcpCubic", "ns3::TcpSocketBase", "ns3::gridftp::TcpSocketReno"})
        {
            const auto found = FindTcpVariant(known);
            NS_TEST_ASSERT_MSG_EQ(found.has_value(), true, known);
            NS_TEST_EXPECT_MSG_EQ(found->GetName(), known, "TypeId");
        }
        // No TypeId; another's; an abstract one
        for (const std::string unknown :
             {"", "Reno", "ns3::TcpReno", "ns3::Node", "ns3::TcpSocket", "ns3::TcpCongestionOps"})
        {
            NS_TEST_EXPECT_MSG_EQ(FindTcpVariant(unknown).has_value(), false, unknown);
        }
    }
};

/// The class and the congestion algorithm of sockets, on both ends.
class TcpVariantTypeTest : public TestCase
{
  public:
    TcpVariantTypeTest()
        : TestCase("TCP variants: types at both ends")
    {
    }

  private:
    /**
     * @param name of a TCP
     * @param socketType the class that both ends must have
     * @param congestionName what their congestion algorithm calls itself
     */
    void Check(const std::string& name,
               const std::string& socketType,
               const std::string& congestionName)
    {
        TcpPair pair(name, TcpPair::GetDefaults());
        pair.Start(1000);
        pair.RunRounds(1);
        NS_TEST_ASSERT_MSG_EQ(bool(pair.receiver), true, "accepted");
        for (const auto& socket : {pair.sender, pair.receiver})
        {
            NS_TEST_EXPECT_MSG_EQ(socket->GetInstanceTypeId().GetName(), socketType, name);
            PointerValue congestion;
            socket->GetAttribute("CongestionOps", congestion);
            NS_TEST_EXPECT_MSG_EQ(congestion.Get<TcpCongestionOps>()->GetName(),
                                  congestionName,
                                  name);
        }
    }

    void DoRun() override
    {
        Check("reno", "ns3::gridftp::TcpSocketReno", "TcpNewReno");
        Check("newreno", "ns3::gridftp::TcpSocketRightSizing", "TcpNewReno");
        Check("ns3::TcpCubic", "ns3::gridftp::TcpSocketRightSizing", "TcpCubic");
        Check("ns3::TcpSocketBase", "ns3::TcpSocketBase", "TcpNewReno");
    }
};

/// The trace sources of a connecting and of an accepted socket.
class TcpTraceTest : public TestCase
{
  public:
    /**
     * @param tcp name of the TCP
     */
    explicit TcpTraceTest(const std::string& tcp)
        : TestCase("TCP variants: trace sources of " + tcp),
          m_tcp(tcp)
    {
    }

  private:
    /**
     * @brief Note a trace source when it fires.
     * @tparam Ts arguments of the trace source
     * @param socket the socket
     * @param name the trace source
     * @param who "client " or "server "
     */
    template <typename... Ts>
    void Watch(Ptr<TcpSocketBase> socket, const std::string& name, const std::string& who)
    {
        const auto connected = socket->TraceConnectWithoutContext(
            name,
            Callback<void, Ts...>([this, name, who](Ts...) { m_fired.insert(who + name); }));
        NS_TEST_EXPECT_MSG_EQ(connected, true, name);
    }

    /**
     * @param socket the socket
     * @param who "client " or "server "
     */
    void WatchAll(Ptr<TcpSocketBase> socket, const std::string& who)
    {
        for (const auto name :
             {"CongestionWindow", "CongestionWindowInflated", "SlowStartThreshold"})
        {
            Watch<uint32_t, uint32_t>(socket, name, who);
        }
        Watch<Time, Time>(socket, "RTT", who);
        Watch<Time, Time>(socket, "RTO", who);
        Watch<TcpSocket::TcpStates_t, TcpSocket::TcpStates_t>(socket, "State", who);
        Watch<TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t>(socket,
                                                                              "CongState",
                                                                              who);
        Watch<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(socket, "Tx", who);
        Watch<Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(socket, "Rx", who);
    }

    /**
     * @param pair a connection, established
     * @param from the end that sends 20 segments, of which it loses one
     * @param dropper what loses them
     */
    void Exchange(TcpPair& pair, Ptr<TcpSocketBase> from, Ptr<SegmentDropper> dropper)
    {
        dropper->DropData(3001);
        from->Send(Create<Packet>(20000), 0);
        pair.RunRounds(5);
        from->Close();
        pair.RunRounds(2);
    }

    void DoRun() override
    {
        auto defaults = TcpPair::GetDefaults();
        defaults.minRto = MilliSeconds(200); // so that RTO follows the RTT for a while
        {
            TcpPair upload(m_tcp, defaults);
            WatchAll(upload.sender, "client ");
            upload.Start(0);
            upload.RunRounds(1);
            Exchange(upload, upload.sender, upload.toReceiver);
            Expect("client ");
        }
        // The accepted socket as the one that sends
        TcpPair download(m_tcp, defaults);
        download.Start(0);
        download.RunRounds(1);
        NS_TEST_ASSERT_MSG_EQ(bool(download.receiver), true, "accepted");
        WatchAll(download.receiver, "server ");
        Exchange(download, download.receiver, download.toSender);
        Expect("server ");
    }

    /**
     * @param who "client " or "server "
     */
    void Expect(const std::string& who)
    {
        for (const std::string name : {"CongestionWindow",
                                       "CongestionWindowInflated",
                                       "SlowStartThreshold",
                                       "RTT",
                                       "RTO",
                                       "State",
                                       "CongState",
                                       "Tx",
                                       "Rx"})
        {
            NS_TEST_EXPECT_MSG_EQ(m_fired.contains(who + name), true, who + name);
        }
    }

    std::string m_tcp;             //!< name of the TCP
    std::set<std::string> m_fired; //!< who and trace source
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TcpVariantNameTest,
            new TcpVariantTypeTest,
            new TcpTraceTest("reno"),
            new TcpTraceTest("newreno")};
});

} // namespace ns3::gridftp
