/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"
#include "gridftp-core-test.h"
#include "gridftp-security-text.h"
#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param result any @return the code of its error, 0 if there is a value
template <typename T>
int
CodeOf(const TextResult<T>& result)
{
    return result ? 0 : result.GetError().code;
}

/// Base64 as RFC 4648, Section 10, has it.
class Base64Test : public TestCase
{
  public:
    Base64Test()
        : TestCase("security text: base64")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<std::string, std::string>> vectors{{"f", "Zg=="},
                                                                       {"fo", "Zm8="},
                                                                       {"foo", "Zm9v"},
                                                                       {"foob", "Zm9vYg=="},
                                                                       {"fooba", "Zm9vYmE="},
                                                                       {"foobar", "Zm9vYmFy"},
                                                                       {"\xfb\xff", "+/8="}};
        for (const auto& [bytes, text] : vectors)
        {
            NS_TEST_EXPECT_MSG_EQ(EncodeBase64(bytes), text, "");
            const auto decoded = DecodeBase64(text);
            NS_TEST_EXPECT_MSG_EQ(bool(decoded) && *decoded == bytes, true, text);
        }
        for (const auto* text :
             {"", "Zg", "Zg=", "Zg===", "Z===", "Zm9v\xff", "=Zg=", "Zg=v", "Zm 9"})
        {
            NS_TEST_EXPECT_MSG_EQ(CodeOf(DecodeBase64(text)), 501, text);
        }
    }
};

/// Lines in armour have the lengths of those that were captured.
class ArmourTest : public TestCase
{
  public:
    ArmourTest()
        : TestCase("security text: lines in the armour of ENC and 632")
    {
    }

  private:
    void DoRun() override
    {
        using enum ArmourSide;
        // As the Grid Community Toolkit 6.2 was observed to say them, each with CRLF
        Expect(CLIENT, "SITE HELP\r\n", 50);
        Expect(CLIENT, "USER :globus-mapping:\r\n", 66);
        Expect(CLIENT, "ALLO 1000000\r\n", 54);
        Expect(SERVER, "331 Password required for :globus-mapping:.\r\n", 98);
        Expect(SERVER, "214 End\r\n", 50);
        Expect(SERVER, "226 Transfer Complete.\r\n", 70);
        Expect(SERVER, "211-Extensions supported\r\n UTF8\r\n211 End.\r\n", 70 + 46 + 50);
        NS_TEST_EXPECT_MSG_EQ(WrapLines(SERVER, "211-a\r\n b\r\n211 c\r\n").substr(0, 4),
                              "632-",
                              "");

        NS_TEST_EXPECT_MSG_EQ(CodeOf(UnwrapLine(CLIENT, "TYPE I")), 533, "no armour");
        NS_TEST_EXPECT_MSG_EQ(CodeOf(UnwrapLine(CLIENT, "632 FwMDAA==")), 533, "of the other end");
        NS_TEST_EXPECT_MSG_EQ(CodeOf(UnwrapLine(CLIENT, "ENC")), 533, "no token");
        NS_TEST_EXPECT_MSG_EQ(CodeOf(UnwrapLine(CLIENT, "ENC x")), 501, "no base64");
        NS_TEST_EXPECT_MSG_EQ(CodeOf(UnwrapLine(CLIENT, "ENC FwMDAA==")), 501, "too short");
        std::string line = WrapLines(CLIENT, "NOOP\r\n");
        const std::string token = line.substr(4, line.size() - 6);
        NS_TEST_EXPECT_MSG_EQ(*UnwrapLine(CLIENT, "mic " + token), "NOOP", "another level");
    }

    /// @param side who says them @param text lines @param length of them in armour
    void Expect(ArmourSide side, const std::string& text, size_t length)
    {
        const std::string wrapped = WrapLines(side, text);
        NS_TEST_EXPECT_MSG_EQ(wrapped.size(), length, text);
        NS_TEST_EXPECT_MSG_EQ(GetWrappedLength(side, text), length, text);
        LineReader outer;
        outer.Feed(wrapped);
        std::string inner;
        while (const auto line = outer.Next())
        {
            inner += *UnwrapLine(side, **line) + "\r\n";
        }
        NS_TEST_EXPECT_MSG_EQ(inner, text, "what is in it");
    }
};

/// The handshake of a control channel: who says what, how long, and what is refused.
class SecurityServerTest : public TestCase
{
  public:
    SecurityServerTest()
        : TestCase("security text: AUTH and ADAT")
    {
    }

  private:
    void DoRun() override
    {
        // Lengths of the lines as captured; what is computed before each is Welch's and TLS's
        const auto commands = ListSecurityCommands();
        const std::vector<size_t> lengths{13, 535, 3699, 39, 1147};
        const std::vector<size_t> answers{50, 2943, 43, 931, 39};
        using enum HandshakeWork;
        const std::vector<HandshakeWork> own{NONE, NONE, KEYS, NONE, KEYS};
        const std::vector<HandshakeWork> servers{NONE, KEYS, KEYS, KEY_PAIR, KEYS};
        NS_TEST_ASSERT_MSG_EQ(commands.size(), lengths.size(), "commands");
        SecurityServer server;
        std::string codes;
        for (size_t i = 0; i < commands.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(server.IsDone(), false, "not yet");
            const std::string line = FormatCommand(commands[i].command);
            NS_TEST_EXPECT_MSG_EQ(line.size(), lengths[i], "command " << i);
            NS_TEST_EXPECT_MSG_EQ(bool(ParseCommand(line.substr(0, line.size() - 2))), true, i);
            const auto answer = server.Accept(commands[i].command);
            NS_TEST_EXPECT_MSG_EQ(FormatReply(answer.reply).size(), answers[i], "reply " << i);
            NS_TEST_EXPECT_MSG_EQ((commands[i].work == own[i]), true, "client's work " << i);
            NS_TEST_EXPECT_MSG_EQ((answer.work == servers[i]), true, "server's work " << i);
            codes += std::to_string(answer.reply.code) + " ";
        }
        NS_TEST_EXPECT_MSG_EQ(codes, "334 335 335 335 235 ", "replies");
        NS_TEST_EXPECT_MSG_EQ(server.IsDone(), true, "it knows the client");
        ExpectRefusals(commands[1].command);
    }

    /// @param hello the first ADAT
    void ExpectRefusals(const Command& hello)
    {
        const Command begin{Verb::AUTH, "gssapi"};
        SecurityServer server;
        NS_TEST_EXPECT_MSG_EQ(server.Accept(hello).reply.code, 503, "ADAT before AUTH");
        NS_TEST_EXPECT_MSG_EQ(server.Accept({Verb::AUTH, "TLS"}).reply.code, 504, "another one");
        NS_TEST_EXPECT_MSG_EQ(server.Accept(begin).reply.code, 334, "in any case");
        NS_TEST_EXPECT_MSG_EQ(server.Accept({Verb::ADAT, "x"}).reply.code, 501, "no base64");
        server.Accept(begin);
        NS_TEST_EXPECT_MSG_EQ(server.Accept({Verb::ADAT, "Zm9v"}).reply.code, 535, "not TLS's");
        NS_TEST_EXPECT_MSG_EQ(server.Accept(hello).reply.code, 503, "AUTH again");
        NS_TEST_EXPECT_MSG_EQ(server.IsDone(), false, "");
    }
};

/// What a client says first where its channels are authenticated.
class SecuredLoginTest : public TestCase
{
  public:
    SecuredLoginTest()
        : TestCase("security text: a secured login")
    {
    }

  private:
    void DoRun() override
    {
        const SecuritySpec control{.control = Authentication::GSI};
        const SecuritySpec both{.control = Authentication::GSI, .data = Authentication::GSI};
        // Each server is authenticated before it is told anything else. DCAU is on by itself
        const std::string first = "AUTH ADAT ADAT ADAT ADAT USER PASS SITE FEAT SITE TYPE MODE ";
        NS_TEST_EXPECT_MSG_EQ(Say(control),
                              first + "SITE DCAU " + first + "SIZE SITE DCAU ",
                              "data channels are not");
        NS_TEST_EXPECT_MSG_EQ(Say(both), first + "SITE " + first + "SIZE SITE ", "both are");
    }

    /// @param security of a third-party transfer @return verbs of the login
    static std::string Say(const SecuritySpec& security)
    {
        ControlScript script;
        script.AddLogin(Direction::THIRD_PARTY, {65536, Protection::CLEAR, security});
        std::string verbs;
        while (!script.IsEmpty())
        {
            verbs += std::string(VerbName(script.Take().command.verb)) + " ";
        }
        return verbs;
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new Base64Test, new ArmourTest, new SecurityServerTest, new SecuredLoginTest};
});

} // namespace ns3::gridftp
