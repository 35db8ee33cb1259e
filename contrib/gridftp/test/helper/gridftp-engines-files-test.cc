/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param draw random draws @return members of a session that moves several files
Members
DrawFiles(Draw& draw)
{
    Members made;
    const std::string direction = draw.Of({"upload", "download", "third-party"});
    made.Add("direction", direction);
    // Of a single server it is told how long its process is there
    made.Add("server-memory", direction == "third-party" ? "0B" : "2B");
    made.Add("host-memory", "1B");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("file-size", std::to_string(draw.Between(1, 300'000)) + "B");
    made.Add("chunk-size", draw.Of({"30000B", "150000B", "100MB"}));
    made.Add("file-sizes", draw.Of({"fixed", "lognormal", "1B:200000B:30000B"}));
    made.Add("file-size-spread", draw.Of({"0", "0.5", "1"}));
    made.Add("repeat-for", draw.Of({"0s", "0s", "1ms", "700ms", "3s"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("queue", draw.Of({"60p", "400p"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @return one session with several files
std::string
DrawOneSession(Draw& draw)
{
    Members made = DrawFiles(draw);
    made.Add("mode", draw.Of({"mi", "mi-plus", "aimd"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("start-jitter", draw.Of({"0ms", "1ms"}));
    return made.GetObject();
}

/// @param draw random draws @return clients of one server, on access links of several rates
std::string
DrawClients(Draw& draw)
{
    Members made;
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 2)));
    made.Add("direction", "download");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("file-size", std::to_string(draw.Between(1000, 300'000)) + "B");
    made.Add("repeat-for", draw.Of({"500ms", "2s"}));
    made.Add("queue", "1000p");
    made.Add("source", draw.Of({"memory", "disk"}));
    made.Add("source-rate", draw.Of({"20Mbps", "200Mbps"}));
    made.Add("source-seek", draw.Of({"0ms", "2ms"}));
    made.Add("source-open", "1234567ns");
    made.Add("source-contention", "76543ns");
    made.Add("server-host", "shared");
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    std::string blocks;
    for (const std::string rate : {"10Mbps", "100Mbps"})
    {
        Members arrivals;
        arrivals.Add("count", std::to_string(draw.Between(1, 4)));
        arrivals.Add("interval", draw.Of({"130ms", "410ms"}));
        arrivals.Add("access-bandwidth", rate);
        blocks += (blocks.empty() ? "" : ", ") + arrivals.GetObject();
    }
    made.AddList("arrivals", blocks);
    return made.GetObject();
}

/// @param draw random draws @return sessions that share a data set
std::string
DrawSharedFiles(Draw& draw)
{
    Members made;
    made.Add("mode", "fixed");
    made.Add("parallelism", "1");
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("data-channels", "cached");
    made.Add("file-size", std::to_string(draw.Between(1000, 200'000)) + "B");
    made.Add("files", std::to_string(draw.Between(2, 20)));
    made.Add("file-sizes", draw.Of({"fixed", "lognormal"}));
    made.Add("queue", "1000p");
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    Members arrivals;
    arrivals.Add("count", std::to_string(draw.Between(1, 4)));
    arrivals.Add("interval", draw.Of({"7ms", "130ms"}));
    arrivals.Add("files-of", "0");
    made.AddList("arrivals", arrivals.GetObject());
    return made.GetObject();
}

/// All files of a data set are there, whoever moved them, within the sessions' time.
class FilesTest : public SharedTest
{
  public:
    using SharedTest::SharedTest;

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        for (const auto* result : {&own, &reference})
        {
            NS_TEST_EXPECT_MSG_EQ(result->reason, "", line);
            size_t files = 0;
            for (const auto& session : result->sessions)
            {
                int64_t after = session.startNs.value_or(0);
                for (const auto& file : session.files)
                {
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(file.startNs, after, line);
                    NS_TEST_EXPECT_MSG_GT(file.endNs, file.startNs, line);
                    after = file.endNs;
                }
                files += session.files.size();
            }
            if (scenario.sessions.front().repeatFor == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(files,
                                      static_cast<size_t>(scenario.sessions.front().files),
                                      line);
            }
        }
        for (size_t i = 0; i < own.sessions.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(own.sessions[i].files.size(),
                                  reference.sessions[i].files.size(),
                                  line);
        }
    }
};

constexpr double SPARE_PACKETS = 20; //!< that may differ, of connections that close after each file

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("several files", &DrawOneSession, 0, 25, SPARE_PACKETS),
            new EnginesTest("several files over ns-3's links",
                            &DrawOneSession,
                            25,
                            30,
                            SPARE_PACKETS,
                            LinkKind::NS3),
            new FilesTest("clients of one server", &DrawClients, 0, 12),
            new FilesTest("sessions that share files", &DrawSharedFiles, 0, 15)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("several files", &DrawOneSession, 30, 300, SPARE_PACKETS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
