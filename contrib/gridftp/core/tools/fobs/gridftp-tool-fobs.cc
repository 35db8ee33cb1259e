/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fobs-wire.h"
#include "gridftp-fobs.h"
#include "gridftp-tool-kind.h"
#include "gridftp-tool-parameters.h"

#include <array>
#include <memory>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * FOBS as a tool: its parameters, and what it is made of.
 */

namespace ns3::gridftp
{

namespace
{

constexpr std::array<std::string_view, 2> CONTROLS{"off", "on"};

constexpr ToolParameter BATCH{.name = "fobs-batch",
                              .key = "fobs_batch_packets",
                              .defaultText = "2",
                              .help = "packets between two checks for acknowledgements",
                              .dimension = Dimension::PACKETS,
                              .minimum = 1,
                              .maximum = 1 << 20};

constexpr ToolParameter PERIOD{.name = "fobs-period",
                               .key = "fobs_period_s",
                               .defaultText = "0s",
                               .help = "least time from batch to batch, as on a host that sleeps",
                               .dimension = Dimension::TIME,
                               .minimum = 0,
                               .maximum = 10e9};

constexpr ToolParameter ACKNOWLEDGE{.name = "fobs-acknowledge",
                                    .key = "fobs_acknowledge_packets",
                                    .defaultText = "100",
                                    .help = "datagrams per acknowledgement",
                                    .dimension = Dimension::PACKETS,
                                    .minimum = 1,
                                    .maximum = 1 << 20};

constexpr ToolParameter CONTROL{.name = "fobs-control",
                                .key = "fobs_control",
                                .defaultText = "off",
                                .help = "whether FOBS slows down when too many packets are lost",
                                .choices = CONTROLS};

constexpr ToolParameter TOLERATED_LOSS{.name = "fobs-tolerated-loss",
                                       .key = "fobs_tolerated_loss",
                                       .defaultText = "0.01",
                                       .help = "share of packets whose loss FOBS tolerates",
                                       .isReal = true,
                                       .minimum = 0,
                                       .maximum = 1};

constexpr std::array<const ToolParameter*, 8> PARAMETERS{&TOOL_PAYLOAD,
                                                         &TOOL_SEND_BUFFER,
                                                         &TOOL_RECEIVE_BUFFER,
                                                         &BATCH,
                                                         &PERIOD,
                                                         &ACKNOWLEDGE,
                                                         &CONTROL,
                                                         &TOLERATED_LOSS};

} // namespace

FobsSettings
MakeFobsSettings(const NamedValues& values)
{
    return {.payload = static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values)),
            .sendBufferBytes = TOOL_SEND_BUFFER.CountOf(values),
            .receiveBufferBytes = TOOL_RECEIVE_BUFFER.CountOf(values),
            .batch = static_cast<uint32_t>(BATCH.CountOf(values)),
            .periodNs = PERIOD.CountOf(values),
            .acknowledge = static_cast<uint32_t>(ACKNOWLEDGE.CountOf(values)),
            .control = static_cast<FobsControl>(CONTROL.CountOf(values)),
            .toleratedLoss = TOLERATED_LOSS.Of(values)};
}

ToolKind
DeclareFobs()
{
    return {
        .name = "fobs",
        .help =
            "FOBS: batches as fast as possible, again and again through the file; bitmaps over UDP",
        .parameters = {PARAMETERS.begin(), PARAMETERS.end()},
        .makeSender = [](const ToolTransfer& transfer, ToolPort& port) -> std::unique_ptr<ToolEnd> {
            return std::make_unique<FobsSender>(transfer, port);
        },
        .makeReceiver = [](const ToolTransfer& transfer, ToolPort& port)
            -> std::unique_ptr<ToolEnd> { return std::make_unique<FobsReceiver>(transfer, port); },
        .dataBytes =
            [](const NamedValues& values) {
                return FobsWire::HEADER_BYTES + static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values));
            },
        .dataHeaderBytes = FobsWire::HEADER_BYTES,
        .reportBytes = &FobsWire::GetReportBytes,
        .writeData = &FobsWire::WriteData,
        .writeReport = &FobsWire::WriteReport,
        .read = &FobsWire::Read,
    };
}

} // namespace ns3::gridftp
