/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-path.h"

#include "gridftp-option-queue.h"
#include "gridftp-option-row.h"
#include "gridftp-option-table.h"
#include "gridftp-path-schedule.h"
#include "gridftp-text.h"
#include "gridftp-topology.h"

#include <algorithm>
#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t KILO = 1'000;
constexpr int64_t TERA = 1'000'000'000'000;

/** The options of a host's limit. */
void
AddLimitRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    t.push_back(WholeRow("limit-rate",
                         "limit_rate_bps",
                         scope,
                         RATE,
                         "0bps",
                         {0, RateLimiter::MOST_RATE_BPS},
                         BindMember<&PathSpec::limit, &RateLimit::rateBps>(),
                         "rate limit of a host in each direction, in IP bytes; 0bps: none"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "limit-kind",
                        "limit_kind",
                        scope,
                        "policer",
                        "policer|shaper",
                        {"policer", "shaper"},
                        BindMember<&PathSpec::limit, &RateLimit::kind>(),
                        "token bucket: drops excess packets (policer), or delays them (shaper)"));
    t.push_back(WholeRow("limit-burst",
                         "limit_burst_bytes",
                         scope,
                         BYTES,
                         "64KiB",
                         {1, RateLimiter::MOST_BURST_BYTES},
                         BindMember<&PathSpec::limit, &RateLimit::burstBytes>(),
                         "depth of the token bucket"));
    t.push_back(WholeRow("limit-queue",
                         "limit_queue_packets",
                         scope,
                         PACKETS,
                         "100p",
                         {1, 1'000'000},
                         BindMember<&PathSpec::limit, &RateLimit::queuePackets>(),
                         "DropTail buffer of a shaper: packets waiting"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "limit-at",
                        "limit_at",
                        scope,
                        "client",
                        "client|server",
                        {"client", "server"},
                        BindMember<&PathSpec::limitAt>(),
                        "host of the first session with the limit"));
}

/** The options of a delay that varies. Names and meanings are those of netem (tc-netem(8)). */
void
AddVariationRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    t.push_back(
        WholeRow("delay-jitter",
                 "delay_jitter_s",
                 scope,
                 TIME,
                 "0ms",
                 {0, 10 * SECOND},
                 BindMember<&PathSpec::variation, &DelayVariationSpec::jitterNs>(),
                 "spread of the bottleneck's delay from packet to packet, as netem's JITTER"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "delay-jitter-distribution",
                        "delay_jitter_distribution",
                        scope,
                        "uniform",
                        "uniform|normal|pareto|paretonormal",
                        {"uniform", "normal", "pareto", "paretonormal"},
                        BindMember<&PathSpec::variation, &DelayVariationSpec::distribution>(),
                        "distribution of the jitter, as netem's"));
    t.push_back(RealRow("delay-jitter-correlation",
                        "delay_jitter_correlation",
                        scope,
                        "0",
                        {0, 1, false, true},
                        BindMember<&PathSpec::variation, &DelayVariationSpec::correlation>(),
                        "correlation of a packet's jitter with that of the packet before"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "delay-jitter-order",
                        "delay_jitter_order",
                        scope,
                        "free",
                        "free|fifo",
                        {"free", "fifo"},
                        BindMember<&PathSpec::variation, &DelayVariationSpec::order>(),
                        "free: jitter lets packets overtake others; fifo: they stay in order"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "delay-jitter-at",
                        "delay_jitter_at",
                        scope,
                        "both",
                        "both|data|acks",
                        {"both", "data", "acks"},
                        BindMember<&PathSpec::variationAt>(),
                        "directions of the bottleneck that have jitter and reordering"));
    t.push_back(RealRow("reorder",
                        "reorder",
                        scope,
                        "0",
                        {0, 1, false, false},
                        BindMember<&PathSpec::variation, &DelayVariationSpec::reorder>(),
                        "share of packets that overtake others: they skip the bottleneck's delay"));
    t.push_back(RealRow("reorder-correlation",
                        "reorder_correlation",
                        scope,
                        "0",
                        {0, 1, false, true},
                        BindMember<&PathSpec::variation, &DelayVariationSpec::reorderCorrelation>(),
                        "correlation of a packet's overtaking with that of the packet before"));
    t.push_back(WholeRow("reorder-gap",
                         "reorder_gap_packets",
                         scope,
                         PACKETS,
                         "1p",
                         {1, 1'000'000},
                         BindMember<&PathSpec::variation, &DelayVariationSpec::reorderGap>(),
                         "at most one of this many packets in a row overtakes"));
}

/** The options of the bottleneck in reverse: against the first session's data. */
void
AddReverseRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    t.push_back(
        WholeRow("reverse-bandwidth",
                 "reverse_bandwidth_bps",
                 scope,
                 RATE,
                 "that of bandwidth",
                 {KILO, TERA},
                 BindMember<&PathSpec::reverseBandwidth>(),
                 "bandwidth of the bottleneck in reverse: for the ACKs of the first session"));
    t.push_back(WholeRow("reverse-delay",
                         "reverse_delay_s",
                         scope,
                         TIME,
                         "that of delay",
                         {0, 10 * SECOND},
                         BindMember<&PathSpec::reverseDelay>(),
                         "delay of the bottleneck in reverse, one way"));
    t.push_back(WholeRow("reverse-queue",
                         "reverse_queue_packets",
                         scope,
                         PACKETS,
                         "that of queue",
                         {1, 1'000'000},
                         BindMember<&PathSpec::reverseQueue>(),
                         "buffer of the bottleneck in reverse: packets waiting"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "reverse-queue-discipline",
                        "reverse_queue_discipline",
                        scope,
                        "same",
                        "same|drop-tail|red|codel|fq-codel|pie",
                        {"same", "drop-tail", "red", "codel", "fq-codel", "pie"},
                        BindMember<&PathSpec::reverseDiscipline>(),
                        "queue-discipline of the router in reverse; same: as queue-discipline"));
    t.push_back(RealRow("reverse-random-loss",
                        "reverse_random_loss",
                        scope,
                        "0",
                        {0, 1, false, true},
                        BindMember<&PathSpec::reverseRandomLoss>(),
                        "independent loss of packets behind the bottleneck in reverse"));
}

/** "--name=VALUE" as a person would write it. */
std::string
Quote(std::string_view name, int64_t value)
{
    return "--" + std::string(name) + "=" + GetOption(name).Format(value);
}

/** A limit lets the packets of its host through. */
Done
CheckLimit(const Scenario& scenario)
{
    const RateLimit& limit = scenario.path.limit;
    if (!limit.IsSet())
    {
        return std::monostate{};
    }
    const std::string shown = Quote("limit-rate", limit.rateBps);
    if (limit.rateBps < KILO)
    {
        return Error{shown + " is too little; allowed: 0bps for none, or at least " +
                     FormatWhole(KILO, Dimension::RATE)};
    }
    if (limit.burstBytes < scenario.path.packetSize)
    {
        return Error{Quote("limit-burst", limit.burstBytes) +
                     " lets no full packet through; allowed: at least " +
                     Quote("packet-size", scenario.path.packetSize).substr(2)};
    }
    if (scenario.measure.links == LinkKind::NS3)
    {
        return Error{shown + " is not for ns-3's own devices; allowed with --links=ns3: 0bps"};
    }
    if (scenario.sessions.front().direction == Direction::THIRD_PARTY)
    {
        return Error{shown + " needs a client that sends or receives the data; allowed with it: "
                             "--direction=upload or download"};
    }
    return std::monostate{};
}

/** Checks that the links can model jitter and reordering. */
Done
CheckVariation(const Scenario& scenario)
{
    const PathSpec& path = scenario.path;
    if (!path.variation.IsSet())
    {
        return std::monostate{};
    }
    const bool isJitter = path.variation.jitterNs > 0;
    const std::string shown =
        isJitter ? Quote("delay-jitter", path.variation.jitterNs)
                 : "--reorder=" + GetOption("reorder").Format(path.variation.reorder);
    if (scenario.measure.links == LinkKind::NS3)
    {
        return Error{shown + " is not for ns-3's own devices; allowed with --links=ns3: " +
                     (isJitter ? "0ms" : "0")};
    }
    if (!isJitter && path.delay == 0 && path.schedule.IsEmpty())
    {
        return Error{shown + " needs a delay that packets can skip; allowed with it: --delay "
                             "or --delay-jitter above 0ms"};
    }
    return std::monostate{};
}

/** A schedule holds in both directions. */
Done
CheckReverse(const Scenario& scenario)
{
    const PathSpec& path = scenario.path;
    if (path.schedule.IsEmpty())
    {
        return std::monostate{};
    }
    const bool isSlower = path.reverseBandwidth != path.bandwidth;
    if (isSlower || path.reverseDelay != path.delay)
    {
        return Error{(isSlower ? Quote("reverse-bandwidth", path.reverseBandwidth)
                               : Quote("reverse-delay", path.reverseDelay)) +
                     " is not for --path-schedule, which sets the rate and delay of both "
                     "directions; allowed with it: --reverse-queue, --reverse-queue-discipline, "
                     "--reverse-random-loss"};
    }
    return std::monostate{};
}

} // namespace

void
AddPathRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    t.push_back(WordRow(OptionKind::NAME,
                        "topology",
                        "topology",
                        scope,
                        GetTopologyKinds().front().name,
                        "TOPOLOGY",
                        NamesOf(GetTopologyKinds()),
                        BindMember<&PathSpec::topology>(),
                        "shape of the network: a name, or a file with the network and its values"));
    t.back().mayBeFile = true;
    t.push_back(WholeRow("bandwidth",
                         "bandwidth_bps",
                         scope,
                         RATE,
                         "100Mbps",
                         {KILO, TERA},
                         BindMember<&PathSpec::bandwidth>(),
                         "B, bandwidth of the bottleneck"));
    t.push_back(WholeRow("delay",
                         "delay_s",
                         scope,
                         TIME,
                         "10ms",
                         {0, 10 * SECOND},
                         BindMember<&PathSpec::delay>(),
                         "tau, delay of the bottleneck, one way"));
    AddQueueRows(t);
    t.push_back(WholeRow("packet-size",
                         "packet_size_bytes",
                         scope,
                         BYTES,
                         "1500B",
                         {41, 65535},
                         BindMember<&PathSpec::packetSize>(),
                         "IP packet of a full segment"));
    t.push_back(WholeRow("link-header",
                         "link_header_bytes",
                         scope,
                         BYTES,
                         "2B",
                         {0, 1000},
                         BindMember<&PathSpec::linkHeader>(),
                         "link header that takes transmission time per IP packet; 38B: Ethernet"));
    t.push_back(
        WholeRow("access-bandwidth",
                 "access_bandwidth_bps",
                 scope,
                 RATE,
                 "max(10Gbps, 10 x bandwidth)",
                 {KILO, 10 * TERA},
                 BindMember<&PathSpec::accessBandwidth>(),
                 "bandwidth of the access links; by default also at least 10 x reverse-bandwidth"));
    t.push_back(WholeRow("access-delay",
                         "access_delay_s",
                         scope,
                         TIME,
                         "10us",
                         {0, 10 * SECOND},
                         BindMember<&PathSpec::accessDelay>(),
                         "delay of each access link, one way"));
    AddLimitRows(t);
    t.push_back(WholeRow("host-memory",
                         "host_memory_bytes",
                         scope,
                         BYTES,
                         "0B",
                         {0, 1000 * TERA},
                         BindMember<&PathSpec::hostMemory>(),
                         "memory of the servers' host; reported next to its use, without effect"));
    t.push_back(WholeRow("host-overhead",
                         "host_overhead_s",
                         scope,
                         TIME,
                         "0ms",
                         {0, 10 * SECOND},
                         BindMember<&PathSpec::hostOverhead>(),
                         "random processing time per sent packet, uniform from 0 to this"));
    t.push_back(
        RealRow("random-loss",
                "random_loss",
                scope,
                "0",
                {0, 1, false, true},
                BindMember<&PathSpec::randomLoss>(),
                "independent loss of packets behind the bottleneck, in the data's direction"));
    AddVariationRows(t);
    t.push_back(WordRow(OptionKind::NAME,
                        "path-schedule",
                        "path_schedule",
                        scope,
                        NO_SCHEDULE,
                        "none|TIME:RATE:DELAY,...|FILE|random,...",
                        {},
                        BindMember<&PathSpec::scheduleText>(),
                        "rate and delay of the bottleneck over time: rows, table, trace, random"));
    t.back().mayBeFile = true;
    AddReverseRows(t);
}

Done
CheckPath(const Scenario& scenario)
{
    if (auto done = CheckQueue(scenario); !done)
    {
        return done;
    }
    const auto hasTimestamps = [](const auto& spec) { return spec.hostTcp.timestamps; };
    const int64_t segment =
        SegmentBytesFor(scenario.path.packetSize,
                        std::ranges::any_of(scenario.sessions, hasTimestamps) ||
                            std::ranges::any_of(scenario.background, hasTimestamps));
    const int64_t least = scenario.path.packetSize - segment + 1;
    if (segment < 1)
    {
        return Error{Quote("packet-size", scenario.path.packetSize) +
                     " leaves no room for data; allowed with these TCP options: at least " +
                     FormatWhole(least, Dimension::BYTES)};
    }
    if (scenario.path.linkHeader != LINK_HEADER_BYTES && scenario.measure.links == LinkKind::NS3)
    {
        return Error{
            Quote("link-header", scenario.path.linkHeader) +
            " is not for ns-3's own devices, which have PPP headers; allowed with --links=ns3: " +
            FormatWhole(LINK_HEADER_BYTES, Dimension::BYTES)};
    }
    if (scenario.path.hostOverhead > 0 && scenario.measure.links == LinkKind::NS3)
    {
        return Error{Quote("host-overhead", scenario.path.hostOverhead) +
                     " is not for ns-3's own devices; allowed with --links=ns3: 0ms"};
    }
    if (auto done = CheckVariation(scenario); !done)
    {
        return done;
    }
    if (auto done = CheckReverse(scenario); !done)
    {
        return done;
    }
    return CheckLimit(scenario);
}

} // namespace ns3::gridftp
