/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/uinteger.h"

#include <string>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

const std::string LOGIN = "USER u|PASS p|TYPE I|MODE E";
const std::string LOGGED_IN = "220 331 230 200 200";

/// Zero, negative, enormous, without an ID or a size, junk.
const std::string BAD = "SBUF 9 0|SBUF 9 -1|SBUF 9 99999999999999999999|SBUF 9 1073741825|SBUF 9|"
                        "SBUF 9 1 1|SBUF x 65536|SBUF 9 64KiB|SBUF -9 65536|SBUF 0 65536";
const std::string REFUSED = " 501 501 501 501 501 501 501 501 501 501";

/// Whatever an SBUF says while data flow, the transfer goes on.
class SizingDialogueTest : public TransferTest
{
  public:
    /// @param upload which way the file goes @param peer what the server knows @param codes that it
    /// answers
    SizingDialogueTest(bool upload, SizingPeer peer, const std::string& codes)
        : TransferTest(std::string("server: SBUF in ") + (upload ? "an upload" : "a download") +
                       (peer == SizingPeer::DRS ? "" : ", of a server that does not know it")),
          m_upload(upload),
          m_peer(peer),
          m_codes(codes)
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        m_withClients = false;
        SetServer("FileSize", UintegerValue(FILE_BYTES));
    }

    void ConfigureObjects() override
    {
        m_servers[0]->SetBuffers({.policy = "drs-ftp",
                                  .window = 65'536,
                                  .most = 1 << 24,
                                  .interval = 200'000'000'000,
                                  .peer = m_peer});
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        FakeClient& client = *m_fakeClient;
        if (m_upload)
        {
            client.SayAt(100, LOGIN + "|PASV|ALLO 1000");
            client.SayAt(200, "ESTO A 0 /f");
            client.DataAt(300, 0, MakeFakeBlock(ModeEHeader::Data(0, 400)));
        }
        else
        {
            client.Listen(6000);
            client.SayAt(100, LOGIN + "|PORT 10,0,0,6,23,112|ERET P 0 2000000 /f");
        }
        client.SayAt(400, BAD + "|SBUF 7 65536|SBUF 1 65536|SBUF 1 65536|NOOP");
        if (m_upload)
        {
            client.DataAt(900,
                          0,
                          MakeFakeBlock(ModeEHeader::Data(400, 600)) +
                              MakeFakeBlock(ModeEHeader::EndOfDataAndFile(1)));
        }
        client.SayAt(250'000, "QUIT");
    }

    void FinalChecks() override
    {
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->GetCodes(), m_codes, "replies");
        NS_TEST_EXPECT_MSG_EQ(m_fakeClient->junk, 0, "lines that are no reply");
        if (!m_upload)
        {
            constexpr uint64_t HEADERS = 2 * 17 + 17; // two blocks of up to 1 MiB, and the EOD
            NS_TEST_EXPECT_MSG_EQ(m_fakeClient->received, FILE_BYTES + HEADERS, "bytes");
        }
        ExpectDry();
    }

    static constexpr uint64_t FILE_BYTES = 2'000'000; //!< of the file

    bool m_upload;       //!< which way the file goes
    SizingPeer m_peer;   //!< what the server knows
    std::string m_codes; //!< that it must answer
};

const std::string STORING = LOGGED_IN + " 227 200 150";
const std::string RETRIEVING = LOGGED_IN + " 200 150";
const std::string BUSY = " 503 503 503 503 503 503 503 503 503 503 503 503 503";

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    using enum SizingPeer;
    const std::string stored = " 200 112 111 226 221";
    return {
        // It has asked with ID 1, so that 7 is wrong, 1 answers, and 1 again is wrong
        new SizingDialogueTest(true, DRS, STORING + " 126" + REFUSED + " 501 200 501" + stored),
        // It takes IDs as they grow
        new SizingDialogueTest(false, DRS, RETRIEVING + REFUSED + " 200 501 501 200 226 221"),
        new SizingDialogueTest(false, STOCK, RETRIEVING + BUSY + " 200 226 221"),
    };
});

} // namespace ns3::gridftp
