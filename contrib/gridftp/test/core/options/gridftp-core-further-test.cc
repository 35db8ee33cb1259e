/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-congestion-control.h"
#include "gridftp-core-test.h"
#include "gridftp-option-session.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

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

/// What --session and --background give.
class FurtherTest : public TestCase
{
  public:
    FurtherTest()
        : TestCase("options: further sessions and background connections")
    {
    }

  private:
    void DoRun() override
    {
        // The flat options may stand behind: the first session is complete before it is copied.
        const auto request = ParseTransfer(Arguments{"--session=mode=aimd,start=2.5s,delay=30ms",
                                                     "--eta=0.7",
                                                     "--session",
                                                     "eta=0.5,eta=0.6,mode=fixed,parallelism=3",
                                                     "--window=32KiB",
                                                     "--background",
                                                     "tcp=newreno,stop=9s,start=1s",
                                                     "--background=window=1MiB,delay=20ms,"
                                                     "direction=download",
                                                     "--delay=20ms",
                                                     "--start=1s"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const auto& sessions = request->scenario.sessions;
        NS_TEST_ASSERT_MSG_EQ(sessions.size(), 3, "the first and two");
        CheckSession(sessions[0], "mi", 0.7, 20'000'000, 1'000'000'000);
        CheckSession(sessions[1], "aimd", 0.7, 30'000'000, 2'500'000'000);
        CheckSession(sessions[2], "fixed", 0.6, 20'000'000, 1'000'000'000);
        NS_TEST_EXPECT_MSG_EQ(sessions[0].tuning.Get("parallelism"), 1, "not touched");
        NS_TEST_EXPECT_MSG_EQ(sessions[2].tuning.Get("parallelism"), 3, "given");
        const auto& background = request->scenario.background;
        NS_TEST_ASSERT_MSG_EQ(background.size(), 2, "");
        CheckBackground(background[0],
                        {.tcp = "newreno",
                         .direction = Direction::UPLOAD,
                         .delay = 20'000'000,
                         .buffers = {.window = 32'768},
                         .start = 1'000'000'000,
                         .stop = 9'000'000'000});
        CheckBackground(background[1],
                        {.tcp = "reno",
                         .direction = Direction::DOWNLOAD,
                         .delay = 20'000'000,
                         .buffers = {.window = 1'048'576}});
    }

    /**
     * @param session the session
     * @param mode of it
     * @param eta of it
     * @param delay of it, ns
     * @param start of it, ns
     */
    void CheckSession(const SessionSpec& session,
                      const std::string& mode,
                      double eta,
                      int64_t delay,
                      int64_t start)
    {
        NS_TEST_EXPECT_MSG_EQ(session.mode, mode, "");
        NS_TEST_EXPECT_MSG_EQ(session.tuning.Get("eta"), eta, mode);
        NS_TEST_EXPECT_MSG_EQ(session.buffers.window, 32'768, mode);
        NS_TEST_EXPECT_MSG_EQ(session.delay, delay, mode);
        NS_TEST_EXPECT_MSG_EQ(session.start, start, mode);
    }

    /**
     * @param background the connection
     * @param expected what it has to be
     */
    void CheckBackground(const BackgroundSpec& background, const BackgroundSpec& expected)
    {
        NS_TEST_EXPECT_MSG_EQ(background.tcp, expected.tcp, "");
        NS_TEST_EXPECT_MSG_EQ((background.direction == expected.direction), true, background.tcp);
        NS_TEST_EXPECT_MSG_EQ(background.delay, expected.delay, "ns");
        NS_TEST_EXPECT_MSG_EQ(background.buffers.window, expected.buffers.window, "bytes");
        NS_TEST_EXPECT_MSG_EQ(background.start, expected.start, "ns");
        NS_TEST_EXPECT_MSG_EQ(background.stop, expected.stop, "ns");
    }
};

/// What is wrong with --session and --background, in one line.
class FurtherFaultTest : public TestCase
{
  public:
    FurtherFaultTest()
        : TestCase("options: faults of further sessions and background connections")
    {
    }

  private:
    void DoRun() override
    {
        const std::string ratio = "; allowed: a number such as 0.8, above 0 to 1";
        const std::string keys =
            "; allowed: the keys load, tcp, direction, delay, window, "
            "buffers, max-buffer, start, stop, stack, hystart, pacing, pacing-rate, "
            "initial-window, min-rto, delayed-ack, sack, timestamps, "
            "limited-transmit, ecn";
        Expect({"--session", "eta=2"}, "--session 'eta=2' is out of range" + ratio);
        Expect({"--session=mode=mi,eta=x"}, "--session 'eta=x' is not a number" + ratio);
        Expect({"--session=etta=1"}, "--session 'etta=1' is unknown; did you mean 'eta='?");
        Expect({"--session=eta"},
               "--session 'eta' lacks a value; allowed: eta=X, " + ratio.substr(11));
        Expect({"--background=stop=2s,"}, "--background '' is unknown" + keys);
        Expect({"--background=streams=4"}, "--background 'streams=4' is unknown" + keys);
        Expect({"--background=direction=third-party"},
               "--background 'direction=third-party' is unknown; allowed: upload, download");
        Expect({"--background"},
               "--background lacks a value; allowed: --background=KEY=V,..., " + keys.substr(11));
        Expect({"--background", "--json"},
               "--background lacks a value; allowed: --background=KEY=V,..., " + keys.substr(11));
        Expect({"--background="}, "--background= is empty" + keys);
        Expect({"eta=1"}, "'eta=1' is not an option; allowed: --name=VALUE, see --help");
        Expect({"--session=parallelism=2"},
               "--session 'parallelism=2' is only used with mode fixed, not mi; allowed here: "
               "initial-parallelism");
        Expect({"--mode=fixed", "--session=parallelism=2"}, "no error");
        const std::string least = "; allowed: at least the bottleneck's";
        Expect({"--session=delay=9999us"},
               "--session 'delay=9999us' is below --delay=10ms" + least);
        Expect({"--background=delay=0s"}, "--background 'delay=0s' is below --delay=10ms" + least);
        Expect({"--background=delay=0s", "--delay=0s"}, "no error");
        Expect({"--session=direction=download"}, "no error");
        Expect({"--session=direction=third-party", "--direction=download"}, "no error");
        Expect({"--session=direction=download,server-host=shared"},
               "--session 'server-host=shared' uses the first session's server, which receives an "
               "upload; allowed with it: --direction=download");
        Expect({"--session=direction=download,files-of=0", "--files=2"},
               "--session 'files-of=0' of session 1 has files of the other direction; allowed: an "
               "earlier session of the same direction");
        const std::string later = "; allowed: a later time, or 0s for the end of the last session";
        Expect({"--background=stop=1s,start=1s"},
               "--background 'stop=1s' is not after start=1s" + later);
        Expect({"--background=stop=1.000000001s,start=1s"}, "no error");
        const std::string below =
            " is below one segment; allowed with these packets: at least 1460B";
        Expect({"--session=window=1459"}, "--session 'window=1459B'" + below);
        Expect({"--background=window=1459"}, "--background 'window=1459B'" + below);
        ExpectMost();
        ExpectStripes();
    }

    /// Numbers of stripes, and what goes with them.
    void ExpectStripes()
    {
        const std::string form = " is not MxN; allowed: M and N from 1 to 64, as in 4x4";
        for (const std::string text :
             {"4", "4x", "x4", "0x1", "65x1", "1x65", "-1x1", "4X4", "4x4 ", "1x1x1", "4.0x1"})
        {
            Expect({"--stripes=" + text}, "--stripes=" + text + form);
        }
        Expect({"--session=stripes=a"}, "--session 'stripes=a'" + form);
        Expect({"--stripes=1x1", "--mode=mi", "--stripe-layout=partitioned"}, "no error");
        Expect({"--stripes=4x4", "--mode=fixed"}, "no error");
        Expect({"--stripes=4x1"}, "no error");
        Expect({"--stripe-tuning=each"}, "no error"); // there is one pair
        Expect({"--stripes=16x15", "--stripe-tuning=each", "--max-parallelism=8"}, "no error");
        Expect({"--stripes=17x16", "--stripe-tuning=each"},
               "--stripes=17x16 has 272 pairs of stripes; allowed with stripe-tuning=each: up to "
               "256");
        Expect({"--stripes=4x20"},
               "--stripes=4x20 gives a host more than 16000 data connections; allowed with it: "
               "max-parallelism 1 to 800");
        Expect({"--stripes=4x1", "--mode=fixed", "--buffers=drs-gridftp"},
               "--stripes=4x1 needs buffers that TCP sizes; allowed with it: not "
               "buffers=drs-gridftp");
        Expect({"--stripes=4x4", "--mode=fixed", "--parallelism=16000"}, "no error");
        Expect({"--stripes=4x5", "--mode=fixed", "--parallelism=3200"}, "no error");
        Expect({"--stripes=4x5", "--mode=fixed", "--parallelism=3201"},
               "--stripes=4x5 gives a host more than 16000 data connections; allowed with it: "
               "parallelism 1 to 3200");
        Expect({"--mode=fixed", "--session=stripes=2x2,mode=mi"}, "no error");
        Expect({"--stripes=4x4", "--mode=fixed", "--engine=ns3"}, "no error");
    }

    /// As many as there may be, and one more.
    void ExpectMost()
    {
        Arguments many(2500, "--session=start=1s");
        many.insert(many.end(), 2499, "--background=start=1s");
        Expect(many, "no error");
        many.emplace_back("--background=start=1s");
        Expect(many,
               "--session, --arrivals and --background add up to 5001; allowed: 1 session to 5000 "
               "sessions and background connections together");
    }

    /**
     * @param arguments of a command line
     * @param fault what is wrong with it
     */
    void Expect(const Arguments& arguments, const std::string& fault)
    {
        NS_TEST_EXPECT_MSG_EQ(Fault(arguments), fault, arguments.front());
    }
};

/// What --fault gives, and where the client of a third-party transfer is.
class ServerFaultTest : public TestCase
{
  public:
    ServerFaultTest()
        : TestCase("options: faults of servers, and third parties")
    {
    }

  private:
    void DoRun() override
    {
        const auto request = ParseTransfer(Arguments{"--direction=third-party",
                                                     "--access-delay=3ms",
                                                     "--session=client-delay=0s",
                                                     "--fault=server=sender,at=2s,session=1",
                                                     "--fault",
                                                     "server=receiver"});
        NS_TEST_ASSERT_MSG_EQ(Reason(request), "no error", "");
        const auto& scenario = request->scenario;
        NS_TEST_EXPECT_MSG_EQ(scenario.sessions[0].clientDelay, 3'000'000, "the access links'");
        NS_TEST_EXPECT_MSG_EQ(scenario.sessions[1].clientDelay, 0, "given");
        NS_TEST_ASSERT_MSG_EQ(scenario.faults.size(), 2, "");
        NS_TEST_EXPECT_MSG_EQ((scenario.faults[0].server == FaultServer::SENDER), true, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[0].session, 1, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[0].at, 2'000'000'000, "ns");
        NS_TEST_EXPECT_MSG_EQ((scenario.faults[1].server == FaultServer::RECEIVER), true, "");
        NS_TEST_EXPECT_MSG_EQ(scenario.faults[1].at, 0, "from the beginning");
        const auto again = ParseScenarioJson(ScenarioToJson(scenario));
        NS_TEST_ASSERT_MSG_EQ(Reason(again), "no error", "read back");
        NS_TEST_EXPECT_MSG_EQ(ScenarioToJson(*again), ScenarioToJson(scenario), "the same");
        NS_TEST_EXPECT_MSG_EQ(Fault({"--fault=session=1"}),
                              "--fault 'session=1' does not exist; allowed: 0 to 0",
                              "");
        NS_TEST_EXPECT_MSG_EQ(Fault({"--fault=session=1", "--session=start=1s"}), "no error", "");
        NS_TEST_EXPECT_MSG_EQ(
            Fault({"--fault=server=sender"}),
            "--fault 'server=sender' does not exist with direction upload; allowed there: server",
            "");
        NS_TEST_EXPECT_MSG_EQ(Fault({"--fault=at=1s", "--direction=third-party"}),
                              "--fault 'server=server' does not exist with direction third-party; "
                              "allowed there: receiver, sender",
                              "");
        NS_TEST_EXPECT_MSG_EQ(
            Reason(ParseScenarioJson(R"({"faults": [{"at": "2m"}]})")),
            "\"faults\"[0] \"at\": \"2m\" has an unknown unit 'm'; allowed: a time "
            "such as 10ms, 0ns to 1000000s",
            "");
    }
};

/// What only ns-3 knows.
class EngineRulesTest : public TestCase
{
  public:
    EngineRulesTest()
        : TestCase("options: what an engine does not know is refused")
    {
    }

  private:
    void DoRun() override
    {
        const std::string there = " is not for --engine=segment; allowed there: ";
        const std::string more = " (--engine=ns3 allows more)";
        Expect("--links=ns3", "--links=ns3" + there + "lean" + more);
        Expect("--set=a=b", "--set=a=b" + there + "none" + more);
        Expect("--pcap=x", "--pcap=x" + there + "none" + more);
        std::string tcps;
        for (const auto& control : GetCongestionControls())
        {
            tcps += (tcps.empty() ? "" : ", ") + std::string(control.name);
        }
        const std::string types =
            tcps + " (--engine=ns3 has all of ns-3's, by TypeId, such as ns3::TcpBbr)";
        Expect("--tcp=ns3::TcpCubic", "--tcp=ns3::TcpCubic" + there + types);
        Expect("--session=tcp=x", "--session 'tcp=x'" + there + types);
        Expect("--background=tcp=x", "--background 'tcp=x'" + there + types);
        for (const std::string_view word : {"--sack=on",
                                            "--timestamps=on",
                                            "--limited-transmit=on",
                                            "--links=lean",
                                            "--tcp=newreno",
                                            "--trace=x",
                                            "--random-loss=0.1"})
        {
            NS_TEST_EXPECT_MSG_EQ(Fault({"--engine=segment", word}), "no error", word);
        }
    }

    /**
     * @param word of a command line that is right for engine ns3
     * @param fault what is wrong with it for engine segment
     */
    void Expect(std::string_view word, const std::string& fault)
    {
        NS_TEST_EXPECT_MSG_EQ(Fault({"--engine=segment", word}), fault, word);
        NS_TEST_EXPECT_MSG_EQ(Fault({word, "--engine=ns3"}), "no error", word);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new FurtherTest, new FurtherFaultTest, new ServerFaultTest, new EngineRulesTest};
});

} // namespace ns3::gridftp
