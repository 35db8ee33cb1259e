/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/gridftp-bottleneck-observer.h"
#include "ns3/gridftp-connection-observer.h"
#include "ns3/gridftp-ns3-engine.h"
#include "ns3/gridftp-option-table.h"
#include "ns3/gridftp-tcp-variant.h"
#include "ns3/inet-socket-address.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <fstream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/*
 * Six packets of 1500 bytes (IP) leave a host at once and reach the bottleneck a = 1502 ns apart;
 * each takes s = 150,200 ns there. Packet i (0 to 5) waits i (s - a), together 15 (s - a) =
 * 2,230,470 packet ns. Five wait at most, when the last one comes.
 */

/// Whose measured link is the bottleneck of the default path.
const Topology TOPOLOGY{.nodes = {},
                        .links = {{.name = "bottleneck", .rateBps = 80'000'000}},
                        .pairs = {}};

/// The bottleneck under a load worked out by hand.
class BottleneckObserverTest : public TransferTest
{
  public:
    BottleneckObserverTest()
        : TransferTest("observer: bottleneck")
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    void ConfigureEnvironment() override
    {
        m_links.queuePackets = 5;
    }

    /// @param at when @param count of packets sent at once
    void SendBurst(Time at, uint32_t count)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Simulator::Schedule(at, [this] { m_socket->Send(Create<Packet>(1472)); });
        }
    }

    void ConfigureObjects() override
    {
        m_socket =
            Socket::CreateSocket(m_network->GetClients().Get(0), UdpSocketFactory::GetTypeId());
        m_socket->Connect(InetSocketAddress(m_network->GetServerAddress(0), 9));
        m_observer =
            std::make_unique<BottleneckObserver>(m_network->GetForwardQueue(), TOPOLOGY, 0);
        const auto* observer = m_observer.get();
        SendBurst(MilliSeconds(1), 9); // three are dropped; all of it is before Begin()
        Simulator::Schedule(MilliSeconds(10), &BottleneckObserver::Begin, m_observer.get());
        SendBurst(MilliSeconds(10), 6);
        Simulator::Schedule(MilliSeconds(20), &BottleneckObserver::Mark, m_observer.get());
        Simulator::Schedule(MilliSeconds(20),
                            [this, observer] { m_first = observer->GetResult(); });
        SendBurst(MilliSeconds(20), 1); // passes an idle device: it does not wait
        SendBurst(MilliSeconds(25), 8); // two are dropped
        Simulator::Schedule(MilliSeconds(30), &BottleneckObserver::Mark, m_observer.get());
        SendBurst(MilliSeconds(40), 6); // after the last Mark(): does not count
    }

    void FinalChecks() override
    {
        const double bits = 1502 * 8;
        NS_TEST_EXPECT_MSG_EQ_TOL(m_first.utilisation, 6 * bits / 800'000, 1e-12, "6 in 10 ms");
        NS_TEST_EXPECT_MSG_EQ(m_first.drops, 0, "drops");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_first.meanQueuePackets, 0.2230470, 1e-12, "mean queue");
        NS_TEST_EXPECT_MSG_EQ(m_first.maxQueuePackets, 5, "most waiting");
        const auto last = m_observer->GetResult();
        NS_TEST_EXPECT_MSG_EQ_TOL(last.utilisation, 13 * bits / 1'600'000, 1e-12, "13 in 20 ms");
        NS_TEST_EXPECT_MSG_EQ(last.drops, 2, "drops");
        NS_TEST_EXPECT_MSG_EQ_TOL(last.meanQueuePackets, 0.2230470, 1e-12, "mean queue");
        NS_TEST_EXPECT_MSG_EQ(last.maxQueuePackets, 5, "most waiting");
        NS_TEST_EXPECT_MSG_EQ(m_observer->GetForwardedBytes(), 19 * 1502, "bytes since Begin()");
        m_observer.reset();
        m_socket = nullptr;
    }

    Ptr<Socket> m_socket;                           //!< sends the bursts
    std::unique_ptr<BottleneckObserver> m_observer; //!< under test
    LinkResult m_first;                             //!< at the first Mark()
};

/// More bytes than ns-3's queue counts in 32 bits, 4.3 GB.
class BottleneckVolumeTest : public TransferTest
{
  public:
    BottleneckVolumeTest()
        : TransferTest("observer: bottleneck, 10 GB")
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    void ConfigureObjects() override
    {
        constexpr uint64_t COUNT = 200'000;
        constexpr uint32_t SIZE = 50'000;
        const auto queue = m_network->GetForwardQueue();
        BottleneckObserver observer(queue, TOPOLOGY, 0);
        const auto packet = Create<Packet>(SIZE);
        queue->Enqueue(packet);
        observer.Begin(); // what waits now leaves later
        for (uint64_t i = 0; i < COUNT; ++i)
        {
            queue->Enqueue(packet);
            queue->Dequeue();
        }
        NS_TEST_EXPECT_MSG_EQ(observer.GetForwardedBytes(), COUNT * SIZE, "bytes");
        queue->Flush();
    }
};

/// A connection that loses chosen packets.
class ConnectionObserverTest : public TransferTest
{
  public:
    /**
     * @param name in the name of the case
     * @param lost packets, by the order in which they reach the right router: 0 is the SYN, 1 the
     *        ACK, 2 the first data segment
     * @param expected segments, retransmissions, timeouts
     */
    ConnectionObserverTest(const std::string& name,
                           std::list<uint32_t> lost,
                           std::vector<uint64_t> expected)
        : TransferTest("observer: connection, " + name),
          m_lost(std::move(lost)),
          m_expected(std::move(expected))
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    static constexpr uint32_t SEGMENTS = 20; //!< of 1460 bytes

    void ConfigureEnvironment() override
    {
        m_tcp.initialWindow = SEGMENTS; // all at once, so that the order is known
    }

    void ConfigureObjects() override
    {
        auto model = CreateObject<ReceiveListErrorModel>();
        model->SetList(m_lost);
        m_network->GetReverseDevice()->SetAttribute("ReceiveErrorModel", PointerValue(model));
        const auto reno = *FindTcpVariant("reno");
        m_listener = CreateTcpSocket(m_network->GetServers().Get(0), reno);
        m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_listener->Listen();
        m_listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
                m_accepted = socket;
                socket->SetRecvCallback(Callback<void, Ptr<Socket>>(
                    [this](Ptr<Socket> from) { m_received += from->Recv()->GetSize(); }));
            }));
        m_sender = CreateTcpSocket(m_network->GetClients().Get(0), reno);
        m_observer = Create<ConnectionObserver>();
        m_observer->Observe(m_sender);
        m_sender->Bind();
        m_sender->Connect(InetSocketAddress(m_network->GetServerAddress(0), 9));
        m_sender->Send(Create<Packet>(SEGMENTS * 1460));
    }

    void FinalChecks() override
    {
        const auto totals = m_observer->GetTotals();
        NS_TEST_EXPECT_MSG_EQ(m_received, SEGMENTS * 1460, "all arrived");
        NS_TEST_EXPECT_MSG_EQ(totals.segments, m_expected[0], "segments");
        NS_TEST_EXPECT_MSG_EQ(totals.retransmissions, m_expected[1], "retransmissions");
        NS_TEST_EXPECT_MSG_EQ(totals.timeouts, m_expected[2], "timeouts");
        m_listener = m_accepted = m_sender = nullptr;
    }

    std::list<uint32_t> m_lost;         //!< packets
    std::vector<uint64_t> m_expected;   //!< segments, retransmissions, timeouts
    Ptr<Socket> m_listener;             //!< at the server
    Ptr<Socket> m_accepted;             //!< at the server
    Ptr<Socket> m_sender;               //!< at the client
    Ptr<ConnectionObserver> m_observer; //!< under test
    uint64_t m_received{0};             //!< bytes
};

/// A row of a CSV file, by column.
using Row = std::map<std::string, std::string>;

/// @param path of a CSV file @return its header and rows
std::pair<std::string, std::vector<Row>>
ReadCsv(const std::string& path)
{
    std::ifstream file(path);
    std::string header;
    std::getline(file, header);
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);)
    {
        std::istringstream names(header);
        std::istringstream values(line + ",");
        Row row;
        for (std::string name; std::getline(names, name, ',');)
        {
            std::getline(values, row[name], ',');
        }
        rows.push_back(row);
    }
    return {header, rows};
}

/// The CSV files of a run agree with its result.
class CsvTracesTest : public TestCase
{
  public:
    /// @param direction upload or download
    explicit CsvTracesTest(const std::string& direction)
        : TestCase("observer: CSV traces, " + direction),
          m_direction("--direction=" + direction)
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string_view> options{m_direction,
                                                    "--file-size=3MB",
                                                    "--chunk-size=1500KB",
                                                    "--mode=fixed",
                                                    "--parallelism=3",
                                                    "--queue=20"};
        const auto request = ParseTransfer(options);
        GRIDFTP_TEST_REQUIRE_EQ(bool(request), true, "options");
        RunObservers observers;
        observers.traceFolder = CreateTempDirFilename("traces/deep");
        const auto result = RunOnNs3(request->scenario, observers);
        GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(result->reason, "", "reason");
        NS_TEST_EXPECT_MSG_GT(result->links.at(0).drops, 0, "some loss");
        CheckWindows(observers.traceFolder);
        CheckQueue(observers.traceFolder, *result);
        CheckDrops(observers.traceFolder, *result);
    }

    void CheckWindows(const std::string& folder)
    {
        const auto [header, rows] = ReadCsv(folder + "/cwnd.csv");
        NS_TEST_EXPECT_MSG_EQ(header,
                              "time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes",
                              "header");
        std::set<std::string> connections;
        double time = 0;
        for (auto row : rows)
        {
            connections.insert(row["session"] + row["chunk"] + row["connection"]);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(std::stod(row["time_s"]), time, "in order of time");
            time = std::stod(row["time_s"]);
            if (connections.size() == 1 && row["ssthresh_bytes"].empty())
            {
                // Slow start from 2 segments of 1460, one more for each ACK.
                NS_TEST_EXPECT_MSG_EQ(std::stoul(row["cwnd_bytes"]) % 1460, 0, "whole segments");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(connections.size(), 6, "connections of two chunks");
        NS_TEST_EXPECT_MSG_EQ(connections.contains("001"), true, "session, chunk, connection");
        NS_TEST_EXPECT_MSG_EQ(connections.contains("012"), true, "session, chunk, connection");
    }

    void CheckQueue(const std::string& folder, const TransferResult& result)
    {
        const auto [header, rows] = ReadCsv(folder + "/queue.csv");
        NS_TEST_EXPECT_MSG_EQ(header, "time_s,packets", "header");
        uint64_t most = 0;
        int64_t before = 0;
        for (auto row : rows)
        {
            const int64_t now = std::stol(row["packets"]);
            NS_TEST_EXPECT_MSG_EQ(std::abs(now - before), 1, "a row for each change");
            before = now;
            most = std::max<uint64_t>(most, now);
        }
        NS_TEST_EXPECT_MSG_EQ(most, result.links.at(0).maxQueuePackets, "most waiting");
        NS_TEST_EXPECT_MSG_EQ(most, 20, "a full queue");
    }

    void CheckDrops(const std::string& folder, const TransferResult& result)
    {
        const auto [header, rows] = ReadCsv(folder + "/drops.csv");
        NS_TEST_EXPECT_MSG_EQ(header, "time_s,session,chunk,connection,sequence", "header");
        NS_TEST_EXPECT_MSG_EQ(rows.size(), result.links.at(0).drops, "a row for each drop");
        for (auto row : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(row["session"], "0", "a data connection");
            NS_TEST_EXPECT_MSG_LT(std::stoul(row["connection"]), 3, "which one");
            NS_TEST_EXPECT_MSG_LT(std::stoul(row["sequence"]), 1'500'000, "where in it");
        }
    }

    std::string m_direction; //!< option
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new BottleneckObserverTest,
        new BottleneckVolumeTest,
        new ConnectionObserverTest("no loss", {}, {20, 0, 0}),
        // Three duplicate ACKs, fast retransmit.
        new ConnectionObserverTest("one segment lost", {5}, {20, 1, 0}),
        // Nothing comes after the last segment: a timeout.
        new ConnectionObserverTest("last segment lost", {21}, {20, 1, 1}),
        // ... whose retransmission is lost, too (nothing else is sent in between).
        new ConnectionObserverTest("last segment lost twice", {21, 22}, {20, 2, 2}),
        // Only the handshake is lost: SYNs carry no data and do not count.
        new ConnectionObserverTest("SYN lost", {0}, {20, 0, 0}),
        new CsvTracesTest("upload"),
        new CsvTracesTest("download"),
    };
});

} // namespace ns3::gridftp
