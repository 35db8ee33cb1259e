/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-pair.h"
#include "gridftp-test-cases.h"

#include "ns3/boolean.h"
#include "ns3/config.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

/*
 * All tables below are worked out by hand. In all of them: segments of 1000 bytes, an initial
 * window of 10, an ACK for every segment, a minimum RTO of 1 s, which is 10 rounds and more than
 * the RTT asks for, and a window W of 20 segments.
 *
 * So round 0 sends 1 to 10, and with 1 and 2 delivered and 3 lost, round 1 begins with
 *   ACK 2 (of 1; an ACK's number here is the segment that it asks for): cwnd 11, 11 and 12 are sent
 *   ACK 3: cwnd 12, 13 and 14 are sent; FlightSize is 12 (3 to 14)
 *   one duplicate ACK for each of 4 to 10 that arrived.
 * RTO: the last ACK of new data was in round 1, so in round 11.
 */

namespace
{

/// First sequence number of a segment.
uint32_t
Seq(uint32_t segment)
{
    return (segment - 1) * 1000 + 1;
}

/// A row: the TCP, what is lost, and what must be sent then.
struct Row
{
    std::string name;                                //!< of the test case
    std::string tcp;                                 //!< "reno", "newreno", ...
    std::vector<std::pair<uint32_t, uint32_t>> lost; //!< segment, and which transmission of it
    uint32_t rounds;                                 //!< how long to run
    std::string sent;                                //!< by round
    bool avoidMultiple{false};                       //!< AvoidMultipleFastRetransmits
    bool limitedTransmit{false};                     //!< LimitedTransmit
};

// clang-format off
const std::vector<Row> TABLE{
    // Round 1: 3rd duplicate: ssthresh = 12/2 = 6, 3 is sent again, cwnd 6 + 3 = 9; the 4th to 7th
    //   make it 13: one more than 12, so 15.
    // Round 2: duplicates for 11 to 14: cwnd 14 to 17, 16 to 19. Then 3 arrives: ACK 15, recovery
    //   over: cwnd 6, 15 to 19 in flight, room for 20. Then, for 15: ACK 16: cwnd 6.16: 21.
    // Round 3: ACKs 17 to 22, for 16 to 21: 22 to 27; none reaches cwnd 7: 6.17 + 5 * 0.16 = 6.94
    //   after ACK 21, 7.08 after ACK 22, when 22 to 26 are in flight: 27 and 28.
    {"one loss, Reno", "reno", {{3, 1}}, 3,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r 15 | 2: 16 17 18 19 20 21 | "
     "3: 22 23 24 25 26 27 28"},

    // ns-3's NewReno. 3rd duplicate: 3 marked lost and one segment as delivered: of 12 are 10 in
    //   flight, and one for "compatibility": ssthresh = 11/2 = 5.5; 3 sent again: 11 in flight.
    //   The 4th to 7th: 7 in flight.
    // Round 2: for 11 to 14: 6, 5, 4 (15 makes it 5), 4 (16 makes it 5). ACK 15 ends it: cwnd 5.5
    //   and, by the same ACK, 0.18 more; 15 and 16 in flight: 17 to 19.
    // Round 3: ACK 16: cwnd 5.86: 16 to 19 in flight: 20. ACKs 17 to 20: 6.03, 6.19, 6.36, 6.51:
    //   at each the one that left and at 6.03 one more: 21 22, 23, 24, 25.
    {"one loss, NewReno", "newreno", {{3, 1}}, 3,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 17 18 19 | 3: 20 21 22 23 24 25"},

    // Round 1: duplicates for 4 5 7 8 9 10: at the 3rd, ssthresh 6, 3 again; cwnd 9 to 12.
    // Round 2: for 11 to 14: 13 to 16: 15 to 18. 3 arrives: ACK 6, a partial one: over. cwnd 6, and
    //   6 to 18 in flight, 13: nothing.
    // Round 3: duplicates for 15 to 18. At the 3rd: ssthresh 13/2 = 6.5, 6 again, cwnd 9.5, 10.5.
    // Round 4: ACK 19: cwnd 6.5, nothing in flight: 19 to 24.
    {"two losses, Reno waits for three more duplicate ACKs", "reno", {{3, 1}, {6, 1}}, 4,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 17 18 | 3: 6r | 4: 19 20 21 22 23 24"},

    // The same until ACK 6; but 6 < 15, what was sent when recovery began, so no fast retransmit.
    //   The last ACK of new data was in round 2: RTO in round 12. ACK 19 makes cwnd 2.
    {"two losses, Reno that avoids multiple fast retransmits", "reno", {{3, 1}, {6, 1}}, 13,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 17 18 | 12: 6r | 13: 19 20", true},

    // Round 1: as with one loss, but 6 duplicates: 8 in flight.
    // Round 2: for 11 to 14: 7, 6, 5, 4: 15. ACK 6: 4 to 11 were taken for delivered, now 7 to 12;
    //   6 is lost; of 6 to 15 are 3 in flight: 6 again, and 16: 5.
    // Round 3: duplicate for 15: 4: 17. 6 arrives: ACK 16 ends it: cwnd 5.68, 16 and 17 in flight:
    //   18 to 20. 16 arrives: ACK 17: cwnd 5.86, 17 to 20 in flight: 21.
    {"two losses, NewReno sends the next hole at once", "newreno", {{3, 1}, {6, 1}}, 3,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 6r 16 | 3: 17 18 19 20 21"},

    // Round 1: duplicates for 4 6 8 9 10: cwnd 9, 10, 11.
    // Round 2: for 11 to 14: 12 to 15: 15, 16, 17. ACK 5: cwnd 6, 5 to 17 in flight, 13.
    // Round 3: for 15 to 17: the 3rd: ssthresh 6.5, 5 again, cwnd 9.5.
    // Round 4: ACK 7: cwnd 6.5, 7 to 17 in flight, 11. Nothing is under way any more.
    // Round 14: RTO.  Round 15: ACK 18: cwnd 2.
    {"three losses, Reno ends in a timeout", "reno", {{3, 1}, {5, 1}, {7, 1}}, 15,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 17 | 3: 5r | 14: 7r | 15: 18 19"},

    // Round 1: 9 in flight.
    // Round 2: for 11 to 14: 8 to 5. ACK 5: now 6 to 11 delivered, 5 lost; of 5 to 14 are 3 in
    //   flight: 5 again, 15: 5.
    // Round 3: 5 arrives: ACK 7: 8 to 12 delivered, 7 lost; of 7 to 15 are 3 in flight: 7 again,
    //   16: 5. Then the duplicate for 15: 4: 17.
    // Round 4: ACK 16 ends it: cwnd 5.68: 18 to 20; ACK 17: 5.86, 17 to 20 in flight: 21; ACK 18:
    //   6.03, 18 to 21: 22 23.
    {"three losses, NewReno sends a hole each round trip", "newreno", {{3, 1}, {5, 1}, {7, 1}}, 4,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 5r 15 | 3: 7r 16 17 | 4: 18 19 20 21 22 23"},

    // Rounds 1 and 2: as with one loss, until the duplicate for 15 (sent after 3): cwnd 18: 20.
    // Round 3: duplicates for 16 to 20: 19 to 23: 21, 22; then 3 to 22 are 20 segments, all that W
    //   allows.
    // Round 11: RTO: ssthresh 10, cwnd 1.  Round 12: ACK 23: cwnd 2.  Round 13: ACKs 24, 25.
    {"the segment sent again is lost too, Reno", "reno", {{3, 1}, {3, 2}}, 13,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r 15 | 2: 16 17 18 19 20 | 3: 21 22 | 11: 3r | "
     "12: 23 24 | 13: 25 26 27 28"},

    // Round 2: as with one loss: 15, 16. From round 3 on each duplicate makes room for one.
    // Round 11: RTO, cwnd 1.  Round 12: ACK 23; in ns-3 only what it acknowledges beyond 22, the
    //   last sent before the RTO, makes cwnd grow: 23.  Round 13: ACK 24: cwnd 2.
    {"the segment sent again is lost too, NewReno", "newreno", {{3, 1}, {3, 2}}, 13,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 | 3: 17 18 | 4: 19 20 | 5: 21 22 | "
     "11: 3r | 12: 23 | 13: 24 25"},

    // Round 1: duplicates for 7 to 10: 3 again (lost), cwnd 9, 10.
    // Round 2: for 11 to 14: 11 to 14: 15, 16. Then two each round until W is full.
    // Round 11: RTO, cwnd 1: 3.  Round 12: ACK 4, cwnd 2: 4 5.  Round 13: ACK 5, cwnd 3: 6 7;
    //   ACK 6 (5 was there before), cwnd 4: 8 9.
    // Round 14: ACK 23 of 6, cwnd 5: 23 to 27. 7 8 9 were there before: three duplicates, which
    //   RFC 2581 takes for a loss of 23: ssthresh 5/2 = 2.5, cwnd 5.5.
    // Round 15: ACK 24: cwnd 2.5, 24 to 27 in flight; ACKs 25 to 28: 2.9, 3.24: 28; 3.55: 29;
    //   3.83: 30.
    {"duplicate ACKs after a timeout, Reno", "reno", {{3, 1}, {4, 1}, {5, 1}, {6, 1}, {3, 2}}, 15,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 | 3: 17 18 | 4: 19 20 | 5: 21 22 | "
     "11: 3r | 12: 4r 5r | 13: 6r 7r 8r 9r | 14: 23 24 25 26 27 23r | 15: 28 29 30"},

    // The same until round 14, where 23 is not more than what the timeout found outstanding.
    // Round 15: ACKs 24 to 28: cwnd 6 to 10, two segments each.
    {"duplicate ACKs after a timeout, Reno that avoids multiple fast retransmits", "reno",
     {{3, 1}, {4, 1}, {5, 1}, {6, 1}, {3, 2}}, 15,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 3r | 2: 15 16 | 3: 17 18 | 4: 19 20 | 5: 21 22 | "
     "11: 3r | 12: 4r 5r | 13: 6r 7r 8r 9r | 14: 23 24 25 26 27 | "
     "15: 28 29 30 31 32 33 34 35 36 37", true},

    // RFC 3042: 15 and 16 on the first two duplicates; not counted: ssthresh 6. cwnd 9 to 13, with
    //   14 in flight.
    // Round 2: for 11 to 16: cwnd 14 to 19: 17 to 21. ACK 17: cwnd 6, 17 to 21 in flight: 22.
    {"one loss, Reno with limited transmit", "reno", {{3, 1}}, 2,
     "0: 1 2 3 4 5 6 7 8 9 10 | 1: 11 12 13 14 15 16 3r | 2: 17 18 19 20 21 22", false, true},
};
// clang-format on

/// One row of the table.
class TcpSequenceTest : public TestCase
{
  public:
    /**
     * @param row the row
     */
    explicit TcpSequenceTest(const Row& row)
        : TestCase("TCP: " + row.name),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::gridftp::TcpSocketReno::AvoidMultipleFastRetransmits",
                           BooleanValue(m_row.avoidMultiple));
        auto defaults = TcpPair::GetDefaults();
        defaults.limitedTransmit = m_row.limitedTransmit;
        TcpPair pair(m_row.tcp, defaults);
        for (const auto& [segment, nth] : m_row.lost)
        {
            pair.toReceiver->DropData(Seq(segment), nth);
        }
        pair.Start(1000000);
        pair.RunRounds(m_row.rounds);
        NS_TEST_EXPECT_MSG_EQ(pair.Sent(), m_row.sent, "sequence sent");
    }

    Row m_row; //!< the row
};

/// Values of cwnd and ssthresh, event by event.
class TcpWindowsTest : public TestCase
{
  public:
    TcpWindowsTest()
        : TestCase("TCP: cwnd and ssthresh of Reno")
    {
    }

  private:
    void DoRun() override
    {
        OneLoss();
        RetransmissionLost();
    }

    /// "one loss, Reno" in the table
    void OneLoss()
    {
        TcpPair pair("reno", TcpPair::GetDefaults());
        pair.toReceiver->DropData(Seq(3));
        pair.Start(1000000);
        pair.RunRounds(2);
        // The end of recovery changes the inflated window only: cwnd is at ssthresh since its
        // beginning. The ACK that ends it is no growth; the next adds 1000 * 1000 / 6000.
        NS_TEST_EXPECT_MSG_EQ(pair.Windows(),
                              "1: c11000 i11000 c12000 i12000 "
                              "s6000 c6000 i9000 i10000 i11000 i12000 i13000 | "
                              "2: i14000 i15000 i16000 i17000 i6000 c6166 i6166",
                              "windows");
    }

    /// "the segment sent again is lost too, Reno" in the table
    void RetransmissionLost()
    {
        TcpPair pair("reno", TcpPair::GetDefaults());
        pair.toReceiver->DropData(Seq(3), 1);
        pair.toReceiver->DropData(Seq(3), 2);
        pair.Start(1000000);
        pair.RunRounds(12);
        // At the timeout 20 segments are outstanding
        NS_TEST_EXPECT_MSG_EQ(pair.Windows(),
                              "1: c11000 i11000 c12000 i12000 "
                              "s6000 c6000 i9000 i10000 i11000 i12000 i13000 | "
                              "2: i14000 i15000 i16000 i17000 i18000 | "
                              "3: i19000 i20000 i21000 i22000 i23000 | 4: i24000 i25000 | "
                              "11: s10000 c1000 i1000 | 12: c2000 i2000",
                              "windows");
    }
};

/// An application that writes between duplicate ACKs.
class TcpWriteInDisorderTest : public TestCase
{
  public:
    TcpWriteInDisorderTest()
        : TestCase("TCP: a write after the first duplicate ACK")
    {
    }

  private:
    /**
     * @param tcp the TCP
     * @return what is sent where 2 of the 4 segments written is lost, and two more are written in
     *         round 1, 10 ms after the duplicate ACKs for 3 and 4
     */
    std::string Sent(const std::string& tcp)
    {
        TcpPair pair(tcp, TcpPair::GetDefaults());
        pair.toReceiver->DropData(Seq(2));
        pair.Start(4000);
        pair.WriteIn(1, 10, 2000);
        pair.RunRounds(14);
        return pair.Sent();
    }

    void DoRun() override
    {
        // cwnd 11, 3 in flight: RFC 2581 has nothing against 5 and 6. The ACK of 5 is the 3rd
        // duplicate: 2 again.
        NS_TEST_EXPECT_MSG_EQ(Sent("reno"), "0: 1 2 3 4 | 1: 5 6 | 2: 2r", "Reno sends at once");
        // ns-3's own socket aborts here. Guarded, it waits for an ACK, and there is none before
        // the RTO in round 11. ACK 5 in round 12 leaves cwnd at 1 (as in the table), ACK 6 opens
        // it.
        NS_TEST_EXPECT_MSG_EQ(Sent("newreno"),
                              "0: 1 2 3 4 | 11: 2r | 12: 5 | 13: 6",
                              "NewReno holds back");
    }
};

/// An application that pauses.
class TcpIdleTest : public TestCase
{
  public:
    TcpIdleTest()
        : TestCase("TCP: cwnd after idle times, Reno")
    {
    }

  private:
    void DoRun() override
    {
        TcpPair pair("reno", TcpPair::GetDefaults());
        pair.Start(10000);
        pair.WriteIn(5, 0, 15000);
        pair.WriteIn(20, 0, 15000);
        pair.RunRounds(22);
        // 10 ACKs make cwnd 20. Round 5: idle for 0.5 s, less than the RTO of 1 s: 15 at once, and
        // cwnd 35. Round 20: idle for 1.5 s: cwnd 10 again.
        NS_TEST_EXPECT_MSG_EQ(pair.Sent(),
                              "0: 1 2 3 4 5 6 7 8 9 10 | "
                              "5: 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 | "
                              "20: 26 27 28 29 30 31 32 33 34 35 | 21: 36 37 38 39 40",
                              "sequence sent");
    }
};

} // namespace

namespace ns3::gridftp
{

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    std::vector<TestCase*> cases;
    for (const auto& row : TABLE)
    {
        cases.push_back(new TcpSequenceTest(row));
    }
    cases.push_back(new TcpWindowsTest);
    cases.push_back(new TcpWriteInDisorderTest);
    cases.push_back(new TcpIdleTest);
    return cases;
});

} // namespace ns3::gridftp
