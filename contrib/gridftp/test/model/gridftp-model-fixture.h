/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MODEL_FIXTURE_H
#define GRIDFTP_MODEL_FIXTURE_H

#include "gridftp-client.h"
#include "gridftp-dumbbell-helper.h"
#include "gridftp-fake-peers.h"
#include "gridftp-server.h"
#include "gridftp-tcp-defaults.h"
#include "gridftp-wire-tap.h"

#include "ns3/test.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of applications and helpers share: the network and the applications.
 */

/**
 * @ingroup gridftp
 * Ends a test method that has nothing more to look at. (NS_TEST_ASSERT_MSG_EQ does so only where
 * the runner is told to stop on failures.)
 */
#define GRIDFTP_TEST_REQUIRE_EQ(actual, limit, message)                                            \
    do                                                                                             \
    {                                                                                              \
        NS_TEST_EXPECT_MSG_EQ(actual, limit, message);                                             \
        if (!((actual) == (limit)))                                                                \
        {                                                                                          \
            return;                                                                                \
        }                                                                                          \
    } while (false)

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A simulation of clients and servers on the dumbbell. A case overrides the hooks it needs:
 * ConfigureEnvironment(), before any object exists; ConfigureObjects(), when network and
 * applications do and nothing has started; FinalChecks(), at the end.
 *
 * The default path is one whose times are easily worked out: 100 ns for a byte on the bottleneck,
 * 1 ns on the access links, 10.02 ms from host to host.
 */
class TransferTest : public TestCase
{
  public:
    /** @param name of the case */
    explicit TransferTest(const std::string& name);

  protected:
    /** Links, TCP, attributes. */
    virtual void ConfigureEnvironment()
    {
    }

    /** Whatever else takes part. */
    virtual void ConfigureObjects()
    {
    }

    /** What must have come of it. */
    virtual void FinalChecks()
    {
    }

    /** @param name of an attribute of all clients @param value of it */
    void SetClient(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of all servers @param value of it */
    void SetServer(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of clients and servers @param value of it */
    void SetBoth(const std::string& name, const AttributeValue& value);

    /** @param name of an attribute of all tuners @param value of it */
    void SetTuner(const std::string& name, const AttributeValue& value);

    /** Loses every packet on the bottleneck, both ways. @param from this time on */
    void CutBottleneck(Time from);

    /** Every client is done. */
    void ExpectDone();

    /** The first client has failed. @param reason its reason, or the beginning of it */
    void ExpectFailed(const std::string& reason);

    /** Nothing was scheduled any more at the end. */
    void ExpectDry();

    /** @param client index @return the parallelism of its chunks, blank separated */
    std::string GetSequence(uint32_t client = 0) const;

    DumbbellHelper::Links m_links; //!< of the network
    TcpDefaults m_tcp;             //!< of all TCP
    uint32_t m_pairs{1};           //!< of hosts
    bool m_oneServer{false};       //!< all clients use the first server
    bool m_withClients{true};      //!< whether there are clients
    bool m_withServers{true};      //!< whether there are servers
    std::string m_mode{"fixed"};   //!< of the tuners
    Time m_limit{Minutes(10)};     //!< the simulation must have ended by itself before
    Time m_watch{Hours(1)};        //!< how long it is watched after that

    std::unique_ptr<DumbbellHelper> m_network;          //!< the dumbbell
    std::vector<Ptr<Client>> m_clients;                 //!< one per pair
    std::vector<Ptr<Server>> m_servers;                 //!< one per pair
    std::unique_ptr<FakeServer> m_fakeServer;           //!< made by the case that needs one
    std::unique_ptr<FakeClient> m_fakeClient;           //!< made by the case that needs one
    std::vector<std::unique_ptr<WireTap>> m_clientTaps; //!< at the clients' hosts
    std::vector<std::unique_ptr<WireTap>> m_serverTaps; //!< at the servers' hosts

  private:
    using Attributes = std::vector<std::pair<std::string, Ptr<AttributeValue>>>; //!< to be set

    void DoRun() override;
    void DoTeardown() override;

    /** Makes applications and taps of a pair. @param pair index */
    void Install(uint32_t pair);

    Attributes m_clientAttributes; //!< of all clients
    Attributes m_serverAttributes; //!< of all servers
    Attributes m_tunerAttributes;  //!< of all tuners
    bool m_ranDry{false};          //!< nothing was left at the end
};

} // namespace ns3::gridftp

#endif // GRIDFTP_MODEL_FIXTURE_H
