/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr int64_t SECOND = 1000 * MS;

/// What a transfer of 5 MB gives that something slow limits.
class LinuxLimitsTestCase : public TestCase
{
  public:
    LinuxLimitsTestCase()
        : TestCase("Linux stack: storage, CPUs, slow applications, pool and security as limits")
    {
    }

  private:
    /// @param words of a command line @return goodput, bit/s
    double Simulate(const std::vector<std::string>& words)
    {
        std::vector<std::string_view> all{"--stack=linux",
                                          "--mode=fixed",
                                          "--file-size=5MB",
                                          "--chunk-size=5MB",
                                          "--bandwidth=100Mbps",
                                          "--delay=10ms",
                                          "--queue=1000p",
                                          "--block-size=64KiB"};
        all.insert(all.end(), words.begin(), words.end());
        const auto request = ParseTransfer(all);
        const std::string what = words.front();
        NS_TEST_EXPECT_MSG_EQ(Reason(request), "no error", what);
        if (!request)
        {
            return 0;
        }
        SegmentSimulator simulator(request->scenario);
        NS_TEST_EXPECT_MSG_EQ(simulator.Advance(600 * SECOND), true, what);
        const TransferResult result = simulator.GetResult();
        NS_TEST_EXPECT_MSG_EQ(result.reason, "", what);
        m_durationNs = result.sessions.front().durationNs;
        return result.sessions.front().GetGoodputBps();
    }

    /// @param words with something that is served at 20 Mbit/s
    void ExpectLimit(const std::vector<std::string>& words)
    {
        // 5 MB at 20 Mbit/s take 2 s. Connecting, slow start and the first and last block take some
        // round trips of 20 ms besides
        for (const std::string direction : {"upload", "download", "third-party"})
        {
            for (const std::string n : {"1", "4"})
            {
                auto all = words;
                all.push_back("--direction=" + direction);
                all.push_back("--parallelism=" + n);
                const double mbps = Simulate(all) / 1e6;
                const std::string what = words.front() + " " + direction + " " + n;
                NS_TEST_EXPECT_MSG_LT(mbps, 20, what);
                NS_TEST_EXPECT_MSG_GT(mbps, 18, what);
            }
        }
    }

    void DoRun() override
    {
        ExpectLimit({"--sink=disk", "--sink-rate=20Mbps"});
        ExpectLimit({"--source=disk", "--source-rate=20Mbps"});
        ExpectLimit({"--cpu-rate=20Mbps"});
        ExpectLimit({"--protection=confidentiality", "--confidentiality-rate=20Mbps"});
        ExpectLimit({"--processing=scale", "--processing-rate=20Mbps"});
        // 64 KiB in 26.2144 ms
        ExpectLimit({"--receiver-call-cpu=26.2144ms"});
        ExpectLimit({"--sender-call-cpu=26.2144ms"});
        CheckConnections();
        CheckSecurity();
    }

    /// What holds for each connection.
    void CheckConnections()
    {
        for (const auto& [option, n, most] :
             std::vector<std::tuple<std::string, std::string, double>>{
                 {"--read-rate=5Mbps", "1", 5},
                 {"--read-rate=5Mbps", "4", 20},
                 {"--write-rate=5Mbps", "1", 5},
                 {"--write-rate=5Mbps", "4", 20},
                 {"--read-rate=5Mbps --window=64KiB", "4", 20}})
        {
            std::vector<std::string> words{option, "--parallelism=" + n};
            if (const size_t space = option.find(' '); space != std::string::npos)
            {
                words = {option.substr(0, space), option.substr(space + 1), "--parallelism=" + n};
            }
            const double mbps = Simulate(words) / 1e6;
            // What the receive buffers hold last is read when all others are done
            NS_TEST_EXPECT_MSG_LT(mbps, most, option << " " << n);
            NS_TEST_EXPECT_MSG_GT(mbps, 0.7 * most, option << " " << n);
        }
        // A pool of 64 KiB is sent once in a round trip of 20 ms, whatever N; a writer waits until
        // a third of its buffer is free
        constexpr double POOL_MBPS = 65536 * 8 / 20e3;
        for (const std::string n : {"1", "4", "16"})
        {
            const double mbps = Simulate({"--send-pool=64KiB", "--parallelism=" + n}) / 1e6;
            NS_TEST_EXPECT_MSG_LT(mbps, POOL_MBPS, n);
            NS_TEST_EXPECT_MSG_GT(mbps, POOL_MBPS / 2, n);
        }
    }

    /// What data channel authentication costs.
    void CheckSecurity()
    {
        const std::vector<std::string> plain{"--control-security=gsi",
                                             "--auth-cpu=0ms",
                                             "--delegation-cpu=0ms"};
        Simulate(plain);
        const Nanoseconds without = m_durationNs;
        auto words = plain;
        words.push_back("--data-security=gsi");
        Simulate(words);
        const double trips = static_cast<double>(m_durationNs - without) / (20.0 * MS);
        NS_TEST_EXPECT_MSG_GT(trips, 2, "hello, certificates and keys, delegation: whole trips");
        NS_TEST_EXPECT_MSG_LT(trips, 4.5, "and no timeout");
        words.emplace_back("--auth-cpu=100ms");
        const Nanoseconds free = m_durationNs;
        Simulate(words);
        NS_TEST_EXPECT_MSG_GT(m_durationNs - free, 200 * MS, "both ends sign or verify");
    }

    Nanoseconds m_durationNs{0}; //!< of the last transfer
};

/// The cases of this file.
const OwnTestCases g_cases([] { return std::vector<TestCase*>{new LinuxLimitsTestCase}; });

} // namespace
