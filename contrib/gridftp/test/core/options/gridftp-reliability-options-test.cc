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
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[0].duration, 1, "a reset without for= is one");
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
               "auth-refused, control-cut, reply-lost, foreign-connection, mtu-black-hole");
        Refuse({"--faults=none.txt"},
               "--faults=none.txt cannot be read; allowed: a file of faults");
        Refuse({"--fault=server=client"},
               "--fault 'server=client' is not for kind=control-reset; allowed with it: server");
        Refuse({"--fault=server=sender,kind=data-reset"},
               "--fault 'server=sender' does not exist with direction upload; allowed there: "
               "server, client");
        Refuse({"--stripes=1x2", "--mode=fixed", "--fault=kind=dtp-dies,stripe=2"},
               "--fault 'stripe=2' does not exist; allowed: 0 to 1");
        Refuse({"--fault=kind=disk-stall"},
               "--fault 'kind=disk-stall' needs a storage that takes time; allowed with it: "
               "--sink=disk or another one, not memory");
        Refuse({"--fault=kind=link-down,session=9"}, "no error");
        Refuse({"--restart=5-4"},
               "--restart=5-4 is not a list of ranges of the file; allowed: none, or BEGIN-END,... "
               "as in 0-1000,2000-3000, up to 10000000000");
        Refuse({"--restart=0-11", "--file-size=10B"},
               "--restart=0-11 is not a list of ranges of the file; allowed: none, or "
               "BEGIN-END,... as in 0-1000,2000-3000, up to 10");
        Refuse({"--retries=1", "--buffers=drs-gridftp"},
               "--retries=1 needs buffers that TCP sizes; allowed with it: not "
               "buffers=drs-gridftp");
        CheckMiddleboxes();
        Refuse({"--stall-timeout=9s"},
               "--stall-timeout=9s is out of range; allowed: a time such as 10ms, 10s to 1000000s");
    }

    /// What is refused about middleboxes, NOOP and slow transfers.
    void CheckMiddleboxes()
    {
        const auto request = ParseTransfer(
            Arguments{"--fault=kind=control-reset,for=0s", "--fault=kind=control-cut"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(request->scenario.faults[0].duration, 0, "for ever, as asked for");
        NS_TEST_EXPECT_MSG_EQ(request->scenario.faults[1].idle, 300'000'000'000, "5 min");
        Refuse({"--fault=kind=mtu-black-hole,mtu=1500"},
               "--fault 'mtu=1500B' lets all packets pass; allowed with packet-size=1500B: less "
               "than that");
        Refuse({"--fault=kind=mtu-black-hole,mtu=67"},
               "--fault 'mtu=67' is out of range; allowed: a size such as 64KiB or "
               "10GB, 68B to 65535B");
        Refuse({"--fault=kind=foreign-connection,server=client"},
               "--fault 'server=client' does not listen for data connections; allowed with "
               "direction upload: server");
        Refuse({"--fault=kind=foreign-connection", "--direction=download"},
               "--fault 'server=server' does not listen for data connections; allowed with "
               "direction download: client");
        Refuse({"--fault=kind=reply-lost,server=client"},
               "--fault 'server=client' is not for kind=reply-lost; allowed with it: server");
        Refuse({"--tool=udt", "--fault=kind=reply-lost"},
               "--fault 'kind=reply-lost' is only for GridFTP; allowed with tool=udt: "
               "control-reset, data-reset, disk-stall, link-down, mtu-black-hole");
        Refuse({"--tool=udt", "--fault=kind=mtu-black-hole"}, "no error");
        Refuse({"--tool=udt", "--sink=disk", "--sink-rate=1Mbps", "--fault=kind=disk-stall"},
               "--fault 'kind=disk-stall' forever is only for GridFTP, which gives up; allowed "
               "with tool=udt: for=TIME, above 0s");
        Refuse({"--tool=udt", "--sink=disk", "--sink-rate=1Mbps", "--fault=kind=disk-stall,for=1s"},
               "no error");
        Refuse({"--keepalive=10ms"}, "--keepalive=10ms is too short; allowed: 0s, or 1s and more");
        Refuse({"--keepalive=60s", "--pipelining=4"},
               "--keepalive=60s needs a client that requests one transfer at a time; allowed with "
               "it: pipelining=1");
        Refuse({"--min-rate=1Mbps", "--buffers=drs-gridftp"},
               "--min-rate=1Mbps needs buffers that TCP sizes; allowed with it: not "
               "buffers=drs-gridftp");
        Refuse({"--min-rate=1Mbps", "--direction=download", "--stripes=1x2", "--mode=fixed"},
               "--min-rate=1Mbps needs a client that receives all data; allowed in a download: "
               "stripes with one receiver");
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
