/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-host-file.h"
#include "gridftp-host-settings.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// A file of a host, as sysctl.conf.
constexpr std::string_view BREADBOARD = "# a comment\n"
                                        "; another one\n"
                                        "\n"
                                        "net.core.rmem_max = 131072\n"
                                        "net/core/wmem_max=131071\n"
                                        "  net.ipv4.tcp_rmem =4096\t87380  4194304  \n"
                                        "net.ipv4.tcp_wmem = 4096 16384 4194303\n"
                                        "net.ipv4.tcp_adv_win_scale = 2\n"
                                        "net.core.netdev_max_backlog = 1000\n"
                                        "net.ipv4.tcp_congestion_control = cubic\n"
                                        "kernel.pid_max = 9\n"
                                        "-net.ipv4.tcp_of_tomorrow = 1\n"
                                        "host.cores = 4\n"
                                        "host.segment-cpu = 3us\n"
                                        "host.copy-rate = 8Gbps";

/// @param text of a file @return something that reads it under any name
FileReader
Holding(std::string_view text)
{
    return [text = std::string(text)](const std::string& /* name */) {
        return Expected<std::string>(text);
    };
}

/// Reads a file. @param host whose @param isSender it sends @param text of it @param report of it
/// @return done, or what is wrong
Done
Read(HostSpec& host, bool isSender, std::string_view text, HostFileReport& report)
{
    return ReadHostFile(host, isSender, "a.conf", Holding(text), GetReportedKeys(), report);
}

/// What a file says of a host.
class HostFileTest : public TestCase
{
  public:
    HostFileTest()
        : TestCase("host file: what sysctl.conf says, and parameters of ours")
    {
    }

  private:
    void DoRun() override
    {
        HostSpec sender;
        HostFileReport report;
        auto done = Read(sender, true, BREADBOARD, report);
        NS_TEST_EXPECT_MSG_EQ(report.notes.size(), 0, "nothing to note");
        NS_TEST_ASSERT_MSG_EQ(bool(done), true, "it is right");
        HostSpec expected;
        expected.wmemMax = 131'071;
        expected.tcpWmemMax = 4'194'303;
        expected.backlog = 1000;
        expected.cores = 4;
        expected.segmentCpu = 3000;
        expected.copyRate = 8'000'000'000;
        expected.rmemMax = sender.rmemMax; // of the other direction, without an effect here
        expected.tcpRmemDefault = sender.tcpRmemDefault;
        expected.tcpRmemMax = sender.tcpRmemMax;
        expected.advWinScale = sender.advWinScale;
        NS_TEST_EXPECT_MSG_EQ((sender == expected), true, "a host that sends");
        HostSpec receiver;
        done = Read(receiver, false, BREADBOARD, report);
        NS_TEST_EXPECT_MSG_EQ(receiver.rmemMax, 131'072, "most of SO_RCVBUF");
        NS_TEST_EXPECT_MSG_EQ(receiver.tcpRmemDefault, 87'380, "the second");
        NS_TEST_EXPECT_MSG_EQ(receiver.tcpRmemMax, 4'194'304, "the third");
        NS_TEST_EXPECT_MSG_EQ(receiver.advWinScale, 2, "a quarter is overhead");
        NS_TEST_EXPECT_MSG_EQ(receiver.backlog, 1000, "packets");
        HostSpec none;
        done = ReadHostFile(none, true, "none", Holding("nonsense"), {}, report);
        NS_TEST_EXPECT_MSG_EQ(bool(done), true, "no file");
        CheckWins();
        CheckWrong();
    }

    /// What is given beside the file wins.
    void CheckWins()
    {
        const std::array<std::string_view, 3> arguments{"--receiver-cores=2",
                                                        "--receiver-host=./a.conf",
                                                        "--sender-segment-cpu=1us"};
        const auto request = ParseTransfer(arguments, Holding(BREADBOARD));
        NS_TEST_ASSERT_MSG_EQ(bool(request), true, "it is right");
        const SessionSpec& session = request->scenario.sessions.front();
        NS_TEST_EXPECT_MSG_EQ(session.buffers.receiver.cores, 2, "as given");
        NS_TEST_EXPECT_MSG_EQ(session.buffers.receiver.segmentCpu, 3000, "as in the file");
        NS_TEST_EXPECT_MSG_EQ(session.buffers.sender.segmentCpu, 1000, "the other host");
        NS_TEST_EXPECT_MSG_EQ(session.buffers.sender.cores, 1, "has no file");
        NS_TEST_EXPECT_MSG_EQ(session.receiverHost, "none", "it is read");
    }

    /// @param text of a file @return what is wrong with it
    static std::string Reason(std::string_view text)
    {
        HostSpec host;
        HostFileReport report;
        const auto done = Read(host, false, text, report);
        return done ? "nothing" : done.GetError().message;
    }

    /// Everything that is wrong is told with its line.
    void CheckWrong()
    {
        const std::string file = "--receiver-host=a.conf line ";
        const std::string most = "1 to 2147483647";
        NS_TEST_EXPECT_MSG_EQ(
            Reason("net.core.rmem_max = 128K"),
            file + "1: 'net.core.rmem_max = 128K' is not a whole number; allowed: " + most,
            "a value");
        NS_TEST_EXPECT_MSG_EQ(
            Reason("net.core.rmem_max = 0"),
            file + "1: 'net.core.rmem_max = 0' is not a whole number; allowed: " + most,
            "too little");
        const std::string three =
            "' is not a list of up to three numbers; allowed: minimum, default and maximum, each " +
            most;
        for (const std::string text :
             {"1 2 3 4", "1 2 x", "0 2 3", "4096,87380,4194304", "1 2 99999999999999999999"})
        {
            NS_TEST_EXPECT_MSG_EQ(Reason("net.ipv4.tcp_rmem = " + text),
                                  file + "1: 'net.ipv4.tcp_rmem = " + text + three,
                                  text);
        }
        NS_TEST_EXPECT_MSG_EQ(
            Reason("# x\n\nwhat is this\n"),
            file + "3: 'what is this' is not a line of sysctl.conf; allowed: KEY = VALUE",
            "no line of it");
        NS_TEST_EXPECT_MSG_EQ(Reason("= 4"),
                              file + "1: '= 4' lacks a key; allowed: KEY = VALUE",
                              "no key");
        NS_TEST_EXPECT_MSG_EQ(Reason("host.core = 4"),
                              file + "1: 'host.core' is unknown; did you mean 'host.cores'?",
                              "a parameter");
        NS_TEST_EXPECT_MSG_EQ(Reason("host.cores = 0"),
                              file +
                                  "1: 'host.cores = 0' is out of range; allowed: a whole number, "
                                  "1 to 256",
                              "its value");
        NS_TEST_EXPECT_MSG_EQ(Reason("net.core.netdev_max_backlog = 2147483648"),
                              file + "1: 'net.core.netdev_max_backlog = 2147483648' is not a whole "
                                     "number; allowed: 0 to 2147483647",
                              "more than Linux takes");
        const std::array<std::string_view, 1> arguments{"--session=sender-host=./a.conf"};
        const auto other = ParseTransfer(arguments, Holding(""));
        NS_TEST_EXPECT_MSG_EQ(
            (other ? "nothing" : other.GetError().message),
            "--session 'sender-host=./a.conf' is a file, which only the first session can name; "
            "allowed for others: none, they use the first session's",
            "another session");
    }
};

std::vector<TestCase*>
MakeHostFileTestCases()
{
    return {new HostFileTest};
}

const OwnTestCases g_cases(&MakeHostFileTestCases);

} // namespace
