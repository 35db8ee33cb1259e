/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-raw-socket.h"
#include "gridftp-real-transfer.h"
#include "gridftp-temporary-folder.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-posix-host.h"
#include "ns3/gridftp-posix-loop.h"
#include "ns3/test.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// An endpoint that records what it is called with.
class Endpoint : public StreamUser, public ListenUser
{
  public:
    StreamUser* HandleAccepted(Nanoseconds now, uint16_t /* port */, ByteStream& accepted) override
    {
        stream = &accepted;
        onConnected ? onConnected(now) : void();
        return isRefusing ? nullptr : this;
    }

    void HandleConnected(Nanoseconds now) override
    {
        onConnected ? onConnected(now) : void();
    }

    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override
    {
        const auto call = onBytes; // which may destroy this
        got.insert(got.end(), bytes.begin(), bytes.end());
        call ? call(now) : void();
    }

    void HandleCount(Nanoseconds now, uint64_t bytes) override
    {
        counted += bytes;
        onBytes ? onBytes(now) : void();
    }

    void HandleLost(Nanoseconds now, StreamLoss loss) override
    {
        const auto call = onLost; // which may destroy this
        losses += loss == StreamLoss::REFUSED ? "refused " : "";
        losses += loss == StreamLoss::FAILED ? "failed " : "";
        losses += loss == StreamLoss::CLOSED ? "closed " : "";
        call ? call(now) : void();
    }

    /// Called with the time.
    using Call = std::function<void(Nanoseconds)>;

    ByteStream* stream{nullptr}; ///< its endpoint of the connection
    bool isRefusing{false};      ///< it accepts no connection
    Call onConnected;            ///< the connection is established
    Call onBytes;                ///< bytes have arrived
    Call onLost;                 ///< the connection is lost
    std::vector<uint8_t> got;    ///< bytes that have arrived
    uint64_t counted{0};         ///< bytes that have arrived without content
    std::string losses;          ///< how the connection ended
};

/// A client and a server on one loop.
struct Pair
{
    /// Connects the client.
    void Connect()
    {
        const uint16_t port = serverHost.Listen(0, 0, terms, server);
        client.stream = &clientHost.Connect(0, port, terms, client);
    }

    /// Runs the loop. @return whether it has ended in time
    bool Run()
    {
        const Deadline deadline(loop);
        loop.Run();
        return !deadline.isOver;
    }

    PosixLoop loop;                                          ///< of both
    PosixHost clientHost{loop};                              ///< connects
    PosixHost serverHost{loop};                              ///< accepts
    Endpoint client;                                         ///< of the connection
    Endpoint server;                                         ///< of the connection
    StreamTerms terms{.tcp = "newreno", .hasContent = true}; ///< of both
};

/// Messages with content, in both directions.
class PosixMessageTest : public TestCase
{
  public:
    PosixMessageTest()
        : TestCase("real sockets: messages of all sizes, in both directions")
    {
    }

  private:
    void DoRun() override
    {
        const size_t before = CountDescriptors();
        Exchange({100'000});
        Exchange({1, 2, 3});
        Exchange({5'000'000, 1, 70'000});
        Count();
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "descriptors");
    }

    /// The server sends all back, and the client closes. @param sizes of messages, bytes
    void Exchange(const std::vector<size_t>& sizes)
    {
        const size_t inherited = CountInherited();
        Pair pair;
        std::vector<uint8_t> all;
        pair.client.onConnected = [&](Nanoseconds now) {
            for (const size_t size : sizes)
            {
                const auto message = MakeContent(size, static_cast<uint32_t>(size));
                all.insert(all.end(), message.begin(), message.end());
                pair.client.stream->Say(now, message);
            }
        };
        size_t returned = 0;
        pair.server.onBytes = [&](Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(CountInherited(), inherited, "descriptors of other programs");
            pair.server.stream->Say(now, std::span(pair.server.got).subspan(returned));
            returned = pair.server.got.size();
        };
        pair.client.onBytes = [&](Nanoseconds now) {
            if (pair.client.got.size() == all.size())
            {
                pair.client.stream->Close(now);
            }
        };
        pair.server.onLost = [&](Nanoseconds) { pair.loop.Stop(); };
        pair.Connect();
        NS_TEST_EXPECT_MSG_EQ(pair.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ((pair.server.got == all), true, "there");
        NS_TEST_EXPECT_MSG_EQ((pair.client.got == all), true, "and back");
        NS_TEST_EXPECT_MSG_EQ(pair.server.losses, "closed ", "the server learns it");
        NS_TEST_EXPECT_MSG_EQ(pair.client.losses, "", "the client has closed");
        NS_TEST_EXPECT_MSG_EQ((pair.client.stream->GetTotals().segments > 0), true, "counted");
    }

    /// Without content, bytes are counted. What was sent before the FIN arrives.
    void Count()
    {
        Pair pair;
        pair.terms.hasContent = false;
        pair.client.onConnected = [&](Nanoseconds now) {
            pair.client.stream->Say(now, MakeContent(12'345, 1));
            pair.client.stream->Close(now);
        };
        pair.server.onLost = [&](Nanoseconds) { pair.loop.Stop(); };
        pair.Connect();
        NS_TEST_EXPECT_MSG_EQ(pair.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(pair.server.counted, 12'345, "counted");
        NS_TEST_EXPECT_MSG_EQ(pair.server.losses, "closed ", "then closed");
    }
};

/// How connections end, and what callbacks may do.
class PosixEndTest : public TestCase
{
  public:
    PosixEndTest()
        : TestCase("real sockets: how connections end, and what callbacks may do")
    {
    }

  private:
    void DoRun() override
    {
        const size_t before = CountDescriptors();
        Refuse();
        ResetInCallback();
        DestroyInCallback();
        CloseWithUnread();
        NS_TEST_EXPECT_MSG_EQ(CountDescriptors(), before, "descriptors");
    }

    /// No listener, no congestion control, no user.
    void Refuse()
    {
        Pair silent;
        RawSocket socket;
        silent.client.onLost = [&](Nanoseconds) { silent.loop.Stop(); };
        silent.clientHost.Connect(0, socket.Bind(), silent.terms, silent.client);
        NS_TEST_EXPECT_MSG_EQ(silent.client.losses, "", "not within Connect()");
        NS_TEST_EXPECT_MSG_EQ(silent.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(silent.client.losses, "refused ", "no listener");

        Pair unknown;
        unknown.terms.tcp = "no-such-control";
        unknown.client.onLost = [&](Nanoseconds) { unknown.loop.Stop(); };
        NS_TEST_EXPECT_MSG_EQ(unknown.serverHost.Listen(0, 0, unknown.terms, unknown.server),
                              0,
                              "no listener");
        unknown.Connect();
        NS_TEST_EXPECT_MSG_EQ(unknown.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(unknown.client.losses, "refused ", "unknown congestion control");
        NS_TEST_EXPECT_MSG_EQ(unknown.clientHost.GetError(),
                              "congestion control no-such-control: No such file or directory",
                              "the reason");

        Pair refusing;
        refusing.server.isRefusing = true;
        refusing.client.onLost = [&](Nanoseconds) { refusing.loop.Stop(); };
        refusing.Connect();
        NS_TEST_EXPECT_MSG_EQ(refusing.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(
            (refusing.client.losses == "failed " || refusing.client.losses == "refused "),
            true,
            "reset after the handshake: " << refusing.client.losses);
    }

    /// An endpoint resets its own stream while bytes are delivered, and uses it afterwards.
    void ResetInCallback()
    {
        Pair pair;
        pair.client.onConnected = [&](Nanoseconds now) {
            pair.client.stream->Say(now, MakeContent(3'000'000, 1));
        };
        pair.server.onBytes = [&](Nanoseconds now) {
            pair.server.stream->Reset(now);
            pair.server.stream->Say(now, MakeContent(1, 1));
            pair.server.stream->Close(now);
        };
        pair.client.onLost = [&](Nanoseconds now) {
            pair.client.stream->Say(now, MakeContent(1, 1));
            pair.loop.Stop();
        };
        pair.Connect();
        NS_TEST_EXPECT_MSG_EQ(pair.Run(), true, "in time");
        NS_TEST_EXPECT_MSG_EQ(pair.client.losses, "failed ", "reset");
        NS_TEST_EXPECT_MSG_EQ(pair.server.losses, "", "by this endpoint");
    }

    /// Users are destroyed inside their own callback, together with those of other streams.
    void DestroyInCallback()
    {
        PosixLoop loop;
        PosixHost host(loop);
        const StreamTerms terms{.hasContent = true};
        Endpoint server;
        std::vector<ByteStream*> accepted;
        const uint16_t port = host.Listen(0, 0, terms, server);
        std::vector<std::unique_ptr<Endpoint>> clients;
        for (int i = 0; i < 3; ++i)
        {
            clients.push_back(std::make_unique<Endpoint>());
            Endpoint& client = *clients.back();
            client.stream = &host.Connect(0, port, terms, client);
            client.onConnected = [&client](Nanoseconds now) {
                client.stream->Say(now, MakeContent(10, 1));
            };
            client.onBytes = [&](Nanoseconds now) {
                for (const auto& one : clients)
                {
                    one->stream->Close(now);
                }
                std::exchange(clients, {}).clear();
                host.StopListening();
                loop.Stop();
            };
        }
        server.onConnected = [&](Nanoseconds) { accepted.push_back(server.stream); };
        server.onBytes = [&](Nanoseconds now) {
            // All are connected: each gets an answer, and the first one destroys all
            for (size_t i = 0; accepted.size() == 3 && i < 3; ++i)
            {
                accepted[i]->Say(now, MakeContent(10, 2));
            }
        };
        const Deadline deadline(loop);
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        NS_TEST_EXPECT_MSG_EQ(clients.size(), 0, "destroyed");
    }

    /// A FIN, although something has arrived that was not read.
    void CloseWithUnread()
    {
        PosixLoop loop;
        PosixHost host(loop);
        Endpoint server;
        RawSocket client;
        client.Connect(host.Listen(0, 0, {.hasContent = true}, server));
        client.Send(MakeContent(50'000, 1));
        server.onConnected = [&](Nanoseconds now) {
            server.stream->Say(now, MakeContent(77, 2));
            server.stream->Close(now);
            loop.Stop();
        };
        const Deadline deadline(loop);
        loop.Run();
        NS_TEST_EXPECT_MSG_EQ(deadline.isOver, false, "in time");
        NS_TEST_EXPECT_MSG_EQ(server.got.size(), 0, "it has read nothing");
        NS_TEST_EXPECT_MSG_EQ(client.ReadToEnd().value_or(0), 77, "a message and a FIN, no RST");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PosixMessageTest, new PosixEndTest};
});

} // namespace ns3::gridftp
