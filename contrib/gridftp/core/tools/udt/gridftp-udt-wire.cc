/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-udt-wire.h"

#include "gridftp-datagram-words.h"

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t HEADER_WORDS = UdtWire::HEADER_BYTES / WORD_BYTES;
constexpr uint32_t MOST_WORDS = 16384; //!< that a UDP datagram has
constexpr uint32_t TOP_BIT = 1U << 31; //!< of a word: a report, or the end of a range

constexpr uint32_t FIRST_OF_BLOCK = 1U << 31; //!< in the word of a packet's message
constexpr uint32_t LAST_OF_BLOCK = 1U << 30;  //!< likewise
constexpr uint32_t IN_ORDER = 1U << 29;       //!< messages are handed on in order

/** Whether a report has nothing behind its header but a word of zero. */
bool
IsBare(uint32_t type)
{
    switch (static_cast<UdtReport>(type))
    {
    case UdtReport::KEEP_ALIVE:
    case UdtReport::DELAY:
    case UdtReport::SHUTDOWN:
    case UdtReport::ACK2:
        return true;
    default:
        return false;
    }
}

/** Which socket a report is for; 0: the one that listens. */
uint32_t
GetDestination(const ReportDatagram& report)
{
    switch (static_cast<UdtReport>(report.type))
    {
    case UdtReport::HANDSHAKE:
        if (const auto said = UdtHandshake::FromReport(report))
        {
            const bool isOfSender = said->socket == UdtHandshake::SENDER_SOCKET;
            const bool isAnswer = said->type == UdtHandshake::REQUEST && said->cookie != 0;
            return isOfSender && !isAnswer ? 0 : UdtHandshake::SENDER_SOCKET;
        }
        return 0;
    case UdtReport::SHUTDOWN:
    case UdtReport::ACK2:
        return UdtHandshake::RECEIVER_SOCKET;
    default:
        return UdtHandshake::SENDER_SOCKET;
    }
}

} // namespace

ReportDatagram
UdtHandshake::ToReport() const
{
    return {.type = static_cast<uint32_t>(UdtReport::HANDSHAKE),
            .info = 0,
            .words = {version, kind, first, mss, flight, type, socket, cookie, 0, 0, 0, 0}};
}

std::optional<UdtHandshake>
UdtHandshake::FromReport(const ReportDatagram& report)
{
    const auto& words = report.words;
    if (words.size() != WORDS)
    {
        return std::nullopt;
    }
    return UdtHandshake{.version = words[0],
                        .kind = words[1],
                        .first = words[2],
                        .mss = words[3],
                        .flight = words[4],
                        .type = words[5],
                        .socket = words[6],
                        .cookie = words[7]};
}

uint32_t
UdtWire::GetReportBytes(const ReportDatagram& report)
{
    const auto words = static_cast<uint32_t>(report.words.size());
    return HEADER_BYTES + WORD_BYTES * (words == 0 ? 1 : words);
}

void
UdtWire::WriteData(const DataDatagram& datagram, std::span<uint8_t> header)
{
    const uint32_t block = datagram.number / BLOCK_PACKETS + 1;
    const bool isFirst = datagram.number % BLOCK_PACKETS == 0;
    const bool isLast = (datagram.stamp & END_OF_BLOCK) != 0;
    PutWord(header, 0, datagram.number);
    PutWord(header,
            1,
            (isFirst ? FIRST_OF_BLOCK : 0) | (isLast ? LAST_OF_BLOCK : 0) | IN_ORDER | block);
    PutWord(header, 2, datagram.stamp & ~END_OF_BLOCK);
    PutWord(header, 3, UdtHandshake::RECEIVER_SOCKET);
}

void
UdtWire::WriteReport(const ReportDatagram& report, std::span<uint8_t> bytes)
{
    PutWord(bytes, 0, TOP_BIT | report.type << 16);
    PutWord(bytes, 1, report.info);
    PutWord(bytes, 2, 0); // the program leaves the time out
    PutWord(bytes, 3, GetDestination(report));
    uint32_t word = HEADER_WORDS;
    for (const uint32_t value : report.words)
    {
        PutWord(bytes, word++, value);
    }
    if (report.words.empty())
    {
        PutWord(bytes, word, 0);
    }
}

std::optional<std::variant<DataDatagram, ReportDatagram>>
UdtWire::Read(std::span<const uint8_t> front, uint32_t size)
{
    if (front.size() < HEADER_BYTES || size <= HEADER_BYTES)
    {
        return std::nullopt;
    }
    const uint32_t start = GetWord(front, 0);
    const uint32_t second = GetWord(front, 1);
    if ((start & TOP_BIT) == 0)
    {
        return DataDatagram{.number = start,
                            .stamp = (GetWord(front, 2) & ~END_OF_BLOCK) |
                                     ((second & LAST_OF_BLOCK) ? END_OF_BLOCK : 0),
                            .payload = size - HEADER_BYTES};
    }
    if (front.size() < size || size % WORD_BYTES != 0 || size / WORD_BYTES > MOST_WORDS)
    {
        return std::nullopt;
    }
    ReportDatagram report{.type = (start & ~TOP_BIT) >> 16, .info = second};
    if (!IsBare(report.type))
    {
        for (uint32_t word = HEADER_WORDS; word < size / WORD_BYTES; ++word)
        {
            report.words.push_back(GetWord(front, word));
        }
    }
    return report;
}

} // namespace ns3::gridftp
