/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"
#include "gridftp-external-program.h"
#include "gridftp-pair-tuning.h"
#include "gridftp-segment-simulator.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What programs of these tests are to say and have heard; starters are plain functions.
struct Script
{
    std::vector<std::string> answers; ///< in order; when they are used up, the program has ended
    std::vector<std::string> heard;   ///< lines
    std::string command;              ///< that was started last
    int64_t timeoutNs{0};             ///< given with it
    int started{0};                   ///< programs
    int ended{0};                     ///< of these
};

Script g_script;

/// Says what the script has.
class ScriptedProgram final : public ExternalProgram
{
  public:
    ~ScriptedProgram() override
    {
        ++g_script.ended;
    }

    Expected<std::string> Ask(const std::string& line) override
    {
        g_script.heard.push_back(line);
        if (g_script.heard.size() > g_script.answers.size())
        {
            return Error{"ended without an answer"};
        }
        return g_script.answers[g_script.heard.size() - 1];
    }
};

Expected<std::unique_ptr<ExternalProgram>>
StartScripted(const std::string& command, int64_t timeoutNs)
{
    g_script.command = command;
    g_script.timeoutNs = timeoutNs;
    ++g_script.started;
    return std::unique_ptr<ExternalProgram>(std::make_unique<ScriptedProgram>());
}

Expected<std::unique_ptr<ExternalProgram>>
StartNothing(const std::string&, int64_t)
{
    return Error{"cannot be started: no more processes"};
}

/// @param start of programs @return what a tuner has
TuningContext
MakeTuning(ExternalProgramStarter start)
{
    return {.chunkParallelism = "",
            .command = "learn --fast",
            .timeoutNs = 5,
            .terms = {.session = 3,
                      .pair = 2,
                      .pairs = 1,
                      .fileBytes = 1000,
                      .chunkBytes = 100,
                      .windowBytes = 65536,
                      .segmentBytes = 1460,
                      .seed = 7,
                      .run = 9},
            .start = start};
}

/// Makes a policy that asks a scripted program. @param answers of it @return the policy
Expected<std::unique_ptr<TuningPolicy>>
MakePolicy(std::vector<std::string> answers)
{
    g_script = {};
    g_script.answers = std::move(answers);
    NamedValues values = GetTuningDefaults();
    values.Set("max-parallelism", 64);
    return MakeTuningPolicy("external", values, MakeTuning(&StartScripted));
}

/// What is said, and what is made of the answers.
class ExternalDialogueTest : public TestCase
{
  public:
    ExternalDialogueTest()
        : TestCase("external: a line for the first chunk, and one after each")
    {
    }

  private:
    void DoRun() override
    {
        auto made = MakePolicy({R"({"parallelism": 4})",
                                R"({"why": [1], "parallelism": 8e0})",
                                R"({"parallelism": 64})",
                                R"({"parallelism": 1})"});
        NS_TEST_ASSERT_MSG_EQ(Reason(made), "no error", "");
        const auto& policy = *made;
        NS_TEST_EXPECT_MSG_EQ(g_script.command, "learn --fast", "");
        NS_TEST_EXPECT_MSG_EQ(g_script.timeoutNs, 5, "");
        NS_TEST_EXPECT_MSG_EQ(policy->GetInitialParallelism(), 4, "answer to hello");
        NS_TEST_EXPECT_MSG_EQ(policy->GetInitialParallelism(), 4, "asked once");
        ChunkSample sample = Chunk(4, 80);
        sample.remainingBytes = 12345;
        sample.segments = {.sent = 200, .retransmitted = 5};
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(sample), 8, "another member, and 8e0 is whole");
        sample.bytes = 50; // a last, shorter chunk
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(sample), 64, "the maximum itself");
        NS_TEST_EXPECT_MSG_EQ(policy->Decide(Chunk(64, 80)), 1, "the minimum itself");
        NS_TEST_EXPECT_MSG_EQ(policy->GetFailure(), "", "");
        const std::vector<std::string> expected{
            R"({"event": "hello", "protocol": 1, "session": 3, "pair": 2, "pairs": 1, )"
            R"("max_parallelism": 64, "file_size_bytes": 1000, "chunk_size_bytes": 100, )"
            R"("window_bytes": 65536, "segment_bytes": 1460, "seed": 7, "run": 9})",
            R"({"event": "chunk", "index": 0, "bytes": 100000000, "remaining_bytes": 12345, )"
            R"("duration_s": 10, "goodput_bps": 8e+07, "rtt_s": 0.02006, )"
            R"("window_bytes": 65536, "parallelism": 4, "segments": 200, "retransmitted": 5, )"
            R"("loss_share": 0.025, "valid": true})",
            R"({"event": "chunk", "index": 1, "bytes": 50, "remaining_bytes": 12345, )"
            R"("duration_s": 10, "goodput_bps": 40, "rtt_s": 0.02006, )"
            R"("window_bytes": 65536, "parallelism": 4, "segments": 200, "retransmitted": 5, )"
            R"("loss_share": 0.025, "valid": false})"};
        NS_TEST_ASSERT_MSG_EQ(g_script.heard.size(), 4, "");
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(g_script.heard[i], expected[i], i);
        }
        NS_TEST_EXPECT_MSG_EQ(g_script.ended, 0, "it may be asked again");
        policy->End();
        NS_TEST_EXPECT_MSG_EQ(g_script.ended, 1, "it will not");
    }
};

/// Answers that are none.
class ExternalAnswerTest : public TestCase
{
  public:
    ExternalAnswerTest()
        : TestCase("external: every answer that is none is told")
    {
    }

  private:
    void DoRun() override
    {
        const std::string allowed =
            R"('; allowed: {"parallelism": N} on a line, N a whole number from 1 to 64)";
        for (const std::string answer : {"",
                                         "4",
                                         "[4]",
                                         "null",
                                         "{}",
                                         "{\"parallelism\": 4",
                                         "{'parallelism': 4}",
                                         "{\"parallelism\": 0}",
                                         "{\"parallelism\": -1}",
                                         "{\"parallelism\": 65}",
                                         "{\"parallelism\": 2.5}",
                                         "{\"parallelism\": 1e300}",
                                         "{\"parallelism\": \"4\"}",
                                         "{\"parallelism\": true}",
                                         "{\"parallelism\": null}",
                                         "{\"Parallelism\": 4}",
                                         "{\"parallelism\": 4, \"parallelism\": 4}"})
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(MakePolicy({answer})),
                                  "tuner 'learn --fast', asked for the first chunk, answered '" +
                                      answer + allowed,
                                  answer);
            NS_TEST_EXPECT_MSG_EQ(g_script.ended, 1, "nobody needs it");
            const auto policy = MakePolicy({R"({"parallelism": 3})", answer});
            NS_TEST_EXPECT_MSG_EQ((*policy)->Decide(Fast(3)), 3, "as before");
            NS_TEST_EXPECT_MSG_EQ((*policy)->GetFailure(),
                                  "tuner 'learn --fast', asked after chunk 0, answered '" + answer +
                                      allowed,
                                  answer);
        }
        NS_TEST_EXPECT_MSG_EQ(
            Reason(MakePolicy({})),
            "tuner 'learn --fast', asked for the first chunk, ended without an answer",
            "");
        const NamedValues values = GetTuningDefaults();
        NS_TEST_EXPECT_MSG_EQ(
            Reason(MakeTuningPolicy("external", values, MakeTuning(&StartNothing))),
            "tuner 'learn --fast' cannot be started: no more processes",
            "");
        NS_TEST_EXPECT_MSG_EQ(Reason(MakeTuningPolicy("external", values)),
                              "mode external starts a program, which is not possible here; "
                              "allowed: another mode, or ./gridftp run",
                              "as in the lab");
    }
};

/// Pairs of stripes: each asks its own, and one that fails is one too many.
class ExternalPairsTest : public TestCase
{
  public:
    ExternalPairsTest()
        : TestCase("external: a program for each pair of stripes")
    {
    }

  private:
    void DoRun() override
    {
        PairTuning pairs;
        auto first = MakePolicy({R"({"parallelism": 2})", R"({"parallelism": 3})"});
        auto second = MakeTuningPolicy("fixed", PAPER);
        pairs.Add(std::move(*second));
        pairs.Add(std::move(*first));
        ChunkSample whole = Slow(2);
        whole.pairs = 2;
        pairs.Decide(whole, {50'000'000, 50'000'000}, {1, 1}, {});
        NS_TEST_EXPECT_MSG_EQ(pairs.GetMost(), 3, "as the program says");
        NS_TEST_EXPECT_MSG_EQ(pairs.GetFailure(), "", "");
        pairs.Decide(whole, {50'000'000, 50'000'000}, {1, 1}, {});
        NS_TEST_EXPECT_MSG_EQ(pairs.GetFailure(),
                              "tuner 'learn --fast', asked after chunk 1, ended without an answer",
                              "the second pair's");
        pairs.End();
        NS_TEST_EXPECT_MSG_EQ(g_script.ended, 1, "");
    }
};

/// In a whole transfer: what a session says, how far it comes, and when the program is let go.
class ExternalSessionTest : public TestCase
{
  public:
    ExternalSessionTest()
        : TestCase("external: a session ends with its program, and not later")
    {
    }

  private:
    void DoRun() override
    {
        const std::string five = R"({"parallelism": 5})";
        TransferResult result = Simulate({five, five, five, five});
        NS_TEST_EXPECT_MSG_EQ(result.done, true, result.reason);
        NS_TEST_EXPECT_MSG_EQ(g_script.heard.size(), 4, "hello and three chunks");
        NS_TEST_EXPECT_MSG_EQ(Contains(g_script.heard[0], R"("file_size_bytes": 2500000)"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(Contains(g_script.heard[0], R"("segment_bytes": 1460)"), true, "");
        NS_TEST_EXPECT_MSG_EQ(Contains(g_script.heard[1], R"("remaining_bytes": 1500000)"),
                              true,
                              "");
        NS_TEST_EXPECT_MSG_EQ(Contains(g_script.heard[3], R"("remaining_bytes": 0)"), true, "");
        NS_TEST_EXPECT_MSG_EQ(Contains(g_script.heard[3], R"("valid": false)"), true, "shorter");
        result = Simulate({five, five});
        NS_TEST_EXPECT_MSG_EQ(result.done, false, "");
        NS_TEST_EXPECT_MSG_EQ(result.sessions[0].gridftp->chunks.size(), 2, "complete");
        NS_TEST_EXPECT_MSG_EQ(
            result.reason,
            "session 0: tuner 'learn', asked after chunk 1, ended without an answer",
            "");
        result = Simulate({});
        NS_TEST_EXPECT_MSG_EQ(result.done, false, "");
        NS_TEST_EXPECT_MSG_EQ(result.sessions[0].gridftp->chunks.size(), 0, "none began");
    }

    /// @param answers of the program @return what comes of a transfer of three chunks
    TransferResult Simulate(std::vector<std::string> answers)
    {
        g_script = {};
        g_script.answers = std::move(answers);
        const std::vector<std::string_view> words{"--mode=external:learn",
                                                  "--file-size=2500KB",
                                                  "--chunk-size=1MB"};
        const auto request = ParseTransfer(words, {});
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "");
        SegmentSimulator simulator(request->scenario, &StartScripted);
        simulator.Advance(INT64_MAX);
        NS_TEST_EXPECT_MSG_EQ(g_script.ended, g_script.started, "let go with the session");
        NS_TEST_EXPECT_MSG_EQ(g_script.started, 1, "");
        return simulator.GetResult();
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ExternalDialogueTest,
            new ExternalAnswerTest,
            new ExternalPairsTest,
            new ExternalSessionTest};
});

} // namespace ns3::gridftp
