/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-draw.h"
#include "gridftp-core-test.h"
#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-random.h"
#include "gridftp-result.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param option a row @param draw random draws @return a value within its range, as text
std::string
SomeText(const Option& option, Draw& draw)
{
    switch (option.kind)
    {
    case OptionKind::WHOLE: {
        const auto low = static_cast<uint64_t>(*std::get_if<int64_t>(&option.minimum));
        const auto high = static_cast<uint64_t>(*std::get_if<int64_t>(&option.maximum));
        // As likely small as large.
        const uint64_t span = std::min<uint64_t>(high - low, 1ULL << draw.Below(62));
        return FormatWhole(static_cast<int64_t>(low + draw.Below(span + 1)), option.dimension);
    }
    case OptionKind::REAL: {
        const double low = *std::get_if<double>(&option.minimum);
        const double high = *std::get_if<double>(&option.maximum);
        constexpr uint64_t STEPS = 9973;
        const auto step = static_cast<double>(1 + draw.Below(STEPS - 1));
        return std::to_string(low + (std::min(high, 3.0) - low) * step / STEPS);
    }
    case OptionKind::SWITCH:
        return draw.Below(2) == 0 ? "on" : "off";
    case OptionKind::CHOICE:
        return std::string(draw.Of(option.choices));
    case OptionKind::NAME:
        return option.choices.empty() ? (draw.Below(2) == 0 ? "newreno" : "reno")
                                      : std::string(draw.Of(option.choices));
    default:
        return "ns3::A\xc3\xa9::B=\"x\\";
    }
}

/// @param draw random draws @return a command line, often one at odds with itself
std::vector<std::string>
SomeLine(Draw& draw)
{
    constexpr uint64_t SOME = 8; // in the mean; of many more hardly a line is at odds with nothing
    std::vector<std::string> words;
    for (const auto& option : GetOptionTable())
    {
        const bool isText = option.name == "faults" || option.name == "restart"; // a file, ranges
        if (option.scope == OptionScope::OUTPUT || isText ||
            draw.Below(GetOptionTable().size()) >= SOME)
        {
            continue;
        }
        const auto members = option.GetMembers();
        std::string value = members.empty() ? SomeText(option, draw) : "start=1s";
        for (const auto& member : members)
        {
            if (draw.Below(members.size()) < SOME)
            {
                value += "," + std::string(member.name) + "=" + SomeText(member, draw);
            }
        }
        words.push_back("--" + std::string(option.name) + "=" + value);
    }
    return words;
}

/// @param words of a command line @return what it asks for
Expected<TransferRequest>
Parse(const std::vector<std::string>& words)
{
    return ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
}

/// @param rows bound to both @param a a struct @param b another @return whether they are the same
bool
IsSame(std::span<const Option> rows, const void* a, const void* b)
{
    return std::all_of(rows.begin(), rows.end(), [a, b](const Option& option) {
        return option.binding.get(a) == option.binding.get(b);
    });
}

/// @param a a scenario @param b another @return whether they are the same
bool
IsSame(const Scenario& a, const Scenario& b)
{
    bool same =
        a.sessions.size() == b.sessions.size() && a.background.size() == b.background.size();
    TransferRequest left;
    TransferRequest right;
    left.scenario = a;
    right.scenario = b;
    for (const auto& option : GetOptionTable())
    {
        same = same && (option.scope == OptionScope::OUTPUT ||
                        option.binding.get(TransferTarget(&left, option.scope)) ==
                            option.binding.get(TransferTarget(&right, option.scope)));
    }
    for (size_t i = 0; same && i < a.sessions.size(); ++i)
    {
        same = IsSame(GetSessionRows(), &a.sessions[i], &b.sessions[i]);
    }
    for (size_t i = 0; same && i < a.background.size(); ++i)
    {
        same = IsSame(GetBackgroundRows(), &a.background[i], &b.background[i]);
    }
    return same;
}

/// What --resolve prints is read back as the scenario it was printed of.
class RoundTripTest : public TestCase
{
  public:
    RoundTripTest()
        : TestCase("batch: the echo of a scenario reads back as the same scenario")
    {
    }

  private:
    void DoRun() override
    {
        const int lines = static_cast<int>(CountDraws(3000));
        const int enough = lines / 90;
        Draw draw(1);
        int good = 0;
        int further = 0;
        for (int i = 0; i < lines; ++i)
        {
            const auto request = Parse(SomeLine(draw));
            if (!request)
            {
                continue; // at odds with itself
            }
            ++good;
            further += request->scenario.sessions.size() > 1 ? 1 : 0;
            const std::string text = ScenarioToJson(request->scenario);
            const auto read = ParseScenarioJson(text);
            NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", text);
            NS_TEST_ASSERT_MSG_EQ(ScenarioToJson(*read), text, "");
            NS_TEST_ASSERT_MSG_EQ(IsSame(*read, request->scenario), true, text);
        }
        NS_TEST_EXPECT_MSG_GT(good, enough, "not only bad lines");
        NS_TEST_EXPECT_MSG_GT(further, enough / 10, "with further sessions");
        CheckEveryNanosecond();
    }

    /// Times of any length keep every nanosecond.
    void CheckEveryNanosecond()
    {
        Draw draw(2);
        auto scenario = Parse({"--background=tcp=reno"})->scenario;
        const int times = static_cast<int>(CountDraws(500));
        constexpr uint64_t MOST = 1'000'000'000'000'000;
        for (int i = 0; i < times; ++i)
        {
            const auto stop = static_cast<int64_t>(MOST - draw.Below(1ULL << draw.Below(50)));
            scenario.background[0].stop = stop;
            const auto read = ParseScenarioJson(ScenarioToJson(scenario));
            NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", stop);
            NS_TEST_ASSERT_MSG_EQ(read->background[0].stop, stop, "ns");
        }
    }
};

/// Scenarios as people write them, against command lines.
class BatchLineTest : public TestCase
{
  public:
    BatchLineTest()
        : TestCase("batch: a line and a command line mean the same")
    {
    }

  private:
    void DoRun() override
    {
        Expect("{}", {});
        Expect(R"({"random_loss": -0.0, "run": 0})", {"--random-loss=0", "--run=0"});
        Expect(R"({"bandwidth": "1.5Gbps", "mode": "aimd", "eta": "0.7", "engine": "ns3"})",
               {"--bandwidth=1.5Gbps", "--mode=aimd", "--eta=0.7", "--engine=ns3"});
        Expect(R"({"bandwidth_bps": 2e10, "delay_s": 0.0123, "engine": "ns3", "sack": true})",
               {"--bandwidth=20Gbps", "--delay=12.3ms", "--engine=ns3", "--sack=on"});
        Expect(R"({"engine": "ns3", "chunk_size_bytes": 1000, "set": ["a=b", "c=d"]})",
               {"--engine=ns3", "--chunk-size=1000B", "--set=a=b", "--set=c=d"});
        Expect(
            R"({"parallelism": "4", "mode": "fixed", "engine": "ns3", "set": "a=b", "background": []})",
            {"--parallelism=4", "--mode=fixed", "--engine=ns3", "--set=a=b"});
        Expect(R"({"sessions": [{"mode": "mi"}, {"delay": "20ms", "start_s": 2.5}, {}],)"
               R"( "window": "1MiB", "mode": "aimd"})",
               {"--window=1MiB",
                "--mode=mi",
                "--session=mode=aimd,delay=20ms,start=2.5s",
                "--session=mode=aimd"});
        Expect(R"({"background": [{"tcp": "newreno", "stop_s": 3}, {"delay_s": 0.02}],)"
               R"( "tcp": "reno", "window_bytes": 20000})",
               {"--window=20KB", "--background=tcp=newreno,stop=3s", "--background=delay=20ms"});
        // The delay of the first session has no option of its own.
        const auto read = ParseScenarioJson(R"({"sessions": [{"delay_s": 0.05}, {}]})");
        NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(read->sessions[0].delay, 50'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ(read->sessions[1].delay, 10'000'000, "the path's, ns");
    }

    /// @param line of a batch @param words of the command line that means the same
    void Expect(std::string_view line, const std::vector<std::string>& words)
    {
        const auto read = ParseScenarioJson(line);
        const auto request = Parse(words);
        NS_TEST_ASSERT_MSG_EQ(Reason(read), "no error", line);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", line);
        NS_TEST_EXPECT_MSG_EQ(ScenarioToJson(*read), ScenarioToJson(request->scenario), line);
    }
};

/// Lines that are no scenario, and why not.
class BatchFaultTest : public TestCase
{
  public:
    BatchFaultTest()
        : TestCase("batch: what is wrong with a line, in one line")
    {
    }

  private:
    void DoRun() override
    {
        CheckKeys();
        CheckValues();
        CheckLists();
        Expect(R"({"parallelism": "4"})",
               R"("parallelism": "4" is only used with mode fixed, not mi; allowed here: )"
               "initial-parallelism");
        Expect(R"({"window_bytes": 1})",
               "--window=1B is below one segment; allowed with these packets: at least 1460B");
        Expect(R"({"engine": "segment", "links": "ns3"})",
               "--links=ns3 is not for --engine=segment; allowed there: lean (--engine=ns3 allows "
               "more)");
        NS_TEST_EXPECT_MSG_EQ(
            BatchErrorToJson(7, Error{"\"eta\": 2"}),
            R"({"schema": 2, "status": "error", "line": 7, "reason": "\"eta\": 2"})",
            "");
    }

    /// What is no scenario at all, or has an unknown key.
    void CheckKeys()
    {
        const std::string object = " is not a scenario; allowed: an object, {\"key\": value}";
        const std::string keys =
            " is unknown; allowed: the keys of --resolve and the names of --help";
        Expect("", "at byte 1 the end is out of place; allowed: a value");
        Expect("[]", "[...]" + object);
        Expect("7", "7" + object);
        Expect(R"({"etta": 0.5})", R"("etta" is unknown; did you mean "eta"?)");
        Expect(R"({"bandwith_bps": 5})",
               R"("bandwith_bps" is unknown; did you mean "bandwidth_bps"?)");
        Expect(R"({"session": []})", R"("session" is unknown; did you mean "sessions"?)");
        Expect(R"({"qqqqqqq": 5})", R"("qqqqqqq")" + keys);
        Expect(R"({"describe": true})", R"("describe")" + keys);
        Expect(R"({"q\n\u00e9": 5})", R"("q???")" + keys);
    }

    /// Values that are none of the option's.
    void CheckValues()
    {
        const std::string ratio = "; allowed: a number such as 0.8, above 0 to 1";
        const std::string rate = "; allowed: a rate such as 100Mbps, 1kbps to 1Tbps";
        const std::string time = "; allowed: a time such as 10ms, 0ns to 10s";
        Expect(R"({"eta": 2})", R"("eta": 2 is out of range)" + ratio);
        Expect(R"({"eta": "2"})", R"("eta": "2" is out of range)" + ratio);
        Expect(R"({"eta": 1e999})", R"("eta": 1e999 is out of range)" + ratio);
        Expect(R"({"eta": null})", R"("eta": null is of the wrong kind)" + ratio);
        Expect(R"({"eta": [0.5]})", R"("eta": [...] is of the wrong kind)" + ratio);
        Expect(R"({"bandwidth": 5000})",
               R"("bandwidth": 5000 lacks a unit, which "bandwidth_bps" has in its name)" + rate);
        Expect(R"({"bandwidth_bps": "1Mbps"})",
               R"("bandwidth_bps": "1Mbps" is a text; the key of texts is "bandwidth")" + rate);
        Expect(R"({"bandwidth": "1MB"})", R"("bandwidth": "1MB" has an unknown unit 'MB')" + rate);
        Expect(R"({"bandwidth_bps": 1000.5})",
               R"("bandwidth_bps": 1000.5 is not a whole number)" + rate);
        Expect(R"({"bandwidth_bps": 999})", R"("bandwidth_bps": 999 is out of range)" + rate);
        Expect(R"({"bandwidth_bps": 1000, "bandwidth": "1kbps"})",
               R"("bandwidth": "1kbps" comes twice; allowed: one of "bandwidth_bps" and )"
               R"("bandwidth")");
        Expect(R"({"delay_s": -1})", R"("delay_s": -1 is out of range)" + time);
        Expect(R"({"delay_s": 10.000000001})", R"("delay_s": 10.000000001 is out of range)" + time);
        Expect(R"({"delay_s": 1.5e-9})",
               R"("delay_s": 1.5e-9 is finer than the smallest unit)" + time);
        Expect(R"({"sack": 1})", R"("sack": 1 is of the wrong kind; allowed: on, off)");
        Expect(R"({"mode": "MI"})",
               R"("mode": "MI" is unknown; allowed: )" + GetOption("mode").DescribeAllowed());
        Expect(R"({"tcp": "a\nb"})",
               R"("tcp": "a?b" has a control character; allowed: )" +
                   GetOption("tcp").DescribeAllowed());
        Expect(
            R"({"set": [1]})",
            R"("set": [...] contains a value that is not a text; allowed: ns3::Type::Attribute=VALUE)");
    }

    /// The lists of sessions and background connections.
    void CheckLists()
    {
        const std::string list = " is not a list of objects; allowed: [{\"key\": value}, ...]";
        Expect(R"({"sessions": []})", R"("sessions": [...])" + list);
        Expect(R"({"sessions": {}})", R"("sessions": {...})" + list);
        Expect(R"({"background": 1})", R"("background": 1)" + list);
        Expect(R"({"sessions": [1]})",
               R"("sessions"[0] 1 is not a scenario; allowed: an object, {"key": value})");
        Expect(R"({"sessions": [{}, {"stat_s": 1}]})",
               R"("sessions"[1] "stat_s" is unknown; did you mean "start_s"?)");
        Expect(R"({"background": [{"gamma": 1}]})",
               R"("background"[0] "gamma" is unknown; allowed: the keys of --resolve and the )"
               "names of --help");
        const std::string least = " is below --delay=10ms; allowed: at least the bottleneck's";
        Expect(R"({"sessions": [{"delay_s": 0}]})", R"("sessions"[0] "delay_s": 0)" + least);
        Expect(R"({"background": [{"delay": "9ms"}]})",
               R"("background"[0] "delay": "9ms")" + least);
    }

    /// @param line of a batch @param fault what is wrong with it
    void Expect(std::string_view line, const std::string& fault)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseScenarioJson(line)), fault, line);
    }
};

/// Damaged lines: a scenario or an error fit to be shown, never anything else.
class BatchDamageTest : public TestCase
{
  public:
    BatchDamageTest()
        : TestCase("batch: a damaged line is an error or another scenario")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> lines{
            ScenarioToJson(Parse({"--session=mode=aimd", "--background=stop=2s"})->scenario),
            R"({"bandwidth": "1Gbps", "sessions": [{"eta": 0.5}, {"delay": "1s"}], "set": ["a"]})",
            R"({"queue_packets": 1e2, "start_s": 0.5, "background": [{"tcp": "\u0072eno"}]})"};
        const int times = static_cast<int>(CountDraws(6000));
        Draw draw(3);
        int bad = 0;
        for (int i = 0; i < times; ++i)
        {
            std::string line = draw.Of(lines);
            for (uint64_t damages = 1 + draw.Below(3); damages > 0; --damages)
            {
                Damage(line, draw);
            }
            const auto read = ParseScenarioJson(line);
            if (!read)
            {
                ++bad;
                CheckMessage(read.GetError().message, line);
                continue;
            }
            const auto again = ParseScenarioJson(ScenarioToJson(*read));
            NS_TEST_ASSERT_MSG_EQ(Reason(again), "no error", line);
            NS_TEST_ASSERT_MSG_EQ(IsSame(*again, *read), true, line);
        }
        NS_TEST_EXPECT_MSG_GT(bad, times / 2, "damaged they are");
        NS_TEST_EXPECT_MSG_LT(bad, times - times / 100, "but not all beyond reading");
    }

    /// @param line gets changed somewhere @param draw random draws
    static void Damage(std::string& line, Draw& draw)
    {
        constexpr std::string_view LIKELY = "{}[]\",:.-+eE0123456789\\u truefalsn";
        const size_t at = draw.Below(line.size() + 1);
        const size_t count = draw.Below(6);
        switch (draw.Below(5))
        {
        case 0:
            line.insert(at, 1, draw.Of(LIKELY));
            break;
        case 1:
            line.insert(at, 1, static_cast<char>(draw.Below(256)));
            break;
        case 2:
            line.erase(at, count);
            break;
        case 3:
            line.insert(at, line.substr(draw.Below(line.size() + 1), 4 * count));
            break;
        default:
            line.replace(at, std::min<size_t>(1, line.size() - at), 1, draw.Of(LIKELY));
            break;
        }
    }

    /// @param message what is said @param line of it
    void CheckMessage(const std::string& message, const std::string& line)
    {
        const bool shown = std::all_of(message.begin(), message.end(), [](char c) {
            return c >= ' ' && c <= '~';
        });
        NS_TEST_ASSERT_MSG_EQ(shown, true, message);
        NS_TEST_ASSERT_MSG_LT(message.size(), 500, message);
        NS_TEST_ASSERT_MSG_EQ((Contains(message, "; allowed") || Contains(message, "; did you ")),
                              true,
                              message << " of " << line);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new RoundTripTest, new BatchLineTest, new BatchFaultTest, new BatchDamageTest};
});

} // namespace ns3::gridftp
