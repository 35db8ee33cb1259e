/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The struct that the rows of a scope are bound to.
const void*
SpecOf(const TransferRequest& request, OptionScope scope)
{
    switch (scope)
    {
    case OptionScope::PATH:
        return &request.scenario.path;
    case OptionScope::TCP:
        return &request.scenario.tcp;
    case OptionScope::SESSION:
        return &request.scenario.sessions.front();
    case OptionScope::MEASURE:
        return &request.scenario.measure;
    case OptionScope::TRAFFIC:
        return &request.traffic;
    case OptionScope::OUTPUT:
        break;
    }
    return &request.output;
}

/// The value of an option in a request.
OptionValue
ValueOf(const TransferRequest& request, const Option& option)
{
    return option.binding.get(SpecOf(request, option.scope));
}

/// What one row of the table has to be like.
class OptionTableTest : public TestCase
{
  public:
    OptionTableTest()
        : TestCase("option table: every row is complete, unique and within its own range")
    {
    }

  private:
    void DoRun() override
    {
        std::set<std::string_view> names;
        std::set<std::string_view> keys;
        for (const auto& option : GetOptionTable())
        {
            NS_TEST_EXPECT_MSG_EQ(names.insert(option.name).second, true, option.name);
            // A file of faults becomes the list of them
            NS_TEST_EXPECT_MSG_EQ(keys.insert(option.key).second,
                                  (option.name != "faults"),
                                  option.name);
            NS_TEST_EXPECT_MSG_EQ((FindOption(GetOptionTable(), option.name) == &option),
                                  true,
                                  option.name);
            CheckWords(option);
            CheckDefault(option);
            if (option.kind == OptionKind::WHOLE)
            {
                CheckWhole(option);
            }
        }
        NS_TEST_EXPECT_MSG_EQ((FindOption(GetOptionTable(), "nonsense") == nullptr), true, "");
        CheckKeysHelp();
    }

    /// The keys of a list stand on lines that terminals have room for, as many on each as fit.
    void CheckKeysHelp()
    {
        constexpr size_t WIDTH = 96;
        constexpr std::string_view INDENT = "                                      ";
        std::istringstream help(OptionsHelp(GetOptionTable()));
        std::string before;
        int full = 0;
        for (std::string line; std::getline(help, line); before = line)
        {
            if (line.starts_with(INDENT))
            {
                const size_t word =
                    std::min(line.find(',', INDENT.size()), line.size()) - INDENT.size();
                NS_TEST_EXPECT_MSG_LT_OR_EQ(line.size(), WIDTH, line);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(before.size(), WIDTH, before);
                NS_TEST_EXPECT_MSG_GT(before.size() + 1 + word + 1, WIDTH, line);
                ++full;
            }
        }
        NS_TEST_EXPECT_MSG_GT(full, 4, "lines that go on");
    }

    /// @param option whose words are read
    void CheckWords(const Option& option)
    {
        const bool number = option.kind == OptionKind::WHOLE || option.kind == OptionKind::REAL;
        std::string key(option.name);
        std::replace(key.begin(), key.end(), '-', '_');
        key += number ? KeySuffix(option.dimension) : "";
        // Lists: one that the first session is in, too, and what are not one of a kind
        key += option.name == "session" || option.name == "fault" ? "s" : "";
        NS_TEST_EXPECT_MSG_EQ(option.key, key, "name and unit");
        const std::set<std::string_view> ns3Only{"links", "set", "pcap"};
        const std::set<std::string_view> segmentOnly{"stack", "hystart", "pacing", "pacing-rate"};
        NS_TEST_EXPECT_MSG_EQ(option.engines,
                              (ns3Only.contains(option.name)       ? "ns3"
                               : segmentOnly.contains(option.name) ? "segment"
                                                                   : "segment,ns3"),
                              option.name);
        NS_TEST_ASSERT_MSG_GT(option.help.size(), 10, option.name);
        NS_TEST_EXPECT_MSG_LT(option.help.size(), 80, option.name);
        NS_TEST_EXPECT_MSG_NE(option.help.back(), '.', option.name);
        for (const char c : option.help)
        {
            NS_TEST_EXPECT_MSG_EQ((c >= ' ' && c <= '~'), true, option.name);
        }
        const bool flag = option.kind == OptionKind::FLAG;
        NS_TEST_EXPECT_MSG_EQ(option.placeholder.empty(), flag, option.name);
        NS_TEST_EXPECT_MSG_EQ(option.DescribeAllowed().empty(), false, option.name);
        NS_TEST_EXPECT_MSG_EQ(Contains(OptionsHelp(GetOptionTable()),
                                       "--" + std::string(option.name) + (flag ? " " : "=")),
                              true,
                              option.name);
    }

    /// @param option whose default is read
    void CheckDefault(const Option& option)
    {
        const auto value = option.Parse(option.defaultText);
        const bool isReverse = option.name == "reverse-bandwidth" ||
                               option.name == "reverse-delay" || option.name == "reverse-queue";
        if (isReverse || option.name == "access-bandwidth" || option.name == "client-delay")
        {
            return; // a rule
        }
        const bool silent = option.kind == OptionKind::FLAG || option.kind == OptionKind::LIST ||
                            option.name == "trace" || option.name == "pcap" ||
                            option.name == "batch" || option.name == "faults";
        NS_TEST_EXPECT_MSG_EQ(option.defaultText.empty(), silent, option.name);
        NS_TEST_EXPECT_MSG_EQ(static_cast<bool>(value), !silent, option.name);
    }

    /// @param option a whole quantity, whose range is tried at both ends
    void CheckWhole(const Option& option)
    {
        const int64_t low = *std::get_if<int64_t>(&option.minimum);
        const int64_t high = *std::get_if<int64_t>(&option.maximum);
        NS_TEST_ASSERT_MSG_LT(low, high, option.name);
        const bool mayBeNegative = option.dimension == Dimension::COUNT; // it has no unit
        NS_TEST_EXPECT_MSG_EQ((low >= 0 || mayBeNegative), true, option.name);
        NS_TEST_EXPECT_MSG_EQ((option.openMinimum || option.openMaximum), false, option.name);
        for (const int64_t value : {low, low + 1, high - 1, high})
        {
            const auto read = option.Parse(FormatWhole(value, option.dimension));
            NS_TEST_EXPECT_MSG_EQ(Reason(read), "no error", option.name << " " << value);
            NS_TEST_EXPECT_MSG_EQ((read && *read == OptionValue(value)), true, option.name);
        }
        if (low != 0)
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(option.Parse(FormatWhole(low - 1, option.dimension))),
                                  "is out of range",
                                  option.name);
        }
        if (high < std::numeric_limits<int64_t>::max())
        {
            NS_TEST_EXPECT_MSG_EQ(Reason(option.Parse(FormatWhole(high + 1, option.dimension))),
                                  "is out of range",
                                  option.name);
        }
        const std::string ends =
            Contains(option.DescribeAllowed(), " to ")
                ? option.Format(option.minimum) + " to " + option.Format(option.maximum)
                : "";
        NS_TEST_EXPECT_MSG_EQ(option.DescribeAllowed().ends_with(", " + ends), true, option.name);
    }
};

/**
 * @ingroup gridftp
 * The defaults, by name: Ito et al., Sec. 4, and where the paper is silent ns-2 2.35.
 */
class OptionDefaultsTest : public TestCase
{
  public:
    OptionDefaultsTest()
        : TestCase("option table: the paper's scenario by default")
    {
    }

  private:
    void DoRun() override
    {
        const auto request = ParseTransfer({});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const Scenario& scenario = request->scenario;
        NS_TEST_EXPECT_MSG_EQ(scenario.path.bandwidth, 100'000'000, "100 Mbit/s");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.delay, 10'000'000, "10 ms");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.queue, 100, "packets");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.packetSize, 1500, "bytes");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.linkHeader, 2, "PPP");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.limit.IsSet(), false, "no limit");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.accessBandwidth, 10'000'000'000, "10 Gbit/s");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.accessDelay, 10'000, "10 us");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.randomLoss, 0, "no loss");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.initialWindow, 2, "segments");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.minRto, 200'000'000, "0.2 s");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.delayedAck, 1, "an ACK for every segment");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.sack, false, "Reno");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.timestamps, false, "Reno");
        NS_TEST_EXPECT_MSG_EQ(scenario.tcp.limitedTransmit, false, "Reno");
        NS_TEST_ASSERT_MSG_EQ(scenario.sessions.size(), 1, "one");
        const SessionSpec& session = scenario.sessions.front();
        NS_TEST_EXPECT_MSG_EQ(session.mode, "mi", "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("parallelism"), 1, "fixed");
        NS_TEST_EXPECT_MSG_EQ(session.buffers.window, 65'536, "64 KiB");
        NS_TEST_EXPECT_MSG_EQ(session.fileSize, 10'000'000'000, "10 GB");
        NS_TEST_EXPECT_MSG_EQ(session.chunkSize, 100'000'000, "100 MB");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("eta"), 0.8, "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("gamma"), 2, "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("alpha"), 1, "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("beta"), 0.5, "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("initial-parallelism"), 1, "N0");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("max-parallelism"), 1024, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.path.schedule.IsEmpty(), true, "it does not change");
        NS_TEST_EXPECT_MSG_EQ(session.rttSamples, 10, "M");
        NS_TEST_EXPECT_MSG_EQ(session.tcp, "reno", "");
        NS_TEST_EXPECT_MSG_EQ((session.direction == Direction::UPLOAD), true, "");
        NS_TEST_EXPECT_MSG_EQ((session.dataChannels == DataChannels::FRESH), true, "");
        NS_TEST_EXPECT_MSG_EQ((session.layout == Layout::DYNAMIC), true, "");
        NS_TEST_EXPECT_MSG_EQ(session.blockSize, 1'048'576, "1 MiB");
        NS_TEST_EXPECT_MSG_EQ(session.stripes.IsStriped(), false, "1x1");
        NS_TEST_EXPECT_MSG_EQ(session.stripesText, "1x1", "");
        NS_TEST_EXPECT_MSG_EQ(session.stripeBlock, 1'048'576, "1 MiB");
        NS_TEST_EXPECT_MSG_EQ(session.startJitter, 0, "");
        NS_TEST_EXPECT_MSG_EQ(session.start, 0, "");
        NS_TEST_EXPECT_MSG_EQ(session.delay, 10'000'000, "that of the path");
        NS_TEST_EXPECT_MSG_EQ((scenario.measure.engine == Engine::SEGMENT), true, "");
        NS_TEST_EXPECT_MSG_EQ((scenario.measure.links == LinkKind::LEAN), true, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.measure.seed, 1, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.measure.run, 1, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.background.size(), 0, "none");
        NS_TEST_EXPECT_MSG_EQ(GetDefaultWhole("window"),
                              session.buffers.window,
                              "the table's own answer");
        NS_TEST_EXPECT_MSG_EQ(GetDefaultReal("eta"),
                              session.tuning.Get("eta"),
                              "the table's own answer");
        NS_TEST_EXPECT_MSG_EQ(GetDefaultText("tcp"), session.tcp, "the table's own answer");
    }
};

/**
 * @ingroup gridftp
 * Each option reaches its own member and no other.
 */
class OptionBindingTest : public TestCase
{
  public:
    OptionBindingTest()
        : TestCase("option table: each option changes its own value and no other")
    {
    }

  private:
    void DoRun() override
    {
        // With --parallelism allowed, all that only one engine knows, no rule for a default, and
        // what storages, modules, protection, data-security and pipelining need.
        const std::vector<std::string_view> fixed{"--mode=fixed",
                                                  "--data-channels=cached",
                                                  "--engine=ns3",
                                                  "--client-delay=1ms",
                                                  "--control-security=gsi",
                                                  "--source-rate=1Gbps",
                                                  "--source-total-rate=1Gbps",
                                                  "--sink-rate=1Gbps",
                                                  "--sink-total-rate=1Gbps",
                                                  "--processing-length=1MB",
                                                  "--integrity-rate=1Gbps",
                                                  "--confidentiality-rate=1Gbps"};
        for (const auto& option : GetOptionTable())
        {
            if (option.choices.size() == 1 || option.name == "stripes" ||
                option.name == "server-host" || option.name == "faults" ||
                option.name == "restart" || option.name == "stack")
            {
                continue; // nothing to change it to there; a stack changes others, too
            }
            std::vector<std::string_view> segment = fixed;
            std::erase(segment, "--engine=ns3");
            if (option.engines == "segment")
            {
                Check(option, segment);
                continue;
            }
            // Another tool goes with none of those, nor does what engine segment alone has
            Check(option,
                  option.name == "tool" || option.engines == "segment"
                      ? std::vector<std::string_view>()
                      : fixed);
        }
    }

    /// @param option that is changed @param fixed arguments beside it
    void Check(const Option& option, const std::vector<std::string_view>& fixed)
    {
        const auto base = ParseTransfer(fixed);
        NS_TEST_ASSERT_MSG_EQ(Reason(base), "no error", option.name);
        std::string argument = "--" + std::string(option.name);
        argument +=
            option.kind == OptionKind::FLAG ? "" : "=" + Other(option, ValueOf(*base, option));
        std::vector<std::string_view> arguments = fixed;
        arguments.emplace_back(argument);
        const auto request = ParseTransfer(arguments);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", argument);
        for (const auto& each : GetOptionTable())
        {
            const bool follows = each.defaultText == "that of " + std::string(option.name);
            NS_TEST_EXPECT_MSG_EQ((ValueOf(*request, each) == ValueOf(*base, each)),
                                  (&each != &option && !follows),
                                  argument << " and " << each.name);
        }
        const auto read = option.Parse(argument.substr(argument.find('=') + 1));
        NS_TEST_EXPECT_MSG_EQ((!read || *read == ValueOf(*request, option)), true, argument);
    }

    /**
     * @param option an option
     * @param value of it
     * @return another value of it, as text
     */
    static std::string Other(const Option& option, const OptionValue& value)
    {
        switch (option.kind)
        {
        case OptionKind::WHOLE:
            if (option.name == "limit-rate")
            {
                return "1Mbps"; // 0 is none, and next to it too little
            }
            if (option.name == "keepalive")
            {
                return "60s"; // likewise
            }
            return FormatWhole(*std::get_if<int64_t>(&value) + 1, option.dimension);
        case OptionKind::REAL: {
            const double most = *std::get_if<double>(&option.maximum);
            return FormatReal((*std::get_if<double>(&value) + most) / 2);
        }
        case OptionKind::SWITCH:
            return *std::get_if<bool>(&value) ? "off" : "on";
        case OptionKind::CHOICE:
            return std::string(*std::get_if<int64_t>(&value) == 0 ? option.choices.back()
                                                                  : option.choices.front());
        case OptionKind::LIST:
            return option.GetMembers().empty() ? "other"
                   : option.name == "fault"    ? "at=1s"
                                               : "start=1s";
        default:
            return option.name == "mode"                ? "aimd"
                   : option.name == "tcp"               ? "newreno"
                   : option.name == "chunk-parallelism" ? "2:3"
                   : option.name == "file-directions"   ? "upload"      // as it is without it
                   : option.name == "file-sizes"        ? "10GB"        // likewise
                   : option.name == "path-schedule" ? "0s:100Mbps:10ms" // as the path is without it
                   : option.choices.empty()         ? "other"
                                                    : std::string(option.choices.back());
        }
    }
};

/// The words of a scenario's JSON.
class ScenarioTextTest : public TestCase
{
  public:
    ScenarioTextTest()
        : TestCase("option table: --describe and --resolve in SI numbers")
    {
    }

  private:
    void DoRun() override
    {
        const auto request = ParseTransfer(std::vector<std::string_view>{"--delay=1ns",
                                                                         "--direction=download",
                                                                         "--engine=ns3",
                                                                         "--set=ns3::A::B=\"x\\",
                                                                         "--set=second"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const std::string text = ScenarioToJson(request->scenario);
        for (const std::string_view part :
             {"{\"topology\": \"dumbbell\", \"bandwidth_bps\": 100000000, \"delay_s\": 1e-09, ",
              "\"tool\": \"gridftp\", \"tool_rate_bps\": 10000000, ",
              "\"tool_window\": \"given\", \"tool_compression\": 1, ",
              "\"mode\": \"mi\", \"parallelism\": 1, ",
              "\"access_bandwidth_bps\": 10000000000, ",
              "\"random_loss\": 0, ",
              "\"min_rto_s\": 0.2, ",
              "\"sack\": false, ",
              "\"eta\": 0.8, \"gamma\": 2, ",
              "\"direction\": \"download\", ",
              "\"engine\": \"ns3\", \"links\": \"lean\", \"seed\": 1, ",
              R"("set": ["ns3::A::B=\"x\\", "second"], )",
              "\"background\": [], \"faults\": []}"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(text, part), true, part << " in " << text);
        }
        const std::string table = DescribeTransfer();
        for (
            const std::string_view part :
            {R"({"schema": 1, "options": [{"name": "topology", "key": "topology", )"
             R"("kind": "name", "unit": "", "scope": "path", "default": "dumbbell", )"
             R"("default_value": "dumbbell", "choices": ["dumbbell"], )",
             R"({"name": "bandwidth", "key": "bandwidth_bps", )"
             R"("kind": "whole", "unit": "bit/s", "scope": "path", "default": "100Mbps", )"
             R"("default_value": 100000000, "minimum": 1000, "maximum": 1000000000000, )"
             R"("open_minimum": false, "open_maximum": false, "engines": "segment,ns3", )",
             R"("minimum": 0, "maximum": 10, "open)", // delay, 0 to 10 s
             R"("choices": ["upload", "download", "third-party"])",
             R"("segment_choices": ["reno", "newreno")",
             R"x("engines": "segment,ns3", "modes": ["aimd"], "help": "connections added (aimd)"})x",
             R"("needs": {"options": ["queue-discipline", "reverse-queue-discipline"], )"
             R"("values": ["pie"], "allowed": "--queue-discipline=pie"}, "help": "time that PIE )",
             R"("needs": {"options": ["retries"], "allowed": "--retries=N"}, "help")",
             R"("variants": [{"option": "stack", "value": "linux", "default": "10"}], )"
             R"("help": "initial congestion window")",
             R"("variants": [{"option": "stack", "value": "linux", "default": "cubic", )"
             R"("segment_choices": ["cubic", "reno", "bbr", "bbr3"]}], "help")",
             R"(], "tuners": [{"name": "mi", "label": "MI", "help": "multiply N by gamma while the )"
             R"(windows limit the goodput", "look": {"color": "#0072B2", "marker": "o", )"
             R"("marker_size": 6.4, "dashes": []}, "parameters": ["initial-parallelism", )"
             R"("max-parallelism", "eta", "gamma"]}, {"name": "mi-plus", )"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(table, part), true, part << " in " << table);
        }
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new OptionTableTest,
            new OptionDefaultsTest,
            new OptionBindingTest,
            new ScenarioTextTest};
});

} // namespace ns3::gridftp
