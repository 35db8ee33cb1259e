/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-host-cpu.h"
#include "gridftp-session-hosts.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Work comes one piece after the other, and into what is left before later work.
class HostCpuTest : public TestCase
{
  public:
    HostCpuTest()
        : TestCase(
              "host: a CPU does one piece of work at a time, in the order in which it is asked")
    {
    }

  private:
    void DoRun() override
    {
        HostCpu cpu;
        const auto data = [](int64_t ns) { return CpuWork(CpuUse::DATA, ns); };
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(0, data(10)), 10, "at once");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(3, {CpuUse::REQUESTS, 5}), 15, "behind the first");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(20, {CpuUse::PROTECTION, 5}), 25, "at once again");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(30, 100, data(10)), 110, "not before it may start");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(40, data(20)), 60, "meanwhile it does what there is");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(50, data(45)), 155, "60 to 100 has no room for it");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(55, data(40)), 100, "for this there is, just so");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(56, data(0)), 155, "nothing waits its turn, too");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(155, 160, data(0)), 160, "and may start later");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().Get(CpuUse::DATA), 125, "10 + 10 + 20 + 45 + 40");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().Get(CpuUse::PROTECTION), 5, "one");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().GetSum(), 135, "all");
        NS_TEST_EXPECT_MSG_EQ(AskFor(&cpu, 155, {CpuUse::AUTHENTICATION, 7}), 162, "a wait");
        NS_TEST_EXPECT_MSG_EQ(AskFor(&cpu, 156, {}), 156, "nothing does not wait");
        NS_TEST_EXPECT_MSG_EQ(AskFor(nullptr, 156, {}), 156, "and needs no CPU");
        CheckLimits();
    }

    /// No time is so long that it overflows.
    void CheckLimits()
    {
        HostCpu cpu;
        CpuWork work(CpuUse::DATA, LONGEST_CPU_NS);
        work.Add(CpuUse::PROTECTION, LONGEST_CPU_NS);
        NS_TEST_EXPECT_MSG_EQ(work.GetSum(), LONGEST_CPU_NS, "two of the longest");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(5, work), LONGEST_CPU_NS, "one of them");
        NS_TEST_EXPECT_MSG_EQ(cpu.Ask(6, work), LONGEST_CPU_NS, "behind it");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().Get(CpuUse::DATA), LONGEST_CPU_NS, "in all");
    }
};

/// Which host has which CPU.
class SessionHostsTest : public TestCase
{
  public:
    SessionHostsTest()
        : TestCase("host: the ends of a session have the CPUs of their hosts")
    {
    }

  private:
    void DoRun() override
    {
        SessionSpec session;
        const auto make = [&session] {
            Scenario scenario;
            scenario.sessions = {session};
            return MakeScenarioHosts(scenario).front();
        };
        NS_TEST_EXPECT_MSG_EQ(make().sender.GetHead(),
                              nullptr,
                              "none where nothing costs CPU time");
        CheckSecurity();
        session.requestCpu = 1;
        session.direction = Direction::UPLOAD;
        const auto up = make();
        NS_TEST_EXPECT_MSG_EQ(up.client.GetHead(), up.sender.GetHead(), "the client sends");
        NS_TEST_EXPECT_MSG_NE(up.client.GetHead(), up.receiver.GetHead(), "to another host");
        NS_TEST_EXPECT_MSG_EQ(up.receiver.GetStripe(0), up.receiver.GetHead(), "PI and DTP");
        session.direction = Direction::DOWNLOAD;
        const auto down = make();
        NS_TEST_EXPECT_MSG_EQ(down.client.GetHead(), down.receiver.GetHead(), "it receives");
        session.direction = Direction::THIRD_PARTY;
        session.stripes = {2, 1};
        const auto third = make();
        NS_TEST_EXPECT_MSG_NE(third.sender.GetHead(), third.sender.GetStripe(1), "apart");
        NS_TEST_EXPECT_MSG_NE(third.sender.GetStripe(0), third.sender.GetStripe(1), "each");
        NS_TEST_EXPECT_MSG_NE(third.client.GetHead(), third.sender.GetHead(), "its own host");
        NS_TEST_EXPECT_MSG_EQ(third.sender.GetAll().size(), 3, "all hosts of an end");
        CheckShared();
    }

    /// Authentication costs CPU time where there is some, and it takes some.
    void CheckSecurity()
    {
        SessionSpec session;
        session.security = {.authCpu = 1, .delegationCpu = 1};
        NS_TEST_EXPECT_MSG_EQ(NeedsCpu(session), false, "nobody authenticates");
        session.security = {.control = Authentication::GSI, .delegationCpu = 1};
        NS_TEST_EXPECT_MSG_EQ(NeedsCpu(session), true, "keys of a delegated credential");
        session.security = {.data = Authentication::GSI, .delegationCpu = 1};
        NS_TEST_EXPECT_MSG_EQ(NeedsCpu(session), false, "nothing is delegated there");
        session.security = {.data = Authentication::GSI, .authCpu = 1};
        NS_TEST_EXPECT_MSG_EQ(NeedsCpu(session), true, "signatures");
    }

    /// One host for all whose server is shared, if any of them needs it.
    void CheckShared()
    {
        Scenario scenario;
        scenario.sessions.resize(2);
        scenario.sessions[1].requestCpu = 1;
        scenario.sessions[1].direction = Direction::DOWNLOAD;
        scenario.sessions[0] = scenario.sessions[1];
        const auto own = MakeScenarioHosts(scenario);
        NS_TEST_EXPECT_MSG_NE(own[1].sender.GetHead(), own[0].sender.GetHead(), "its own");
        scenario.sessions[1].server = ServerHost::SHARED;
        const auto same = MakeScenarioHosts(scenario);
        NS_TEST_EXPECT_MSG_EQ(same[1].sender.GetHead(), same[0].sender.GetHead(), "the first's");
        NS_TEST_EXPECT_MSG_NE(same[1].client.GetHead(), same[0].client.GetHead(), "clients");
        scenario.sessions[0].buffers.sender.cores = 2;
        const auto cores = MakeScenarioHosts(scenario);
        NS_TEST_EXPECT_MSG_EQ(cores[1].sender.GetHeadHost(),
                              cores[0].sender.GetHeadHost(),
                              "the host of the first one");
        NS_TEST_EXPECT_MSG_NE(cores[1].sender.GetHead(),
                              cores[0].sender.GetHead(),
                              "where each has a core");
    }
};

std::vector<TestCase*>
MakeHostTestCases()
{
    return {new HostCpuTest, new SessionHostsTest};
}

const OwnTestCases g_cases(&MakeHostTestCases);

} // namespace
