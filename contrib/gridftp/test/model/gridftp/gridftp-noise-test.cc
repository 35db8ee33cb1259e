/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-random.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What comes over a control connection is noise, and after it a correct dialogue.
class NoiseTest : public TransferTest
{
  public:
    /**
     * @param name in the name of the case
     * @param words that the noise is made of; empty: any bytes, a line feed often among them
     * @param bytes how much noise
     * @param login whether it comes after a login
     */
    NoiseTest(const std::string& name, std::vector<std::string> words, size_t bytes, bool login)
        : TransferTest("server: " + name),
          m_words(std::move(words)),
          m_bytes(bytes),
          m_login(login)
    {
    }

  private:
    /// @param below a bound @return a number below it
    size_t Draw(uint64_t below)
    {
        return UniformBelow(KeyedRandom({m_words.size(), m_bytes, m_draws++}), below);
    }

    std::string MakeNoise()
    {
        std::string noise;
        while (noise.size() < m_bytes)
        {
            if (!m_words.empty())
            {
                noise += m_words[Draw(m_words.size())];
            }
            else
            {
                noise += Draw(20) == 0 ? '\n' : static_cast<char>(Draw(256));
            }
        }
        return noise + "\r\n";
    }

    void ConfigureEnvironment() override
    {
        m_withClients = false;
    }

    void ConfigureObjects() override
    {
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        m_fakeClient->SayAt(50, m_login ? "USER u|PASS p|TYPE I|MODE E" : "NOOP");
        const std::string noise = MakeNoise();
        m_lines = std::count(noise.begin(), noise.end(), '\n');
        uint32_t ms = 100;
        for (size_t begin = 0; begin < noise.size();)
        {
            const size_t size = 1 + Draw(2000);
            m_fakeClient->SendAt(ms++, noise.substr(begin, size));
            begin += size;
        }
        m_fakeClient->SayAt(20'000,
                            m_login ? "NOOP|QUIT" : "USER u|PASS p|TYPE I|MODE E|PASV|STOR /f");
        if (!m_login)
        {
            m_fakeClient->DataAt(20'100,
                                 0,
                                 MakeFakeBlock(ModeEHeader::Data(0, 10)) +
                                     MakeFakeBlock(ModeEHeader::EndOfDataAndFile(1)));
            m_fakeClient->SayAt(20'200, "QUIT");
        }
    }

    void FinalChecks() override
    {
        const auto codes = m_fakeClient->GetCodes();
        const std::string end = m_login ? " 200 221" : " 331 230 200 200 227 150 112 111 226 221";
        NS_TEST_EXPECT_MSG_EQ(codes.ends_with(end), true, "a correct dialogue after it");
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->junk, 0, "lines that are no reply");
        if (m_words.empty())
        {
            const auto& replies = m_fakeClient->replies;
            const auto refused = std::count_if(replies.begin(), replies.end(), [](const Reply& r) {
                return r.code == 500;
            });
            NS_TEST_EXPECT_MSG_EQ(refused, m_lines, "500 for each line");
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(static_cast<int64_t>(m_fakeClient->replies.size()),
                                    m_lines,
                                    "no line unanswered");
        ExpectDry();
    }

    std::vector<std::string> m_words; //!< that the noise is made of
    size_t m_bytes;                   //!< of noise
    bool m_login;                     //!< it comes after a login
    uint64_t m_draws{0};              //!< so far
    int64_t m_lines{0};               //!< of noise
};

/// Many commands at once: more answers than the socket's buffer holds, and then QUIT.
class BacklogTest : public TransferTest
{
  public:
    BacklogTest()
        : TransferTest("server: answers that wait for room, and QUIT behind them")
    {
    }

  private:
    static constexpr uint32_t COUNT = 5000; //!< commands

    void ConfigureEnvironment() override
    {
        m_withClients = false;
    }

    void ConfigureObjects() override
    {
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        std::string lines;
        for (uint32_t i = 0; i < COUNT; ++i)
        {
            lines += "FEAT\r\n";
        }
        m_fakeClient->SendAt(100, lines + "QUIT\r\nNOOP\r\n");
    }

    void FinalChecks() override
    {
        const auto& replies = m_fakeClient->replies;
        GRIDFTP_TEST_REQUIRE_EQ(replies.size(), 1 + COUNT + 1, "replies");
        NS_TEST_EXPECT_MSG_EQ(replies.back().code, 221, "the last word");
        ExpectDry();
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    const std::vector<std::string> words{"USER u",   "PASS",         "SITE ",
                                         "HELP",     "FEAT",         "TYPE I",
                                         "MODE ",    "SIZE /f",      "ALLO 5",
                                         "OPTS ",    "RETR ",        "SBUF ",
                                         "PBSZ",     "NOOP",         "ESTO A 0 ",
                                         "ERET P 0", "\r\n",         "\r\n",
                                         "\n",       "\r",           " ",
                                         "12345",    "-1",           "99999999999999999999",
                                         "\xff",     "Parallelism=", "STORBUFSIZE ",
                                         "REST 0-5", "CKSM",         "\x01",
                                         ",",        "/f",           "PORT 10,0,0,1,",
                                         "STOR"};
    all.push_back(new NoiseTest("random bytes", {}, 20'000, false));
    all.push_back(new NoiseTest("many random bytes", {}, 150'000, true));
    all.push_back(new NoiseTest("a long line", {"x"}, 20'000, true));
    all.push_back(new NoiseTest("random words before login", words, 20'000, false));
    all.push_back(new NoiseTest("random words after login", words, 100'000, true));
    all.push_back(new BacklogTest);
    return all;
});

} // namespace ns3::gridftp
