/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/gridftp-start-jitter.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// What is said, in which order: as the Grid Community Toolkit 6.2 client and server do, observed.
class DialogueTest : public TransferTest
{
  public:
    /**
     * @param direction upload or download
     * @param channels fresh or cached
     * @param commands blank separated, of two chunks; those of SITE in full
     * @param codes of the replies
     */
    DialogueTest(Direction direction,
                 DataChannels channels,
                 std::string commands,
                 std::string codes)
        : TransferTest(
              "dialogue: " + std::string(direction == Direction::UPLOAD ? "upload" : "download") +
              (channels == DataChannels::FRESH ? ", fresh" : ", cached")),
          m_direction(direction),
          m_channels(channels),
          m_commands(std::move(commands)),
          m_codes(std::move(codes))
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetBoth("FileSize", UintegerValue(6'000'000));
        SetClient("ChunkSize", UintegerValue(5'000'000));
        SetClient("Direction", EnumValue(m_direction));
        SetClient("DataChannels", EnumValue(m_channels));
        SetTuner("Parallelism", UintegerValue(4));
    }

    void FinalChecks() override
    {
        ExpectDone();
        std::string all;
        for (const auto& command : m_clientTaps[0]->GetCommands())
        {
            std::string text = command.text;
            // The port of the data connections is ns-3's choice.
            text = text.starts_with("PORT") ? text.substr(0, text.find_last_of(',') - 4) : text;
            all += (all.empty() ? "" : "|") + text;
        }
        NS_TEST_EXPECT_MSG_EQ(all, m_commands, "commands");
        NS_TEST_EXPECT_MSG_EQ(m_clientTaps[0]->GetCodes(), m_codes, "replies");
        NS_TEST_EXPECT_MSG_EQ(m_serverTaps[0]->GetVerbs(), m_clientTaps[0]->GetVerbs(), "far end");
    }

    Direction m_direction;   //!< upload or download
    DataChannels m_channels; //!< fresh or cached
    std::string m_commands;  //!< what the client says
    std::string m_codes;     //!< what the server answers
};

/// Connections open at the drawn times, whatever the mode.
class JitterTest : public TransferTest
{
  public:
    /**
     * @param mode of the tuner
     * @param direction upload or download
     */
    JitterTest(const std::string& mode, Direction direction)
        : TransferTest("dialogue: start jitter, " + mode +
                       (direction == Direction::UPLOAD ? ", upload" : ", download")),
          m_up(direction == Direction::UPLOAD)
    {
        m_mode = mode;
    }

  private:
    void ConfigureEnvironment() override
    {
        RngSeedManager::SetSeed(7);
        RngSeedManager::SetRun(3);
        m_pairs = 2;
        SetBoth("FileSize", UintegerValue(60'000));
        SetClient("ChunkSize", UintegerValue(20'000));
        SetClient("Direction", EnumValue(m_up ? Direction::UPLOAD : Direction::DOWNLOAD));
        SetBoth("StartJitter", TimeValue(MilliSeconds(40)));
        SetTuner(m_mode == "fixed" ? "Parallelism" : "InitialParallelism", UintegerValue(3));
    }

    void ConfigureObjects() override
    {
        for (uint32_t pair = 0; pair < m_pairs; ++pair)
        {
            const auto note = [this, pair](Ptr<Socket>, uint64_t chunk, uint32_t connection) {
                m_opened.push_back({pair, chunk, connection, Simulator::Now()});
            };
            const Ptr<Application> sender =
                m_up ? Ptr<Application>(m_clients[pair]) : Ptr<Application>(m_servers[pair]);
            sender->TraceConnectWithoutContext(
                "DataConnection",
                Callback<void, Ptr<Socket>, uint64_t, uint32_t>(note));
        }
    }

    void FinalChecks() override
    {
        ExpectDone();
        uint32_t expected = 0;
        for (uint32_t pair = 0; pair < m_pairs; ++pair)
        {
            const SessionResult session = m_clients[pair]->GetResult();
            for (const auto& chunk : session.gridftp->chunks)
            {
                expected += chunk.parallelism;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(m_opened.size(), expected, "connections");
        NS_TEST_EXPECT_MSG_GT(expected, 2 * 3 * 1, "several chunks");
        for (const auto& opened : m_opened)
        {
            // The sender starts when it hears 150 (upload) or ERET (download).
            const auto lines = m_up ? m_clientTaps[opened.pair]->GetReplies()
                                    : m_serverTaps[opened.pair]->GetCommands();
            std::vector<Time> starts;
            for (const auto& line : lines)
            {
                if (line.text.starts_with(m_up ? "150" : "ERET"))
                {
                    starts.push_back(line.at);
                }
            }
            GRIDFTP_TEST_REQUIRE_EQ(bool(starts.size() > opened.chunk), true, "it has begun");
            const StartJitter jitter{.seed = 7,
                                     .run = 3,
                                     .session = opened.pair,
                                     .jitterNs = 40'000'000};
            NS_TEST_EXPECT_MSG_EQ((opened.at - starts[opened.chunk]).GetNanoSeconds(),
                                  jitter.Draw(opened.chunk, opened.connection),
                                  "delay of its start");
        }
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
    }

    /// A data connection.
    struct Opened
    {
        uint32_t pair;       //!< of hosts
        uint64_t chunk;      //!< index
        uint32_t connection; //!< index
        Time at;             //!< when it was opened
    };

    bool m_up;                    //!< upload
    std::vector<Opened> m_opened; //!< in order of time
};

const std::string SITES = "USER anonymous|PASS client@gridftp|SITE HELP|FEAT|"
                          "SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;|TYPE I|MODE E|";
const std::string UP = SITES + "SITE STORBUFSIZE 65536|PASV|ALLO 5000000|ESTO A 0 /data/file|";
const std::string DOWN = SITES + "SIZE /data/file|SITE RETRBUFSIZE 65536|"
                                 "OPTS RETR Parallelism=4,4,4;|PORT 10,0,0,6|"
                                 "ERET P 0 5000000 /data/file|OPTS RETR Parallelism=4,4,4;|";
const std::string LOGIN_CODES = "220 331 230 214 211 250 200 200 ";

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto direction : {Direction::UPLOAD, Direction::DOWNLOAD})
    {
        for (const auto* mode : {"fixed", "mi", "aimd"})
        {
            all.push_back(new JitterTest(mode, direction));
        }
    }
    all.push_back(new DialogueTest(Direction::UPLOAD,
                                   DataChannels::FRESH,
                                   UP + "PASV|ALLO 1000000|ESTO A 5000000 /data/file|QUIT",
                                   LOGIN_CODES + "200 227 200 150 112 111 226 "
                                                 "227 200 150 112 111 226 221"));
    all.push_back(new DialogueTest(Direction::UPLOAD,
                                   DataChannels::CACHED,
                                   UP + "ALLO 1000000|ESTO A 5000000 /data/file|QUIT",
                                   LOGIN_CODES + "200 227 200 150 112 111 226 "
                                                 "200 150 112 111 226 221"));
    all.push_back(new DialogueTest(Direction::DOWNLOAD,
                                   DataChannels::FRESH,
                                   DOWN + "PORT 10,0,0,6|ERET P 5000000 1000000 /data/file|QUIT",
                                   LOGIN_CODES + "213 200 200 200 150 226 200 200 150 226 221"));
    all.push_back(new DialogueTest(Direction::DOWNLOAD,
                                   DataChannels::CACHED,
                                   DOWN + "ERET P 5000000 1000000 /data/file|QUIT",
                                   LOGIN_CODES + "213 200 200 200 150 226 200 150 226 221"));
    return all;
});

} // namespace ns3::gridftp
