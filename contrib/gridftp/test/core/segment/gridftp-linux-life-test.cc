/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-linux-line.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr int64_t MS = 1'000'000;
constexpr int64_t SECOND = 1000 * MS;
constexpr auto ACTIVE_END = TcpConnection::ACTIVE;
constexpr auto PASSIVE_END = TcpConnection::PASSIVE;

/// How a connection is closed.
class LinuxCloseTestCase : public TestCase
{
  public:
    LinuxCloseTestCase()
        : TestCase("Linux connection: closed by either endpoint or both, FIN and last ACK lost")
    {
    }

  private:
    /// @param trouble on the line @param ending what closes it at 200 ms @param what of the test
    /// @return when the last packet arrived, ns
    int64_t Check(const Trouble& trouble,
                  const std::function<void(TcpConnection&, Nanoseconds)>& ending,
                  const std::string& what)
    {
        Line line(trouble);
        line.At(0, Connect);
        line.At(100 * MS, Write(ACTIVE_END, 3000));
        line.At(100 * MS, Write(PASSIVE_END, 50));
        line.At(200 * MS, ending);
        const int64_t last = line.Run();
        NS_TEST_EXPECT_MSG_EQ(Contains(line.GetHeard(), "connected ACCEPTED"), true, what);
        NS_TEST_EXPECT_MSG_EQ(Contains(line.GetHeard(), "DATA3000"), true, what);
        NS_TEST_EXPECT_MSG_EQ(Contains(line.GetHeard(), "data50"), true, what);
        NS_TEST_EXPECT_MSG_EQ(Contains(line.GetHeard(), "eset"), false, what);
        NS_TEST_EXPECT_MSG_EQ(line.Get().IsOpen(), false, what);
        NS_TEST_EXPECT_MSG_EQ(line.Get().IsOpenAtPassive(), false, what);
        NS_TEST_EXPECT_MSG_EQ(line.Get().MayRenew(last), true, what + ": both have ended");
        return last;
    }

    void DoRun() override
    {
        const auto both = [](TcpConnection& connection, Nanoseconds now) {
            connection.Close(now);
            connection.ClosePassive(now);
        };
        // FIN, FIN, ACK: three one way trips, where nothing is lost
        NS_TEST_EXPECT_MSG_LT(Check({}, Close, "active"), 700 * MS, "active");
        NS_TEST_EXPECT_MSG_LT(Check({}, ClosePassive, "passive"), 700 * MS, "passive");
        NS_TEST_EXPECT_MSG_LT(Check({}, both, "both"), 700 * MS, "both");
        const Outage fin{.beginNs = 200 * MS, .endNs = 215 * MS};
        NS_TEST_EXPECT_MSG_LT(Check({.there = {fin}}, Close, "FIN lost"), 2 * SECOND, "FIN");
        NS_TEST_EXPECT_MSG_LT(Check({.back = {fin}}, ClosePassive, "FIN"), 2 * SECOND, "FIN");
        // The FIN of the endpoint that connects arrives at 210 ms, that of the other at 220 ms, and
        // the ACK of this at 230 ms
        const Outage ack{.beginNs = 225 * MS, .endNs = 235 * MS};
        NS_TEST_EXPECT_MSG_LT(Check({.there = {ack}}, Close, "last ACK"), 2 * SECOND, "last ACK");
        const Outage answer{.beginNs = 215 * MS, .endNs = 225 * MS};
        NS_TEST_EXPECT_MSG_LT(Check({.back = {answer}}, Close, "answer"), 2 * SECOND, "answer");
        const Outage minute{.beginNs = 190 * MS, .endNs = 60 * SECOND};
        const Trouble cut{.there = {minute}, .back = {minute}};
        NS_TEST_EXPECT_MSG_LT(Check(cut, both, "both, cut off"), 180 * SECOND, "both, cut off");
    }
};

/// How a connection is reset or refused, or fails.
class LinuxResetTestCase : public TestCase
{
  public:
    LinuxResetTestCase()
        : TestCase("Linux connection: reset, refused, reset during an outage, unanswered, renewed")
    {
    }

  private:
    /// @param line a connection @param heard what its applications hear @param what of the test
    void Expect(Line& line, const std::string& heard, const std::string& what)
    {
        line.Run();
        NS_TEST_EXPECT_MSG_EQ(line.GetHeard(), heard, what);
    }

    void DoRun() override
    {
        CheckResets();
        CheckOutage();
        CheckRefusal();
        CheckUnanswered();
        CheckRenewal();
    }

    void CheckResets()
    {
        for (const auto end : {ACTIVE_END, PASSIVE_END})
        {
            Line line({});
            line.At(0, Connect);
            line.At(100 * MS, Reset(end));
            line.At(105 * MS, Reset(end)); // once is enough
            Expect(line,
                   std::string("connected ACCEPTED ") + (end == ACTIVE_END ? "RESET" : "reset"),
                   "reset by one");
            NS_TEST_EXPECT_MSG_EQ(line.GetHeardAt() / MS, 110, "one way trip");
            NS_TEST_EXPECT_MSG_EQ(line.Get().MayRenew(SECOND), true, "both have ended");
        }
        Line crossing({});
        crossing.At(0, Connect);
        crossing.At(100 * MS, Reset(ACTIVE_END));
        crossing.At(101 * MS, Reset(PASSIVE_END));
        Expect(crossing, "connected ACCEPTED", "both reset: neither hears of it");
        // The application that has closed hears nothing, and its kernel does not reset
        Line closed({});
        closed.At(0, Connect);
        closed.At(100 * MS, Close);
        closed.At(101 * MS, Reset(ACTIVE_END));
        Expect(closed, "connected ACCEPTED", "closed before");
        NS_TEST_EXPECT_MSG_EQ(closed.Get().MayRenew(SECOND), true, "both have ended");
        Line opening({});
        opening.At(0, Connect);
        opening.At(5 * MS, Reset(ACTIVE_END));
        Expect(opening, "", "the SYN-ACK is answered with a RST");
        NS_TEST_EXPECT_MSG_EQ(opening.Get().MayRenew(SECOND), true, "both have ended");
    }

    void CheckOutage()
    {
        const Outage outage{.beginNs = 90 * MS, .endNs = 500 * MS};
        Line line({.there = {outage}});
        line.At(0, Connect);
        line.At(100 * MS, Reset(ACTIVE_END));
        line.At(SECOND, Write(PASSIVE_END, 10));
        Expect(line, "connected ACCEPTED RESET", "the RST was lost, data are answered with one");
        NS_TEST_EXPECT_MSG_EQ(line.GetHeardAt() / MS, 1020, "a round trip after the data");
        NS_TEST_EXPECT_MSG_EQ(line.Get().MayRenew(2 * SECOND), true, "both have ended");
        // Hosts that vanish answer nothing
        Line gone({});
        gone.At(0, Connect);
        gone.At(99 * MS, Write(PASSIVE_END, 10));
        gone.At(100 * MS,
                [](TcpConnection& connection, Nanoseconds /* now */) { connection.Stop(); });
        Expect(gone, "connected ACCEPTED", "nobody hears anything");
    }

    void CheckRefusal()
    {
        Line line({.refusals = {{.beginNs = 0, .endNs = SECOND}}});
        line.At(0, Connect);
        line.At(2 * SECOND, [this, &line](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), true, "refused");
            line.Renew();
            connection.Connect(now);
        });
        Expect(line, "refused connected ACCEPTED", "first refused, then accepted");
        // The RST is lost, and the SYN sent again one second later finds the server
        Line again({.back = {{.beginNs = 0, .endNs = 500 * MS}},
                    .refusals = {{.beginNs = 0, .endNs = 500 * MS}}});
        again.At(0, Connect);
        Expect(again, "connected ACCEPTED", "the RST was lost");
        NS_TEST_EXPECT_MSG_EQ(again.GetHeardAt() / MS, 1030, "three trips after the second SYN");
    }

    void CheckUnanswered()
    {
        const Outage always{.beginNs = 0, .endNs = NEVER};
        Line syn({.there = {always}});
        syn.At(0, Connect);
        Expect(syn, "refused", "SYNs are lost");
        // 4 more SYNs after 1 s each, then 6 whose timeout doubles from 1 s (ip-sysctl.rst,
        // tcp_syn_linear_timeouts and tcp_syn_retries), then a wait of 64 s
        NS_TEST_EXPECT_MSG_EQ(syn.GetHeardAt() / SECOND, 4 + 63 + 64, "tcp_syn_retries");
        Line data({.there = {{.beginNs = 90 * MS, .endNs = NEVER}}});
        data.At(0, Connect);
        data.At(100 * MS, Write(ACTIVE_END, 10));
        Expect(data, "connected ACCEPTED gave-up", "data are lost");
        // With the least RTO, 200 ms, 15 retries last 924.6 s (ip-sysctl.rst, tcp_retries2)
        NS_TEST_EXPECT_MSG_GT(data.GetHeardAt() / SECOND, 900, "tcp_retries2");
        NS_TEST_EXPECT_MSG_LT(data.GetHeardAt() / SECOND, 1200, "tcp_retries2");
    }

    void CheckRenewal()
    {
        Line line({});
        line.At(0, Connect);
        line.At(100 * MS, Write(ACTIVE_END, 20000));
        line.At(101 * MS, Reset(ACTIVE_END));
        line.At(101 * MS, Reset(PASSIVE_END)); // ten segments and two RSTs are on their way
        line.At(102 * MS, [this, &line](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), true, "both have reset");
            line.Renew();
            NS_TEST_EXPECT_MSG_EQ(connection.GetReceived(PASSIVE_END), 0, "nothing yet");
            connection.Connect(now);
        });
        line.At(200 * MS, Write(ACTIVE_END, 5));
        Expect(line, "connected ACCEPTED connected ACCEPTED DATA5", "packets of the old are late");
        Line open({});
        open.At(0, Connect);
        open.At(100 * MS, [this](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), false, "it is open");
            connection.Close(now);
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), false, "the FIN is on its way");
        });
        open.At(125 * MS, [this](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), false, "LAST-ACK");
        });
        open.At(135 * MS, [this](TcpConnection& connection, Nanoseconds now) {
            NS_TEST_EXPECT_MSG_EQ(connection.MayRenew(now), true, "TIME-WAIT, CLOSED");
        });
        Expect(open, "connected ACCEPTED", "closed");
    }
};

/// The cases of this file.
const OwnTestCases g_cases([] {
    return std::vector<TestCase*>{new LinuxCloseTestCase, new LinuxResetTestCase};
});

} // namespace
