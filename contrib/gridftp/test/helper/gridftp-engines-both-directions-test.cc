/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Uploads and downloads over one control connection, on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Everything in the result is equal, but for its cost, and the directions are those asked for.
class BothDirectionsTest : public EqualTest
{
  public:
    using EqualTest::EqualTest;

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        EqualTest::Compare(scenario, own, reference, line);
        const SessionResult& session = own.sessions.front();
        NS_TEST_EXPECT_MSG_EQ(session.served.size(), 1, "one login: " << line);
        for (size_t i = 0; i < session.files.size(); ++i)
        {
            const auto& directions = scenario.sessions.front().fileDirections;
            const size_t file = i % static_cast<size_t>(scenario.sessions.front().files);
            NS_TEST_EXPECT_MSG_EQ(
                (session.files[i].direction == directions[file % directions.size()]),
                true,
                i << ": " << line);
        }
    }

    void RemoveKnown(TransferResult& result) const override
    {
        // An upload ends when the server has all data, and may then send segments again whose ACKs
        // were lost: of these the engines differ in the row of the connection, not in the sums
        if (auto& detail = result.sessions.front().tcp->detail)
        {
            for (auto& connection : detail->connections)
            {
                connection.totals = {};
            }
        }
    }
};

/// @param draw random numbers @return a path, with the options of TCP
Members
DrawPath(Draw& draw)
{
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("reverse-bandwidth", draw.Of({"1Mbps", "10Mbps", "99Mbps"}));
    made.Add("delay", draw.Of({"1ms", "7ms", "50ms"}));
    made.Add("reverse-delay", draw.Of({"0ms", "1ms", "7ms", "100ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "100p", "400p"}));
    made.Add("reverse-queue", draw.Of({"5p", "20p", "100p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.01"}));
    made.Add("reverse-random-loss", draw.Of({"0", "0", "0.001", "0.01"}));
    made.Add("queue-discipline", draw.Of({"drop-tail", "drop-tail", "red"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random numbers @param made gets the options of a session with both directions
void
AddFiles(Draw& draw, Members& made)
{
    const std::string direction = draw.Of({"upload", "download"});
    const std::string other = direction == "upload" ? "download" : "upload";
    made.Add("direction", direction);
    const std::string more = draw.Of({"", "first", "second"});
    made.Add("file-directions",
             direction + (more == "first" ? ":" + direction : "") + ":" + other +
                 (more == "second" ? ":" + other : ""));
    made.Add("files", std::to_string(draw.Between(3, 7)));
    made.Add("file-size", std::to_string(draw.Between(1, 500'000)) + "B");
    made.Add("file-sizes", draw.Of({"fixed", "lognormal"}));
    made.Add("chunk-size", draw.Of({"40000B", "200000B", "100MB"}));
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("window", draw.Of({"16KiB", "64KiB", "256KiB"}));
    made.Add("control-security", draw.Of({"none", "none", "gsi"}));
    made.Add("repeat-for", draw.Of({"0s", "0s", "5s"}));
    made.Add("keepalive", draw.Of({"0s", "1s"}));
    if (draw.Below(2) == 0)
    {
        made.Add("mode", "fixed");
        made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    }
    else
    {
        made.Add("mode", draw.Of({"mi", "mi-plus", "aimd"}));
        made.Add("eta", draw.Of({"0.3", "0.8"}));
        made.Add("max-parallelism", "16");
    }
}

/// @param draw random numbers @return a session with both directions
std::string
DrawBoth(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    AddFiles(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @return the same, on links that add what PPP does
std::string
DrawPpp(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", "2B");
    AddFiles(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @return the same, on hosts whose CPUs take time
std::string
DrawCpu(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", "2B");
    AddFiles(draw, made);
    made.Add("request-cpu", draw.Of({"0ms", "3ms"}));
    made.Add("cpu-rate", draw.Of({"5Mbps", "200Mbps"}));
    made.Add("read-rate", draw.Of({"0Mbps", "8Mbps"}));
    made.Add("write-rate", draw.Of({"0Mbps", "8Mbps"}));
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {
        new BothDirectionsTest("both directions", &DrawBoth, 0, 10),
        new BothDirectionsTest("both directions, ns-3's links", &DrawPpp, 10, 14, LinkKind::NS3),
        new BothDirectionsTest("both directions, CPUs", &DrawCpu, 14, 18)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new BothDirectionsTest("both directions", &DrawBoth, 1000, 1060),
                new BothDirectionsTest("both directions, ns-3's links",
                                       &DrawPpp,
                                       1060,
                                       1080,
                                       LinkKind::NS3),
                new BothDirectionsTest("both directions, CPUs", &DrawCpu, 1080, 1100)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
