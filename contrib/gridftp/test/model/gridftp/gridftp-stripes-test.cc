/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-transfer-process.h"
#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

FakeBytes
MakeDataBlock(uint64_t offset, uint64_t count)
{
    return MakeFakeBlock(ModeEHeader::Data(offset, count));
}

FakeBytes
MakeEndBlock()
{
    return MakeFakeBlock(ModeEHeader::EndOfData());
}

FakeBytes
EndOfFile(uint64_t count)
{
    return MakeFakeBlock(ModeEHeader::EndOfDataAndFile(count));
}

/// A header that announces a payload, without the payload.
FakeBytes
Announce(uint64_t offset, uint64_t count)
{
    const auto bytes = ModeEHeader(0, count, offset).ToBytes();
    return FakeBytes(bytes.begin(), bytes.end());
}

const std::string LOGIN = "USER u|PASS p|TYPE I|MODE E";
const std::string LOGGED_IN = "220 331 230 200 200";
const std::string STORING = LOGGED_IN + " 229 200 150";

/// Logs in and begins an upload of 1000 bytes to both stripes, at once. @param client who
void
BeginUpload(FakeClient& client)
{
    client.SayAt(100, LOGIN + "|SPAS|ALLO 1000|ESTO A 5000 /f");
}

/// After what went wrong: a correct upload of 10 bytes. @param client who @param at when, ms
void
UploadAgain(FakeClient& client, uint32_t at)
{
    client.SayAt(at, "SPAS|ALLO 10|ESTO A 0 /f");
    client.DataAt(at + 200, 100, MakeDataBlock(0, 4) + EndOfFile(1));
    client.DataAt(at + 200, 101, MakeDataBlock(4, 6) + EndOfFile(1));
}

const std::string AGAIN = " 229 200 150 112 112 111 226";

/// A client that follows a timetable, at a server with two stripes, and what it must hear.
struct StripedDialogue
{
    std::string name;                           //!< in the name of the case
    std::function<void(FakeClient&)> configure; //!< the timetable, from 100 ms on
    std::string codes;                          //!< of the replies
    std::string last;                           //!< first line of the one before 221; empty: any
    uint64_t received{0};                       //!< by the client, bytes
};

const std::vector<StripedDialogue> DIALOGUES{
    {"a file in two parts",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(900, 100) + MakeDataBlock(0, 100) + EndOfFile(2));
         client.DataAt(500, 2, MakeEndBlock());
         client.DataAt(600, 1, MakeDataBlock(100, 800) + EndOfFile(1));
         UploadAgain(client, 1000);
     },
     STORING + " 112 112 111 226" + AGAIN,
     ""},
    {"commands ahead of replies",
     [](FakeClient& client) { client.SayAt(100, LOGIN + "|SPAS|NOOP|SPAS|TYPE I|SPAS|QUIT|NOOP"); },
     LOGGED_IN + " 229 200 229 200 229 221",
     ""},
    {"one address for two",
     [](FakeClient& client) { client.SayAt(100, LOGIN + "|PASV|ALLO 10|ESTO A 0 /f"); },
     LOGGED_IN + " 504 200 425",
     ""},
    {"arguments",
     [](FakeClient& client) {
         std::string many = "SPOR";
         for (uint32_t i = 0; i <= StripeCounts::MOST; ++i)
         {
             many += " 10,0,0,6,23,112";
         }
         client.SayAt(100,
                      LOGIN +
                          "|SPOR|SPOR 1,2,3|SPOR 10,0,0,6,23,112  10,0,0,6,23,112|"
                          "SPOR 10,0,0,6,23,112,10,0,0,6,23,112|PORT 10,0,0,6,23,112 "
                          "10,0,0,6,23,113|SPOR 10,0,0,6,23,112 |" +
                          many +
                          "|SPAS 1|OPTS RETR StripeLayout=Striped;Parallelism=1,1,1;|"
                          "OPTS RETR StripeLayout=Blocked;BlockSize=0;Parallelism=1,1,1;|"
                          "OPTS RETR StripeLayout=Partitioned;BlockSize=5;Parallelism=1,1,1;|"
                          "OPTS RETR StripeLayout=Blocked;|ERET P 0 10 /f");
     },
     LOGGED_IN + " 501 501 501 501 501 501 501 501 504 501 501 501 425",
     ""},
    {"a download from two stripes",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100,
                      LOGIN + "|SPOR 10,0,0,6,23,112|OPTS RETR StripeLayout=Blocked;"
                              "BlockSize=1000;Parallelism=2,2,2;|ERET P 0 5000 /f");
     },
     LOGGED_IN + " 200 200 150 226",
     "Transfer Complete.",
     5000 + (5 + 4) * ModeEHeader::SIZE},
    {"a download to two stripes, in parts",
     [](FakeClient& client) {
         client.Listen(6000);
         client.Listen(6001);
         client.SayAt(100,
                      LOGIN + "|SPOR 10,0,0,6,23,112 10,0,0,6,23,113|OPTS RETR "
                              "StripeLayout=Partitioned;Parallelism=1,1,1;|ERET P 1000 3001 /f");
     },
     LOGGED_IN + " 200 200 150 226",
     "Transfer Complete.",
     3001 + (2 + 2) * ModeEHeader::SIZE},
    {"connections of each pair of stripes",
     [](FakeClient& client) {
         client.Listen(6000);
         const std::string options = "OPTS RETR StripeLayout=Blocked;BlockSize=1000;"
                                     "Parallelism=3,3,3;PairParallelism=";
         client.SayAt(100, LOGIN + "|SPOR 10,0,0,6,23,112|" + options + "3,1,2;|ERET P 0 5000 /f");
         client.SayAt(1000, options + "3,1;|ERET P 0 5000 /f");
     },
     LOGGED_IN + " 200 200 501 200 150 226",
     "Transfer Complete.",
     5000 + (5 + 3 + 1) * ModeEHeader::SIZE},
    {"a receiver that never listens",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100, LOGIN + "|SPOR 10,0,0,6,23,112 10,0,0,6,23,113|ERET P 0 5000 /f");
         client.SayAt(240'000, "NOOP");
     },
     LOGGED_IN + " 200 150 425 200",
     "",
     2 * 1460}, // the first window of stripe 0, until stripe 1 is refused
    {"bytes missing at all stripes",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(0, 400) + EndOfFile(1));
         client.DataAt(500, 1, MakeDataBlock(500, 500) + EndOfFile(1));
     },
     STORING + " 426",
     "900 of 1000 bytes arrived at all stripes"},
    {"bytes beyond the end",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(0, 400) + EndOfFile(1));
         client.DataAt(500, 1, MakeDataBlock(401, 600) + EndOfFile(1));
     },
     STORING + " 426",
     "bytes up to 1001 arrived of a chunk of 1000"},
    {"overlapping offsets",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 1, MakeDataBlock(0, 500) + MakeDataBlock(499, 501) + EndOfFile(1));
         UploadAgain(client, 1000);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"EOD twice",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 1, MakeDataBlock(0, 500) + MakeEndBlock() + MakeEndBlock());
         UploadAgain(client, 1000);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"EOF of no EODs",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 1, EndOfFile(0));
     },
     STORING + " 426",
     "data connection: block with EOF announces 0 EODs, at least 1 is needed"},
    {"an enormous count",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 1, Announce(1, std::numeric_limits<uint64_t>::max()));
         UploadAgain(client, 1000);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"an enormous count of EODs",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500,
                       0,
                       MakeDataBlock(0, 500) + EndOfFile(std::numeric_limits<uint64_t>::max()));
         client.CloseDataAt(600, 0);
     },
     STORING + " 426",
     "all data connections closed after 1 of 18446744073709551615 ends of data"},
    {"ABOR",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(0, 500));
         client.SayAt(600, "ABOR");
         UploadAgain(client, 1000);
     },
     STORING + " 426 226" + AGAIN,
     ""},
    {"control connection closed in a transfer",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(0, 500));
         client.CloseAt(600);
     },
     STORING,
     ""},
    {"QUIT in a transfer",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(500, 0, MakeDataBlock(0, 500));
         client.SayAt(600, "QUIT");
     },
     STORING + " 221",
     ""},
};

/// A server with two stripes, on the hosts of two other servers.
class StripedTest : public TransferTest
{
  public:
    /// @param dialogue what is said and answered
    explicit StripedTest(const StripedDialogue& dialogue)
        : TransferTest("stripes: " + dialogue.name),
          m_dialogue(dialogue)
    {
    }

  protected:
    void ConfigureEnvironment() override
    {
        m_withClients = false;
        m_pairs = 3;
        SetServer("FileSize", UintegerValue(5000));
        SetServer("BlockSize", UintegerValue(1'000'000));
    }

    void ConfigureObjects() override
    {
        std::vector<Address> addresses;
        for (const uint32_t host : {1, 2})
        {
            auto stripe = CreateObject<DataTransferProcess>();
            m_network->GetServers().Get(host)->AddApplication(stripe);
            addresses.push_back(GetStripeAddress(host));
        }
        m_servers[0]->SetDataTransferProcesses(addresses);
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        m_dialogue.configure(*m_fakeClient);
        m_fakeClient->SayAt(250'000, "QUIT");
    }

    /// @param host of a stripe @return where the server expects it
    virtual Address GetStripeAddress(uint32_t host) const
    {
        return InetSocketAddress(m_network->GetServerAddress(host), DTP_PORT);
    }

    void FinalChecks() override
    {
        const bool quit = m_dialogue.codes.ends_with(" 221");
        const bool closed = m_dialogue.name.starts_with("control connection closed");
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->GetCodes(),
                              m_dialogue.codes + (quit || closed ? "" : " 221"),
                              "replies");
        const auto& replies = m_fakeClient->replies;
        if (!m_dialogue.last.empty() && replies.size() > 1)
        {
            NS_TEST_EXPECT_MSG_EQ(replies[replies.size() - 2].lines.front(),
                                  m_dialogue.last,
                                  "last reply");
        }
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->received, m_dialogue.received, "bytes");
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->junk, 0, "lines that are no reply");
        ExpectDry();
    }

  private:
    StripedDialogue m_dialogue; //!< what is said and answered
};

/// What waits where a stripe should is no data transfer process.
class StrangeStripeTest : public StripedTest
{
  public:
    /// @param name of the case @param port where the server looks for its stripes
    StrangeStripeTest(const std::string& name, uint16_t port)
        : StripedTest(
              {name,
               [](FakeClient& client) { client.SayAt(100, LOGIN + "|SPAS|ALLO 10|ESTO A 0 /f"); },
               LOGGED_IN + " 426 200 425",
               ""}),
          m_port(port)
    {
    }

  private:
    Address GetStripeAddress(uint32_t host) const override
    {
        return InetSocketAddress(m_network->GetServerAddress(host), m_port);
    }

    uint16_t m_port; //!< where the server looks for its stripes
};

/// A data transfer process answers what makes no sense, and goes on.
class StripeNoiseTest : public TransferTest
{
  public:
    StripeNoiseTest()
        : TransferTest("stripes: noise at a data transfer process")
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withClients = false;
        m_withServers = false;
    }

    void ConfigureObjects() override
    {
        auto stripe = CreateObject<DataTransferProcess>();
        stripe->SetAttribute("Port", UintegerValue(CONTROL_PORT));
        m_network->GetServers().Get(0)->AddApplication(stripe);
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        // The last three: FAIL of LISTEN without a window, PORT, READY
        m_fakeClient->SayAt(100,
                            "HELLO|LISTEN|LISTEN 0|LISTEN x|RECEIVE 5|RECEIVE 5 2 2|SEND 1 2 3|"
                            "FINISH|FINISH soon|END now|ABORT 1||LISTEN 65536|RECEIVE 5 0 1|END");
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->junk, 12 + 2, "answers, none of which is FTP");
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->control->closed, true, "the last word");
        ExpectDry();
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto& dialogue : DIALOGUES)
    {
        all.push_back(new StripedTest(dialogue));
    }
    all.push_back(new StrangeStripeTest("nobody there", 4999));
    all.push_back(new StrangeStripeTest("a server in place of a stripe", CONTROL_PORT));
    all.push_back(new StripeNoiseTest);
    return all;
});

} // namespace ns3::gridftp
