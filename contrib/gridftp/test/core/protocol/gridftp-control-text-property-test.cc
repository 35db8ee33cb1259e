/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-text-tools.h"
#include "gridftp-dtp-text.h"
#include "gridftp-stripe-text.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <random>
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
 * What is generated is read back; what is junk is survived.
 */
class ControlTextPropertyTest : public TestCase
{
  public:
    ControlTextPropertyTest()
        : TestCase("Control text: generated commands, replies and junk")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t rounds = CountDraws(2000);
        for (uint32_t round = 0; round < rounds && !IsStatusFailure(); ++round)
        {
            CheckCommand();
            CheckReplies();
            CheckJunk();
        }
        NS_TEST_EXPECT_MSG_GT(m_accepted, rounds / 2, "junk that happens to be a command");
        NS_TEST_EXPECT_MSG_GT(m_refused, rounds / 2, "junk that is refused");
    }

    /// One command, there and back.
    void CheckCommand()
    {
        const std::vector<Verb> verbs = ImplementedVerbs();
        const Verb verb = verbs[Below(verbs.size())];
        const bool bare = verb == Verb::FEAT || verb == Verb::PASV || verb == Verb::NOOP ||
                          verb == Verb::ABOR || verb == Verb::SPAS || verb == Verb::QUIT;
        const Command command{verb, bare ? "" : 'x' + Text(40)};
        const std::string text = FormatCommand(command);
        const auto lines = Lines(text, {Below(text.size() + 1)});
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 1, text);
        const auto parsed = ParseCommand(lines[0]);
        NS_TEST_EXPECT_MSG_EQ((parsed && *parsed == command), true, text);
    }

    /// Some replies in a row, there and back.
    void CheckReplies()
    {
        std::vector<Reply> replies(1 + Below(4));
        std::string text;
        for (Reply& reply : replies)
        {
            reply.code = static_cast<int>(100 + Below(600));
            for (uint64_t i = 1 + Below(5); i > 0; --i)
            {
                const uint64_t kind = Below(3);
                const std::string code = std::to_string(reply.code);
                reply.lines.push_back((kind == 0   ? code + ' '
                                       : kind == 1 ? code + '-'
                                                   : "") +
                                      Text(30));
            }
            text += FormatReply(reply);
        }
        NS_TEST_EXPECT_MSG_EQ((Replies(Lines(text, Cuts(text.size()))) == replies), true, text);
    }

    /// A stream of junk, in two segmentations.
    void CheckJunk()
    {
        std::string junk;
        for (uint64_t i = Below(60); i > 0; --i)
        {
            switch (Below(8))
            {
            case 0:
                junk += "\r\n";
                break;
            case 1:
            case 2:
                junk += "\n" + FormatCommand({static_cast<Verb>(Below(26)), Text(20)});
                junk.resize(junk.size() - Below(3));
                break;
            case 3:
                junk += std::to_string(m_random() >> Below(64)) + " ,-;"[Below(4)];
                break;
            case 4:
                junk += std::string(Below(40) == 0 ? Below(9000) : 1, ' ');
                break;
            default:
                junk += static_cast<char>(m_random());
            }
        }
        const auto lines = Lines(junk, Cuts(junk.size()));
        NS_TEST_EXPECT_MSG_EQ((Lines(junk, {}) == lines), true, "lines of junk");
        Replies(lines);
        for (const std::string& line : lines)
        {
            CheckJunkLine(line);
        }
    }

    /**
     * No text is a command and refused at once, and every error is a reply that fits a line.
     * @param line the line
     */
    void CheckJunkLine(const std::string& line)
    {
        const auto command = ParseCommand(line);
        const int code = Code(command);
        NS_TEST_EXPECT_MSG_EQ((code == 0 || (code >= 500 && code <= 502)), true, code);
        ++(code == 0 ? m_accepted : m_refused);
        if (!command)
        {
            const std::string reply = FormatReply(MakeReply(command.GetError()));
            NS_TEST_EXPECT_MSG_EQ(Lines(reply, {}).size(), 1, reply);
            NS_TEST_EXPECT_MSG_LT(reply.size(), 200, reply);
            return;
        }
        std::string again = FormatCommand(*command);
        again.resize(again.size() - 2);
        const auto parsed = ParseCommand(again);
        NS_TEST_EXPECT_MSG_EQ((parsed && *parsed == *command), true, again);
        for (const std::string_view text :
             {std::string_view(line), std::string_view(command->argument)})
        {
            ParseNumber(text);
            ParseHostPort(text);
            ParseAdjustedStore(text);
            ParsePartialRetrieve(text);
            ParseRetrieveOptions(text);
            ParseHostPorts(text);
            ParseDtpCommand(text);
            ParseDtpNotice(text);
            ParseStripedPassiveReply({229, {"", std::string(text), ""}});
            ParseSite(text);
            ParseRanges(text);
            ParsePassiveReply({227, {std::string(text)}});
        }
    }

    /**
     * @param limit a number
     * @return a number from 0 to limit - 1
     */
    uint64_t Below(uint64_t limit)
    {
        return m_random() % limit;
    }

    /**
     * @param limit the length it stays below
     * @return text that a line can hold
     */
    std::string Text(uint64_t limit)
    {
        std::string text;
        for (uint64_t i = Below(limit); i > 0; --i)
        {
            text += static_cast<char>(' ' + Below(95));
        }
        return text;
    }

    /**
     * @param size the size of a stream
     * @return where to cut it
     */
    std::vector<std::size_t> Cuts(std::size_t size)
    {
        std::vector<std::size_t> cuts;
        for (std::size_t at = Below(30); at < size; at += Below(30))
        {
            cuts.push_back(at);
        }
        return cuts;
    }

    std::mt19937_64 m_random{959}; //!< the standard fixes its sequence
    uint32_t m_accepted{0};        //!< lines of junk that are commands
    uint32_t m_refused{0};         //!< lines of junk that are none
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ControlTextPropertyTest};
});

} // namespace ns3::gridftp
