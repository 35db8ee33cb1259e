/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-channels.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-transfer-client.h"
#include "ns3/test.h"

#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds MILLISECOND = 1'000'000;
constexpr Nanoseconds SECOND = 1000 * MILLISECOND;

/// One connection for each chunk.
class OneConnection : public TuningPolicy
{
  public:
    uint32_t GetInitialParallelism() const override
    {
        return 1;
    }

  private:
    uint32_t DoDecide(const ChunkSample& /* sample */) override
    {
        return 1;
    }
};

/// A client in memory. The test is the server.
class Moving : public TransferClient::Owner
{
  public:
    /// @param settings of the client, without a policy @param files sizes of its files, bytes;
    /// none: it finds them after the login
    Moving(TransferClientSettings settings, const std::vector<uint64_t>& files)
        : client(hosts.control, *this),
          servers(hosts.control)
    {
        settings.session.server = {0x0a010209, 2811};
        settings.session.rttSamples = 2;
        settings.makePolicy = [](int64_t) {
            return Expected<std::unique_ptr<TuningPolicy>>(std::make_unique<OneConnection>());
        };
        if (!files.empty())
        {
            client.SetFiles(MakeFiles(files));
        }
        client.Start(0, settings);
    }

    /// @param sizes of files, bytes @return the files
    static FileSequence MakeFiles(const std::vector<uint64_t>& sizes)
    {
        return FileSequence(std::make_shared<FileSupply>(sizes, 0, 0));
    }

    ~Moving() override
    {
        client.Dispose(now);
    }

    ChannelHosts MakeChannels(Nanoseconds /* now */) override
    {
        return hosts.Get();
    }

    Expected<FileSequence> FindFiles(Nanoseconds /* now */,
                                     std::optional<uint64_t> /* fileBytes */) override
    {
        return found;
    }

    void HandleState(Nanoseconds /* now */, ClientState /* state */) override
    {
    }

    void HandleBetweenChunks(Nanoseconds /* now */) override
    {
        ++between;
    }

    RecordedChannels hosts;                       ///< of all attempts
    TransferClient client;                        ///< under test
    RecordedServers servers;                      ///< the other side
    Nanoseconds now{0};                           ///< the time
    Expected<FileSequence> found{FileSequence{}}; ///< after the login
    uint32_t between{0};                          ///< calls of HandleBetweenChunks()
};

/// @param line of a client @return what a server answers that stores at once
std::string
AnswerStored(const std::string& line)
{
    const std::string usual = RecordedServers::AnswerUsual(line);
    return line.starts_with("ESTO") ? usual + "226 Transfer Complete.\n" : usual;
}

/// What a chunk's record says after a failure.
class ClientRetryTest : public TestCase
{
  public:
    ClientRetryTest()
        : TestCase("transfer client: R of a chunk is that of the attempt that completed it")
    {
    }

  private:
    void DoRun() override
    {
        Moving moving({.session = {.direction = Direction::UPLOAD, .resets = true},
                       .chunkBytes = 1000,
                       .retries = 1,
                       .retryWait = SECOND,
                       .retryWaitMost = SECOND},
                      {1000});
        moving.servers.Serve(moving.now, 10 * MILLISECOND); // to ESTO
        const Nanoseconds lost = moving.now;
        moving.hosts.control.streams.front()->lineUser->HandleLost(lost, StreamLoss::FAILED);
        NS_TEST_ASSERT_MSG_EQ((moving.client.GetState() == ClientState::WAITING), true, "waits");
        moving.now = lost + SECOND;
        moving.hosts.Run(moving.now);
        NS_TEST_ASSERT_MSG_EQ(moving.hosts.control.streams.size(), 2, "attempts again");
        moving.servers.Serve(moving.now, 20 * MILLISECOND, AnswerStored);
        NS_TEST_ASSERT_MSG_EQ((moving.client.GetState() == ClientState::DONE), true, "done");
        const auto& chunks = moving.client.GetChunks();
        NS_TEST_ASSERT_MSG_EQ(chunks.size(), 1, "chunks");
        NS_TEST_EXPECT_MSG_EQ_TOL(chunks[0].rttS, 0.020, 1e-12, "R: all replies took 20 ms");
        NS_TEST_EXPECT_MSG_EQ(chunks[0].bytes, 1000, "bytes");
        NS_TEST_ASSERT_MSG_EQ(moving.client.GetRestarts().size(), 1, "one new attempt");
        NS_TEST_EXPECT_MSG_EQ(moving.client.GetRestarts()[0].timeNs, lost, "after the loss");
        NS_TEST_EXPECT_MSG_EQ(moving.client.GetRestarts()[0].waitNs, SECOND, "its wait");
    }
};

/// Files that are known before the start, or after the login.
class ClientFilesTest : public TestCase
{
  public:
    ClientFilesTest()
        : TestCase("transfer client: chunk after chunk of files that it has or finds")
    {
    }

  private:
    void DoRun() override
    {
        const TransferClientSettings settings{.session = {.direction = Direction::UPLOAD},
                                              .chunkBytes = 1000};
        Moving known(settings, {2500});
        known.servers.Serve(known.now, MILLISECOND, AnswerStored);
        NS_TEST_EXPECT_MSG_EQ((known.client.GetState() == ClientState::DONE), true, "known");
        NS_TEST_EXPECT_MSG_EQ(known.client.GetChunks().size(), 3, "chunks");
        NS_TEST_EXPECT_MSG_EQ(known.client.GetChunks().back().bytes, 500, "the rest");
        NS_TEST_EXPECT_MSG_EQ(known.between, 3, "behind each chunk");

        Moving finding(settings, {});
        finding.found = Moving::MakeFiles({1500});
        finding.servers.Serve(finding.now, MILLISECOND, AnswerStored);
        NS_TEST_EXPECT_MSG_EQ((finding.client.GetState() == ClientState::DONE), true, "found");
        NS_TEST_EXPECT_MSG_EQ(finding.client.GetChunks().size(), 2, "its chunks");

        Moving without(settings, {});
        without.found = Error{"no such file"};
        without.servers.Serve(without.now, MILLISECOND, AnswerStored);
        NS_TEST_EXPECT_MSG_EQ((without.client.GetState() == ClientState::FAILED), true, "fails");
        NS_TEST_EXPECT_MSG_EQ(without.client.GetReason(), "no such file", "reason");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ClientFilesTest, new ClientRetryTest};
});

} // namespace ns3::gridftp
