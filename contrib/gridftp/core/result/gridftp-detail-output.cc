/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-detail-output.h"

#include <array>
#include <cstdio>

namespace ns3::gridftp
{

namespace
{

double
Seconds(int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

void
WriteConnection(JsonWriter& json, const ConnectionResult& connection)
{
    json.BeginObject();
    json.Key("index").Integer(connection.index);
    json.Key("opened").Integer(static_cast<int64_t>(connection.opened));
    json.Key("bytes").Integer(static_cast<int64_t>(connection.bytes));
    json.Key("open_s").Number(Seconds(connection.openNs));
    json.Key("goodput_bps").Number(connection.GetGoodputBps());
    WriteTotals(json, connection.totals);
    json.Key("mean_cwnd_bytes").Number(connection.meanCwndBytes);
    if (const auto meanS = connection.rtt.GetMeanS())
    {
        json.Key("rtt_sample_count").Integer(static_cast<int64_t>(connection.rtt.count));
        json.Key("rtt_mean_s").Number(*meanS);
        json.Key("rtt_min_s").Number(Seconds(connection.rtt.leastNs));
        json.Key("rtt_max_s").Number(Seconds(connection.rtt.mostNs));
    }
    json.EndObject();
}

/** One line of the table of connections. */
std::string
ConnectionLine(const ConnectionResult& connection)
{
    constexpr double KILO = 1e3;
    const auto rtt = connection.rtt.GetMeanS();
    return AlignRight(std::to_string(connection.index), 12) +
           AlignRight(std::to_string(connection.bytes), 15) +
           AlignRight(FormatFixed(connection.GetGoodputBps() / 1e6, 2), 9) +
           AlignRight(std::to_string(connection.totals.retransmissions), 17) +
           AlignRight(std::to_string(connection.totals.timeouts), 10) +
           AlignRight(FormatFixed(connection.meanCwndBytes / KILO, 1), 15) +
           AlignRight(rtt ? FormatFixed(*rtt * KILO, 3) : "-", 10) + "\n";
}

} // namespace

void
WriteTotals(JsonWriter& json, const ConnectionTotals& totals)
{
    json.Key("segments").Integer(static_cast<int64_t>(totals.segments));
    json.Key("retransmissions").Integer(static_cast<int64_t>(totals.retransmissions));
    json.Key("timeouts").Integer(static_cast<int64_t>(totals.timeouts));
}

void
WriteDetail(JsonWriter& json, const TcpDetail& detail)
{
    if (const auto& rtt = detail.rtt)
    {
        json.Key("rtt_sample_count").Integer(static_cast<int64_t>(rtt->count));
        json.Key("rtt_mean_s").Number(rtt->meanS);
        json.Key("rtt_p95_s").Number(rtt->p95S);
        json.Key("rtt_min_s").Number(rtt->leastS);
        json.Key("rtt_max_s").Number(rtt->mostS);
    }
    if (detail.jain)
    {
        json.Key("jain_index").Number(*detail.jain);
    }
    json.Key("connections").BeginArray();
    for (const auto& connection : detail.connections)
    {
        WriteConnection(json, connection);
    }
    json.EndArray();
}

void
WriteQueueDelay(JsonWriter& json, const DelayFigures& delay)
{
    json.Key("mean_queue_delay_s").Number(delay.meanS);
    json.Key("p95_queue_delay_s").Number(delay.p95S);
    json.Key("max_queue_delay_s").Number(delay.mostS);
}

std::string
FormatFixed(double value, int places)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", places, value);
    return text.data();
}

std::string
AlignRight(const std::string& text, size_t width)
{
    return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string
DelayText(const DelayFigures& delay)
{
    constexpr double MILLI = 1e3;
    return FormatFixed(delay.meanS * MILLI, 3) + " ms on average, 95 % at most " +
           FormatFixed(delay.p95S * MILLI, 3) + " ms, maximum " +
           FormatFixed(delay.mostS * MILLI, 3) + " ms";
}

std::string
DetailText(const TcpDetail& detail, bool listsAll)
{
    std::string text;
    if (detail.rtt)
    {
        text += "  RTT under load: " + DelayText(*detail.rtt) + "\n";
    }
    const auto& all = detail.connections;
    if (all.size() > 1 && detail.jain)
    {
        text += "  " + std::to_string(all.size()) + " data connections, Jain's index " +
                FormatFixed(*detail.jain, 3) + "\n";
    }
    if (listsAll && !all.empty())
    {
        text += "  connection          bytes   Mbit/s  retransmissions  timeouts  mean cwnd, KB"
                "   RTT, ms\n";
        for (const auto& connection : all)
        {
            text += ConnectionLine(connection);
        }
    }
    return text;
}

} // namespace ns3::gridftp
