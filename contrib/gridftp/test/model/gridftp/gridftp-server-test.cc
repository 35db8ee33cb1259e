/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/uinteger.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A client that follows a timetable, and the codes that it must hear.
struct ServerDialogue
{
    std::string name;                           //!< in the name of the case
    std::function<void(FakeClient&)> configure; //!< the timetable, from 100 ms on
    std::string codes;                          //!< of the replies
    std::string last;                           //!< first line of the last reply; empty: any
};

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

const std::string LOGIN = "USER u|PASS p|TYPE I|MODE E";
const std::string LOGGED_IN = "220 331 230 200 200";
const std::string STORING = LOGGED_IN + " 227 200 150";

/// Logs in and begins an upload of 1000 bytes, at 100 to 200 ms. @param client who
void
BeginUpload(FakeClient& client)
{
    client.SayAt(100, LOGIN + "|PASV|ALLO 1000");
    client.SayAt(200, "ESTO A 5000 /f");
}

/// After what went wrong: a correct upload. @param client who @param at when, ms
void
UploadAgain(FakeClient& client, uint32_t at)
{
    client.SayAt(at, "PASV|ALLO 10|ESTO A 0 /f");
    client.DataAt(at + 100, 100, MakeDataBlock(0, 10) + EndOfFile(1));
}

const std::string AGAIN = " 227 200 150 112 111 226";

const std::vector<ServerDialogue> DIALOGUES{
    {"before login",
     [](FakeClient& client) {
         client.SayAt(100, "TYPE I|PASV|SIZE /f|FEAT|NOOP|PASS p|USER u|TYPE I|PASS p|TYPE I|QUIT");
     },
     "220 530 530 530 211 200 503 331 530 230 200 221",
     "Goodbye."},
    {"arguments",
     [](FakeClient& client) {
         client.SayAt(100,
                      LOGIN + "|TYPE A|MODE S|TYPE|MODE EE|SBUF 0|SBUF 1073741825|SBUF 65536|"
                              "SITE STORBUFSIZE 0|SITE RETRBUFSIZE 1073741825|SITE STORBUFSIZE 9x|"
                              "SITE CHMOD|OPTS RETR Parallelism=0,1,1;|OPTS MLST|PORT 1,2,3|"
                              "ALLO -1|ESTO B 0 /f|ESTO A x /f|ERET Q 0 1 /f|DCAU N|XYZZ|hello");
     },
     LOGGED_IN + " 504 504 501 501 501 501 200 501 501 501 500 501 501 501 501 504 501 504 502 "
                 "500 500",
     ""},
    {"modules",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100,
                      LOGIN + "|PORT 10,0,0,6,23,112|ERET zip=\"ratio=1\" 0 1 /f|"
                              "ERET scale 0 1 /f|ERET scale=\"ratio=0\" 0 1 /f|"
                              "ERET scale=\"ratio=0.5\" 0 2501 /f|"
                              "ERET scale=\"ratio=0.5\" 2400 100 /f");
         client.SayAt(200, "PASV|ALLO 10|ESTO scale=\"rate=1\" 0 /f|ESTO scale=\"ratio=2\" 0 /f");
         client.DataAt(300, 0, MakeDataBlock(0, 10) + EndOfFile(1));
     },
     LOGGED_IN + " 200 504 501 501 550 150 226 227 200 501 150 112 111 226",
     ""},
    {"protection",
     [](FakeClient& client) {
         client.SayAt(100,
                      LOGIN + "|PROT P|PBSZ x|PBSZ 4294967296|PROT P|PBSZ 1048576|PROT E|"
                              "PROT X|PROT PP|prot s|PROT P|PROT C");
     },
     LOGGED_IN + " 503 501 501 503 200 536 504 501 200 200 200",
     ""},
    {"stripes of one",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|SPAS|ALLO 1000|ESTO A 0 /f");
         client.DataAt(200, 0, MakeDataBlock(0, 1000) + EndOfFile(1));
     },
     LOGGED_IN + " 229 200 150 112 111 226",
     ""},
    {"no address agreed",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|ALLO 10|ESTO A 0 /f|STOR /f|ERET P 0 10 /f|RETR /f|NOOP");
     },
     LOGGED_IN + " 200 425 425 425 425 200",
     ""},
    {"beyond the file",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100,
                      LOGIN + "|PORT 10,0,0,6,23,112|ERET P 5000 1 /f|ERET P 4999 2 /f|"
                              "ERET P 0 5001 /f|ERET P 18446744073709551615 1 /f|"
                              "ERET P 1 18446744073709551615 /f|ERET P 0 0 /f|ERET P 4999 1 /f");
     },
     LOGGED_IN + " 200 550 550 550 501 501 550 150 226",
     ""},
    {"whole file",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100, LOGIN + "|OPTS RETR Parallelism=3,3,3;|PORT 10,0,0,6,23,112|RETR /f");
     },
     LOGGED_IN + " 200 200 150 226",
     ""},
    {"commands in a transfer",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 600));
         client.SayAt(350, "NOOP|TYPE I|NOOP|XYZZ|ALLO 10|ESTO A 0 /f|NOOP");
         client.DataAt(400, 0, MakeDataBlock(600, 400) + EndOfFile(1));
         client.DataAt(600, 0, MakeDataBlock(0, 10) + EndOfFile(1));
     },
     STORING + " 200 112 111 226 200 200 500 200 150 200 112 111 226",
     ""},
    {"ABOR in a transfer, before what waits for its end",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 600));
         client.SayAt(350, "ALLO 10|ESTO A 0 /f|SBUF 1000|ABOR");
     },
     STORING + " 503 426 226 200 425",
     "Use PASV first."},
    {"QUIT in a transfer",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 600));
         client.SayAt(350, "QUIT|NOOP");
     },
     STORING + " 221",
     ""},
    {"control connection closed in a transfer",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 600));
         client.CloseAt(350);
     },
     STORING,
     ""},
    {"several blocks out of order, over two connections",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(900, 100) + MakeDataBlock(0, 100) + EndOfFile(2));
         client.DataAt(400, 1, MakeDataBlock(100, 799) + MakeDataBlock(899, 1) + MakeEndBlock());
     },
     STORING + " 112 111 226",
     ""},
    {"data before its command",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV|ALLO 1000");
         client.DataAt(200, 0, MakeDataBlock(0, 400) + MakeEndBlock());
         client.DataAt(200, 1, MakeDataBlock(400, 600) + EndOfFile(2));
         client.CloseDataAt(200, 0);
         client.SayAt(300, "ESTO A 0 /f");
     },
     STORING + " 112 111 226",
     ""},
    {"data connections kept, and fewer of them",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 500) + EndOfFile(2));
         client.DataAt(300, 1, MakeDataBlock(500, 500) + MakeEndBlock());
         client.SayAt(400, "ALLO 500|ESTO A 1000 /f");
         client.CloseDataAt(450, 1);
         client.DataAt(500, 0, MakeDataBlock(0, 500) + EndOfFile(1));
     },
     STORING + " 112 111 226 200 150 112 111 226",
     ""},
    {"data connections kept, all closed before new ones open",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000) + EndOfFile(1));
         client.SayAt(400, "ALLO 500|ESTO A 1000 /f");
         client.CloseDataAt(450, 0);
         client.DataAt(500, 1, MakeDataBlock(0, 500) + EndOfFile(1));
     },
     STORING + " 112 111 226 200 150 112 111 226",
     ""},
    {"no EOD",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000));
         client.CloseDataAt(400, 0);
         UploadAgain(client, 500);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"closed within a block",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000).substr(0, 500));
         client.CloseDataAt(400, 0);
         UploadAgain(client, 500);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"bytes twice",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 500) + MakeDataBlock(499, 501) + EndOfFile(1));
         UploadAgain(client, 500);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"REST",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV|ALLO 1000|REST 5000-5300,5800-6000|ESTO A 5000 /f");
         client.DataAt(300, 0, MakeDataBlock(300, 500) + EndOfFile(1));
         UploadAgain(client, 500); // it was for one transfer
     },
     LOGGED_IN + " 227 200 350 150 112 111 226" + AGAIN,
     ""},
    {"REST, and a byte of it again",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV|ALLO 1000|REST 5000-5300|ESTO A 5000 /f");
         client.DataAt(300, 0, MakeDataBlock(299, 701) + EndOfFile(1));
     },
     LOGGED_IN + " 227 200 350 150 426",
     "bytes within 299 and 1000 arrived twice"},
    {"REST without ranges, and with those of no transfer",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100,
                      LOGIN + "|REST|REST 5|REST 5-4|REST 1-2,|PORT 10,0,0,6,23,112|REST 0-21|"
                              "ERET P 1 20 /f|REST 10-22|ERET P 1 20 /f|PASV|REST 10-1001|"
                              "ALLO 1000|ESTO A 0 /f|NOOP");
     },
     LOGGED_IN + " 501 501 501 501 200 350 501 350 501 227 350 200 501 200",
     ""},
    {"REST of a download",
     [](FakeClient& client) {
         client.Listen(6000);
         client.SayAt(100, LOGIN + "|PORT 10,0,0,6,23,112|REST 0-100,200-5000|ERET P 0 5000 /f");
     },
     LOGGED_IN + " 200 350 150 226",
     ""},
    {"too few bytes",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 999) + EndOfFile(1));
     },
     STORING + " 426",
     "999 of 1000 bytes arrived in 1 ranges"},
    {"too many bytes",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1001) + EndOfFile(1));
     },
     STORING + " 426",
     "1001 of 1000 bytes arrived in 1 ranges"},
    {"fewer EODs than announced",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 500) + EndOfFile(3));
         client.DataAt(300, 1, MakeDataBlock(500, 500) + MakeEndBlock());
         client.CloseDataAt(400, 0);
         client.CloseDataAt(450, 1);
         UploadAgain(client, 500);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"no EOF",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000) + MakeEndBlock());
         client.CloseDataAt(400, 0);
     },
     STORING + " 426",
     "all data connections closed after 1 of an unknown number of ends of data"},
    {"more EODs than announced",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 500) + MakeEndBlock());
         client.DataAt(300, 1, MakeDataBlock(500, 500) + MakeEndBlock());
         client.DataAt(400, 2, EndOfFile(2));
     },
     STORING + " 426",
     "more ends of data than announced"},
    {"EOF of no EODs",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000) + EndOfFile(0));
     },
     STORING + " 426",
     "data connection: block with EOF announces 0 EODs, at least 1 is needed"},
    {"data after EOD",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 500) + MakeEndBlock() + MakeDataBlock(500, 500));
     },
     STORING + " 426",
     "data connection: data after the end of data"},
    {"no MODE E",
     [](FakeClient& client) {
         BeginUpload(client);
         client.DataAt(300, 0, "GET / HTTP/1.1\r\n\r\n");
         UploadAgain(client, 500);
     },
     STORING + " 426" + AGAIN,
     ""},
    {"no ALLO",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV|STOR /f");
         client.DataAt(200, 0, MakeDataBlock(0, 777) + EndOfFile(1));
     },
     LOGGED_IN + " 227 150 112 111 226",
     ""},
    {"no ALLO, and a gap",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV|STOR /f");
         client.DataAt(200, 0, MakeDataBlock(0, 777) + MakeDataBlock(778, 1) + EndOfFile(1));
     },
     LOGGED_IN + " 227 150 426",
     "778 of 778 bytes arrived in 2 ranges"},
    {"download refused",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PORT 10,0,0,6,23,112|ERET P 0 10 /f");
         // ns-3 ignores the reset that answers a SYN; it gives up at 189 s.
         client.SayAt(200'000, "ERET P 0 10 /f|NOOP");
     },
     LOGGED_IN + " 200 150 425 425 200",
     ""},
    {"download reset",
     [](FakeClient& client) {
         client.Listen(6000, 2000);
         client.SayAt(100, LOGIN + "|PORT 10,0,0,6,23,112|ERET P 0 5000 /f");
         client.SayAt(300, "NOOP");
     },
     LOGGED_IN + " 200 150 426 200",
     ""},
    {"PORT after PORT",
     [](FakeClient& client) {
         client.Listen(6001);
         client.SayAt(100, LOGIN + "|PORT 10,0,0,6,23,112|PORT 10,0,0,6,23,113|ERET P 0 10 /f");
     },
     LOGGED_IN + " 200 200 150 226",
     ""},
    {"PASV after PASV",
     [](FakeClient& client) {
         client.SayAt(100, LOGIN + "|PASV");
         BeginUpload(client);
         client.DataAt(300, 0, MakeDataBlock(0, 1000) + EndOfFile(1));
     },
     "220 331 230 200 200 227 331 230 200 200 227 200 150 112 111 226",
     ""},
};

/// A server answers as it must, whatever comes.
class DialogueTest : public TransferTest
{
  public:
    /// @param dialogue what is said and answered
    explicit DialogueTest(const ServerDialogue& dialogue)
        : TransferTest("server: " + dialogue.name),
          m_dialogue(dialogue)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withClients = false;
        SetServer("FileSize", UintegerValue(5000));
    }

    void ConfigureObjects() override
    {
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        m_dialogue.configure(*m_fakeClient);
        m_fakeClient->SayAt(250'000, "QUIT");
    }

    void FinalChecks() override
    {
        auto codes = m_fakeClient->GetCodes();
        const bool quit = m_dialogue.codes.ends_with(" 221");
        const bool closed = m_dialogue.name.starts_with("control connection closed");
        NS_TEST_EXPECT_MSG_EQ(codes, m_dialogue.codes + (quit || closed ? "" : " 221"), "replies");
        if (!m_dialogue.last.empty() && m_fakeClient->replies.size() > 1)
        {
            const auto& replies = m_fakeClient->replies;
            NS_TEST_EXPECT_MSG_EQ(replies[replies.size() - (quit ? 1 : 2)].lines.front(),
                                  m_dialogue.last,
                                  "last reply");
        }
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->junk, 0, "lines that are no reply");
        NS_TEST_EXPECT_MSG_EQ(m_servers[0]->GetAcceptedCount(), 1, "control connections");
        ExpectDry();
    }

    ServerDialogue m_dialogue; //!< what is said and answered
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> all;
    for (const auto& dialogue : DIALOGUES)
    {
        all.push_back(new DialogueTest(dialogue));
    }
    return all;
});

} // namespace ns3::gridftp
