/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-load.h"

#include "gridftp-datagram-words.h"
#include "gridftp-exponential.h"
#include "gridftp-random.h"
#include "gridftp-tool-parameters.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <variant>

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t HEADER_BYTES = WORD_BYTES; //!< the number of a datagram
constexpr uint64_t LOAD_STREAM = 0x6c6f6164;  //!< its random numbers among those of a run
constexpr double BITS = 8;
constexpr double NS_PER_S = 1e9;

std::optional<std::variant<DataDatagram, ReportDatagram>>
ReadDatagram(std::span<const uint8_t> front, uint32_t size)
{
    if (front.size() < HEADER_BYTES || size <= HEADER_BYTES)
    {
        return std::nullopt;
    }
    return DataDatagram{.number = GetWord(front, 0), .payload = size - HEADER_BYTES};
}

} // namespace

const ToolKind&
GetLoadKind()
{
    static const ToolKind kind{
        .name = "load",
        .help = "datagrams at random times",
        .parameters = {&TOOL_RATE, &TOOL_PAYLOAD},
        .makeSender = [](const ToolTransfer& transfer, ToolPort& port) -> std::unique_ptr<ToolEnd> {
            return std::make_unique<LoadSource>(transfer, port);
        },
        .makeReceiver = [](const ToolTransfer&, ToolPort&) -> std::unique_ptr<ToolEnd> {
            return std::make_unique<LoadSink>();
        },
        .dataBytes =
            [](const NamedValues& values) {
                return HEADER_BYTES + static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(values));
            },
        .dataHeaderBytes = HEADER_BYTES,
        .reportBytes = [](const ReportDatagram&) { return uint32_t{0}; },
        .writeData = [](const DataDatagram& datagram,
                        std::span<uint8_t> header) { PutWord(header, 0, datagram.number); },
        .writeReport = [](const ReportDatagram&, std::span<uint8_t>) {},
        .read = &ReadDatagram,
    };
    return kind;
}

ToolTransfer
MakeLoadTransfer(const Scenario& scenario, size_t index)
{
    const BackgroundSpec& background = scenario.background[index - scenario.sessions.size()];
    const PathSpec& path = scenario.path;
    const int64_t payload = path.packetSize - DATAGRAM_HEADER_BYTES - HEADER_BYTES;
    // The share is of what the bottleneck transmits, headers of the link included
    const double share =
        static_cast<double>(payload) / static_cast<double>(path.packetSize + path.linkHeader);
    ToolTransfer made{.linkRateBps = path.accessBandwidth,
                      .linkExtraBytes = HEADER_BYTES + DATAGRAM_HEADER_BYTES + path.linkHeader};
    made.values.Set(TOOL_PAYLOAD.name, static_cast<double>(payload));
    made.values.Set(TOOL_RATE.name,
                    background.load * share *
                        static_cast<double>(GetBandwidth(scenario, background.direction)));
    made.randomKey = KeyedRandom({static_cast<uint64_t>(scenario.measure.seed),
                                  static_cast<uint64_t>(scenario.measure.run),
                                  LOAD_STREAM,
                                  index});
    return made;
}

LoadSource::LoadSource(const ToolTransfer& transfer, ToolPort& port)
    : m_port(&port),
      m_payload(static_cast<uint32_t>(TOOL_PAYLOAD.CountOf(transfer.values))),
      m_meanNs(std::max<Nanoseconds>(
          1,
          static_cast<Nanoseconds>(BITS * m_payload * NS_PER_S / TOOL_RATE.Of(transfer.values)))),
      m_key(transfer.randomKey)
{
}

Nanoseconds
LoadSource::DrawInterval()
{
    return DrawExponential(m_meanNs, [this] { return KeyedRandom({m_key, m_drawn++}); });
}

void
LoadSource::Start(Nanoseconds now)
{
    m_port->SetTimer(0, now + DrawInterval());
}

void
LoadSource::HandleTimer(Nanoseconds now, uint32_t /* timer */)
{
    if (m_isOver)
    {
        return;
    }
    m_port->SendData(now,
                     {.number = static_cast<uint32_t>(m_counts.packets++), .payload = m_payload});
    m_port->SetTimer(0, now + DrawInterval());
}

void
LoadSource::HandleLost(Nanoseconds /* now */)
{
    m_isOver = true;
}

void
LoadSink::Start(Nanoseconds /* now */)
{
}

void
LoadSink::HandleData(Nanoseconds /* now */, const DataDatagram& datagram)
{
    m_counts.bytes += m_isOver ? 0 : datagram.payload;
}

void
LoadSink::HandleLost(Nanoseconds /* now */)
{
    m_isOver = true;
}

} // namespace ns3::gridftp
