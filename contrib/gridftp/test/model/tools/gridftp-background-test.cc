/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-background-sink.h"
#include "gridftp-background-source.h"
#include "gridftp-model-fixture.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include "ns3/inet-socket-address.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param options of a transfer @param folder of traces, empty for none @return what comes of it
std::optional<TransferResult>
Simulate(const std::vector<std::string_view>& options, const std::string& folder = "")
{
    const auto request = ParseTransfer(options);
    if (!request)
    {
        return std::nullopt;
    }
    RunObservers observers;
    observers.traceFolder = folder;
    const auto result = RunOnNs3(request->scenario, observers);
    return result ? std::optional<TransferResult>(*result) : std::nullopt;
}

/// A session that starts later does the same, later.
class SessionStartTest : public TestCase
{
  public:
    SessionStartTest()
        : TestCase("sessions: one that starts later does the same, later")
    {
    }

  private:
    void DoRun() override
    {
        const auto now = Simulate({"--file-size=3MB", "--chunk-size=1MB", "--queue=20"});
        const auto later =
            Simulate({"--file-size=3MB", "--chunk-size=1MB", "--queue=20", "--start=2500ms"});
        GRIDFTP_TEST_REQUIRE_EQ((now && later), true, "results");
        NS_TEST_EXPECT_MSG_EQ(later->done, true, later->reason);
        const auto& chunks = now->sessions[0].gridftp->chunks;
        const auto& moved = later->sessions[0].gridftp->chunks;
        GRIDFTP_TEST_REQUIRE_EQ(moved.size(), 3, "chunks");
        constexpr int64_t START = 2'500'000'000;
        for (size_t i = 0; i < moved.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(moved[i].startNs, chunks[i].startNs + START, "chunk " << i);
            NS_TEST_EXPECT_MSG_EQ(moved[i].endNs, chunks[i].endNs + START, "chunk " << i);
            NS_TEST_EXPECT_MSG_EQ(moved[i].rttS, chunks[i].rttS, "chunk " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(later->links.at(0).utilisation, now->links.at(0).utilisation, "load");
        NS_TEST_EXPECT_MSG_EQ(later->links.at(0).drops, now->links.at(0).drops, "drops");

        const auto both = Simulate({"--file-size=3MB", "--session=start=2500ms,file-size=1MB"});
        GRIDFTP_TEST_REQUIRE_EQ(bool(both), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(both->done, true, both->reason);
        GRIDFTP_TEST_REQUIRE_EQ(both->sessions.size(), 2, "sessions");
        NS_TEST_EXPECT_MSG_EQ(both->sessions[0].bytes, 3'000'000, "the first one's");
        NS_TEST_EXPECT_MSG_EQ(both->sessions[1].bytes, 1'000'000, "the second one's");
        NS_TEST_EXPECT_MSG_GT(both->sessions[1].gridftp->chunks.front().startNs,
                              START,
                              "not before");
    }
};

/// Background connections move what their window lets them, from start to stop.
class BackgroundTest : public TestCase
{
  public:
    /// @param direction upload or download
    explicit BackgroundTest(const std::string& direction)
        : TestCase("background: from start to stop, " + direction),
          m_direction("--direction=" + direction)
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = CreateTempDirFilename("background");
        const auto result = Simulate(Options("--file-size=6MB"), folder);
        GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(result->done, true, result->reason);
        GRIDFTP_TEST_REQUIRE_EQ(result->background.size(), 3, "connections");
        const auto& background = result->background;
        NS_TEST_EXPECT_MSG_EQ(background[0].startNs, 500'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ(background[0].endNs, 1'500'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ(background[1].startNs, 1'000'000'000, "ns");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(background[1].endNs,
                                    result->sessions[0].gridftp->chunks.back().endNs,
                                    "until the session is done");
        CheckAmount(background[0], 65'536);
        CheckAmount(background[1], 131'072);
        // It would have started after the end of all.
        NS_TEST_EXPECT_MSG_EQ(background[2].bytes, 0, "never started");
        NS_TEST_EXPECT_MSG_EQ(background[2].GetGoodputBps(), 0, "never started");
        CheckTraces(folder);
        // What the session does after the stop is of no concern to it.
        const auto longer = Simulate(Options("--file-size=8MB"));
        GRIDFTP_TEST_REQUIRE_EQ(bool(longer), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(longer->background[0].bytes, background[0].bytes, "the same");
        NS_TEST_EXPECT_MSG_EQ(longer->background[0].tcp.totals.segments,
                              background[0].tcp.totals.segments,
                              "the same");
        NS_TEST_EXPECT_MSG_GT(longer->background[1].bytes, background[1].bytes, "more");
    }

    /// @param size of the file, as an option @return the options
    std::vector<std::string_view> Options(std::string_view size) const
    {
        return {m_direction,
                size,
                "--mode=fixed",
                "--background=start=500ms,stop=1500ms,tcp=newreno",
                "--background=start=1s,window=128KiB",
                "--background=start=900s"};
    }

    /**
     * @param background what a connection did, without loss
     * @param window of it, bytes
     */
    void CheckAmount(const BackgroundResult& background, uint64_t window)
    {
        constexpr uint64_t SEGMENT = 1460;
        constexpr double RTT_S = 0.02004;
        const double seconds = static_cast<double>(background.endNs - background.startNs) / 1e9;
        // A window for each round trip, of which slow start and the handshake cost some.
        const double most = static_cast<double>(window) * (seconds / RTT_S);
        const auto bytes = static_cast<double>(background.bytes);
        NS_TEST_EXPECT_MSG_LT(bytes, most, "a window for each round trip");
        NS_TEST_EXPECT_MSG_GT(bytes, 0.8 * most, "a window for each round trip");
        NS_TEST_EXPECT_MSG_EQ(background.tcp.totals.retransmissions, 0, "no loss");
        NS_TEST_EXPECT_MSG_EQ(background.tcp.totals.timeouts, 0, "no loss");
        const uint64_t sent = background.tcp.totals.segments * SEGMENT;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent, background.bytes, "nothing arrives that is not sent");
        NS_TEST_EXPECT_MSG_LT(sent, background.bytes + window + SEGMENT, "under way at the end");
    }

    /// @param folder of the traces, in which background connections come behind the session
    void CheckTraces(const std::string& folder)
    {
        std::map<std::string, double> last;
        std::ifstream file(folder + "/cwnd.csv");
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line))
        {
            std::istringstream row(line);
            std::string time;
            std::string session;
            std::getline(row, time, ',');
            std::getline(row, session, ',');
            last[session] = std::stod(time);
        }
        GRIDFTP_TEST_REQUIRE_EQ(last.size(), 3, "one session, two connections that started");
        NS_TEST_EXPECT_MSG_GT(last["1"], 1.4, "until the stop");
        NS_TEST_EXPECT_MSG_LT(last["1"], 1.5, "and not a moment longer");
        NS_TEST_EXPECT_MSG_GT(last["2"], 2, "until the end");
    }

    std::string m_direction; //!< option
};

/// Losses: what is counted is what arrives in order.
class BackgroundLossTest : public TestCase
{
  public:
    BackgroundLossTest()
        : TestCase("background: losses are repaired and counted")
    {
    }

  private:
    void DoRun() override
    {
        const auto result = Simulate({"--file-size=20MB",
                                      "--queue=10",
                                      "--background=window=1MiB",
                                      "--background=window=1MiB,tcp=newreno"});
        GRIDFTP_TEST_REQUIRE_EQ(bool(result), true, "a result");
        NS_TEST_EXPECT_MSG_EQ(result->done, true, result->reason);
        uint64_t again = 0;
        for (const auto& background : result->background)
        {
            const uint64_t sent = background.tcp.totals.segments * 1460;
            NS_TEST_EXPECT_MSG_GT(background.bytes, 1'000'000, "much");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(sent, background.bytes, "not more than was sent");
            NS_TEST_EXPECT_MSG_LT(sent, background.bytes + (2 << 20), "but for what is under way");
            NS_TEST_EXPECT_MSG_GT(background.tcp.totals.retransmissions, 0, "losses");
            again += background.tcp.totals.retransmissions;
        }
        NS_TEST_EXPECT_MSG_LT(result->links.at(0).drops,
                              again + result->sessions[0].tcp->totals.retransmissions + 200,
                              "what is dropped is sent again, but for the last round trip");
    }
};

/// A source without a sink, and one whose sink goes away.
class BackgroundFailureTest : public TransferTest
{
  public:
    /// @param stop when the sink stops; nothing where there is none
    explicit BackgroundFailureTest(std::optional<Time> stop)
        : TransferTest(stop ? "background: its sink goes away" : "background: there is no sink"),
          m_stop(stop)
    {
        m_withClients = false;
        m_withServers = false;
    }

  private:
    void ConfigureObjects() override
    {
        m_source = CreateObject<BackgroundSource>();
        m_source->SetAttribute(
            "Remote",
            AddressValue(InetSocketAddress(m_network->GetServerAddress(0), BACKGROUND_PORT)));
        m_network->GetClients().Get(0)->AddApplication(m_source);
        m_sink = CreateObject<BackgroundSink>();
        if (m_stop)
        {
            m_sink->SetStopTime(*m_stop);
            m_network->GetServers().Get(0)->AddApplication(m_sink);
        }
    }

    void FinalChecks() override
    {
        ExpectDry();
        const std::string reason = m_source->GetReason();
        if (!m_stop)
        {
            NS_TEST_EXPECT_MSG_EQ(reason, "the connection was refused", "reason");
            NS_TEST_EXPECT_MSG_EQ(m_source->GetTotals().segments, 0, "nothing sent");
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(reason, "the connection was closed by the peer", "reason");
        NS_TEST_EXPECT_MSG_GT(m_sink->GetBytes(), 0, "until then");
        NS_TEST_EXPECT_MSG_LT(m_sink->GetBytes(), m_source->GetTotals().segments * 1460, "not all");
    }

    std::optional<Time> m_stop;     //!< when the sink stops
    Ptr<BackgroundSource> m_source; //!< the source
    Ptr<BackgroundSink> m_sink;     //!< the sink, perhaps not installed
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SessionStartTest,
            new BackgroundFailureTest(std::nullopt),
            new BackgroundFailureTest(MilliSeconds(300))};
});

const OwnTestCases g_longCases(
    []() -> std::vector<TestCase*> {
        return {new BackgroundTest("upload"),
                new BackgroundTest("download"),
                new BackgroundLossTest};
    },
    OwnTestCases::Suite::LONG);

} // namespace ns3::gridftp
