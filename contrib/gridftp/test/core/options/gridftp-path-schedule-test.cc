/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Arguments = std::vector<std::string>;

/// Files that are not on any disk.
const std::map<std::string, std::string> FILES{
    {"plain.csv",
     "time_s,rate_Mbps,delay_ms\n0,20,50\n20,5.5,\r\n\n# a pause\n30, 0 ,1\n40,,\n"
     "41,1,0.5"},
    {"delays.csv", "delay_us,time_ms\n1000,0\n2.5,1\n"},
    {"rounded.csv", "time_s,rate_bps\n0,1234.5\n"},
    {"header.csv", "time_s,RSRP\n0,20\n"},
    {"unit.csv", "time_s,rate (furlongs)\n0,20\n"},
    {"twice.csv", "time_s,time_ms,rate_bps\n0,0,20\n"},
    {"lacks.csv", "rate_bps,delay_s\n0,20\n"},
    {"cells.csv", "time_s,rate_Mbps\n0,20,3\n"},
    {"cell.csv", "time_s,rate_Mbps\n0,2f1\n"},
    {"exponent.csv", "time_s,rate_Mbps\n0.000e+00,2e1\n"},
    {"time.csv", "time_s,rate_Mbps\n,20\n"},
    {"late.csv", "time_s,rate_Mbps\n0,20\n5,1\n5,2\n"},
    {"rate.csv", "time_s,rate_Tbps\n0,20\n"},
    {"large.csv", "time_s,rate_Tbps\n0,9999999999\n"},
    {"header-only.csv", "time_s,rate_Tbps\n"},
    {"empty.csv", "\n\n"},
    {"trace", "0\n0\n50\n100\n101\n250\n250\n"},
    {"past.trace", "5\n4\n"},
    {"word.trace", "5\nsix\n"},
    {"zero.trace", "0\n0\n"},
    {"long.trace", "1\n1000000000\n"},
};

Expected<std::string>
ReadMadeUp(const std::string& name)
{
    const auto found = FILES.find(name);
    return found == FILES.end() ? Expected<std::string>(Error{"cannot be read"}) : found->second;
}

/// @param given arguments @return what they ask for
Expected<TransferRequest>
Parse(const Arguments& given)
{
    const std::vector<std::string_view> arguments(given.begin(), given.end());
    return ParseTransfer(arguments, &ReadMadeUp);
}

/// From texts and files to rows.
class PathScheduleTest : public TestCase
{
  public:
    PathScheduleTest()
        : TestCase("options: --path-schedule")
    {
    }

  private:
    void DoRun() override
    {
        Expect({"none"}, "none", 100'000'000, 10'000'000);
        const std::string two = "0s:20Mbps:50ms,20s:5Mbps:120ms";
        Expect({two}, two, 20'000'000, 50'000'000);
        Expect({two + ",repeat=40s"}, two + ",repeat=40s", 20'000'000, 50'000'000);
        Expect({"0s:1Mbps,1.5s::2ms,2s:0bps:,3s:4Mbps:0ms", "--delay=7ms"},
               "0s:1Mbps:7ms,1500ms:1Mbps:2ms,2s:0bps:2ms,3s:4Mbps:0s",
               4'000'000,
               0);
        Expect({"5s:1Mbps", "--bandwidth=2Mbps"},
               "0s:2Mbps:10ms,5s:1Mbps:10ms",
               2'000'000,
               10'000'000);
        Expect({"5s:3Mbps", "--bandwidth=2Mbps"},
               "0s:2Mbps:10ms,5s:3Mbps:10ms",
               3'000'000,
               10'000'000);
        Expect({"plain.csv"},
               "0s:20Mbps:50ms,20s:5500kbps:50ms,30s:0bps:1ms,40s:0bps:1ms,41s:1Mbps:500us",
               20'000'000,
               500'000);
        Expect({"delays.csv,repeat=3ms"},
               "0s:100Mbps:1ms,1ms:100Mbps:2500ns,repeat=3ms",
               100'000'000,
               2'500);
        Expect({"exponent.csv"}, "0s:20Mbps:10ms", 20'000'000, 10'000'000);
        Expect({"rounded.csv"}, "0s:1235bps:10ms", 1'235, 10'000'000);
        // Of 12,000 bits: 4 until 100 ms, 1 until 200 ms, 2 in the last 50 ms
        Expect({"trace"},
               "0s:480kbps:10ms,100ms:120kbps:10ms,200ms:480kbps:10ms,repeat=250ms",
               480'000,
               10'000'000);
        Expect({"trace,interval=250ms,repeat=1s"},
               "0s:336kbps:10ms,repeat=1s",
               336'000,
               10'000'000);
        ExpectFollowing();
        ExpectRandom();
    }

    /// @param given value of the option, and further ones @param text of the schedule @param
    /// bandwidth bit/s @param delay ns
    void Expect(Arguments given, const std::string& text, int64_t bandwidth, int64_t delay)
    {
        const std::string shown = given.front();
        given.front() = "--path-schedule=" + shown;
        const auto request = Parse(given);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", shown);
        const auto& path = request->scenario.path;
        NS_TEST_EXPECT_MSG_EQ(path.scheduleText, text, shown);
        NS_TEST_EXPECT_MSG_EQ(path.schedule.IsEmpty(), (text == "none"), shown);
        NS_TEST_EXPECT_MSG_EQ(path.bandwidth, bandwidth, "the largest");
        NS_TEST_EXPECT_MSG_EQ(path.delay, delay, "the least");
        NS_TEST_EXPECT_MSG_EQ(request->scenario.sessions[0].delay, delay, "of the session");
        // What is resolved is complete, and needs no file
        const auto json = ScenarioToJson(request->scenario);
        const auto again = ParseScenarioJson(json);
        NS_TEST_ASSERT_MSG_EQ(Reason(again), "no error", json);
        NS_TEST_EXPECT_MSG_EQ(ScenarioToJson(*again), json, "read back");
        NS_TEST_EXPECT_MSG_EQ((again->path.schedule.GetRows() == path.schedule.GetRows()),
                              true,
                              "the same rows");
    }

    /// What else follows from the path.
    void ExpectFollowing()
    {
        const auto request = Parse({"--path-schedule=0s:1Mbps:9ms,1s:2Gbps:5ms",
                                    "--session=delay=6ms",
                                    "--background=window=1MiB"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const auto& scenario = request->scenario;
        NS_TEST_EXPECT_MSG_EQ(scenario.path.accessBandwidth, 20'000'000'000, "10 x the largest");
        NS_TEST_EXPECT_MSG_EQ(scenario.sessions[1].delay, 6'000'000, "above the least");
        NS_TEST_EXPECT_MSG_EQ(scenario.background[0].delay, 5'000'000, "the least");
        const auto line = ParseScenarioJson(R"({"path-schedule": "plain.csv", "bandwidth_bps": 2e7,
                                                "sessions": [{}, {"delay": "1ms"}]})",
                                            &ReadMadeUp);
        NS_TEST_ASSERT_MSG_EQ(Reason(line), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(line->sessions[1].delay, 1'000'000, "of a batch");
    }

    /// A drawn path.
    void ExpectRandom()
    {
        const auto textOf = [](const Arguments& given) {
            return Parse(given)->scenario.path.scheduleText;
        };
        const std::string few = "--path-schedule=random,duration=60s";
        const auto text = textOf({few});
        NS_TEST_EXPECT_MSG_EQ(Contains(text, ",20s:"), true, text);
        NS_TEST_EXPECT_MSG_EQ(Contains(text, ",40s:"), true, text);
        NS_TEST_EXPECT_MSG_EQ(text.ends_with(",repeat=60s"), true, text);
        NS_TEST_EXPECT_MSG_EQ(textOf({few, "--engine=ns3"}), text, "on both engines");
        NS_TEST_EXPECT_MSG_NE(textOf({few, "--run=2"}), text, "another run");
        NS_TEST_EXPECT_MSG_NE(textOf({few, "--seed=2"}), text, "another seed");
        NS_TEST_EXPECT_MSG_EQ(textOf({few + ",run=1", "--run=2"}), text, "the path of the first");
        NS_TEST_EXPECT_MSG_NE(textOf({few + ",run=0"}), text, "nor is it that of none");
        const auto narrow = Parse({"--path-schedule=random,least-rtt=40ms,mean-rtt=40.5ms,"
                                   "most-rtt=41ms,duration=20s",
                                   "--access-delay=3ms"});
        NS_TEST_ASSERT_MSG_EQ(Reason(narrow), "no error", "");
        const int64_t delay = narrow->scenario.path.delay;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(delay, 14'000'000, "20 ms less two access links, one way");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(delay, 14'500'000, "20.5 ms less these");
    }
};

/// What is wrong, in one line.
class PathScheduleFaultTest : public TestCase
{
  public:
    PathScheduleFaultTest()
        : TestCase("options: faults of --path-schedule")
    {
    }

  private:
    void DoRun() override
    {
        const std::string row = "; allowed: TIME:RATE:DELAY such as 20s:5Mbps:120ms, without a "
                                "RATE or a DELAY as before";
        Expect("0s:1Mbps:1ms:2", " row 1: '0s:1Mbps:1ms:2' is not a row" + row);
        Expect("0s:1Mbps,", " row 2: '' is not a row" + row);
        Expect("0s:1Mbps,1:2Mbps", " row 2: '1:2Mbps' has a time that lacks a unit" + row);
        Expect("0s:1m", " row 1: '0s:1m' has a rate that has an unknown unit 'm'" + row);
        Expect("0s:1Mbps:1x",
               " row 1: '0s:1Mbps:1x' has a delay that has an unknown unit 'x'" + row);
        Expect("0s:999bps",
               " row 1: rate 999bps is out of range; allowed: 0bps, or a rate such as 100Mbps, "
               "1kbps to 1Tbps");
        Expect("0s::11s",
               " row 1: delay 11s is out of range; allowed: a time such as 10ms, 0ns to 10s");
        Expect("2000000s:1Mbps",
               " row 1: time 2000000s is out of range; allowed: a time such as 10ms, 0ns to "
               "1000000s");
        Expect("1s:1Mbps,1s:2Mbps",
               " row 2: time 1s is not after the one before; allowed: later than 1s");
        const std::string still = " stops forever; allowed: a rate above 0 in its last row, or in "
                                  "any row that repeats, repeat=TIME";
        Expect("0s:1Mbps,1s:0bps", still);
        Expect("0s:0bps,1s:0bps,repeat=2s", still);
        Expect("0s:1Mbps,2s:2Mbps,repeat=2s",
               " repeats at 2s, repeat=TIME; allowed: later than its last row, at 2s");
        Expect("0s:1Mbps,repaet=2s", " 'repaet=2s' is unknown; did you mean 'repeat='?");
        Expect("0s:1Mbps,repeat=2",
               " 'repeat=2' lacks a unit; allowed: a time such as 10ms, 0ns to 1000000s");
        const std::string allowed = "; allowed: none|TIME:RATE:DELAY,...|FILE|random,...";
        Expect("there.csv", "=there.csv cannot be read" + allowed);
        ExpectFiles();
        ExpectRandom();
        NS_TEST_EXPECT_MSG_EQ(
            Reason(ParseTransfer(std::vector<std::string_view>{"--path-schedule=plain.csv"})),
            "--path-schedule=plain.csv is not a row, and files cannot be read here" + allowed,
            "as in a browser");
        Expect("0s:1Mbps",
               "--bandwidth=3Mbps has no effect with --path-schedule, which sets values from 0s "
               "on; allowed: without it",
               {"--bandwidth=3Mbps"});
        Expect("0s:1Mbps:1ms",
               "--delay=3ms has no effect with --path-schedule, which sets values from 0s on; "
               "allowed: without it",
               {"--delay=3ms"});
        Expect("0s:1Mbps:9ms",
               "--session 'delay=8ms' is below --delay=9ms; allowed: at least the bottleneck's",
               {"--session=delay=8ms"});
    }

    /// Files that are wrong.
    void ExpectFiles()
    {
        Expect("header.csv",
               "=header.csv line 1: no column of 'time_s', 'RSRP' is known as a rate; allowed: "
               "rate-column=NAME, or its number");
        Expect("unit.csv",
               "=unit.csv line 1: the unit of 'rate (furlongs)' is unknown; allowed: "
               "rate-unit=bps|kbps|Mbps|Gbps|B/s|kB/s|MB/s|GB/s");
        Expect("twice.csv",
               "=twice.csv line 1: each of 'time_s', 'time_ms' may be the time; allowed: "
               "time-column=NAME, or its number");
        Expect("lacks.csv",
               "=lacks.csv line 1: no column of 'rate_bps', 'delay_s' is known as a time; allowed: "
               "time-column=NAME, or its number");
        Expect("cells.csv",
               "=cells.csv line 2: '0,20,3' has 3 cells; allowed: 2, as the first line has");
        const std::string cell = "; allowed: a number such as 12.5, in the unit of the first line";
        Expect("cell.csv", "=cell.csv line 2: rate '2f1' is not a number" + cell);
        Expect("time.csv", "=time.csv line 2: time '' is not a number" + cell);
        Expect("large.csv", "=large.csv line 2: rate '9999999999' is too large" + cell);
        Expect("late.csv",
               "=late.csv line 4: time 5s is not after the one before; allowed: later than 5s");
        Expect("rate.csv",
               "=rate.csv line 2: rate 20Tbps is out of range; allowed: 0bps, or a rate such as "
               "100Mbps, 1kbps to 1Tbps");
        Expect("header-only.csv", "=header-only.csv has 0 rows; allowed: 1 to 20000");
        Expect("empty.csv", "=empty.csv is empty; allowed: a CSV, or a trace of packet deliveries");
        const std::string trace = "; allowed: a whole number of ms, from that of the line before "
                                  "to 1000000000";
        Expect("past.trace", "=past.trace line 2: '4' is not the time of a delivery" + trace);
        Expect("word.trace", "=word.trace line 2: 'six' is not the time of a delivery" + trace);
        Expect("zero.trace",
               "=zero.trace line 2: all deliveries are at 0 ms; allowed: a later last one");
        Expect("long.trace",
               "=long.trace stops forever; allowed: a rate above 0 in its last row, or in any row "
               "that repeats, repeat=TIME");
        Expect("trace,interval=0s",
               " 'interval=0s' is out of range; allowed: a time such as 10ms, 1ms to 10s");
    }

    /// Paths that cannot be drawn.
    void ExpectRandom()
    {
        Expect("random,mean=20",
               " 'mean=20' lacks a unit; allowed: a rate such as 100Mbps, 1kbps to 1Tbps");
        Expect(
            "random,jitter=20ms",
            " 'jitter=20ms' is unknown; allowed: the keys mean, deviation, least, most, mean-rtt, "
            "least-rtt, most-rtt, interval, duration, run");
        Expect(
            "random,interval=1ms",
            "=random has more than 20000 rows; allowed: a duration of at most that many intervals");
        Expect("random,least-rtt=1ms",
               "=random least-rtt=1ms is less than the delay of the access links; allowed: at "
               "least 4ms",
               {"--access-delay=1ms"});
        Expect("random,deviation=1Mbps",
               "=random deviation=1Mbps is not possible; allowed with these bounds and this mean: "
               "from about 16181955bps to about 67253501bps");
    }

    /// @param value of the option @param message behind its name, or whole with two dashes
    /// @param further arguments
    void Expect(const std::string& value, const std::string& message, Arguments further = {})
    {
        further.insert(further.begin(), "--path-schedule=" + value);
        const std::string whole = message.starts_with("--") ? message : "--path-schedule" + message;
        NS_TEST_EXPECT_MSG_EQ(Reason(Parse(further)), whole, value);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PathScheduleTest, new PathScheduleFaultTest};
});

} // namespace ns3::gridftp
