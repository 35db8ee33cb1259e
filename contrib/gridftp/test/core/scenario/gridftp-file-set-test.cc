/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-file-set.h"
#include "gridftp-file-sizes.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What sizes are drawn.
class DrawnSizesTest : public TestCase
{
  public:
    DrawnSizesTest()
        : TestCase("files: log-normal sizes of the mean and spread asked for")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t COUNT = 40'000;
        constexpr double MEAN = 1e6;
        for (const double sigma : {0.5, 1.5})
        {
            double sum = 0;
            double logs = 0;
            double squares = 0;
            for (uint64_t i = 0; i < COUNT; ++i)
            {
                const auto size = static_cast<double>(DrawLogNormalSize(MEAN, sigma, {1, 2, 3}, i));
                sum += size;
                logs += std::log(size);
                squares += std::log(size) * std::log(size);
            }
            const double mean = logs / COUNT;
            const double deviation = std::sqrt(squares / COUNT - mean * mean);
            NS_TEST_EXPECT_MSG_EQ_TOL(sum / COUNT, MEAN, MEAN * sigma * sigma / 20, sigma);
            NS_TEST_EXPECT_MSG_EQ_TOL(mean, std::log(MEAN) - sigma * sigma / 2, 0.02, sigma);
            NS_TEST_EXPECT_MSG_EQ_TOL(deviation, sigma, 0.02, sigma);
        }
        NS_TEST_EXPECT_MSG_EQ(DrawLogNormalSize(1e6, 0, {1, 2, 3}, 7), 1'000'000, "no spread");
        const auto drawn = DrawLogNormalSize(MEAN, 1, {1, 2, 3}, 4);
        NS_TEST_EXPECT_MSG_EQ(drawn, DrawLogNormalSize(MEAN, 1, {1, 2, 3}, 4), "again");
        for (const FileSetKey other : {FileSetKey{2, 2, 3}, {1, 3, 3}, {1, 2, 4}})
        {
            NS_TEST_EXPECT_MSG_NE(drawn, DrawLogNormalSize(MEAN, 1, other, 4), "another key");
        }
        NS_TEST_EXPECT_MSG_NE(drawn, DrawLogNormalSize(MEAN, 1, {1, 2, 3}, 5), "another file");
    }
};

/// Which file is next.
class FileSequenceTest : public TestCase
{
  public:
    FileSequenceTest()
        : TestCase("files: one after the other, again for a time, shared by several")
    {
    }

  private:
    /// @param holds what has to @param what it is
    void Expect(bool holds, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ(holds, true, what);
    }

    void DoRun() override
    {
        FileSequence once(std::make_shared<FileSupply>(std::vector<uint64_t>{5, 7}, 100, 0));
        Expect(once.GetEnd() == 0, "before the first one");
        Expect(once.GetMostBytes() == 7, "largest");
        Expect(once.Begin(100) && once.GetEnd() == 5, "first");
        once.HandleChunk({0, 3, 5}, 110, 120);
        Expect(once.GetRecords().empty(), "a part of it");
        once.HandleChunk({3, 2, 5}, 130, 140);
        Expect(once.Begin(150) && once.GetEnd() == 7, "second");
        once.HandleChunk({0, 7, 7}, 160, 170);
        Expect(!once.Begin(180), "no third");
        const auto& records = once.GetRecords();
        NS_TEST_ASSERT_MSG_EQ(records.size(), 2, "both");
        Expect(records[0].bytes == 5 && records[0].startNs == 110 && records[0].endNs == 140,
               "from its first chunk to its last one");
        Expect(records[1].startNs == 160 && records[1].endNs == 170, "second");

        FileSupply again({5, 7}, 100, 50);
        Expect(again.Take(100) == 5 && again.Take(120) == 7, "once");
        Expect(again.Take(149) == 5, "within the time");
        Expect(!again.Take(150), "not after it");
        FileSupply late({5, 7}, 100, 50);
        Expect(late.Take(400) == 5 && late.Take(500) == 7, "each once");
        Expect(!late.Take(500), "and no more");

        const auto shared = std::make_shared<FileSupply>(std::vector<uint64_t>{1, 2, 3}, 0, 0);
        FileSequence one(shared);
        FileSequence other(shared);
        Expect(one.Begin(0) && other.Begin(0) && one.Begin(0), "all three");
        Expect(one.GetEnd() == 3 && other.GetEnd() == 2, "in order");
        Expect(!other.Begin(0), "none is left");
    }
};

/// Sizes that are given.
class FileSizesTest : public TestCase
{
  public:
    FileSizesTest()
        : TestCase("files: listed sizes, from the command line or a file")
    {
    }

  private:
    /// @param arguments of a command line @return the scenario, or the message
    static Expected<Scenario> Parse(const std::vector<std::string_view>& arguments)
    {
        const FileReader read = [](const std::string& name) {
            return name == "sizes.txt" ? Expected<std::string>("1MB # first\n\n 300kB\r\n2MB\n")
                   : name == "wrong"   ? Expected<std::string>("1MB\nmany\n")
                                       : Expected<std::string>(Error{"cannot be read"});
        };
        auto request = ParseTransfer(arguments, read);
        return request ? Expected<Scenario>(std::move(request->scenario))
                       : Expected<Scenario>(request.GetError());
    }

    /// @param arguments of a command line @param message that it has to give
    void ExpectError(const std::vector<std::string_view>& arguments, const std::string& message)
    {
        const auto parsed = Parse(arguments);
        NS_TEST_ASSERT_MSG_EQ(bool(parsed), false, message);
        NS_TEST_EXPECT_MSG_EQ(parsed.GetError().message, message, message);
    }

    void DoRun() override
    {
        const std::vector<int64_t> sizes{1'000'000, 300'000, 2'000'000};
        for (const std::string_view given :
             {"--file-sizes=sizes.txt", "--file-sizes=1MB:300kB:2MB"})
        {
            const auto parsed = Parse({given});
            NS_TEST_ASSERT_MSG_EQ(bool(parsed), true, given);
            const auto& session = parsed->sessions.front();
            NS_TEST_EXPECT_MSG_EQ((session.fileList == sizes), true, given);
            NS_TEST_EXPECT_MSG_EQ(session.files, 3, given);
            NS_TEST_EXPECT_MSG_EQ(session.fileSizes, "1MB:300KB:2MB", given);
        }
        constexpr std::string_view ALLOWED =
            "; allowed: fixed, lognormal, SIZE:SIZE:..., or a file with one size a line";
        const std::string allowed(ALLOWED);
        ExpectError({"--file-sizes=wrong"},
                    "--file-sizes=wrong has 'many' as line 2, which is no size from 1B to 1PB" +
                        allowed);
        ExpectError({"--file-sizes=0B:1B"},
                    "--file-sizes=0B:1B has '0B' as size 1, which is no size from 1B to 1PB" +
                        allowed);
        ExpectError({"--file-sizes=none"}, "--file-sizes=none cannot be read" + allowed);
        ExpectError({"--file-sizes=1B:1B", "--files=3"},
                    "--files=3 differs from the number of sizes in --file-sizes; allowed with it: "
                    "2, or no --files");
        ExpectError({"--session", "files-of=0"},
                    "--session 'files-of=0' has one file; allowed: a session with --files, "
                    "--file-sizes or --repeat-for");
        ExpectError({"--files=2", "--session", "files-of=1", "--session", "files-of=3"},
                    "--session 'files-of=3' of session 2 is not an earlier session, or shares "
                    "files itself; allowed: an earlier session with files of its own");
        ExpectError({"--server-host=shared"},
                    "--server-host=shared needs a server that sends; allowed with it: "
                    "direction=download, stripes=1x1");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new DrawnSizesTest, new FileSequenceTest, new FileSizesTest};
});

} // namespace ns3::gridftp
