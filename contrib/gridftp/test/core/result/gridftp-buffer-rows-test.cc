/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-rows.h"
#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"
#include "gridftp-trace-rows.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Keeps the rows of buffers.csv.
class Rows : public TraceRows
{
  public:
    std::vector<std::string> texts; //!< in the order in which they are written

  private:
    bool IsWanted(Nanoseconds /* now */) override
    {
        return true;
    }

    void Write(Trace trace, const std::string& row) override
    {
        texts.push_back((trace == Trace::BUFFERS ? "" : "another trace: ") + row);
    }
};

constexpr ConnectionLabel FIRST{0, 2, 0};
constexpr ConnectionLabel SECOND{0, 2, 1};

/// @ingroup gridftp
/// Rows come in the order of time, one a nanosecond, and only where something has changed.
class BufferRowsTest : public TestCase
{
  public:
    BufferRowsTest()
        : TestCase("buffers.csv: the order of its rows")
    {
    }

  private:
    void DoRun() override
    {
        Rows rows;
        BufferRows buffers(rows);
        // The receiving host is ahead: what the sending one does before comes before
        buffers.AddReceive(1000, 5000, FIRST, {65536, 65535, 0});
        buffers.AddReceive(1000, 7000, FIRST, {65536, 65536, 10});
        buffers.AddSend(3000, FIRST, {131072, 131072});
        buffers.AddSend(5000, SECOND, {7, 6});
        NS_TEST_EXPECT_MSG_EQ(rows.texts.size(), 1, "nothing of now, which may change again");
        // Of a nanosecond the last state counts, whichever connection tells first
        buffers.AddSend(5000, FIRST, {131072, 1});
        buffers.AddSend(5000, FIRST, {131072, 129612});
        // The same once more is no row
        buffers.AddSend(6000, FIRST, {131072, 129612});
        buffers.AddReceive(6000, 6000, SECOND, {8, 9, 10});
        buffers.AddReceive(6000, 8000, FIRST, {1, 1, 1});
        buffers.End(7000);
        const std::vector<std::string> expected{"3e-06,0,2,0,,,,131072,131072\n",
                                                "5e-06,0,2,0,65536,65535,0,131072,129612\n",
                                                "5e-06,0,2,1,,,,7,6\n",
                                                "6e-06,0,2,1,8,9,10,7,6\n",
                                                "7e-06,0,2,0,65536,65536,10,131072,129612\n"};
        NS_TEST_EXPECT_MSG_EQ(rows.texts.size(), expected.size(), "nothing behind the end");
        for (size_t i = 0; i < std::min(expected.size(), rows.texts.size()); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(rows.texts[i], expected[i], "row " << i);
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new BufferRowsTest}; });

} // namespace
