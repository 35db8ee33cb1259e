/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-sizing.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param parsed text @return what it says, zeros where it is refused
SizingMessage
Or(const TextResult<SizingMessage>& parsed)
{
    return parsed ? *parsed : SizingMessage();
}

/// SBUF while data flow, as text.
class SizingTextTest : public TestCase
{
  public:
    SizingTextTest()
        : TestCase("SBUF while data flow: its texts, and what is refused")
    {
    }

  private:
    void DoRun() override
    {
        const SizingMessage message{7, 131'072};
        NS_TEST_EXPECT_MSG_EQ(FormatCommand(MakeSizingCommand(message)),
                              "SBUF 7 131072\r\n",
                              "command");
        NS_TEST_EXPECT_MSG_EQ(FormatReply(MakeSizingReply(SIZING_ANSWER, message)),
                              "200 SBUF 7 131072\r\n",
                              "answer");
        const Reply notice = MakeSizingReply(SIZING_NOTICE, message);
        NS_TEST_EXPECT_MSG_EQ(FormatReply(notice), "126 SBUF 7 131072\r\n", "notice");
        NS_TEST_EXPECT_MSG_EQ((FindSizing(notice) == message), true, "notice, read");
        NS_TEST_EXPECT_MSG_EQ(FindSizing({200, {"Type set to I."}}).has_value(), false, "other");
        NS_TEST_EXPECT_MSG_EQ(FindSizing({226, {"SBUF 7 1"}}).has_value(), false, "other code");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseSizing("7 131072")) == message), true, "read");
        for (const std::string bad : {"",
                                      "7",
                                      "7 ",
                                      " 7 1",
                                      "7  1",
                                      "7 1 1",
                                      "0 65536",
                                      "-1 65536",
                                      "4294967296 65536",
                                      "x 65536",
                                      "7 0",
                                      "7 -65536",
                                      "7 1073741825",
                                      "7 99999999999999999999999",
                                      "7 64KiB",
                                      "7 1e6"})
        {
            const auto parsed = ParseSizing(bad);
            NS_TEST_ASSERT_MSG_EQ(static_cast<bool>(parsed), false, bad);
            NS_TEST_EXPECT_MSG_EQ(parsed.GetError().code, 501, bad);
        }
        Accept();
        Refuse();
    }

    /// A sender takes SBUFs in the order of their IDs.
    void Accept()
    {
        SizingServer server;
        const BufferSettings buffers{.policy = FindBufferPolicy("drs-ftp"),
                                     .window = 1000,
                                     .most = 100'000};
        NS_TEST_EXPECT_MSG_EQ((Or(server.Accept("3 70000", buffers)) == SizingMessage{3, 70'000}),
                              true,
                              "as asked for");
        NS_TEST_EXPECT_MSG_EQ(Or(server.Accept("3 80000", buffers)).id, 0, "twice");
        NS_TEST_EXPECT_MSG_EQ(Or(server.Accept("2 80000", buffers)).id, 0, "before");
        NS_TEST_EXPECT_MSG_EQ(Or(server.Accept("9 0", buffers)).id, 0, "junk");
        NS_TEST_EXPECT_MSG_EQ(Or(server.Accept("4 100001", buffers)).bytes,
                              100'000,
                              "the most, and that the junk before took no ID");
        const BufferSettings given{.policy = buffers.policy, .sendBuffer = 30'000};
        NS_TEST_EXPECT_MSG_EQ(Or(server.Accept("5 70000", given)).bytes,
                              30'000,
                              "what it was given");
    }

    /// A server that knows SBUF as it is before a transfer.
    void Refuse()
    {
        NS_TEST_EXPECT_MSG_EQ(MakeSizingRefusal(true, "1 65536").code, 503, "while data flow");
        NS_TEST_EXPECT_MSG_EQ(MakeSizingRefusal(false, "1 65536").code, 501, "else");
        NS_TEST_EXPECT_MSG_EQ(IsSizingRefusal(503), true, "refuses the SBUF");
        NS_TEST_EXPECT_MSG_EQ(IsSizingRefusal(426), false, "ends the transfer");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new SizingTextTest}; });

} // namespace ns3::gridftp
