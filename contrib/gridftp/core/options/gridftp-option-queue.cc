/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-queue.h"

#include "gridftp-option-row.h"
#include "gridftp-option-table.h"

#include <string>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/** The buffer, the discipline, and the parameters of RED, whose defaults are ns-3's. */
void
AddDisciplineRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    const WholeRange any{1, 1'000'000};
    t.push_back(WholeRow("queue",
                         "queue_packets",
                         scope,
                         PACKETS,
                         "100p",
                         any,
                         BindMember<&PathSpec::queue>(),
                         "buffer of a router: packets waiting, without the one in service"));
    t.push_back(WordRow(OptionKind::CHOICE,
                        "queue-discipline",
                        "queue_discipline",
                        scope,
                        "drop-tail",
                        "drop-tail|red|codel|fq-codel|pie",
                        {"drop-tail", "red", "codel", "fq-codel", "pie"},
                        BindMember<&PathSpec::discipline>(),
                        "rule by which a router drops packets: at a full buffer, or earlier"));
    t.push_back(WholeRow("red-min-threshold",
                         "red_min_threshold_packets",
                         scope,
                         PACKETS,
                         "5p",
                         any,
                         BindMember<&PathSpec::red, &RedSpec::minThreshold>(),
                         "RED drops no packet while fewer packets wait on average"));
    t.push_back(WholeRow("red-max-threshold",
                         "red_max_threshold_packets",
                         scope,
                         PACKETS,
                         "15p",
                         any,
                         BindMember<&PathSpec::red, &RedSpec::maxThreshold>(),
                         "average queue at which RED's drop probability is red-max-probability"));
    t.push_back(RealRow("red-max-probability",
                        "red_max_probability",
                        scope,
                        "0.02",
                        {0, 1, true, false},
                        BindMember<&PathSpec::red, &RedSpec::maxProbability>(),
                        "RED's drop probability at red-max-threshold"));
    t.push_back(RealRow("red-weight",
                        "red_weight",
                        scope,
                        "0.002",
                        {0, 1, true, false},
                        BindMember<&PathSpec::red, &RedSpec::weight>(),
                        "weight of the queue that a packet meets in RED's average"));
    t.push_back(
        WordRow(OptionKind::SWITCH,
                "red-gentle",
                "red_gentle",
                scope,
                "on",
                "on|off",
                {},
                BindMember<&PathSpec::red, &RedSpec::isGentle>(),
                "RED's drop probability rises to 1 at twice red-max-threshold, not at once"));
}

/** The parameters of disciplines that hold the packets of a router. The values are those of their
 * RFCs. */
void
AddActiveQueueRows(std::vector<Option>& t)
{
    using enum Dimension;
    const auto scope = OptionScope::PATH;
    const WholeRange times{10'000, 10 * SECOND};
    t.push_back(WholeRow("codel-target",
                         "codel_target_s",
                         scope,
                         TIME,
                         "5ms",
                         times,
                         BindMember<&PathSpec::codel, &CodelSpec::targetNs>(),
                         "time that packets may wait in a CoDel or FQ-CoDel queue"));
    t.push_back(WholeRow("codel-interval",
                         "codel_interval_s",
                         scope,
                         TIME,
                         "100ms",
                         times,
                         BindMember<&PathSpec::codel, &CodelSpec::intervalNs>(),
                         "CoDel drops once packets have waited longer for this time; an RTT"));
    t.push_back(WholeRow("fq-codel-flows",
                         "fq_codel_flows",
                         scope,
                         COUNT,
                         "1024",
                         {1, 65536},
                         BindMember<&PathSpec::fqCodel, &FqCodelSpec::flows>(),
                         "queues of FQ-CoDel that flows are hashed to"));
    t.push_back(WholeRow("fq-codel-quantum",
                         "fq_codel_quantum_bytes",
                         scope,
                         BYTES,
                         "1514B",
                         {1, 1'000'000},
                         BindMember<&PathSpec::fqCodel, &FqCodelSpec::quantum>(),
                         "bytes that each queue of FQ-CoDel sends in a round"));
    t.push_back(WholeRow("pie-target",
                         "pie_target_s",
                         scope,
                         TIME,
                         "15ms",
                         times,
                         BindMember<&PathSpec::pie, &PieSpec::targetNs>(),
                         "time that PIE lets packets wait"));
    t.push_back(WholeRow("pie-update",
                         "pie_update_s",
                         scope,
                         TIME,
                         "15ms",
                         times,
                         BindMember<&PathSpec::pie, &PieSpec::updateNs>(),
                         "time between two updates of PIE's drop probability"));
    t.push_back(WholeRow("pie-burst",
                         "pie_burst_s",
                         scope,
                         TIME,
                         "150ms",
                         {0, 10 * SECOND},
                         BindMember<&PathSpec::pie, &PieSpec::burstNs>(),
                         "after an idle time PIE lets a burst of this duration pass"));
}

} // namespace

void
AddQueueRows(std::vector<Option>& t)
{
    AddDisciplineRows(t);
    AddActiveQueueRows(t);
}

Done
CheckQueue(const Scenario& scenario)
{
    const RedSpec& red = scenario.path.red;
    const bool isRed = HasDiscipline(scenario.path, QueueDiscipline::RED);
    if (isRed && red.maxThreshold <= red.minThreshold)
    {
        return Error{
            "--red-max-threshold=" + GetOption("red-max-threshold").Format(red.maxThreshold) +
            " is too little; allowed: more than red-min-threshold=" +
            GetOption("red-min-threshold").Format(red.minThreshold)};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
