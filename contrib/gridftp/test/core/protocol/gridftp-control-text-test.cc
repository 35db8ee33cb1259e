/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-text-tools.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

using namespace std::string_view_literals;

/**
 * @ingroup gridftp
 * The commands captured from the Grid Community Toolkit 6.2 client, and bad ones.
 */
class CommandTest : public TestCase
{
  public:
    CommandTest()
        : TestCase("Commands: as captured, and what is refused")
    {
    }

  private:
    void DoRun() override
    {
        Check("USER anonymous", {Verb::USER, "anonymous"});
        Check("PASS", {Verb::PASS, ""});
        Check("SITE HELP", {Verb::SITE, "HELP"});
        Check("FEAT", {Verb::FEAT, ""});
        Check("SITE STORBUFSIZE 65536", {Verb::SITE, "STORBUFSIZE 65536"});
        Check("TYPE I", {Verb::TYPE, "I"});
        Check("PASV", {Verb::PASV, ""});
        Check("ESTO A 1000000 /a file", {Verb::ESTO, "A 1000000 /a file"});
        Check("OPTS RETR Parallelism=4,4,4;", {Verb::OPTS, "RETR Parallelism=4,4,4;"});
        Check("RETR  /two spaces ", {Verb::RETR, " /two spaces "});
        Check("SIZE /\xc3\xa4", {Verb::SIZE, "/\xc3\xa4"});
        const Command quit{Verb::QUIT, ""};
        NS_TEST_EXPECT_MSG_EQ((Or(ParseCommand("qUiT"), {}) == quit), true, "lower case");
        NS_TEST_EXPECT_MSG_EQ((Or(ParseCommand("QUIT  "), {}) == quit), true, "spaces behind");

        for (const auto line : {""sv,
                                " "sv,
                                " USER a"sv,
                                "USE a"sv,
                                "USERS a"sv,
                                "XYZZY"sv,
                                "USER\ta"sv,
                                "USER a\0b"sv,
                                "NOOP\r"sv,
                                "\xff\xf4\xff\xf2"
                                "ABOR"sv})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseCommand(line)), 500, "'" << line << "'");
        }
        for (const auto line : {"USER", "USER ", "STOR   ", "PASV x", "QUIT now", "FEAT all"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseCommand(line)), 501, line);
        }
        for (const auto line : {"MDTM x", "mdtm"})
        {
            NS_TEST_EXPECT_MSG_EQ(Code(ParseCommand(line)), 502, line);
        }
        const auto unknown = ParseCommand(std::string(4000, 'x'));
        NS_TEST_EXPECT_MSG_LT(unknown.GetError().text.size(), 200, "quotes are cut");
        NS_TEST_EXPECT_MSG_EQ(FormatCommand({Verb::STOR, "a\r\nDELE b\xff"}),
                              "STOR a??DELE b?\r\n",
                              "one command stays one line");
    }

    /**
     * @param line a line as the client writes it
     * @param command what it says
     */
    void Check(const std::string& line, const Command& command)
    {
        const auto parsed = ParseCommand(line);
        NS_TEST_EXPECT_MSG_EQ(Code(parsed), 0, line);
        NS_TEST_EXPECT_MSG_EQ((Or(parsed, {}) == command), true, line);
        NS_TEST_EXPECT_MSG_EQ(FormatCommand(command), line + "\r\n", line);
    }
};

/**
 * @ingroup gridftp
 * Every typed argument: one good text both ways, the borders, and bad ones.
 */
class ArgumentTest : public TestCase
{
  public:
    ArgumentTest()
        : TestCase("Arguments: numbers, addresses, ESTO, ERET, SITE, ranges")
    {
    }

  private:
    void DoRun() override
    {
        const std::string top = "18446744073709551615"; // 2^64 - 1
        NS_TEST_EXPECT_MSG_EQ(Or<uint64_t>(ParseNumber("50000000"), 0), 50000000, "ALLO, SBUF");
        NS_TEST_EXPECT_MSG_EQ(Or<uint64_t>(ParseNumber(top), 0), UINT64_MAX, top);
        NS_TEST_EXPECT_MSG_EQ(Or<uint64_t>(ParseNumber("255", 255), 0), 255, "at the limit");
        const auto number = [](std::string_view s) { return ParseNumber(s); };
        Refuse(number, {"", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1.0", "nan", "4,5"});
        Refuse(number, {"18446744073709551616", "99999999999999999999999999"});
        NS_TEST_EXPECT_MSG_EQ(Code(ParseNumber("256", 255)), 501, "over the limit");

        NS_TEST_EXPECT_MSG_EQ(Or(ParseLetter("i", "I"), '?'), 'I', "TYPE i");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseLetter("A", "I")), 504, "TYPE A");
        Refuse([](std::string_view s) { return ParseLetter(s, "I"); }, {"", "II", "1", "I 8"});

        // 10.1.2.250 is 0x0a0102fa; 2811 is 10 * 256 + 251.
        Check(FormatHostPort, ParseHostPort, {0x0a0102fa, 2811}, "10,1,2,250,10,251");
        Check(FormatHostPort, ParseHostPort, {UINT32_MAX, UINT16_MAX}, "255,255,255,255,255,255");
        Refuse(ParseHostPort,
               {"",
                "1,2,3,4,5",
                "1,2,3,4,5,6,7",
                "1,2,3,4,5,6,",
                ",2,3,4,5,6",
                "1,2,3,4,5,256",
                "1,2,3,4,-5,6",
                "1.2.3.4,5,6",
                "1, 2,3,4,5,6"});

        Check(FormatAdjustedStore, ParseAdjustedStore, {1000000, "/a b"}, "A 1000000 /a b");
        Refuse(ParseAdjustedStore,
               {"", "A", "A 1", "A 1 ", "A x /f", "A -1 /f", "A  1 /f", "AA 1 f"});
        NS_TEST_EXPECT_MSG_EQ(Code(ParseAdjustedStore("B 1 /f")), 504, "another module");

        Check(FormatPartialRetrieve,
              ParsePartialRetrieve,
              {1000000, 5000000, "/f"},
              "P 1000000 5000000 /f");
        Check(FormatPartialRetrieve, ParsePartialRetrieve, {5, UINT64_MAX - 5, "/f"}, "");
        Refuse(ParsePartialRetrieve, {"", "P", "P 1", "P 1 2", "P 1 2 ", "P 1 -2 /f", "P 1 /f"});
        Refuse(ParsePartialRetrieve, {"P 6 18446744073709551610 /f"});
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePartialRetrieve("A 1 2 /f")), 504, "another module");

        Check(FormatSite, ParseSite, {SiteVerb::HELP, 0, ""}, "HELP");
        Check(FormatSite, ParseSite, {SiteVerb::STORBUFSIZE, 65536, ""}, "STORBUFSIZE 65536");
        Check(FormatSite, ParseSite, {SiteVerb::RETRBUFSIZE, 131072, ""}, "RETRBUFSIZE 131072");
        Check(FormatSite, ParseSite, {SiteVerb::CLIENTINFO, 0, "a=b; c"}, "CLIENTINFO a=b; c");
        Refuse(ParseSite, {"HELP me", "CLIENTINFO", "STORBUFSIZE", "RETRBUFSIZE 0"});
        Refuse(ParseSite, {"STORBUFSIZE -1", "STORBUFSIZE 64K", "RETRBUFSIZE 1 2"});
        NS_TEST_EXPECT_MSG_EQ(Code(ParseSite("CHMOD 644 f")), 500, "another SITE command");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseSite("")), 500, "no SITE command");

        using Ranges = std::vector<MarkerRange>;
        Check(FormatRanges, ParseRanges, Ranges{{0, 50000000}}, "0-50000000");
        Check(FormatRanges, ParseRanges, Ranges{{0, 0}, {7, UINT64_MAX}}, "0-0,7-" + top);
        Refuse(ParseRanges, {"", "5", "5-", "-5", "5-4", "0-1,", ",0-1", "0-1,,2-3", "0-1-2"});
    }

    /**
     * @tparam T the type of the argument
     * @param format its formatter
     * @param parse its parser
     * @param value a value
     * @param text its text, empty: not looked at
     */
    template <typename T>
    void Check(std::string (*format)(const T&),
               TextResult<T> (*parse)(std::string_view),
               const T& value,
               const std::string& text)
    {
        const std::string formatted = format(value);
        const auto parsed = parse(formatted);
        NS_TEST_EXPECT_MSG_EQ((text.empty() || formatted == text), true, formatted);
        NS_TEST_EXPECT_MSG_EQ(Code(parsed), 0, formatted);
        NS_TEST_EXPECT_MSG_EQ((parsed && *parsed == value), true, formatted << ": value");
    }

    /**
     * @param parse a parser
     * @param texts what it refuses with 501
     */
    template <typename Parser>
    void Refuse(Parser parse, const std::vector<std::string>& texts)
    {
        for (const std::string& text : texts)
        {
            NS_TEST_EXPECT_MSG_EQ(Code(parse(text)), 501, "'" << text << "'");
        }
    }
};

/**
 * @ingroup gridftp
 * Replies as captured from the Grid Community Toolkit 6.2 server, and how they are read.
 */
class ReplyTest : public TestCase
{
  public:
    ReplyTest()
        : TestCase("Replies: as captured, and how they are read")
    {
    }

  private:
    void DoRun() override
    {
        Wire(MakeReply(Command{Verb::TYPE, "I"}), "200 Type set to I.\r\n");
        Wire(MakeReply(Command{Verb::MODE, "E"}), "200 Mode set to E.\r\n");
        Wire(MakeReply(Command{Verb::SITE, "CLIENTINFO x"}), "250 OK.\r\n");
        Wire(MakeReply(Command{Verb::SITE, "STORBUFSIZE 9"}), "200 Site Command Successful.\r\n");
        Wire(MakeReply(Command{Verb::SITE, "STORBUFSIZE x"}), "501 Number 'x': digits only.\r\n");
        Wire(MakeReply(Command{Verb::ALLO, "5"}), "200 ALLO command successful.\r\n");
        Wire(MakeReply(Command{Verb::PORT, ""}), "200 PORT Command successful.\r\n");
        Wire(MakeReply(Command{Verb::OPTS, ""}), "200 OPTS Command Successful.\r\n");
        Wire(MakeReply(Command{Verb::ESTO, ""}), "150 Beginning transfer.\r\n");
        Wire(MakeLoginReply("anonymous"), "230 User anonymous logged in.\r\n");
        Wire({226, {"Transfer Complete."}}, "226 Transfer Complete.\r\n");
        Wire(MakeReply(TextError{502, "DCAU command not implemented."}),
             "502 DCAU command not implemented.\r\n");
        Wire(MakeReply(Command{Verb::FEAT, ""}),
             "211-Extensions supported:\r\n PARALLEL\r\n SIZE\r\n ERET\r\n ESTO\r\n SBUF\r\n"
             "211 End.\r\n");
        Wire(MakePerfMarkerReply({1234, 0, 25000000, 1}),
             "112-Perf Marker\r\n Timestamp:  123.4\r\n Stripe Index: 0\r\n"
             " Stripe Bytes Transferred: 25000000\r\n Total Stripe Count: 1\r\n112 End.\r\n");
        Wire(MakeRangeMarkerReply({{0, 50000000}}), "111 Range Marker 0-50000000\r\n");
        Wire(MakePassiveReply({0x0a010102, 50000}),
             "227 Entering Passive Mode (10,1,1,2,195,80)\r\n"); // 195 * 256 + 80
        const Reply help = MakeReply(Command{Verb::SITE, "HELP"});
        NS_TEST_EXPECT_MSG_EQ((help.code == 214 && help.lines.back() == "End"), true, "SITE HELP");

        ReadValues();
        ReadLines();
    }

    /**
     * @param reply a reply
     * @param text it as it is sent
     */
    void Wire(const Reply& reply, const std::string& text)
    {
        NS_TEST_EXPECT_MSG_EQ(FormatReply(reply), text, "sent");
        NS_TEST_EXPECT_MSG_EQ((Replies(Lines(text, {})) == std::vector{reply}), true, text);
    }

    /// The values in replies.
    void ReadValues()
    {
        NS_TEST_EXPECT_MSG_EQ(Or<uint64_t>(ParseSizeReply(MakeSizeReply(77)), 0), 77, "213");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseSizeReply({550, {"No such file."}})), 501, "no 213");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseSizeReply({213, {"many"}})), 501, "bad 213");

        const HostPort address{0x0a010102, 50000};
        NS_TEST_EXPECT_MSG_EQ((Or(ParsePassiveReply(MakePassiveReply(address)), {}) == address),
                              true,
                              "227");
        NS_TEST_EXPECT_MSG_EQ((Or(ParsePassiveReply({227, {"=10,1,1,2,195,80"}}), {}) == address),
                              true,
                              "227 without parentheses");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePassiveReply({227, {"Passive"}})), 501, "227, no address");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePassiveReply({227, {"(1,2,3)"}})), 501, "227, short");
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePassiveReply({200, {"1,2,3,4,5,6"}})), 501, "no 227");

        const std::vector<MarkerRange> ranges{{0, 30}, {32, 89}};
        const auto read = ParseRangeMarkerReply(MakeRangeMarkerReply(ranges));
        NS_TEST_EXPECT_MSG_EQ((read && *read == ranges), true, "111");
        NS_TEST_EXPECT_MSG_EQ(Code(ParseRangeMarkerReply({111, {"Range Marker"}})), 501, "111");

        const PerfMarker marker{UINT64_MAX, 2, UINT64_MAX, 3};
        Reply reply = MakePerfMarkerReply(marker);
        NS_TEST_EXPECT_MSG_EQ((Or(ParsePerfMarkerReply(reply), {}) == marker), true, "112");
        std::swap(reply.lines[1], reply.lines[4]);
        NS_TEST_EXPECT_MSG_EQ((Or(ParsePerfMarkerReply(reply), {}) == marker), true, "any order");
        for (const auto time : {"1", "1.", "1.0", "1.09"})
        {
            reply.lines[4] = "Timestamp: " + std::string(time);
            const auto at = Or(ParsePerfMarkerReply(reply), {}).timestampDeciseconds;
            NS_TEST_EXPECT_MSG_EQ(at, 10, time);
        }
        for (const auto line : {"Timestamp: x",
                                "Timestamp: 1.x",
                                "Timestamp: 1./",
                                "Timestamp: -1",
                                "Timestamp: 1844674407370955161.6", // 2^64 tenths
                                "Time: 1"})
        {
            reply.lines[4] = line;
            NS_TEST_EXPECT_MSG_EQ(Code(ParsePerfMarkerReply(reply)), 501, line);
        }
        reply = MakePerfMarkerReply({0, 3, 0, 3});
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePerfMarkerReply(reply)), 501, "stripe 3 of 0, 1, 2");
        reply = MakePerfMarkerReply(marker);
        reply.lines.insert(reply.lines.begin() + 1, reply.lines[1]);
        NS_TEST_EXPECT_MSG_EQ(Code(ParsePerfMarkerReply(reply)), 501, "a field twice");
    }

    /// RFC 959, section 4.2: what ends a reply, and what does not.
    void ReadLines()
    {
        const std::vector<Reply> replies = Replies({"500-Command failed.",
                                                    "500-200 of them",
                                                    " 500 in all",
                                                    "200 not the end",
                                                    "500",
                                                    "5000",
                                                    "",
                                                    "500 End.",
                                                    "220",
                                                    "220 ",
                                                    "226-"});
        const std::vector<Reply> expected{{500,
                                           {"Command failed.",
                                            "500-200 of them",
                                            "500 in all",
                                            "200 not the end",
                                            "500",
                                            "5000",
                                            "",
                                            "End."}},
                                          {220, {""}},
                                          {220, {""}}};
        NS_TEST_EXPECT_MSG_EQ((replies == expected), true, "a reply of eight lines, two empty");

        const Reply bad{500, {}};
        for (const auto line : {"", "22", "2x0 a", "2200 a", "099 a", "700 a", " 220 a", "220a"})
        {
            const std::vector<Reply> read = Replies({line, "220 ready."});
            NS_TEST_EXPECT_MSG_EQ((read == std::vector{bad, {220, {"ready."}}}), true, line);
        }

        // A line ends where it does, whatever is behind it in memory
        const auto bare = ReplyReader().Feed(std::string_view("220x").substr(0, 3));
        NS_TEST_ASSERT_MSG_EQ(bare.has_value(), true, "a reply without a text");
        NS_TEST_EXPECT_MSG_EQ((Or(*bare, {}) == Reply{220, {""}}), true, "a reply without a text");

        std::vector<std::string> endless(ReplyReader::MAXIMUM_LINES, "211-x");
        endless.emplace_back("220 ready.");
        NS_TEST_EXPECT_MSG_EQ((Replies(endless) == std::vector{bad, {220, {"ready."}}}),
                              true,
                              "too many lines");
    }
};

/**
 * @ingroup gridftp
 * Lines of all lengths and ends, cut at every place.
 */
class LineReaderTest : public TestCase
{
  public:
    LineReaderTest()
        : TestCase("Lines: ends, lengths, segmentation")
    {
    }

  private:
    void DoRun() override
    {
        const std::string_view stream = "NOOP\r\nbare\n\r\n\n\rmid\rdle\r\r\nnul\0\xff\r\nrest"sv;
        const std::vector<std::string> lines{"NOOP",
                                             "bare",
                                             "",
                                             "",
                                             "\rmid\rdle\r",
                                             std::string("nul\0\xff"sv)};
        for (std::size_t first = 0; first <= stream.size(); ++first)
        {
            for (std::size_t second = first; second <= stream.size(); ++second)
            {
                NS_TEST_ASSERT_MSG_EQ((Lines(stream, {first, second}) == lines),
                                      true,
                                      "cut at " << first << " and " << second);
            }
        }

        constexpr std::size_t longest = LineReader::MAXIMUM_LENGTH;
        for (const std::string end : {"\n", "\r\n"})
        {
            for (std::size_t length = longest - 2; length <= longest + 3; ++length)
            {
                const std::string line(length, 'x');
                const std::string text = line + end + "NOOP" + end;
                const std::vector<std::string> expected{length <= longest ? line : "<500>", "NOOP"};
                for (std::size_t cut = longest - 3; cut <= text.size(); ++cut)
                {
                    NS_TEST_ASSERT_MSG_EQ((Lines(text, {cut}) == expected), true, length);
                }
            }
        }
        const std::string flood(10 * longest, 'x');
        const std::vector<std::string> once{"<500>"};
        NS_TEST_EXPECT_MSG_EQ((Lines(flood, {longest, 3 * longest}) == once), true, "said once");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new CommandTest, new ArgumentTest, new ReplyTest, new LineReaderTest};
});

} // namespace ns3::gridftp
