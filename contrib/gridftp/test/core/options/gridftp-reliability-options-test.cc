/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Arguments = std::vector<std::string_view>;

/// @param name of a file @return its content, if there is such
Expected<std::string>
ReadMadeUp(const std::string& name)
{
    if (name == "faults.txt")
    {
        return std::string("# what goes wrong\n"
                           "kind=link-down,at=2s,for=500ms # both ways\r\n"
                           "\n"
                           "  kind=dtp-dies,server=client,at=3s");
    }
    if (name == "bad.txt")
    {
        return std::string("kind=link-down\n\nkind=gone\n");
    }
    return Error{"cannot be read"};
}

/// Options about what goes wrong.
class ReliabilityOptionsTest : public TestCase
{
  public:
    ReliabilityOptionsTest()
        : TestCase("options: faults from a file, new tries, restarts")
    {
    }

  private:
    void DoRun() override
    {
        const auto request = ParseTransfer(
            Arguments{"--fault=at=1s", "--faults=faults.txt", "--restart=5-9,0-5,20-30"},
            &ReadMadeUp);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const Scenario& scenario = request->scenario;
        NS_TEST_ASSERT_MSG_EQ(scenario.faults.size(), 3, "those of the command line first");
        NS_TEST_EXPECT_MSG_EQ((scenario.faults[0].kind == FaultKind::CONTROL_RESET), true, "");
        NS_TEST_EXPECT_MSG_EQ((scenario.faults[1].kind == FaultKind::LINK_DOWN), true, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[1].GetEndNs(), 2'500'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ((scenario.faults[2].server == FaultServer::CLIENT), true, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[2].GetEndNs(), INT64_MAX, "for ever");
        NS_TEST_EXPECT_MSG_EQ(scenario.sessions[0].restartText, "0-9,20-30", "merged");
        const std::string json = ScenarioToJson(scenario);
        const auto again = ParseScenarioJson(json);
        NS_TEST_ASSERT_MSG_EQ(Reason(again), "no error", "the echo needs no file");
        NS_TEST_EXPECT_MSG_EQ(ScenarioToJson(*again), json, "the same");
        const auto named = ParseScenarioJson(R"({"faults": "faults.txt"})", &ReadMadeUp);
        NS_TEST_ASSERT_MSG_EQ(Reason(named), "no error", "of a batch");
        NS_TEST_EXPECT_MSG_EQ(named->faults.size(), 2, "");
        CheckErrors();
    }

    /// What is refused.
    void CheckErrors()
    {
        Refuse({"--faults=bad.txt"},
               "--faults=bad.txt line 3: --fault 'kind=gone' is unknown; allowed: control-reset, "
               "server-dies, server-silent, dtp-dies, data-reset, link-down, disk-stall, "
               "auth-refused");
        Refuse({"--faults=none.txt"},
               "--faults=none.txt cannot be read; allowed: a file of faults");
        Refuse({"--fault=server=client"},
               "--fault 'server=client' is none of kind=control-reset; allowed with it: server");
        Refuse({"--fault=server=sender,kind=data-reset"},
               "--fault 'server=sender' is none of direction upload; allowed there: server, "
               "client");
        Refuse({"--stripes=1x2", "--mode=fixed", "--fault=kind=dtp-dies,stripe=2"},
               "--fault 'stripe=2' is not there; allowed: 0 to 1");
        Refuse({"--fault=kind=disk-stall"},
               "--fault 'kind=disk-stall' needs a storage that takes time; allowed with it: "
               "--sink=disk or another one, not memory");
        Refuse({"--fault=kind=link-down,session=9"}, "no error");
        Refuse({"--restart=5-4"},
               "--restart=5-4 is no list of ranges of the file; allowed: none, or BEGIN-END,... as "
               "in 0-1000,2000-3000, up to 10000000000");
        Refuse({"--restart=0-11", "--file-size=10B"},
               "--restart=0-11 is no list of ranges of the file; allowed: none, or BEGIN-END,... "
               "as in 0-1000,2000-3000, up to 10");
        Refuse({"--retries=1", "--buffers=drs-gridftp"},
               "--retries=1 needs buffers that TCP sizes; allowed with it: not "
               "buffers=drs-gridftp");
        Refuse({"--stall-timeout=9s"},
               "--stall-timeout=9s is out of range; allowed: a time such as 10ms, 10s to 1000000s");
    }

    /// @param arguments of a command line @param reason why it is refused
    void Refuse(const Arguments& arguments, const std::string& reason)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(arguments, &ReadMadeUp)), reason, "");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new ReliabilityOptionsTest}; });

} // namespace
