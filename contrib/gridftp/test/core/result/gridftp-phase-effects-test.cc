/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-phase-effects.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/// When a result has a note.
class PhaseEffectsTest : public TestCase
{
  public:
    PhaseEffectsTest()
        : TestCase("result: a note on phase effects where connections compete without randomness")
    {
    }

  private:
    void DoRun() override
    {
        m_scenario.path.packetSize = 1500;
        m_scenario.path.linkHeader = 2;
        m_scenario.path.bandwidth = 10'000'000;
        m_scenario.sessions.resize(2);
        m_scenario.background.resize(2);
        m_result.done = true;
        for (const int64_t start : {1, 2})
        {
            SessionResult session;
            session.startNs = start * SECOND;
            session.durationNs = 4 * SECOND;
            session.tcp.emplace();
            m_result.sessions.push_back(session);
        }
        m_result.background.resize(2);
        m_result.links.resize(1);
        CheckCompetition();
        CheckChance();
    }

    /// Those that are there at different times do not compete.
    void CheckCompetition()
    {
        NS_TEST_EXPECT_MSG_EQ(GetNote(), "", "nothing was dropped");
        m_result.links[0].drops = 1;
        NS_TEST_EXPECT_MSG_EQ(GetNote(),
                              "nothing here is random, so phase effects may decide the shares of "
                              "competing connections; --host-overhead=1202us removes them",
                              "two sessions; a packet takes 1201.6 us");
        m_result.sessions[1].tcp.reset();
        NS_TEST_EXPECT_MSG_EQ(GetNote(), "", "the second one without TCP");
        m_result.sessions[1].tcp.emplace();
        m_result.sessions[1].startNs = 5 * SECOND;
        NS_TEST_EXPECT_MSG_EQ(GetNote(), "", "one after the other");
        m_result.background[0].startNs = 8 * SECOND;
        m_result.background[0].endNs = 12 * SECOND;
        NS_TEST_EXPECT_MSG_EQ(GetNote().empty(), false, "a session and a background connection");
    }

    /// Nothing random may be there.
    void CheckChance()
    {
        const Scenario before = m_scenario;
        const auto check = [&](const std::string& what) {
            NS_TEST_EXPECT_MSG_EQ(GetNote(), "", what);
            m_scenario = before;
        };
        m_scenario.path.randomLoss = 0.1;
        check("random loss");
        m_scenario.path.hostOverhead = 1;
        check("random time of hosts");
        m_scenario.path.variation.jitterNs = 1;
        check("jitter");
        m_scenario.path.variation.reorder = 0.1;
        check("reordering");
        m_scenario.path.discipline = QueueDiscipline::RED;
        check("RED");
        m_scenario.path.reverseRandomLoss = 0.1;
        check("random loss of ACKs");
        m_scenario.path.reverseDiscipline = ReverseDiscipline::RED;
        check("RED in reverse");
        m_scenario.background[1].load = 0.1;
        check("random datagrams");
        NS_TEST_EXPECT_MSG_EQ(GetNote().empty(), false, "as before");
        m_scenario.path.reverseBandwidth = 1'000'000;
        m_result.links.resize(2);
        m_result.links[1].drops = 1;
        NS_TEST_EXPECT_MSG_EQ(GetNote().ends_with("--host-overhead=12016us removes them"),
                              true,
                              "drops in reverse, where a packet takes 12016 us: " << GetNote());
        m_result.links.resize(1);
        const std::string text = ResultToText(m_scenario, m_result);
        NS_TEST_EXPECT_MSG_EQ(text.ends_with("  note: " + GetNote() + "\n"), true, text);
    }

    /// @return the note
    std::string GetNote() const
    {
        return GetPhaseEffectsNote(m_scenario, m_result);
    }

    Scenario m_scenario;     //!< what was asked for
    TransferResult m_result; //!< what came of it
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PhaseEffectsTest}; });

} // namespace ns3::gridftp
