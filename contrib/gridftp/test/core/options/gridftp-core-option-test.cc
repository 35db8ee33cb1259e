/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-suggestion.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using namespace std::string_view_literals;

using Arguments = std::vector<std::string_view>;

/**
 * @param arguments of a command line
 * @return what is wrong with it
 */
std::string
Fault(const Arguments& arguments)
{
    return Reason(ParseTransfer(arguments));
}

/// An end of a range of real numbers.
struct RealEnd
{
    std::string_view option; //!< name
    std::string_view text;   //!< a value at or beside the end
    bool allowed;            //!< whether it is within
};

/**
 * @ingroup gridftp
 * Open and closed ends of the ranges of real numbers; those of whole ones the table's test tries.
 */
class RealRangeTest : public TestCase
{
  public:
    RealRangeTest()
        : TestCase("options: ranges of real numbers, open or closed at their ends")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::array ENDS{
            RealEnd{"eta", "0", false},
            RealEnd{"eta", "0.0000000001", true},
            RealEnd{"eta", "1", true},
            RealEnd{"eta", "1.0000000001", false},
            RealEnd{"gamma", "1", false},
            RealEnd{"gamma", "1.0000000001", true},
            RealEnd{"gamma", "1024", true},
            RealEnd{"gamma", "1024.0000000001", false},
            RealEnd{"alpha", "0.9999999999", false},
            RealEnd{"alpha", "1", true},
            RealEnd{"alpha", "1024", true},
            RealEnd{"alpha", "1024.0000000001", false},
            RealEnd{"beta", "0", false},
            RealEnd{"beta", "0.0000000001", true},
            RealEnd{"beta", "0.9999999999", true},
            RealEnd{"beta", "1", false},
            RealEnd{"random-loss", "0", true},
            RealEnd{"random-loss", "0.9999999999", true},
            RealEnd{"random-loss", "1", false},
        };
        for (const auto& end : ENDS)
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(GetOption(end.option).Parse(end.text)),
                                  (end.allowed ? "no error" : "is out of range"),
                                  end.option << " " << end.text);
        }
        NS_TEST_EXPECT_MSG_EQ(GetOption("eta").DescribeAllowed(),
                              "a number such as 0.8, above 0 to 1",
                              "open below");
        NS_TEST_EXPECT_MSG_EQ(GetOption("beta").DescribeAllowed(),
                              "a number such as 0.8, above 0 to below 1",
                              "open at both ends");
        NS_TEST_EXPECT_MSG_EQ(GetOption("window").DescribeAllowed(),
                              "a size such as 64KiB or 10GB, 1B to 1GiB",
                              "closed");
    }
};

/// A command line and what is wrong with it.
struct BadLine
{
    Arguments arguments; //!< of the command line
    std::string fault;   //!< the message
};

/**
 * @ingroup gridftp
 * What the parser makes of arguments.
 */
class ArgumentsTest : public TestCase
{
  public:
    ArgumentsTest()
        : TestCase("options: arguments, good and bad")
    {
    }

  private:
    void DoRun() override
    {
        const auto last = ParseTransfer(Arguments{"--queue=5p",
                                                  "--eta=0.7",
                                                  "--queue=7",
                                                  "--json",
                                                  "--json",
                                                  "--engine=ns3",
                                                  "--set=a=b=c",
                                                  "--set=a=d"});
        NS_TEST_ASSERT_MSG_EQ(Reason(last), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(last->scenario.path.queue, 7, "the last one counts");
        NS_TEST_EXPECT_MSG_EQ(last->output.json, true, "a flag");
        NS_TEST_EXPECT_MSG_EQ(last->output.help, false, "another flag");
        NS_TEST_ASSERT_MSG_EQ(last->scenario.measure.attributes.size(), 2, "a list");
        NS_TEST_EXPECT_MSG_EQ(last->scenario.measure.attributes[0], "a=b=c", "in order, whole");
        NS_TEST_EXPECT_MSG_EQ(last->scenario.measure.attributes[1], "a=d", "in order, whole");

        const std::string sizes = "; allowed: a size such as 64KiB or 10GB, 1B to 1GiB";
        const std::string modes = GetOption("mode").DescribeAllowed();
        const std::string tcps = GetOption("tcp").DescribeAllowed();
        const std::vector<BadLine> lines{
            {{"--window=64Kib"}, "--window=64Kib has an unknown unit 'Kib'" + sizes},
            {{"--window="}, "--window= is not a number" + sizes},
            {{"--window=2GiB"}, "--window=2GiB is out of range" + sizes},
            {{"--window=0"}, "--window=0 is out of range" + sizes},
            {{"--window"}, "--window lacks a value; allowed: --window=SIZE, " + sizes.substr(11)},
            {{"--queue=1", "--queue=0"},
             "--queue=0 is out of range; allowed: a number of packets such as 100p, 1p to "
             "1000000p"},
            {{"--queue=0", "--queue=1"},
             "--queue=0 is out of range; allowed: a number of packets such as 100p, 1p to "
             "1000000p"},
            {{"--json=yes"}, "--json=yes takes no value; allowed: --json"},
            {{"--json="}, "--json= takes no value; allowed: --json"},
            {{"--sack=yes"}, "--sack=yes is unknown; allowed: on, off"},
            {{"--sack=ON"}, "--sack=ON is unknown; allowed: on, off"},
            {{"--layout=both"}, "--layout=both is unknown; allowed: dynamic, static"},
            {{"--mode=MI"}, "--mode=MI is unknown; allowed: " + modes},
            {{"--mode="}, "--mode= is empty; allowed: " + modes},
            {{"--tcp="}, "--tcp= is empty; allowed: " + tcps},
            {{"--set="}, "--set= is empty; allowed: ns3::Type::Attribute=VALUE"},
            {{"--trace=a\nb"}, "--trace=a?b has a control character; allowed: DIR"},
            {{"--engine=ns2"}, "--engine=ns2 is unknown; allowed: segment, ns3"},
            {{"--queue=7\xc3\xa9"},
             "--queue=7?? has an unknown unit '?"
             "?'; allowed: a number of packets such as 100p, 1p "
             "to 1000000p"},
            {{"--bandwith=1Mbps"}, "--bandwith is unknown; did you mean --bandwidth?"},
            {{"--Queue=1"}, "--Queue is unknown; did you mean --queue?"},
            {{"--xyzzy"}, "--xyzzy is unknown; --help lists the options"},
            {{"--=1"}, "-- is unknown; --help lists the options"},
            {{"--"}, "'--' is not an option; allowed: --name=VALUE, see --help"},
            {{""}, "'' is not an option; allowed: --name=VALUE, see --help"},
            {{"-h"}, "'-h' is not an option; allowed: --name=VALUE, see --help"},
            {{"queue=1"}, "'queue=1' is not an option; allowed: --name=VALUE, see --help"},
            {{" --queue=1"}, "' --queue=1' is not an option; allowed: --name=VALUE, see --help"},
            {{"--queue =1"}, "--queue  is unknown; did you mean --queue?"},
            {{"--q\xc3\xa9\n\0=1"sv}, "--q???? is unknown; --help lists the options"},
        };
        for (const auto& line : lines)
        {
            NS_TEST_EXPECT_MSG_EQ(Fault(line.arguments), line.fault, "");
        }
        const std::string endless = "--eta=" + std::string(100'000, '7');
        NS_TEST_EXPECT_MSG_EQ(Fault({endless}),
                              endless.substr(0, 80) +
                                  "... has too many digits; allowed: a number such as 0.8, "
                                  "above 0 to 1",
                              "a long value is cut");
    }
};

/// Names of options that people type and that do not exist.
class SuggestOptionsTest : public TestCase
{
  public:
    SuggestOptionsTest()
        : TestCase("options: what an unknown name may stand for")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::array KNOWN{"bandwidth"sv,
                                   "delay"sv,
                                   "queue"sv,
                                   "random-loss"sv,
                                   "delay-jitter"sv,
                                   "delay-jitter-order"sv,
                                   "reorder"sv,
                                   "reverse-bandwidth"sv,
                                   "reverse-delay"sv,
                                   "reverse-queue"sv,
                                   "reverse-random-loss"sv,
                                   "parallelism"sv,
                                   "max-parallelism"sv,
                                   "packet-size"sv,
                                   "file-size"sv,
                                   "chunk-size"sv,
                                   "tcp"sv,
                                   "window"sv,
                                   "max-buffer"sv,
                                   "retries"sv,
                                   "retry-wait"sv,
                                   "session"sv,
                                   "timestamps"sv,
                                   "tool-udt-pacing"sv,
                                   "queue-discipline"sv};
        const auto asked = [&KNOWN](std::string_view name) {
            return AskWhetherMeant(name, KNOWN, "--", "");
        };
        const std::pair<std::string_view, std::string> expected[]{
            {"bandwith", "did you mean --bandwidth?"},
            {"jitter", "did you mean --delay-jitter?"},
            {"loss", "did you mean --random-loss?"},
            {"reordering", "did you mean --reorder?"},
            {"rtt", "did you mean --delay?"},
            {"latency", "did you mean --delay?"},
            {"streams", "did you mean --parallelism?"},
            {"parallel", "did you mean --parallelism?"},
            {"mtu", "did you mean --packet-size?"},
            {"size", "did you mean --file-size?"},
            {"retry", "did you mean --retries?"},
            {"tcp-buffer", "did you mean --window?"},
            {"congestion-control", "did you mean --tcp?"},
            {"queue-size", "did you mean --queue?"},
            {"reverse-rate", "did you mean --reverse-bandwidth?"},
            {"reverse-loss", "did you mean --reverse-random-loss?"},
            {"reverse-latency", "did you mean --reverse-delay?"},
            {"delay-reverse", "did you mean --reverse-delay?"},
            {"reverse_queue_size", "did you mean --reverse-queue?"},
            {"version", ""},
            {"verbose", ""},
            {"ecn", ""},
            {"pacing", ""},
            {"nagle", ""},
            {"time", ""},
            {"red", "did you mean --queue-discipline?"},
            {"", ""},
        };
        for (const auto& [name, wanted] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(asked(name), wanted, name);
        }
        NS_TEST_EXPECT_MSG_EQ(asked("max"),
                              "did you mean --max-parallelism, --max-buffer?",
                              "both");
    }
};

/**
 * @ingroup gridftp
 * "Did you mean".
 */
class NearestWordTest : public TestCase
{
  public:
    NearestWordTest()
        : TestCase("options: the nearest word")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::array KNOWN{"eta"sv, "beta"sv, "bandwidth"sv, "chunk-size"sv, "file-size"sv};
        const auto nearest = [&KNOWN](std::string_view word) { return NearestWord(word, KNOWN); };
        NS_TEST_EXPECT_MSG_EQ(nearest("eta"), "eta", "itself");
        NS_TEST_EXPECT_MSG_EQ(nearest("bta"), "eta", "1 from both: the first of them");
        NS_TEST_EXPECT_MSG_EQ(nearest("betta"), "beta", "1, not 2");
        NS_TEST_EXPECT_MSG_EQ(nearest("tea"), "eta", "1: two letters swapped");
        NS_TEST_EXPECT_MSG_EQ(nearest("ETTA"), "eta", "1: capitals do not count");
        // Up to a third of the letters, two in words of 5 to 8 letters, one in shorter words
        NS_TEST_EXPECT_MSG_EQ(nearest("ecn"), "", "2 of 3: another word");
        NS_TEST_EXPECT_MSG_EQ(nearest("etaxx"), "eta", "2 of 5");
        NS_TEST_EXPECT_MSG_EQ(nearest("bandwitdh"), "bandwidth", "1: two letters swapped");
        NS_TEST_EXPECT_MSG_EQ(nearest("chunksiez"), "chunk-size", "3 of 9");
        NS_TEST_EXPECT_MSG_EQ(nearest("chunksz"), "", "3 of 7");
        NS_TEST_EXPECT_MSG_EQ(nearest("chunk-"), "", "4 of 6");
        NS_TEST_EXPECT_MSG_EQ(nearest("queue"), "", "nothing near");
        NS_TEST_EXPECT_MSG_EQ(nearest("zetxa"), "", "2 of 5, and another beginning");
        NS_TEST_EXPECT_MSG_EQ(nearest("chunk-rate"), "", "one word is another one");
        NS_TEST_EXPECT_MSG_EQ(nearest("cunk-sze"), "chunk-size", "a slip in each word");
        const std::string word(65, 'a');
        const std::array<std::string_view, 1> same{word};
        NS_TEST_EXPECT_MSG_EQ(NearestWord(word, same), "", "too long to be compared");
        NS_TEST_EXPECT_MSG_EQ(NearestWord(word.substr(1), same), word, "just not");
        NS_TEST_EXPECT_MSG_EQ(NearestWord("eta", {}), "", "nothing known");
    }
};

/**
 * @ingroup gridftp
 * What depends on several options.
 */
class ScenarioRulesTest : public TestCase
{
  public:
    ScenarioRulesTest()
        : TestCase("options: rules between options")
    {
    }

  private:
    void DoRun() override
    {
        // max(10 Gbit/s, 10 B), unless given.
        ExpectAccess({}, 10'000'000'000);
        ExpectAccess({"--bandwidth=1kbps"}, 10'000'000'000);
        ExpectAccess({"--bandwidth=1Gbps"}, 10'000'000'000);
        ExpectAccess({"--bandwidth=1.0000001Gbps"}, 10'000'001'000);
        ExpectAccess({"--bandwidth=1Tbps"}, 10'000'000'000'000);
        ExpectAccess({"--bandwidth=1Gbps", "--access-bandwidth=2Mbps"}, 2'000'000);

        // A segment is the packet without 40 bytes of headers, and 12 of timestamps.
        const std::string below = " is below one segment; allowed with these packets: at least ";
        Expect({"--window=1460B"}, "no error");
        Expect({"--window=1459B"}, "--window=1459B" + below + "1460B");
        Expect({"--window=1448B", "--timestamps=on"}, "no error");
        Expect({"--timestamps=on", "--window=1447B"}, "--window=1447B" + below + "1448B");
        Expect({"--packet-size=65535B"}, "no error"); // 65495 bytes, and 65536 of window
        Expect({"--packet-size=9000B", "--window=8KB"}, "--window=8KB" + below + "8960B");

        // Thresholds of RED, where there is RED
        const std::string above = " is too little; allowed: more than red-min-threshold=";
        Expect({"--red-min-threshold=20p"}, "no error");
        Expect({"--queue-discipline=red", "--red-min-threshold=14p"}, "no error");
        Expect({"--queue-discipline=red", "--red-min-threshold=15p"},
               "--red-max-threshold=15p" + above + "15p");
        Expect({"--queue-discipline=red", "--red-max-threshold=4p"},
               "--red-max-threshold=4p" + above + "5p");

        const std::string bare =
            " leaves no room for data; allowed with these TCP options: at least ";
        Expect({"--packet-size=41B"}, "no error");
        Expect({"--packet-size=40B"},
               "--packet-size=40B is out of range; allowed: a size such as 64KiB or 10GB, 41B to "
               "65535B");
        Expect({"--packet-size=53B", "--timestamps=on"}, "no error");
        Expect({"--packet-size=52B", "--timestamps=on"}, "--packet-size=52B" + bare + "53B");
        Expect({"--packet-size=41B", "--timestamps=on"}, "--packet-size=41B" + bare + "53B");

        for (const std::string_view mode : {"--mode=mi", "--mode=mi-plus", "--mode=aimd"})
        {
            Expect({mode, "--initial-parallelism=8", "--max-parallelism=8"}, "no error");
            Expect({mode, "--initial-parallelism=9", "--max-parallelism=8"},
                   "--initial-parallelism=9 is above --max-parallelism=8; allowed: at most the "
                   "maximum");
            Expect({"--parallelism=4", mode},
                   "--parallelism=4 is only used with --mode=fixed, not " + std::string(mode) +
                       "; allowed here: --initial-parallelism=N");
        }
        Expect({"--mode=fixed", "--initial-parallelism=9", "--max-parallelism=8"}, "no error");
        Expect({"--parallelism=4", "--mode=fixed"}, "no error");
        Expect({"--parallelism=4", "--mode=mi", "--mode=fixed"}, "no error");
    }

    /**
     * @param arguments of a command line
     * @param bps the resulting bandwidth of the access links
     */
    void ExpectAccess(const Arguments& arguments, int64_t bps)
    {
        const auto request = ParseTransfer(arguments);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(request->scenario.path.accessBandwidth, bps, "bit/s");
    }

    /**
     * @param arguments of a command line
     * @param fault what is wrong with it
     */
    void Expect(Arguments arguments, const std::string& fault)
    {
        arguments.emplace_back("--engine=ns3"); // which knows timestamps
        NS_TEST_EXPECT_MSG_EQ(Fault(arguments), fault, arguments.front());
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new RealRangeTest,
            new ArgumentsTest,
            new NearestWordTest,
            new SuggestOptionsTest,
            new ScenarioRulesTest};
});

} // namespace ns3::gridftp
