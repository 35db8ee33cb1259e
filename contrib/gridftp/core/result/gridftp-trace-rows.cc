/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-trace-rows.h"

#include "gridftp-quantity.h"

namespace ns3::gridftp
{

namespace
{

std::string
SecondsText(int64_t ns)
{
    return FormatReal(static_cast<double>(ns) / 1e9);
}

std::string
TimeText(Nanoseconds now)
{
    return SecondsText(now);
}

std::string
LabelText(const ConnectionLabel& label)
{
    return std::to_string(label.session) + ',' + std::to_string(label.chunk) + ',' +
           std::to_string(label.connection);
}

std::string
PlaceText(const HostPlace& place)
{
    return std::to_string(place.session) + (place.receives ? ",receiver," : ",sender,") +
           std::to_string(place.host);
}

std::string
MaybeText(const std::optional<uint64_t>& value)
{
    return value ? std::to_string(*value) : std::string();
}

} // namespace

void
TraceRows::AddWindow(Nanoseconds now,
                     const ConnectionLabel& label,
                     uint64_t cwnd,
                     const std::optional<uint64_t>& ssthresh)
{
    if (IsWanted(now))
    {
        Write(Trace::CWND,
              TimeText(now) + ',' + LabelText(label) + ',' + std::to_string(cwnd) + ',' +
                  MaybeText(ssthresh) + '\n');
    }
}

void
TraceRows::AddQueue(Nanoseconds now, uint64_t packets)
{
    if (IsWanted(now))
    {
        Write(Trace::QUEUE, TimeText(now) + ',' + std::to_string(packets) + '\n');
    }
}

void
TraceRows::AddDrop(Nanoseconds now,
                   const std::optional<ConnectionLabel>& label,
                   const std::optional<uint64_t>& sequence)
{
    if (IsWanted(now))
    {
        Write(Trace::DROPS,
              TimeText(now) + ',' + (label ? LabelText(*label) : ",,") + ',' + MaybeText(sequence) +
                  '\n');
    }
}

void
TraceRows::AddBuffers(Nanoseconds now, const ConnectionLabel& label, const BufferState& state)
{
    if (!IsWanted(now))
    {
        return;
    }
    std::string row = TimeText(now) + ',' + LabelText(label) + ',';
    if (const auto& receive = state.receive)
    {
        row += std::to_string(receive->bytes) + ',' + std::to_string(receive->advertised) + ',' +
               std::to_string(receive->unread) + ',';
    }
    else
    {
        row += ",,,";
    }
    row += state.send ? std::to_string(state.send->bytes) + ',' + std::to_string(state.send->unsent)
                      : ",";
    Write(Trace::BUFFERS, row + '\n');
}

void
TraceRows::AddHost(Nanoseconds begin,
                   const HostPlace& place,
                   const std::optional<HostCounts>& counts,
                   const std::optional<StorageSecond>& storage)
{
    if (!IsWanted(begin))
    {
        return;
    }
    std::string row = TimeText(begin) + ',' + PlaceText(place) + ',';
    row += counts ? std::to_string(counts->packetsIn) + ',' + std::to_string(counts->packetsOut) +
                        ',' + std::to_string(counts->interrupts) + ',' +
                        std::to_string(counts->backlogDrops) + ','
                  : ",,,,";
    row += storage ? std::to_string(storage->requests) + ',' + std::to_string(storage->bytes) : ",";
    Write(Trace::HOSTS, row + '\n');
}

void
TraceRows::AddCore(Nanoseconds begin, const HostPlace& place, size_t core, int64_t busyNs)
{
    if (IsWanted(begin))
    {
        Write(Trace::CORES,
              TimeText(begin) + ',' + PlaceText(place) + ',' + std::to_string(core) + ',' +
                  FormatReal(static_cast<double>(busyNs) / 1e9) + '\n');
    }
}

void
TraceRows::AddRtt(Nanoseconds now, const ConnectionLabel& label, const RttState& state)
{
    if (IsWanted(now))
    {
        Write(Trace::RTT,
              TimeText(now) + ',' + LabelText(label) + ',' +
                  (state.sampleNs ? SecondsText(*state.sampleNs) : "") + ',' +
                  SecondsText(state.smoothedNs) + ',' + SecondsText(state.rtoNs) + '\n');
    }
}

} // namespace ns3::gridftp
