/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr auto UP = Direction::UPLOAD;
constexpr auto DOWN = Direction::DOWNLOAD;

/// @param direction upload or download @return its name
std::string
NameOf(Direction direction)
{
    return direction == UP ? "upload" : "download";
}

/*
 * A transfer of 600 kB in chunks of 200 kB over 3 connections. It begins to connect at 0, to log in
 * at 30 ms and to transfer at about 250 ms, and ends at about 700 ms.
 */

/**
 * Times that hit every phase of it, ms; but for the 20 ms of QUIT, when both ends close: there
 * ns-3's TCP misses the end of it, and repeats a FIN for ever to a port where a server listens.
 */
const std::vector<uint32_t>
    PHASES{5, 15, 25, 35, 100, 230, 260, 280, 300, 320, 400, 500, 600, 650, 680, 720};

/// What ends it early.
enum class Ending
{
    CLIENT_STOPS,
    SERVER_STOPS,
    BOTH_STOP,
    CLIENT_DISPOSED,
    SERVER_DISPOSED,
    SIMULATOR_DESTROYED
};

/// Something ends in mid-transfer.
class EarlyEndTest : public TransferTest
{
  public:
    /**
     * @param name in the name of the case
     * @param end what happens
     * @param at when, ms
     * @param direction upload or download
     * @param channels fresh or cached
     */
    EarlyEndTest(const std::string& name,
                 Ending end,
                 uint32_t at,
                 Direction direction,
                 DataChannels channels)
        : TransferTest("lifetime: " + name + " at " + std::to_string(at) + " ms, " +
                       NameOf(direction)),
          m_end(end),
          m_at(MilliSeconds(at)),
          m_direction(direction),
          m_channels(channels)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetBoth("FileSize", UintegerValue(600'000));
        SetBoth("StartJitter", TimeValue(MilliSeconds(20)));
        SetClient("ChunkSize", UintegerValue(200'000));
        SetClient("Direction", EnumValue(m_direction));
        SetClient("DataChannels", EnumValue(m_channels));
        SetServer("MarkerInterval", TimeValue(MilliSeconds(7)));
        SetTuner("Parallelism", UintegerValue(3));
        if (m_end == Ending::SIMULATOR_DESTROYED)
        {
            m_limit = m_at;
            m_watch = Time(0);
        }
    }

    void ConfigureObjects() override
    {
        const auto client = m_clients[0];
        const auto server = m_servers[0];
        switch (m_end)
        {
        case Ending::CLIENT_STOPS:
            return client->SetStopTime(m_at);
        case Ending::SERVER_STOPS:
            return server->SetStopTime(m_at);
        case Ending::BOTH_STOP:
            client->SetStopTime(m_at);
            return server->SetStopTime(m_at);
        case Ending::CLIENT_DISPOSED:
            Simulator::Schedule(m_at, [client] { client->Dispose(); });
            return;
        case Ending::SERVER_DISPOSED:
            Simulator::Schedule(m_at, [server] { server->Dispose(); });
            return;
        case Ending::SIMULATOR_DESTROYED:
            return;
        }
    }

    void FinalChecks() override
    {
        if (m_end == Ending::SIMULATOR_DESTROYED)
        {
            return; // what counts is that nothing breaks afterwards
        }
        ExpectDry();
        if (m_clients[0]->GetState() == ClientState::DONE)
        {
            NS_TEST_EXPECT_MSG_EQ(m_clients[0]->GetReason(), "", "done, no reason");
            NS_TEST_EXPECT_MSG_EQ(m_clients[0]->GetResult().bytes, 600'000, "done in full");
            NS_TEST_EXPECT_MSG_GT(m_at, MilliSeconds(600), "too late to matter");
            return;
        }
        if (m_end == Ending::CLIENT_STOPS || m_end == Ending::BOTH_STOP)
        {
            ExpectFailed("the client was stopped");
        }
        else if (m_end == Ending::SERVER_STOPS || m_end == Ending::SERVER_DISPOSED)
        {
            // Until 30 ms the handshake is under way: the server resets what it has not accepted
            ExpectFailed(m_at < MilliSeconds(10)   ? "the control connection was refused"
                         : m_at < MilliSeconds(30) ? "control connection failed"
                                                   : "control connection closed by the peer");
        }
        // A stopped end says nothing more but what TCP still has to deliver.
        const Time silence = m_at < MilliSeconds(10) ? Seconds(190) : m_at + Seconds(1);
        NS_TEST_EXPECT_MSG_LT(m_clientTaps[0]->GetLastTime(), silence, "silence");
    }

    Ending m_end;            //!< what happens
    Time m_at;               //!< when
    Direction m_direction;   //!< upload or download
    DataChannels m_channels; //!< fresh or cached
};

/// Several clients on one server.
class CrowdTest : public TransferTest
{
  public:
    /**
     * @param clients how many
     * @param oneStops whether the first one is stopped in mid-transfer
     */
    CrowdTest(uint32_t clients, bool oneStops)
        : TransferTest("lifetime: " + std::to_string(clients) + " clients on one server" +
                       (oneStops ? ", one stops" : "")),
          m_oneStops(oneStops)
    {
        m_pairs = clients;
        m_oneServer = true;
    }

  private:
    /// @param client index @return bytes of its file
    uint64_t GetBytes(uint32_t client) const
    {
        return 100'000 + 7'000 * client;
    }

    void ConfigureEnvironment() override
    {
        SetServer("FileSize", UintegerValue(1'000'000));
        SetClient("ChunkSize", UintegerValue(60'000));
        SetBoth("BlockSize", UintegerValue(3000));
        SetTuner("Parallelism", UintegerValue(2));
    }

    void ConfigureObjects() override
    {
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            m_clients[i]->SetAttribute("FileSize", UintegerValue(GetBytes(i)));
            m_clients[i]->SetAttribute("Direction", EnumValue(i % 2 == 0 ? UP : DOWN));
            m_clients[i]->SetAttribute(
                "DataChannels",
                EnumValue(i % 4 < 2 ? DataChannels::FRESH : DataChannels::CACHED));
        }
        if (m_oneStops)
        {
            m_clients[0]->SetStopTime(MilliSeconds(300));
        }
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_servers.size(), 1, "servers");
        NS_TEST_EXPECT_MSG_EQ(m_servers[0]->GetAcceptedCount(), m_pairs, "control connections");
        ExpectDry();
        for (uint32_t i = m_oneStops ? 1 : 0; i < m_pairs; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_clients[i]->GetReason(), "", "reason");
            const auto records = m_clients[i]->GetResult().gridftp->chunks;
            const auto chunks = m_clientTaps[i]->GetChunks();
            NS_TEST_EXPECT_MSG_EQ(m_clients[i]->GetResult().bytes, GetBytes(i), "bytes");
            GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), records.size(), "chunks");
            for (size_t k = 0; k < chunks.size(); ++k)
            {
                NS_TEST_EXPECT_MSG_EQ(chunks[k].Covers(records[k].bytes), true, "each byte once");
            }
        }
        if (m_oneStops)
        {
            ExpectFailed("the client was stopped");
        }
        else
        {
            ExpectDone();
        }
    }

    bool m_oneStops; //!< the first one is stopped in mid-transfer
};

/// Two sessions with nothing in common but a path that has room for both take what each takes
/// alone.
class NeighbourTest : public TransferTest
{
  public:
    /// @param sessions how many
    explicit NeighbourTest(uint32_t sessions)
        : TransferTest("lifetime: " + std::to_string(sessions) + " sessions that start apart")
    {
        m_pairs = sessions;
    }

  private:
    void ConfigureEnvironment() override
    {
        SetBoth("FileSize", UintegerValue(30'000));
        SetTuner("Parallelism", UintegerValue(2));
    }

    void ConfigureObjects() override
    {
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            m_clients[i]->SetStartTime(Seconds(i));
        }
    }

    void FinalChecks() override
    {
        ExpectDone();
        for (uint32_t i = 0; i < m_pairs; ++i)
        {
            const auto chunks = m_clients[i]->GetResult().gridftp->chunks;
            const auto first = m_clients[0]->GetResult().gridftp->chunks;
            GRIDFTP_TEST_REQUIRE_EQ(chunks.size(), 1, "chunks");
            NS_TEST_EXPECT_MSG_EQ(chunks[0].startNs - first[0].startNs,
                                  Seconds(i).GetNanoSeconds(),
                                  "start");
            NS_TEST_EXPECT_MSG_EQ(chunks[0].endNs - first[0].endNs,
                                  Seconds(i).GetNanoSeconds(),
                                  "end");
            NS_TEST_EXPECT_MSG_EQ(m_servers[i]->GetAcceptedCount(), 1, "a server each");
        }
    }
};

/// The engine runs several sessions, and the same one twice alike.
class EngineSessionsTest : public TestCase
{
  public:
    EngineSessionsTest()
        : TestCase("lifetime: two sessions in one run of the engine")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> options{"--file-size=3MB", "--chunk-size=1MB"};
        auto request = ParseTransfer(options);
        GRIDFTP_TEST_REQUIRE_EQ(bool(request), true, "options");
        auto& scenario = request->scenario;
        scenario.sessions.push_back(scenario.sessions.front());
        scenario.sessions.back().fileSize = 2'500'000;
        scenario.sessions.back().mode = "aimd";
        std::vector<int64_t> ends;
        for (int run = 0; run < 2; ++run)
        {
            const auto result = RunOnNs3(scenario, {});
            GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
            NS_TEST_EXPECT_MSG_EQ(result->reason, "", "reason");
            GRIDFTP_TEST_REQUIRE_EQ(result->sessions.size(), 2, "sessions");
            NS_TEST_EXPECT_MSG_EQ(result->sessions[0].bytes, 3'000'000, "first file");
            NS_TEST_EXPECT_MSG_EQ(result->sessions[1].bytes, 2'500'000, "second file");
            ends.push_back(result->sessions[0].gridftp->chunks.back().endNs +
                           result->sessions[1].gridftp->chunks.back().endNs);
        }
        NS_TEST_EXPECT_MSG_EQ(ends[0], ends[1], "twice the same");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    const std::vector<std::pair<std::string, Ending>> ends{
        {"client stops", Ending::CLIENT_STOPS},
        {"server stops", Ending::SERVER_STOPS},
        {"both stop", Ending::BOTH_STOP},
        {"client disposed", Ending::CLIENT_DISPOSED},
        {"server disposed", Ending::SERVER_DISPOSED},
        {"simulator destroyed", Ending::SIMULATOR_DESTROYED}};
    for (const auto& [name, end] : ends)
    {
        for (size_t i = 0; i < PHASES.size(); ++i)
        {
            // Fresh and cached take turns: the phases are closer together than they differ.
            const auto channels = i % 2 == 0 ? DataChannels::FRESH : DataChannels::CACHED;
            all.push_back(new EarlyEndTest(name, end, PHASES[i], UP, channels));
            all.push_back(new EarlyEndTest(name, end, PHASES[i], DOWN, channels));
        }
    }
    all.push_back(new CrowdTest(2, false));
    all.push_back(new CrowdTest(10, false));
    all.push_back(new CrowdTest(4, true));
    all.push_back(new NeighbourTest(3));
    all.push_back(new EngineSessionsTest);
    return all;
});

} // namespace ns3::gridftp
