/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-marker-ranges.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Ranges of a file, as texts.
class MarkerRangesTest : public TestCase
{
  public:
    MarkerRangesTest()
        : TestCase("ranges of a file: read, merged, cut and turned over")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* bad : {"",
                                "1",
                                "1-",
                                "-1",
                                "2-1",
                                "1-2,",
                                ",1-2",
                                "1-2 ",
                                "1-2;3-4",
                                "a-b",
                                "18446744073709551616-18446744073709551617"})
        {
            NS_TEST_EXPECT_MSG_EQ(ReadRanges(bad).has_value(), false, bad);
        }
        const MarkerRanges merged = MergeRanges(Read("30-40,0-10,10-12,35-50,60-60"));
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(merged), "0-12,30-50", "touching ones are one");
        NS_TEST_EXPECT_MSG_EQ(CountBytes(merged), 32, "");
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(ClipRanges(merged, {5, 31})), "5-12,30-31", "");
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(ClipRanges(merged, {12, 30})), "", "between");
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(FindGaps(merged, {5, 60})), "12-30,50-60", "");
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(FindGaps(merged, {30, 50})), "", "all there");
        NS_TEST_EXPECT_MSG_EQ(FormatRanges(FindGaps({}, {3, 4})), "3-4", "nothing there");
    }

    /// @param text ranges @return them
    static MarkerRanges Read(const std::string& text)
    {
        return ReadRanges(text).value_or(MarkerRanges());
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new MarkerRangesTest}; });

} // namespace
