/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
#include "gridftp-result.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"
#include "gridftp-topology.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The number that stands for none.
constexpr int64_t NEVER = -1;

/**
 * A session whose chunks of 1000 bytes follow one another, 10 ms after 10 ms.
 * @param parallelism N of each chunk, and last what comes after the last one
 * @return the session
 */
SessionResult
MakeSession(const std::vector<uint32_t>& parallelism)
{
    std::vector<ChunkRecord> chunks;
    for (uint32_t i = 0; i + 1 < parallelism.size(); ++i)
    {
        chunks.push_back({.index = i,
                          .startNs = 5'000'000 + i * 10'000'000LL,
                          .endNs = 13'000'000 + i * 10'000'000LL,
                          .offset = 1000ULL * i,
                          .bytes = 1000,
                          .parallelism = parallelism[i],
                          .nextParallelism = parallelism[i + 1],
                          .goodputBps = 1e6,
                          .rttS = 0.02,
                          .windowBytes = 65536,
                          .valid = true});
    }
    return MakeGridftpSession(std::move(chunks));
}

/**
 * @ingroup gridftp
 * What a session's record says of itself.
 */
class SessionResultTest : public TestCase
{
  public:
    SessionResultTest()
        : TestCase("result: goodput, duration, and when the parallelism settled")
    {
    }

  private:
    void DoRun() override
    {
        const SessionResult session = MakeSession({1, 2, 4, 8, 8});
        NS_TEST_EXPECT_MSG_EQ(session.tool, "gridftp", "tool");
        NS_TEST_EXPECT_MSG_EQ(session.bytes, 4000, "bytes");
        NS_TEST_EXPECT_MSG_EQ(session.startNs.value_or(NEVER), 5'000'000, "ns");
        // From 5 ms to 43 ms: the 2 ms between one chunk and the next count.
        NS_TEST_EXPECT_MSG_EQ(session.durationNs, 38'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ_TOL(session.GetGoodputBps(), 32000 / 0.038, 1e-6, "bit/s");
        NS_TEST_EXPECT_MSG_EQ(session.gridftp->GetFinalParallelism().value_or(0), 8, "N");
        const SessionResult empty = MakeSession({});
        NS_TEST_EXPECT_MSG_EQ(empty.bytes, 0, "no chunk");
        NS_TEST_EXPECT_MSG_EQ(empty.startNs.has_value(), false, "no chunk");
        NS_TEST_EXPECT_MSG_EQ(empty.durationNs, 0, "no chunk");
        NS_TEST_EXPECT_MSG_EQ(empty.gridftp->GetFinalParallelism().has_value(), false, "no chunk");
        NS_TEST_EXPECT_MSG_EQ(empty.GetGoodputBps(), 0, "no chunk");

        ExpectSettled({1, 2, 4, 8, 8}, 35);
        ExpectSettled({1, 2, 4, 8, 8, 8, 8}, 35);
        ExpectSettled({1, 2, 4, 8, 4, 4, 4}, 45);
        ExpectSettled({4, 8, 4, 4}, 25);
        ExpectSettled({8, 8, 8}, 5);
        ExpectSettled({8, 8}, 5);
        ExpectSettled({1, 2, 4, 8}, NEVER); // the last decision was a change
        ExpectSettled({8, 8, 8, 4}, NEVER); // likewise
        ExpectSettled({1, 2}, NEVER);       // likewise
        ExpectSettled({}, NEVER);
        auto pairs = MakeSession({2, 2, 2, 2});
        for (uint32_t i = 0; i < 3; ++i)
        {
            pairs.gridftp->chunks[i].pairs = {{2, 2, 0}, {i == 0 ? 1U : 2U, 2, 0}};
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.gridftp->GetSettledAtNs().value_or(NEVER),
                              15'000'000,
                              "a pair that has not the most connections changes, too");
        pairs.gridftp->chunks.back().pairs.back().nextParallelism = 1;
        NS_TEST_EXPECT_MSG_EQ(pairs.gridftp->GetSettledAtNs().value_or(NEVER), NEVER, "again");
    }

    /**
     * @param parallelism as MakeSession()
     * @param startMs expected start of the chunk, ms
     */
    void ExpectSettled(const std::vector<uint32_t>& parallelism, int64_t startMs)
    {
        const auto settled = MakeSession(parallelism).gridftp->GetSettledAtNs();
        NS_TEST_EXPECT_MSG_EQ(settled.value_or(NEVER),
                              (startMs == NEVER ? NEVER : startMs * 1'000'000),
                              parallelism.size() << " numbers");
    }
};

/**
 * @ingroup gridftp
 * A result that is not exact is a failed one, and so is one of which a part has failed.
 */
class ConcludeResultTest : public TestCase
{
  public:
    ConcludeResultTest()
        : TestCase("result: chunks that do not add up make it a failed one")
    {
    }

  private:
    void DoRun() override
    {
        const auto good = MakeSession({1, 2, 2, 2}).gridftp->chunks;
        Expect(good, "");
        auto bad = good;
        bad.pop_back();
        Expect(bad, "2000 of 3000 bytes arrived");
        bad.clear();
        Expect(bad, "0 of 3000 bytes arrived");
        bad = good;
        bad[2].bytes = 1001;
        Expect(bad, "3001 of 3000 bytes arrived");
        bad = good;
        bad[1].offset = 999;
        Expect(bad, "chunk 1 does not follow the one before it");
        bad = good;
        bad[0].offset = 1;
        Expect(bad, "chunk 0 does not follow the one before it");
        bad = good;
        bad[1].bytes = 999;
        Expect(bad, "chunk 2 does not follow the one before it");
        bad = good;
        bad[1].startNs = bad[0].endNs - 1;
        Expect(bad, "chunk 1 does not follow the one before it");
        bad = good;
        bad[2].endNs = bad[2].startNs - 1;
        Expect(bad, "chunk 2 does not follow the one before it");
        bad = good;
        bad[1].startNs = bad[0].endNs;
        Expect(bad, ""); // at the same instant is not before
        CheckReasons();
        CheckOtherTool();
    }

    /**
     * Judges a good session and another.
     * @param chunks of the other one
     * @param fault expected, empty where all is well
     */
    void Expect(const std::vector<ChunkRecord>& chunks, const std::string& fault)
    {
        TransferResult result;
        result.sessions = {MakeSession({1, 2, 4, 4}), MakeGridftpSession(chunks)};
        ConcludeResult(MakeScenario(), result);
        NS_TEST_EXPECT_MSG_EQ(result.done, fault.empty(), fault);
        NS_TEST_EXPECT_MSG_EQ(result.reason, (fault.empty() ? "" : "session 1: " + fault), "");
        NS_TEST_EXPECT_MSG_EQ(result.sessions[0].reason, "", "the other one is done");
        NS_TEST_EXPECT_MSG_EQ(result.sessions[1].reason, fault, "its own");
    }

    /// The first reason is the run's; each part keeps its own.
    void CheckReasons()
    {
        TransferResult result;
        result.sessions = {MakeSession({1, 1, 1, 1}), MakeSession({1, 1, 1, 1})};
        result.background.resize(2);
        result.background[1].reason = "refused";
        ConcludeResult(MakeScenario(), result);
        NS_TEST_EXPECT_MSG_EQ(result.done, false, "a background connection has failed");
        NS_TEST_EXPECT_MSG_EQ(result.reason, "background 1: refused", "");
        result.sessions[1] = MakeSession({1, 1});
        result.sessions[1].reason = "of its own";
        ConcludeResult(MakeScenario(), result);
        NS_TEST_EXPECT_MSG_EQ(result.reason, "session 1: of its own", "sessions come first");
        NS_TEST_EXPECT_MSG_EQ(result.sessions[1].reason, "of its own", "kept");
    }

    /// A session without chunks is judged by its bytes.
    void CheckOtherTool()
    {
        TransferResult result;
        result.sessions.resize(2);
        result.sessions[0].bytes = 3000;
        result.sessions[1].bytes = 2999;
        ConcludeResult(MakeScenario(), result);
        NS_TEST_EXPECT_MSG_EQ(result.reason, "session 1: 2999 of 3000 bytes arrived", "");
    }

    /// @return two files of 3000 bytes
    static Scenario MakeScenario()
    {
        Scenario scenario;
        scenario.sessions.resize(2);
        scenario.sessions[0].fileSize = scenario.sessions[1].fileSize = 3000;
        return scenario;
    }
};

/// @return a session with two pairs of stripes
SessionResult
MakeStripedSession()
{
    SessionResult session = MakeSession({1, 1, 1});
    session.stripes = {
        {.bytes = 1500, .totals = {.segments = 3, .retransmissions = 4, .timeouts = 5}},
        {.sender = 1, .receiver = 2, .bytes = 500, .totals = {}}};
    return session;
}

/**
 * @ingroup gridftp
 * The JSON of a result, whole, and the writer beneath it.
 */
class ResultJsonTest : public TestCase
{
  public:
    ResultJsonTest()
        : TestCase("result: every key of the JSON, and its escapes")
    {
    }

  private:
    void DoRun() override
    {
        CheckWriter();
        CheckBackground();
        CheckStripes();
        const auto request = ParseTransfer({});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const Scenario& scenario = request->scenario;
        TransferResult result;
        result.done = true;
        result.sessions = {MakeSession({1, 1})};
        result.sessions[0].tcp = {.totals = {.segments = 11, .retransmissions = 12, .timeouts = 13},
                                  .windowBytes = 14};
        result.sessions[0].buffers = {.mostBytes = 2 << 20, .meanBytes = 1.5};
        result.links = {{.name = "middle",
                         .utilisation = 0.5,
                         .drops = 21,
                         .meanQueuePackets = 2.25,
                         .maxQueuePackets = 23}};
        result.cost = {.wallS = 0.125, .events = 31, .peakRssBytes = 32};
        const Provenance provenance{.version = "1",
                                    .commit = "c",
                                    .ns3Version = "3",
                                    .buildProfile = "p",
                                    .compiler = "g",
                                    .command = "say \"hello\"\n"};
        const std::string rest =
            "\"scenario\": " + ScenarioToJson(scenario) +
            R"(, "engine": "segment", "provenance": {"version": "1", "commit": "c", )"
            R"("ns3_version": "3", "build_profile": "p", "compiler": "g", )"
            R"("command": "say \"hello\"\u000a"}, "sessions": [)";
        const std::string tcp =
            R"("tcp": {"segments": 11, "retransmissions": 12, "timeouts": 13, "window_bytes": 14}, )"
            R"("buffers": {"receive_peak_bytes": 2097152, "receive_mean_bytes": 1.5, )"
            R"("mbps_per_mib": )";
        const std::string tail =
            R"(], "background": [], "links": [{"name": "middle", "utilisation": 0.5, )"
            R"("drops": 21, "mean_queue_packets": 2.25, "max_queue_packets": 23}], )"
            R"("cost": {"wall_s": 0.125, "events": 31, "peak_rss_bytes": 32}})";
        // 1000 bytes in 8 ms: 1 Mbit/s.
        NS_TEST_EXPECT_MSG_EQ(
            ResultToJson(scenario, result, provenance),
            R"({"schema": 2, "status": "done", "reason": null, )" + rest +
                R"({"tool": "gridftp", "bytes": 1000, "start_s": 0.005, "duration_s": 0.008, )"
                R"("goodput_bps": 1e+06, "status": "done", "reason": null, "gridftp": {"chunks": [)"
                R"({"index": 0, "start_s": 0.005, "end_s": 0.013, "bytes": 1000, )"
                R"("parallelism": 1, "next_parallelism": 1, "goodput_bps": 1e+06, )"
                R"("rtt_s": 0.02, "window_bytes": 65536, "valid": true}], )"
                R"("final_parallelism": 1, "settled_at_s": 0.005}, )" +
                tcp + "0.5}}" + tail,
            "done");
        result.done = false;
        result.reason = "none came";
        const auto counts = result.sessions[0].tcp;
        const auto buffers = result.sessions[0].buffers;
        result.sessions = {MakeSession({}), {}};
        result.sessions[0].tcp = counts;
        result.sessions[0].buffers = buffers;
        result.sessions[0].reason = "none";
        result.sessions[1].tool = "other";
        NS_TEST_EXPECT_MSG_EQ(
            ResultToJson(scenario, result, provenance),
            R"({"schema": 2, "status": "failed", "reason": "none came", )" + rest +
                R"({"tool": "gridftp", "bytes": 0, "start_s": null, "duration_s": 0, )"
                R"("goodput_bps": 0, "status": "failed", "reason": "none", )"
                R"("gridftp": {"chunks": [], "final_parallelism": null, "settled_at_s": null}, )" +
                tcp + "null}}" +
                R"(, {"tool": "other", "bytes": 0, "start_s": null, "duration_s": 0, )"
                R"("goodput_bps": 0, "status": "done", "reason": null})" +
                tail,
            "failed, and a tool of which nothing more is told");
    }

    /// Pairs of stripes, where there are any.
    void CheckStripes()
    {
        TransferResult result;
        result.sessions = {MakeStripedSession()};
        const std::string text = ResultToJson(ParseTransfer({})->scenario, result, {});
        const std::string stripes =
            R"("stripes": [{"sender": 0, "receiver": 0, "bytes": 1500, "segments": 3, )"
            R"("retransmissions": 4, "timeouts": 5}, {"sender": 1, "receiver": 2, "bytes": 500, )"
            R"("segments": 0, "retransmissions": 0, "timeouts": 0}]}], "background")";
        NS_TEST_EXPECT_MSG_EQ((text.find(stripes) != std::string::npos), true, text);
    }

    /// Another engine, and a background connection.
    void CheckBackground()
    {
        const auto request = ParseTransfer(
            std::vector<std::string_view>{"--engine=ns3", "--background=tcp=newreno"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        TransferResult result;
        result.sessions.resize(1);
        // 1000 bytes in 2 s: 4 kbit/s.
        result.background = {
            {.startNs = 1'000'000'000,
             .endNs = 3'000'000'000,
             .bytes = 1000,
             .reason = "",
             .tcp = {.totals = {.segments = 4, .retransmissions = 5, .timeouts = 6},
                     .windowBytes = 7}},
            {.startNs = 7, .endNs = 7, .bytes = 0, .reason = "refused", .tcp = {}}};
        const std::string text = ResultToJson(request->scenario, result, {});
        for (const std::string_view part :
             {R"(, "engine": "ns3", "provenance": )",
              R"(, "background": [{"bytes": 1000, "start_s": 1, "end_s": 3, "goodput_bps": 4000, )"
              R"("status": "done", "reason": null, "tcp": {"segments": 4, "retransmissions": 5, )"
              R"("timeouts": 6, "window_bytes": 7}}, )"
              R"({"bytes": 0, "start_s": 7e-09, "end_s": 7e-09, "goodput_bps": 0, )"
              R"("status": "failed", "reason": "refused", "tcp": {"segments": 0, )"
              R"("retransmissions": 0, "timeouts": 0, "window_bytes": 0}}], "links": [])"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text, part), true, part << " in " << text);
        }
    }

    /// The writer by itself.
    void CheckWriter()
    {
        JsonWriter json;
        json.BeginObject().Key("a").BeginArray().EndArray().Key("b").BeginObject().EndObject();
        json.Key("c").BeginArray().Integer(-1).Bool(true).Bool(false).Null();
        json.BeginArray().String("\"\\\t\x1f\x7f/\xc3\xa9").EndArray();
        json.Number(0.1).Number(std::nan("")).Number(std::numeric_limits<double>::infinity());
        json.Number(-0.0).Raw("{}").EndArray();
        json.Key("d\"").Integer(std::numeric_limits<int64_t>::min()).EndObject();
        NS_TEST_EXPECT_MSG_EQ(
            json.GetText(),
            "{\"a\": [], \"b\": {}, \"c\": [-1, true, false, null, "
            "[\"\\\"\\\\\\u0009\\u001f\x7f/\xc3\xa9\"], 0.1, null, null, -0, {}], "
            "\"d\\\"\": -9223372036854775808}",
            "");
    }
};

/**
 * @ingroup gridftp
 * The table for people.
 */
class ResultTextTest : public TestCase
{
  public:
    ResultTextTest()
        : TestCase("result: the table, a line for chunks with the same parallelism")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.sessions.resize(1);
        scenario.sessions[0].mode = "mi";
        TransferResult result;
        result.done = true;
        result.sessions = {MakeSession({1, 2, 2, 2})};
        result.sessions[0].tcp.emplace();
        result.links.resize(1);
        result.links[0].name = BOTTLENECK_LINK;
        result.sessions[0].gridftp->chunks[1].goodputBps = 0.5e6;
        // All: 3000 bytes in 28 ms, 0.857 Mbit/s. G as recorded, 0.5 and 1 Mbit/s; the mean of the
        // stretch from its 2000 bytes in 2 times 8 ms.
        NS_TEST_EXPECT_MSG_EQ(
            ResultToText(scenario, result),
            "  chunks     start, s       N    G, Mbit/s     least      most  idle RTT, ms\n"
            "        0       0.005       1        1.00      1.00      1.00        20.000\n"
            "      1-2       0.015       2        1.00      0.50      1.00        20.000\n"
            "\n"
            "  goodput 0.86 Mbit/s over 0.028 s for 3KB (mode mi)\n"
            "  parallelism settled at t = 0.015 s; 0 segments, 0 retransmissions, 0 timeouts\n"
            "  bottleneck: utilisation 0.00 %, 0 drops, queue 0.0 packets on average, 0 maximum\n",
            "done");
        CheckSeveral(scenario, result);
        CheckStripes(scenario);
        result.done = false;
        result.reason = "none came";
        result.sessions[0].gridftp->chunks.clear();
        std::string text = ResultToText(scenario, result);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "  parallelism still changing; "), true, text);
        NS_TEST_EXPECT_MSG_EQ(text.ends_with("  FAILED: none came\n"), true, text);
        result.sessions[0].gridftp.reset();
        text = ResultToText(scenario, result);
        NS_TEST_EXPECT_MSG_EQ(text.starts_with("  goodput 0.86 Mbit/s over 0.028 s for 3KB\n"
                                               "  0 segments, 0 retransmissions, 0 timeouts\n"),
                              true,
                              text);
    }

    /// One line for all stripes. @param scenario with one session
    void CheckStripes(Scenario scenario)
    {
        scenario.sessions[0].stripes = {2, 3};
        TransferResult result;
        result.done = true;
        result.sessions = {MakeStripedSession()};
        const std::string text = ResultToText(scenario, result);
        const std::string_view line = "\n  stripes 2x3: 2 pairs, each 500B to 1500B\n";
        NS_TEST_EXPECT_MSG_EQ(text.ends_with(line), true, text);
    }

    /**
     * Two sessions are told apart, and background connections stand in a table of their own.
     * @param scenario with one session
     * @param result of it
     */
    void CheckSeveral(Scenario scenario, TransferResult result)
    {
        scenario.sessions.push_back(scenario.sessions.front());
        scenario.background = {{.tcp = "reno"}, {.tcp = "ns3::TcpCubic"}};
        result.sessions.push_back(result.sessions.front());
        result.background = {
            {.startNs = 1'000'000'000,
             .endNs = 3'000'000'000,
             .bytes = 1'000'000,
             .reason = "",
             .tcp = {.totals = {.segments = 4, .retransmissions = 5, .timeouts = 6},
                     .windowBytes = 7}},
            {}};
        const std::string text = ResultToText(scenario, result);
        NS_TEST_EXPECT_MSG_EQ(text.starts_with("  session 0\n  chunks "), true, text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, " timeouts\n  session 1\n  chunks "), true, text);
        const std::string_view table =
            "timeouts\n"
            "  background             tcp    start, s      end, s   Mbit/s  retransmissions  "
            "timeouts\n"
            "   0                  reno       1.000       3.000     4.00                5         "
            "6\n"
            "   1         ns3::TcpCubic       0.000       0.000     0.00                0         "
            "0\n"
            "  bottleneck: ";
        NS_TEST_EXPECT_MSG_EQ(Contains(text, table), true, text);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SessionResultTest, new ConcludeResultTest, new ResultJsonTest, new ResultTextTest};
});

} // namespace ns3::gridftp
