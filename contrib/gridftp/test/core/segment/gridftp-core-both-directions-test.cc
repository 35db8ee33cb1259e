/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-result.h"
#include "gridftp-segment-engine.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Uploads and downloads over one control connection: how long they take, and what a result says.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A command line as words.
using Words = std::vector<std::string_view>;

/// The path of all of them, on which an upload is twice as fast as a download.
const Words PATH{"--mode=fixed",
                 "--parallelism=4",
                 "--bandwidth=40Mbps",
                 "--reverse-bandwidth=20Mbps",
                 "--delay=10ms",
                 "--queue=200p",
                 "--reverse-queue=200p"};

/// Runs of command lines.
class BothDirectionsTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @param more words behind those of the path @return the result
    TransferResult Run(const Words& more)
    {
        Words words = PATH;
        words.insert(words.end(), more.begin(), more.end());
        const auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "");
        const auto result = RunOnSegments(request ? request->scenario : Scenario());
        NS_TEST_EXPECT_MSG_EQ((result && result->done), true, "it is done");
        return result ? *result : TransferResult();
    }
};

/// A put, and then a get.
class PutThenGetTest : public BothDirectionsTest
{
  public:
    PutThenGetTest()
        : BothDirectionsTest("both directions: a put and then a get over one login")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto* channels : {"--data-channels=fresh", "--data-channels=cached"})
        {
            const Words files{"--file-directions=upload:download",
                              "--file-sizes=40MB:10MB",
                              channels,
                              "--chunk-size=100MB"};
            const TransferResult both = Run(files);
            const SessionResult& session = both.sessions.front();
            NS_TEST_EXPECT_MSG_EQ(session.served.size(), 1, "one login");
            NS_TEST_EXPECT_MSG_EQ(session.bytes, 50'000'000, "");
            const auto directions = session.GetDirections();
            NS_TEST_ASSERT_MSG_EQ(directions.size(), 2, "");
            CheckDirection(directions[0], Direction::UPLOAD, 40'000'000, 40e6);
            CheckDirection(directions[1], Direction::DOWNLOAD, 10'000'000, 20e6);
            CheckAlone(session, {"--file-size=40MB", channels, "--chunk-size=100MB"}, 0);
            CheckAlone(session, {"--file-size=10MB", channels, "--direction=download"}, 1);
            // Between 226 and the first byte of ERET: OPTS and PORT, a round trip of 20 ms each
            const auto& chunks = session.gridftp->chunks;
            const auto betweenNs = static_cast<double>(chunks[1].startNs - chunks[0].endNs);
            NS_TEST_EXPECT_MSG_EQ_TOL(betweenNs, 2 * 20.04e6, 0.2e6, "no login, two commands");
        }
    }

    /// @param one result of a direction @param direction which @param bytes moved in it @param bps
    /// rate of the bottleneck
    void CheckDirection(const DirectionResult& one, Direction direction, uint64_t bytes, double bps)
    {
        NS_TEST_EXPECT_MSG_EQ((one.direction == direction), true, "");
        NS_TEST_EXPECT_MSG_EQ(one.files, 1, "");
        NS_TEST_EXPECT_MSG_EQ(one.bytes, bytes, "");
        NS_TEST_EXPECT_MSG_GT(one.GetGoodputBps(), 0.88 * bps, "");
        NS_TEST_EXPECT_MSG_LT(one.GetGoodputBps(), bps * 1460 / 1500, "");
    }

    /// A chunk takes as long as in a session of its own.
    /// @param session with both directions @param alone words of the other one @param chunk index
    void CheckAlone(const SessionResult& session, Words alone, size_t chunk)
    {
        if (chunk == 1)
        {
            // The first session's direction is the forward one
            alone.insert(
                alone.end(),
                {"--bandwidth=20Mbps", "--reverse-bandwidth=40Mbps", "--chunk-size=100MB"});
        }
        const TransferResult result = RunInstead(alone);
        const ChunkRecord& expected = result.sessions.front().gridftp->chunks.front();
        const ChunkRecord& own = session.gridftp->chunks.at(chunk);
        const auto durationNs = static_cast<double>(expected.endNs - expected.startNs);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(own.endNs - own.startNs),
                                  durationNs,
                                  (chunk == 0 ? 0 : 0.001 * durationNs),
                                  "as alone, chunk " << chunk);
        if (chunk == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(own.startNs, expected.startNs, "behind the same login");
        }
    }

    /// @param more words that replace those of the path @return the result
    TransferResult RunInstead(const Words& more)
    {
        Words words;
        for (const auto word : PATH)
        {
            const auto name = word.substr(0, word.find('=') + 1);
            const auto isNamed = [name](auto other) { return other.starts_with(name); };
            if (std::ranges::none_of(more, isNamed))
            {
                words.push_back(word);
            }
        }
        words.insert(words.end(), more.begin(), more.end());
        const auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "");
        return *RunOnSegments(request->scenario);
    }
};

/// Files that alternate, and a result that says so.
class AlternatingTest : public BothDirectionsTest
{
  public:
    AlternatingTest()
        : BothDirectionsTest("both directions: files that alternate, and their result")
    {
    }

  private:
    void DoRun() override
    {
        const TransferResult result = Run({"--file-directions=upload:download:download",
                                           "--files=6",
                                           "--file-size=3MB",
                                           "--chunk-size=2MB",
                                           "--data-channels=cached"});
        const SessionResult& session = result.sessions.front();
        NS_TEST_ASSERT_MSG_EQ(session.files.size(), 6, "");
        NS_TEST_ASSERT_MSG_EQ(session.gridftp->chunks.size(), 12, "two of each file");
        std::vector<uint64_t> files(2);
        std::vector<int64_t> durations(2);
        for (size_t i = 0; i < 6; ++i)
        {
            const bool isUpload = i % 3 == 0;
            const Direction direction = isUpload ? Direction::UPLOAD : Direction::DOWNLOAD;
            NS_TEST_EXPECT_MSG_EQ((session.files[i].direction == direction), true, i);
            for (size_t k = 2 * i; k < 2 * i + 2; ++k)
            {
                NS_TEST_EXPECT_MSG_EQ((session.gridftp->chunks[k].direction == direction), true, k);
            }
            ++files[isUpload ? 0 : 1];
            // Two downloads in a row are one run, from the first command to the last reply
            const FileRecord& begin = session.files[i % 3 == 2 ? i - 1 : i];
            durations[isUpload ? 0 : 1] += i % 3 == 1 ? 0 : session.files[i].endNs - begin.startNs;
        }
        const auto directions = session.GetDirections();
        NS_TEST_ASSERT_MSG_EQ(directions.size(), 2, "");
        for (size_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(directions[i].files, files[i], "");
            NS_TEST_EXPECT_MSG_EQ(directions[i].bytes, 3'000'000 * files[i], "");
            NS_TEST_EXPECT_MSG_EQ(directions[i].durationNs, durations[i], "");
        }
        const TransferResult plain = Run({"--file-size=3MB", "--files=2"});
        NS_TEST_EXPECT_MSG_EQ(plain.sessions.front().GetDirections().size(), 0, "one direction");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PutThenGetTest, new AlternatingTest};
});

} // namespace
