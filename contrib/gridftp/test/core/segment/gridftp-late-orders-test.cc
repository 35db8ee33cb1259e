/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Stripes whose first data overtake the order to receive them.
class LateOrdersTestCase : public TestCase
{
  public:
    LateOrdersTestCase()
        : TestCase("stripes: data that come before the order to receive them count")
    {
    }

  private:
    /// @param words of a command line
    void Check(const std::vector<std::string>& words)
    {
        std::vector<std::string_view> all(words.begin(), words.end());
        std::string command;
        for (const auto& word : words)
        {
            command += word + " ";
        }
        const auto request = ParseTransfer(all);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", command);
        SegmentSimulator simulator(request->scenario);
        NS_TEST_EXPECT_MSG_EQ(simulator.Advance(600'000'000'000), true, command);
        NS_TEST_EXPECT_MSG_EQ(simulator.GetResult().reason, "", command);
    }

    void DoRun() override
    {
        // The interrupt of the second host is later than the first data from the near server
        for (const std::string stack : {"classic", "linux"})
        {
            for (const std::string late : {"0.1ms", "0.3ms", "5ms"})
            {
                for (const std::string size : {"1KB", "20KB", "2MB"})
                {
                    Check({"--stack=" + stack,
                           "--delay=0.05ms",
                           "--direction=download",
                           "--stripes=1x2",
                           "--mode=fixed",
                           "--file-size=" + size,
                           "--chunk-size=500KB",
                           "--retries=20",
                           "--receiver-interrupt-delay=" + late});
                }
            }
            Check({"--stack=" + stack,
                   "--delay=0.05ms",
                   "--direction=third-party",
                   "--stripes=2x3",
                   "--data-channels=cached",
                   "--mode=fixed",
                   "--parallelism=2",
                   "--file-size=3MB",
                   "--chunk-size=500KB",
                   "--sink=disk",
                   "--sink-rate=50Mbps",
                   "--retries=20",
                   "--receiver-interrupt-delay=1ms"});
        }
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LateOrdersTestCase}; });

} // namespace
