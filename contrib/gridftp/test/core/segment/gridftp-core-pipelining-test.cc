/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"
#include "gridftp-core-test.h"
#include "gridftp-segment-engine.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t HEADER = 42;            //!< TCP, IP and PPP, bytes
constexpr int64_t FILE_BYTES = 1000;      //!< of each file
constexpr int64_t DATA = FILE_BYTES + 34; //!< with the headers of a block and of the EOD
constexpr int64_t DELAY_NS = 50'000'000;  //!< one way

/// Small files, whose times can be worked out by hand: one packet of data each.
class PipelineTimelineTest : public TestCase
{
  public:
    PipelineTimelineTest()
        : TestCase("pipelining: what a small file costs, by hand")
    {
    }

  private:
    void DoRun() override
    {
        const int64_t alone = MeasurePeriod(1);
        NS_TEST_EXPECT_MSG_EQ(MeasurePeriod(2), WorkOutPeriod(), "ns, two at a time");
        NS_TEST_EXPECT_MSG_EQ(MeasurePeriod(16), WorkOutPeriod(), "ns, sixteen");
        NS_TEST_EXPECT_MSG_GT(alone, WorkOutPeriod() + 4 * DELAY_NS, "two round trips more");
    }

    /// @param pipelining N @return between the ends of two files in the midst of many, ns
    int64_t MeasurePeriod(int64_t pipelining)
    {
        const auto scenario = ParseScenarioJson(
            R"({"bandwidth": "8Mbps", "delay": "50ms", "access-bandwidth": "8Gbps", )"
            R"("access-delay": "0ms", "delayed-ack": "1", "files": "40", "file-size": "1000B", )"
            R"("mode": "fixed", "parallelism": "1", "data-channels": "cached", "pipelining": ")" +
            std::to_string(pipelining) + R"("})");
        const auto result = scenario ? RunOnSegments(*scenario) : scenario.GetError();
        if (!result || result->sessions.front().files.size() != FILES)
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(result), "no error", "");
            return 0;
        }
        const auto& files = result->sessions.front().files;
        NS_TEST_EXPECT_MSG_EQ((files[MIDST].startNs == files[MIDST - 1].endNs),
                              (pipelining > 1),
                              "no time is lost between them");
        return files[MIDST].endNs - files[MIDST - 1].endNs;
    }

    /// @return the same with pipelining: from one reply 226 at the client to the next, ns
    int64_t WorkOutPeriod() const
    {
        // 150 of the file has come with the replies about the one before. The client sends: the
        // ACK of these at once, a nanosecond later what it says ahead, and the data. All of it
        // queues at the bottleneck, where a byte takes 1000 ns; on the access links it takes 1 ns.
        const auto ahead =
            static_cast<int64_t>(FormatCommand({Verb::ALLO, "1000"}).size() +
                                 FormatCommand({Verb::ESTO, "A 0 /data/file"}).size());
        const int64_t up =
            HEADER + 1000 * (HEADER + HEADER + ahead + HEADER + DATA) + DELAY_NS + HEADER + DATA;
        // The server, likewise: the ACK of the data, then all its replies in one packet.
        const Reply marker = MakePerfMarkerReply({10, 0, FILE_BYTES, 1}); // at 1 s to 9.9 s
        const Reply ranges = MakeRangeMarkerReply({{0, FILE_BYTES}});
        const std::string replies =
            FormatReply(marker) + FormatReply(ranges) + FormatReply({226, {"Transfer Complete."}}) +
            FormatReply(MakeReply({Verb::ALLO, "1000"})) + FormatReply(MakeReply({Verb::ESTO, ""}));
        const auto bytes = static_cast<int64_t>(replies.size());
        const int64_t down = HEADER + 1000 * (HEADER + HEADER + bytes) + DELAY_NS + HEADER + bytes;
        return up + down;
    }

    static constexpr size_t FILES = 40; //!< how many
    static constexpr size_t MIDST = 20; //!< one of them, some seconds after the start
};

const OwnTestCases g_cases([] { return std::vector<TestCase*>{new PipelineTimelineTest}; });

} // namespace
