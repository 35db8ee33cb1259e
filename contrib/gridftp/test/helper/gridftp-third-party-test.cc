/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-client.h"
#include "gridftp-helper.h"
#include "gridftp-network-helper.h"
#include "gridftp-server.h"
#include "gridftp-tcp-defaults.h"
#include "gridftp-test-cases.h"
#include "gridftp-wire-tap.h"

#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

enum : uint32_t
{
    RECEIVER,
    SENDER,
    NOBODY
};

constexpr std::array<const char*, 2> NAMES{"receiver", "sender"};

/// What came of a transfer between two servers.
struct Outcome
{
    ClientState state{};              //!< of the client
    std::string reason;               //!< why it failed
    SessionResult result;             //!< measured
    std::array<std::string, 2> verbs; //!< commands to each server
    std::array<std::string, 2> codes; //!< its replies
    std::array<uint32_t, 3>
        socketsLeft{};   //!< of receiver, sender, client, their listeners included
    bool ranDry{false};  //!< nothing was scheduled any more at the end
    bool covered{false}; //!< both chunks arrived, each byte once
};

/// A client, 30 ms away from the router, that has 3 MB moved in two chunks from one server to
/// another.
class ThirdPartyRun
{
  public:
    /// @param channels fresh or cached @param links which devices
    ThirdPartyRun(DataChannels channels, LinkKind links)
        : m_channels(channels),
          m_links(links)
    {
    }

    /// @param failing server @param at when @return what came of it
    Outcome Run(uint32_t failing = NOBODY, Time at = Time()) const
    {
        TcpDefaults tcp;
        tcp.segmentSize = SegmentBytesFor(1500, false);
        tcp.window = 65536;
        tcp.initialWindow = 2;
        tcp.minRto = MilliSeconds(200);
        tcp.delayedAck = 1;
        tcp.Apply();
        Scenario scenario;
        scenario.path = {.topology = "dumbbell",
                         .bandwidth = 80'000'000,
                         .delay = 10'000'000,
                         .queue = 100,
                         .accessBandwidth = 8'000'000'000,
                         .accessDelay = 10'000};
        scenario.sessions.resize(1);
        scenario.sessions[0].direction = Direction::THIRD_PARTY;
        scenario.sessions[0].delay = scenario.path.delay;
        scenario.sessions[0].clientDelay = 30'000'000;
        const NetworkHelper network(MakeTopology(scenario), m_links, 1500);
        const HostPair& pair = network.GetTopology().pairs[0];
        const std::array<uint32_t, 3> hosts{pair.server, pair.sender, pair.client};
        std::vector<std::unique_ptr<WireTap>> taps;
        std::vector<Ptr<Server>> servers;
        for (const uint32_t which : {RECEIVER, SENDER})
        {
            ServerHelper helper;
            helper.SetAttribute("FileSize", UintegerValue(3'000'000));
            const auto node = network.GetNode(hosts[which]);
            servers.push_back(DynamicCast<Server>(helper.Install(node).Get(0)));
            taps.push_back(std::make_unique<WireTap>(node));
        }
        ClientHelper helper(network.GetNodeAddress(pair.server), "fixed");
        helper.SetSender(network.GetNodeAddress(pair.sender));
        helper.SetAttribute("Direction", EnumValue(Direction::THIRD_PARTY));
        helper.SetAttribute("DataChannels", EnumValue(m_channels));
        helper.SetAttribute("FileSize", UintegerValue(3'000'000));
        helper.SetAttribute("ChunkSize", UintegerValue(2'000'000));
        helper.SetTunerAttribute("Parallelism", UintegerValue(4));
        const auto client =
            DynamicCast<Client>(helper.Install(network.GetNode(pair.client)).Get(0));
        if (failing != NOBODY)
        {
            Simulator::Schedule(at, &Server::Fail, servers[failing]);
        }
        Simulator::Stop(Minutes(20));
        Simulator::Run();
        const uint64_t events = Simulator::GetEventCount();
        Simulator::Stop(Hours(1));
        Simulator::Run();
        Outcome outcome;
        outcome.state = client->GetState();
        outcome.reason = client->GetReason();
        outcome.result = client->GetResult();
        outcome.ranDry = Simulator::GetEventCount() == events + 1;
        for (const uint32_t which : {RECEIVER, SENDER})
        {
            outcome.verbs.at(which) = taps[which]->GetVerbs();
            outcome.codes.at(which) = taps[which]->GetCodes();
        }
        for (size_t i = 0; i < hosts.size(); ++i)
        {
            ObjectVectorValue sockets;
            network.GetNode(hosts.at(i))
                ->GetObject<TcpL4Protocol>()
                ->GetAttribute("SocketList", sockets);
            outcome.socketsLeft.at(i) = static_cast<uint32_t>(sockets.GetN());
        }
        const auto chunks = taps[RECEIVER]->GetChunks();
        outcome.covered =
            chunks.size() == 2 && chunks[0].Covers(2'000'000) && chunks[1].Covers(1'000'000);
        Simulator::Destroy();
        Config::Reset();
        return outcome;
    }

  private:
    DataChannels m_channels; //!< fresh or cached
    LinkKind m_links;        //!< which devices
};

/// What the client says to whom, and that all of the file arrives.
class ThirdPartyDialogueTest : public TestCase
{
  public:
    ThirdPartyDialogueTest()
        : TestCase("third party: the dialogues, and every byte once")
    {
    }

  private:
    void DoRun() override
    {
        const std::string login = "USER PASS SITE FEAT SITE TYPE MODE ";
        const std::string codes = "220 331 230 214 211 250 200 200 ";
        for (const auto links : {LinkKind::LEAN, LinkKind::NS3})
        {
            const Outcome fresh = ThirdPartyRun(DataChannels::FRESH, links).Run();
            CheckDone(fresh);
            NS_TEST_EXPECT_MSG_EQ(fresh.verbs[RECEIVER],
                                  login + "SITE PASV ALLO ESTO PASV ALLO ESTO QUIT",
                                  "");
            NS_TEST_EXPECT_MSG_EQ(fresh.verbs[SENDER],
                                  login + "SIZE SITE OPTS PORT ERET OPTS PORT ERET QUIT",
                                  "");
            NS_TEST_EXPECT_MSG_EQ(fresh.codes[RECEIVER],
                                  codes + "200 227 200 150 112 111 226 227 200 150 112 111 226 221",
                                  "");
            NS_TEST_EXPECT_MSG_EQ(fresh.codes[SENDER],
                                  codes + "213 200 200 200 150 226 200 200 150 226 221",
                                  "");
        }
        const Outcome cached = ThirdPartyRun(DataChannels::CACHED, LinkKind::LEAN).Run();
        CheckDone(cached);
        NS_TEST_EXPECT_MSG_EQ(cached.verbs[RECEIVER],
                              login + "SITE PASV ALLO ESTO ALLO ESTO QUIT",
                              "");
        NS_TEST_EXPECT_MSG_EQ(cached.verbs[SENDER],
                              login + "SIZE SITE OPTS PORT ERET OPTS ERET QUIT",
                              "");
    }

    /// @param outcome of a transfer that nothing disturbs
    void CheckDone(const Outcome& outcome)
    {
        NS_TEST_EXPECT_MSG_EQ((outcome.state == ClientState::DONE), true, outcome.reason);
        NS_TEST_EXPECT_MSG_EQ(outcome.covered, true, "every byte once");
        NS_TEST_EXPECT_MSG_EQ(outcome.ranDry, true, "nothing goes on");
        NS_TEST_EXPECT_MSG_EQ(outcome.socketsLeft[SENDER], 1, "who listens");
        // 30.01 ms to the sender and 40.01 ms to the receiver, each way: R is of the latter
        const double rtt = outcome.result.gridftp->chunks[0].rttS;
        NS_TEST_EXPECT_MSG_EQ_TOL(rtt, 0.0801, 0.0002, "R");
    }
};

/// A server that resets its control connection, at any moment, ends all of it.
class ThirdPartyFaultTest : public TestCase
{
  public:
    /// @param channels fresh or cached
    explicit ThirdPartyFaultTest(DataChannels channels)
        : TestCase("third party: a lost control connection leaves nothing behind, " +
                   std::string(channels == DataChannels::FRESH ? "fresh" : "cached")),
          m_run(channels, LinkKind::LEAN)
    {
    }

  private:
    void DoRun() override
    {
        const Outcome whole = m_run.Run();
        const auto& chunks = whole.result.gridftp->chunks;
        NS_TEST_ASSERT_MSG_EQ(chunks.size(), 2, "undisturbed");
        const Time begin = NanoSeconds(chunks[0].startNs);
        const Time middle = NanoSeconds((chunks[0].startNs + chunks[0].endNs) / 2);
        const Time between = NanoSeconds((chunks[0].endNs + chunks[1].startNs) / 2);
        for (const uint32_t failing : {RECEIVER, SENDER})
        {
            for (const Time& at : {Time(),
                                   MilliSeconds(100), // login at the receiver
                                   MilliSeconds(900), // login at the sender
                                   begin,
                                   begin + MilliSeconds(60), // ESTO done, not yet ERET
                                   begin + MilliSeconds(90), // while connections open
                                   middle,
                                   between})
            {
                Check(failing, at, at == middle, at >= between ? 1 : 0);
            }
        }
    }

    /// @param failing which server @param at when @param transfers data flows @param chunks
    /// complete
    void Check(uint32_t failing, const Time& at, bool transfers, size_t chunks)
    {
        const Outcome outcome = m_run.Run(failing, at);
        const std::string what =
            std::string(NAMES.at(failing)) + " at " + std::to_string(at.GetMilliSeconds()) + " ms";
        NS_TEST_EXPECT_MSG_EQ((outcome.state == ClientState::FAILED), true, what);
        NS_TEST_EXPECT_MSG_EQ(outcome.reason,
                              std::string(NAMES.at(failing)) + ": control connection failed",
                              what);
        NS_TEST_EXPECT_MSG_EQ(outcome.result.gridftp->chunks.size(), chunks, what);
        NS_TEST_EXPECT_MSG_EQ(outcome.ranDry, true, what << ": nothing waits");
        NS_TEST_EXPECT_MSG_EQ(outcome.socketsLeft[RECEIVER], 1, what << ": who listens");
        NS_TEST_EXPECT_MSG_EQ(outcome.socketsLeft[SENDER], 1, what << ": who listens");
        // The client has one from its start, which tells it the segment size
        NS_TEST_EXPECT_MSG_EQ(outcome.socketsLeft[2], 1, what << ": no connection of the client");
        if (transfers)
        {
            const uint32_t other = failing == RECEIVER ? SENDER : RECEIVER;
            NS_TEST_EXPECT_MSG_EQ(outcome.verbs.at(other).ends_with(" ABOR"), true, what);
            NS_TEST_EXPECT_MSG_EQ(outcome.codes.at(other).ends_with("426 226"), true, what);
        }
    }

    ThirdPartyRun m_run; //!< of each transfer
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ThirdPartyDialogueTest,
            new ThirdPartyFaultTest(DataChannels::FRESH),
            new ThirdPartyFaultTest(DataChannels::CACHED)};
});

} // namespace ns3::gridftp
