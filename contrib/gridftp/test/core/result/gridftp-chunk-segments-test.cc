/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-chunk-segments.h"
#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What was sent in a chunk, from what was sent so far.
class ChunkSegmentsTest : public TestCase
{
  public:
    ChunkSegmentsTest()
        : TestCase("segments of a chunk: sent since the one before, pair by pair")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SentSegments{}.GetLossShare(), 0, "nothing was sent");
        ChunkSegments segments;
        Expect(segments.GetAll(), {0, 0}, "no chunk");
        // 100 that were new, and 5 sent again; timeouts are none of them
        segments.Update({{100, 5, 2}});
        Expect(segments.GetAll(), {105, 5}, "first chunk");
        segments.Update({{300, 5, 2}});
        Expect(segments.GetAll(), {200, 0}, "nothing was lost since then");
        // A second pair appears, of which all is new
        segments.Update({{300, 6, 2}, {30, 10, 0}});
        Expect(segments.GetPairs()[0], {1, 1}, "first pair");
        Expect(segments.GetPairs()[1], {40, 10}, "second pair");
        Expect(segments.GetAll(), {41, 11}, "both");
        NS_TEST_EXPECT_MSG_EQ(segments.GetPairs()[1].GetLossShare(), 0.25, "10 of 40");
        segments.Update({{301, 6, 2}, {30, 10, 0}});
        Expect(segments.GetPairs()[1], {0, 0}, "what was told once");
    }

    /// @param found of a chunk @param expected what it is @param why it is so
    void Expect(const SentSegments& found, const SentSegments& expected, const std::string& why)
    {
        NS_TEST_EXPECT_MSG_EQ(found.sent, expected.sent, why);
        NS_TEST_EXPECT_MSG_EQ(found.retransmitted, expected.retransmitted, why);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ChunkSegmentsTest}; });

} // namespace
