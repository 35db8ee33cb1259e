/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-kind.h"
#include "gridftp-udt-wire.h"

#include "ns3/test.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// UDT's datagrams, byte by byte.
class UdtWireTest : public TestCase
{
  public:
    UdtWireTest()
        : TestCase("udt: what is in a datagram, byte by byte, and back")
    {
    }

  private:
    void DoRun() override
    {
        CheckData();
        CheckReports();
        CheckHandshake();
        CheckNonsense();
    }

    /// @param report any @param expected its bytes
    void ExpectReport(const ReportDatagram& report, const std::vector<uint8_t>& expected)
    {
        std::vector<uint8_t> bytes(UdtWire::GetReportBytes(report));
        UdtWire::WriteReport(report, bytes);
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "bytes of type " << report.type);
        const auto read = UdtWire::Read(bytes, static_cast<uint32_t>(bytes.size()));
        NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "read again");
        const auto* back = std::get_if<ReportDatagram>(&*read);
        NS_TEST_ASSERT_MSG_NE(back, nullptr, "a report");
        NS_TEST_EXPECT_MSG_EQ(back->type, report.type, "type");
        NS_TEST_EXPECT_MSG_EQ(back->info, report.info, "info");
        NS_TEST_EXPECT_MSG_EQ((back->words == report.words), true, "words");
    }

    /// @param data any @param expected its header
    void ExpectData(const DataDatagram& data, const std::vector<uint8_t>& expected)
    {
        std::vector<uint8_t> header(UdtWire::HEADER_BYTES);
        UdtWire::WriteData(data, header);
        NS_TEST_EXPECT_MSG_EQ((header == expected), true, "header of packet " << data.number);
        const auto read = UdtWire::Read(header, UdtWire::HEADER_BYTES + data.payload);
        NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "read again");
        const auto* back = std::get_if<DataDatagram>(&*read);
        NS_TEST_ASSERT_MSG_NE(back, nullptr, "file data");
        NS_TEST_EXPECT_MSG_EQ(back->number, data.number, "number");
        NS_TEST_EXPECT_MSG_EQ(back->stamp, data.stamp, "stamp");
        NS_TEST_EXPECT_MSG_EQ(back->payload, data.payload, "payload");
    }

    /// Number, message with its place in the block, microseconds, socket.
    void CheckData()
    {
        ExpectData({.number = 0, .stamp = 0x01020304, .payload = 1456},
                   {0, 0, 0, 0, 0xa0, 0, 0, 1, 1, 2, 3, 4, 0, 0, 0, 2});
        ExpectData({.number = 251, .stamp = 5, .payload = 1},
                   {0, 0, 0, 251, 0x20, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2});
        ExpectData({.number = 499, .stamp = 5 | UdtWire::END_OF_BLOCK, .payload = 1456},
                   {0, 0, 1, 0xf3, 0x60, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 2});
        // The first and last of its block.
        ExpectData({.number = 250, .stamp = UdtWire::END_OF_BLOCK, .payload = 100},
                   {0, 0, 0, 250, 0xe0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2});
    }

    /// Sizes with IP and UDP headers: 48 for one word or none, 52, 60, 68.
    void CheckReports()
    {
        ExpectReport({.type = 2, .info = 7, .words = {1, 2, 3, 4, 5, 0x01020304}},
                     {0x80, 2, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1,
                      0,    0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 1, 2, 3, 4});
        ExpectReport({.type = 2, .info = 0, .words = {9}},
                     {0x80, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 9});
        ExpectReport(
            {.type = 3, .info = 0, .words = {0x80000005, 8}},
            {0x80, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x80, 0, 0, 5, 0, 0, 0, 8});
        ExpectReport({.type = 6, .info = 0x10203},
                     {0x80, 6, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0});
        for (const uint8_t bare : {1, 4, 5})
        {
            const uint8_t socket = bare == 5 ? 2 : 1;
            ExpectReport({.type = bare},
                         {0x80, bare, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, socket, 0, 0, 0, 0});
        }
        NS_TEST_EXPECT_MSG_EQ(UdtWire::GetReportBytes({.type = 2, .words = {1, 2, 3, 4}}),
                              60 - DATAGRAM_HEADER_BYTES,
                              "an ACK soon after another one");
    }

    /// Four of them, of which the sockets tell whose they are.
    void CheckHandshake()
    {
        const UdtHandshake request{.mss = 1500, .flight = 8192, .type = 1, .socket = 1};
        ExpectHandshake(request, 0);
        UdtHandshake answer = request;
        answer.cookie = 77;
        ExpectHandshake(answer, 1);
        UdtHandshake connect = answer;
        connect.type = UdtHandshake::CONNECT;
        ExpectHandshake(connect, 0);
        UdtHandshake connected = connect;
        connected.socket = 2;
        ExpectHandshake(connected, 1);
    }

    /// @param said by a handshake @param destination socket that it is for
    void ExpectHandshake(const UdtHandshake& said, uint8_t destination)
    {
        std::vector<uint8_t> expected{0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, destination};
        for (const uint32_t word :
             {4U, 1U, 0U, 1500U, 8192U, said.type, said.socket, said.cookie, 0U, 0U, 0U, 0U})
        {
            for (const uint32_t shift : {24, 16, 8, 0})
            {
                expected.push_back(static_cast<uint8_t>(word >> shift));
            }
        }
        NS_TEST_EXPECT_MSG_EQ(expected.size(), 92 - DATAGRAM_HEADER_BYTES, "its size");
        ExpectReport(said.ToReport(), expected);
        const auto back = UdtHandshake::FromReport(said.ToReport());
        NS_TEST_EXPECT_MSG_EQ((back && back->type == said.type && back->flight == said.flight &&
                               back->mss == said.mss && back->cookie == said.cookie),
                              true,
                              "read again");
        NS_TEST_EXPECT_MSG_EQ(UdtHandshake::FromReport({.words = {4, 1}}).has_value(),
                              false,
                              "too short");
    }

    /// What is no datagram of UDT.
    void CheckNonsense()
    {
        const std::vector<uint8_t> report(64, 0x80);
        const std::span<const uint8_t> all(report);
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(0), 0).has_value(), false, "nothing");
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(15), 15).has_value(), false, "no header");
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(16), 16).has_value(), false, "no more");
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(22), 22).has_value(), false, "half a word");
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(20), 24).has_value(), false, "a part of it");
        NS_TEST_EXPECT_MSG_EQ(UdtWire::Read(all.first(20), 20).has_value(), true, "a report");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new UdtWireTest}; });

} // namespace
