/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A client against a server that does something wrong.
struct Fault
{
    std::string name;                           //!< in the name of the case
    Direction direction;                        //!< upload or download
    std::function<void(FakeServer&)> configure; //!< what the server does
    std::string reason;                         //!< the client's
    std::string lastVerb;                       //!< what the client said last
};

/// The bytes of a chunk of 1000 in one stream, but for its end.
FakeBytes
MakeDataBlock(uint64_t offset, uint64_t count)
{
    return MakeFakeBlock(ModeEHeader::Data(offset, count));
}

FakeBytes
Ends(uint64_t count)
{
    return MakeFakeBlock(ModeEHeader::EndOfDataAndFile(count));
}

constexpr auto UP = Direction::UPLOAD;
constexpr auto DOWN = Direction::DOWNLOAD;

const std::vector<Fault> FAULTS{
    {"data connection refused",
     UP,
     [](FakeServer& server) { server.dataPort = 4999; },
     "data connection 0 was refused (425)",
     "ESTO"},
    {"data connection reset",
     UP,
     [](FakeServer& server) { server.resetAfter = 100'000; },
     "data connection 0 was reset or gave up its retries (426)",
     "ESTO"},
    {"control connection closed at login",
     UP,
     [](FakeServer& server) { server.closeAt = "FEAT"; },
     "control connection closed by the peer",
     "FEAT"},
    {"control connection closed in a transfer",
     UP,
     [](FakeServer& server) { server.CloseControlAfter(MilliSeconds(400)); },
     "control connection closed by the peer",
     "ESTO"},
    {"421 in a transfer",
     UP,
     [](FakeServer& server) {
         server.delays["226"] = MilliSeconds(100);
         server.answers["226"] = "421 Shutting down.";
     },
     "the server answered 421 Shutting down.",
     "ESTO"},
    {"421 as greeting",
     UP,
     [](FakeServer& server) { server.answers["220"] = "421-Too many\r\n users\r\n421 here."; },
     "the server answered 421 Too many",
     ""},
    {"530 to PASS",
     UP,
     [](FakeServer& server) { server.answers["PASS"] = "530 Login incorrect."; },
     "the server answered 530 Login incorrect.",
     "PASS"},
    {"500 to MODE",
     DOWN,
     [](FakeServer& server) { server.answers["MODE"] = "500 What?"; },
     "the server answered 500 What?",
     "MODE"},
    {"PASV without an address",
     UP,
     [](FakeServer& server) { server.answers["PASV"] = "227 Somewhere."; },
     "the reply to PASV names no address",
     "PASV"},
    {"552 to ALLO",
     UP,
     [](FakeServer& server) { server.answers["ALLO"] = "552 Quota exceeded."; },
     "the server answered 552 Quota exceeded.",
     "ALLO"},
    {"no reply but words",
     UP,
     [](FakeServer& server) { server.answers["TYPE"] = "well"; },
     "the server sent no reply but 'well'",
     "TYPE"},
    {"an endless line",
     UP,
     [](FakeServer& server) { server.answers["TYPE"] = std::string(10'000, 'x'); },
     "the server sent a line that is too long",
     "TYPE"},
    {"425 to ERET",
     DOWN,
     [](FakeServer& server) { server.answers["ERET"] = "425 No connection."; },
     "the server answered 425 No connection.",
     "ERET"},
    {"too few bytes",
     DOWN,
     [](FakeServer& server) {
         server.streams = {MakeDataBlock(0, 600) + MakeDataBlock(700, 300) + Ends(1)};
     },
     "900 of 1000 bytes arrived in 2 ranges (426)",
     "ERET"},
    {"too many bytes",
     DOWN,
     [](FakeServer& server) { server.streams = {MakeDataBlock(0, 1001) + Ends(1)}; },
     "1001 of 1000 bytes arrived in 1 ranges (426)",
     "ERET"},
    {"bytes twice",
     DOWN,
     [](FakeServer& server) {
         server.streams = {MakeDataBlock(0, 600) + MakeDataBlock(599, 401) + Ends(1)};
     },
     "bytes within 599 and 1000 arrived twice (426)",
     "ERET"},
    {"bytes twice over two connections",
     DOWN,
     [](FakeServer& server) {
         server.streams = {MakeDataBlock(0, 1000) + Ends(2),
                           MakeDataBlock(0, 1) + MakeFakeBlock(ModeEHeader::EndOfData())};
     },
     "bytes within 0 and 1 arrived twice (426)",
     "ERET"},
    {"more EODs than announced",
     DOWN,
     [](FakeServer& server) {
         server.streams = {MakeDataBlock(0, 400) + MakeFakeBlock(ModeEHeader::EndOfData()),
                           MakeDataBlock(400, 600) + Ends(1)};
     },
     "more ends of data than announced (426)",
     "ERET"},
    {"no MODE E block",
     DOWN,
     [](FakeServer& server) { server.streams = {FakeBytes(17, 'x')}; },
     "data connection: block descriptor 120 has bits other than EOF (64), EOD (8) and close (4)"
     " (426)",
     "ERET"},
};

class FaultTest : public TransferTest
{
  public:
    /// @param fault what goes wrong
    explicit FaultTest(const Fault& fault)
        : TransferTest("failure: " + fault.name),
          m_fault(fault)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withServers = false;
        const uint64_t size = m_fault.direction == UP ? 2'000'000 : 1000;
        SetClient("FileSize", UintegerValue(size));
        SetClient("Direction", EnumValue(m_fault.direction));
    }

    void ConfigureObjects() override
    {
        m_fakeServer = std::make_unique<FakeServer>(m_network->GetServers().Get(0),
                                                    m_network->GetServerAddress(0));
        m_fault.configure(*m_fakeServer);
    }

    void FinalChecks() override
    {
        ExpectFailed(m_fault.reason);
        NS_TEST_EXPECT_MSG_EQ(m_clients[0]->GetReason(), m_fault.reason, "reason, in full");
        NS_TEST_EXPECT_MSG_EQ(m_clients[0]->GetResult().gridftp->chunks.size(), 0, "chunks");
        const auto& verbs = m_fakeServer->verbs;
        NS_TEST_EXPECT_MSG_EQ((verbs.empty() ? "" : verbs.back()), m_fault.lastVerb, "last word");
        ExpectDry();
    }

    Fault m_fault; //!< what goes wrong
};

/// The path is dead from some time on, or from the beginning.
class DeadPathTest : public TransferTest
{
  public:
    /**
     * @param name of the case
     * @param direction upload or download
     * @param cut when the path dies
     * @param silence when the last connection must have given up
     * @param reason the client's; empty: it waits for ever
     */
    DeadPathTest(const std::string& name,
                 Direction direction,
                 Time cut,
                 Time silence,
                 std::string reason)
        : TransferTest("failure: " + name),
          m_direction(direction),
          m_cut(cut),
          m_silence(silence),
          m_reason(std::move(reason))
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        // Timeouts of 0.2, 0.4, ... 6.4 s: 12.6 s after the first segment lost a connection gives
        // up.
        m_tcp.dataRetries = 5;
        m_limit = m_silence + Seconds(10);
        m_watch = Seconds(1);
        SetBoth("FileSize", UintegerValue(100'000'000));
        SetClient("Direction", EnumValue(m_direction));
        SetClient("ChunkSize", UintegerValue(1'000'000));
        SetTuner("Parallelism", UintegerValue(4));
    }

    void ConfigureObjects() override
    {
        CutBottleneck(m_cut);
    }

    void FinalChecks() override
    {
        if (m_reason.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(bool(m_clients[0]->GetState() == ClientState::TRANSFERRING),
                                  true,
                                  "it only listens, and hears nothing");
        }
        else
        {
            ExpectFailed(m_reason);
        }
        // ns-3 repeats a FIN for ever; all else must have come to an end.
        NS_TEST_EXPECT_MSG_LT(m_clientTaps[0]->GetLastTime(), m_silence, "client silent");
        NS_TEST_EXPECT_MSG_LT(m_serverTaps[0]->GetLastTime(), m_silence, "server silent");
    }

    Direction m_direction; //!< upload or download
    Time m_cut;            //!< when the path dies
    Time m_silence;        //!< when the last connection must have given up
    std::string m_reason;  //!< the client's
};

/// Nobody listens on the control port.
class NoServerTest : public TransferTest
{
  public:
    NoServerTest()
        : TransferTest("failure: no server")
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withServers = false;
    }

    void FinalChecks() override
    {
        ExpectFailed("the control connection was refused");
        ExpectDry();
    }
};

/// What the engine makes of failures.
class EngineFailureTest : public TestCase
{
  public:
    /**
     * @param direction upload or download
     * @param loss on the path of the data
     * @param reason of the result
     */
    EngineFailureTest(const std::string& direction, const std::string& loss, std::string reason)
        : TestCase("failure: engine, " + direction + ", loss " + loss),
          m_direction("--direction=" + direction),
          m_loss("--random-loss=" + loss),
          m_reason(std::move(reason))
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> options{"--engine=ns3",
                                                    m_direction,
                                                    m_loss,
                                                    "--file-size=10MB",
                                                    "--set=ns3::TcpSocket::DataRetries=3"};
        const auto request = ParseTransfer(options);
        GRIDFTP_TEST_REQUIRE_EQ(bool(request), true, "options");
        GRIDFTP_TEST_REQUIRE_EQ(bool(CheckNs3Scenario(request->scenario)), true, "scenario");
        const auto result = RunOnNs3(request->scenario, {});
        GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(result->done, false, "failed");
        NS_TEST_EXPECT_MSG_EQ(result->reason, m_reason, "reason");
    }

    std::string m_direction; //!< upload or download
    std::string m_loss;      //!< on the path of the data
    std::string m_reason;    //!< of the result
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto& fault : FAULTS)
    {
        all.push_back(new FaultTest(fault));
    }
    // The server's markers, every 5 s, stop when its control connection gives up.
    all.push_back(new DeadPathTest("path dies in an upload",
                                   UP,
                                   Seconds(1),
                                   Seconds(20),
                                   "data connection "));
    // The server gives up its data, then its 426.
    all.push_back(new DeadPathTest("path dies in a download", DOWN, Seconds(1), Seconds(28), ""));
    all.push_back(new DeadPathTest("path dies at login",
                                   UP,
                                   MilliSeconds(100),
                                   Seconds(15),
                                   "control connection failed"));
    // Given up at 189 s.
    all.push_back(new DeadPathTest("path was never there",
                                   UP,
                                   Time(0),
                                   Seconds(190),
                                   "the control connection was refused"));
    all.push_back(new NoServerTest);
    for (const auto* direction : {"upload", "download"})
    {
        all.push_back(
            new EngineFailureTest(direction, "0.999999999", "session 0: no greeting for 600 s"));
    }
    return all;
});

} // namespace ns3::gridftp
