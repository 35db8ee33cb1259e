/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-random.h"
#include "gridftp-schedule-resample.h"
#include "gridftp-schedule-table.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Tables that other programs write.
class ScheduleTableTest : public TestCase
{
  public:
    ScheduleTableTest()
        : TestCase("schedule: tables of time and rate, in the forms that people have")
    {
    }

  private:
    void DoRun() override
    {
        const std::string two = "0:4072900 500000000:1500000 ";
        Expect("0.0 4.0729\n0.5\t1.5\n", two);
        Expect("1506436807.25 4.0729\n1506436807.75 1.5\n", two);
        Expect("1506436807250 4.0729\n1506436807750 1.5\n", two);
        Expect("0.000000000000000000e+00 4.072900000000000000e+00\n5.0e-01 1.5e+00\n", two);
        Expect("0.0,4.0729\n0.5,1.5\n", two);
        Expect("sep=;\n\"Time (s)\";\"Throughput (Mbps)\"\n0,0;4,0729\n0,5;1,5\n", two);
        Expect("0,0 4,0729\n0,5 1,5\n", two);
        Expect(",time,throughput\n0,0.0,4.0729\n1,0.5,1.5\n", two);
        Expect(",throughput\n0.0,4.0729\n0.5,1.5\n", two);
        Expect("time_ms\trate_kbps\n0\t4072.9\n500\t1500\n", two);
        Expect("Timestamp,Speed,RSRP,DL_bitrate,UL_bitrate\n"
               "2019.12.16_13.40.04,3,-90,4072.9,9\n2019.12.16_13.40.04.5,-,-,1500,9\n",
               two);
        Expect("t,bytes_sec,x\n7,509112.5,a\n7.5,187500,\"b,c\"\n", two);
        Expect("Time Throughput (Mbps)\n0 4.0729\n0.5 1.5\n", two);
        Expect("time_s;rate_Mbps;delay_ms\n1;2,5;20\n2;1;\n",
               "1000000000:2500000:20000000 "
               "2000000000:1000000 ");
        Expect("0 1\n1 nan\n2 3\n2 5\n3 0.0004\n4 2\n",
               "0:1000000 2000000000:4000000 3000000000:0 4000000000:2000000 ");
        Expect("a,b,c\n1,2,0\n3,4,10\n", "0:2000 10000000:4000 ", {"c", "2", "ms", "kbps"});
        Expect("1,9,2\n2,9,4\n", "0:2000000 1000000000:4000000 ", {"1", "3", "", ""});
        CheckTimes();
        CheckUnits();
        CheckDownloads();
        CheckJson();
        CheckNotes();
        CheckRefused();
        CheckDamaged();
        CheckResampled();
        CheckLong();
    }

    /// @param content of a file @param expected its rows @param reading what the user specifies
    void Expect(std::string_view content,
                const std::string& expected,
                const TableReading& reading = {})
    {
        const auto given = ParseScheduleTable(content, reading);
        NS_TEST_ASSERT_MSG_EQ(Reason(given), "no error", content);
        std::string shown;
        for (const auto& row : given->rows)
        {
            shown += std::to_string(row.startNs) + ":" + std::to_string(row.rateBps.value_or(-1)) +
                     (row.delayNs ? ":" + std::to_string(*row.delayNs) : "") + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(shown, expected, content);
    }

    /// Times of day, dates of several kinds, times in minutes.
    void CheckTimes()
    {
        const std::string two = "0:4072900 500000000:1500000 ";
        Expect("time,rate\n10:22:05,4.0729\n10:22:05.5,1.5\n", two);
        Expect("9:22:05 4.0729\n9:22:05.5 1.5\n", two);
        Expect("time,rate\n23:59:59.75,4.0729\n00:00:00.25,1.5\n", two);
        Expect("time,rate\n23:59:59,1\n00:00:01,2\n23:59:59,3\n00:00:01,4\n",
               "0:1000000 2000000000:2000000 86400000000000:3000000 86402000000000:4000000 ");
        Expect("time;rate\n13.01.2021 10:22:05;4,0729\n13.01.2021 10:22:05,5;1,5\n", two);
        Expect("time,rate\n2021-10-17 23:59,1\n2021-10-18 00:00,2\n",
               "0:1000000 60000000000:2000000 ");
        const std::string minutes = "0:1000000 30000000000:2000000 ";
        Expect("Elapsed time (min),Rate (kbps)\n2,1000\n2.5,2000\n", minutes);
        Expect("rate;time_min\n1;0\n2;0,5\n", minutes);
        Expect("t (hours),Mbps\n0,1\n1,2\n", "0:1000000 3600000000000:2000000 ");
        Expect("Time (UTC),rate\n1506436807,1\n1506436837,2\n", minutes);
        Refuse("Time (weeks),rate\n0,1\n",
               "line 2: the unit of 'Time (weeks)' is unknown; allowed: time-unit=s|ms|us|ns");
        Refuse("time,rate\n10:22:05,1\n10:22:04,1\n",
               "line 3: time '10:22:04' is before that of an earlier row; allowed: not before it, "
               "one measurement in a file");
    }

    /// Units in headers and in cells.
    void CheckUnits()
    {
        const std::string two = "0:4072900 500000000:1500000 ";
        Expect("time,rate\n0,4.0729 Mbps\n0.5,1500 kbit/s\n", two);
        Expect("time,rate (Mbps)\n0,4.0729\n0.5,187.5kB/s\n", two);
        Expect("time rate delay_ms\n0 4072.9kbit 20\n0.5 1.5mbit 20\n",
               "0:4072900:20000000 500000000:1500000:20000000 ");
        Expect("0 4072.9kbit\n0.5 1.5Mbit/s\n", two);
        Expect("t,goodput_bits_per_second\n0,4072900\n0.5,1500000\n", two);
        Expect("t,bytes_per_sec\n0,509112.5\n0.5,187500\n", two);
        Expect("t,rate (MByte/s)\n0,0.5091125\n0.5,0.1875\n", two);
        Expect("t;rate [Kilobits per second]\n0;4072,9\n0,5;1500\n", two);
        Expect("t,MiB/s\n0,1\n1,2\n", "0:8388608 1000000000:16777216 ");
        Expect("t,x_Kibit/s\n0,1\n1,2\n", "0:1024 1000000000:2048 ");
        Expect("% of MATLAB\n// of C\n0 4.0729\n0.5 1.5\n", two);
        Refuse("time,rate\n0,5 apples\n",
               "line 2: rate '5 apples' is not a rate; allowed: a number such as 12.5, or nothing");
        Refuse("time,total_MByte\n0,5\n",
               "line 1: no column of 'time', 'total_MByte' is known as a rate; allowed: "
               "rate-column=NAME, or its number");
    }

    /// Bytes over the time since the line before, as HSDPA and 4G were measured.
    void CheckDownloads()
    {
        const std::string two = "0:1000000 1000000000:2000000 ";
        Expect("1289406399 549001 59.85 10.78 125000 1000\n1289406400 550001 59.85 10.78 250000 "
               "1000\n",
               two);
        Expect("1453121790686,1000,51,-3.73,125000,1000\n1453121791686,2000,51,-3.73,250000,1000\n",
               two);
        Expect("1453121790686 1 51.03 3.73 0 4\n1453121791690 1005 51.03 3.73 125500 1004\n",
               "0:0 4000000:1000000 ");
        Refuse("1289406399 5 59.8 10.7 125000 1000\n1289406400 1005 59.8 10.7 x 1000\n",
               "line 2: 'x' bytes in '1000' ms are not a rate; allowed: 0 to 100000000 bytes, 1 to "
               "1000000000 ms");
        Refuse("1289406399 5 95.8 10.7 125000 1000\n",
               "line 1: has 6 columns and no header; allowed: time and rate, or time-column=N and "
               "rate-column=N");
        NS_TEST_EXPECT_MSG_EQ(
            ParseScheduleTable("1289406399 5 59.8 10.7 125000 1000\n", {})->note,
            "read as time (column 2 in ms) and rate (the bytes of column 5 over the ms of column "
            "6), 1 rows, each rate until the next row; time 0 is 5",
            "a log of downloads");
        Expect("1289406399 549001 59.85 10.78 125000 1000\n1289406400 549002 5 5 9 1\n",
               "0:125000 1000000:0 ",
               {"2", "5", "ms", "bps"});
    }

    /// JSON in the forms that simulators of video have.
    void CheckJson()
    {
        const std::string two = "0:4072900 500000000:1500000 ";
        Expect("[{\"time\": 0, \"rate\": 4.0729}, {\"rate\": 1.5, \"x\": [], \"time\": 0.5}]", two);
        Expect("[{\"t\":7,\"bw\":\"4.0729 Mbps\"},\n {\"t\":7.5,\"bw\":\"1500kbit\"}]\n", two);
        Expect("{\"time_s\": 0, \"bps\": 4072900}\n\n{\"time_s\": 0.5, \"bps\": 1.5e6}\n", two);
        Expect("{\"id\": 3, \"log\": {\"of\": [[0, 4.0729], [0.5, 1.5]]}, \"tags\": [\"a\"]}", two);
        Expect("{\"time\": [0, 0.5], \"throughput_kbps\": [4072.9, 1500]}", two);
        Expect("[[0, 1], [1, null], [2, 3]]", "0:1000000 2000000000:3000000 ");
        Expect("[{\"duration_ms\": 500, \"bandwidth_kbps\": 4072.9, \"latency_ms\": 9},"
               " {\"duration_ms\": 9, \"bandwidth_kbps\": 1500, \"latency_ms\": 9}]",
               two);
        Expect("bw,duration (s)\n4.0729,0.5\n1.5,1\n", two);
        const std::string allowed = "; allowed: a list with a time and a rate in each item, "
                                    "[{\"time\": 0, \"rate\": 5}, ...]";
        Refuse("[1, 2]", "is JSON with 0 lists of objects or lists" + allowed);
        Refuse("{\"a\": [[0, 1]], \"b\": [[0, 1]]}",
               "is JSON with 2 lists of objects or lists" + allowed);
        Refuse("[{\"time\": 0, \"rate\": 5}, {\"time\": 1, \"rate\": \"x\"}]",
               "item 2: rate 'x' is not a rate; allowed: a number such as 12.5, or nothing");
        Refuse("[[0, 5], [1, -5]]",
               "item 2: rate '-5' is not a rate; allowed: a number such as 12.5, or nothing");
        Refuse("[[0, 5], [1]]", "item 2: '1' has 1 cells; allowed: 2");
        Refuse("duration,rate\n0,5\n",
               "line 2: duration '0' is not a duration; allowed: a number above 0, at most 1000000 "
               "s with all before");
        Refuse("duration (h),rate\n100,5\n178,5\n",
               "line 3: duration '178' is not a duration; allowed: a number above 0, at most "
               "1000000 s with all before");
        NS_TEST_EXPECT_MSG_EQ(
            Contains(Reason(ParseScheduleTable("[{\"time\": 0,", {})), "is not JSON, "),
            true,
            "cut short");
    }

    /// How a file was understood.
    void CheckNotes()
    {
        NS_TEST_EXPECT_MSG_EQ(ParseScheduleTable("5 1\n6 \t 2\n", {})->note,
                              "read as time (column 1 in s, assumed (time-unit=UNIT)) and rate "
                              "(column 2 in Mbps, assumed (rate-unit=UNIT)), 2 rows, each rate "
                              "until the next row; time 0 is 5",
                              "without a header");
        NS_TEST_EXPECT_MSG_EQ(
            ParseScheduleTable("time_s,DL_bitrate,x\n0,5,1\n1,-,1\n2,0.5,1\n3,1,1\n3,2,1\n", {})
                ->note,
            "read as time ('time_s' in s) and rate ('DL_bitrate' in kbps), 3 rows, each rate until "
            "the next row; 1 without a rate left out; 1 averaged with others of the same time; 1 "
            "below 1kbps are 0",
            "with one");
    }

    /// @param content of a file @param message what is wrong @param reading what the user specifies
    void Refuse(std::string_view content,
                const std::string& message,
                const TableReading& reading = {})
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseScheduleTable(content, reading)), message, content);
    }

    /// What is ambiguous or wrong.
    void CheckRefused()
    {
        Refuse("1 2 3\n",
               "line 1: has 3 columns and no header; allowed: time and rate, or time-column=N and "
               "rate-column=N");
        Refuse("time,bw_a,bw_b\n",
               "line 1: each of 'bw_a', 'bw_b' may be the rate; allowed: rate-column=NAME, or its "
               "number");
        Refuse("time,rate\n", "has a header and no rows; allowed: at least one");
        Refuse("0 1\n1\n", "line 2: '1' has 1 cells; allowed: 2");
        Refuse("0 1\n5 2\n3 1\n",
               "line 3: time '3' is before that of an earlier row; allowed: not before it, one "
               "measurement in a file");
        Refuse("0 1\n1 -2\n",
               "line 2: rate '-2' is not a rate; allowed: a number such as 12.5, or nothing");
        Refuse("0 1\nx 2\n",
               "line 2: time 'x' is not a time; allowed: a number such as 12.5, or a date such as "
               "2021-10-17T12:00:00.5");
        Refuse("0 5000000\n",
               "line 1: rate '5000000' in Mbps is above 1Tbps; allowed: another unit, "
               "rate-unit=bps|kbps|Mbps|Gbps|B/s|kB/s|MB/s|GB/s");
        Refuse("a,b\n1,2\n",
               "line 1: time-column=z is not in the header; allowed: time-column=NAME, or its "
               "number",
               {"z", "b", "", ""});
    }

    /// Nothing that is damaged ends the program, and what is wrong is one line.
    void CheckDamaged()
    {
        constexpr std::string_view SIGNS = "0159,;\t .-e\"\n#[]{}:";
        for (uint32_t i = 0; i < CountDraws(6000); ++i)
        {
            std::string text = i % 3 == 0   ? "1506436807.25 4.0729\n1506436808.75 1.5\n"
                               : i % 3 == 1 ? "time;Throughput (Mbps)\n0,5;4,0729\n1,5;2e3\n"
                                            : "[{\"duration_ms\":5,\"bw\":4},{\"bw\":\"5 kbps\"}]";
            for (uint64_t change = 0; change < 3; ++change)
            {
                const auto at = UniformBelow(KeyedRandom({i, change, 0}), text.size());
                text[at] = SIGNS[UniformBelow(KeyedRandom({i, change, 1}), SIGNS.size())];
            }
            const auto read = ParseScheduleTable(text, {});
            NS_TEST_EXPECT_MSG_EQ(Contains(Reason(read), "\n"), false, text);
        }
    }

    /// Fewer rows carry as much.
    void CheckResampled()
    {
        NS_TEST_EXPECT_MSG_EQ(ChooseInterval(100, 100), 1, "as it is");
        NS_TEST_EXPECT_MSG_EQ(ChooseInterval(101, 100), 2, "1, 2, 5");
        NS_TEST_EXPECT_MSG_EQ(ChooseInterval(2'001, 100), 50, "20 is too little");
        const std::vector<LinkRow> rows{{0, 4'000, 10}, {1, 8'000, 30}, {4, 2'000, 30}};
        const std::vector<LinkRow> made{{0, 6'000, 20}, {2, 8'000, 30}, {4, 2'000, 30}};
        NS_TEST_EXPECT_MSG_EQ((ResampleRows(rows, 4, 2) == made), true, "means");
        for (uint64_t i = 0; i < CountDraws(50); ++i)
        {
            std::vector<LinkRow> path;
            int64_t now = 0;
            for (uint64_t k = 0; k < 300; ++k)
            {
                const auto rate = UniformBelow(KeyedRandom({i, k, 0}), 1'000'000'000);
                path.push_back({now, static_cast<int64_t>(k % 7 == 0 ? 0 : rate), 0});
                now +=
                    1 + static_cast<int64_t>(UniformBelow(KeyedRandom({i, k, 1}), 3'000'000'000));
            }
            const int64_t end = path.back().startNs;
            const int64_t interval = ChooseInterval(end, 50);
            const auto fewer = ResampleRows(path, end, interval);
            NS_TEST_EXPECT_MSG_EQ((fewer.size() <= 51), true, "with the last row");
            const double before = LinkSchedule(path, 0).GetCapacity(0, end).GetBits();
            const double after = LinkSchedule(fewer, 0).GetCapacity(0, end).GetBits();
            const double half = static_cast<double>(interval) / 1e9; // of 1 bit/s, and rounding
            NS_TEST_EXPECT_MSG_EQ_TOL(after, before, half, "the same bits");
        }
    }

    /// A file with more rows than a schedule may have.
    void CheckLong()
    {
        std::string text;
        for (int i = 0; i <= 50'000; ++i)
        {
            text += std::to_string(i) + " " + std::to_string(1 + i % 3) + "\n";
        }
        const FileReader read = [&text](const std::string&) { return Expected<std::string>(text); };
        const auto request =
            ParseTransfer(std::vector<std::string_view>{"--path-schedule=long.txt"}, read);
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "resampled");
        const LinkSchedule& schedule = request->scenario.path.schedule;
        NS_TEST_EXPECT_MSG_EQ(schedule.GetRows().size(), 10'001, "intervals of 5 s, and the last");
        const int64_t end = 50'000'000'000'000;
        NS_TEST_EXPECT_MSG_EQ_TOL(schedule.GetCapacity(0, end).GetBits(),
                                  99'999'000'000.0,
                                  5,
                                  "MB");
        NS_TEST_EXPECT_MSG_EQ(request->notes.size(), 2, "how it was read, and resampled");
        NS_TEST_EXPECT_MSG_EQ(request->notes[1],
                              "--path-schedule=long.txt 50001 rows are resampled to 10001, of 5s "
                              "each, with the mean rate, so that they carry the same bytes",
                              "said");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ScheduleTableTest}; });

} // namespace
