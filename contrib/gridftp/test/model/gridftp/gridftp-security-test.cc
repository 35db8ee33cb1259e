/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-fake-peers.h"
#include "gridftp-model-fixture.h"
#include "gridftp-test-cases.h"

#include "ns3/enum.h"
#include "ns3/gridftp-security-text.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @return of an upload, both channels authenticated
SecuritySpec
MakeSecurity()
{
    return {.control = Authentication::GSI,
            .data = Authentication::GSI,
            .authCpu = 3'000'000,
            .delegationCpu = 40'000'000};
}

/// What a client says that authenticates, and what comes over its data connections.
class SecuredDialogueTest : public TransferTest
{
  public:
    SecuredDialogueTest()
        : TransferTest("security: dialogue of an upload")
    {
    }

  private:
    void ConfigureEnvironment() override
    {
        SetBoth("FileSize", UintegerValue(600'000));
        SetClient("ChunkSize", UintegerValue(500'000));
        SetTuner("Parallelism", UintegerValue(2));
    }

    void ConfigureObjects() override
    {
        const Handshake handshake = MakeDataHandshake(false, true);
        m_clients[0]->SetSecurity(MakeSecurity());
        m_clients[0]->SetHandshake(handshake);
        m_servers[0]->SetSecurity(MakeSecurity());
        m_servers[0]->SetHandshake(handshake);
    }

    void FinalChecks() override
    {
        ExpectDone();
        NS_TEST_EXPECT_MSG_EQ(Tell(m_clientTaps[0]->GetCommands(), ArmourSide::CLIENT),
                              "AUTH ADAT ADAT ADAT ADAT | USER PASS SITE FEAT SITE TYPE MODE SITE "
                              "PASV ALLO ESTO PASV ALLO ESTO QUIT ",
                              "commands, in armour behind the bar");
        NS_TEST_EXPECT_MSG_EQ(Tell(m_clientTaps[0]->GetReplies(), ArmourSide::SERVER),
                              "220 334 335 335 335 235 | 331 230 214 211 250 200 200 200 "
                              "227 200 150 112 111 226 227 200 150 112 111 226 221 ",
                              "replies");
        // The server's last step is that in which it makes keys
        const auto replies = m_clientTaps[0]->GetReplies();
        GRIDFTP_TEST_REQUIRE_EQ(bool(replies.size() > 5), true, "replies");
        const Time lead = replies[4].at - replies[3].at;
        NS_TEST_EXPECT_MSG_GT(lead, MilliSeconds(40 + 20), "keys, and a round trip");
        NS_TEST_EXPECT_MSG_LT(lead, MilliSeconds(40 + 21), "keys, and a round trip");
    }

    /// @param lines of one end @param side which @return their first words; those that have armour
    /// behind a bar
    static std::string Tell(const std::vector<WireTap::Line>& lines, ArmourSide side)
    {
        std::string all;
        bool isProtected = false;
        for (const auto& line : lines)
        {
            const auto inner = UnwrapLine(side, line.text);
            all += inner && !isProtected ? "| " : "";
            isProtected = isProtected || inner;
            const std::string text = inner ? *inner : isProtected ? "? " : line.text;
            const bool isPart =
                text.empty() || text.front() == ' ' || (text.size() > 3 && text[3] == '-');
            all += isPart ? "" : text.substr(0, text.find(' ')) + " ";
        }
        return all;
    }
};

/// A server that knows of no security, and one that wants it.
class UnsecuredPeerTest : public TransferTest
{
  public:
    /// @param secured only the client is, else only the server
    explicit UnsecuredPeerTest(bool secured)
        : TransferTest(std::string("security: only of the ") + (secured ? "client" : "server")),
          m_secured(secured)
    {
    }

  private:
    void ConfigureObjects() override
    {
        m_secured ? m_clients[0]->SetSecurity(MakeSecurity())
                  : m_servers[0]->SetSecurity(MakeSecurity());
    }

    void FinalChecks() override
    {
        ExpectFailed(m_secured ? "the server answered 502 AUTH command not implemented."
                               : "the server answered 530 Please authenticate with AUTH GSSAPI");
    }

    bool m_secured; //!< see the constructor
};

/// A server that is told something else than it expects.
class SecurityRulesTest : public TransferTest
{
  public:
    SecurityRulesTest()
        : TransferTest("security: what a server refuses")
    {
        m_withClients = false;
    }

  private:
    void ConfigureObjects() override
    {
        m_servers[0]->SetSecurity(MakeSecurity());
        m_fakeClient = std::make_unique<FakeClient>(m_network->GetClients().Get(0),
                                                    m_network->GetServerAddress(0));
        std::string text = "TYPE I\r\nUSER a\r\nADAT Zm9v\r\nAUTH KERBEROS\r\n"
                           "AUTH GSSAPI\r\nADAT Zm9v\r\n";
        for (const auto& each : ListSecurityCommands())
        {
            text += FormatCommand(each.command); // all in one go: lines wait while it computes
        }
        m_fakeClient->SendAt(1000, text);
        m_fakeClient->SendAt(
            2000,
            "USER a\r\n" + WrapLines(ArmourSide::CLIENT, "USER a\r\nPASS\r\nDCAU X\r\nDCAU A\r\n"));
        m_fakeClient->CloseAt(3000);
    }

    void FinalChecks() override
    {
        std::string codes;
        for (const auto& line : m_serverTaps[0]->GetReplies())
        {
            const auto inner = UnwrapLine(ArmourSide::SERVER, line.text);
            codes += (inner ? *inner : line.text).substr(0, 3) + (inner ? "* " : " ");
        }
        NS_TEST_EXPECT_MSG_EQ(codes,
                              "220 530 530 503 504 334 535 334 335 335 335 235 533* 331* 230* "
                              "504* 200* ",
                              "replies; those with a star have armour");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new SecuredDialogueTest,
            new UnsecuredPeerTest(true),
            new UnsecuredPeerTest(false),
            new SecurityRulesTest};
});

} // namespace ns3::gridftp
