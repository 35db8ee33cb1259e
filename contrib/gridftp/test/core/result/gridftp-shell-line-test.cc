/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-shell-line.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Words as a shell reads them. That one does, tests/engines/test_pasted.py sees.
class ShellLineTest : public TestCase
{
  public:
    ShellLineTest()
        : TestCase("a command line for a shell: quotes where they are needed")
    {
    }

  private:
    void DoRun() override
    {
        Expect({}, "");
        Expect({"./a-b_c", "--rate=10Mbps,0:1@2%+"}, "./a-b_c --rate=10Mbps,0:1@2%+");
        Expect({"/a b/c", ""}, "'/a b/c' ''");
        Expect({R"({"a": [1, "b"]})"}, R"('{"a": [1, "b"]}')");
        Expect({"it's"}, R"('it'"'"'s')");
        Expect({"'"}, R"(''"'"'')");
        for (const char c : std::string{"\t\n !\"#$&()*;<>?[\\]^`{|}~\x80\xff"})
        {
            const std::string word{c};
            Expect({word.c_str(), "x"}, "'" + word + "' x");
        }
    }

    /// @param words of a command line @param expected line
    void Expect(const std::vector<const char*>& words, const std::string& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(ShellLine(words), expected, "line");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ShellLineTest}; });

} // namespace
