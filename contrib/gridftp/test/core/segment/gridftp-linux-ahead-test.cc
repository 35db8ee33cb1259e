/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-linux-draw.h"
#include "gridftp-option-table.h"
#include "gridftp-result.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// The latest end of a transfer, ns.
constexpr int64_t END = 300'000 * int64_t{1'000'000'000};

/// Sees packets, which closes the fast path of LinuxConnection.
class Onlooker : public PacketObserver
{
  public:
    void HandlePacket(const PacketStay& /* stay */,
                      const std::optional<ConnectionLabel>& /* label */) override
    {
        ++packets;
    }

    uint64_t packets{0}; //!< seen
};

/// Segments that reach the receiver within the call that sends them.
class LinuxAheadTestCase : public TestCase
{
  public:
    /// @param seed of the first one @param count how many
    LinuxAheadTestCase(uint64_t seed, uint32_t count)
        : TestCase("Linux stack: the fast path of data changes no digit of " +
                   std::to_string(count) + " random transfers, seed " + std::to_string(seed)),
          m_seed(seed),
          m_count(count)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t i = 0; i < m_count; ++i)
        {
            Draw draw(m_seed + i);
            Words words =
                i % 2 == 0 ? DrawLossyTransfer(draw).words : DrawLinuxTransfer(draw).words;
            if (i % 4 == 0)
            {
                words.emplace_back("--direction=download");
            }
            const auto request =
                ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
            if (!request)
            {
                continue;
            }
            std::string command;
            for (const auto& word : words)
            {
                command += word + " ";
            }
            SegmentSimulator fast(request->scenario);
            fast.Advance(END);
            Onlooker onlooker;
            SegmentSimulator watched(request->scenario);
            watched.SetPacketObserver(&onlooker);
            watched.Advance(END);
            NS_TEST_EXPECT_MSG_EQ(ResultToJson(request->scenario, watched.GetResult(), {}),
                                  ResultToJson(request->scenario, fast.GetResult(), {}),
                                  command);
            NS_TEST_EXPECT_MSG_GT(onlooker.packets, 0, command);
        }
    }

    uint64_t m_seed;  //!< of the first one
    uint32_t m_count; //!< how many
};

/// The cases of this file.
const OwnTestCases g_cases([] {
    return std::vector<TestCase*>{new LinuxAheadTestCase(1, CountDraws(40))};
});

/// More of the same.
const OwnTestCases g_drawn(
    [] { return std::vector<TestCase*>{new LinuxAheadTestCase(1000, CountDraws(1000))}; },
    OwnTestCases::Suite::DRAWN);

} // namespace
