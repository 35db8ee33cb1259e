/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"
#include "gridftp-control-text-tools.h"
#include "gridftp-core-test.h"
#include "gridftp-module-text.h"
#include "gridftp-protection-text.h"
#include "gridftp-test-cases.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// ERET and ESTO, whatever module they name.
class ModuleTextTest : public TestCase
{
  public:
    ModuleTextTest()
        : TestCase("control text: ERET and ESTO name a module")
    {
    }

  private:
    void DoRun() override
    {
        const RetrieveOrder plain{{}, {1, 2, "/a b"}};
        NS_TEST_EXPECT_MSG_EQ(FormatRetrieve(plain), "P 1 2 /a b", "a part of the file");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseRetrieve("p 1 2 /a b"), {}) == plain), true, "read");
        const RetrieveOrder half{{"scale", {{"ratio", 0.5}}}, {1, 2, "/a b"}};
        const std::string text = "scale=\"ratio=0.5\" 1 2 /a b";
        NS_TEST_EXPECT_MSG_EQ(FormatRetrieve(half), text, "of what a module makes");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseRetrieve(text), {}) == half), true, "read");
        const StoreOrder store{{"scale", {{"ratio", 3}}}, {7, "/f"}};
        NS_TEST_EXPECT_MSG_EQ(FormatStore(store), "scale=\"ratio=3\" 7 /f", "ESTO");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseStore(FormatStore(store)), {}) == store), true, "read");
        NS_TEST_EXPECT_MSG_EQ(FormatStore({{}, {7, "/f"}}), "A 7 /f", "as it comes");
        NS_TEST_EXPECT_MSG_EQ(GetOutputBytes(half.module, 11), 6, "rounded up");
        NS_TEST_EXPECT_MSG_EQ(GetOutputBytes({}, 11), 11, "as it is");
        // What the rates are is no business of the other end
        NamedValues values{{"rate", 1e9}, {"ratio", 2}};
        NS_TEST_EXPECT_MSG_EQ(FormatStore({{"scale", values}, {0, "/f"}}),
                              "scale=\"ratio=2\" 0 /f",
                              "ratio alone");
        CheckErrors();
    }

    /// What is refused, and how.
    void CheckErrors()
    {
        for (const auto bad :
             {"zip=\"ratio=1\" 0 1 /f", "Q 0 1 /f", "partial=\"\" 0 1 /f", "A 0 /f"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseRetrieve(bad)), 504, bad);
        }
        for (const auto bad : {"",
                               "=\"ratio=1\" 0 1 /f",
                               "scale 0 1 /f",
                               "scale=ratio=1 0 1 /f",
                               "scale=\" 0 1 /f",
                               "scale=\"\" 0 1 /f",
                               "scale=\"ratio\" 0 1 /f",
                               "scale=\"ratio=0\" 0 1 /f",
                               "scale=\"ratio=1001\" 0 1 /f",
                               "scale=\"ratio=nan\" 0 1 /f",
                               "scale=\"rate=1;ratio=1\" 0 1 /f",
                               "scale=\"ratio=1\"",
                               "scale=\"ratio=1\" 0 1",
                               "scale=\"ratio=1\" 1 18446744073709551615 /f"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseRetrieve(bad)), 501, bad);
        }
        NS_TEST_EXPECT_MSG_EQ(Code(ParseStore("P 0 1 /f")), 504, "of ERET");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseStore("scale=\"ratio=1\" x /f")), 501, "no offset");
        NS_TEST_EXPECT_MSG_EQ(Contains(ParseRetrieve("Q 0 1 /f").GetError().text, "P, scale"),
                              true,
                              "what there is");
    }
};

/// PBSZ and PROT.
class ProtectionTextTest : public TestCase
{
  public:
    ProtectionTextTest()
        : TestCase("control text: protection of data channels is agreed where it is not clear")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto protection :
             {Protection::CLEAR, Protection::INTEGRITY, Protection::CONFIDENTIALITY})
        {
            const auto read = ParseProtection(FormatProtection(protection));
            NS_TEST_EXPECT_MSG_EQ((read && *read == protection),
                                  true,
                                  FormatProtection(protection));
        }
        NS_TEST_EXPECT_MSG_EQ(FormatProtection(Protection::CONFIDENTIALITY), "P", "private");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseProtection("e")), 536, "not of GSSAPI");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseProtection("Z")), 504, "no level");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseProtection("")), 501, "nothing");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseProtectionBuffer("4294967295")), 0, "32 bits");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseProtectionBuffer("4294967296")), 501, "33 bits");
        const auto clear = LoginCommands(Peer::SENDER, {65536});
        const auto safe = LoginCommands(Peer::SENDER, {65536, Protection::INTEGRITY});
        NS_TEST_EXPECT_MSG_EQ(safe.size(), clear.size() + 2, "two more");
        NS_TEST_EXPECT_MSG_EQ(FormatCommand(safe[7]), "PBSZ 1048576\r\n", "behind MODE E");
        NS_TEST_EXPECT_MSG_EQ(FormatCommand(safe[8]), "PROT S\r\n", "and then");
    }
};

std::vector<TestCase*>
MakeModuleTextTestCases()
{
    return {new ModuleTextTest, new ProtectionTextTest};
}

const OwnTestCases g_cases(&MakeModuleTextTestCases);

} // namespace
