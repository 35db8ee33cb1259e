/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-channels.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-client-session.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds MILLISECOND = 1'000'000;
constexpr Nanoseconds SECOND = 1000 * MILLISECOND;

/// A client session in memory. The test is the server.
class Asking : public ClientSession::Owner
{
  public:
    /// @param settings of the client
    explicit Asking(const ClientSettings& settings)
        : session(hosts.Get(), *this)
    {
        session.Start(0, settings);
        control = hosts.control.streams.front().get();
    }

    /// @param direction of the data @param path of the file @param opensEarly see ClientSettings
    explicit Asking(Direction direction, const std::string& path = "/f", bool opensEarly = false)
        : Asking(MakeSettings(direction, path, opensEarly))
    {
    }

    /// @param direction, path, opensEarly as above @return settings of the client
    static ClientSettings MakeSettings(Direction direction,
                                       const std::string& path = "/f",
                                       bool opensEarly = false)
    {
        return {.data = {.buffers = {.window = 70'000}},
                .server = {0x0a010209, 2811},
                .direction = direction,
                .layout = Layout::STATIC,
                .blockBytes = 100,
                .rttSamples = 2,
                .opensEarly = opensEarly,
                .path = path};
    }

    ~Asking() override
    {
        session.Dispose(now);
    }

    /// The server replies, 10 ms after the last command. @param replies without CR @return what the
    /// client sends then, without CR
    std::string Reply(const std::string& replies)
    {
        now += 10 * MILLISECOND;
        std::string sent = control->Exchange(now, WithReturns(replies));
        std::erase(sent, '\r');
        return sent;
    }

    /// The server accepts the login.
    void LogIn()
    {
        Reply("220 ready\n");
        for (int i = 0; i < 10 && learned.empty(); ++i)
        {
            Reply(i == 0 ? "331 password\n" : i == 1 ? "230 logged in\n" : "200 OK\n");
        }
    }

    void HandleReady(Nanoseconds /* now */) override
    {
        learned += "ready; ";
    }

    void HandleStarted(Nanoseconds /* now */) override
    {
        learned += "started; ";
    }

    void HandleFailed(Nanoseconds /* now */, const std::string& reason) override
    {
        learned += reason + "; ";
    }

    RecordedChannels hosts;    ///< of the session
    ClientSession session;     ///< under test
    RecordedStream* control{}; ///< its control connection
    Nanoseconds now{0};        ///< the time
    std::string learned;       ///< by the owner
};

/// The dialogue of an upload, as observed with GCT 6.2.
class ClientUploadTest : public TestCase
{
  public:
    ClientUploadTest()
        : TestCase("client session: the dialogue of an upload")
    {
    }

  private:
    void DoRun() override
    {
        Asking client(Direction::UPLOAD);
        const auto expect = [&](const std::string& replies, const std::string& sent) {
            NS_TEST_EXPECT_MSG_EQ(client.Reply(replies), sent, "after " << replies);
        };
        NS_TEST_EXPECT_MSG_EQ(client.control->to.port, 2811, "control port");
        expect("220-server\n220 ready\n", "USER anonymous\n");
        expect("331 Password required.\n", "PASS client@gridftp\n");
        expect("230 User anonymous logged in.\n", "SITE HELP\n");
        expect("214-The following commands\n NOOP\n214 End\n", "FEAT\n");
        expect("211-Extensions supported\n SIZE\n211 End.\n",
               "SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;\n");
        expect("250 OK.\n", "TYPE I\n");
        expect("200 Type set to I.\n", "MODE E\n");
        expect("200 Mode set to E.\n", "SITE STORBUFSIZE 70000\n");
        expect("200 Site Command Successful.\n", "");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; ", "login");
        client.session.Transfer(client.now, 0, 1000, 250, 2);
        NS_TEST_EXPECT_MSG_EQ(client.control->TakeText(), "PASV\r\n", "an address");
        expect("227 Entering Passive Mode (10,1,2,9,4,1)\n", "ALLO 250\n");
        expect("200 ALLO command successful.\n", "ESTO A 1000 /f\n");
        NS_TEST_EXPECT_MSG_EQ(client.hosts.sender.streams.size(), 0, "not before 150");
        expect("150 Beginning transfer.\n", "");
        auto& streams = client.hosts.sender.streams;
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 2, "N connections");
        NS_TEST_EXPECT_MSG_EQ(streams[1]->to.port, 1025, "to the port of PASV");
        expect("112-Perf Marker\n Stripe Bytes Transferred: 9\n112 End.\n", "");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; started; ", "no more");
        expect("226 Transfer Complete.\n", "");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; started; ready; ", "the chunk");
        const ChunkTimes& times = client.session.GetChunkTimes();
        NS_TEST_EXPECT_MSG_EQ(times.end - times.start, 30 * MILLISECOND, "T: ESTO to 226");
        NS_TEST_EXPECT_MSG_EQ_TOL(times.rttS, 0.010, 1e-12, "R: mean of responses");
        client.session.Quit(client.now);
        NS_TEST_EXPECT_MSG_EQ(client.control->TakeText(), "QUIT\r\n", "the end");
        expect("221 Goodbye.\n", "");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; started; ready; ready; ", "logged out");
        NS_TEST_EXPECT_MSG_EQ(client.control->isClosed, true, "closed");
    }
};

/// The dialogue of a download: the client listens, and the chunk ends with data and reply.
class ClientDownloadTest : public TestCase
{
  public:
    ClientDownloadTest()
        : TestCase("client session: the dialogue of a download")
    {
    }

  private:
    void DoRun() override
    {
        Asking client(Direction::DOWNLOAD, "/data/one file");
        client.LogIn();
        client.session.Transfer(client.now, 0, 1000, 250, 4);
        NS_TEST_EXPECT_MSG_EQ(client.control->TakeText(),
                              "OPTS RETR Parallelism=4,4,4;\r\n",
                              "N of the sender");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("200 OPTS\n"),
                              "PORT 10,1,2,3,195,80\n",
                              "where it listens");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("200 PORT\n"),
                              "ERET P 1000 250 /data/one file\n",
                              "the chunk");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("150 Beginning\n"), "", "waits");
        RecordedStream* data = client.hosts.receiver.Accept(client.now);
        NS_TEST_ASSERT_MSG_NE(data, nullptr, "it listens");
        client.learned.clear();
        NS_TEST_EXPECT_MSG_EQ(client.Reply("226 Transfer Complete.\n"), "", "waits for data");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "", "the reply is not all");
        data->Arrive(client.now, WireBytes().Block(0, 250).Add(ModeEHeader::EndOfDataAndFile(1)));
        client.hosts.Run(client.now);
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; ", "now it is");
    }
};

/// The server of GCT 6.2 sends 150 when a data connection is there.
class ClientEarlyTest : public TestCase
{
  public:
    ClientEarlyTest()
        : TestCase("client session: data connections before reply 150")
    {
    }

  private:
    void DoRun() override
    {
        Asking client(Direction::UPLOAD, "/f", true);
        client.LogIn();
        client.session.Transfer(client.now, 0, 0, 250, 2);
        client.Reply("227 Entering Passive Mode (10,1,2,9,4,1)\n");
        auto& streams = client.hosts.sender.streams;
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 0, "not before ESTO");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("200 ALLO\n"), "ESTO A 0 /f\n", "the chunk");
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 2, "with ESTO");
        client.Reply("150 Beginning transfer.\n");
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 2, "no others");
        client.learned.clear();
        client.Reply("226 Transfer Complete.\n");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; ", "the chunk");
    }
};

/// Replies that end a session, and what the owner learns of it.
class ClientFailureTest : public TestCase
{
  public:
    ClientFailureTest()
        : TestCase("client session: failures")
    {
    }

  private:
    void DoRun() override
    {
        Asking refused(Direction::UPLOAD);
        refused.control->lineUser->HandleLost(1, StreamLoss::REFUSED);
        NS_TEST_EXPECT_MSG_EQ(refused.learned, "the control connection was refused; ", "refused");

        Asking denied(Direction::UPLOAD);
        denied.Reply("220 ready\n");
        denied.Reply("530 No.\n");
        NS_TEST_EXPECT_MSG_EQ(denied.learned, "the server answered 530 No.; ", "denied");
        NS_TEST_EXPECT_MSG_EQ(denied.control->isClosed, true, "closed");

        // The words of its own failures are no others from a server
        Asking reset(Direction::UPLOAD);
        reset.Reply("220 ready\n");
        reset.Reply("426 data connection was reset\n");
        NS_TEST_EXPECT_MSG_EQ(reset.learned,
                              "the server answered 426 data connection was reset; ",
                              "without a failure of its own");

        Asking nonsense(Direction::UPLOAD);
        nonsense.Reply("hello\n");
        NS_TEST_EXPECT_MSG_EQ(nonsense.learned, "the server sent no reply but 'hello'; ", "reply");

        Asking closed(Direction::DOWNLOAD);
        closed.LogIn();
        closed.session.Transfer(closed.now, 0, 0, 10, 1);
        closed.learned.clear();
        closed.control->lineUser->HandleLost(closed.now, StreamLoss::CLOSED);
        NS_TEST_EXPECT_MSG_EQ(closed.learned, "control connection closed by the peer; ", "closed");
        NS_TEST_EXPECT_MSG_EQ(closed.hosts.receiver.Accept(1), nullptr, "it listens no more");
    }
};

/// Checksums of both hosts, which are equal or not.
class ClientChecksumTest : public TestCase
{
  public:
    ClientChecksumTest()
        : TestCase("client session: checksums of both hosts")
    {
    }

  private:
    void DoRun() override
    {
        Asking upload(Direction::UPLOAD);
        upload.LogIn();
        upload.learned.clear();
        upload.session.CompareChecksums(upload.now, {0, 250, 250});
        NS_TEST_EXPECT_MSG_EQ(upload.Reply(""), "CKSM ADLER32 0 -1 /f\n", "the whole file");
        NS_TEST_EXPECT_MSG_EQ(upload.learned, "", "its own checksum is not enough");
        NS_TEST_EXPECT_MSG_EQ(upload.session.GetChecksum().has_value(), false, "none yet");
        upload.Reply("213 00fa0001\n");
        NS_TEST_EXPECT_MSG_EQ(upload.learned, "ready; ", "equal");
        NS_TEST_EXPECT_MSG_EQ(upload.session.GetChecksum()->value, "00fa0001", "the checksum");
        NS_TEST_EXPECT_MSG_EQ(upload.session.GetChecksum()->durationNs, 20 * MILLISECOND, "time");

        Asking part(Direction::DOWNLOAD);
        part.LogIn();
        part.learned.clear();
        part.session.CompareChecksums(part.now, {100, 50, 250});
        NS_TEST_EXPECT_MSG_EQ(part.Reply(""), "CKSM ADLER32 100 50 /f\n", "a part of it");
        part.Reply("213 00fa0001\n");
        NS_TEST_EXPECT_MSG_EQ(part.learned,
                              "the checksums differ: 00fa0001 of the file that was sent, 00320001 "
                              "of the file that was stored; ",
                              "different");

        for (const std::string reply : {"502 CKSM is not implemented.", "213 later"})
        {
            Asking without(Direction::UPLOAD);
            without.LogIn();
            without.learned.clear();
            without.session.CompareChecksums(without.now, {0, 250, 250});
            without.Reply(reply + "\n");
            NS_TEST_EXPECT_MSG_EQ(without.learned,
                                  (reply == "213 later"
                                       ? "the server sent no checksum but 'later'; "
                                       : "the server answered " + reply + "; "),
                                  "no checksum");
        }
        CheckPatience();
    }

    /// A server may need the time in which 80 Mbit/s are read, here a second, and then as long as
    /// for any reply.
    void CheckPatience()
    {
        constexpr Nanoseconds LIMIT = 1000 * MILLISECOND;
        constexpr uint64_t BYTES = 10'000'000;
        ClientSettings settings = Asking::MakeSettings(Direction::UPLOAD);
        settings.data.stallTimeout = LIMIT;
        Asking client(settings);
        client.LogIn();
        client.learned.clear();
        client.session.CompareChecksums(client.now, {0, BYTES, BYTES});
        client.hosts.Run(client.now + 1000 * MILLISECOND + LIMIT - 1);
        NS_TEST_EXPECT_MSG_EQ(client.learned, "", "it waits");
        client.hosts.Run(client.now + 1000 * MILLISECOND + LIMIT + 1);
        NS_TEST_EXPECT_MSG_EQ(client.learned, "no reply to CKSM for 2 s; ", "no longer");
    }
};

/// NOOP keeps an idle connection alive, and its answer is no other command's.
class ClientKeepaliveTest : public TestCase
{
  public:
    ClientKeepaliveTest()
        : TestCase("client session: the answer to NOOP is not that to the command behind it")
    {
    }

  private:
    void DoRun() override
    {
        ClientSettings settings = Asking::MakeSettings(Direction::UPLOAD);
        settings.keepalive = 5 * SECOND;
        Asking client(settings);
        client.LogIn();
        client.now += 5 * SECOND;
        client.hosts.Run(client.now);
        NS_TEST_EXPECT_MSG_EQ(client.control->TakeText(), "NOOP\r\n", "idle");
        client.session.Transfer(client.now, 0, 0, 250, 1);
        NS_TEST_EXPECT_MSG_EQ(client.control->TakeText(), "PASV\r\n", "does not await its answer");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("200 NOOP command successful.\n"), "", "of NOOP");
        NS_TEST_EXPECT_MSG_EQ(client.Reply("227 Entering Passive Mode (10,1,2,9,4,1)\n"),
                              "ALLO 250\n",
                              "of PASV");
        NS_TEST_EXPECT_MSG_EQ(client.learned, "ready; ", "no failure");
    }
};

/// Only the server's lines show that it is alive.
class ClientSilenceTest : public TestCase
{
  public:
    ClientSilenceTest()
        : TestCase("client session: the end of its own sender is no sign of the server's life")
    {
    }

  private:
    void DoRun() override
    {
        ClientSettings settings = Asking::MakeSettings(Direction::UPLOAD);
        settings.data.stallTimeout = 10 * SECOND;
        Asking client(settings);
        client.LogIn();
        client.session.Transfer(client.now, 0, 0, 250, 1);
        client.Reply("227 Entering Passive Mode (10,1,2,9,4,1)\n");
        client.Reply("200 ALLO command successful.\n");
        client.Reply("150 Beginning transfer.\n"); // its last line
        const Nanoseconds last = client.now;
        client.learned.clear();
        DataStreamUser& sender = *client.hosts.sender.streams.front()->user;
        sender.HandleConnected(last + 1);
        sender.HandleDrained(last + 6 * SECOND);
        client.hosts.Run(last + 10 * SECOND - 1);
        NS_TEST_EXPECT_MSG_EQ(client.learned, "", "not before the limit");
        client.hosts.Run(last + 10 * SECOND);
        NS_TEST_EXPECT_MSG_EQ(client.learned, "no reply to ESTO for 10 s; ", "at the limit");
    }
};

/// A server that resets data connections says why in its reply.
class ClientLastWordTest : public TestCase
{
  public:
    ClientLastWordTest()
        : TestCase(
              "client session: after a data connection was reset it awaits the server's reason")
    {
    }

  private:
    void DoRun() override
    {
        Expect(StreamLoss::FAILED, 0, "");
        Expect(StreamLoss::FAILED, 5 * SECOND - 1, "");
        Expect(StreamLoss::FAILED,
               5 * SECOND,
               "data connection 0 was reset or gave up its retries (426); ");
        Expect(StreamLoss::REFUSED, 0, "data connection 0 was refused (425); ");
    }

    /// @param loss of a data connection @param wait from then on @param learned by then; none: the
    /// reason is in the reply that comes then
    void Expect(StreamLoss loss, Nanoseconds wait, const std::string& learned)
    {
        ClientSettings settings = Asking::MakeSettings(Direction::UPLOAD);
        settings.data.stallTimeout = 10 * SECOND;
        Asking client(settings);
        client.LogIn();
        client.session.Transfer(client.now, 0, 0, 250, 2);
        client.Reply("227 Entering Passive Mode (10,1,2,9,4,1)\n");
        client.Reply("200 ALLO command successful.\n");
        client.Reply("150 Beginning transfer.\n");
        client.learned.clear();
        const auto& data = client.hosts.sender.streams;
        data[0]->user->HandleLost(client.now, loss);
        client.hosts.Run(client.now);
        client.hosts.Run(client.now + wait);
        NS_TEST_EXPECT_MSG_EQ(client.learned, learned, "after " << wait << " ns");
        NS_TEST_EXPECT_MSG_EQ(data[1]->isReset, true, "the other one is reset");
        if (learned.empty())
        {
            client.Reply("552 No space left.\n");
            NS_TEST_EXPECT_MSG_EQ(client.learned,
                                  "the server answered 552 No space left.; ",
                                  "its reason");
        }
    }
};

/// A client that will attempt again resets all connections after a failure.
class ClientResetTest : public TestCase
{
  public:
    ClientResetTest()
        : TestCase("client session: it resets the control connection, then the data connections")
    {
    }

  private:
    void DoRun() override
    {
        ClientSettings settings = Asking::MakeSettings(Direction::UPLOAD);
        settings.resets = true;
        Asking client(settings);
        client.LogIn();
        client.session.Transfer(client.now, 0, 0, 250, 2);
        client.Reply("227 Entering Passive Mode (10,1,2,9,4,1)\n");
        client.Reply("200 ALLO command successful.\n");
        client.Reply("150 Beginning transfer.\n");
        const auto& data = client.hosts.sender.streams;
        NS_TEST_ASSERT_MSG_EQ(data.size(), 2, "data connections");
        client.Reply("426 Data connection closed.\n");
        const EndedStreams expected{client.control, data[0].get(), data[1].get()};
        NS_TEST_EXPECT_MSG_EQ((*client.hosts.control.ended == expected), true, "in this order");
        for (const RecordedStream* stream : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(stream->isReset, true, "not closed");
        }
    }
};

/// What a restart marker reports counts, whichever connection is lost after it.
class ClientMarkerTest : public TestCase
{
  public:
    ClientMarkerTest()
        : TestCase("client session: a restart marker of the whole chunk counts after a failure")
    {
    }

  private:
    void DoRun() override
    {
        ClientSettings settings = Asking::MakeSettings(Direction::THIRD_PARTY);
        settings.sender = {0x0a01020a, 2811};
        settings.resets = true;
        Asking client(settings);
        RecordedServers servers(client.hosts.control);
        servers.Serve(client.now, MILLISECOND);
        client.session.Transfer(client.now, 0, 1000, 250, 1);
        servers.Serve(client.now, MILLISECOND); // to ESTO and ERET
        const auto& controls = client.hosts.control.streams;
        NS_TEST_ASSERT_MSG_EQ(controls.size(), 2, "a connection to each server");
        const bool isFirst = controls[0]->to.address == settings.server.address;
        RecordedStream& receiver = *controls[isFirst ? 0 : 1];
        RecordedStream& sender = *controls[isFirst ? 1 : 0];
        receiver.Hear(client.now, "111 Range Marker 1000-1100\r\n");
        receiver.Hear(client.now, "111 Range Marker 1000-1250\r\n");
        NS_TEST_EXPECT_MSG_EQ(CountBytes(client.session.GetHeld()), 250, "the last one counts");
        client.learned.clear();
        sender.lineUser->HandleLost(client.now, StreamLoss::FAILED);
        NS_TEST_EXPECT_MSG_NE(client.learned, "", "it fails");
        const MarkerRanges& held = client.session.GetHeld();
        NS_TEST_ASSERT_MSG_EQ(held.size(), 1, "one range");
        NS_TEST_EXPECT_MSG_EQ(held[0].begin, 1000, "from the beginning of the chunk");
        NS_TEST_EXPECT_MSG_EQ(held[0].end, 1250, "to its end");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ClientChecksumTest,
            new ClientUploadTest,
            new ClientDownloadTest,
            new ClientEarlyTest,
            new ClientFailureTest,
            new ClientKeepaliveTest,
            new ClientLastWordTest,
            new ClientMarkerTest,
            new ClientResetTest,
            new ClientSilenceTest};
});

} // namespace ns3::gridftp
