/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-host.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-block-sender.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t CHUNK = 7000; // its place in the file

/// A sender on a host in memory, and what its owner learns.
class Sending : public BlockSender::Owner
{
  public:
    Sending()
        : sender(host, *this)
    {
        sender.SetPeers(0, {{0x0a010202, 50'000}});
    }

    /// Begins a chunk. @param bytes of it @param parallelism N
    void Start(uint64_t bytes, uint32_t parallelism)
    {
        sender.Start(0,
                     {.offset = CHUNK,
                      .bytes = bytes,
                      .parallelism = parallelism,
                      .layout = Layout::STATIC,
                      .blockBytes = 1000});
    }

    /// All connections are established.
    void Connect()
    {
        for (const auto& stream : host.streams)
        {
            stream->user ? stream->user->HandleConnected(1) : void();
        }
    }

    void HandleSent(Nanoseconds now) override
    {
        learned += "sent at " + std::to_string(now) + "; ";
    }

    void HandleSendFailed(Nanoseconds /* now */, const TransferFailure& failure) override
    {
        learned += std::to_string(failure.code) + " " + failure.reason + "; ";
    }

    RecordedHost host;   //!< of the sender
    BlockSender sender;  //!< under test
    std::string learned; //!< by the owner
};

/// What is written to the connections, byte by byte.
class SenderBytesTest : public TestCase
{
  public:
    SenderBytesTest()
        : TestCase("block sender: bytes on the wire, whatever room there is")
    {
    }

  private:
    void DoRun() override
    {
        // Each connection has half of the chunk; the first one announces both EODs
        const auto first = WireBytes()
                               .Block(0, 1000, CHUNK)
                               .Block(1000, 250, CHUNK)
                               .Add(ModeEHeader::EndOfDataAndFile(2));
        const auto second = WireBytes()
                                .Block(1250, 1000, CHUNK)
                                .Block(2250, 250, CHUNK)
                                .Add(ModeEHeader::EndOfData());
        for (const uint64_t room : {1, 16, 17, 18, 1000, 1017, 65'536})
        {
            Sending sending;
            sending.Start(2500, 2);
            for (const auto& stream : sending.host.streams)
            {
                stream->room = room;
            }
            sending.Connect();
            const auto& streams = sending.host.streams;
            NS_TEST_ASSERT_MSG_EQ(streams.size(), 2, "connections");
            NS_TEST_EXPECT_MSG_EQ((streams[0]->sent == first), true, "first, room " << room);
            NS_TEST_EXPECT_MSG_EQ((streams[1]->sent == second), true, "second, room " << room);
            NS_TEST_EXPECT_MSG_EQ(streams[1]->to.port, 50'000, "its peer");
            NS_TEST_EXPECT_MSG_EQ(streams[1]->terms.label->connection, 1, "its label");
            NS_TEST_EXPECT_MSG_EQ(sending.sender.GetBytes(), 2500, "bytes");
        }
    }
};

/// When the owner learns what.
class SenderOutcomeTest : public TestCase
{
  public:
    SenderOutcomeTest()
        : TestCase("block sender: one outcome for each chunk, from an event")
    {
    }

  private:
    void DoRun() override
    {
        Succeed();
        Expect("425 data connection 1 was refused; ", [](Sending& sending) {
            sending.host.streams[1]->user->HandleLost(1, StreamLoss::REFUSED);
        });
        Expect("426 data connection 0 was reset or gave up its retries; ", [](Sending& sending) {
            sending.Connect();
            sending.host.streams[0]->user->HandleLost(2, StreamLoss::FAILED);
            sending.host.streams[1]->user->HandleLost(2, StreamLoss::FAILED);
        });
        Expect("426 data connection 1 was closed by the peer; ", [](Sending& sending) {
            sending.Connect();
            sending.host.streams[1]->user->HandlePeerClosed(2);
        });
        Expect("426 data connection 1 was reset or gave up its retries; ", [](Sending& sending) {
            sending.Connect();
            sending.sender.BreakConnection(2, 1);
        });
        Expect("", [](Sending& sending) {
            sending.host.streams[0]->user->HandleLost(1, StreamLoss::REFUSED);
            sending.sender.Abort(1);
        });
        Sending full;
        full.host.isFull = true;
        full.Start(1000, 1);
        full.host.Run(9);
        NS_TEST_EXPECT_MSG_EQ(full.learned, "425 cannot open data connection 0; ", "no port");
    }

    /// All is acknowledged.
    void Succeed()
    {
        Sending sending;
        sending.Start(2500, 2);
        sending.Connect();
        sending.host.streams[0]->user->HandleDrained(5);
        sending.host.Run(5);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "", "one of two");
        sending.host.streams[1]->user->HandleDrained(7);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "", "not within the callback");
        sending.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "sent at 7; ", "both");
    }

    /// @param learned by the owner at the end @param act what happens
    template <typename Act>
    void Expect(const std::string& learned, Act act)
    {
        Sending sending;
        sending.Start(2500, 2);
        act(sending);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "", "not within the callback");
        sending.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, learned, "at the end");
    }
};

/// Connections from chunk to chunk.
class SenderCacheTest : public TestCase
{
  public:
    SenderCacheTest()
        : TestCase("block sender: cached connections, fewer, more, and to another peer")
    {
    }

  private:
    void DoRun() override
    {
        Sending sending;
        const auto& streams = sending.host.streams;
        const auto send = [&sending](uint32_t parallelism) {
            sending.Start(1000, parallelism);
            sending.Connect();
        };
        send(2);
        sending.sender.Finish(3, true);
        streams[0]->user->HandlePeerClosed(3);
        streams[0]->sent.clear();
        send(1);
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 2, "none is opened");
        NS_TEST_EXPECT_MSG_EQ(streams[1]->isClosed, true, "the surplus one is closed");
        const auto all = WireBytes().Block(0, 1000, CHUNK).Add(ModeEHeader::EndOfDataAndFile(1));
        NS_TEST_EXPECT_MSG_EQ((streams[0]->sent == all), true, "the next chunk on the cached one");
        sending.sender.Finish(3, true);
        send(3);
        NS_TEST_EXPECT_MSG_EQ(streams.size(), 4, "two are opened");
        NS_TEST_EXPECT_MSG_EQ(streams[0]->isClosed, false, "the first one stays");
        sending.sender.Finish(3, true);
        sending.sender.SetPeers(4, {{0x0a010203, 50'001}});
        for (const auto& stream : streams)
        {
            NS_TEST_EXPECT_MSG_EQ(stream->isClosed, true, "the receiver has moved");
            NS_TEST_EXPECT_MSG_EQ(stream->isReset, false, "closed, not reset");
        }
        sending.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "", "a peer that closes between chunks is no fault");
        NS_TEST_EXPECT_MSG_EQ(sending.sender.GetPairTotals().front().segments,
                              4,
                              "closed connections count");
        send(1);
        sending.sender.Reset(5);
        NS_TEST_EXPECT_MSG_EQ(streams.back()->isReset, true, "reset");
    }
};

/// Two stripes that receive, and N connections to each.
class SenderStripesTest : public TestCase
{
  public:
    SenderStripesTest()
        : TestCase("block sender: connections to several receivers, cached and closed")
    {
    }

  private:
    void DoRun() override
    {
        Sending sending;
        sending.sender.SetPeers(0, {{0x0a010202, 50'000}, {0x0a010203, 50'001}});
        const auto& streams = sending.host.streams;
        Send(sending, 2);
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 4, "two to each");
        sending.sender.Finish(3, true);
        Send(sending, 1);
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 4, "none is opened");
        const EndedStreams surplus{streams[1].get(), streams[3].get()};
        NS_TEST_EXPECT_MSG_EQ((*sending.host.ended == surplus), true, "the second one of each");
        sending.sender.Finish(3, true);
        Send(sending, 2);
        NS_TEST_ASSERT_MSG_EQ(streams.size(), 6, "one more to each");
        CheckBreak();
        sending.host.ended->clear();
        sending.sender.Finish(3, false);
        const EndedStreams all{streams[5].get(),
                               streams[2].get(),
                               streams[4].get(),
                               streams[0].get()};
        NS_TEST_EXPECT_MSG_EQ((*sending.host.ended == all), true, "from the last to the first");
    }

    /// A fault strikes one connection among those to all stripes.
    void CheckBreak()
    {
        Sending sending;
        sending.sender.SetPeers(0, {{0x0a010202, 50'000}, {0x0a010203, 50'001}});
        Send(sending, 2);
        sending.sender.BreakConnection(3, 3);
        const EndedStreams last{sending.host.streams[3].get()};
        NS_TEST_EXPECT_MSG_EQ((*sending.host.ended == last), true, "the last one of four");
        NS_TEST_EXPECT_MSG_EQ(last[0]->isReset, true, "not closed");
    }

    /// A chunk of which each stripe gets half. @param sending it @param parallelism N
    void Send(Sending& sending, uint32_t parallelism)
    {
        sending.sender.Start(2,
                             {.offset = CHUNK,
                              .bytes = 1000,
                              .parallelism = parallelism,
                              .layout = Layout::STATIC,
                              .blockBytes = 1000,
                              .stripeLayout = StripeLayout::PARTITIONED,
                              .stripes = {.senders = 1, .receivers = 2}});
        sending.Connect();
    }
};

/// A host that resets a connection which is not there yet.
class SenderBreakTest : public TestCase
{
  public:
    SenderBreakTest()
        : TestCase("block sender: the host resets no connection whose handshake is under way")
    {
    }

  private:
    void DoRun() override
    {
        Sending sending;
        sending.Start(2500, 2);
        sending.host.streams[0]->user->HandleConnected(1);
        sending.sender.BreakConnection(1, 1);
        sending.host.Run(9);
        NS_TEST_EXPECT_MSG_EQ(sending.learned, "", "no failure");
        NS_TEST_EXPECT_MSG_EQ(sending.host.streams[1]->isReset, false, "its handshake goes on");
        sending.Connect();
        NS_TEST_EXPECT_MSG_EQ(sending.host.streams[1]->sent.empty(), false, "and it sends then");
        sending.sender.BreakConnection(11, 1);
        NS_TEST_EXPECT_MSG_EQ(sending.host.streams[1]->isReset, true, "now it is there");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SenderBytesTest,
            new SenderOutcomeTest,
            new SenderCacheTest,
            new SenderStripesTest,
            new SenderBreakTest};
});

} // namespace ns3::gridftp
