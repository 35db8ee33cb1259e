/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"
#include "gridftp-text.h"

#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What stands around a text is left out, what is in it stays.
class TrimTest : public TestCase
{
  public:
    TrimTest()
        : TestCase("text: without white space at its ends")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Trim(" \t a \tb\r"), "a \tb", "both ends");
        NS_TEST_EXPECT_MSG_EQ(Trim("a"), "a", "there is none");
        for (const std::string_view text : {"", " ", "\t \r"})
        {
            NS_TEST_EXPECT_MSG_EQ(Trim(text), "", "nothing else");
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new TrimTest}; });

} // namespace ns3::gridftp
