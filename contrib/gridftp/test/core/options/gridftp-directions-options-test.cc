/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-file-set.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-check.h"
#include "gridftp-test-cases.h"

#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * --file-directions: what it means, and what it cannot be combined with.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A command line as words.
using Words = std::vector<std::string_view>;

/// Which files go in which direction.
class FileDirectionsTest : public TestCase
{
  public:
    FileDirectionsTest()
        : TestCase("file directions: how many files, in which direction")
    {
    }

  private:
    void DoRun() override
    {
        Expect({"--file-directions=upload:download"}, 2, "upload:download", "UD");
        Expect({"--file-directions=upload:download", "--files=5"}, 5, "upload:download", "UDUDU");
        Expect({"--file-directions=upload:download:download", "--file-sizes=1MB:2MB:3MB:4MB"},
               4,
               "upload:download:download",
               "UDDU");
        Expect({"--file-directions=download:upload", "--direction=download"},
               2,
               "download:upload",
               "DU");
        Expect({"--file-directions=same", "--files=3"}, 3, "same", "");
        Expect({}, 1, "same", "");
        // Where all are alike the session is one in one direction
        Expect({"--file-directions=upload:upload"}, 2, "upload:upload", "");
        // To resolve a scenario again changes nothing
        const auto again = ResolveScenario(
            ParseTransfer(Words{"--file-directions=upload:download", "--files=3"})->scenario);
        NS_TEST_ASSERT_MSG_EQ(bool(again), true, "");
        NS_TEST_EXPECT_MSG_EQ(again->sessions.front().files, 3, "");
        NS_TEST_EXPECT_MSG_EQ(again->sessions.front().fileDirections.size(), 2, "");
    }

    /// @param words of a command line @param files how many there are @param text what the result
    /// says @param directions of them, a letter each; empty: all in that of the session
    void Expect(const Words& words,
                int64_t files,
                const std::string& text,
                const std::string& directions)
    {
        const auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", text);
        const Scenario scenario = request ? request->scenario : Scenario();
        NS_TEST_ASSERT_MSG_EQ(scenario.sessions.size(), 1, text);
        const SessionSpec& session = scenario.sessions.front();
        NS_TEST_EXPECT_MSG_EQ(session.files, files, text);
        NS_TEST_EXPECT_MSG_EQ(session.directionsText, text, "");
        NS_TEST_EXPECT_MSG_EQ(HasBothDirections(session), !directions.empty(), text);
        NS_TEST_EXPECT_MSG_EQ(HasTwoDirections(scenario), !directions.empty(), text);
        const auto supply = MakeFileSupplies(scenario).front();
        NS_TEST_EXPECT_MSG_EQ(supply->GetDirection().has_value(), false, "before the first one");
        std::string taken;
        while (!directions.empty() && supply->Take(0))
        {
            taken += supply->GetDirection() == Direction::UPLOAD ? "U" : "D";
        }
        NS_TEST_EXPECT_MSG_EQ(taken, directions, text);
    }
};

/// What is refused, in one line.
class RefusedDirectionsTest : public TestCase
{
  public:
    RefusedDirectionsTest()
        : TestCase("file directions: what is refused")
    {
    }

  private:
    void DoRun() override
    {
        const std::string allowed = "; allowed: same, or upload and download with a colon between "
                                    "two files, as in upload:download";
        const std::string shown = "--file-directions=upload:download ";
        Expect({"--file-directions=up"}, "--file-directions=up has 'up' as direction 1" + allowed);
        Expect({"--file-directions=upload:"},
               "--file-directions=upload: has '' as direction 2" + allowed);
        Expect({"--file-directions=upload:third-party"},
               "--file-directions=upload:third-party has 'third-party' as direction 2" + allowed);
        Expect({"--file-directions=download:upload"},
               "--file-directions=download:upload does not begin with direction=upload; allowed "
               "with it: direction=download, or file-directions=same");
        Expect({"--file-directions=upload:download:upload", "--files=2"},
               "--file-directions=upload:download:upload lists 3 directions for 2 files; allowed: "
               "one for each, or fewer, which repeat");
        Expect({"--file-directions=upload:download", "--file-sizes=1MB"},
               shown + "lists 2 directions for 1 file; allowed: one for each, or fewer, which "
                       "repeat");
        ExpectWith("--direction=third-party",
                   "is between a client and one server; allowed with it: direction=upload or "
                   "download");
        ExpectWith("--stripes=2x2",
                   "needs one host at each endpoint; allowed with it: stripes=1x1");
        Expect({"--file-directions=upload:download", "--sink=disk", "--sink-rate=1Gbps"},
               shown + "has two hosts that both read and write; allowed with it: source=memory, "
                       "sink=memory");
        ExpectWith("--sender-cores=2",
                   "has two hosts that both send and receive; allowed with it: no options of the "
                   "sender or the receiver");
        ExpectWith("--min-rate=1Mbps",
                   "does not support a minimum rate; allowed with it: min-rate=0Mbps");
        ExpectWith("--fault=kind=data-reset,at=1s",
                   "is not for a session with faults; allowed with it: faults of the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(Words{"--file-directions=upload:download",
                                                         "--fault=kind=link-down,at=1s,for=1s"})),
                              "no error",
                              "");
        Expect({"--file-directions=upload:download",
                "--data-channels=cached",
                "--mode=fixed",
                "--pipelining=2"},
               shown + "changes the direction only after a reply; allowed with it: pipelining=1");
        Expect(
            {"--file-directions=upload:download", "--control-security=gsi", "--data-security=gsi"},
            shown + "needs data connections without a security handshake; allowed with it: "
                    "data-security=none");
        Expect({"--file-directions=upload:download", "--mode=fixed", "--buffers=drs-ftp"},
               shown + "needs buffers that TCP sizes; allowed with it: not buffers=drs-ftp");
        Expect({"--file-directions=upload:download", "--session=files-of=0"},
               shown + "needs a session with files of its own; allowed with it: no files-of "
                       "another session");
        Expect({"--file-directions=download:upload",
                "--direction=download",
                "--session=file-directions=same,server-host=shared"},
               "--file-directions=download:upload needs a server on a host of its own; allowed "
               "with it: server-host=own");
        Expect({"--file-directions=upload:download", "--session=direction=download"},
               "--session 'file-directions=upload:download' does not begin with "
               "direction=download; allowed with it: direction=upload, or file-directions=same");
        Expect({"--file-directions=upload:download", "--tool=udt"},
               shown + "is only for GridFTP; allowed with tool=udt: same");
    }

    /// @param words of a command line @param reason what is wrong with them
    void Expect(const Words& words, const std::string& reason)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(words)), reason, words.back());
    }

    /// @param option with an upload and a download @param reason what is wrong with these
    void ExpectWith(std::string_view option, const std::string& reason)
    {
        Expect({"--file-directions=upload:download", option},
               "--file-directions=upload:download " + reason);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new FileDirectionsTest, new RefusedDirectionsTest};
});

} // namespace
