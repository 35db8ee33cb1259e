/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-rbudp.h"
#include "gridftp-tool-parameters.h"

/**
 * @file
 * @ingroup gridftp
 * RBUDP as a tool: its parameters, and what is in its datagrams.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t NUMBER_BYTES = 4; //!< all the header there is

/** @return UDP payload of a full datagram with file data */
uint32_t
GetDataBytes(const NamedValues& values)
{
    return NUMBER_BYTES + static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values));
}

/** The number is in the order of the sending host, which is an x86. */
void
WriteNumber(const DataDatagram& datagram, std::span<uint8_t> header)
{
    for (uint32_t i = 0; i < NUMBER_BYTES; ++i)
    {
        header[i] = static_cast<uint8_t>(datagram.number >> 8 * i);
    }
}

std::optional<std::variant<DataDatagram, ReportDatagram>>
ReadNumber(std::span<const uint8_t> front, uint32_t size)
{
    if (front.size() < NUMBER_BYTES || size <= NUMBER_BYTES)
    {
        return std::nullopt;
    }
    DataDatagram datagram{.payload = size - NUMBER_BYTES};
    for (uint32_t i = 0; i < NUMBER_BYTES; ++i)
    {
        datagram.number |= static_cast<uint32_t>(front[i]) << 8 * i;
    }
    return datagram;
}

} // namespace

ToolKind
DeclareRbudp()
{
    return {
        .name = "rbudp",
        .help = "Reliable Blast UDP: blasts at a constant rate, bitmaps over TCP",
        .parameters = {&TOOL_RATE, &TOOL_PAYLOAD, &TOOL_SEND_BUFFER, &TOOL_RECEIVE_BUFFER},
        .makeSender = [](const ToolTransfer& transfer, ToolPort& port) -> std::unique_ptr<ToolEnd> {
            return std::make_unique<RbudpSender>(transfer, port);
        },
        .makeReceiver = [](const ToolTransfer& transfer, ToolPort& port)
            -> std::unique_ptr<ToolEnd> { return std::make_unique<RbudpReceiver>(transfer, port); },
        .dataBytes = &GetDataBytes,
        .dataHeaderBytes = NUMBER_BYTES,
        .reportBytes = [](const ReportDatagram&) { return uint32_t{0}; },
        .writeData = &WriteNumber,
        .writeReport = [](const ReportDatagram&, std::span<uint8_t>) {},
        .read = &ReadNumber,
    };
}

} // namespace ns3::gridftp
