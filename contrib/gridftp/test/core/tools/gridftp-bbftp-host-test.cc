/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-memory-hosts.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-bbftp-host.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A client and a server on hosts in memory, and what their owner hears.
class Session : private BbftpHostUser
{
  public:
    /// @param isUpload whether the client sends @param faults of the server
    explicit Session(bool isUpload, const std::vector<BbftpFault>& faults = {})
        : m_faults(faults),
          client(Settings(BbftpRole::CLIENT, isUpload), hosts.GetHost(0), *this),
          server(Settings(BbftpRole::SERVER, isUpload), hosts.GetHost(1), *this)
    {
    }

    /// Both start, and go on to the end.
    void Run()
    {
        server.Start(hosts.now);
        client.Start(hosts.now);
        hosts.Run();
    }

    MemoryHosts hosts; //!< both

  private:
    std::vector<BbftpFault> m_faults; //!< of the server

  public:
    BbftpHost client;     //!< one end
    BbftpHost server;     //!< the other
    std::string heard;    //!< what the owner was told
    BbftpOutcome outcome; //!< of the session
    int ends{0};          //!< how often the session has ended

  private:
    /// @param role of a host @param isUpload whether the client sends @return its settings
    BbftpSettings Settings(BbftpRole role, bool isUpload) const
    {
        BbftpSettings settings{
            .role = role,
            .transfer = {.isUpload = isUpload, .bytes = 2 * BbftpParts::BLOCK_BYTES, .streams = 2}};
        if (role == BbftpRole::SERVER)
        {
            settings.faults = m_faults;
        }
        return settings;
    }

    void HandleBegun(Nanoseconds) override
    {
        heard += "begun, ";
    }

    void HandleMoved(Nanoseconds) override
    {
        heard += "moved, ";
    }

    void HandleEnded(Nanoseconds now, BbftpRole role) override
    {
        const bool isClient = role == BbftpRole::CLIENT;
        const std::string reason = (isClient ? client : server).GetReason();
        heard += (isClient ? "client" : "server") + std::string(" ended: ") + reason + "; ";
        if (EndBbftpSession(outcome, now, isClient ? client : server, isClient ? server : client))
        {
            ++ends;
        }
    }
};

/// A whole transfer in both directions.
class BbftpHostTransferTest : public TestCase
{
  public:
    BbftpHostTransferTest()
        : TestCase("bbftp host: connects, moves each part once and closes the data connections")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isUpload : {true, false})
        {
            Session session(isUpload);
            session.Run();
            NS_TEST_EXPECT_MSG_EQ(session.heard,
                                  "begun, moved, client ended: ; server ended: ; ",
                                  "the client leaves first");
            NS_TEST_EXPECT_MSG_EQ(session.ends, 1, "the client ends the session");
            NS_TEST_EXPECT_MSG_EQ(session.outcome.failedNs.has_value(), false, "it is done");
            NS_TEST_EXPECT_MSG_EQ((isUpload ? session.server : session.client).GetBytes(),
                                  2 * BbftpParts::BLOCK_BYTES,
                                  "all of the file");
            NS_TEST_EXPECT_MSG_EQ((isUpload ? session.client : session.server).GetBytes(),
                                  0,
                                  "nothing comes back");
            NS_TEST_EXPECT_MSG_EQ(session.client.GetStreams(), 2, "a block each");
            const std::string asked = session.hosts.Take(); // the macro evaluates it twice
            NS_TEST_EXPECT_MSG_EQ(asked,
                                  "client 50000 closes, client 50001 closes, "
                                  "server 50000 closes, server 50001 closes",
                                  "the control connection stays");
        }
    }
};

/// Faults, and what the owner does about them.
class BbftpHostFaultTest : public TestCase
{
  public:
    BbftpHostFaultTest()
        : TestCase("bbftp host: a fault resets all connections, of both hosts")
    {
    }

  private:
    void DoRun() override
    {
        CheckFault({.at = 8},
                   "server ended: bbftp, server: the control connection was reset or gave up its "
                   "retries; ",
                   "server 5021 resets, client 5021 resets");
        CheckFault({.at = 1000, .connection = 0}, "", "");
        CheckFault({.at = 3, .connection = 1}, "", ""); // it is not there yet
        CheckRefusal();
        CheckSecondClient();
    }

    /// @param fault of the server @param heard by the owner; empty: the transfer is done
    /// @param resets that are asked for; empty: likewise
    void CheckFault(const BbftpFault& fault, const std::string& heard, const std::string& resets)
    {
        Session session(true, {fault});
        session.Run();
        const std::string done = "begun, moved, client ended: ; server ended: ; ";
        NS_TEST_EXPECT_MSG_EQ(session.heard, (heard.empty() ? done : heard), fault.at);
        NS_TEST_EXPECT_MSG_EQ(session.ends, 1, fault.at);
        NS_TEST_EXPECT_MSG_EQ(session.outcome.failedNs.value_or(0),
                              (heard.empty() ? 0 : fault.at),
                              "when it has failed");
        if (!resets.empty())
        {
            const std::string asked = session.hosts.Take(); // the macro evaluates it twice
            NS_TEST_EXPECT_MSG_EQ(asked, resets, fault.at);
        }
    }

    /// Nobody listens.
    void CheckRefusal()
    {
        Session session(true);
        session.client.Start(0);
        session.hosts.Run();
        NS_TEST_EXPECT_MSG_EQ(session.heard,
                              "client ended: bbftp, client: the control connection was refused; ",
                              "no server");
    }

    /// A server has one client.
    void CheckSecondClient()
    {
        /// A client that counts how often it is refused.
        struct Second : StreamUser
        {
            void HandleLost(Nanoseconds, StreamLoss loss) override
            {
                refusals += loss == StreamLoss::REFUSED;
            }

            int refusals{0}; //!< of its connection
        } second;

        Session session(true);
        session.server.Start(0);
        session.client.Start(0);
        session.hosts.Run(2);
        session.hosts.GetHost(0).Connect(2, BBFTP_PORT, {.hasContent = true}, second);
        session.hosts.Run();
        NS_TEST_EXPECT_MSG_EQ(second.refusals, 1, "the server is busy");
        NS_TEST_EXPECT_MSG_EQ(session.heard,
                              "begun, moved, client ended: ; server ended: ; ",
                              "the first one is served");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new BbftpHostTransferTest, new BbftpHostFaultTest};
});

} // namespace
