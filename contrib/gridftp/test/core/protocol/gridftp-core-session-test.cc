/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"
#include "gridftp-core-test.h"
#include "gridftp-response-times.h"
#include "gridftp-start-jitter.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t LAST = std::numeric_limits<uint64_t>::max();

/**
 * @ingroup gridftp
 * R.
 */
class ResponseTimesTest : public TestCase
{
  public:
    ResponseTimesTest()
        : TestCase("response times: the mean of the last M, of as many as there are")
    {
    }

  private:
    void DoRun() override
    {
        ResponseTimes three(3);
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 0, "none yet");
        three.Add(20'000'000);
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 0.02, "one");
        three.Add(21'000'000);
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 0.0205, "two");
        three.Add(25'000'000);
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 0.022, "three");
        three.Add(29'000'000);
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 0.025, "21, 25, 29: the first is gone");
        ResponseTimes one(1);
        for (int64_t i = 1; i <= 100'000; ++i)
        {
            one.Add(i);
            three.Add(4'000'000'000'000'000'000 >> (i % 3 == 0 ? 2 : 3)); // its sum fits
        }
        NS_TEST_EXPECT_MSG_EQ(one.GetMeanS(), 1e-4, "the last alone, 100000 ns");
        // Two of 5e17 and one of 1e18 ns in every three: no error has built up.
        NS_TEST_EXPECT_MSG_EQ(three.GetMeanS(), 2e18 / 3 / 1e9, "exact after 100000 samples");
    }
};

/**
 * @ingroup gridftp
 * The draws of the start jitter, and what they are made of.
 */
class StartJitterTest : public TestCase
{
  public:
    StartJitterTest()
        : TestCase("start jitter: uniform, and a function of its key alone")
    {
    }

  private:
    void DoRun() override
    {
        // The published sequence of SplitMix64 seeded with 1234567, and the first with seed 0.
        NS_TEST_EXPECT_MSG_EQ(Mix64(1234567), 6457827717110365317ULL, "first");
        NS_TEST_EXPECT_MSG_EQ(Mix64(1234567 + 0x9e3779b97f4a7c15ULL),
                              3203168211198807973ULL,
                              "second");
        NS_TEST_EXPECT_MSG_EQ(Mix64(0), 0xe220a8397b1dcdafULL, "of seed 0");

        NS_TEST_EXPECT_MSG_EQ(UniformBelow(LAST, 0), 0, "below 0");
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(LAST, 1), 0, "below 1");
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(0, 10), 0, "least");
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(LAST, 10), 9, "largest");
        // 3 * 2^64 / 10 = 5534023222112865484.8
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(5534023222112865484ULL, 10), 2, "just below");
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(5534023222112865485ULL, 10), 3, "just above");
        NS_TEST_EXPECT_MSG_EQ(UniformBelow(LAST, uint64_t{1} << 62),
                              (uint64_t{1} << 62) - 1,
                              "top");
        for (uint64_t i = 0; i < 1000; ++i)
        {
            const uint64_t bits = Mix64(i);
            NS_TEST_ASSERT_MSG_EQ(UniformBelow(bits, uint64_t{1} << (i % 63)),
                                  (i % 63 == 0 ? 0 : bits >> (64 - i % 63)),
                                  "for a power of two: the highest bits");
        }
        CheckDraws();
        CheckKey();
    }

    /// 100,000 draws below 100 ms: the standard error of their mean is 100 / sqrt(12e5) = 0.091 ms.
    void CheckDraws()
    {
        const StartJitter jitter{.seed = 1, .run = 1, .session = 0, .jitterNs = 100'000'000};
        std::array<int, 10> deciles{};
        double sum = 0;
        int64_t least = jitter.jitterNs;
        int64_t most = 0;
        for (uint64_t chunk = 0; chunk < 1000; ++chunk)
        {
            for (uint64_t connection = 0; connection < 100; ++connection)
            {
                const int64_t draw = jitter.Draw(chunk, connection);
                NS_TEST_ASSERT_MSG_EQ((draw >= 0 && draw < jitter.jitterNs), true, draw);
                ++deciles.at(static_cast<size_t>(draw / 10'000'000));
                sum += static_cast<double>(draw);
                least = std::min(least, draw);
                most = std::max(most, draw);
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / 1e5, 50e6, 4 * 0.091e6, "four standard errors");
        // 100,000 draws leave a gap of 20 us at an end once in e^20.
        NS_TEST_EXPECT_MSG_LT(least, 20'000, "reaches down to 0");
        NS_TEST_EXPECT_MSG_GT(most, 99'980'000, "reaches up to the bound");
        for (const int count : deciles)
        {
            // sqrt(1e5 * 0.1 * 0.9) = 95
            NS_TEST_EXPECT_MSG_EQ_TOL(count, 10'000, 4 * 95, "four standard deviations");
        }
        const StartJitter none{.seed = 1, .run = 1, .session = 0, .jitterNs = 0};
        NS_TEST_EXPECT_MSG_EQ(none.Draw(3, 4), 0, "no jitter");
        const StartJitter least1{.seed = 1, .run = 1, .session = 0, .jitterNs = 1};
        NS_TEST_EXPECT_MSG_EQ(least1.Draw(3, 4), 0, "the bound itself is never drawn");
    }

    /// Each part of the key matters, by itself and by its place; nothing else does.
    void CheckKey()
    {
        const auto draw = [](const std::array<uint64_t, 5>& key) {
            const StartJitter jitter{.seed = key[0],
                                     .run = key[1],
                                     .session = key[2],
                                     .jitterNs = std::numeric_limits<int64_t>::max()};
            return jitter.Draw(key[3], key[4]);
        };
        const std::array<uint64_t, 5> key{1, 2, 3, 4, 5};
        std::vector<int64_t> draws{draw(key)};
        NS_TEST_EXPECT_MSG_EQ(draw(key), draws.front(), "the same again");
        for (size_t i = 0; i < key.size(); ++i)
        {
            auto other = key;
            other[i] += 1; // also makes two parts equal
            draws.push_back(draw(other));
            other[i] = key[i] + (uint64_t{1} << 63);
            draws.push_back(draw(other));
            other = key;
            std::swap(other[i], other[(i + 1) % key.size()]);
            draws.push_back(draw(other));
        }
        std::sort(draws.begin(), draws.end());
        NS_TEST_EXPECT_MSG_EQ((std::unique(draws.begin(), draws.end()) == draws.end()),
                              true,
                              "16 keys, 16 draws");
    }
};

/**
 * @ingroup gridftp
 * The order of the commands, as seen between the Grid Community Toolkit 6.2 programs.
 */
class ControlScriptTest : public TestCase
{
  public:
    ControlScriptTest()
        : TestCase("control script: the commands in the order of the real programs")
    {
    }

  private:
    void DoRun() override
    {
        // SITE CLIENTINFO is free text: only its verb counts here.
        const std::string login = "USER anonymous|PASS client@gridftp|SITE HELP|FEAT|"
                                  "SITE CLIENTINFO|TYPE I|MODE E|";
        Expect(LoginCommands(Peer::RECEIVER, {65536}), login + "SITE STORBUFSIZE 65536|");
        Expect(LoginCommands(Peer::SENDER, {131072}),
               login + "SIZE /data/file|SITE RETRBUFSIZE 131072|");

        ChunkOrder order{.direction = Direction::UPLOAD,
                         .offset = 1'000'000,
                         .bytes = 5'000'000,
                         .parallelism = 4,
                         .newAddress = true,
                         .listeners = {{0x0a000102, 50'001}}}; // 50001 = 195 * 256 + 81
        ExpectChunk(order, "R:PASV|R:ALLO 5000000|R:ESTO A 1000000 /data/file|");
        order.newAddress = false;
        ExpectChunk(order, "R:ALLO 5000000|R:ESTO A 1000000 /data/file|");
        order.direction = Direction::DOWNLOAD;
        ExpectChunk(order, "S:OPTS RETR Parallelism=4,4,4;|S:ERET P 1000000 5000000 /data/file|");
        order.newAddress = true;
        ExpectChunk(order,
                    "S:OPTS RETR Parallelism=4,4,4;|S:PORT 10,0,1,2,195,81|"
                    "S:ERET P 1000000 5000000 /data/file|");
        CheckThirdParty(order);

        // R is made of replies to these, and never of a listener or a transfer.
        std::string timed;
        for (int i = 0; i <= static_cast<int>(Verb::MDTM); ++i)
        {
            const auto verb = static_cast<Verb>(i);
            timed += IsTimedVerb(verb) ? std::string(VerbName(verb)) + " " : "";
        }
        NS_TEST_EXPECT_MSG_EQ(timed, "USER PASS SITE FEAT TYPE MODE SIZE OPTS SBUF PBSZ ", "");
    }

    /// The receiver listens, the sender is told where. @param order of a chunk
    void CheckThirdParty(ChunkOrder order)
    {
        order.direction = Direction::THIRD_PARTY;
        order.newAddress = false;
        ExpectChunk(order,
                    "R:ALLO 5000000|S:OPTS RETR Parallelism=4,4,4;|"
                    "R:ESTO A 1000000 /data/file|S:ERET P 1000000 5000000 /data/file|");
        order.newAddress = true;
        order.listeners = {};
        ControlScript script;
        script.AddChunk(order);
        NS_TEST_EXPECT_MSG_EQ(static_cast<int>(script.Take().command.verb),
                              static_cast<int>(Verb::PASV),
                              "first of all");
        script.SetListeners({{0x0a00010e, 50'001}}); // as the reply to PASV says
        NS_TEST_EXPECT_MSG_EQ(TellAll(script),
                              "R:ALLO 5000000|S:OPTS RETR Parallelism=4,4,4;|"
                              "S:PORT 10,0,1,14,195,81|R:ESTO A 1000000 /data/file|"
                              "S:ERET P 1000000 5000000 /data/file|",
                              "then");
        script.AddQuit(Direction::THIRD_PARTY);
        NS_TEST_EXPECT_MSG_EQ(TellAll(script), "R:QUIT|S:QUIT|", "goodbyes");
        script.AddLogin(Direction::THIRD_PARTY, {65536});
        const std::string logins = TellAll(script);
        NS_TEST_EXPECT_MSG_LT(logins.find("R:SITE STORBUFSIZE 65536|"),
                              logins.find("S:USER anonymous|"),
                              "the receiver first, all of it");
        script.AddQuit(Direction::UPLOAD);
        script.Clear();
        NS_TEST_EXPECT_MSG_EQ(script.IsEmpty(), true, "cleared");
        NS_TEST_EXPECT_MSG_EQ(NameControlFailure(Direction::THIRD_PARTY, Peer::SENDER, "lost"),
                              "sender: lost",
                              "which of the two");
        NS_TEST_EXPECT_MSG_EQ(NameControlFailure(Direction::UPLOAD, Peer::RECEIVER, "lost"),
                              "lost",
                              "there is but one");
    }

    /// @param script is empty afterwards @return its lines, each followed by a bar
    static std::string TellAll(ControlScript& script)
    {
        std::string said;
        while (!script.IsEmpty())
        {
            const auto line = script.Take();
            said += line.peer == Peer::RECEIVER ? "R:" : "S:";
            said += FormatCommand(line.command);
            said.replace(said.size() - 2, 2, "|"); // CRLF
        }
        return said;
    }

    /// @param order of a chunk @param expected lines, each followed by a bar
    void ExpectChunk(const ChunkOrder& order, const std::string& expected)
    {
        ControlScript script;
        script.AddChunk(order);
        NS_TEST_EXPECT_MSG_EQ(TellAll(script), expected, "");
    }

    /**
     * @param commands to compare
     * @param expected each followed by a bar
     */
    void Expect(const std::vector<Command>& commands, const std::string& expected)
    {
        std::string said;
        for (const auto& command : commands)
        {
            NS_TEST_EXPECT_MSG_EQ(
                ReplyCode(ParseCommand(
                    FormatCommand(command).substr(0, FormatCommand(command).size() - 2))),
                0,
                "a server understands it");
            std::string line = std::string(VerbName(command.verb)) +
                               (command.argument.empty() ? "" : " ") + command.argument;
            if (line.starts_with("SITE CLIENTINFO "))
            {
                line = "SITE CLIENTINFO";
            }
            said += line + "|";
        }
        NS_TEST_EXPECT_MSG_EQ(said, expected, "");
    }

    /// @param command a command or an error @return the reply code of the error, 0 if none
    static int ReplyCode(const TextResult<Command>& command)
    {
        return command ? 0 : command.GetError().code;
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ResponseTimesTest, new StartJitterTest, new ControlScriptTest};
});

} // namespace ns3::gridftp
