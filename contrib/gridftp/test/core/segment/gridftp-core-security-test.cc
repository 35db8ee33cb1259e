/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-batch.h"
#include "gridftp-core-test.h"
#include "gridftp-segment-engine.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/**
 * What authentication costs, worked out by hand: on a path of 100 ms on which packets take next to
 * no time, and with windows that hold every message, it is round trips and CPU time.
 */
class SecurityCostTest : public TestCase
{
  public:
    SecurityCostTest()
        : TestCase("segment engine: round trips and CPU time of authentication")
    {
    }

  private:
    static constexpr double RTT = 0.1;     //!< s
    static constexpr double AUTH = 0.007;  //!< of a step in which an end signs or verifies, s
    static constexpr double KEYS = 0.05;   //!< of the keys of a delegated credential, s
    static constexpr double NEAR = 0.0003; //!< what packets take, s

    void DoRun() override
    {
        for (const auto* direction : {"upload", "download"})
        {
            const auto none = Run(direction, "none", "none", "fresh");
            const auto control = Run(direction, "gsi", "none", "fresh");
            const auto both = Run(direction, "gsi", "gsi", "fresh");
            const auto kept = Run(direction, "gsi", "gsi", "cached");
            // AUTH, four ADATs and DCAU N take a round trip each. The server signs, verifies, makes
            // keys and verifies what it was given for them; the client verifies and signs, and
            // signs what it delegates: five steps and the keys
            NS_TEST_EXPECT_MSG_EQ_TOL(GetStartS(control) - GetStartS(none),
                                      6 * RTT + 5 * AUTH + KEYS,
                                      NEAR,
                                      direction << ", control channel");
            NS_TEST_EXPECT_MSG_EQ_TOL(GetStartS(both) - GetStartS(none),
                                      5 * RTT + 5 * AUTH + KEYS,
                                      NEAR,
                                      direction << ", no DCAU N");
            // Two round trips before the first block; the acceptor signs, the initiator verifies
            // and signs, and the acceptor verifies
            for (size_t chunk = 0; chunk < 2; ++chunk)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(GetDurationS(control, chunk) - GetDurationS(none, chunk),
                                          0,
                                          NEAR,
                                          direction << ", of T nothing");
                NS_TEST_EXPECT_MSG_EQ_TOL(GetDurationS(both, chunk) - GetDurationS(none, chunk),
                                          2 * RTT + 3 * AUTH,
                                          NEAR,
                                          direction << ", data channel, chunk " << chunk);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(GetDurationS(kept, 0),
                                      GetDurationS(both, 0),
                                      NEAR,
                                      direction << ", the first time");
            // One that is kept is neither opened nor authenticated again
            NS_TEST_EXPECT_MSG_EQ_TOL(GetDurationS(both, 1) - GetDurationS(kept, 1),
                                      3 * RTT + 3 * AUTH,
                                      NEAR,
                                      direction << ", kept");
            // R is of the commands from USER to SBUF
            NS_TEST_EXPECT_MSG_EQ_TOL(control.gridftp->chunks[0].rttS,
                                      none.gridftp->chunks[0].rttS,
                                      NEAR,
                                      direction << ", R");
            NS_TEST_EXPECT_MSG_EQ(both.bytes, 2000, "of the file, not of handshakes");
        }
    }

    /// @param direction of the data @param control security @param data security @param channels
    /// fresh or cached @return what came of two chunks of one block
    SessionResult Run(const std::string& direction,
                      const std::string& control,
                      const std::string& data,
                      const std::string& channels)
    {
        const auto scenario = ParseScenarioJson(
            R"({"direction": ")" + direction + R"(", "control-security": ")" + control +
            R"(", "data-security": ")" + data + R"(", "data-channels": ")" + channels +
            R"(", "auth-cpu": "7ms", "delegation-cpu": "50ms", "bandwidth": "100Gbps", )"
            R"("delay": "50ms", "access-delay": "0ms", "initial-window": "10", "mode": "fixed", )"
            R"("parallelism": "1", "file-size": "2000B", "chunk-size": "1000B"})");
        const auto result =
            scenario ? RunOnSegments(*scenario) : Expected<TransferResult>(scenario.GetError());
        NS_TEST_EXPECT_MSG_EQ(Reason(result), "no error", "");
        const bool isWhole = result && result->sessions[0].gridftp->chunks.size() == 2;
        NS_TEST_EXPECT_MSG_EQ(isWhole, true, "two chunks");
        SessionResult empty;
        empty.gridftp.emplace().chunks.resize(2);
        return isWhole ? result->sessions[0] : empty;
    }

    /// @param session of two chunks @return when the first one began, s
    static double GetStartS(const SessionResult& session)
    {
        return static_cast<double>(session.gridftp->chunks[0].startNs) / 1e9;
    }

    /// @param session of two chunks @param chunk which @return T, s
    static double GetDurationS(const SessionResult& session, size_t chunk)
    {
        const ChunkRecord& record = session.gridftp->chunks[chunk];
        return static_cast<double>(record.endNs - record.startNs) / 1e9;
    }
};

/**
 * Who waits for the CPU of a host, worked out by hand on the same kind of path: one piece of work
 * at a time, in the order in which the messages come.
 */
class SecurityQueueTest : public TestCase
{
  public:
    SecurityQueueTest()
        : TestCase("segment engine: authentications at one host wait for each other")
    {
    }

  private:
    static constexpr double RTT = 0.1;       //!< s
    static constexpr double AUTH = 0.007;    //!< of a step in which an end signs or verifies, s
    static constexpr double KEYS = 0.05;     //!< of the keys of a delegated credential, s
    static constexpr double NEAR = 0.0005;   //!< what packets take, s
    static constexpr int64_t MS = 1'000'000; //!< ns

    void DoRun() override
    {
        CheckConnections();
        CheckSessions();
    }

    /// Four connections at once: the last one waits for three steps of the others, once.
    void CheckConnections()
    {
        const auto none = Run(R"("data-security": "none", "parallelism": "4")")[0];
        const auto both = Run(R"("data-security": "gsi", "parallelism": "4")")[0];
        NS_TEST_EXPECT_MSG_EQ_TOL(GetDurationS(both) - GetDurationS(none),
                                  2 * RTT + 3 * AUTH + 3 * AUTH,
                                  NEAR,
                                  "behind each other at the first step, and so never again");
        // The server sends: it signs once for each connection, the client signs and verifies
        const int64_t control = 3 * 7 + 50;
        ExpectUse(both, "one session", control + 4 * 7, 2 * 7 + 4 * 2 * 7);
        ExpectUse(none, "control channel alone", control, 2 * 7);
    }

    /// Three log in at the same time.
    void CheckSessions()
    {
        const std::string own = R"("data-security": "none", "sessions": [{}, {}, {}])";
        const std::string shared = R"("server-host": "shared", )" + own;
        const auto apart = Run(own);
        const auto queued = Run(shared);
        NS_TEST_ASSERT_MSG_EQ(std::min(apart.size(), queued.size()), 3, "sessions");
        for (size_t i = 0; i < queued.size(); ++i)
        {
            // Each waits a step at the first one; at the third they are a step apart, and the keys
            // of each wait for those before. With that they are far enough apart for the last one
            NS_TEST_EXPECT_MSG_EQ_TOL(GetStartS(apart[i]), GetStartS(apart[0]), NEAR, "apart");
            NS_TEST_EXPECT_MSG_EQ_TOL(GetStartS(queued[i]) - GetStartS(apart[i]),
                                      static_cast<double>(i) * KEYS,
                                      NEAR,
                                      "session " << i);
            ExpectUse(queued[i], "all of them", 3 * (3 * 7 + 50), 2 * 7);
            ExpectUse(apart[i], "its own", 3 * 7 + 50, 2 * 7);
        }
    }

    /// @param session a download @param what of it @param sender CPU time of the server's host for
    /// authentication, ms @param receiver of the client's
    void ExpectUse(const SessionResult& session,
                   const std::string& what,
                   int64_t sender,
                   int64_t receiver)
    {
        NS_TEST_ASSERT_MSG_EQ(session.host.has_value(), true, what);
        const auto& [server, client] = *session.host;
        NS_TEST_EXPECT_MSG_EQ(server.cpu.Get(CpuUse::AUTHENTICATION),
                              sender * MS,
                              what << ", server");
        NS_TEST_EXPECT_MSG_EQ(client.cpu.Get(CpuUse::AUTHENTICATION),
                              receiver * MS,
                              what << ", client");
        NS_TEST_EXPECT_MSG_EQ(server.cpu.GetSum(), sender * MS, what << ", of nothing else");
    }

    /// @param more members @return what came of the sessions
    std::vector<SessionResult> Run(const std::string& more)
    {
        const auto scenario = ParseScenarioJson(
            R"({"direction": "download", "control-security": "gsi", "auth-cpu": "7ms", )"
            R"("delegation-cpu": "50ms", "bandwidth": "100Gbps", "delay": "50ms", )"
            R"("access-delay": "0ms", "initial-window": "10", "mode": "fixed", )"
            R"("file-size": "4000B", "block-size": "1000B", )" +
            more + "}");
        const auto result =
            scenario ? RunOnSegments(*scenario) : Expected<TransferResult>(scenario.GetError());
        NS_TEST_EXPECT_MSG_EQ(Reason(result), "no error", more);
        return result ? result->sessions : std::vector<SessionResult>(1);
    }

    /// @param session of one chunk @return when it began, s
    static double GetStartS(const SessionResult& session)
    {
        return static_cast<double>(session.startNs.value_or(0)) / 1e9;
    }

    /// @param session of one chunk @return T, s
    static double GetDurationS(const SessionResult& session)
    {
        return static_cast<double>(session.durationNs) / 1e9;
    }
};

/// A server that refuses, and one that does not answer.
class SecurityFailureTest : public TestCase
{
  public:
    SecurityFailureTest()
        : TestCase("segment engine: an authentication that fails")
    {
    }

  private:
    void DoRun() override
    {
        const auto refused = Run(R"({"kind": "auth-refused"})", "0");
        NS_TEST_EXPECT_MSG_EQ(refused.reason,
                              "the server answered 535 GSSAPI Authentication failed.",
                              "");
        // Greeted after 200 ms, the client says AUTH, which nobody answers
        const auto silent = Run(R"({"kind": "server-silent", "at": "220ms"})", "0");
        NS_TEST_EXPECT_MSG_EQ(silent.reason, "no reply to AUTH for 10 s", "");
        const auto again = Run(R"({"kind": "auth-refused", "for": "8s"})", "3");
        NS_TEST_EXPECT_MSG_EQ(again.reason, "", "a new try authenticates");
        const size_t tries = again.retries ? again.retries->restarts.size() : 0;
        NS_TEST_EXPECT_MSG_EQ(tries, 2, "new tries");
    }

    /// @param fault what goes wrong @param retries new tries @return what came of it
    static SessionResult Run(const std::string& fault, const std::string& retries)
    {
        const auto scenario = ParseScenarioJson(
            R"({"control-security": "gsi", "data-security": "gsi", "delay": "50ms", )"
            R"("stall-timeout": "10s", "mode": "fixed", "parallelism": "2", "access-delay": "0ms", )"
            R"("file-size": "20KB", "retries": ")" +
            retries + R"(", "faults": [)" + fault + "]}");
        const auto result =
            scenario ? RunOnSegments(*scenario) : Expected<TransferResult>(scenario.GetError());
        SessionResult none;
        none.reason = Reason(result);
        return result ? result->sessions[0] : none;
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SecurityCostTest, new SecurityQueueTest, new SecurityFailureTest};
});

} // namespace ns3::gridftp
