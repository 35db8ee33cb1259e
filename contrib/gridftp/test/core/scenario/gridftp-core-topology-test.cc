/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-test-cases.h"
#include "gridftp-topology.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param topology a network @param from node @param to node @return the links of the way, in words
std::string
Way(const Topology& topology, uint32_t from, uint32_t to)
{
    std::string way;
    for (const uint32_t link : FindRoute(topology, from, to))
    {
        way += (way.empty() ? "" : ", ") + topology.links[link].name;
    }
    return way;
}

/// @param topology a network @param a node @param b node
void
Join(Topology& topology, uint32_t a, uint32_t b)
{
    const std::string names[] = {topology.nodes[a], topology.nodes[b]};
    AddLink(topology,
            {.name = names[0] + "-" + names[1], .from = a, .to = b, .rateBps = 1000},
            {.name = names[1] + "-" + names[0], .from = b, .to = a, .rateBps = 1000});
}

/// The dumbbell's links, ways and addresses, in both directions of the data.
class DumbbellTopologyTest : public TestCase
{
  public:
    DumbbellTopologyTest()
        : TestCase("topology: dumbbell")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.path = {.topology = "dumbbell",
                         .bandwidth = 1000,
                         .delay = 50,
                         .queue = 7,
                         .accessBandwidth = 9000,
                         .accessDelay = 3,
                         .randomLoss = 0.25};
        scenario.sessions.resize(1);
        scenario.sessions[0].delay = 50;
        scenario.background.resize(1);
        scenario.background[0].delay = 90;
        for (const auto direction : {Direction::UPLOAD, Direction::DOWNLOAD})
        {
            scenario.sessions[0].direction = direction;
            scenario.background[0].direction = direction;
            Check(MakeTopology(scenario), direction == Direction::UPLOAD);
        }
        CheckSchedule(scenario);
    }

    /// Both directions of the bottleneck change, and no other link. @param scenario of the dumbbell
    void CheckSchedule(Scenario scenario)
    {
        scenario.path.schedule = LinkSchedule({{0, 300, 60}, {5, 2000, 20}});
        const Topology made = MakeTopology(scenario);
        for (uint32_t link = 0; link < made.links.size(); ++link)
        {
            const LinkSpec& spec = made.links[link];
            const bool changes = link == made.measured || link == GetReverse(made.measured);
            NS_TEST_EXPECT_MSG_EQ(spec.schedule.IsEmpty(), !changes, spec.name);
            NS_TEST_EXPECT_MSG_EQ(spec.rateBps, (changes ? 2000 : 9000), "its largest");
        }
        NS_TEST_EXPECT_MSG_EQ(made.links[made.measured].delayNs, 20, "its least");
    }

    /// @param made the network @param upload whether the data goes from client to server
    void Check(const Topology& made, bool upload)
    {
        NS_TEST_EXPECT_MSG_EQ(made.pairs.size(), 2, "session and background");
        const HostPair pair = made.pairs[1];
        const std::string against = "bottleneck, reverse";
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.client, pair.server),
                              "client 1 out, " + (upload ? "bottleneck" : against) +
                                  ", server 1 in",
                              "there");
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.server, pair.client),
                              "server 1 out, " + (upload ? against : "bottleneck") +
                                  ", client 1 in",
                              "and back");
        const LinkSpec& measured = made.links[made.measured];
        NS_TEST_EXPECT_MSG_EQ(measured.name, BOTTLENECK_LINK, "measured");
        NS_TEST_EXPECT_MSG_EQ(measured.randomLoss, 0.25, "with the data");
        NS_TEST_EXPECT_MSG_EQ(made.links[GetReverse(made.measured)].randomLoss, 0, "against it");
        NS_TEST_EXPECT_MSG_EQ(made.links[GetReverse(made.measured)].queuePackets, 7, "both ways");
        NS_TEST_EXPECT_MSG_EQ(measured.schedule.IsEmpty(), true, "it does not change");
        const auto access = FindLinksFrom(made, pair.client);
        NS_TEST_EXPECT_MSG_EQ(access.size(), 1, "a host has one link");
        NS_TEST_EXPECT_MSG_EQ(made.links[access[0]].delayNs, 3 + 40, "the rest of its delay");
        // 10.0.0.0/30 is the bottleneck's subnet, then client 0, server 0, client 1, ...
        NS_TEST_EXPECT_MSG_EQ(GetAddress(made, access[0]), 0x0a00000e, "10.0.0.14");
        NS_TEST_EXPECT_MSG_EQ(GetAddress(made, GetReverse(access[0])), 0x0a00000d, "its router");
        NS_TEST_EXPECT_MSG_EQ(GetNodeAddress(made, pair.server), 0x0a000012, "10.0.0.18");
    }
};

/// Where the three hosts of a third-party transfer are.
class ThirdPartyTopologyTest : public TestCase
{
  public:
    ThirdPartyTopologyTest()
        : TestCase("topology: third party")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.path = {.topology = "dumbbell",
                         .bandwidth = 1000,
                         .delay = 50,
                         .queue = 7,
                         .accessBandwidth = 9000,
                         .accessDelay = 3};
        scenario.sessions.resize(1);
        scenario.sessions[0].delay = 90;
        scenario.sessions[0].clientDelay = 11;
        scenario.sessions[0].direction = Direction::THIRD_PARTY;
        scenario.background.resize(1);
        scenario.background[0].delay = 50;
        const Topology made = MakeTopology(scenario);
        const HostPair& pair = made.pairs[0];
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.sender, pair.server),
                              "sender 0 out, bottleneck, receiver 0 in",
                              "the data");
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.client, pair.sender),
                              "client 0 out, sender 0 in",
                              "not over the bottleneck");
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.server, pair.client),
                              "receiver 0 out, bottleneck, reverse, client 0 in",
                              "over the bottleneck");
        const auto delayOf = [&](uint32_t host) {
            return made.links[FindLinksFrom(made, host).front()].delayNs;
        };
        NS_TEST_EXPECT_MSG_EQ(delayOf(pair.client), 11, "its own");
        NS_TEST_EXPECT_MSG_EQ(delayOf(pair.sender), 3 + 40, "the rest of the data's delay");
        NS_TEST_EXPECT_MSG_EQ(delayOf(pair.server), 3, "");
        NS_TEST_EXPECT_MSG_EQ(made.pairs[1].sender, HostPair::NONE, "background has two hosts");
        NS_TEST_EXPECT_MSG_EQ(made.nodes[made.pairs[1].client], "client 1", "as it was");
        NS_TEST_EXPECT_MSG_EQ(made.nodes[pair.client], "client 0", "the new one");
    }
};

/// Where the heads and the DTPs of stripes are.
class StripeTopologyTest : public TestCase
{
  public:
    StripeTopologyTest()
        : TestCase("topology: stripes")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.path = {.topology = "dumbbell",
                         .bandwidth = 1000,
                         .delay = 50,
                         .queue = 7,
                         .accessBandwidth = 9000,
                         .accessDelay = 3};
        scenario.sessions.resize(2);
        scenario.sessions[0].delay = 50;
        scenario.sessions[1].delay = 90;
        scenario.sessions[1].stripes = {2, 3};
        const Topology up = MakeTopology(scenario);
        NS_TEST_EXPECT_MSG_EQ((up.pairs[0].senders == std::vector{up.pairs[0].client}), true, "");
        NS_TEST_EXPECT_MSG_EQ((up.pairs[0].receivers == std::vector{up.pairs[0].server}), true, "");
        Expect(up,
               "client 1 stripe 0 out, bottleneck, server 1 stripe 2 in",
               "client 1 out, client 1 stripe 1 in",
               "server 1 out, server 1 stripe 0 in");
        NS_TEST_EXPECT_MSG_EQ(DelayOf(up, up.pairs[1].senders[1]), 43, "the client's side");
        NS_TEST_EXPECT_MSG_EQ(DelayOf(up, up.pairs[1].receivers[2]), 3, "");
        // The head's addresses are as without: 10.0.0.12 is the subnet of client 1
        NS_TEST_EXPECT_MSG_EQ(GetNodeAddress(up, up.pairs[1].client), 0x0a00000e, "");

        scenario.sessions[0].direction = scenario.sessions[1].direction = Direction::DOWNLOAD;
        const Topology down = MakeTopology(scenario);
        Expect(down,
               "server 1 stripe 0 out, bottleneck, client 1 stripe 2 in",
               "server 1 out, server 1 stripe 1 in",
               "client 1 out, client 1 stripe 0 in");

        scenario.sessions[0].direction = scenario.sessions[1].direction = Direction::THIRD_PARTY;
        scenario.sessions[1].clientDelay = 11;
        const Topology third = MakeTopology(scenario);
        Expect(third,
               "sender 1 stripe 0 out, bottleneck, receiver 1 stripe 2 in",
               "sender 1 out, sender 1 stripe 1 in",
               "receiver 1 out, receiver 1 stripe 0 in");
        NS_TEST_EXPECT_MSG_EQ(DelayOf(third, third.pairs[1].senders[0]), 43, "the data's");
        NS_TEST_EXPECT_MSG_EQ(DelayOf(third, third.pairs[1].client), 11, "one host");
    }

    /// @param made a network @param host in it @return the delay of its link
    static int64_t DelayOf(const Topology& made, uint32_t host)
    {
        return made.links[FindLinksFrom(made, host).front()].delayNs;
    }

    /// @param made a network with 2x3 stripes @param data way of some @param sending from that head
    /// to a DTP @param receiving likewise
    void Expect(const Topology& made,
                const std::string& data,
                const std::string& sending,
                const std::string& receiving)
    {
        const HostPair& pair = made.pairs[1];
        NS_TEST_ASSERT_MSG_EQ(pair.senders.size(), 2, "");
        NS_TEST_ASSERT_MSG_EQ(pair.receivers.size(), 3, "");
        NS_TEST_EXPECT_MSG_EQ(Way(made, pair.senders[0], pair.receivers[2]), data, "");
        const bool isUpload = made.nodes[pair.senders[0]].starts_with("client");
        const uint32_t sender = pair.sender != HostPair::NONE ? pair.sender
                                : isUpload                    ? pair.client
                                                              : pair.server;
        const uint32_t receiver =
            pair.sender != HostPair::NONE || isUpload ? pair.server : pair.client;
        NS_TEST_EXPECT_MSG_EQ(Way(made, sender, pair.senders[1]), sending, "");
        NS_TEST_EXPECT_MSG_EQ(Way(made, receiver, pair.receivers[0]), receiving, "");
    }
};

/// Which links a host's limit is in front of.
class HostLimitTest : public TestCase
{
  public:
    HostLimitTest()
        : TestCase("topology: limits of hosts")
    {
    }

  private:
    void DoRun() override
    {
        Scenario scenario;
        scenario.path = {.topology = "dumbbell",
                         .bandwidth = 1000,
                         .delay = 50,
                         .queue = 7,
                         .accessBandwidth = 9000,
                         .accessDelay = 3};
        scenario.sessions.resize(2);
        scenario.sessions[0].delay = scenario.sessions[1].delay = 50;
        NS_TEST_EXPECT_MSG_EQ(Limited(scenario), "", "none");
        scenario.path.limit = {800, LimitKind::SHAPER, 1500, 4};
        NS_TEST_EXPECT_MSG_EQ(Limited(scenario), "client 0 out, client 0 in, ", "the client");
        scenario.path.limitAt = LimitEnd::SERVER;
        NS_TEST_EXPECT_MSG_EQ(Limited(scenario), "server 0 out, server 0 in, ", "the server");
        CheckNodes(MakeTopology(scenario));
        scenario.sessions[0].stripes = {1, 2};
        NS_TEST_EXPECT_MSG_EQ(Limited(scenario),
                              "server 0 out, server 0 in, server 0 stripe 0 out, "
                              "server 0 stripe 0 in, server 0 stripe 1 out, "
                              "server 0 stripe 1 in, ",
                              "each host of a striped end");
        scenario.sessions[0].stripes = {};
        scenario.sessions[1].server = ServerHost::SHARED;
        const Topology shared = MakeTopology(scenario);
        NS_TEST_EXPECT_MSG_EQ(IsLimited(shared, shared.pairs[1].server), true, "the same host");
        NS_TEST_EXPECT_MSG_EQ(IsLimited(shared, shared.pairs[1].client), false, "its own");
    }

    /// @param made network in which the first server has a limit
    void CheckNodes(const Topology& made)
    {
        for (const auto& link : made.links)
        {
            const bool isSet = link.limit.IsSet();
            NS_TEST_EXPECT_MSG_EQ(link.limit.rateBps, (isSet ? 800 : 0), link.name);
            NS_TEST_EXPECT_MSG_EQ(link.limit.queuePackets, (isSet ? 4 : 0), link.name);
        }
        NS_TEST_EXPECT_MSG_EQ(IsLimited(made, made.pairs[0].server), true, "it");
        NS_TEST_EXPECT_MSG_EQ(IsLimited(made, made.pairs[0].client), false, "its client");
        NS_TEST_EXPECT_MSG_EQ(IsLimited(made, made.pairs[1].server), false, "another");
    }

    /// @param scenario of a network @return the links that have a limit
    static std::string Limited(const Scenario& scenario)
    {
        std::string names;
        for (const auto& link : MakeTopology(scenario).links)
        {
            names += link.limit.IsSet() ? link.name + ", " : "";
        }
        return names;
    }
};

/// The way with the fewest links, the first ones listed among equals, wherever one stands on it.
class WayTest : public TestCase
{
  public:
    WayTest()
        : TestCase("topology: ways")
    {
    }

  private:
    void DoRun() override
    {
        Topology made;
        for (const auto* name : {"a", "b", "c", "d", "e", "alone"})
        {
            AddNode(made, name);
        }

        enum : uint32_t
        {
            A,
            B,
            C,
            D,
            E,
            ALONE
        };

        Join(made, A, C); // listed before A-B: a way over C wins over one over B
        Join(made, A, B);
        Join(made, B, D);
        Join(made, C, D);
        Join(made, D, E);
        NS_TEST_EXPECT_MSG_EQ(Way(made, A, E), "a-c, c-d, d-e", "the first listed");
        NS_TEST_EXPECT_MSG_EQ(Way(made, E, A), "e-d, d-b, b-a", "the first listed there");
        NS_TEST_EXPECT_MSG_EQ(Way(made, B, C), "b-a, a-c", "as short as over D");
        NS_TEST_EXPECT_MSG_EQ(Way(made, A, ALONE), "", "no way");
        NS_TEST_EXPECT_MSG_EQ(Way(made, A, A), "", "there already");
        const auto next = FindNextLinks(made, E);
        NS_TEST_EXPECT_MSG_EQ(next[B], FindRoute(made, B, E).front(), "on from b");
        NS_TEST_EXPECT_MSG_EQ(next[C], FindRoute(made, A, E)[1], "on from c");
        NS_TEST_EXPECT_MSG_EQ(next[E], Topology::NO_LINK, "at the end");
        NS_TEST_EXPECT_MSG_EQ(next[ALONE], Topology::NO_LINK, "no way");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new DumbbellTopologyTest,
            new ThirdPartyTopologyTest,
            new StripeTopologyTest,
            new HostLimitTest,
            new WayTest};
});

} // namespace ns3::gridftp
