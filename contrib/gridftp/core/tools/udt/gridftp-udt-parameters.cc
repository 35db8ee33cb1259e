/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-parameters.h"

#include "gridftp-tool-parameters.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ns3::gridftp
{

namespace
{

constexpr std::array<std::string_view, 2> PACINGS{"ideal", "tick"};
constexpr std::array<std::string_view, 2> LOSS_GATES{"any", "rate"};
constexpr std::array<std::string_view, 2> FIRST_LOSSES{"decrease", "forgive"};
constexpr std::array<std::string_view, 2> DELAYS{"ignore", "decrease"};
constexpr std::array<std::string_view, 2> DECREASES{"random", "doubling"};

constexpr Nanoseconds NS_PER_S = 1'000'000'000;

constexpr ToolParameter FLIGHT{.name = "udt-flight",
                               .key = "udt_flight_packets",
                               .defaultText = "25600",
                               .help = "UDT's flight flag: most unacknowledged packets",
                               .dimension = Dimension::PACKETS,
                               .minimum = 32,
                               .maximum = 1 << 30};

constexpr ToolParameter BUFFER{.name = "udt-buffer",
                               .key = "udt_buffer_packets",
                               .defaultText = "8192",
                               .help = "UDT's buffer at both endpoints, at most its flight flag",
                               .dimension = Dimension::PACKETS,
                               .minimum = 32,
                               .maximum = 1 << 24};

constexpr ToolParameter PACING{.name = "udt-pacing",
                               .key = "udt_pacing",
                               .defaultText = "ideal",
                               .help =
                                   "packets leave when due, or when the sending thread wakes up",
                               .choices = PACINGS};

constexpr ToolParameter TICK{.name = "udt-tick",
                             .key = "udt_tick_s",
                             .defaultText = "4ms",
                             .help = "clock tick of the sending host's kernel, for pacing by ticks",
                             .dimension = Dimension::TIME,
                             .minimum = 1000,
                             .maximum = 10e9};

constexpr ToolParameter INCREASE{.name = "udt-increase",
                                 .key = "udt_increase",
                                 .defaultText = "1.5",
                                 .help = "constant of UDT's increase, millionths",
                                 .isReal = true,
                                 .minimum = 0,
                                 .maximum = 1000};

constexpr ToolParameter LEAST_INCREASE{.name = "udt-least-increase",
                                       .key = "udt_least_increase",
                                       .defaultText = "0.01",
                                       .help = "UDT's least increase in 10 ms, packets",
                                       .isReal = true,
                                       .minimum = 0,
                                       .maximum = 1000};

constexpr ToolParameter LOSS_GATE{.name = "udt-loss-gate",
                                  .key = "udt_loss_gate",
                                  .defaultText = "any",
                                  .help = "UDT increases its rate after no loss, or under 1 %",
                                  .choices = LOSS_GATES};

constexpr ToolParameter FIRST_LOSS{.name = "udt-first-loss",
                                   .key = "udt_first_loss",
                                   .defaultText = "decrease",
                                   .help = "what UDT does at the first loss of a period",
                                   .choices = FIRST_LOSSES};

constexpr ToolParameter FREEZE{.name = "udt-freeze",
                               .key = "udt_freeze_s",
                               .defaultText = "0s",
                               .help = "UDT's pause after the first decrease of a period",
                               .dimension = Dimension::TIME,
                               .minimum = 0,
                               .maximum = 10e9};

constexpr ToolParameter DELAY{.name = "udt-delay",
                              .key = "udt_delay",
                              .defaultText = "ignore",
                              .help = "what UDT does when the round-trip time grows",
                              .choices = DELAYS};

constexpr ToolParameter DECREASE{.name = "udt-decrease",
                                 .key = "udt_decrease",
                                 .defaultText = "random",
                                 .help = "after how many more losses UDT decreases its rate again",
                                 .choices = DECREASES};

constexpr std::array<const ToolParameter*, 13> PARAMETERS{&TOOL_PAYLOAD,
                                                          &TOOL_SEND_BUFFER,
                                                          &FLIGHT,
                                                          &BUFFER,
                                                          &PACING,
                                                          &TICK,
                                                          &INCREASE,
                                                          &LEAST_INCREASE,
                                                          &LOSS_GATE,
                                                          &FIRST_LOSS,
                                                          &FREEZE,
                                                          &DELAY,
                                                          &DECREASE};

} // namespace

std::span<const ToolParameter* const>
GetUdtParameters()
{
    return PARAMETERS;
}

UdtSettings
MakeUdtSettings(const NamedValues& values)
{
    const int64_t flight = FLIGHT.CountOf(values);
    // The program cuts a receive buffer to the flight flag.
    const int64_t buffer = std::min(BUFFER.CountOf(values), flight);
    return {.payload = static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values)),
            .sendBufferBytes = TOOL_SEND_BUFFER.CountOf(values),
            .buffer = static_cast<uint32_t>(buffer),
            .pacing = static_cast<UdtPacing>(PACING.CountOf(values)),
            .tickNs = TICK.CountOf(values),
            .increase = INCREASE.Of(values),
            .leastIncrease = LEAST_INCREASE.Of(values),
            .lossGate = static_cast<UdtLossGate>(LOSS_GATE.CountOf(values)),
            .firstLoss = static_cast<UdtFirstLoss>(FIRST_LOSS.CountOf(values)),
            .freezeNs = FREEZE.CountOf(values),
            .delay = static_cast<UdtDelay>(DELAY.CountOf(values)),
            .decrease = static_cast<UdtDecrease>(DECREASE.CountOf(values))};
}

} // namespace ns3::gridftp
