/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-raw-socket.h"
#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-mode-e-header.h"
#include "ns3/gridftp-stored-file.h"
#include "ns3/test.h"

#include <fcntl.h>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t FILE_BYTES = 8'000'000;

/// @param parallelism N @return order of a sender
SendOrder
MakeFileOrder(uint32_t parallelism)
{
    return {.bytes = FILE_BYTES,
            .parallelism = parallelism,
            .layout = Layout::DYNAMIC,
            .blockBytes = 100'000};
}

/// A receiver that resets its connection after some bytes.
class ResettingReceiver : public DataListenUser, public DataStreamUser, private PieceSink
{
  public:
    /// @param most bytes that it reads
    explicit ResettingReceiver(uint64_t most)
        : m_left(most)
    {
    }

    DataStreamUser* HandleDataAccepted(Nanoseconds /* now */, DataStream& stream) override
    {
        m_stream = &stream;
        return this;
    }

    PieceSink& GetPieceSink() override
    {
        return *this;
    }

    void HandlePeerClosed(Nanoseconds /* now */) override
    {
    }

    /// Resets it, if it has read enough. @param now the time
    void CheckLeft(Nanoseconds now)
    {
        if (m_left == 0)
        {
            m_stream->Reset(now);
        }
    }

  private:
    bool IsReading() const override
    {
        return m_left > 0;
    }

    Nanoseconds GetNextReadNs(Nanoseconds now) override
    {
        return now;
    }

    uint64_t GetRoom() const override
    {
        return m_left;
    }

    void TakePiece(Nanoseconds /* now */, const ArrivedBytes& bytes) override
    {
        m_left -= bytes.GetSize();
    }

    DataStream* m_stream{nullptr}; ///< its endpoint
    uint64_t m_left;               ///< bytes that it still reads
};

/// Calls CheckLeft() of a receiver again and again, since a sink must not reset its stream.
class Resetter : private EventTarget
{
  public:
    /// @param loop of it @param receiver called
    Resetter(PosixLoop& loop, ResettingReceiver& receiver)
        : m_loop(loop),
          m_receiver(receiver)
    {
        HandleEvent(loop.GetNow(), 0);
    }

    ~Resetter() override
    {
        m_loop.Drop(this);
    }

  private:
    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        m_receiver.CheckLeft(now);
        m_loop.Schedule(now + 1'000'000, *this, 0, this);
    }

    PosixLoop& m_loop;             ///< of it
    ResettingReceiver& m_receiver; ///< called
};

/// What the owners learn when something breaks.
class PosixFailureTest : public TestCase
{
  public:
    PosixFailureTest()
        : TestCase("real sockets: resets, no listener, short and unreadable files, a full disk")
    {
    }

  private:
    void DoRun() override
    {
        const size_t before = CountDescriptors();
        m_folder.Write("source", MakeContent(FILE_BYTES, 5));
        ReceiverResets();
        SenderResets();
        NobodyListens();
        SourceIsShort();
        SourceIsUnreadable();
        DiskIsFull();
        ConnectionsAreLimited();
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "descriptors");
    }

    /// The peer of the sender resets its connection in the middle of the file.
    void ReceiverResets()
    {
        RealTransfer transfer;
        transfer.OpenSource(m_folder.GetPath("source"));
        ResettingReceiver peer(3'000'000);
        const auto port = transfer.receiving.ListenForData(0, {}, peer);
        transfer.sender.SetPeers(0, {{PosixHostSettings::LOOPBACK, port.value_or(0)}});
        const Resetter resetter(transfer.loop, peer);
        NS_TEST_EXPECT_MSG_EQ(transfer.Run(MakeFileOrder(1), {}),
                              "sender: 426 data connection 0 was reset or gave up its retries; "
                              "receiver: aborted",
                              "the receiver resets");
    }

    /// The peer of the receiver resets its connection in the middle of a block.
    void SenderResets()
    {
        RealTransfer transfer;
        transfer.isCoupled = false;
        transfer.sent = "none";
        const auto port = transfer.receiver.Listen(0);
        RawSocket peer;
        NS_TEST_ASSERT_MSG_EQ(peer.Connect(port.value_or(0)), true, "connected");
        auto bytes = MakeContent(1000, 1);
        const auto header = ModeEHeader::Data(0, 5000).ToBytes();
        std::ranges::copy(header, bytes.begin());
        transfer.receiver.Expect(0, {.bytes = 5000});
        NS_TEST_EXPECT_MSG_EQ(peer.Send(bytes), 1000, "sent");
        peer.Reset();
        const Deadline deadline(transfer.loop);
        transfer.loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        NS_TEST_EXPECT_MSG_EQ(transfer.received,
                              "426 data connection was reset",
                              "the sender resets");
    }

    /// No listener at the peer.
    void NobodyListens()
    {
        RealTransfer transfer;
        transfer.OpenSource(m_folder.GetPath("source"));
        RawSocket silent;
        transfer.sender.SetPeers(0, {{PosixHostSettings::LOOPBACK, silent.Bind()}});
        NS_TEST_EXPECT_MSG_EQ(transfer.Run(MakeFileOrder(1), {}),
                              "sender: 425 data connection 0 was refused; receiver: aborted",
                              "no listener");
    }

    /// The file is shorter than the order says.
    void SourceIsShort()
    {
        RealTransfer transfer;
        transfer.isCoupled = false;
        m_folder.Write("short", MakeContent(FILE_BYTES - 1, 6));
        transfer.OpenSource(m_folder.GetPath("short"));
        transfer.Listen();
        NS_TEST_EXPECT_MSG_EQ(transfer.Run(MakeFileOrder(1), {.bytes = FILE_BYTES}),
                              "sender: 426 data connection 0 was reset or gave up its retries; "
                              "receiver: 426 data connection was reset",
                              "a byte is missing");
        NS_TEST_EXPECT_MSG_EQ((transfer.receiver.GetBytes() < FILE_BYTES), true, "not all");
    }

    /// The file cannot be read, or there is none.
    void SourceIsUnreadable()
    {
        const FileDescriptor file(open(m_folder.GetPath("source").c_str(), O_WRONLY | O_CLOEXEC));
        for (const int source : {file.Get(), -1})
        {
            RealTransfer transfer;
            transfer.sending.SetSource(source);
            transfer.Listen();
            const auto outcome = transfer.Run(MakeFileOrder(1), {.bytes = FILE_BYTES});
            NS_TEST_EXPECT_MSG_EQ(outcome.substr(0, 12), "sender: 426 ", "descriptor " << source);
        }
    }

    /// Each write fails: so does the chunk, and the file reports the error.
    void DiskIsFull()
    {
        RealTransfer transfer;
        transfer.OpenSource(m_folder.GetPath("source"));
        StoredFile file("/dev/full");
        transfer.receiver.SetFile(&file);
        transfer.Listen();
        NS_TEST_EXPECT_MSG_EQ(file.GetError(), "", "before");
        const std::string outcome = transfer.Run(MakeFileOrder(4), {.bytes = FILE_BYTES});
        NS_TEST_EXPECT_MSG_NE(outcome.find("receiver: 426 the data cannot be stored"),
                              std::string::npos,
                              outcome);
        NS_TEST_EXPECT_MSG_EQ(file.GetError(),
                              "/dev/full: pwrite: No space left on device",
                              "after");
        NS_TEST_EXPECT_MSG_EQ(bool(file.Commit()), false, "no file");
    }

    /// A host accepts a number of connections, and no more before one of them is closed.
    void ConnectionsAreLimited()
    {
        RealTransfer transfer({.mostAccepted = 2});
        transfer.OpenSource(m_folder.GetPath("source"));
        transfer.Listen();
        // Whether its FIN or a RST arrives first, and at which of the others, is the kernel's
        // choice
        const auto outcome = transfer.Run(MakeFileOrder(4), {.bytes = FILE_BYTES});
        NS_TEST_EXPECT_MSG_EQ(outcome.substr(0, 12), "sender: 426 ", "4 of 2");
        NS_TEST_EXPECT_MSG_EQ(transfer.receiving.CountAccepted(), 0, "closed");
        transfer.sender.Abort(transfer.loop.GetNow());
        transfer.Listen();
        NS_TEST_EXPECT_MSG_EQ(transfer.Run(MakeFileOrder(2), {.bytes = FILE_BYTES}),
                              "sender: done; receiver: done",
                              "2 of 2, again");
    }

    TemporaryFolder m_folder; ///< with the source
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PosixFailureTest}; });

} // namespace ns3::gridftp
