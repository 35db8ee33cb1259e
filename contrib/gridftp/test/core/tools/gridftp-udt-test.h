/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_TEST_H
#define GRIDFTP_UDT_TEST_H

#include "gridftp-tool-fates.h"
#include "gridftp-tool-test.h"

#include "ns3/test.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the tests of UDT share.
 */

namespace ns3::gridftp
{

/// What the tests of UDT call its numbers.
namespace udt
{

/// @name Types of UDT's reports
/// @{
inline constexpr uint32_t HANDSHAKE = 0;
inline constexpr uint32_t KEEP_ALIVE = 1;
inline constexpr uint32_t ACK = 2;
inline constexpr uint32_t NAK = 3;
inline constexpr uint32_t DELAY_WARNING = 4;
inline constexpr uint32_t SHUTDOWN = 5;
inline constexpr uint32_t ACK2 = 6;
/// @}

inline constexpr uint32_t FULL = 1456;         //!< file bytes of a full packet
inline constexpr uint32_t RANGE = 0x80000000U; //!< first packet of a range

/// Times and numbers of packets with file data.
using Data = std::vector<std::pair<Nanoseconds, uint32_t>>;

} // namespace udt

/// Both ends on a path of 10 ms one way, on which packets take no time: what is sent when.
class UdtTimelineTest : public TestCase
{
  public:
    /// @param name of the case
    explicit UdtTimelineTest(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /// @param packets of the file, all full @return the path
    static MadeUpPath::Setting Make(uint32_t packets)
    {
        return {.tool = "udt",
                .bytes = uint64_t{packets} * udt::FULL,
                .there = {.delayNs = 10 * MILLISECOND},
                .back = {.delayNs = 10 * MILLISECOND}};
    }

    /// @param path any @param expected times and numbers of its first packets with file data
    void ExpectData(const MadeUpPath& path, const udt::Data& expected)
    {
        const udt::Data sent = path.ListData();
        NS_TEST_ASSERT_MSG_GT_OR_EQ(sent.size(), expected.size(), "as many packets");
        for (size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(sent[i].second, expected[i].second, "which packet, " << i);
            NS_TEST_EXPECT_MSG_EQ(sent[i].first, expected[i].first, "when packet " << i);
        }
    }

    /// @param path any @param type of reports @param isOfSender whose @param times expected
    void ExpectTimes(const MadeUpPath& path,
                     uint32_t type,
                     bool isOfSender,
                     const std::vector<Nanoseconds>& times)
    {
        const auto reports = path.ListReports(type, isOfSender);
        NS_TEST_ASSERT_MSG_EQ(reports.size(), times.size(), "reports of type " << type);
        for (size_t i = 0; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(reports[i].first, times[i], "type " << type << ", " << i);
        }
    }

    /// @param report any @param words expected
    void ExpectWords(const ReportDatagram& report, const std::vector<uint32_t>& words)
    {
        NS_TEST_ASSERT_MSG_EQ(report.words.size(), words.size(), "words of " << report.type);
        for (size_t i = 0; i < words.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(report.words[i], words[i], "word " << i);
        }
    }

    /// The 16 packets of the first window, from 40 ms on: 0 and 1 are a pair.
    static udt::Data ListFirstWindow()
    {
        udt::Data first{{40 * MILLISECOND, 0}};
        for (uint32_t n = 1; n < 16; ++n)
        {
            first.emplace_back(40 * MILLISECOND + (n - 1) * MICROSECOND, n);
        }
        return first;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_TEST_H
