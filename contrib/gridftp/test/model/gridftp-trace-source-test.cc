/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Trace sources fire as documented, connected by path.
class TraceTest : public TransferTest
{
  public:
    /// @param direction upload or download
    explicit TraceTest(Direction direction)
        : TransferTest(direction == Direction::UPLOAD ? "traces: upload" : "traces: download"),
          m_direction(direction)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_pairs = 2;
        m_mode = "aimd";
        // With W = 4 segments 35 and 18 round trips, and 3 more each: G > 0.5 N W / R, so N grows.
        SetBoth("FileSize", UintegerValue(500'000));
        SetBoth("BlockSize", UintegerValue(5000));
        SetClient("ChunkSize", UintegerValue(200'000));
        SetClient("Window", UintegerValue(4 * 1460));
        SetTuner("Eta", DoubleValue(0.5));
        SetClient("Direction", EnumValue(m_direction));
        m_tcp.initialWindow = 4;
    }

    void ConfigureObjects() override
    {
        const std::string client = "/NodeList/*/ApplicationList/*/$ns3::gridftp::Client/";
        const std::string server = "/NodeList/*/ApplicationList/*/$ns3::gridftp::Server/";
        Config::Connect(client + "ChunkCompleted", MakeCallback(&TraceTest::HandleChunk, this));
        Config::Connect(client + "DataConnection", MakeCallback(&TraceTest::HandleOpened, this));
        Config::Connect(client + "Parallelism", MakeCallback(&TraceTest::HandleNumber, this));
        Config::Connect(client + "State", MakeCallback(&TraceTest::HandleState, this));
        Config::Connect(server + "DataConnection", MakeCallback(&TraceTest::HandleOpened, this));
        Config::Connect(server + "Accepted", MakeCallback(&TraceTest::HandleAccepted, this));
    }

    /// @param context the path @return what comes before the application's type
    static std::string Short(const std::string& context)
    {
        return context.substr(0, context.find("$ns3"));
    }

    void HandleChunk(std::string context, const ChunkRecord& record)
    {
        m_seen[Short(context)] +=
            "chunk " + std::to_string(record.index) + " of " + std::to_string(record.bytes) + "; ";
    }

    void HandleOpened(std::string context, Ptr<Socket> socket, uint64_t chunk, uint32_t connection)
    {
        Address local;
        NS_TEST_EXPECT_MSG_EQ(socket->GetSockName(local), 0, "a bound socket");
        m_seen[Short(context)] +=
            "open " + std::to_string(chunk) + "." + std::to_string(connection) + "; ";
    }

    void HandleNumber(std::string context, uint32_t before, uint32_t now)
    {
        m_seen[Short(context)] += "N " + std::to_string(before) + ">" + std::to_string(now) + "; ";
    }

    void HandleState(std::string context, ClientState before, ClientState now)
    {
        m_seen[Short(context)] += "state " + std::to_string(static_cast<int>(before)) + ">" +
                                  std::to_string(static_cast<int>(now)) + "; ";
    }

    void HandleAccepted(std::string context, Ptr<ServerProtocolInterpreter> interpreter)
    {
        m_seen[Short(context)] += "accepted; ";
        const auto note = [this, context](ServerState before, ServerState now) {
            m_seen[Short(context)] += "state " + std::to_string(static_cast<int>(before)) + ">" +
                                      std::to_string(static_cast<int>(now)) + "; ";
        };
        interpreter->TraceConnectWithoutContext("State",
                                                Callback<void, ServerState, ServerState>(note));
    }

    void FinalChecks() override
    {
        ExpectDone();
        // Nodes 0 and 1 are the clients, 2 and 3 the servers. AIMD: N = 1, 2, 3.
        const bool up = m_direction == Direction::UPLOAD;
        const auto opened = [](bool here, const std::string& which) { return here ? which : ""; };
        const std::string client =
            "N 0>1; state 0>1; state 1>2; " + opened(up, "open 0.0; ") +
            "N 1>2; chunk 0 of 200000; " + opened(up, "open 1.0; open 1.1; ") +
            "N 2>3; chunk 1 of 200000; " + opened(up, "open 2.0; open 2.1; open 2.2; ") +
            "chunk 2 of 100000; state 2>3; state 3>4; ";
        const std::string server = "accepted; state 0>1; state 1>2; state 2>3; " +
                                   opened(!up, "open 0.0; ") + "state 3>2; state 2>3; " +
                                   opened(!up, "open 1.0; open 1.1; ") + "state 3>2; state 2>3; " +
                                   opened(!up, "open 2.0; open 2.1; open 2.2; ") +
                                   "state 3>2; state 2>4; ";
        const std::map<std::string, std::string> expected{
            {"/NodeList/0/ApplicationList/0/", client},
            {"/NodeList/1/ApplicationList/0/", client},
            {"/NodeList/2/ApplicationList/0/", server},
            {"/NodeList/3/ApplicationList/0/", server}};
        NS_TEST_EXPECT_MSG_EQ(m_seen.size(), expected.size(), "contexts");
        for (const auto& [context, seen] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(m_seen[context], seen, context);
        }
    }

    Direction m_direction;                     //!< upload or download
    std::map<std::string, std::string> m_seen; //!< what fired, by the beginning of its path
};

/// Each trace source names the type of its callback, and has help.
class SignatureTest : public TestCase
{
  public:
    SignatureTest()
        : TestCase("traces: documented signatures")
    {
    }

  private:
    void DoRun() override
    {
        const std::map<std::string, std::string> expected{
            {"Client::ChunkStarted", "ns3::gridftp::Client::StartedTracedCallback"},
            {"Client::ChunkCompleted", "ns3::gridftp::Client::ChunkTracedCallback"},
            {"Client::DataConnection", "ns3::gridftp::SessionSockets::OpenedTracedCallback"},
            {"Client::DataAccepted", "ns3::gridftp::SessionSockets::AcceptedTracedCallback"},
            {"Client::Parallelism", "ns3::TracedValueCallback::Uint32"},
            {"Client::State", "ns3::gridftp::Client::StateTracedCallback"},
            {"Server::DataConnection", "ns3::gridftp::SessionSockets::OpenedTracedCallback"},
            {"Server::DataAccepted", "ns3::gridftp::SessionSockets::AcceptedTracedCallback"},
            {"Server::Accepted", "ns3::gridftp::Server::AcceptedTracedCallback"},
            {"ServerProtocolInterpreter::State",
             "ns3::gridftp::ServerProtocolInterpreter::StateTracedCallback"}};
        std::map<std::string, std::string> found;
        for (const auto& type :
             {Client::GetTypeId(), Server::GetTypeId(), ServerProtocolInterpreter::GetTypeId()})
        {
            for (size_t i = 0; i < type.GetTraceSourceN(); ++i)
            {
                const auto source = type.GetTraceSource(i);
                const auto name = type.GetName().substr(std::string("ns3::gridftp::").size());
                found[name + "::" + source.name] = source.callback;
                NS_TEST_EXPECT_MSG_EQ(source.help.empty(), false, source.name << " has help");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bool(found == expected), true, "trace sources and callbacks");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TraceTest(Direction::UPLOAD),
            new TraceTest(Direction::DOWNLOAD),
            new SignatureTest};
});

} // namespace ns3::gridftp
