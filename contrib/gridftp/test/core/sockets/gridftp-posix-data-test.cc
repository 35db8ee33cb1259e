/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-posix-host.h"
#include "ns3/gridftp-posix-loop.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// One endpoint of a data connection, which records what it is called with.
class DataEndpoint : public DataListenUser, public DataStreamUser, public PieceSink
{
  public:
    DataStreamUser* HandleDataAccepted(Nanoseconds now, DataStream& accepted) override
    {
        stream = &accepted;
        onConnected ? onConnected(now) : void();
        return this;
    }

    void HandleConnected(Nanoseconds now) override
    {
        onConnected ? onConnected(now) : void();
    }

    PieceSink& GetPieceSink() override
    {
        return *this;
    }

    void HandleDrained(Nanoseconds now) override
    {
        ++drained;
        onDrained ? onDrained(now) : void();
    }

    void HandlePeerClosed(Nanoseconds now) override
    {
        ++closed;
        onClosed ? onClosed(now) : void();
    }

    bool IsReading() const override
    {
        return reads;
    }

    Nanoseconds GetNextReadNs(Nanoseconds now) override
    {
        return now;
    }

    uint64_t GetRoom() const override
    {
        return room;
    }

    void TakePiece(Nanoseconds /* now */, const ArrivedBytes& bytes) override
    {
        largest = std::max(largest, bytes.GetSize());
        const size_t size = got.size();
        got.resize(size + bytes.GetSize());
        bytes.Copy(0, std::span(got).subspan(size));
    }

    /// Called with the time.
    using Call = std::function<void(Nanoseconds)>;

    DataStream* stream{nullptr}; ///< its endpoint of the connection
    bool reads{true};            ///< see IsReading()
    uint64_t room{UINT32_MAX};   ///< see GetRoom()
    uint64_t largest{0};         ///< most bytes that were read at once
    std::vector<uint8_t> got;    ///< bytes that have arrived
    int drained{0};              ///< calls of HandleDrained()
    int closed{0};               ///< calls of HandlePeerClosed()
    Call onConnected;            ///< the connection is established
    Call onDrained;              ///< see HandleDrained()
    Call onClosed;               ///< see HandlePeerClosed()
};

/// Content alone, without a file.
class ContentSource : public PieceSource
{
  public:
    /// @param content all of it, outlives this
    explicit ContentSource(std::span<const uint8_t> content)
        : m_left(content)
    {
    }

    StreamPiece WritePiece(Nanoseconds /* now */, uint64_t room) override
    {
        m_size = std::min<uint64_t>({m_left.size(), room, 10'000});
        return {.content = m_left.first(m_size)};
    }

    void HandleWritten(Nanoseconds /* now */) override
    {
        m_left = m_left.subspan(m_size);
    }

    bool IsExhausted() const override
    {
        return m_left.empty();
    }

  private:
    std::span<const uint8_t> m_left; ///< not written yet
    size_t m_size{0};                ///< of the last piece, bytes
};

/// A number of bytes without content, sent by one endpoint and counted by the other.
class CountedFile : public StreamUser, public ListenUser, public StreamSource, public StreamSink
{
  public:
    /// @param bytes of the file
    explicit CountedFile(uint64_t bytes)
        : m_left(bytes)
    {
    }

    StreamUser* HandleAccepted(Nanoseconds /* now */,
                               uint16_t /* port */,
                               ByteStream& /* stream */) override
    {
        return this;
    }

    void HandleConnected(Nanoseconds now) override
    {
        stream->Send(now, *this);
    }

    StreamSink* GetSink() override
    {
        return this;
    }

    uint64_t Write(Nanoseconds /* now */, uint64_t room) override
    {
        const uint64_t size = std::min(room, m_left);
        m_left -= size;
        return size;
    }

    bool IsExhausted() const override
    {
        return m_left == 0;
    }

    Nanoseconds GetNextNs() const override
    {
        return 0;
    }

    uint64_t GetRoom() const override
    {
        return 7000;
    }

    void Take(Nanoseconds /* now */, uint64_t bytes) override
    {
        taken += bytes;
        onTaken();
    }

    ByteStream* stream{nullptr};          ///< of the endpoint that sends
    uint64_t taken{0};                    ///< bytes that have arrived
    std::function<void()> onTaken{[] {}}; ///< some have arrived

  private:
    uint64_t m_left; ///< bytes that are not written
};

/// What a driver promises to both endpoints of a data connection.
class PosixDataTest : public TestCase
{
  public:
    PosixDataTest()
        : TestCase("real sockets: acknowledgements, FINs and counted bytes of data connections")
    {
    }

  private:
    void DoRun() override
    {
        Drain();
        CloseWhilePaused();
        MessageThenPieces();
        CountBytes();
        DestroyHost();
    }

    /// Runs a loop for 50 ms. @param loop any
    static void Wait(PosixLoop& loop)
    {
        struct Alarm : EventTarget
        {
            void HandleEvent(Nanoseconds /* now */, uint32_t /* id */) override
            {
                loop->Stop();
            }

            PosixLoop* loop{nullptr};
        } alarm;

        alarm.loop = &loop;
        loop.Schedule(loop.GetNow() + 50'000'000, alarm, 0, &alarm);
        loop.Run();
    }

    /// All is in the send buffer, but the peer does not read: not drained.
    void Drain()
    {
        PosixLoop loop;
        PosixHost host(loop);
        DataEndpoint server;
        DataEndpoint client;
        server.reads = false;
        server.room = 1000;
        const StreamTerms small{.buffers = {.policy = "fixed", .window = 10'000}};
        const StreamTerms large{.buffers = {.policy = "fixed", .sendBuffer = 200'000}};
        const auto port = host.ListenForData(0, small, server);
        const auto content = MakeContent(150'000, 1);
        ContentSource source(content);
        client.stream =
            host.OpenData(0, {PosixHostSettings::LOOPBACK, port.value_or(0)}, large, client);
        NS_TEST_ASSERT_MSG_NE(client.stream, nullptr, "opened");
        client.onConnected = [&](Nanoseconds now) { client.stream->SendPieces(now, source); };
        Wait(loop);
        NS_TEST_EXPECT_MSG_EQ(source.IsExhausted(), true, "all is in the send buffer");
        NS_TEST_EXPECT_MSG_EQ(client.drained, 0, "the peer has no room");
        NS_TEST_EXPECT_MSG_EQ(server.got.size(), 0, "the sink does not read");
        NS_TEST_EXPECT_MSG_EQ((server.stream->GetUnread() > 0), true, "some has arrived");
        server.reads = true;
        server.stream->Resume(loop.GetNow());
        client.onDrained = [&](Nanoseconds) { loop.Stop(); };
        {
            const Deadline deadline(loop);
            loop.Run();
            NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "drained in time");
        }
        NS_TEST_EXPECT_MSG_EQ((server.got == content), true, "content");
        client.stream->Say(loop.GetNow(), MakeContent(10, 2));
        Wait(loop);
        NS_TEST_EXPECT_MSG_EQ(client.drained, 1, "once, whatever is written afterwards");
        NS_TEST_EXPECT_MSG_EQ(server.largest, 1000, "at most the room");
    }

    /// An endpoint whose sink does not read learns of the FIN, once.
    void CloseWhilePaused()
    {
        PosixLoop loop;
        PosixHost host(loop);
        DataEndpoint server;
        DataEndpoint client;
        client.reads = false;
        const auto port = host.ListenForData(0, {}, server);
        client.stream =
            host.OpenData(0, {PosixHostSettings::LOOPBACK, port.value_or(0)}, {}, client);
        server.onConnected = [&](Nanoseconds now) { server.stream->Close(now); };
        client.onClosed = [&](Nanoseconds) { loop.Stop(); };
        {
            const Deadline deadline(loop);
            loop.Run();
            NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "closed in time");
        }
        client.reads = true;
        client.stream->Resume(loop.GetNow());
        Wait(loop);
        NS_TEST_EXPECT_MSG_EQ(client.closed, 1, "once");
    }

    /// Pieces follow the messages that were said before, whatever the send buffer takes at once.
    void MessageThenPieces()
    {
        PosixLoop loop;
        PosixHost host(loop);
        DataEndpoint server;
        DataEndpoint client;
        const auto port = host.ListenForData(0, {}, server);
        const auto message = MakeContent(6'000'000, 1);
        const auto content = MakeContent(3'000'000, 2);
        ContentSource source(content);
        client.stream =
            host.OpenData(0, {PosixHostSettings::LOOPBACK, port.value_or(0)}, {}, client);
        client.onConnected = [&](Nanoseconds now) {
            client.stream->Say(now, message);
            client.stream->SendPieces(now, source);
        };
        client.onDrained = [&](Nanoseconds now) { client.stream->Close(now); };
        server.onClosed = [&](Nanoseconds) { loop.Stop(); };
        const Deadline deadline(loop);
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        auto all = message;
        all.insert(all.end(), content.begin(), content.end());
        NS_TEST_EXPECT_MSG_EQ((server.got == all), true, "the message, then the pieces");
        NS_TEST_EXPECT_MSG_EQ(server.closed, 1, "after all was read");
    }

    /// A host is destroyed while its application and a connection wait for timers.
    void DestroyHost()
    {
        struct Counter : EventTarget
        {
            void HandleEvent(Nanoseconds /* now */, uint32_t /* id */) override
            {
                ++events;
            }

            int events{0};
        } counter;

        PosixLoop loop;
        PosixHost serverHost(loop);
        DataEndpoint server;
        DataEndpoint client;
        server.reads = false;
        const StreamTerms small{.buffers = {.policy = "fixed", .window = 10'000}};
        const StreamTerms large{.buffers = {.policy = "fixed", .sendBuffer = 200'000}};
        const auto content = MakeContent(150'000, 1);
        ContentSource source(content);
        {
            PosixHost host(loop);
            const auto port = serverHost.ListenForData(0, small, server);
            client.stream =
                host.OpenData(0, {PosixHostSettings::LOOPBACK, port.value_or(0)}, large, client);
            client.onConnected = [&](Nanoseconds now) { client.stream->SendPieces(now, source); };
            Wait(loop); // the client looks again and again whether all is acknowledged
            host.Schedule(0, loop.GetNow(), counter, 0);
        }
        Wait(loop);
        NS_TEST_EXPECT_MSG_EQ(counter.events, 0, "the event is dropped");
        NS_TEST_EXPECT_MSG_EQ(client.drained, 0, "the connection is gone");
    }

    /// A source without content.
    void CountBytes()
    {
        constexpr uint64_t BYTES = 2'000'000;
        PosixLoop loop;
        PosixHost host(loop);
        CountedFile sent(BYTES);
        CountedFile received(0);
        const StreamTerms terms{.isPaced = true};
        sent.stream = &host.Connect(0, host.Listen(0, 0, terms, received), terms, sent);
        received.onTaken = [&] { received.taken == BYTES ? loop.Stop() : void(); };
        const Deadline deadline(loop);
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        NS_TEST_EXPECT_MSG_EQ(received.taken, BYTES, "all");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new PosixDataTest}; });

} // namespace ns3::gridftp
