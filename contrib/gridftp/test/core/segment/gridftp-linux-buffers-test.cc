/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Results have the receive buffers of Linux hosts, and tuners the windows.
class LinuxBuffersTestCase : public TestCase
{
  public:
    LinuxBuffersTestCase()
        : TestCase("Linux stack: results and tuners know the receive buffers")
    {
    }

  private:
    /// @param more words of the command line @return the session of a transfer over 100 ms
    SessionResult Simulate(const std::vector<std::string_view>& more)
    {
        std::vector<std::string_view> words{"--stack=linux",
                                            "--mode=fixed",
                                            "--delay=50ms",
                                            "--file-size=20MB",
                                            "--chunk-size=10MB"};
        words.insert(words.end(), more.begin(), more.end());
        const auto request = ParseTransfer(words);
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", "allowed");
        SegmentSimulator simulator(request->scenario);
        simulator.Advance(1000 * int64_t{1'000'000'000});
        return simulator.GetResult().sessions.front();
    }

    void DoRun() override
    {
        for (const std::string_view direction : {"upload", "download", "third-party"})
        {
            const std::string option = "--direction=" + std::string(direction);
            const auto tuned = Simulate({option});
            // tcp_rmem[1], and what 100 Mbit/s over 100 ms take: windows of twice 1.25 MB
            const BufferResult& buffers = *tuned.buffers;
            NS_TEST_EXPECT_MSG_EQ((buffers.mostBytes > 1'250'000), true, direction);
            NS_TEST_EXPECT_MSG_EQ((buffers.meanBytes > 131'072), true, direction);
            NS_TEST_EXPECT_MSG_EQ((buffers.meanBytes < buffers.mostBytes), true, direction);
            // SO_RCVBUF is doubled, and constant
            const auto fixed = Simulate({option, "--window=1MiB"});
            NS_TEST_EXPECT_MSG_EQ(fixed.buffers->mostBytes, 2 << 20, direction);
            NS_TEST_EXPECT_MSG_EQ(fixed.buffers->meanBytes, 2 << 20, direction);
        }
        CheckTunerWindow();
    }

    /// The client of a download has the window of its own socket, at least a half and at most
    /// 160 / 256 of the buffer, and not the send buffer of the server.
    void CheckTunerWindow()
    {
        const auto session = Simulate({"--direction=download"});
        const double window = session.gridftp->chunks.back().windowBytes;
        const auto most = static_cast<double>(session.buffers->mostBytes);
        NS_TEST_EXPECT_MSG_GT(window, most / 2, "of the last chunk");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(window, most * 160 / 256, "of the last chunk");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxBuffersTestCase}; });

} // namespace
