/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-stored-file.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param bytes of a chunk @param parallelism N @param blockBytes of a block @return the order of a
/// sender
SendOrder
MakeOrder(uint64_t bytes, uint32_t parallelism, uint64_t blockBytes = 262'144)
{
    return {.bytes = bytes,
            .parallelism = parallelism,
            .layout = Layout::DYNAMIC,
            .blockBytes = blockBytes};
}

constexpr uint64_t LARGE = 8'000'000; // bytes

const char* const DONE = "sender: done; receiver: done";

/// Whole files, byte by byte.
class PosixFileTest : public TestCase
{
  public:
    PosixFileTest()
        : TestCase("real sockets: files of all sizes over N connections")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t parallelism : {1, 2, 4, 8})
        {
            Transfer(1, parallelism, 1000);
            Transfer(1'000'003, parallelism, 1000);
            Transfer(LARGE, parallelism, 262'144);
        }
        Transfer(LARGE, 4, LARGE); // fewer blocks than connections
    }

    /// @param bytes of the file @param parallelism N @param blockBytes of a block
    void Transfer(uint64_t bytes, uint32_t parallelism, uint64_t blockBytes)
    {
        const size_t before = CountDescriptors();
        const TemporaryFolder folder;
        const auto content = MakeContent(bytes, parallelism);
        folder.Write("source", content);
        const std::string which =
            std::to_string(bytes) + " bytes, N=" + std::to_string(parallelism);
        {
            RealTransfer transfer;
            StoredFile file(folder.GetPath("copy"));
            transfer.OpenSource(folder.GetPath("source"));
            transfer.receiver.SetFile(&file);
            transfer.Listen();
            const auto outcome =
                transfer.Run(MakeOrder(bytes, parallelism, blockBytes), {.bytes = bytes});
            NS_TEST_EXPECT_MSG_EQ(outcome, DONE, which);
            transfer.Finish(false);
            NS_TEST_EXPECT_MSG_EQ(folder.Read("copy").size(), 0, "not before Commit(), " << which);
            NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
            const auto totals = transfer.sender.GetPairTotals().front();
            NS_TEST_EXPECT_MSG_EQ((totals.segments >= bytes / 65'536 && totals.segments > 0),
                                  true,
                                  "segments after the end, " << totals.segments);
        }
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "content, " << which);
        NS_TEST_EXPECT_MSG_EQ(folder.List(), "copy source ", "no temporary file, " << which);
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "descriptors, " << which);
    }
};

/// A second chunk, over the same connections.
class PosixCacheTest : public TestCase
{
  public:
    PosixCacheTest()
        : TestCase("real sockets: a second chunk on cached connections")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t FIRST = 3'000'000;
        const TemporaryFolder folder;
        const auto content = MakeContent(LARGE, 9);
        folder.Write("source", content);
        RealTransfer transfer;
        StoredFile file(folder.GetPath("copy"));
        transfer.OpenSource(folder.GetPath("source"));
        transfer.receiver.SetFile(&file);
        transfer.Listen();
        auto order = MakeOrder(FIRST, 4, 50'000);
        NS_TEST_EXPECT_MSG_EQ(transfer.Run(order, {.bytes = FIRST}), DONE, "first chunk");
        transfer.Finish(true);
        NS_TEST_EXPECT_MSG_EQ(transfer.receiving.CountAccepted(), 4, "cached");
        const size_t descriptors = CountDescriptors();
        order.chunk = 1;
        order.offset = FIRST;
        order.bytes = LARGE - FIRST;
        // Another one would find no listener
        transfer.receiving.StopListening();
        const auto outcome = transfer.Run(order, {.bytes = order.bytes, .offset = FIRST});
        NS_TEST_EXPECT_MSG_EQ(outcome, DONE, "second chunk");
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), descriptors - 1, "without the listener");
        transfer.Finish(false);
        NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "content");
    }
};

/// A transfer that breaks off, and goes on later.
class PosixRestartTest : public TestCase
{
  public:
    PosixRestartTest()
        : TestCase("real sockets: a restart sends what the receiver does not have")
    {
    }

  private:
    void DoRun() override
    {
        const TemporaryFolder folder;
        const auto content = MakeContent(LARGE, 3);
        folder.Write("source", content);
        auto half = content;
        half.resize(LARGE / 2);
        folder.Write("half", half);
        StoredFile file(folder.GetPath("copy"));
        MarkerRanges held;
        {
            RealTransfer transfer;
            transfer.isCoupled = false;
            transfer.OpenSource(folder.GetPath("half"));
            // Small: the receiver has read before the sender comes to the end of its file
            transfer.sender.SetBuffers({.policy = "fixed", .window = 65'536});
            transfer.receiver.SetBuffers({.policy = "fixed", .window = 65'536});
            transfer.receiver.SetFile(&file);
            transfer.receiver.RecordRanges();
            transfer.Listen();
            const auto outcome = transfer.Run(MakeOrder(LARGE, 4, 100'000), {.bytes = LARGE});
            NS_TEST_EXPECT_MSG_EQ(outcome.substr(0, 12), "sender: 426 ", "the source is too short");
            held = transfer.receiver.GetRanges(transfer.loop.GetNow());
        }
        NS_TEST_ASSERT_MSG_EQ(held.empty(), false, "something has arrived");
        RealTransfer transfer;
        transfer.OpenSource(folder.GetPath("source"));
        transfer.receiver.SetFile(&file);
        transfer.Listen();
        auto order = MakeOrder(LARGE, 4, 100'000);
        order.held = held;
        const auto outcome = transfer.Run(order, {.bytes = LARGE, .held = held});
        NS_TEST_EXPECT_MSG_EQ(outcome, DONE, "the rest");
        uint64_t before = 0;
        for (const auto& range : held)
        {
            before += range.end - range.begin;
        }
        NS_TEST_EXPECT_MSG_EQ(transfer.receiver.GetBytes(), LARGE - before, "bytes of the rest");
        transfer.Finish(false);
        NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), true, file.GetError());
        NS_TEST_EXPECT_MSG_EQ((folder.Read("copy") == content), true, "content");
    }
};

/// What the application asks of TCP.
class PosixTermsTest : public TestCase
{
  public:
    PosixTermsTest()
        : TestCase("real sockets: congestion control, buffers, pace and handshake")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t BYTES = 300'000;
        const BufferSpec fixed{.policy = "fixed", .window = 40'000};
        NS_TEST_EXPECT_MSG_EQ(Transfer("newreno", fixed, BYTES), DONE, "fixed");
        NS_TEST_EXPECT_MSG_EQ(m_sendBuffer, 80'000, "twice the window");
        NS_TEST_EXPECT_MSG_EQ(m_receiveBuffer, 40'000, "the window");
        auto given = fixed;
        given.sendBuffer = 50'000;
        NS_TEST_EXPECT_MSG_EQ(Transfer("reno", given, BYTES), DONE, "a send buffer of its own");
        NS_TEST_EXPECT_MSG_EQ(m_sendBuffer, 50'000, "as given");
        const BufferSpec kernel{.policy = "linux-receiver", .window = 40'000, .most = 400'000};
        NS_TEST_EXPECT_MSG_EQ(Transfer("", kernel, BYTES), DONE, "the kernel's own sizes");
        NS_TEST_EXPECT_MSG_NE(m_sendBuffer, 80'000, "not set");
        NS_TEST_EXPECT_MSG_NE(m_receiveBuffer, 40'000, "not set");
        const BufferSpec sized{.policy = "drs-ftp", .window = 40'000, .most = 400'000};
        NS_TEST_EXPECT_MSG_EQ(Transfer("", sized, BYTES), DONE, "sized by the application");
        NS_TEST_EXPECT_MSG_EQ(m_receiveBuffer, 40'000, "at first");
        auto reads = fixed;
        reads.readRate = 4'000'000;
        NS_TEST_EXPECT_MSG_EQ(Transfer("", reads, BYTES / 2), DONE, "a slow reader");
        NS_TEST_EXPECT_MSG_EQ((m_elapsed >= 100'000'000), true, "150 kB at 4 Mbit/s");
        auto writes = fixed;
        writes.writeRate = 4'000'000;
        NS_TEST_EXPECT_MSG_EQ(Transfer("", writes, BYTES / 2), DONE, "a slow writer");
        NS_TEST_EXPECT_MSG_EQ((m_elapsed >= 100'000'000), true, "150 kB at 4 Mbit/s");
        const auto refused = Transfer("no-such-control", fixed, BYTES);
        NS_TEST_EXPECT_MSG_EQ(refused,
                              "sender: 425 cannot open data connection 0; receiver: aborted",
                              "unknown congestion control");
    }

    /// @param tcp congestion control of the sender @param buffers of both @param bytes of a file
    /// @return what both owners learn
    std::string Transfer(const std::string& tcp, const BufferSpec& buffers, uint64_t bytes)
    {
        const TemporaryFolder folder;
        folder.Write("source", MakeContent(bytes, 1));
        RealTransfer transfer;
        transfer.OpenSource(folder.GetPath("source"));
        transfer.sender.SetTcp(tcp);
        transfer.sender.SetBuffers(buffers);
        transfer.receiver.SetBuffers(buffers);
        DataSecuritySettings security;
        security.handshake = {{.bytes = 100}, {.bytes = 2000}, {.bytes = 70}};
        transfer.sender.SetSecurity(security);
        transfer.receiver.SetSecurity(security);
        transfer.Listen();
        const Nanoseconds begin = transfer.loop.GetNow();
        auto outcome = transfer.Run(MakeOrder(bytes, 1, 10'000), {.bytes = bytes});
        m_elapsed = transfer.loop.GetNow() - begin;
        if (outcome == DONE)
        {
            m_receiveBuffer = transfer.receiver.GetReceiveBuffer();
            transfer.Finish(false);
            m_sendBuffer = transfer.sender.GetBufferSizes().front();
        }
        return outcome;
    }

    uint64_t m_sendBuffer{0};    ///< of the last transfer
    uint64_t m_receiveBuffer{0}; ///< of the last transfer
    Nanoseconds m_elapsed{0};    ///< of the last transfer
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PosixFileTest, new PosixCacheTest, new PosixRestartTest, new PosixTermsTest};
});

} // namespace ns3::gridftp
