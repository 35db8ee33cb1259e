/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-engines-drawn.h"
#include "gridftp-ns3-rules.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-buffer-policy.h"
#include "ns3/gridftp-text.h"

#include <fstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What buffers do, on both engines.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Rows of both engines' buffers.csv and rtt.csv, byte by byte.
class BufferTracesTest : public TestCase
{
  public:
    /// @param what is drawn @param draw draws it @param first seed @param end behind the last
    BufferTracesTest(const std::string& what,
                     std::string (*draw)(Draw&),
                     uint32_t first,
                     uint32_t end)
        : TestCase("engines: the same buffers.csv and rtt.csv, " + what + ", " +
                   std::to_string(CountDraws(end - first)) + " drawn"),
          m_draw(draw),
          m_first(first),
          m_end(first + CountDraws(end - first))
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t i = m_first; i < m_end; ++i)
        {
            Draw draw(i);
            const std::string line = m_draw(draw);
            const auto scenario = ParseScenarioJson(line);
            NS_TEST_ASSERT_MSG_EQ(bool(scenario), true, "no scenario: " << line);
            const std::string own = CreateTempDirFilename("own");
            const std::string reference = CreateTempDirFilename("reference");
            const auto result =
                RunOnSegments(WithNs3Rules(*scenario), {.traceFolder = own, .progress = {}});
            RunObservers observers;
            observers.traceFolder = reference;
            const bool isRun = bool(RunOnNs3(*scenario, observers));
            Config::Reset();
            NS_TEST_ASSERT_MSG_EQ((bool(result) && isRun), true, "no result: " << line);
            const auto& chunks = result->sessions.at(0).gridftp->chunks;
            const double endS = static_cast<double>(chunks.back().endNs) / 1e9;
            for (const std::string name : {"/buffers.csv", "/rtt.csv"})
            {
                Compare(ReadRows(own + name, endS), ReadRows(reference + name, endS), line);
            }
        }
    }

    /// @param path of a trace @param endS when the last chunk ends, s @return rows until then
    static std::vector<std::string> ReadRows(const std::string& path, double endS)
    {
        std::ifstream file(path);
        std::vector<std::string> rows;
        std::string row;
        std::getline(file, row); // its header
        while (std::getline(file, row) && std::stod(row) <= endS)
        {
            rows.push_back(row);
        }
        return rows;
    }

    /// @param own the segment engine's rows @param reference ns-3's @param line the scenario
    void Compare(const std::vector<std::string>& own,
                 const std::vector<std::string>& reference,
                 const std::string& line)
    {
        NS_TEST_EXPECT_MSG_GT(own.size(), 3, line);
        const auto [here, there] = std::ranges::mismatch(own, reference);
        if (here != own.end() || there != reference.end())
        {
            NS_TEST_EXPECT_MSG_EQ((here == own.end() ? "the end" : *here),
                                  (there == reference.end() ? "the end" : *there),
                                  "row " << here - own.begin() << " of " << line);
        }
    }

    std::string (*m_draw)(Draw&); //!< draws a scenario
    uint32_t m_first;             //!< first seed
    uint32_t m_end;               //!< behind the last seed
};

/// What a draw leaves to others.
struct DrawOptions
{
    bool hasPool{false}; //!< the send buffer is not of a size of its own
    bool isOne{false};   //!< there is one connection: drs-ftp is of one
    bool keeps{false};   //!< connections are kept: ns-3 sends FINs again that wait in a long queue,
                         //!< which the link carries
};

/**
 * Connections whose buffers are fixed, or move.
 * @param draw random draws
 * @param options of the draw
 * @return the members
 */
Members
DrawTransfer(Draw& draw, const DrawOptions& options)
{
    const int64_t packet = std::stoll(draw.Of({"576", "1500", "1500", "9000"}));
    const std::string loss = draw.Of({"0", "0", "0.003", "0.03"});
    const int64_t size = draw.Between(1, 400'000);
    Members made;
    made.Add("bandwidth", draw.Of({"1Mbps", "10Mbps", "100Mbps", "622Mbps"}));
    made.Add("delay", draw.Of({"1ms", "7ms", "50ms"}));
    made.Add("access-delay", draw.Of({"0ms", "10us", "5ms"}));
    made.Add("queue", draw.Of({"30p", "60p", "400p"}));
    made.Add("packet-size", std::to_string(packet));
    made.Add("window", std::to_string((packet - 40) * draw.Between(1, 60)) + "B");
    made.Add("tcp", draw.Of({"reno", "reno", "newreno", "cubic"}));
    made.Add("direction", draw.Of({"upload", "download"}));
    made.Add("layout", draw.Of({"dynamic", "static"}));
    made.Add("initial-window", std::to_string(draw.Between(1, 10)));
    made.Add("start-jitter", draw.Of({"0ms", "1ms", "100ms"}));
    made.Add("run", std::to_string(draw.Between(1, 1000)));
    made.Add("file-size", std::to_string(size) + "B");
    made.Add("chunk-size", std::to_string(loss == "0" ? size / 3 + 1 : size) + "B");
    made.Add("data-channels",
             loss != "0"     ? "fresh"
             : options.keeps ? "cached"
                             : draw.Of({"fresh", "cached"}));
    made.Add("random-loss", loss);
    auto policies = NamesOf(GetBufferPolicies());
    std::erase_if(policies, [&options](auto name) {
        const bool isRefused = options.hasPool && NeedsApplications(name);
        return isRefused || (name == "drs-ftp" && !options.isOne);
    });
    made.Add("buffers", std::string(draw.Of(policies)));
    made.Add("buffer-interval", draw.Of({"30ms", "200ms"}));
    made.Add("max-buffer", draw.Of({"1MiB", "16MiB", "600000B"}));
    made.Add("send-buffer", options.hasPool ? "0B" : draw.Of({"0B", "0B", "30000B"}));
    return made;
}

/// @param draw random draws @return several connections
std::string
DrawConnections(Draw& draw)
{
    Members made = DrawTransfer(draw, {});
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 8)));
    return made.GetObject();
}

/// @param draw random draws @return one connection, whose reader lags behind
std::string
DrawReader(Draw& draw)
{
    Members made = DrawTransfer(draw, {.isOne = true});
    const int64_t most = int64_t{1} << draw.Between(18, 27);
    made.Add("mode", "fixed");
    made.Add("read-rate", std::to_string(draw.Between(most / 2, most)) + "bps");
    return made.GetObject();
}

/**
 * Connections whose send buffers share the host's memory.
 * @param draw random draws
 * @param keeps see DrawOptions
 * @return the scenario
 */
std::string
DrawPool(Draw& draw, bool keeps)
{
    Members made = DrawTransfer(draw, {.hasPool = true, .keeps = keeps});
    const int64_t most = int64_t{1} << draw.Between(14, 22);
    made.Add("delayed-ack", draw.Of({"1", "1", "2"}));
    made.Add("mode", "fixed");
    made.Add("parallelism", std::to_string(draw.Between(1, 12)));
    made.Add("send-pool", std::to_string(draw.Between(most / 2, most)) + "B");
    return made.GetObject();
}

/// @param draw random draws @return a pool of connections that are kept
std::string
DrawKeptPool(Draw& draw)
{
    return DrawPool(draw, true);
}

/// @param draw random draws @return a pool of connections that may be opened anew
std::string
DrawFreshPool(Draw& draw)
{
    return DrawPool(draw, false);
}

/// @param draw random draws @return several chunks of tuned parallelism, whose W moves
std::string
DrawTuned(Draw& draw)
{
    Members made = DrawTransfer(draw, {.hasPool = false, .keeps = true});
    made.Add("delayed-ack", "1");
    made.Add("mode", draw.Of({"mi", "mi-plus", "aimd"}));
    made.Add("eta", draw.Of({"0.3", "0.8"}));
    made.Add("max-parallelism", "16");
    made.Add("tuner-window", draw.Of({"asked", "buffer", "buffer"}));
    return made.GetObject();
}

std::vector<TestCase*>
MakeTestCases()
{
    return {new BufferTracesTest("connections", &DrawConnections, 0, 12),
            new BufferTracesTest("slow readers", &DrawReader, 0, 8),
            new EnginesTest("tuners whose W moves", &DrawTuned, 0, 15),
            new EnginesTest("send buffers that share memory", &DrawKeptPool, 0, 15),
            new BufferTracesTest("send buffers that share memory", &DrawFreshPool, 0, 8)};
}

std::vector<TestCase*>
MakeMoreTestCases()
{
    return {new BufferTracesTest("connections", &DrawConnections, 12, 300),
            new BufferTracesTest("slow readers", &DrawReader, 8, 150),
            new EnginesTest("tuners whose W moves", &DrawTuned, 15, 400),
            new EnginesTest("send buffers that share memory", &DrawKeptPool, 15, 400),
            new BufferTracesTest("send buffers that share memory", &DrawFreshPool, 8, 200)};
}

const OwnTestCases g_cases(&MakeTestCases);
const OwnTestCases g_moreCases(&MakeMoreTestCases, OwnTestCases::Suite::DRAWN);

} // namespace
