/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Uploads and downloads over one control connection: what is said, and who stores what.
 */

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Files of 6, 2 and 1 MB that go one way, the other, and the first again, by chunks of 5 MB.
class BothDirectionsTest : public TransferTest
{
  public:
    /// @param first direction @param channels fresh or cached @param commands blank separated, of
    /// all files @param codes of the replies
    BothDirectionsTest(Direction first,
                       DataChannels channels,
                       std::string commands,
                       std::string codes)
        : TransferTest("both directions: dialogue, " +
                       std::string(first == Direction::UPLOAD ? "upload" : "download") + " first" +
                       (channels == DataChannels::FRESH ? ", fresh" : ", cached")),
          m_first(first),
          m_channels(channels),
          m_commands(std::move(commands)),
          m_codes(std::move(codes))
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetServer("FileSize", UintegerValue(6'000'000));
        SetClient("ChunkSize", UintegerValue(5'000'000));
        SetClient("Direction", EnumValue(m_first));
        SetClient("DataChannels", EnumValue(m_channels));
        SetTuner("Parallelism", UintegerValue(4));
    }

    void ConfigureObjects() override
    {
        const Direction second =
            m_first == Direction::UPLOAD ? Direction::DOWNLOAD : Direction::UPLOAD;
        m_clients[0]->SetFiles(FileSequence(
            std::make_shared<FileSupply>(std::vector<uint64_t>{6'000'000, 2'000'000, 1'000'000},
                                         0,
                                         0,
                                         std::vector<Direction>{m_first, second})));
    }

    void FinalChecks() override
    {
        ExpectDone();
        ExpectDry();
        std::string all;
        for (const auto& command : m_clientTaps[0]->GetCommands())
        {
            // The port of the data connections is ns-3's choice.
            const bool isPort = command.text.starts_with("PORT");
            all += (all.empty() ? "" : "|") + (isPort ? std::string("PORT") : command.text);
        }
        NS_TEST_EXPECT_MSG_EQ(all, m_commands, "commands");
        NS_TEST_EXPECT_MSG_EQ(m_clientTaps[0]->GetCodes(), m_codes, "replies");
        NS_TEST_EXPECT_MSG_EQ(m_servers[0]->GetAcceptedCount(), 1, "one login");
        const bool isUpload = m_first == Direction::UPLOAD;
        const uint64_t stored = m_servers[0]->GetStoredBytes();
        NS_TEST_EXPECT_MSG_EQ(stored, (isUpload ? 7'000'000U : 2'000'000U), "at the server");
        NS_TEST_EXPECT_MSG_EQ(m_clients[0]->GetStoredBytes(),
                              9'000'000 - stored,
                              "at the client: what goes the other way");
        const SessionResult result = m_clients[0]->GetResult();
        NS_TEST_EXPECT_MSG_EQ(result.bytes, 9'000'000, "in both directions");
        for (const auto& one : result.GetDirections())
        {
            const bool isFirst = one.direction == m_first;
            NS_TEST_EXPECT_MSG_EQ(one.bytes, (isFirst ? 7'000'000U : 2'000'000U), "in one");
        }
    }

    Direction m_first;       //!< of the first file
    DataChannels m_channels; //!< fresh or cached
    std::string m_commands;  //!< what the client says
    std::string m_codes;     //!< what the server answers
};

const std::string SITES = "USER anonymous|PASS client@gridftp|SITE HELP|FEAT|"
                          "SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;|TYPE I|MODE E|";
const std::string UP_LOGIN = SITES + "SITE STORBUFSIZE 65536|";
const std::string DOWN_LOGIN = SITES + "SIZE /data/file|SITE RETRBUFSIZE 65536|";
const std::string UP_CODES = "220 331 230 214 211 250 200 200 200 ";
const std::string DOWN_CODES = "220 331 230 214 211 250 200 200 213 200 ";
const std::string OPTIONS = "OPTS RETR Parallelism=4,4,4;|";

/// @return the commands of an upload @param bytes of the chunk @param offset of it
std::string
StoreWords(const std::string& bytes, const std::string& offset)
{
    return "ALLO " + bytes + "|ESTO A " + offset + " /data/file|";
}

/// @return the command of a download @param offset of the chunk @param bytes of it
std::string
Retrieve(const std::string& offset, const std::string& bytes)
{
    return "ERET P " + offset + " " + bytes + " /data/file|";
}

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    const std::string stored = "200 150 112 111 226 ";
    // A new address is agreed on for each change, as the client of the Grid Community Toolkit has
    // it, and nothing else is said between the directions
    return {new BothDirectionsTest(Direction::UPLOAD,
                                   DataChannels::FRESH,
                                   UP_LOGIN + "PASV|" + StoreWords("5000000", "0") + "PASV|" +
                                       StoreWords("1000000", "5000000") + OPTIONS + "PORT|" +
                                       Retrieve("0", "2000000") + "PASV|" +
                                       StoreWords("1000000", "0") + "QUIT",
                                   UP_CODES + "227 " + stored + "227 " + stored +
                                       "200 200 150 226 " + "227 " + stored + "221"),
            new BothDirectionsTest(
                Direction::UPLOAD,
                DataChannels::CACHED,
                UP_LOGIN + "PASV|" + StoreWords("5000000", "0") + StoreWords("1000000", "5000000") +
                    OPTIONS + "PORT|" + Retrieve("0", "2000000") + "PASV|" +
                    StoreWords("1000000", "0") + "QUIT",
                UP_CODES + "227 " + stored + stored + "200 200 150 226 " + "227 " + stored + "221"),
            new BothDirectionsTest(
                Direction::DOWNLOAD,
                DataChannels::CACHED,
                DOWN_LOGIN + OPTIONS + "PORT|" + Retrieve("0", "5000000") + OPTIONS +
                    Retrieve("5000000", "1000000") + "PASV|" + StoreWords("2000000", "0") +
                    OPTIONS + "PORT|" + Retrieve("0", "1000000") + "QUIT",
                DOWN_CODES + "200 200 150 226 200 150 226 227 " + stored + "200 200 150 226 221")};
});

} // namespace
