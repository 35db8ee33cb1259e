/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-host.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-local-data-transfer.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;

/// A data transfer process that receives on a host in memory, and what its owner learns.
class Storing : public DataTransferOwner
{
  public:
    /// @param settings of it @param sink what blocks pass that arrive
    explicit Storing(const DataTransferSettings& settings, const BlockStages& sink = {})
        : transfer(sender, receiver)
    {
        receiver.sink = sink;
        transfer.Configure(settings, *this, 0);
        transfer.Listen(0, 0x0a010203);
        stream = receiver.Accept(0);
    }

    ~Storing() override
    {
        transfer.Dispose(0);
    }

    void HandleListening(Nanoseconds /* now */,
                         uint32_t /* stripe */,
                         const std::optional<HostPort>& /* listener */) override
    {
    }

    void HandleReady(Nanoseconds /* now */, uint32_t /* stripe */) override
    {
    }

    void HandleBytes(Nanoseconds /* now */,
                     uint32_t /* stripe */,
                     uint64_t bytes,
                     const MarkerRanges& /* ranges */) override
    {
        learned += std::to_string(bytes) + " so far; ";
    }

    void HandleDone(Nanoseconds /* now */,
                    uint32_t /* stripe */,
                    uint64_t bytes,
                    const std::vector<int64_t>& /* elapsedNs */) override
    {
        learned += std::to_string(bytes) + " done; ";
    }

    void HandleFailed(Nanoseconds now,
                      uint32_t /* stripe */,
                      const TransferFailure& failure) override
    {
        learned += std::to_string(failure.code) + " " + failure.reason + " at " +
                   std::to_string(now / SECOND) + " s; ";
    }

    RecordedHost sender;        ///< nothing goes there
    RecordedHost receiver;      ///< of it
    LocalDataTransfer transfer; ///< under test
    RecordedStream* stream{};   ///< its connection
    std::string learned;        ///< by the owner
};

/// How much a marker reports.
class TransferMarkerTest : public TestCase
{
  public:
    TransferMarkerTest()
        : TestCase("data transfer process: a marker counts the bytes of its chunk alone")
    {
    }

  private:
    void DoRun() override
    {
        Storing storing({.markerInterval = SECOND});
        const auto end = ModeEHeader::EndOfDataAndFile(1);
        storing.transfer.Receive(0, {.bytes = 100});
        storing.stream->Arrive(1, WireBytes().Block(0, 60));
        storing.receiver.Run(SECOND);
        storing.stream->Arrive(SECOND + 1, WireBytes().Block(60, 40).Add(end));
        storing.receiver.Run(SECOND + 1);
        NS_TEST_EXPECT_MSG_EQ(storing.learned, "60 so far; 100 done; ", "first chunk");
        storing.transfer.Finish(SECOND + 1, true);
        storing.learned.clear();
        storing.transfer.Receive(2 * SECOND, {.bytes = 100, .offset = 100});
        storing.stream->Arrive(2 * SECOND, WireBytes().Block(0, 30));
        storing.receiver.Run(3 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(storing.learned, "30 so far; ", "the chunk before counts no more");
        storing.receiver.Run(5 * SECOND - 1);
        NS_TEST_EXPECT_MSG_EQ(storing.learned, "30 so far; 30 so far; ", "once a second");
    }
};

/// The limit of a wait, of which half is the period in which the process looks for progress.
class TransferStallTest : public TestCase
{
  public:
    TransferStallTest()
        : TestCase("data transfer process: a block that is arriving is progress, stored or not")
    {
    }

  private:
    void DoRun() override
    {
        // A block is stored when all of it has arrived, so this one is not within the test
        const auto disk = MakeStorage({.kind = "disk", .values = {{"rate", 1e9}}, .depth = 1});
        Storing storing({.stallTimeout = 10 * SECOND}, {.storage = {.storage = disk.get()}});
        const auto block = WireBytes().Block(0, 1000);
        storing.transfer.Receive(0, {.bytes = 1000});
        for (int64_t i = 1; i <= 5; ++i)
        {
            const auto begin = block.begin() + (i - 1) * 100;
            storing.receiver.Run(4 * i * SECOND);
            storing.stream->Arrive(4 * i * SECOND, {begin, begin + 100});
        }
        storing.receiver.Run(30 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(storing.learned, "", "100 bytes every 4 s, until 20 s");
        // Looks at 25 s, and sees those of 20 s; at 30 and at 35 s nothing has come since
        storing.receiver.Run(99 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(storing.learned, "426 no data for 10 s at 35 s; ", "once");
        NS_TEST_EXPECT_MSG_EQ(storing.transfer.IsIdle(), true, "over");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TransferMarkerTest, new TransferStallTest};
});

} // namespace ns3::gridftp
