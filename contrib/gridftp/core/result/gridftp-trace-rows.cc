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
TimeText(Nanoseconds now)
{
    return FormatReal(static_cast<double>(now) / 1e9);
}

std::string
LabelText(const ConnectionLabel& label)
{
    return std::to_string(label.session) + ',' + std::to_string(label.chunk) + ',' +
           std::to_string(label.connection);
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

} // namespace ns3::gridftp
