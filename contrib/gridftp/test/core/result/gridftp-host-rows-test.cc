/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-host-meter.h"
#include "gridftp-host-rows.h"
#include "gridftp-test-cases.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Keeps the rows of hosts.csv and cores.csv, in one row.
class Rows : public TraceRows
{
  public:
    std::string hosts; //!< of hosts.csv
    std::string cores; //!< of cores.csv

  private:
    bool IsWanted(Nanoseconds /* now */) override
    {
        return true;
    }

    void Write(Trace trace, const std::string& row) override
    {
        (trace == Trace::HOSTS ? hosts : cores) += row;
    }
};

constexpr Nanoseconds SECOND = 1'000'000'000;

/// @ingroup gridftp
/// What hosts do in each second, up to the moment in which a part is complete.
class HostRowsTest : public TestCase
{
  public:
    HostRowsTest()
        : TestCase("hosts.csv, cores.csv: each second up to the last part, and no more")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.sessions.resize(1);
        HostSpec& spec = scenario.sessions[0].buffers.receiver;
        spec.packetCpu = 1000;
        spec.cores = 2;
        const auto hosts = MakeScenarioHosts(scenario);
        const auto& host = hosts[0].receiver.GetHeadHost();
        HostMeter meter(hosts);
        host->Count(SECOND / 2, &HostCounts::packetsIn);
        host->Count(SECOND - 1, &HostCounts::packetsIn);
        host->Count(SECOND, &HostCounts::interrupts);
        host->Count(3 * SECOND, &HostCounts::packetsOut);
        host->GetCores()[1]->Ask(SECOND - 10, {CpuUse::TCP, 2 * SECOND});
        meter.Mark(3 * SECOND + 5);
        // Behind the mark: in the same second, and later
        host->Count(3 * SECOND + 6, &HostCounts::packetsOut);
        host->Count(9 * SECOND, &HostCounts::backlogDrops);

        TransferResult result;
        result.sessions.resize(1);
        auto disk = MakeStorage({.kind = "disk", .values = {{"rate", 1e9}}, .depth = 1});
        disk->Ask(0, 2 * SECOND, 0, 100);
        disk->Ask(0, 2 * SECOND + 7, 100, 50);
        result.sessions[0].storage = MakeStorageResult(disk.get(), nullptr);
        meter.AddTo(result);
        Rows rows;
        AddHostRows(scenario, result, rows);
        NS_TEST_EXPECT_MSG_EQ(rows.hosts,
                              "0,0,sender,0,,,,,0,0\n"
                              "1,0,sender,0,,,,,0,0\n"
                              "2,0,sender,0,,,,,2,150\n"
                              "0,0,receiver,0,2,0,0,0,,\n"
                              "1,0,receiver,0,0,0,1,0,,\n"
                              "2,0,receiver,0,0,0,0,0,,\n"
                              "3,0,receiver,0,0,1,0,0,,\n",
                              "packets, interrupts and requests by the second");
        NS_TEST_EXPECT_MSG_EQ(rows.cores,
                              "0,0,receiver,0,0,0\n0,0,receiver,0,1,1e-08\n"
                              "1,0,receiver,0,0,0\n1,0,receiver,0,1,1\n"
                              "2,0,receiver,0,0,0\n2,0,receiver,0,1,0.99999999\n"
                              "3,0,receiver,0,0,0\n3,0,receiver,0,1,0\n",
                              "the CPU time of each core");
    }
};

/// @ingroup gridftp
/// Hosts of stripes follow that of the protocol interpreter, their storage goes with them.
class StripedHostRowsTest : public TestCase
{
  public:
    StripedHostRowsTest()
        : TestCase("hosts.csv: the first host of several is that of the protocol interpreter")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.sessions.resize(1);
        scenario.sessions[0].stripes.senders = 2;
        scenario.sessions[0].buffers.sender.callCpu = 1000; // packets do not wait
        const auto hosts = MakeScenarioHosts(scenario);
        HostMeter meter(hosts);
        meter.Mark(0);
        TransferResult result;
        result.sessions.resize(1);
        auto disk = MakeStorage({.kind = "disk", .values = {{"rate", 1e9}}, .depth = 1});
        disk->Ask(1, 0, 0, 100);
        result.sessions[0].storage = MakeStorageResult(disk.get(), nullptr);
        meter.AddTo(result);
        Rows rows;
        AddHostRows(scenario, result, rows);
        NS_TEST_EXPECT_MSG_EQ(rows.hosts,
                              "0,0,sender,0,,,,,,\n0,0,sender,1,,,,,0,0\n0,0,sender,2,,,,,1,100\n",
                              "packets are not counted where they do not wait");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new HostRowsTest, new StripedHostRowsTest};
});

} // namespace
