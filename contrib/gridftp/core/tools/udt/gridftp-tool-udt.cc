/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tool-kind.h"
#include "gridftp-tool-parameters.h"
#include "gridftp-udt-parameters.h"
#include "gridftp-udt-receiver.h"
#include "gridftp-udt-sender.h"
#include "gridftp-udt-wire.h"

/**
 * @file
 * @ingroup gridftp
 * UDT as a tool.
 */

namespace ns3::gridftp
{

ToolKind
DeclareUdt()
{
    const auto parameters = GetUdtParameters();
    return {
        .name = "udt",
        .help = "UDT: rate-based congestion control, all over UDP",
        .parameters = {parameters.begin(), parameters.end()},
        .makeSender = [](const ToolTransfer& transfer, ToolPort& port) -> std::unique_ptr<ToolEnd> {
            return std::make_unique<UdtSender>(transfer, port);
        },
        .makeReceiver = [](const ToolTransfer& transfer, ToolPort& port)
            -> std::unique_ptr<ToolEnd> { return std::make_unique<UdtReceiver>(transfer, port); },
        .dataBytes =
            [](const NamedValues& values) {
                return UdtWire::HEADER_BYTES + static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values));
            },
        .dataHeaderBytes = UdtWire::HEADER_BYTES,
        .storesBehind = true,
        .reportBytes = &UdtWire::GetReportBytes,
        .writeData = &UdtWire::WriteData,
        .writeReport = &UdtWire::WriteReport,
        .read = &UdtWire::Read,
    };
}

} // namespace ns3::gridftp
