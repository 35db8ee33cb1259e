/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOPOLOGY_H
#define GRIDFTP_TOPOLOGY_H

#include "gridftp-active-queue.h"
#include "gridftp-codel.h"
#include "gridftp-delay-variation.h"
#include "gridftp-fq-codel.h"
#include "gridftp-link-schedule.h"
#include "gridftp-middlebox.h"
#include "gridftp-outage.h"
#include "gridftp-pie.h"
#include "gridftp-random-loss.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-red.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The network of a scenario as data, from which both engines build theirs.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The dumbbell's shared link, in the direction of the first session's
 * data. */
inline constexpr std::string_view BOTTLENECK_LINK = "bottleneck";

/** @ingroup gridftp @brief The same link in the reverse direction. */
inline constexpr std::string_view REVERSE_BOTTLENECK_LINK = "bottleneck, reverse";

/** @ingroup gridftp @brief Bytes before the IP packet in a frame: PPP's protocol field. */
inline constexpr int64_t LINK_HEADER_BYTES = 2;

/** @ingroup gridftp @brief One direction of a link. */
struct LinkSpec
{
    /** As LinkSpec::queuePackets: the queue drops nothing. */
    static constexpr int64_t UNLIMITED = -1;

    std::string name;                //!< what results and messages call it
    uint32_t from{};                 //!< node
    uint32_t to{};                   //!< node
    int64_t rateBps{};               //!< bit/s; with a schedule its largest
    int64_t delayNs{};               //!< of propagation, ns; with a schedule its least
    int64_t queuePackets{UNLIMITED}; //!< packets waiting at most, without the one in service
    QueueDiscipline discipline{};    //!< which packets are refused; DROP_TAIL where all can wait
    RedSpec red{};                   //!< where it is RED
    CodelSpec codel{};               //!< where it is CODEL or FQ_CODEL
    FqCodelSpec fqCodel{};           //!< where it is FQ_CODEL
    PieSpec pie{};                   //!< where it is PIE
    double randomLoss{};             //!< independent loss of packets behind the queue, [0, 1)
    DelayVariationSpec variation{};  //!< of the delay
    LinkSchedule schedule{};         //!< rate and delay over time; empty: they do not change
    Outages outages{};               //!< what arrives at its end then is lost
    std::vector<SizeHole> holes{};   //!< too large packets that arrive at its end then are lost
    RateLimit limit{};               //!< of what comes to it, in front of its queue
};

/** @ingroup gridftp @brief The hosts of a session or a background connection. */
struct HostPair
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< in place of a node: none

    uint32_t client{};     //!< node that connects
    uint32_t server{};     //!< node that accepts; of a third-party transfer, where the data goes to
    uint32_t sender{NONE}; //!< node where the data of a third-party transfer comes from
    std::vector<uint32_t> senders{};   //!< nodes that send the data, by stripe; one alone is where
                                       //!< the protocol interpreter of that end is, too
    std::vector<uint32_t> receivers{}; //!< nodes that receive the data, by stripe, likewise
};

/**
 * @ingroup gridftp
 * Nodes and links; both are numbered from 0. The two directions of a link are listed one after the
 * other, so that link 2 k + 1 leads back where link 2 k comes from.
 */
struct Topology
{
    static constexpr uint32_t NO_LINK = UINT32_MAX; //!< in place of a link: none

    std::vector<std::string> nodes;         //!< names
    std::vector<LinkSpec> links;            //!< each direction apart
    std::vector<HostPair> pairs;            //!< of the sessions, then of the background connections
    uint32_t measured{};                    //!< link whose use, queue and drops results have
    bool measuresReverse{false};            //!< results have those of its reverse direction, too
    int64_t headerBytes{LINK_HEADER_BYTES}; //!< what links add to an IP packet in time, bytes
    bool hasEcn{false}; //!< packets may be ECT, so that queue disciplines mark them
};

/** @ingroup gridftp @brief A shape that networks have. */
struct TopologyKind
{
    std::string_view name; //!< as in --topology=NAME

    /**
     * Makes one.
     * @param path rates, delays, queue and loss
     * @param direction of the data
     * @param delaysNs one way, ns; for each of them it has a HostPair
     */
    Topology (*make)(const PathSpec& path, Direction direction, std::span<const int64_t> delaysNs);
};

/** @ingroup gridftp @return all shapes, the default first */
std::span<const TopologyKind> GetTopologyKinds();

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @return its network, with a pair of hosts for each session and each background connection
 */
Topology MakeTopology(const Scenario& scenario);

/**
 * @ingroup gridftp
 * The dumbbell (Ito et al., Fig. 2): a router at either end of the bottleneck, and a pair of hosts
 * for each delay. What a delay is more than the bottleneck's is on the client's access link. Link 0
 * is the bottleneck in the forward direction, and measured.
 *
 * @param given rates, delays, queue and loss; what is not given of the reverse direction is that of
 *        the forward one
 * @param direction of the first session's data, which is the forward direction
 * @param delaysNs of the pairs, one way, ns
 * @return the network
 */
Topology MakeDumbbell(const PathSpec& given,
                      Direction direction,
                      std::span<const int64_t> delaysNs);

/**
 * @ingroup gridftp
 * Gives a third-party transfer its hosts: what was the client becomes the server that sends, and
 * the client a new host on an access link of its own to the same router.
 * @param topology a network
 * @param pair index of the hosts
 * @param path rate of access links
 * @param delayNs of the client's access link, one way, ns
 */
void AddThirdParty(Topology& topology, size_t pair, const PathSpec& path, int64_t delayNs);

/**
 * @ingroup gridftp
 * Sets the rate of a client's access link, both ways.
 * @param topology a network
 * @param pair index of the hosts
 * @param rateBps bit/s
 */
void SetClientAccess(Topology& topology, size_t pair, int64_t rateBps);

/**
 * @ingroup gridftp
 * Limits the rate of a host by its operating system: of what it sends in front of its access link,
 * of what it receives at the router's end of that, whose queue drops nothing.
 * @param topology a network
 * @param host on one link
 * @param limit of each direction
 */
void SetHostLimit(Topology& topology, uint32_t host, const RateLimit& limit);

/** @ingroup gridftp @param topology a network @param node of it @return whether a link from or to
 * it has a limit */
bool IsLimited(const Topology& topology, uint32_t node);

/**
 * @ingroup gridftp
 * Gives a pair of hosts its DTPs (Allcock et al., Section 5): an end with several stripes keeps its
 * host as the head, where the protocol interpreter is, and has a new host for each stripe, on a
 * link to the same router that is like the head's.
 * @param topology a network
 * @param pair index of the hosts
 * @param direction of the data of this pair
 * @param stripes how many at each end
 */
void AddStripes(Topology& topology, size_t pair, Direction direction, const StripeCounts& stripes);

/**
 * @name Making a topology
 * @{
 */

/** @ingroup gridftp @param topology a network @param name of a new node @return the node */
uint32_t AddNode(Topology& topology, std::string name);

/**
 * @ingroup gridftp
 * Adds a link. Rate and delay of one with a schedule follow from that.
 * @param topology a network
 * @param there one direction
 * @param back the other one, between the same nodes; with a schedule if and only if there is one
 *        there
 */
void AddLink(Topology& topology, LinkSpec there, LinkSpec back);

/** @} */

/** @ingroup gridftp @param link a direction of a link @return the other one */
constexpr uint32_t
GetReverse(uint32_t link)
{
    return link ^ 1;
}

/** @ingroup gridftp @brief The subnet of link 0, 10.0.0.0; those of other links follow. */
inline constexpr uint32_t FIRST_SUBNET = 0x0a000000;

/** @ingroup gridftp @brief Addresses of a link's subnet: network, both ends, broadcast. */
inline constexpr uint32_t SUBNET_SIZE = 4;

/**
 * @ingroup gridftp
 * The IPv4 address of the end where a link begins: of its two ends the node with the smaller number
 * has the first address of the link's subnet.
 * @param topology a network
 * @param link of it
 * @return the address, as a number
 */
uint32_t GetAddress(const Topology& topology, uint32_t link);

/** @ingroup gridftp @param topology a network @param node with a link @return its first address */
uint32_t GetNodeAddress(const Topology& topology, uint32_t node);

/** @ingroup gridftp @param topology a network @param node of it @return links that begin there */
std::vector<uint32_t> FindLinksFrom(const Topology& topology, uint32_t node);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param to node
 * @return of each node, the first link of FindRoute() from there; Topology::NO_LINK where there is
 * none
 */
std::vector<uint32_t> FindNextLinks(const Topology& topology, uint32_t to);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param from node
 * @param to another node
 * @return the links of the way with the fewest, the first ones listed among equals; empty where
 *         there is no way
 */
std::vector<uint32_t> FindRoute(const Topology& topology, uint32_t from, uint32_t to);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param link of it
 * @param seed as ns-3's RngSeed
 * @param run as ns-3's RngRun
 * @return which packets the link loses behind its queue
 */
RandomLoss MakeRandomLoss(const Topology& topology, uint32_t link, uint64_t seed, uint64_t run);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param link of it
 * @param seed as ns-3's RngSeed
 * @param run as ns-3's RngRun
 * @return what drops packets in front of the link's queue; none where the discipline is not RED
 */
std::optional<RandomEarlyDetection> MakeRed(const Topology& topology,
                                            uint32_t link,
                                            uint64_t seed,
                                            uint64_t run);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param link of it
 * @param seed as ns-3's RngSeed
 * @param run as ns-3's RngRun
 * @return the queue of the link; null where its discipline is not IsActive()
 */
std::unique_ptr<ActiveQueue> MakeActiveQueue(const Topology& topology,
                                             uint32_t link,
                                             uint64_t seed,
                                             uint64_t run);

/**
 * @ingroup gridftp
 * @param topology a network
 * @param link of it
 * @param seed as ns-3's RngSeed
 * @param run as ns-3's RngRun
 * @return how the delay of the link varies; none where it does not
 */
std::optional<DelayVariation> MakeDelayVariation(const Topology& topology,
                                                 uint32_t link,
                                                 uint64_t seed,
                                                 uint64_t run);

} // namespace ns3::gridftp

#endif // GRIDFTP_TOPOLOGY_H
