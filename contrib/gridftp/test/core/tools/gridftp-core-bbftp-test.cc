/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-draw.h"
#include "gridftp-test-cases.h"

#include "ns3/gridftp-bbftp.h"
#include "ns3/test.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr uint64_t BLOCK = BbftpParts::BLOCK_BYTES;

/// A host that writes down what its end has it do.
class NotingPort : public BbftpPort
{
  public:
    void ConnectControl(Nanoseconds) override
    {
        Note("connect");
    }

    void Say(Nanoseconds, std::vector<uint8_t> bytes) override
    {
        Note("say " + std::to_string(bytes.size()));
        said.push_back(std::move(bytes));
    }

    std::vector<uint16_t> Listen(Nanoseconds, uint32_t streams) override
    {
        Note("listen " + std::to_string(streams));
        std::vector<uint16_t> ports;
        for (uint32_t i = 0; i < streams; ++i)
        {
            ports.push_back(static_cast<uint16_t>(50'000 + i));
        }
        return ports;
    }

    void Connect(Nanoseconds, uint32_t stream, uint16_t port) override
    {
        Note("open " + std::to_string(stream) + " at " + std::to_string(port));
    }

    void Send(Nanoseconds, uint32_t stream, uint64_t bytes) override
    {
        Note("send " + std::to_string(stream) + " " + std::to_string(bytes));
    }

    void Answer(Nanoseconds, uint32_t stream, std::vector<uint8_t> bytes) override
    {
        Note("answer " + std::to_string(stream) + " " + std::to_string(bytes.size()));
    }

    void Finish(Nanoseconds, const std::string& reason) override
    {
        Note("finish" + (reason.empty() ? "" : " " + reason));
    }

    /// @return what was done since this was asked last
    std::string Take()
    {
        return std::exchange(m_done, "");
    }

    std::deque<std::vector<uint8_t>> said; //!< and not delivered

  private:
    /// @param what was done
    void Note(const std::string& what)
    {
        m_done += (m_done.empty() ? "" : ", ") + what;
    }

    std::string m_done; //!< see Take()
};

/// Both ends, and who carries what they say.
class Talk
{
  public:
    /// @param transfer what is to be moved
    explicit Talk(const BbftpTransfer& transfer)
        : Talk(transfer, transfer)
    {
    }

    /// @param wanted what the client wants to be moved @param known what the server knows of it
    Talk(const BbftpTransfer& wanted, const BbftpTransfer& known)
        : client(wanted, clientPort),
          server(known, serverPort)
    {
    }

    /// @param end hears what the other one has said @param port of that one
    static void Deliver(BbftpEnd& end, NotingPort& port)
    {
        for (; !port.said.empty(); port.said.pop_front())
        {
            end.HandleBytes(0, port.said.front());
        }
    }

    /// Up to the moment in which the client opens the first data connection.
    void Agree()
    {
        client.Start(0);
        server.HandleAccepted(0);
        while (!clientPort.said.empty() || !serverPort.said.empty())
        {
            Deliver(client, serverPort);
            Deliver(server, clientPort);
        }
        clientPort.Take();
        serverPort.Take();
    }

    /// All data connections are there, at both ends, and the server knows.
    void Open()
    {
        for (uint32_t stream = 0; stream < client.GetStreams(); ++stream)
        {
            client.HandleDataConnected(0, stream);
            server.HandleDataConnected(0, stream);
        }
        Deliver(server, clientPort);
        clientPort.Take();
        serverPort.Take();
    }

    NotingPort clientPort; //!< of the end that connects
    NotingPort serverPort; //!< of the end that accepts
    BbftpClient client;    //!< the end that connects
    BbftpServer server;    //!< the end that accepts
};

/// What is said, step by step, worked out by hand from PROTO_V3 and the sizes on the wire.
class DialogueTest : public TestCase
{
  public:
    DialogueTest()
        : TestCase("bbftp: who says what, in how many bytes, when")
    {
    }

  private:
    void DoRun() override
    {
        CheckLogin();
        CheckUpload();
        CheckDownload();
    }

    /// From the connection to the ports.
    void CheckLogin()
    {
        Talk talk({.isUpload = true, .bytes = 3 * BLOCK + 1, .streams = 2});
        talk.client.Start(0);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "connect", "the server speaks first");
        talk.server.HandleAccepted(0);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "say 8, say 152", "the key");
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "say 8, say 276", "name and password");
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "say 8, say 28", "logged in");
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "say 8", "which versions");
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "say 8, say 8", "1 to 3");
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(),
                              "say 8, say 4, say 8, say 48, say 8, say 10",
                              "version 3, what it wants, which file");
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(),
                              "listen 2, say 8, say 48, say 8",
                              "agreed, and two ports");
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "open 0 at 50000", "one at a time");
    }

    /// The client sends what it can as soon as it can, the server answers when it may.
    void CheckUpload()
    {
        Talk talk({.isUpload = true, .bytes = 3 * BLOCK + 1, .streams = 2});
        const uint64_t first = (3 * BLOCK + 1) / 2;
        const uint64_t second = 3 * BLOCK + 1 - first;
        talk.Agree();
        talk.client.HandleDataConnected(7, 0);
        talk.server.HandleDataConnected(7, 0);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(),
                              "send 0 " + std::to_string(first) + ", open 1 at 50001",
                              "the first part goes meanwhile");
        talk.server.HandleData(8, 0, first);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "", "its children do not run yet");
        talk.client.HandleDataConnected(9, 1);
        talk.server.HandleDataConnected(9, 1);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(),
                              "send 1 " + std::to_string(second) + ", say 8",
                              "all are there");
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "answer 0 8", "now they do");
        talk.server.HandleData(10, 1, second - 1);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "", "one byte is missing");
        NS_TEST_EXPECT_MSG_EQ(talk.server.GetBytes(), first + second - 1, "counted");
        talk.server.HandleData(11, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "answer 1 8, say 8, say 2", "OK");
        talk.client.HandleData(12, 1, 8);
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "", "an answer is missing");
        talk.client.HandleData(13, 0, 8);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "say 8, finish", "it leaves");
        NS_TEST_EXPECT_MSG_EQ(talk.client.GetSpan().endNs, 13, "the last answer");
        talk.server.HandleDataLost(14, 0, StreamLoss::CLOSED);
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "finish", "so does the server");
    }

    /// The server sends when it is told that all connections are there.
    void CheckDownload()
    {
        Talk talk({.bytes = 2 * BLOCK, .streams = 2, .compression = 2});
        talk.Agree();
        talk.client.HandleDataConnected(0, 0);
        talk.server.HandleDataConnected(0, 0);
        talk.client.HandleDataConnected(0, 1);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "open 1 at 50001, say 8", "");
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "", "it waits");
        Talk::Deliver(talk.server, talk.clientPort);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "send 0 131072", "half of it on the wire");
        talk.server.HandleDataConnected(0, 1);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "send 1 131072", "the handshake was late");
        talk.client.HandleData(0, 0, 131'072);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "answer 0 8", "");
        talk.client.HandleData(0, 1, 31'072);
        NS_TEST_EXPECT_MSG_EQ(talk.client.GetBytes(), BLOCK + 62'144, "file bytes");
        talk.client.HandleData(0, 1, 100'000);
        talk.server.HandleData(0, 0, 8);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "", "an answer is missing");
        talk.server.HandleData(0, 1, 8);
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(), "say 8, say 2", "OK");
        talk.clientPort.Take();
        Talk::Deliver(talk.client, talk.serverPort);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "say 8, finish", "");
    }
};

/// How a file is cut.
class PartsTest : public TestCase
{
  public:
    PartsTest()
        : TestCase("bbftp: a file in equal contiguous parts, fewer where it is small")
    {
    }

  private:
    void DoRun() override
    {
        const BbftpParts parts(10 * BLOCK + 7, 4, 1);
        NS_TEST_EXPECT_MSG_EQ(parts.GetStreams(), 4, "as asked");
        NS_TEST_EXPECT_MSG_EQ(parts.GetBytes(0), 655'361, "a quarter, rounded down");
        NS_TEST_EXPECT_MSG_EQ(parts.GetBytes(3), 655'364, "the rest");
        NS_TEST_EXPECT_MSG_EQ(BbftpParts(4 * BLOCK - 1, 8, 1).GetStreams(), 3, "a block each");
        NS_TEST_EXPECT_MSG_EQ(BbftpParts(4 * BLOCK, 8, 1).GetStreams(), 4, "a block each");
        NS_TEST_EXPECT_MSG_EQ(BbftpParts(1, 8, 1).GetStreams(), 1, "at least one");
        NS_TEST_EXPECT_MSG_EQ(BbftpParts(1000, 1, 3).GetWireBytes(0), 334, "rounded up");
        Draw draw(5);
        for (int i = 0; i < 1000; ++i)
        {
            const uint64_t bytes = 1 + draw.Below(100'000'000);
            const BbftpParts drawn(bytes,
                                   static_cast<uint32_t>(1 + draw.Below(50)),
                                   1 + static_cast<double>(draw.Below(900)) / 100);
            uint64_t sum = 0;
            for (uint32_t stream = 0; stream < drawn.GetStreams(); ++stream)
            {
                const uint64_t wire = drawn.GetWireBytes(stream);
                sum += drawn.ToFileBytes(stream, wire);
                NS_TEST_ASSERT_MSG_EQ(drawn.ToFileBytes(stream, wire), drawn.GetBytes(stream), i);
                NS_TEST_ASSERT_MSG_LT(drawn.ToFileBytes(stream, wire - 1),
                                      drawn.GetBytes(stream),
                                      i);
            }
            NS_TEST_ASSERT_MSG_EQ(sum, bytes, "each byte once");
        }
    }
};

/// Messages that make no sense, and connections that are lost.
class WrongTest : public TestCase
{
  public:
    WrongTest()
        : TestCase("bbftp: what makes no sense, or is lost, ends it with a reason")
    {
    }

  private:
    void DoRun() override
    {
        CheckMessages();
        CheckOffers();
        CheckLosses();
    }

    /// @param header first message that a client gets @param body of it @return what it does
    static std::string Tell(const BbftpText::Header& header, uint32_t body)
    {
        Talk talk({.isUpload = true, .bytes = 1, .streams = 1});
        talk.client.Start(0);
        talk.clientPort.Take();
        talk.client.HandleBytes(0, BbftpText::Make(header));
        talk.client.HandleBytes(0, std::vector<uint8_t>(body, 0));
        return talk.clientPort.Take();
    }

    /// Other messages, in other sizes.
    void CheckMessages()
    {
        NS_TEST_EXPECT_MSG_EQ(Tell({6, 152}, 152), "say 8, say 276", "right");
        NS_TEST_EXPECT_MSG_EQ(Tell({6, 152}, 151), "", "not complete");
        NS_TEST_EXPECT_MSG_EQ(Tell({6, 151}, 151),
                              "finish bbftp, client: message 6 of 151 bytes was received instead "
                              "of message 6 of 152 bytes",
                              "shorter");
        NS_TEST_EXPECT_MSG_EQ(Tell({3, 2}, 2),
                              "finish bbftp, client: message 3 of 2 bytes was received instead of "
                              "message 6 of 152 bytes",
                              "another one");
        NS_TEST_EXPECT_MSG_EQ(Tell({6, 4'000'000'000}, 9),
                              "finish bbftp, client: message 6 claims 4000000000 bytes",
                              "nobody waits for that");

        Talk talk({.isUpload = true, .bytes = BLOCK, .streams = 1});
        talk.Agree();
        talk.Open();
        talk.server.HandleBytes(0, BbftpText::Make({BbftpText::PROT}));
        NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(),
                              "finish bbftp, server: message 23 has come while data move",
                              "");
        talk.client.HandleBytes(0, BbftpText::Make({BbftpText::OK, 2}));
        talk.client.HandleBytes(0, std::vector<uint8_t>{'O', 'K'});
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "", "an OK that lies: no answer has come");
        talk.client.HandleData(0, 0, 9);
        NS_TEST_EXPECT_MSG_EQ(
            talk.clientPort.Take(),
            "finish bbftp, client: data connection 0 has brought more than 8 bytes",
            "");
        talk.client.HandleData(0, 0, 8);
        talk.client.HandleLost(0, StreamLoss::FAILED);
        NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(), "", "it is over once");
    }

    /// @param isUpload direction @param wanted of the client @param offered by the server
    /// @return what the client does
    static std::string Offer(bool isUpload, uint32_t wanted, const BbftpOffer& offered)
    {
        Talk talk({.isUpload = isUpload, .bytes = 10 * BLOCK, .streams = wanted});
        talk.client.Start(0);
        talk.client.HandleBytes(0, BbftpText::Make({6, 152}));
        talk.client.HandleBytes(0, std::vector<uint8_t>(152, 0));
        talk.client.HandleBytes(0, BbftpText::Make({0, 28}));
        talk.client.HandleBytes(0, std::vector<uint8_t>(28, 0));
        talk.client.HandleBytes(0, BbftpText::Make({24, 8}));
        talk.client.HandleBytes(0, std::vector<uint8_t>(8, 0));
        talk.clientPort.Take();
        talk.client.HandleBytes(0, BbftpText::Make({45, 48}));
        talk.client.HandleBytes(0, offered.Make());
        talk.client.HandleBytes(0, std::vector<uint8_t>(std::size_t{4} * offered.streams, 1));
        return talk.clientPort.Take();
    }

    /// What a server offers, and a client wants.
    void CheckOffers()
    {
        NS_TEST_EXPECT_MSG_EQ(Offer(true, 4, {.bytes = 10 * BLOCK, .streams = 2}),
                              "open 0 at 257",
                              "fewer streams");
        NS_TEST_EXPECT_MSG_EQ(Offer(true, 4, {.bytes = 10 * BLOCK, .streams = 5}),
                              "finish bbftp, client: the server offers 5 streams for 2621440 bytes",
                              "more");
        NS_TEST_EXPECT_MSG_EQ(Offer(true, 4, {.bytes = 1, .streams = 4}),
                              "finish bbftp, client: the server offers 4 streams for 1 bytes",
                              "of another file");
        NS_TEST_EXPECT_MSG_EQ(Offer(false, 4, {.bytes = 0, .streams = 4}),
                              "finish bbftp, client: the server offers 4 streams for 0 bytes",
                              "an empty file");
        NS_TEST_EXPECT_MSG_EQ(Offer(false, 4, {.bytes = 1, .streams = 0}),
                              "finish bbftp, client: the server offers 0 streams for 1 bytes",
                              "no stream");
        Talk talk({.bytes = 10 * BLOCK, .streams = 0});
        talk.Agree();
        NS_TEST_EXPECT_MSG_EQ(talk.server.IsOver(), true, "a client that wants no stream");
        for (const uint32_t wanted : {3, 1000, 1001})
        {
            const uint64_t bytes = uint64_t{wanted} * BLOCK;
            Talk many({.isUpload = true, .bytes = bytes, .streams = wanted},
                      {.isUpload = true, .bytes = bytes, .streams = 1});
            many.Agree();
            const bool isTooMany = wanted > 1000;
            NS_TEST_EXPECT_MSG_EQ(many.server.IsOver(), isTooMany, wanted << " streams");
            NS_TEST_EXPECT_MSG_EQ(many.client.GetStreams(), (isTooMany ? 0 : wanted), "as asked");
        }
    }

    /// Connections that are lost.
    void CheckLosses()
    {
        for (const auto& [loss, words] : {std::pair{StreamLoss::REFUSED, "was refused"},
                                          {StreamLoss::FAILED, "was reset or gave up its retries"},
                                          {StreamLoss::CLOSED, "was closed by the peer"}})
        {
            Talk talk({.isUpload = true, .bytes = BLOCK, .streams = 1});
            talk.Agree();
            talk.client.HandleDataLost(0, 0, loss);
            NS_TEST_EXPECT_MSG_EQ(talk.clientPort.Take(),
                                  std::string("finish bbftp, client: data connection 0 ") + words,
                                  "");
            talk.server.HandleLost(0, loss);
            NS_TEST_EXPECT_MSG_EQ(talk.serverPort.Take(),
                                  std::string("finish bbftp, server: the control connection ") +
                                      words,
                                  "");
        }
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new DialogueTest, new PartsTest, new WrongTest};
});

} // namespace
