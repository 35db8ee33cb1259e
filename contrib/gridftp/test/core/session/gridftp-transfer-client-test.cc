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
    /// @param settings of the client, without a policy @param files sizes of its files, bytes
    Moving(TransferClientSettings settings, const std::vector<uint64_t>& files)
        : client(hosts.control, *this),
          servers(hosts.control)
    {
        settings.session.server = {0x0a010209, 2811};
        settings.session.rttSamples = 2;
        settings.makePolicy = [](int64_t) {
            return Expected<std::unique_ptr<TuningPolicy>>(std::make_unique<OneConnection>());
        };
        client.SetFiles(FileSequence(std::make_shared<FileSupply>(files, 0, 0)));
        client.Start(0, settings);
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
        return FileSequence();
    }

    void HandleState(Nanoseconds /* now */, ClientState /* state */) override
    {
    }

    RecordedChannels hosts;  ///< of all attempts
    TransferClient client;   ///< under test
    RecordedServers servers; ///< the other side
    Nanoseconds now{0};      ///< the time
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

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new ClientRetryTest}; });

} // namespace ns3::gridftp
