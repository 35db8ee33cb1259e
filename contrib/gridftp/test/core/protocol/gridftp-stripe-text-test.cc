/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"
#include "gridftp-control-text-tools.h"
#include "gridftp-core-test.h"
#include "gridftp-dtp-text.h"
#include "gridftp-stripe-text.h"
#include "gridftp-test-cases.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using Addresses = std::vector<HostPort>;

/// @param line with CRLF @return without
std::string
Cut(const std::string& line)
{
    return line.substr(0, line.size() - 2);
}

/**
 * @ingroup gridftp
 * SPAS, SPOR and the options of RETR.
 */
class StripeTextTest : public TestCase
{
  public:
    StripeTextTest()
        : TestCase("stripes: what is said on control connections")
    {
    }

  private:
    void DoRun() override
    {
        const Addresses two{{0x0a000102, 50'001}, {0x0a000106, 49'153}}; // 195, 81 and 192, 1
        NS_TEST_EXPECT_MSG_EQ(FormatHostPorts(two), "10,0,1,2,195,81 10,0,1,6,192,1", "SPOR");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseHostPorts(FormatHostPorts(two)), {}) == two), true, "");
        const std::string one = "1,2,3,4,5,6";
        for (const auto& bad : {std::string(), one + " ", " " + one, one + "  " + one, one + ","})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseHostPorts(bad)), 501, "'" << bad << "'");
        }
        const Addresses most(64, two[0]);
        NS_TEST_EXPECT_MSG_EQ(Code(ParseHostPorts(FormatHostPorts(most))), 0, "64");
        const Addresses more(65, two[0]);
        NS_TEST_EXPECT_MSG_EQ(Code(ParseHostPorts(FormatHostPorts(more))), 501, "65");

        const Reply reply = MakeStripedPassiveReply(two);
        NS_TEST_EXPECT_MSG_EQ(FormatReply(reply),
                              "229-Entering Striped Passive Mode.\r\n 10,0,1,2,195,81\r\n"
                              " 10,0,1,6,192,1\r\n229 End\r\n",
                              "");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseStripedPassiveReply(reply), {}) == two), true, "");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseStripedPassiveReply({229, {"a", "End"}})), 501, "none");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseStripedPassiveReply({229, {"a", "1,2", "End"}})), 501, "");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseStripedPassiveReply({227, reply.lines})), 501, "no 229");
        CheckOptions();
        CheckPairTimes();
        CheckScript();
    }

    /// What the server that sends tells where pairs have numbers of connections of their own.
    void CheckPairTimes()
    {
        const std::vector<int64_t> times{0, 1'500'000'000};
        const Reply reply = MakePairTimesReply(times);
        NS_TEST_EXPECT_MSG_EQ(FormatReply(reply),
                              "226-Transfer Complete.\r\n Pair times: 0,1500000000\r\n226 End\r\n",
                              "");
        NS_TEST_EXPECT_MSG_EQ((Or(ParsePairTimesReply(reply), {}) == times), true, "");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePairTimesReply({226, {"Transfer Complete."}})),
                              501,
                              "none");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePairTimesReply({226, {"a", "Pair times: x", "End"}})),
                              501,
                              "no number");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePairTimesReply({200, reply.lines})), 501, "no 226");
    }

    void CheckOptions()
    {
        const auto both = [&](const RetrieveOptions& value, const std::string& text) {
            NS_TEST_EXPECT_MSG_EQ(FormatRetrieveOptions(value), text, "");
            NS_TEST_EXPECT_MSG_EQ((Or(ParseRetrieveOptions(text), {}) == value), true, text);
        };
        both({{4, 2, 8}, {}}, "RETR Parallelism=4,2,8;");
        both({{1, 1, 1}, StripeOption{StripeLayout::BLOCKED, 1048576}},
             "RETR StripeLayout=Blocked;BlockSize=1048576;Parallelism=1,1,1;");
        both({{1, 1, 1}, StripeOption{StripeLayout::PARTITIONED, 0}},
             "RETR StripeLayout=Partitioned;Parallelism=1,1,1;");
        both({{3, 3, 3}, {}, {3, 1, 2}}, "RETR Parallelism=3,3,3;PairParallelism=3,1,2;");
        const auto code = [](std::string_view text) { return Code(ParseRetrieveOptions(text)); };
        NS_TEST_EXPECT_MSG_EQ(code("retr parallelism=1,1,1;stripelayout=blocked;"),
                              0,
                              "case, order");
        NS_TEST_EXPECT_MSG_EQ(code("RETR StripeLayout=Random;Parallelism=1,1,1;"), 504, "unknown");
        for (const std::string_view bad :
             {"",
              "RETR",
              "RETR ",
              "RETR ;",
              "RETR Parallelism=",
              "RETR Parallelism=;",
              "RETR Parallelism=4,4;",
              "RETR Parallelism=4,4,4",
              "RETR Parallelism=4,4,44",
              "RETR Parallelism=4,4,4,4;",
              "RETR Parallelism=0,0,0;",
              "RETR Parallelism=4,5,6;",
              "RETR Parallelism=4,4,3;",
              "RETR Parallelism=4294967296,1,4294967296;",
              "RETR Parallelism=-4,-4,-4;",
              "RETR Parallelism=1,1,1;Parallelism=1,1,1;",
              "RETR Parallelism=1,1,1;Stripes=2;",
              "STOR Parallelism=4,4,4;",
              "RETR Parallelism=1,1,1;PairParallelism=;",
              "RETR Parallelism=1,1,1;PairParallelism=1,;",
              "RETR Parallelism=1,1,1;PairParallelism=1,0;",
              "RETR Parallelism=1,1,1;PairParallelism=4294967296;",
              "RETR Parallelism=1,1,1;PairParallelism=1;PairParallelism=1;",
              "RETR PairParallelism=1;",
              "RETR StripeLayout=Blocked;",
              "RETR StripeLayout=Partitioned;BlockSize=5;Parallelism=1,1,1;",
              "RETR BlockSize=5;Parallelism=1,1,1;",
              "RETR StripeLayout=Blocked;BlockSize=0;Parallelism=1,1,1;",
              "RETR StripeLayout=Blocked;BlockSize=9223372036854775808;Parallelism=1,1,1;"})
        {
            NS_TEST_EXPECT_MSG_EQ(code(bad), 501, bad);
        }
    }

    /// The order of a third-party transfer between striped servers.
    void CheckScript()
    {
        ControlScript script;
        script.AddChunk({.direction = Direction::THIRD_PARTY,
                         .offset = 7,
                         .bytes = 5,
                         .parallelism = 2,
                         .newAddress = true,
                         .isStriped = true,
                         .stripe = {StripeLayout::BLOCKED, 9}});
        script.SetListeners({{0x01020304, 0x0506}, {0x01020304, 0x0507}});
        std::string said;
        while (!script.IsEmpty())
        {
            const auto line = script.Take();
            said += line.peer == Peer::RECEIVER ? "R:" : "S:";
            said += Cut(FormatCommand(line.command)) + "|";
        }
        NS_TEST_EXPECT_MSG_EQ(said,
                              "R:SPAS|R:ALLO 5|S:OPTS RETR StripeLayout=Blocked;BlockSize=9;"
                              "Parallelism=2,2,2;|S:SPOR 1,2,3,4,5,6 1,2,3,4,5,7|"
                              "R:ESTO A 7 /data/file|S:ERET P 7 5 /data/file|",
                              "");
        const auto help = FormatReply(MakeReply(Command{Verb::SITE, "HELP"}));
        NS_TEST_EXPECT_MSG_EQ((help.find("SPAS") == std::string::npos), true, "its length stays");
    }
};

/**
 * @ingroup gridftp
 * What a protocol interpreter and a DTP say to each other.
 */
class DtpTextTest : public TestCase
{
  public:
    DtpTextTest()
        : TestCase("stripes: what is said between protocol interpreter and DTP")
    {
    }

  private:
    void DoRun() override
    {
        Both({.verb = DtpVerb::LISTEN, .window = 65536}, "LISTEN 65536");
        Both({.verb = DtpVerb::RECEIVE,
              .offset = 100,
              .bytes = INT64_MAX,
              .stripe = 3,
              .receivers = 4},
             "RECEIVE 100 9223372036854775807 3 4");
        Both({.verb = DtpVerb::FINISH}, "FINISH keep");
        Both({.verb = DtpVerb::FINISH, .closes = true}, "FINISH close");
        Both({.verb = DtpVerb::ABORT}, "ABORT");
        Both({.verb = DtpVerb::END}, "END");
        const DtpOrder order{.offset = 100,
                             .length = 50,
                             .stripe = 1,
                             .senders = 2,
                             .layout = StripeLayout::PARTITIONED,
                             .blockBytes = 7,
                             .parallelism = 4,
                             .window = 65536,
                             .receivers = {{0x01020304, 0x0506}, {0x01020304, 0x0507}}};
        Both({.verb = DtpVerb::SEND, .order = order},
             "SEND 100 50 1 2 7 4 65536 partitioned 1,2,3,4,5,6 1,2,3,4,5,7");
        for (const std::string_view bad : {"LISTEN now",
                                           "LISTEN",
                                           "LISTEN 0",
                                           "LISTEN 4294967296",
                                           "LISTEN 1 1",
                                           "RECEIVE",
                                           "RECEIVE 0 x 0 1",
                                           "RECEIVE 1 1 0",
                                           "RECEIVE 1 1 1 1",
                                           "RECEIVE 1 1 0 65",
                                           "RECEIVE 1 1 0 1 1",
                                           "RECEIVE 1 1 0 1 5-4",
                                           "SEND 0 1 0 1 1 1 1 blocked 1,2,3,4,5,6 7-x",
                                           "FINISH",
                                           "FINISH keep close",
                                           "ABORT now",
                                           "SEND",
                                           "SEND 0 1 0 1 1 1 1 blocked",
                                           "SEND 0 0 0 1 1 1 1 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 1 1 1 1 1 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 0 65 1 1 1 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 0 1 1 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 0 1 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 1 0 blocked 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 1 1 blocked pairs= 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 1 1 blocked pairs=0 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 1 1 blocked pairs=1,1 1,2,3,4,5,6",
                                           "SEND 0 1 0 1 1 1 1 blocked pairs=1"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseDtpCommand(bad)), 501, bad);
        }
        DtpOrder each = order; // two to two: a pair for each
        each.pairs = {4, 1};
        Both({.verb = DtpVerb::SEND, .order = each},
             "SEND 100 50 1 2 7 4 65536 partitioned pairs=4,1 1,2,3,4,5,6 1,2,3,4,5,7");
        DtpCommand receive{.verb = DtpVerb::RECEIVE, .offset = 5, .bytes = 9, .receivers = 2};
        receive.held = {{5, 8}, {11, 12}};
        Both(receive, "RECEIVE 5 9 0 2 5-8,11-12");
        DtpCommand send{.verb = DtpVerb::SEND};
        send.order.length = 20;
        send.order.receivers = {{0x01020304, 1286}};
        send.order.held = {{0, 10}};
        Both(send, "SEND 0 20 0 1 1 1 1 blocked 1,2,3,4,5,6 0-10");
        for (const std::string_view bad :
             {"", "listen", "SEND 0 1 0 1 1 1 1 other 1,2,3,4,5,6", "READY"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseDtpCommand(bad)), 500, bad);
        }
        Both({DtpEvent::PORT, 65535, ""}, "PORT 65535");
        Both({DtpEvent::READY, 0, ""}, "READY");
        Both({DtpEvent::BYTES, UINT64_MAX, ""}, "BYTES 18446744073709551615");
        Both({DtpEvent::BYTES, 7, "", {{0, 3}, {5, 9}}}, "BYTES 7 0-3,5-9");
        Both({DtpEvent::DONE, 0, ""}, "DONE 0");
        Both({DtpEvent::DONE, 7, "", {}, {12, 3}}, "DONE 7 12,3");
        Both({DtpEvent::FAIL, 425, "data connection 3 was refused"},
             "FAIL 425 data connection 3 was refused");
        for (const std::string_view bad : {"PORT",
                                           "PORT 65536",
                                           "READY 1",
                                           "BYTES -1",
                                           "BYTES 1 2",
                                           "BYTES 1 3-2",
                                           "DONE 1 2,",
                                           "DONE 1 -2",
                                           "FAIL 600 no",
                                           "FAIL"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseDtpNotice(bad)), 501, bad);
        }
        NS_TEST_EXPECT_MSG_EQ(Code(ParseDtpNotice("LISTEN")), 500, "of the other side");
    }

    /// @param command to a DTP @param text its line
    void Both(const DtpCommand& command, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatDtpCommand(command), text + "\r\n", "");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseDtpCommand(text), {}) == command), true, text);
    }

    /// @param notice from a DTP @param text its line
    void Both(const DtpNotice& notice, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatDtpNotice(notice), text + "\r\n", "");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseDtpNotice(text), {}) == notice), true, text);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new StripeTextTest, new DtpTextTest};
});

} // namespace ns3::gridftp
