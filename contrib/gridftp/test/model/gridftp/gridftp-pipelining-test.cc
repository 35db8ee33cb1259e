/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-text-tools.h"
#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Commands said ahead are held until the transfer before is over, and answered in order.
class PipelinedDialogueTest : public TransferTest
{
  public:
    /**
     * @param direction upload or download
     * @param commands blank separated verbs after the login
     * @param codes of all replies
     */
    PipelinedDialogueTest(Direction direction, std::string commands, std::string codes)
        : TransferTest(std::string("pipelining: dialogue of ") +
                       (direction == Direction::UPLOAD ? "an upload" : "a download")),
          m_isUpload(direction == Direction::UPLOAD),
          m_direction(direction),
          m_commands(std::move(commands)),
          m_codes(std::move(codes))
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetBoth("FileSize", UintegerValue(300'000));
        SetClient("ChunkSize", UintegerValue(100'000));
        SetClient("Direction", EnumValue(m_direction));
        SetClient("DataChannels", EnumValue(DataChannels::CACHED));
        SetClient("Pipelining", UintegerValue(2));
        SetTuner("Parallelism", UintegerValue(2));
    }

    void FinalChecks() override
    {
        ExpectDone();
        ExpectDry();
        const std::string verbs = m_clientTaps[0]->GetVerbs();
        NS_TEST_EXPECT_MSG_EQ(verbs.ends_with(m_commands), true, verbs);
        NS_TEST_EXPECT_MSG_EQ(m_clientTaps[0]->GetCodes(), m_codes, "replies");
        const std::string verb = m_isUpload ? "ESTO" : "ERET";
        const auto said = ListTimes(m_serverTaps[0]->GetCommands(), verb);
        const auto begun = ListTimes(m_serverTaps[0]->GetReplies(), "150");
        const auto done = ListTimes(m_serverTaps[0]->GetReplies(), "226");
        GRIDFTP_TEST_REQUIRE_EQ(said.size(), 3, "chunks");
        GRIDFTP_TEST_REQUIRE_EQ(begun.size(), 3, "begun");
        GRIDFTP_TEST_REQUIRE_EQ(done.size(), 3, "done");
        NS_TEST_EXPECT_MSG_LT(said[1], done[0], "the second is there while the first is under way");
        NS_TEST_EXPECT_MSG_EQ(begun[1], done[0], "and begins with its end");
        NS_TEST_EXPECT_MSG_GT(said[2], done[0], "two at a time, and no third one");
        NS_TEST_EXPECT_MSG_EQ(begun[2], done[1], "which has come in time");
        const auto chunks = m_clients[0]->GetResult().gridftp->chunks;
        for (size_t i = 1; i < chunks.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(chunks[i].startNs, chunks[i - 1].endNs, "T has no gap");
            NS_TEST_EXPECT_MSG_EQ(chunks[i].rttS, chunks[0].rttS, "what has waited is no sample");
        }
    }

    /// @param lines that were seen @param start of those that are wanted @return when they were
    template <typename Lines>
    static std::vector<Time> ListTimes(const Lines& lines, const std::string& start)
    {
        std::vector<Time> times;
        for (const auto& line : lines)
        {
            if (line.text.starts_with(start))
            {
                times.push_back(line.at);
            }
        }
        return times;
    }

    bool m_isUpload;        //!< which way the file goes
    Direction m_direction;  //!< the same
    std::string m_commands; //!< what the client says
    std::string m_codes;    //!< what the server answers
};

/// A refusal among replies to commands said ahead is found out, and ends the client.
class PipelinedRefusalTest : public TransferTest
{
  public:
    PipelinedRefusalTest()
        : TransferTest("pipelining: a refusal in the midst")
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withServers = false;
        SetBoth("FileSize", UintegerValue(10'000));
        SetClient("ChunkSize", UintegerValue(1000));
        SetClient("DataChannels", EnumValue(DataChannels::CACHED));
        SetClient("Pipelining", UintegerValue(4));
    }

    void ConfigureObjects() override
    {
        m_fakeServer = std::make_unique<FakeServer>(m_network->GetServers().Get(0),
                                                    m_network->GetServerAddress(0));
        m_fakeServer->answers["ESTO"] = "553 No such place."; // behind 200 to ALLO
    }

    void FinalChecks() override
    {
        ExpectFailed("the server answered 553 No such place.");
        ExpectDry();
        std::string said;
        for (size_t i = m_fakeServer->verbs.size() - 9; i < m_fakeServer->verbs.size(); ++i)
        {
            said += (said.empty() ? "" : " ") + m_fakeServer->verbs[i];
        }
        NS_TEST_EXPECT_MSG_EQ(said,
                              "PASV ALLO ESTO ALLO ESTO ALLO ESTO ALLO ESTO",
                              "four, and QUIT");
    }
};

const std::string LOGIN_CODES = "220 331 230 214 211 250 200 200 ";

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    const std::string stored = "150 112 111 226 ";
    return {new PipelinedDialogueTest(Direction::UPLOAD,
                                      "SITE PASV ALLO ESTO ALLO ESTO ALLO ESTO QUIT",
                                      LOGIN_CODES + "200 227 200 " + stored + "200 " + stored +
                                          "200 " + stored + "221"),
            new PipelinedDialogueTest(Direction::DOWNLOAD,
                                      "SITE OPTS PORT ERET OPTS ERET OPTS ERET QUIT",
                                      LOGIN_CODES +
                                          "213 200 200 200 150 226 200 150 226 200 150 226 221"),
            new PipelinedRefusalTest};
});

} // namespace ns3::gridftp
