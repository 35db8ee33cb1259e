/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Files that are not on any disk.
const std::map<std::string, std::string> FILES{
    {"lan.topology",
     "# a network\n\nbandwidth = 612Mbps # not all of it\r\n"
     "\ttopology=dumbbell\n delay =0.1ms\npath-schedule = 5s:20Mbps:50ms"},
    {"adsl.topology",
     "bandwidth = 20Mbps\nreverse-bandwidth = 1Mbps\ndelay = 10ms\nreverse-delay = 15ms\n"
     "queue = 200p\nreverse-queue = 30p\nqueue-discipline = red\n"
     "reverse-queue-discipline = drop-tail\nreverse-random-loss = 0.01\n"},
    {"empty.topology", ""},
    {"word.topology", "delay = 1ms\nbandwith = 1Mbps\n"},
    {"strange.topology", "xyzzyxyzzy = 1\n"},
    {"session.topology", "file-size = 1MB\n"},
    {"bare.topology", "delay\n"},
    {"twice.topology", "delay = 1ms\ndelay = 1ms\n"},
    {"unit.topology", "delay = 1furlong\n"},
    {"range.topology", "random-loss = 2\n"},
    {"other.topology", "topology = lan.topology\n"},
};

Expected<std::string>
ReadMadeUp(const std::string& name)
{
    const auto found = FILES.find(name);
    return found == FILES.end() ? Expected<std::string>(Error{"cannot be read"}) : found->second;
}

/// A network and its values from a file.
class TopologyFileTest : public TestCase
{
  public:
    TopologyFileTest()
        : TestCase("options: --topology=FILE")
    {
    }

  private:
    /// @param arguments of a command line @return the path that they make
    static PathSpec Parse(const std::vector<std::string_view>& arguments)
    {
        const auto request = ParseTransfer(arguments, &ReadMadeUp);
        return request ? request->scenario.path : PathSpec{.topology = Reason(request)};
    }

    void DoRun() override
    {
        CheckValues();
        CheckDirections();
        CheckJson();
        CheckErrors();
    }

    void CheckValues()
    {
        const auto whole = Parse({"--topology=lan.topology"});
        NS_TEST_EXPECT_MSG_EQ(whole.topology, "dumbbell", "the shape");
        NS_TEST_EXPECT_MSG_EQ(whole.schedule.GetRows().size(), 2, "its schedule");
        const auto part = Parse({"--topology=lan.topology", "--path-schedule=none"});
        NS_TEST_EXPECT_MSG_EQ(part.bandwidth, 612'000'000, "the file's");
        NS_TEST_EXPECT_MSG_EQ(part.delay, 100'000, "the file's, without blanks");
        NS_TEST_EXPECT_MSG_EQ(part.accessBandwidth, 10'000'000'000, "follows from it");
        NS_TEST_EXPECT_MSG_EQ(part.queue, 100, "the default");
        for (const std::string_view place : {"before", "behind"})
        {
            std::vector<std::string_view> all{"--topology=lan.topology", "--path-schedule=none"};
            all.insert(place == "before" ? all.begin() : all.end(), "--delay=3ms");
            const auto beside = Parse(all);
            NS_TEST_EXPECT_MSG_EQ(beside.delay, 3'000'000, place << " the file");
            NS_TEST_EXPECT_MSG_EQ(beside.bandwidth, 612'000'000, place << " the file");
        }
        const auto last = Parse({"--topology=lan.topology", "--topology=dumbbell"});
        NS_TEST_EXPECT_MSG_EQ(last.bandwidth, 100'000'000, "the last one counts");
        const auto none = Parse({"--topology=empty.topology"});
        NS_TEST_EXPECT_MSG_EQ(none.topology, "dumbbell", "nothing said");
        NS_TEST_EXPECT_MSG_EQ(none.bandwidth, 100'000'000, "nothing said");
    }

    /// A file has both directions of its link.
    void CheckDirections()
    {
        const auto both = Parse({"--topology=adsl.topology"});
        NS_TEST_EXPECT_MSG_EQ(both.bandwidth, 20'000'000, "forward");
        NS_TEST_EXPECT_MSG_EQ(both.reverseBandwidth, 1'000'000, "");
        NS_TEST_EXPECT_MSG_EQ(both.reverseDelay, 15'000'000, "");
        NS_TEST_EXPECT_MSG_EQ(both.reverseQueue, 30, "");
        NS_TEST_EXPECT_MSG_EQ((both.discipline == QueueDiscipline::RED), true, "forward");
        NS_TEST_EXPECT_MSG_EQ((both.reverseDiscipline == ReverseDiscipline::DROP_TAIL), true, "");
        NS_TEST_EXPECT_MSG_EQ(both.reverseRandomLoss, 0.01, "");
        const auto given = Parse({"--topology=adsl.topology", "--reverse-bandwidth=2Mbps"});
        NS_TEST_EXPECT_MSG_EQ(given.reverseBandwidth, 2'000'000, "what is given counts more");
        const auto follows = Parse({"--topology=lan.topology", "--path-schedule=none"});
        NS_TEST_EXPECT_MSG_EQ(follows.reverseBandwidth, 612'000'000, "that of the file");
        NS_TEST_EXPECT_MSG_EQ(follows.reverseDelay, 100'000, "likewise");
        const auto refused = Parse({"--topology=lan.topology", "--reverse-delay=1ms"});
        NS_TEST_EXPECT_MSG_EQ(refused.topology.starts_with("--reverse-delay=1ms is not for "
                                                           "--path-schedule"),
                              true,
                              refused.topology);
    }

    void CheckJson()
    {
        const auto scenario =
            ParseScenarioJson(R"({"delay": "3ms", "topology": "lan.topology", "queue": "7p"})",
                              &ReadMadeUp);
        NS_TEST_ASSERT_MSG_EQ(Reason(scenario), "no error", "");
        const PathSpec& path = scenario->path;
        NS_TEST_EXPECT_MSG_EQ(path.topology, "dumbbell", "the shape");
        NS_TEST_EXPECT_MSG_EQ(path.queue, 7, "beside the file");
        NS_TEST_EXPECT_MSG_EQ(path.schedule.GetRows().size(), 2, "the file's");
        const auto wrong = ParseScenarioJson(R"({"topology": "word.topology"})", &ReadMadeUp);
        NS_TEST_EXPECT_MSG_EQ(Contains(Reason(wrong), "word.topology line 2: 'bandwith'"),
                              true,
                              Reason(wrong));
    }

    void CheckErrors()
    {
        const std::string allowed = "; allowed: dumbbell, or a file with a . or / in its name";
        const std::map<std::string, std::string> errors{
            {"lan", " is unknown" + allowed},
            {"no/file", " cannot be read" + allowed},
            {"word.topology", " line 2: 'bandwith' is unknown; did you mean 'bandwidth'?"},
            {"strange.topology", " line 1: 'xyzzyxyzzy' is unknown; allowed: topology, bandwidth"},
            {"session.topology", " line 1: 'file-size' is unknown; allowed: topology, bandwidth"},
            {"bare.topology", " line 1: 'delay' lacks a value; allowed: delay = TIME"},
            {"twice.topology", " line 2: 'delay = 1ms' appears twice; allowed: once"},
            {"unit.topology", " line 1: 'delay = 1furlong' has an unknown unit 'furlong'"},
            {"range.topology", " line 1: 'random-loss = 2' is out of range; allowed: "},
            {"other.topology",
             " line 1: 'topology = lan.topology' is another file; allowed: dumbbell"},
        };
        for (const auto& [name, reason] : errors)
        {
            const std::string argument = "--topology=" + name;
            const std::string said = Parse({argument}).topology;
            NS_TEST_EXPECT_MSG_EQ(said.starts_with(argument + reason), true, said);
        }
        const auto alone = ParseTransfer(std::vector<std::string_view>{"--topology=lan.topology"});
        NS_TEST_EXPECT_MSG_EQ(
            Contains(Reason(alone), "cannot be read here, without access to files"),
            true,
            "the lab");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new TopologyFileTest}; });

} // namespace ns3::gridftp
