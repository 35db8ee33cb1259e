/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-engines-drawn.h"
#include "gridftp-storage-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-congestion-control.h"
#include "ns3/gridftp-tool-kind.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Packets of 40 bytes, more or less, of connections that close.
constexpr double FINS = 20;
/// Of tools that close nothing.
constexpr double EXACT = 0;

/// @param draw random draws @param made gets what blocks cost the CPU of a host, sometimes
void
DrawCosts(Draw& draw, Members& made)
{
    for (const std::string end : {"sender", "receiver"})
    {
        if (draw.Below(4) == 0)
        {
            made.Add(end + "-call-cpu", std::to_string(draw.Between(1, 2'000'000)) + "ns");
            made.Add(end + "-call-size", draw.Of({"0B", "65537B"}));
            made.Add(end + "-file-cpu", std::to_string(draw.Between(1, 500'000)) + "ns");
            made.Add(end + "-file-rate", draw.Of({"0Mbps", "77777777bps"}));
            made.Add(end + "-rpc-cpu", std::to_string(draw.Between(1, 100'000)) + "ns");
        }
    }
}

/// @param draw random draws @param made gets storages at both ends, or at one
void
DrawStorages(Draw& draw, Members& made)
{
    const uint64_t ends = draw.Below(3);
    if (ends != 0)
    {
        DrawStorage(draw, made, "source", false);
    }
    if (ends != 1)
    {
        DrawStorage(draw, made, "sink", false);
    }
    DrawCosts(draw, made);
}

/// @param draw random draws @param tool that moves the file @return such a session
Members
DrawSession(Draw& draw, const std::string& tool)
{
    Members made;
    made.Add("tool", tool);
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("bandwidth", draw.Of({"3Mbps", "10Mbps", "100Mbps"}));
    made.Add("delay", draw.Of({"1us", "1ms", "7ms", "50ms"}));
    made.Add("queue", draw.Of({"20p", "100p", "400p"}));
    made.Add("random-loss", draw.Of({"0", "0", "0.001", "0.02"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    return made;
}

/// @param draw random draws @param tool of datagrams @return a session of it
Members
DrawDatagrams(Draw& draw, const std::string& tool)
{
    Members made = DrawSession(draw, tool);
    made.Add("file-size", std::to_string(draw.Between(1, 2'000'000)) + "B");
    made.Add("access-bandwidth", draw.Of({"33Mbps", "130Mbps"}));
    made.Add("tool-rate", std::to_string(draw.Between(2000, 60'000)) + "kbps");
    made.Add("tool-payload", std::to_string(draw.Between(300, 1456)) + "B");
    made.Add("tool-send-buffer", draw.Of({"1500B", "20000B", "64KiB", "1MiB"}));
    made.Add("tool-receive-buffer", draw.Of({"65000B", "200000B", "8MiB"}));
    made.Add("tool-udt-buffer", draw.Of({"32", "100", "1000", "8192"}));
    made.Add("tool-udt-pacing", draw.Of({"ideal", "ideal", "tick"}));
    made.Add("tool-fobs-batch", std::to_string(draw.Between(1, 20)));
    made.Add("tool-fobs-acknowledge", std::to_string(draw.Between(1, 200)));
    made.Add("tool-fobs-control", draw.Of({"off", "on"}));
    return made;
}

/// @param draw random draws @return a session of UDT
std::string
DrawUdt(Draw& draw)
{
    Members made = DrawDatagrams(draw, "udt");
    DrawStorages(draw, made);
    return made.GetObject();
}

/// @param draw random draws @return a session of RBUDP
std::string
DrawRbudp(Draw& draw)
{
    Members made = DrawDatagrams(draw, "rbudp");
    DrawStorages(draw, made);
    return made.GetObject();
}

/// @param draw random draws @return a session of FOBS
std::string
DrawFobs(Draw& draw)
{
    Members made = DrawDatagrams(draw, "fobs");
    DrawStorages(draw, made);
    return made.GetObject();
}

/// @param draw random draws @return a session of bbFTP
Members
DrawStreams(Draw& draw)
{
    Members made = DrawSession(draw, "bbftp");
    made.Add("file-size", std::to_string(draw.Between(1, 3'000'000)) + "B");
    made.Add("tool-streams", std::to_string(draw.Between(1, 6)));
    made.Add("tool-window", draw.Of({"given", "product"}));
    made.Add("tool-compression", draw.Of({"1", "1", "2.5", "1000"}));
    made.Add("window", draw.Of({"8KiB", "64KiB", "256KiB"}));
    made.Add("send-buffer", draw.Of({"0B", "64KiB"}));
    made.Add("delayed-ack", draw.Of({"1", "2"}));
    made.Add("initial-window", draw.Of({"2", "10"}));
    made.Add("tcp", std::string(draw.Of(NamesOf(GetCongestionControls()))));
    return made;
}

/// @param draw random draws @return a session of bbFTP
std::string
DrawBbftp(Draw& draw)
{
    Members made = DrawStreams(draw);
    DrawStorages(draw, made);
    return made.GetObject();
}

/// @param draw random draws @return a session of bbFTP that something goes wrong with
std::string
DrawFaulty(Draw& draw)
{
    Members made = DrawStreams(draw);
    DrawStorages(draw, made);
    Members fault;
    const std::string kind = draw.Of({"control-reset", "data-reset", "link-down"});
    fault.Add("kind", kind);
    fault.Add("at", std::to_string(draw.Between(0, 4'000'000)) + "us");
    fault.Add("for", kind == "link-down" ? draw.Of({"700ms", "5s"}) : draw.Of({"0s", "5s"}));
    if (kind == "data-reset")
    {
        fault.Add("connection", std::to_string(draw.Between(0, 3)));
        fault.Add("server", draw.Of({"server", "client"}));
    }
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// @param draw random draws @return a session of any tool whose disk stands still for a while
std::string
DrawStalled(Draw& draw)
{
    const std::string tool = draw.Of({"udt", "rbudp", "bbftp"});
    Members made = tool == "bbftp" ? DrawStreams(draw) : DrawDatagrams(draw, tool);
    for (const std::string end : {"source", "sink"})
    {
        made.Add(end, "disk");
        made.Add(end + "-rate", std::to_string(draw.Between(3'000'000, 200'000'000)) + "bps");
    }
    Members fault;
    fault.Add("kind", "disk-stall");
    fault.Add("server", draw.Of({"server", "client"}));
    fault.Add("at", std::to_string(draw.Between(0, 2'000'000)) + "us");
    fault.Add("for", std::to_string(draw.Between(1, 3'000'000)) + "us");
    made.AddList("faults", fault.GetObject());
    return made.GetObject();
}

/// What both engines make of disks whose limits are known, with every tool.
class ToolStorageTest : public TestCase
{
  public:
    ToolStorageTest()
        : TestCase("storage with every tool: a slow one is the rate, a fast one changes little")
    {
    }

  private:
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    static constexpr int64_t BYTES = 4'000'000;
    static constexpr int64_t SLOW_NS = 1'600'000'000; //!< of them at 20 Mbit/s

    /// @param engine of the run @param tool that moves the file @param more of it @return the
    /// session
    SessionResult Run(Engine engine, const std::string& tool, const Pairs& more)
    {
        Members made;
        made.Add("tool", tool);
        made.Add("file-size", std::to_string(BYTES) + "B");
        made.Add("bandwidth", "50Mbps");
        made.Add("access-bandwidth", "100Mbps");
        made.Add("delay", "3ms");
        made.Add("queue", "1000p");
        made.Add("window", "256KiB");
        made.Add("tool-rate", "45Mbps");
        for (const auto& [name, value] : more)
        {
            made.Add(name, value);
        }
        const auto scenario = ParseScenarioJson(made.GetObject());
        NS_TEST_EXPECT_MSG_EQ((scenario ? "" : scenario.GetError().message), "", tool);
        const auto result =
            engine == Engine::NS3 ? RunOnNs3(*scenario, {}) : RunOnSegments(*scenario);
        Config::Reset();
        const SessionResult& session = result->sessions.front();
        NS_TEST_EXPECT_MSG_EQ(session.reason, "", tool);
        NS_TEST_EXPECT_MSG_EQ(session.bytes, BYTES, tool);
        return session;
    }

    void DoRun() override
    {
        for (const Engine engine : {Engine::SEGMENT, Engine::NS3})
        {
            for (const auto& kind : GetToolKinds())
            {
                Check(engine, std::string(kind.name));
            }
        }
    }

    /// @param engine of the runs @param tool that moves the file
    void Check(Engine engine, const std::string& tool)
    {
        const int64_t free = Run(engine, tool, {}).durationNs;
        NS_TEST_EXPECT_MSG_LT(free, SLOW_NS * 8 / 10, tool << ": the network is faster");
        for (const std::string end : {"source", "sink"})
        {
            const auto slow = Run(engine, tool, {{end, "disk"}, {end + "-rate", "20Mbps"}});
            // GridFTP begins to write when it has a block of 1 MiB. Of FOBS, which sends again what
            // waits in the socket, the disk waits for new packets
            const bool isGreedy = tool == "fobs" && end == "sink";
            const int64_t most = isGreedy ? SLOW_NS : SLOW_NS / 4;
            NS_TEST_EXPECT_MSG_GT(slow.durationNs, SLOW_NS, tool << ": " << end);
            NS_TEST_EXPECT_MSG_LT(slow.durationNs, SLOW_NS + most, tool << ": " << end);
            const auto& use = end == "source" ? slow.storage->read : slow.storage->write;
            NS_TEST_EXPECT_MSG_EQ(use->bytes, BYTES, tool << ": " << end);
            NS_TEST_EXPECT_MSG_EQ_TOL(use->busyNs, SLOW_NS, 1000, tool << ": " << end);
            const auto fast = Run(engine, tool, {{end, "disk"}, {end + "-rate", "10Gbps"}});
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fast.durationNs),
                                      static_cast<double>(free),
                                      static_cast<double>(free) * 0.02,
                                      tool << ": " << end);
        }
        // A file that fits into memory, and one of which half has to be on the disk
        const auto cached = [&](const std::string& dirty) {
            return Run(engine,
                       tool,
                       {{"sink", "page-cache"},
                        {"sink-rate", "10Mbps"},
                        {"sink-memory-rate", "20Gbps"},
                        {"sink-dirty", dirty}})
                .durationNs;
        };
        NS_TEST_EXPECT_MSG_LT(cached("4MB"), free + free / 20, tool << ": in memory");
        NS_TEST_EXPECT_MSG_GT(cached("2MB"), SLOW_NS, tool << ": 2 MB at 10 Mbit/s");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new EnginesTest("storage and bbFTP", &DrawBbftp, 0, 16, FINS),
            new EnginesTest("storage and bbFTP that goes wrong", &DrawFaulty, 16, 26, FINS),
            new EnginesTest("storage and UDT", &DrawUdt, 26, 40, EXACT),
            new EnginesTest("storage and RBUDP", &DrawRbudp, 40, 52, EXACT),
            new EnginesTest("storage and FOBS", &DrawFobs, 52, 60, EXACT),
            new EnginesTest("disks of tools that stand still", &DrawStalled, 60, 70, FINS)};
});

const OwnTestCases g_longCases([]() -> std::vector<TestCase*> { return {new ToolStorageTest}; },
                               OwnTestCases::Suite::LONG);

const OwnTestCases g_drawn(
    []() -> std::vector<TestCase*> {
        return {new EnginesTest("storage and bbFTP", &DrawBbftp, 1000, 1100, FINS),
                new EnginesTest("storage and bbFTP that goes wrong", &DrawFaulty, 1100, 1160, FINS),
                new EnginesTest("storage and UDT", &DrawUdt, 1200, 1300, EXACT),
                new EnginesTest("storage and RBUDP", &DrawRbudp, 1300, 1400, EXACT),
                new EnginesTest("storage and FOBS", &DrawFobs, 1400, 1450, EXACT),
                new EnginesTest("disks of tools that stand still", &DrawStalled, 1450, 1500, FINS)};
    },
    OwnTestCases::Suite::DRAWN);

} // namespace
