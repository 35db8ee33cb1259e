/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-channels.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-server-session.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;

/// Files that the test describes, and what the session does with them.
class RecordedFiles final : public ServedFiles
{
  public:
    TextResult<uint64_t> FindSize(const std::string& path) override
    {
        return path == "/f" ? TextResult<uint64_t>(500) : TextError{550, path + ": No such file."};
    }

    TextResult<uint64_t> OpenSource(const std::string& path) override
    {
        calls += "send " + path + "; ";
        return FindSize(path);
    }

    std::optional<TextError> OpenSink(const Upload& upload) override
    {
        calls += "store " + upload.path + " at " + std::to_string(upload.offset) + " of " +
                 (upload.bytes ? std::to_string(*upload.bytes) : "?") +
                 (upload.isPart ? " part" : "") + (upload.continues ? " again" : "") + "; ";
        return isReadOnly ? std::optional(TextError{553, "Read-only."}) : std::nullopt;
    }

    std::optional<TextError> CompleteSink(uint64_t end) override
    {
        calls += "complete to " + std::to_string(end) + "; ";
        return isFull ? std::optional(TextError{552, "No space left."}) : std::nullopt;
    }

    TextResult<std::unique_ptr<FileChecksum>> MakeChecksum(const std::string& path,
                                                           uint64_t offset,
                                                           std::optional<uint64_t> length) override
    {
        const auto size = FindSize(path);
        if (!size)
        {
            return size.GetError();
        }
        return std::unique_ptr<FileChecksum>(
            std::make_unique<ZeroChecksum>(ClipLength(offset, length, *size)));
    }

    void DropFiles() override
    {
        calls += "drop; ";
    }

    std::string calls;      ///< so far
    bool isReadOnly{false}; ///< nothing may be stored
    bool isFull{false};     ///< nothing can be stored
};

/// A server session in memory. The test is the client.
class Serving
{
  public:
    /// @param stallTimeout of the server @param checksumRate of its CPU, bit/s
    explicit Serving(Nanoseconds stallTimeout = 0, int64_t checksumRate = 0)
        : session(hosts.Get(), [this](ServerState state) { states.push_back(state); }),
          control(hosts.control.AcceptLines())
    {
        StreamUser& user = session.Start(
            0,
            {.data = {.buffers = WithChecksumRate(checksumRate), .stallTimeout = stallTimeout},
             .files = &files,
             .layout = Layout::STATIC,
             .blockBytes = 100},
            control);
        control.lineUser = &user;
    }

    ~Serving()
    {
        session.Dispose(0);
    }

    /// @param rate of the CPU, bit/s @return buffers with it
    static BufferSpec WithChecksumRate(int64_t rate)
    {
        BufferSpec buffers;
        buffers.processing.checksumRate = rate;
        return buffers;
    }

    /// @param text lines of the client, without CR @param now the time @return replies, without CR
    std::string Ask(const std::string& text, Nanoseconds now = 1)
    {
        std::string replies = control.Exchange(now, WithReturns(text));
        std::erase(replies, '\r');
        return replies;
    }

    /// Logs in, and discards the replies.
    void LogIn()
    {
        Ask("USER anonymous\nPASS x\nTYPE I\nMODE E\n");
    }

    RecordedChannels hosts;          ///< of the session
    RecordedFiles files;             ///< that it serves
    std::vector<ServerState> states; ///< since its beginning
    ServerSession session;           ///< under test
    RecordedStream& control;         ///< its control connection
};

/// The dialogue of an upload, as observed with GCT 6.2, and what happens to the file.
class UploadDialogueTest : public TestCase
{
  public:
    UploadDialogueTest()
        : TestCase("server session: the dialogue of an upload")
    {
    }

  private:
    void DoRun() override
    {
        Serving server;
        const auto expect = [&](const std::string& text, const std::string& replies) {
            NS_TEST_EXPECT_MSG_EQ(server.Ask(text), replies, text);
        };
        expect("", "220 server GridFTP Server ready.\n");
        expect("TYPE I\n", "530 Please login with USER and PASS.\n");
        expect("USER anonymous\n", "331 Password required for anonymous.\n");
        expect("PASS x\n", "230 User anonymous logged in.\n");
        expect("TYPE I\n", "200 Type set to I.\n");
        expect("MODE E\n", "200 Mode set to E.\n");
        expect("MODE S\n", "504 Parameter 'S': not implemented, only E.\n");
        expect("SITE STORBUFSIZE 70000\n", "200 Site Command Successful.\n");
        expect("STOR /f\n", "425 Use PASV first.\n");
        // 10.1.2.3, port 50000
        expect("PASV\n", "227 Entering Passive Mode (10,1,2,3,195,80)\n");
        expect("ALLO 250\n", "200 ALLO command successful.\n");
        expect("ESTO A 1000 /f\n", "150 Beginning transfer.\n");
        NS_TEST_EXPECT_MSG_EQ(server.files.calls, "store /f at 1000 of 250 part; ", "the file");
        expect("SIZE /f\n", ""); // which waits
        RecordedStream* data = server.hosts.receiver.Accept(2);
        NS_TEST_ASSERT_MSG_NE(data, nullptr, "the server listens");
        NS_TEST_EXPECT_MSG_EQ(data->terms.buffers.window, 70'000, "STORBUFSIZE");
        data->Arrive(3, WireBytes().Block(0, 250).Add(ModeEHeader::EndOfDataAndFile(1)));
        server.hosts.Run(4);
        expect("",
               "112-Perf Marker\n Timestamp:  0.0\n Stripe Index: 0\n Stripe Bytes Transferred: "
               "250\n Total Stripe Count: 1\n112 End.\n111 Range Marker 1000-1250\n"
               "226 Transfer Complete.\n213 500\n");
        NS_TEST_EXPECT_MSG_EQ(server.files.calls,
                              "store /f at 1000 of 250 part; complete to 1250; ",
                              "the file");
        expect("QUIT\n", "221 Goodbye.\n");
        NS_TEST_EXPECT_MSG_EQ(server.control.isClosed, true, "the server closes");
        const std::vector<ServerState> states{ServerState::AWAITING_PASSWORD,
                                              ServerState::READY,
                                              ServerState::TRANSFERRING,
                                              ServerState::READY,
                                              ServerState::CLOSED};
        NS_TEST_EXPECT_MSG_EQ((server.states == states), true, "states");
    }
};

/// The dialogue of a download.
class DownloadDialogueTest : public TestCase
{
  public:
    DownloadDialogueTest()
        : TestCase("server session: the dialogue of a download")
    {
    }

  private:
    void DoRun() override
    {
        Serving server;
        server.LogIn();
        const auto expect = [&](const std::string& text, const std::string& replies) {
            NS_TEST_EXPECT_MSG_EQ(server.Ask(text), replies, text);
        };
        expect("SIZE /g\n", "550 /g: No such file.\n");
        expect("OPTS RETR Parallelism=2,2,2;\n", "200 OPTS Command Successful.\n");
        expect("RETR /f\n", "425 Use PORT first.\n");
        expect("PORT 10,1,2,9,1,2\n", "200 PORT Command successful.\n");
        expect("RETR /g\n", "550 /g: No such file.\n");
        expect("ERET P 400 101 /f\n", "550 The file has 500 bytes.\n");
        expect("REST 400-500\n", "350 Restart Marker OK.\n");
        expect("ERET P 0 300 /f\n",
               "501 Restart marker '400-500': ranges of the transfer expected.\n");
        server.files.calls.clear();
        expect("ERET P 400 100 /f\nNOOP\n",
               "150 Beginning transfer.\n200 NOOP command successful.\n");
        NS_TEST_EXPECT_MSG_EQ(server.files.calls, "send /f; ", "the file");
        auto& streams = server.hosts.sender.streams;
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 2, "two connections");
        NS_TEST_EXPECT_MSG_EQ(streams[0]->to.port, 258, "to the port of PORT");
        for (const auto& stream : streams)
        {
            stream->user->HandleConnected(2);
            stream->user->HandleDrained(3);
        }
        server.hosts.Run(4);
        expect("", "226 Transfer Complete.\n");
        const auto first = WireBytes().Block(0, 50, 400).Add(ModeEHeader::EndOfDataAndFile(2));
        NS_TEST_EXPECT_MSG_EQ((streams[0]->sent == first), true, "the bytes");
        CheckRestart();
    }

    /// REST before ERET counts from the beginning of its part, as GCT 6.2 has it.
    void CheckRestart()
    {
        Serving server;
        server.LogIn();
        server.Ask("PORT 10,1,2,9,1,2\n");
        const std::string refused = server.Ask("REST 400-460\nERET P 400 100 /f\n");
        NS_TEST_EXPECT_MSG_EQ(refused,
                              "350 Restart Marker OK.\n501 Restart marker '400-460': ranges of the "
                              "transfer expected.\n",
                              "not from the beginning of the file");
        server.Ask("REST 0-60\nERET P 400 100 /f\n");
        auto& streams = server.hosts.sender.streams;
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 1, "one connection");
        streams[0]->user->HandleConnected(2);
        server.hosts.Run(4);
        const auto rest = WireBytes().Block(60, 40, 400).Add(ModeEHeader::EndOfDataAndFile(1));
        NS_TEST_EXPECT_MSG_EQ((streams[0]->sent == rest), true, "the rest of the part");
    }
};

/// A transfer that fails, or is aborted, or whose file cannot be stored.
class FailedTransferTest : public TestCase
{
  public:
    FailedTransferTest()
        : TestCase("server session: files of transfers that fail")
    {
    }

  private:
    /// Begins an upload of two bytes. @param server it
    static void Begin(Serving& server)
    {
        server.LogIn();
        server.Ask("PASV\nALLO 2\n");
        server.files.calls.clear();
    }

    void DoRun() override
    {
        Serving aborted;
        Begin(aborted);
        NS_TEST_EXPECT_MSG_EQ(aborted.Ask("STOR /f\n"), "150 Beginning transfer.\n", "begun");
        NS_TEST_EXPECT_MSG_EQ(aborted.Ask("ABOR\n"),
                              "426 Transfer aborted.\n226 ABOR command successful.\n",
                              "ABOR does not wait");
        NS_TEST_EXPECT_MSG_EQ(aborted.files.calls, "store /f at 0 of 2; drop; ", "dropped");
        NS_TEST_EXPECT_MSG_EQ(aborted.Ask("STOR /f\n"), "425 Use PASV first.\n", "port is gone");

        Serving readOnly;
        Begin(readOnly);
        readOnly.files.isReadOnly = true;
        NS_TEST_EXPECT_MSG_EQ(readOnly.Ask("STOR /f\n"), "553 Read-only.\n", "refused");

        Serving full;
        Begin(full);
        full.files.isFull = true;
        full.Ask("REST 0-1\nSTOR /f\n");
        RecordedStream* data = full.hosts.receiver.Accept(2);
        data->Arrive(3, WireBytes().Block(1, 1).Add(ModeEHeader::EndOfDataAndFile(1)));
        full.hosts.Run(4);
        NS_TEST_EXPECT_MSG_EQ(full.Ask(""), "552 No space left.\n", "instead of 226");
        NS_TEST_EXPECT_MSG_EQ(full.files.calls,
                              "store /f at 0 of 2 again; complete to 2; drop; ",
                              "dropped");
        NS_TEST_EXPECT_MSG_EQ(full.Ask("NOOP\n"), "200 NOOP command successful.\n", "it goes on");

        Serving lost;
        Begin(lost);
        lost.Ask("STOR /f\n");
        lost.control.lineUser->HandleLost(5, StreamLoss::FAILED);
        NS_TEST_EXPECT_MSG_EQ(lost.files.calls, "store /f at 0 of 2; drop; ", "dropped");
        NS_TEST_EXPECT_MSG_EQ((lost.session.GetState() == ServerState::CLOSED), true, "closed");
        NS_TEST_EXPECT_MSG_EQ(lost.session.GetEnd(9), 5, "end");
    }
};

/// A client that sends nothing is dismissed, but not during a transfer.
class IdleTest : public TestCase
{
  public:
    IdleTest()
        : TestCase("server session: idle clients")
    {
    }

  private:
    void DoRun() override
    {
        Serving server(SECOND);
        server.LogIn();
        // Four stall timeouts after the last line, or up to half of that later
        server.hosts.Run(4 * SECOND - 1);
        NS_TEST_EXPECT_MSG_EQ(server.Ask("NOOP\n", 4 * SECOND - 1),
                              "200 NOOP command successful.\n",
                              "still there");
        server.hosts.Run(7 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(server.control.isClosed, false, "not yet");
        server.hosts.Run(11 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(server.control.isClosed, true, "closed");
        std::string last = server.control.TakeText();
        NS_TEST_EXPECT_MSG_EQ(last, "421 Idle timeout: no command for 4 s.\r\n", "reply");
    }
};

/// A file of which each call reads one byte.
class SlowChecksum final : public FileChecksum
{
  public:
    uint64_t GetBytes() const override
    {
        return 3;
    }

    TextResult<bool> ReadPiece() override
    {
        ++read;
        return isDamaged && read == 2 ? TextResult<bool>(TextError{451, "Input/output error."})
                                      : TextResult<bool>(read == 3);
    }

    uint32_t GetValue() const override
    {
        return read;
    }

    uint32_t read{0};      ///< bytes so far
    bool isDamaged{false}; ///< the second one cannot be read
};

/// A real file is read piece by piece, and other events happen in between.
class ChecksumTaskTest : public TestCase
{
  public:
    ChecksumTaskTest()
        : TestCase("checksum task: pieces, errors and the end")
    {
    }

  private:
    void DoRun() override
    {
        RecordedHost host;
        std::string ends;
        ChecksumTask task;
        task.Bind(host, [&ends](Nanoseconds /* now */, const TextResult<uint32_t>& value) {
            ends += value ? std::to_string(*value) : value.GetError().text;
        });
        task.Start(0, std::make_unique<SlowChecksum>(), 0);
        NS_TEST_EXPECT_MSG_EQ(ends, "", "one piece is not all");
        NS_TEST_EXPECT_MSG_EQ(task.IsRunning(), true, "it goes on later");
        host.Run(SECOND);
        NS_TEST_EXPECT_MSG_EQ(ends, "3", "all pieces");
        NS_TEST_EXPECT_MSG_EQ(task.IsRunning(), false, "the end");

        auto damaged = std::make_unique<SlowChecksum>();
        damaged->isDamaged = true;
        task.Start(SECOND, std::move(damaged), 0);
        host.Run(2 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(ends, "3Input/output error.", "an error ends it");

        task.Start(2 * SECOND, std::make_unique<SlowChecksum>(), 0);
        task.Cancel();
        host.Run(3 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(ends, "3Input/output error.", "nothing after Cancel()");
    }
};

/// CKSM, and commands that arrive while the CPU computes it.
class ChecksumDialogueTest : public TestCase
{
  public:
    ChecksumDialogueTest()
        : TestCase("server session: checksums of files")
    {
    }

  private:
    void DoRun() override
    {
        Serving server;
        server.LogIn();
        const auto expect = [&](const std::string& text, const std::string& replies) {
            NS_TEST_EXPECT_MSG_EQ(server.Ask(text), replies, text);
        };
        // n zeros: 1 in the low half, n in the high one
        expect("CKSM ADLER32 0 -1 /f\n", "213 01f40001\n");
        expect("CKSM adler32 100 50 /f\n", "213 00320001\n");
        expect("CKSM ADLER32 400 5000 /f\n", "213 00640001\n"); // up to the end
        expect("CKSM ADLER32 501 -1 /f\n", "213 00000001\n");   // behind it
        expect("CKSM ADLER32 0 -1 /g\n", "550 /g: No such file.\n");
        expect("CKSM MD5 0 -1 /f\n", "500 Checksum algorithm 'MD5': ADLER32 expected.\n");
        CheckCost();
    }

    /// 500 bytes take a second, in which nothing else is answered and the server does not give up.
    void CheckCost()
    {
        Serving slow(SECOND / 10, 4000);
        slow.LogIn();
        const std::string early = slow.Ask("CKSM ADLER32 0 -1 /f\nNOOP\n", 1);
        NS_TEST_EXPECT_MSG_EQ(early, "", "it computes");
        NS_TEST_EXPECT_MSG_EQ(slow.session.IsIdle(), false, "and is not idle");
        slow.hosts.Run(SECOND);
        NS_TEST_EXPECT_MSG_EQ(slow.Ask("", SECOND), "", "still");
        slow.hosts.Run(SECOND + 1);
        NS_TEST_EXPECT_MSG_EQ(slow.Ask("", SECOND + 1),
                              "213 01f40001\n200 NOOP command successful.\n",
                              "after a second");
        slow.Ask("CKSM ADLER32 0 -1 /f\n", 2 * SECOND);
        slow.control.lineUser->HandleLost(2 * SECOND + 1, StreamLoss::CLOSED);
        slow.hosts.Run(4 * SECOND); // nothing happens to a session that is closed
        NS_TEST_EXPECT_MSG_EQ((slow.states.back() == ServerState::CLOSED), true, "closed");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ChecksumTaskTest,
            new ChecksumDialogueTest,
            new UploadDialogueTest,
            new DownloadDialogueTest,
            new FailedTransferTest,
            new IdleTest};
});

} // namespace ns3::gridftp
