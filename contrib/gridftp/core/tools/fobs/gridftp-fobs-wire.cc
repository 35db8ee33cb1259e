/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fobs-wire.h"

#include "gridftp-datagram-words.h"

namespace ns3::gridftp
{

namespace
{

constexpr uint32_t ACKNOWLEDGEMENT = 1;  //!< the one type of report
constexpr uint32_t TOP_BIT = 1U << 31;   //!< of the first word: a report, and no number
constexpr uint32_t FIXED_WORDS = 3;      //!< in front of the bits of a report
constexpr uint32_t REPORT_WORDS = 2;     //!< in front of those: its type and `complete`
constexpr uint32_t MOST_WORDS = 1 << 14; //!< that a UDP datagram has

} // namespace

ReportDatagram
FobsAck::ToReport() const
{
    ReportDatagram report{.type = ACKNOWLEDGEMENT,
                          .info = complete,
                          .words = {first, received, highest}};
    report.words.insert(report.words.end(), arrived.begin(), arrived.end());
    return report;
}

std::optional<FobsAck>
FobsAck::FromReport(const ReportDatagram& report)
{
    if (report.type != ACKNOWLEDGEMENT || report.words.size() < FIXED_WORDS)
    {
        return std::nullopt;
    }
    return FobsAck{.complete = report.info,
                   .first = report.words[0],
                   .received = report.words[1],
                   .highest = report.words[2],
                   .arrived = {report.words.begin() + FIXED_WORDS, report.words.end()}};
}

uint32_t
FobsWire::GetReportBytes(const ReportDatagram& report)
{
    return WORD_BYTES * (REPORT_WORDS + static_cast<uint32_t>(report.words.size()));
}

void
FobsWire::WriteData(const DataDatagram& datagram, std::span<uint8_t> header)
{
    PutWord(header, 0, datagram.number);
    PutWord(header, 1, datagram.stamp);
}

void
FobsWire::WriteReport(const ReportDatagram& report, std::span<uint8_t> bytes)
{
    PutWord(bytes, 0, TOP_BIT | report.type);
    PutWord(bytes, 1, report.info);
    for (uint32_t i = 0; i < report.words.size(); ++i)
    {
        PutWord(bytes, REPORT_WORDS + i, report.words[i]);
    }
}

std::optional<std::variant<DataDatagram, ReportDatagram>>
FobsWire::Read(std::span<const uint8_t> front, uint32_t size)
{
    if (front.size() < HEADER_BYTES)
    {
        return std::nullopt;
    }
    const uint32_t number = GetWord(front, 0);
    if (!(number & TOP_BIT))
    {
        if (size <= HEADER_BYTES)
        {
            return std::nullopt;
        }
        return DataDatagram{.number = number,
                            .stamp = GetWord(front, 1),
                            .payload = size - HEADER_BYTES};
    }
    if (size % WORD_BYTES != 0 || front.size() < size || size / WORD_BYTES > MOST_WORDS)
    {
        return std::nullopt;
    }
    ReportDatagram report{.type = number & ~TOP_BIT, .info = GetWord(front, 1)};
    for (uint32_t word = REPORT_WORDS; word < size / WORD_BYTES; ++word)
    {
        report.words.push_back(GetWord(front, word));
    }
    return report;
}

} // namespace ns3::gridftp
