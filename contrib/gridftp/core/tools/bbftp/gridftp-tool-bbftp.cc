/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * bbFTP as a tool: its parameters, how it cuts a file, and what is in its messages.
 */

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t KIB = 1024;

/** The words of BbftpWindow. */
constexpr std::array<std::string_view, 2> WINDOWS{"given", "product"};

} // namespace

constexpr ToolParameter BBFTP_STREAMS{.name = "streams",
                                      .key = "streams",
                                      .defaultText = "1",
                                      .help = "TCP connections, each with a part of the file",
                                      .dimension = Dimension::COUNT,
                                      .minimum = 1,
                                      .maximum = 1000};

constexpr ToolParameter BBFTP_WINDOW{.name = "window",
                                     .key = "window",
                                     .defaultText = "given",
                                     .help =
                                         "--window, or the path's bandwidth-delay product up to it",
                                     .choices = WINDOWS};

constexpr ToolParameter BBFTP_COMPRESSION{.name = "compression",
                                          .key = "compression",
                                          .defaultText = "1",
                                          .help = "file bytes for each byte on the wire",
                                          .isReal = true,
                                          .minimum = 1,
                                          .maximum = 1000};

ToolKind
DeclareBbftp()
{
    return {.name = "bbftp",
            .help = "bbFTP: equal contiguous parts of the file over parallel TCP connections",
            .parameters = {&BBFTP_STREAMS, &BBFTP_WINDOW, &BBFTP_COMPRESSION}};
}

// What is in messages; all numbers are big-endian

void
PutNumber(std::vector<uint8_t>& wire, uint64_t number, size_t bytes)
{
    while (bytes-- > 0)
    {
        wire.push_back(static_cast<uint8_t>(number >> 8 * bytes));
    }
}

uint64_t
GetNumber(std::span<const uint8_t> wire, size_t bytes)
{
    uint64_t number = 0;
    for (const uint8_t byte : wire.first(bytes))
    {
        number = number << 8 | byte;
    }
    return number;
}

std::vector<uint8_t>
BbftpText::Make(const Header& header)
{
    std::vector<uint8_t> wire;
    PutNumber(wire, header.code, sizeof(header.code));
    PutNumber(wire, header.bytes, sizeof(header.bytes));
    return wire;
}

BbftpText::Header
BbftpText::ReadHeader(std::span<const uint8_t> wire)
{
    constexpr size_t HALF = HEADER_BYTES / 2;
    return {.code = static_cast<uint32_t>(GetNumber(wire, HALF)),
            .bytes = static_cast<uint32_t>(GetNumber(wire.subspan(HALF), HALF))};
}

namespace
{

// Of the body of an offer: where its numbers are
constexpr size_t WINDOWS_AT = 32;
constexpr size_t STREAMS_AT = 44;

} // namespace

std::vector<uint8_t>
BbftpOffer::Make() const
{
    constexpr uint32_t MODE = 0644;
    constexpr size_t TIMES_BYTES = 16;
    std::vector<uint8_t> wire;
    PutNumber(wire, bytes, sizeof(bytes));
    PutNumber(wire, 0, sizeof(uint32_t)); // options
    PutNumber(wire, MODE, sizeof(MODE));
    wire.insert(wire.end(), TIMES_BYTES, '0'); // of access and change, in hexadecimal digits
    PutNumber(wire, windowKb, sizeof(windowKb));
    PutNumber(wire, windowKb, sizeof(windowKb));
    PutNumber(wire, BbftpParts::BLOCK_BYTES / KIB, sizeof(uint32_t));
    PutNumber(wire, streams, sizeof(streams));
    return wire;
}

BbftpOffer
BbftpOffer::Read(std::span<const uint8_t> wire)
{
    return {.bytes = GetNumber(wire, sizeof(bytes)),
            .windowKb =
                static_cast<uint32_t>(GetNumber(wire.subspan(WINDOWS_AT), sizeof(windowKb))),
            .streams = static_cast<uint32_t>(GetNumber(wire.subspan(STREAMS_AT), sizeof(streams)))};
}

// How a file is cut

BbftpParts::BbftpParts(uint64_t bytes, uint32_t asked, double compression)
    : m_bytes(bytes),
      m_streams(
          static_cast<uint32_t>(std::clamp<uint64_t>(bytes / BLOCK_BYTES, 1, std::max(asked, 1U)))),
      m_compression(compression)
{
}

uint64_t
BbftpParts::GetBytes(uint32_t stream) const
{
    const uint64_t each = m_bytes / m_streams;
    return stream + 1 < m_streams ? each : m_bytes - each * (m_streams - 1);
}

uint64_t
BbftpParts::GetWireBytes(uint32_t stream) const
{
    return static_cast<uint64_t>(std::ceil(static_cast<double>(GetBytes(stream)) / m_compression));
}

uint64_t
BbftpParts::ToFileBytes(uint32_t stream, uint64_t wire) const
{
    return wire == GetWireBytes(stream)
               ? GetBytes(stream)
               : static_cast<uint64_t>(static_cast<double>(wire) * m_compression);
}

BufferSpec
GetBbftpBuffers(const Scenario& scenario, const SessionSpec& session)
{
    BufferSpec buffers = session.buffers;
    if (static_cast<BbftpWindow>(BBFTP_WINDOW.CountOf(session.toolValues)) == BbftpWindow::PRODUCT)
    {
        constexpr double NS_PER_S = 1e9;
        constexpr int64_t BITS = 8;
        const int64_t delayNs = std::max(session.delay, scenario.path.delay);
        const double seconds =
            static_cast<double>(GetRoundTripNs(scenario.path, delayNs)) / NS_PER_S;
        const auto bps = static_cast<double>(GetBandwidth(scenario, session.direction));
        const auto product = static_cast<int64_t>(bps * seconds / BITS);
        const int64_t most = std::max(session.buffers.window, GetSegmentBytes(scenario));
        buffers.window = std::clamp(product, GetSegmentBytes(scenario), most);
    }
    return buffers;
}

BbftpTransfer
MakeBbftpTransfer(const Scenario& scenario, const SessionSpec& session)
{
    const NamedValues& values = session.toolValues;
    return {.isUpload = session.direction == Direction::UPLOAD,
            .bytes = static_cast<uint64_t>(session.fileSize),
            .windowKb = static_cast<uint32_t>(GetBbftpBuffers(scenario, session).window / KIB),
            .streams = static_cast<uint32_t>(BBFTP_STREAMS.CountOf(values)),
            .compression = BBFTP_COMPRESSION.Of(values)};
}

} // namespace ns3::gridftp
