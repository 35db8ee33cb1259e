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
 * Paths whose two directions differ, and traffic in both, on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Everything in the result is equal, but for its cost.
class EqualTest : public DrawnTest
{
  public:
    /// @param what is random @param draw makes it @param first seed @param end behind the last
    /// @param links of engine ns3
    EqualTest(const std::string& what,
              std::string (*draw)(Draw&),
              uint32_t first,
              uint32_t end,
              LinkKind links = LinkKind::LEAN)
        : DrawnTest("equal in every digit, " + what, draw, first, end, links)
    {
    }

  private:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        NS_TEST_EXPECT_MSG_EQ(FindDifference(Tell(scenario, own), Tell(scenario, reference)),
                              "",
                              line);
        NS_TEST_EXPECT_MSG_EQ(own.links.size(), 2, "both directions: " << line);
    }

    /// @param scenario what was run @param result of it @return the result as text
    static std::string Tell(const Scenario& scenario, TransferResult result)
    {
        result.cost = {};
        return ResultToJson(scenario, result, {});
    }
};

/// @param draw random numbers @return a path, with the options of TCP
Members
DrawPath(Draw& draw)
{
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps"}));
    made.Add("reverse-bandwidth", draw.Of({"256kbps", "1Mbps", "10Mbps", "99Mbps"}));
    made.Add("delay", draw.Of({"1ms", "7ms", "50ms"}));
    made.Add("reverse-delay", draw.Of({"0ms", "1ms", "7ms", "100ms"}));
    made.Add("queue", draw.Of({"5p", "20p", "100p", "400p"}));
    made.Add("reverse-queue", draw.Of({"3p", "20p", "100p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.01"}));
    made.Add("reverse-random-loss", draw.Of({"0", "0", "0.001", "0.02"}));
    made.Add("queue-discipline", draw.Of({"drop-tail", "drop-tail", "red"}));
    made.Add("reverse-queue-discipline", draw.Of({"same", "drop-tail", "red"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random numbers @param made gets the options of a session
void
AddTransfer(Draw& draw, Members& made)
{
    const int64_t size = draw.Between(1, 3'000'000);
    made.Add("direction", draw.Of({"upload", "download"}));
    if (draw.Below(3) == 0)
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
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(size / draw.Between(1, 3) + 1) + "B");
    made.Add("data-channels", draw.Of({"fresh", "cached"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    made.Add("window", draw.Of({"16KiB", "64KiB", "256KiB", "1MiB"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
}

/// @param draw random numbers @return a session alone on an asymmetric path
std::string
DrawAsymmetric(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    AddTransfer(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @return the same, on links that add what PPP does
std::string
DrawPpp(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", "2B");
    AddTransfer(draw, made);
    return made.GetObject();
}

/// @param draw random numbers @param withLoad whether some of it are datagrams @return a session
/// next to traffic in either direction
std::string
DrawTraffic(Draw& draw, bool withLoad)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    AddTransfer(draw, made);
    std::string background;
    for (int64_t i = draw.Between(1, 2); i > 0; --i)
    {
        Members one;
        one.Add("direction", draw.Of({"upload", "download"}));
        one.Add("start", std::to_string(draw.Between(0, 1000)) + "ms");
        if (withLoad && draw.Below(2) == 0)
        {
            // With more TCP comes to an RTO of 60 s, where ns-3 does not show its timeouts
            one.Add("load", draw.Of({"0.05", "0.3", "0.5"}));
        }
        background += (background.empty() ? "" : ", ") + one.GetObject();
    }
    made.AddList("background", background);
    return made.GetObject();
}

/// @param draw random numbers @return a session next to plain TCP in either direction
std::string
DrawTcpTraffic(Draw& draw)
{
    return DrawTraffic(draw, false);
}

/// @param draw random numbers @return a session next to plain TCP and datagrams in either direction
std::string
DrawLoads(Draw& draw)
{
    return DrawTraffic(draw, true);
}

/// @param draw random numbers @return sessions in opposite directions
std::string
DrawOpposite(Draw& draw)
{
    Members made = DrawPath(draw);
    made.Add("link-header", draw.Of({"0B", "2B", "18B", "38B"}));
    Members first;
    AddTransfer(draw, first);
    Members second;
    AddTransfer(draw, second);
    second.Add("start", std::to_string(draw.Between(0, 2000)) + "ms");
    made.AddList("sessions", first.GetObject() + ", " + second.GetObject());
    return made.GetObject();
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EqualTest("two directions", &DrawAsymmetric, 0, 10),
            new EqualTest("two directions, ns-3's links", &DrawPpp, 10, 16, LinkKind::NS3),
            new EqualTest("traffic in reverse", &DrawTcpTraffic, 16, 26),
            new EqualTest("load in reverse", &DrawLoads, 26, 32)};
});

const OwnTestCases g_moreCases(
    []() -> std::vector<TestCase*> {
        return {new EqualTest("two directions", &DrawAsymmetric, 1000, 1080),
                new EqualTest("two directions, ns-3's links", &DrawPpp, 1080, 1100, LinkKind::NS3),
                new EqualTest("traffic in reverse", &DrawTcpTraffic, 1100, 1160),
                new EqualTest("load in reverse", &DrawLoads, 1160, 1200),
                new SharedTest("sessions in opposite directions", &DrawOpposite, 1200, 1240)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
