/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-recorded-host.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-block-receiver.h"
#include "ns3/test.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A receiver on a host in memory, and what its owner learns.
class Receiving : public BlockReceiver::Owner
{
  public:
    /// @param connections that are accepted at once
    explicit Receiving(uint32_t connections = 2)
        : receiver(host, *this)
    {
        receiver.Listen(0);
        for (uint32_t i = 0; i < connections; ++i)
        {
            streams.push_back(host.Accept(0));
        }
    }

    void HandleReceived(Nanoseconds now) override
    {
        learned += "received at " + std::to_string(now) + "; ";
    }

    void HandleReceiveFailed(Nanoseconds /* now */, const TransferFailure& failure) override
    {
        learned += std::to_string(failure.code) + " " + failure.reason + "; ";
    }

    RecordedHost host;                    //!< of the receiver
    BlockReceiver receiver;               //!< under test
    std::vector<RecordedStream*> streams; //!< its connections
    std::string learned;                  //!< by the owner
};

/// A file in memory.
class StoredFile : public ReceivedFile
{
  public:
    bool Store(uint64_t place,
               const ArrivedBytes& bytes,
               uint64_t position,
               uint64_t length) override
    {
        if (place + length > most)
        {
            return false;
        }
        content.resize(std::max<size_t>(content.size(), place + length));
        bytes.Copy(position, std::span(content).subspan(place, length));
        return true;
    }

    std::vector<uint8_t> content; //!< all of it
    uint64_t most{UINT64_MAX};    //!< bytes that there is room for
};

/// @param eods announced @return the header that ends a connection and the file
ModeEHeader
End(uint64_t eods)
{
    return ModeEHeader::EndOfDataAndFile(eods);
}

/// A chunk is complete when each byte and each end of data has arrived.
class ReceiverAccountTest : public TestCase
{
  public:
    ReceiverAccountTest()
        : TestCase("block receiver: each byte of a chunk once, each end of data")
    {
    }

  private:
    void DoRun() override
    {
        Complete();
        Fail({.bytes = 1000},
             {WireBytes().Block(0, 1000).Block(999, 1).Add(End(1))},
             "426 bytes within 999 and 1000 arrived twice; ");
        Fail({.bytes = 1000},
             {WireBytes().Block(0, 500).Block(600, 400).Add(End(1))},
             "426 900 of 1000 bytes arrived in 2 ranges; ");
        Fail({.bytes = 1000},
             {WireBytes().Block(0, 1001).Add(End(1))},
             "426 1001 of 1000 bytes arrived in 1 ranges; ");
        Fail({.bytes = 1000},
             {WireBytes().Block(0, 1000).Add(ModeEHeader::EndOfData()), WireBytes().Add(End(1))},
             "426 more ends of data than announced; ");
        Fail({.bytes = 1000, .receivers = 2},
             {WireBytes().Block(900, 101).Add(End(1))},
             "426 bytes up to 1001 arrived of a chunk of 1000; ");
        Fail({.bytes = 1000},
             {WireBytes().Add({0x10, 0, 0})},
             "426 data connection: block descriptor 16 has bits other than EOF (64), EOD (8) and "
             "close (4); ");
        auto beyond = WireBytes().Add(ModeEHeader::Data(UINT64_MAX - 100, 10));
        beyond.push_back(0);
        Fail({.bytes = {}, .offset = 5000},
             {beyond},
             "426 the position of a block is beyond any file; ");
        // A stripe does not know which bytes are its own; without a size any number will do
        Fail({.bytes = 1000, .receivers = 2},
             {WireBytes().Block(300, 100).Add(End(1))},
             "received at 2; ");
        Fail({}, {WireBytes().Block(0, 77).Add(End(1))}, "received at 2; ");
        Fail({.bytes = 1000, .offset = 5000, .held = {{5000, 5400}}},
             {WireBytes().Block(400, 600).Add(End(1))},
             "received at 2; ");
    }

    /// Two connections, blocks in disorder.
    void Complete()
    {
        Receiving receiving;
        receiving.receiver.Expect(1, {.bytes = 3000});
        receiving.streams[0]->Arrive(2, WireBytes().Block(2000, 1000).Add(End(2)));
        receiving.streams[1]->Arrive(3, WireBytes().Block(1000, 1000).Block(0, 1000));
        receiving.host.Run(3);
        NS_TEST_EXPECT_MSG_EQ(receiving.receiver.GetBytes(), 3000, "all bytes");
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "", "an end of data is missing");
        receiving.streams[1]->Arrive(4, WireBytes().Add(ModeEHeader::EndOfData()));
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "", "not within the callback");
        receiving.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "received at 4; ", "once");
    }

    /// @param order of a chunk @param arrives on each connection @param learned at the end
    void Fail(const ReceiveOrder& order,
              const std::vector<WireBytes>& arrives,
              const std::string& learned)
    {
        Receiving receiving(static_cast<uint32_t>(arrives.size()));
        receiving.receiver.Expect(1, order);
        for (size_t i = 0; i < arrives.size(); ++i)
        {
            receiving.streams[i]->Arrive(2, arrives[i]);
        }
        receiving.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, learned, "of " << arrives.size());
    }
};

/// What is stored of a chunk, whatever parts it arrives in.
class ReceiverFileTest : public TestCase
{
  public:
    ReceiverFileTest()
        : TestCase("block receiver: each byte of a file at its place")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t CHUNK = 40;
        const auto all = WireBytes()
                             .Block(300, 200, CHUNK)
                             .Block(0, 300, CHUNK)
                             .Block(500, 1, CHUNK)
                             .Add(End(1));
        for (size_t part = 1; part <= all.size(); ++part)
        {
            StoredFile file;
            Receiving receiving(1);
            receiving.receiver.SetFile(&file);
            receiving.receiver.Expect(1, {.bytes = 501, .offset = CHUNK});
            for (size_t at = 0; at < all.size(); at += part)
            {
                const size_t end = std::min(at + part, all.size());
                receiving.streams[0]->Arrive(2, {all.begin() + at, all.begin() + end});
            }
            receiving.host.Run(9);
            NS_TEST_EXPECT_MSG_EQ(receiving.learned, "received at 2; ", "parts of " << part);
            NS_TEST_ASSERT_MSG_EQ(file.content.size(), CHUNK + 501, "parts of " << part);
            for (uint64_t place = CHUNK; place < file.content.size(); ++place)
            {
                NS_TEST_ASSERT_MSG_EQ(+file.content[place], +MakeFileByte(place), place);
            }
        }
    }
};

/// A disk that is full: the chunk fails, and bytes that are lost count nowhere.
class ReceiverFullTest : public TestCase
{
  public:
    ReceiverFullTest()
        : TestCase("block receiver: data that cannot be stored")
    {
    }

  private:
    void DoRun() override
    {
        StoredFile file;
        file.most = 300;
        Receiving receiving(1);
        receiving.receiver.SetFile(&file);
        receiving.receiver.RecordRanges();
        receiving.receiver.Expect(1, {.bytes = 500});
        receiving.streams[0]->Arrive(2, WireBytes().Block(0, 300).Block(300, 200).Add(End(1)));
        receiving.host.Run(9);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "426 the data cannot be stored; ", "fails");
        NS_TEST_EXPECT_MSG_EQ(receiving.receiver.GetBytes(), 300, "bytes");
        const MarkerRanges ranges = receiving.receiver.GetRanges(9);
        NS_TEST_ASSERT_MSG_EQ(ranges.size(), 1, "ranges");
        NS_TEST_EXPECT_MSG_EQ(ranges[0].end, 300, "what is stored");
    }
};

/// Connections that end, and such that nobody wants.
class ReceiverLossTest : public TestCase
{
  public:
    ReceiverLossTest()
        : TestCase("block receiver: connections that end early, and foreign ones")
    {
    }

  private:
    void DoRun() override
    {
        const std::string cut = "426 data connection closed before its end of data; ";
        Expect(cut, [](Receiving& receiving) {
            receiving.streams[0]->Arrive(2, WireBytes().Block(0, 10));
            receiving.streams[0]->user->HandlePeerClosed(3);
        });
        Expect("", [](Receiving& receiving) { receiving.streams[0]->user->HandlePeerClosed(3); });
        Expect("426 all data connections closed after 1 of 2 ends of data; ",
               [](Receiving& receiving) {
                   receiving.streams[0]->Arrive(2, WireBytes().Block(0, 1000).Add(End(2)));
                   receiving.streams[0]->user->HandlePeerClosed(3);
                   receiving.streams[1]->user->HandlePeerClosed(3);
               });
        Expect("426 data connection was reset; ", [](Receiving& receiving) {
            receiving.streams[1]->user->HandleLost(3, StreamLoss::FAILED);
        });
        Expect("426 data connection was reset; ", [](Receiving& receiving) {
            receiving.receiver.BreakConnection(3, *receiving.streams[1]);
        });
        Expect("", [](Receiving& receiving) {
            receiving.streams[1]->user->HandleLost(3, StreamLoss::FAILED);
            receiving.receiver.Abort(3);
        });
        Foreign();
        NobodyListens();
    }

    /// @param learned at the end @param act what happens during a chunk of 1000 bytes
    template <typename Act>
    void Expect(const std::string& learned, Act act)
    {
        Receiving receiving;
        receiving.receiver.Expect(1, {.bytes = 1000});
        act(receiving);
        receiving.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, learned, "at the end");
    }

    /// A foreign connection ends the transfer when it is closed, unless it is complete, or the
    /// listener is another one by then.
    void Foreign()
    {
        Receiving ended;
        ended.receiver.AcceptForeign(1, 10);
        ended.receiver.Expect(1, {.bytes = 1000});
        ended.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(ended.learned.substr(0, 4), "426 ", ended.learned);

        Receiving complete(1);
        complete.receiver.AcceptForeign(1, 10);
        complete.receiver.Expect(1, {.bytes = 1000});
        complete.streams[0]->Arrive(2, WireBytes().Block(0, 1000).Add(End(1)));
        complete.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(complete.learned, "received at 2; ", "complete before");

        Receiving open;
        open.receiver.AcceptForeign(10, 10);
        open.receiver.Expect(10, {.bytes = 1000});
        open.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(open.learned, "", "never closed");

        Receiving other;
        other.receiver.AcceptForeign(1, 10);
        other.receiver.Listen(2);
        other.receiver.Expect(3, {.bytes = 1000});
        other.host.Run(99);
        NS_TEST_EXPECT_MSG_EQ(other.learned, "", "another listener");
    }

    /// Without a free port, and after Finish(), nothing is accepted.
    void NobodyListens()
    {
        Receiving receiving(0);
        receiving.receiver.Finish(false);
        NS_TEST_EXPECT_MSG_EQ(receiving.host.Accept(5), nullptr, "finished");
        receiving.host.isFull = true;
        NS_TEST_EXPECT_MSG_EQ(receiving.receiver.Listen(6).has_value(), false, "no port");
    }
};

/// In which order connections are reset.
class ReceiverResetTest : public TestCase
{
  public:
    ReceiverResetTest()
        : TestCase("block receiver: connections are reset in the order of their acceptance")
    {
    }

  private:
    void DoRun() override
    {
        Receiving receiving(3);
        receiving.receiver.Expect(1, {.bytes = 1000});
        receiving.streams[2]->Arrive(2, WireBytes().Block(0, 10));
        receiving.receiver.Reset(3);
        const EndedStreams expected(receiving.streams.begin(), receiving.streams.end());
        NS_TEST_EXPECT_MSG_EQ((*receiving.host.ended == expected), true, "the first one first");
        for (const RecordedStream* stream : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(stream->isReset, true, "not closed");
        }
    }
};

/// Chunk after chunk on the same connections.
class ReceiverCacheTest : public TestCase
{
  public:
    ReceiverCacheTest()
        : TestCase("block receiver: cached connections, and bytes before their chunk")
    {
    }

  private:
    void DoRun() override
    {
        Receiving receiving(1);
        BlockReceiver& receiver = receiving.receiver;
        RecordedStream& stream = *receiving.streams[0];
        stream.Arrive(1, WireBytes().Block(0, 100).Add(End(1)));
        NS_TEST_EXPECT_MSG_EQ(receiver.GetBytes(), 0, "not announced: it is not read");
        receiver.Expect(2, {.bytes = 100});
        receiving.host.Run(2);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "received at 2; ", "first chunk");
        receiver.Finish(true);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetBufferSizes().size(), 1, "it has carried something");

        // The next chunk, and the end of the connection behind it, arrive early
        stream.Arrive(3, WireBytes().Block(0, 50).Add(End(1)));
        stream.user->HandlePeerClosed(3);
        NS_TEST_EXPECT_MSG_EQ(stream.isClosed, false, "there is something left to read");
        receiver.Expect(4, {.bytes = 50});
        receiving.host.Run(4);
        NS_TEST_EXPECT_MSG_EQ(receiving.learned, "received at 2; received at 4; ", "second");
        NS_TEST_EXPECT_MSG_EQ(stream.isClosed, true, "and closed then");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetAllStoredBytes(4), 150, "of both");
        receiver.Finish(true);
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new ReceiverAccountTest,
            new ReceiverFileTest,
            new ReceiverFullTest,
            new ReceiverLossTest,
            new ReceiverResetTest,
            new ReceiverCacheTest};
});

} // namespace ns3::gridftp
